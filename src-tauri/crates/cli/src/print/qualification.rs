//! Who is qualified for what.

use super::{interval, percent, table};
use actions::wire::QualificationView;
use std::fmt::Write;

/// Where everybody stands: one row for each person and modality.
pub fn qualification(view: &QualificationView) -> String {
    let mut out = String::new();
    match &view.rules {
        None => out += "this study asks for no qualification: nobody is held back\n",
        Some(rules) => {
            let _ = writeln!(
                out,
                "to enter: {} of the last {} known jobs{}; paused below {} over {}",
                percent(Some(rules.entry_accuracy)),
                rules.entry_golds,
                if rules.quiz { ", and the quiz" } else { "" },
                percent(Some(rules.keep_accuracy)),
                rules.window
            );
        }
    }
    let known: Vec<String> = view.golds.iter().map(|(modality, n)| format!("{modality} {n}")).collect();
    if !known.is_empty() {
        let _ = writeln!(out, "known answers: {}", known.join(", "));
    }
    let rows: Vec<Vec<String>> = view
        .people
        .iter()
        .flat_map(|person| {
            let quiz = person
                .attempts
                .last()
                .map_or_else(|| "–".to_owned(), |last| format!("{}/{}", last.result.right, last.result.of));
            person.modalities.iter().map(move |own| {
                vec![
                    person.person.clone(),
                    own.modality.to_string(),
                    own.state.name().to_owned(),
                    quiz.clone(),
                    format!("{}/{}", own.window.right, own.window.answered),
                    percent(own.window.accuracy.value),
                    interval(&own.window.accuracy, percent),
                    percent(own.retest.value),
                    own.doubted.to_string(),
                ]
            })
        })
        .collect();
    let header =
        ["person", "modality", "state", "quiz", "known", "right %", "interval", "same again %", "in doubt"];
    out + &table(&header, &rows)
}
