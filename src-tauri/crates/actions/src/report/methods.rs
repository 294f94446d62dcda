//! What was done, in sentences made from what the study holds, and what it takes to do it again.

use super::{
    Report,
    facts::Facts,
    html::{Shown, count, esc, percent, two},
};
use crate::{App, Failure};
use ::agreement::{AgreementResult, Numbers};
use sha2::{Digest, Sha256};
use std::{collections::BTreeMap, fmt::Write as _};
use store::Imported;

/// `one`, or the number and the plural.
fn number(n: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(n), if n == 1 { one } else { many })
}

/// Names with commas and an "and".
fn list<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> String {
    let names: Vec<S> = names.into_iter().collect();
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match names.as_slice() {
        [] => "none".to_owned(),
        [one] => (*one).to_owned(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// The figures that come first.
pub(super) fn headline(facts: &Facts, numbers: &Numbers) -> String {
    let interval = |c: &::agreement::Coefficient, show: fn(Option<f64>) -> String| {
        crate::figures::interval(c.ci95, show).map_or_else(String::new, |ends| format!(" ({ends})"))
    };
    let one_or =
        |n: usize, one: &'static str, many: &'static str| (count(n as u64), if n == 1 { one } else { many });
    let agree = &numbers.percent_agreement;
    let pi = &numbers.scott_pi;
    let facts = [
        (format!("{}{}", percent(agree.value), interval(agree, percent)), "per cent agreement"),
        (format!("{}{}", two(pi.value), interval(pi, two)), "Scott’s π"),
        (count(facts.compared), if facts.compared == 1 { "output compared" } else { "outputs compared" }),
        (count(facts.prompts), if facts.prompts == 1 { "prompt" } else { "prompts" }),
        one_or(facts.models.len(), "model", "models"),
        one_or(facts.people.len(), "person", "people"),
    ];
    let items: String = facts.map(|(value, what)| format!("<li><b>{}</b>{what}</li>", esc(&value))).concat();
    format!("<ul class=\"facts\">{items}</ul>")
}

/// The methods section.
pub(super) fn paragraphs(
    facts: &Facts,
    dataset: &(u64, BTreeMap<String, u64>),
    asked: &Report,
    result: &AgreementResult,
) -> String {
    let mut out = String::new();
    let mut say = |text: String| {
        let _ = writeln!(out, "<p>{}</p>", esc(text.trim()));
    };
    say(material(facts, dataset));
    say(judging(facts));
    say(people(facts));
    say(comparison(facts, asked));
    say(uncertainty(asked, result));
    if !facts.settled.is_empty() {
        let all: u64 = facts.settled.values().sum();
        say(format!(
            "{} settled by auditors, who saw both sides, the grades and the rubric; each settlement names a cause. Settlements do \
             not enter the agreement above.",
            number(all, "case was", "cases were")
        ));
    }
    if facts.marked_gold > 0 {
        say(format!(
            "Auditors marked the gold modalities of {} wrong; they are counted as the dataset has them.",
            number(facts.marked_gold, "prompt", "prompts")
        ));
    }
    out
}

fn material(facts: &Facts, (prompts, languages): &(u64, BTreeMap<String, u64>)) -> String {
    let mut text = format!(
        "The study holds {}; {} of {} ({}) to {} were graded or judged: {}, each one modality of one response.",
        number(*prompts, "prompt of the dataset", "prompts of the dataset"),
        number(facts.responses, "response", "responses"),
        number(facts.models.len() as u64, "model", "models"),
        list(&facts.models),
        number(facts.prompts, "prompt", "prompts"),
        number(facts.outputs, "output", "outputs"),
    );
    let known: Vec<String> = languages
        .iter()
        .filter(|(language, _)| *language != "und")
        .map(|(language, n)| format!("{language} ({n})"))
        .collect();
    if !known.is_empty() {
        let _ = write!(text, " Languages of the prompts: {}.", list(known));
    }
    text
}

fn judging(facts: &Facts) -> String {
    let mut text = if facts.rubric_judges.is_empty() {
        "The results do not say which LLM judge graded them;".to_owned()
    } else {
        format!("Responses were graded criterion by criterion by {};", list(&facts.rubric_judges))
    };
    let _ = write!(
        text,
        " there are {}, of which {} zeros that the evaluator caused and not the response.",
        number(facts.criteria, "grade", "grades"),
        count(facts.evaluator_errors),
    );
    if !facts.presence_judges.is_empty() {
        let _ = write!(text, " Presence was judged by {}.", list(&facts.presence_judges));
    }
    text
}

fn people(facts: &Facts) -> String {
    let [once, twice, more] = facts.judged_by;
    let judged = once + twice + more;
    if judged == 0 {
        return "No person has judged any of them.".to_owned();
    }
    let mut text = format!(
        "{} ({}) gave {} on {}; {} judged by one person, {} by two and {} by three or more, so that {} % were judged by two \
         people or more.",
        number(facts.people.len() as u64, "person", "people"),
        list(&facts.people),
        number(facts.live + facts.imported, "verdict", "verdicts"),
        number(judged, "output", "outputs"),
        count(once),
        count(twice),
        count(more),
        percent(Some((twice + more) as f64 / judged as f64)),
    );
    if facts.live > 0 {
        let _ = write!(
            text,
            " {} given in Assize, where a judge’s session opens no file that holds a rubric, a grade, a model’s name or another \
             person’s verdict; on one machine that holds the whole study this is a discipline and no lock.",
            number(facts.live, "verdict was", "verdicts were"),
        );
        if let Some(version) = facts.guidelines {
            let _ = write!(text, " The guidelines stand at version {version}.");
        }
    }
    if facts.imported > 0 {
        let _ = write!(
            text,
            " {} read from files: the study does not record what those judges saw.",
            number(facts.imported, "verdict was", "verdicts were"),
        );
    }
    if let Some((seconds, n)) = facts.median_seconds {
        let _ = write!(
            text,
            " The median time was {seconds:.0} s, over the {} that say.",
            number(n, "verdict", "verdicts")
        );
    }
    if facts.ai_assisted > 0 {
        let _ = write!(
            text,
            " For {} an AI was declared for background knowledge.",
            number(facts.ai_assisted, "verdict", "verdicts")
        );
    }
    if facts.doubtful > 0 {
        let _ = write!(text, " {} marked as doubtful.", number(facts.doubtful, "verdict is", "verdicts are"));
    }
    text
}

fn comparison(facts: &Facts, asked: &Report) -> String {
    let rule = if asked.collapse >= 1.0 - 1e-9 {
        "every criterion of that modality scored 1".to_owned()
    } else {
        format!("the mean score of that modality’s criteria is at least {}", asked.collapse)
    };
    format!(
        "The judge counts as saying correct when {rule}. It is compared with the majority of people over the outputs that were \
         detected (natively, by a link or by the presence judge), had something to grade, and met no error of the evaluator: {}. \
         Even splits of people ({}) are left out.",
        number(facts.compared, "output", "outputs"),
        count(facts.ties),
    )
}

fn uncertainty(asked: &Report, result: &AgreementResult) -> String {
    if asked.resamples == 0 {
        return "No intervals were computed.".to_owned();
    }
    let undefined: u64 =
        [&result.numbers.scott_pi, &result.numbers.cohen_kappa, &result.numbers.krippendorff_alpha]
            .iter()
            .filter_map(|c| c.undefined_resamples)
            .map(domain::Count::get)
            .max()
            .unwrap_or(0);
    format!(
        "Intervals are 95 % percentile intervals of {} bootstrap resamples (seed {}); all units of one prompt are resampled \
         together, because responses to one prompt are not independent. {} Standard errors are analytic and take units as \
         independent.",
        count(u64::from(asked.resamples)),
        asked.seed,
        if undefined == 0 {
            "No resample left π, κ or α undefined.".to_owned()
        } else {
            format!(
                "Up to {} resamples left π, κ or α undefined and are left out of its interval.",
                count(undefined)
            )
        }
    )
}

/// A journal's name, how many statements it holds, and the hash of the last.
type Journal = (String, u64, [u8; 32]);

/// What it takes to do it again: versions, seeds, and hashes of every record behind the numbers.
pub(super) fn again(
    app: &App,
    asked: &Report,
    (journals, imports): &(Vec<Journal>, Vec<Imported>),
) -> Result<String, Failure> {
    let study = app.with_study(|study| Ok(study.folder.study().to_string()))?;
    let done: Vec<&Imported> = imports.iter().filter(|import| import.completed_at.is_some()).collect();
    // One hash over everything: the files in the order of their hashes, then the journals by name.
    let mut files: Vec<String> =
        done.iter().map(|import| format!("{} {}", import.sha256, import.scope)).collect();
    files.sort_unstable();
    let mut whole = Sha256::new();
    for line in &files {
        whole.update(line.as_bytes());
        whole.update(b"\n");
    }
    for (name, statements, hash) in journals {
        whole.update(format!("{name} {statements} {}\n", hex::encode(hash)).as_bytes());
    }
    let mut facts = Shown::new("Versions, seed and the hash of all records", ["What", "Value"]);
    facts.words = vec![1];
    // As it was asked for, so that it can be asked for again.
    let collapse = asked.collapse.to_string();
    for (what, value) in [
        ("Assize", env!("CARGO_PKG_VERSION").to_owned()),
        ("Study", study),
        ("Results folder", asked.folder.clone().unwrap_or_else(|| "none".to_owned())),
        ("Resamples", asked.resamples.to_string()),
        ("Seed", asked.seed.to_string()),
        ("Collapse threshold", collapse.clone()),
        ("SHA-256 over all records below", hex::encode(whole.finalize())),
    ] {
        facts.rows.push(vec![what.to_owned(), value]);
    }
    let mut out = facts.html();
    out.push_str("<p>The same numbers on the command line:</p>");
    let mut folder = String::new();
    if let Some(name) = &asked.folder {
        folder = format!(" --folder {}", esc(&shell(name)));
        let _ = write!(
            out,
            "<p><code>assize agreement STUDY{folder} --human majority --set produced --collapse {collapse} --sweep --resamples {} \
             --seed {} --json</code></p>",
            asked.resamples, asked.seed
        );
    }
    let _ = writeln!(
        out,
        "<p><code>assize score STUDY --json</code></p><p><code>assize report STUDY -o report.html{folder} --collapse {collapse} \
         --resamples {} --seed {}</code></p>",
        asked.resamples, asked.seed
    );
    let mut table = Shown::new("Imported files", ["File", "Format", "SHA-256"]);
    table.words = vec![1, 2];
    for import in done {
        // The name alone: where it lay on this machine is nobody's business.
        let name = import.path.rsplit(['/', '\\']).next().unwrap_or_default();
        table.rows.push(vec![name.to_owned(), import.format.clone(), import.sha256.to_string()]);
    }
    out.push_str(&table.html());
    let mut table = Shown::new(
        "Journals of statements; the last hash stands for all before it",
        ["Journal", "Statements", "Last hash"],
    );
    table.words = vec![2];
    for (name, statements, hash) in journals {
        let name = name.strip_suffix(".sqlite").unwrap_or(name);
        table.rows.push(vec![name.to_owned(), count(*statements), hex::encode(hash)]);
    }
    out.push_str(&table.html());
    Ok(out)
}

/// A word that a shell takes as one.
fn shell(word: &str) -> String {
    let plain = !word.is_empty()
        && word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '/'));
    if plain { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_read_as_sentences() {
        assert_eq!(list(["a"]), "a", "one");
        assert_eq!(list(["a", "b", "c"]), "a, b and c", "several");
        assert_eq!(number(1, "case was", "cases were"), "1 case was", "one of them");
        assert_eq!(number(1200, "case was", "cases were"), "1,200 cases were", "many of them");
    }

    #[test]
    fn a_folder_stays_one_word_of_a_command() {
        assert_eq!(
            (shell("demo"), shell("a b'; rm")),
            ("demo".to_owned(), "'a b'\\''; rm'".to_owned()),
            "quoted"
        );
    }
}
