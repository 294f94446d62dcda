//! The rules (COMPILER, B3): items without errors in, checks out.

use super::{
    coverage::default_coverage,
    inspect::SHORT_POOL,
    text::{enumerated, push_letter, push_number, sentence, tidy},
};
use domain::{
    Check, CheckKind, CheckRule, CheckVerdict, Element, Item, ItemContent, Link, Provenance, Step, Tier,
    text_hash,
};
use std::collections::HashSet;

/// The checks of all items, in order.
pub(super) fn checks(items: &[Item]) -> Vec<Check> {
    let mut checks = Vec::with_capacity(items.len() * 4);
    for item in items {
        // An item without a tier is an error, and this is not reached with errors.
        let Some(tier) = item.tier else { continue };
        Compiler { item, tier, checks: &mut checks }.item();
    }
    checks
}

struct Compiler<'a> {
    item: &'a Item,
    tier: Tier,
    checks: &'a mut Vec<Check>,
}

/// How a check stands to its item's tier.
#[derive(Clone, Copy)]
enum Rank {
    Same,
    Demoted,
    Own(Tier),
}

/// The last part of a check's id.
#[derive(Clone, Copy)]
enum Part<'a> {
    Named(&'static str, &'a str),
    Counted(&'static str, u32),
    Plain(&'static str),
}

const MENTIONS: &str = "Mentions, as one of the ";
const OFF_LIST: &str = " Options outside this list neither help nor hurt.";
const ORDER: &str = "Presents in this relative order whichever of these steps of ";
const OFF_ORDER: &str = " Steps left out and extra steps do not by themselves fail this check.";

impl Compiler<'_> {
    fn item(mut self) {
        let item = self.item;
        match &item.content {
            ItemContent::Simple { text } => {
                let text = sentence(&[&tidy(text)]);
                self.push(Part::Plain("fact"), CheckKind::Fact, CheckRule::S1, Rank::Same, text, &[]);
            }
            ItemContent::StrictList { concept, entries } => {
                self.each(concept, entries, ("entry", CheckKind::ListEntry, CheckRule::L1, Rank::Same));
            }
            ItemContent::FlexibleList { concept, pool, baselines, coverage } => {
                self.flexible_list(concept, pool, baselines, coverage);
            }
            ItemContent::Process { concept, steps } => self.process(concept, steps),
            ItemContent::Relationship { subject, link, related, aspects } => {
                let subject = tidy(subject);
                let link = match link {
                    Link::Contrast => " as a counterpart to ",
                    Link::Connection => " as connected to ",
                };
                for entity in related {
                    let text = sentence(&["Names ", &tidy(&entity.text), link, &subject]);
                    let part = Part::Named("entity", &entity.id);
                    self.push(part, CheckKind::RelatedEntity, CheckRule::R1, Rank::Same, text, &[of(entity)]);
                }
                for aspect in aspects {
                    let text = sentence(&[&tidy(&aspect.text)]);
                    let part = Part::Named("aspect", &aspect.id);
                    self.push(part, CheckKind::Aspect, CheckRule::R2, Rank::Same, text, &[of(aspect)]);
                }
            }
        }
        for insight in &item.meta_insights {
            let text = sentence(&[&tidy(&insight.text)]);
            let rank = Rank::Own(insight.tier.unwrap_or(self.tier));
            let entry = (insight.id.as_str(), insight.evidence.as_slice());
            let part = Part::Named("insight", &insight.id);
            self.push(part, CheckKind::MetaInsight, CheckRule::M1, rank, text, &[entry]);
        }
    }

    /// One check per element.
    fn each(
        &mut self,
        concept: &str,
        elements: &[Element],
        make: (&'static str, CheckKind, CheckRule, Rank),
    ) {
        let concept = tidy(concept);
        let (part, kind, rule, rank) = make;
        for element in elements {
            let text = sentence(&[MENTIONS, &concept, ": ", &tidy(&element.text)]);
            self.push(Part::Named(part, &element.id), kind, rule, rank, text, &[of(element)]);
        }
    }

    fn flexible_list(&mut self, concept: &str, pool: &[Element], baselines: &[u32], coverage: &[u32]) {
        let texts = pool.iter().flat_map(|option| std::iter::once(&option.text).chain(&option.aliases));
        let room = texts.map(|text| text.len() + 20).sum::<usize>() + concept.len() + 20;
        let mut options = String::with_capacity(room);
        options.push_str(" of the following ");
        options.push_str(&tidy(concept));
        options.push_str(": ");
        for (at, option) in pool.iter().enumerate() {
            options.push_str(if at == 0 { "(" } else { "; (" });
            push_letter(&mut options, at);
            options.push_str(") ");
            options.push_str(&enumerated(&option.text));
            let mut has_aliases = false;
            for alias in option.aliases.iter().map(|alias| enumerated(alias)).filter(|a| !a.is_empty()) {
                options.push_str(if has_aliases { ", " } else { " (also accepted: " });
                options.push_str(&alias);
                has_aliases = true;
            }
            if has_aliases {
                options.push(')');
            }
        }
        let entries: Vec<Entry<'_>> = pool.iter().map(of).collect();
        options.push('.');
        options.push_str(OFF_LIST);
        let at_least = |n: u32| {
            let mut text = String::with_capacity(options.len() + 24);
            text.push_str("Mentions at least ");
            push_number(&mut text, usize::try_from(n).unwrap_or(usize::MAX));
            text.push_str(&options);
            text
        };
        for (n, rule) in baselines.iter().zip([CheckRule::F1, CheckRule::F2]) {
            self.push(
                Part::Counted("base", *n),
                CheckKind::Baseline,
                rule,
                Rank::Same,
                at_least(*n),
                &entries,
            );
        }
        let short = pool.len() <= SHORT_POOL;
        if short && self.tier != Tier::Context {
            self.each(concept, pool, ("opt", CheckKind::Option, CheckRule::F3, Rank::Demoted));
            return;
        }
        let rule = if short { CheckRule::F5 } else { CheckRule::F4 };
        let highest = baselines.iter().max().map_or(0, |n| usize::try_from(*n).unwrap_or(usize::MAX));
        let thresholds = if coverage.is_empty() {
            let counted = default_coverage(pool.len(), highest);
            counted.into_iter().map(|t| u32::try_from(t).unwrap_or(u32::MAX)).collect()
        } else {
            coverage.to_vec()
        };
        for t in thresholds {
            self.push(
                Part::Counted("cov", t),
                CheckKind::Coverage,
                rule,
                Rank::Demoted,
                at_least(t),
                &entries,
            );
        }
    }

    fn process(&mut self, concept: &str, steps: &[Step]) {
        let concept = tidy(concept);
        for step in steps {
            let text = sentence(&["States this step of ", &concept, ": ", &tidy(&step.text)]);
            let (kind, rule, rank) = if step.required {
                (CheckKind::Step, CheckRule::P1, Rank::Same)
            } else {
                (CheckKind::OptionalStep, CheckRule::P2, Rank::Demoted)
            };
            let entry = (step.id.as_str(), step.evidence.as_slice());
            self.push(Part::Named("step", &step.id), kind, rule, rank, text, &[entry]);
        }
        let required: Vec<&Step> = steps.iter().filter(|step| step.required).collect();
        if required.len() >= 2 {
            self.order("seq.required", &concept, &required, (CheckKind::Sequence, CheckRule::P3, Rank::Same));
        }
        if required.len() < steps.len() && steps.len() >= 2 {
            let all: Vec<&Step> = steps.iter().collect();
            self.order("seq.full", &concept, &all, (CheckKind::FullSequence, CheckRule::P4, Rank::Demoted));
        }
    }

    fn order(
        &mut self,
        part: &'static str,
        concept: &str,
        steps: &[&Step],
        make: (CheckKind, CheckRule, Rank),
    ) {
        let room = steps.iter().map(|step| step.text.len() + 12).sum::<usize>() + concept.len() + 200;
        let mut text = String::with_capacity(room);
        for part in [ORDER, concept, " it mentions, with at least two mentioned: "] {
            text.push_str(part);
        }
        for (at, step) in steps.iter().enumerate() {
            text.push_str(if at == 0 { "" } else { "; " });
            push_number(&mut text, at + 1);
            text.push_str(". ");
            text.push_str(&enumerated(&step.text));
        }
        text.push('.');
        text.push_str(OFF_ORDER);
        let entries: Vec<Entry<'_>> =
            steps.iter().map(|step| (step.id.as_str(), step.evidence.as_slice())).collect();
        let (kind, rule, rank) = make;
        self.push(Part::Plain(part), kind, rule, rank, text, &entries);
        if let Some(check) = self.checks.last_mut() {
            check.verdicts = vec![CheckVerdict::Meets, CheckVerdict::Missing, CheckVerdict::Contradicts];
        }
    }

    fn push(
        &mut self,
        part: Part<'_>,
        kind: CheckKind,
        rule: CheckRule,
        rank: Rank,
        text: String,
        entries: &[Entry<'_>],
    ) {
        let item = self.item;
        let (id, n) = match part {
            Part::Named(part, id) => ([item.id.as_str(), ".", part, ".", id].concat(), None),
            Part::Counted(part, n) => {
                let mut id = String::with_capacity(item.id.len() + part.len() + 8);
                for part in [item.id.as_str(), ".", part, "."] {
                    id.push_str(part);
                }
                push_number(&mut id, usize::try_from(n).unwrap_or(usize::MAX));
                (id, Some(n))
            }
            Part::Plain(part) => ([item.id.as_str(), ".", part].concat(), None),
        };
        let (tier, demoted_from) = match rank {
            Rank::Same => (self.tier, None),
            Rank::Demoted => (self.tier.lowered(), Some(self.tier)),
            Rank::Own(tier) => (tier, None),
        };
        self.checks.push(Check {
            id,
            tier,
            kind,
            n,
            verdicts: Vec::new(),
            text_sha256: text_hash(&text),
            text,
            provenance: Provenance {
                item: item.id.clone(),
                item_type: item.content.item_type(),
                rule,
                entries: entries.iter().map(|(id, _)| (*id).to_owned()).collect(),
                demoted_from,
                evidence: evidence(&item.evidence, entries),
            },
        });
    }
}

/// An element's id and its evidence.
type Entry<'a> = (&'a str, &'a [String]);

fn of(element: &Element) -> Entry<'_> {
    (&element.id, &element.evidence)
}

/// The item's snippets, then those of the entries, each once.
fn evidence(of_item: &[String], entries: &[Entry<'_>]) -> Vec<String> {
    if entries.iter().all(|(_, evidence)| evidence.is_empty()) && of_item.len() < 2 {
        return of_item.to_vec();
    }
    let mut seen = HashSet::new();
    let all = of_item.iter().chain(entries.iter().flat_map(|(_, evidence)| evidence.iter()));
    all.filter(|id| seen.insert(id.as_str())).cloned().collect()
}
