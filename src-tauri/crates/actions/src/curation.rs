//! The statistics of a curated set, as it stands: for a lead and an auditor over everybody, for a curator over what they said themselves, since
//! people decide apart from each other.

use crate::{Code, Failure, wire};
use agreement::{AgreementResult, Level, Options, Table, table_agreement};
use domain::{
    CURATORS, CuratedItem, Curation, CurationDecision, CurationOutcome, ItemKind, PersonName, Sample,
    StatementId,
};
use std::collections::{BTreeMap, BTreeSet};
use store::{AuditorView, AuthorView, CurationRound, CurationSubject, TaskKind, payload};

/// One version of an item, with what is counted of it.
struct Round {
    subject: CurationSubject,
    /// 1 for the first that was handed out.
    number: u32,
    is_last: bool,
    key: String,
    sample: Option<Sample>,
    said: CurationRound,
}

impl Round {
    fn state(&self) -> wire::ItemState {
        match self.said.outcome() {
            CurationOutcome::Open => wire::ItemState::Open,
            CurationOutcome::Disputed => wire::ItemState::Disputed,
            CurationOutcome::Decided { decision, .. } => match decision {
                CurationDecision::Retain => wire::ItemState::Retained,
                CurationDecision::Revise => wire::ItemState::Revised,
                CurationDecision::Discard => wire::ItemState::Discarded,
            },
        }
    }
    fn first(&self) -> impl Iterator<Item = &(PersonName, StatementId, Curation)> {
        self.said.given.iter().filter(|(_, _, said)| said.settles.is_empty())
    }
}

fn more(count: &mut domain::Count) {
    *count = (count.get() + 1).into();
}
fn decide(counts: &mut wire::DecisionCounts, decision: CurationDecision) {
    more(match decision {
        CurationDecision::Retain => &mut counts.retain,
        CurationDecision::Revise => &mut counts.revise,
        CurationDecision::Discard => &mut counts.discard,
    });
}
fn state(counts: &mut wire::StateCounts, state: wire::ItemState) {
    more(&mut counts.items);
    more(match state {
        wire::ItemState::Open => &mut counts.open,
        wire::ItemState::Disputed => &mut counts.disputed,
        wire::ItemState::Retained => &mut counts.retained,
        wire::ItemState::Discarded => &mut counts.discarded,
        wire::ItemState::Revised => &mut counts.revised,
    });
}

/// The whole set, as a lead or an auditor sees it.
pub(crate) fn of_set(
    view: &mut AuditorView,
    all: BTreeMap<CurationSubject, CurationRound>,
    items: Option<ItemKind>,
) -> Result<wire::CurationView, Failure> {
    let mut rounds = Vec::with_capacity(all.len());
    for (subject, said) in all {
        let (key, sample) = if let Some(CuratedItem::Sample { sample }) = view.curated_item(&subject)? {
            (sample.key.clone(), Some(sample))
        } else {
            let id = subject.item.parse::<domain::PromptId>().ok();
            let prompt = id.map(|id| view.prompt(id)).transpose()?.flatten();
            (prompt.map_or_else(|| subject.item.clone(), |prompt| prompt.key), None)
        };
        rounds.push((subject, said, key, sample));
    }
    let in_set = view.samples()?.len();
    statistics(rounds, items, in_set, true)
}

/// What one curator did.
pub(crate) fn of_curator(
    author: &mut AuthorView,
    items: Option<ItemKind>,
) -> Result<wire::CurationView, Failure> {
    let mut rounds = Vec::new();
    let mut after = 0;
    loop {
        let tasks = author.tasks(TaskKind::Curate, None, after, 500)?;
        let Some(last) = tasks.last() else { break };
        after = last.position;
        for task in tasks {
            let item = author.curation_item(task.id)?;
            let me = author.me().person.clone();
            let mut said = CurationRound::default();
            let list = if task.note.is_empty() { &mut said.curators } else { &mut said.settlers };
            list.insert(me.clone());
            if let Some(statement) = item.mine.current().filter(|s| !s.payload.is_empty()) {
                said.given.push((me, statement.id, payload(statement)?));
            }
            let (key, sample) = match item.item {
                CuratedItem::Sample { sample } => (sample.key.clone(), Some(sample)),
                _ => (item.prompt.map_or_else(String::new, |prompt| prompt.key), None),
            };
            rounds.push((item.subject, said, key, sample));
        }
    }
    rounds.sort_by(|a, b| a.0.cmp(&b.0));
    statistics(rounds, items, 0, false)
}

type Found = (CurationSubject, CurationRound, String, Option<Sample>);

/// `whole`: everybody's, else one person's own words, which alone decide nothing.
fn statistics(
    found: Vec<Found>,
    items: Option<ItemKind>,
    in_set: usize,
    whole: bool,
) -> Result<wire::CurationView, Failure> {
    let kinds: BTreeSet<ItemKind> = found.iter().map(|(subject, ..)| subject.kind).collect();
    let kind = items.or_else(|| kinds.first().copied()).unwrap_or(ItemKind::Sample);
    let kind = if items.is_none() && kinds.contains(&ItemKind::Sample) { ItemKind::Sample } else { kind };
    let found: Vec<Found> = found.into_iter().filter(|(subject, ..)| subject.kind == kind).collect();
    // Sorted by item, then version.
    let mut rounds: Vec<Round> = Vec::with_capacity(found.len());
    for (subject, said, key, sample) in found {
        let number = match rounds.last_mut() {
            Some(before) if before.subject.item == subject.item => {
                before.is_last = false;
                before.number + 1
            }
            _ => 1,
        };
        rounds.push(Round { subject, number, is_last: true, key, sample, said });
    }
    let mut out = wire::CurationView {
        items: kind,
        kinds: kinds.into_iter().collect(),
        in_set: in_set.into(),
        counts: wire::StateCounts::default(),
        by_domain: by(&rounds, whole, |sample| sample.domain.clone()),
        by_task: by(&rounds, whole, |sample| sample.task.clone()),
        by_pattern: by(&rounds, whole, |sample| sample.pattern.to_string()),
        by_level: by(&rounds, whole, |sample| sample.level.to_string()),
        decisions: wire::DecisionCounts::default(),
        by_person: by_person(&rounds),
        by_round: by_round(&rounds, whole),
        agreement: if whole { agreement(&rounds)? } else { None },
        rows: Vec::new(),
    };
    for round in &rounds {
        for (_, _, said) in round.first() {
            decide(&mut out.decisions, said.decision);
        }
        if round.is_last {
            state(&mut out.counts, shown_state(round, whole));
        }
    }
    if whole {
        out.rows = rounds.iter().filter(|round| round.is_last).map(row).collect();
        out.rows.sort_by(|a, b| a.key.cmp(&b.key));
    }
    Ok(out)
}

/// Of one's own: what one said is what one sees.
fn shown_state(round: &Round, whole: bool) -> wire::ItemState {
    if whole {
        return round.state();
    }
    match round.said.given.first().map(|(_, _, said)| said.decision) {
        None => wire::ItemState::Open,
        Some(CurationDecision::Retain) => wire::ItemState::Retained,
        Some(CurationDecision::Revise) => wire::ItemState::Revised,
        Some(CurationDecision::Discard) => wire::ItemState::Discarded,
    }
}

fn row(round: &Round) -> wire::CurationRow {
    wire::CurationRow {
        key: round.key.clone(),
        task: round.sample.as_ref().map_or_else(String::new, |sample| sample.task.clone()),
        round: round.number.into(),
        state: round.state(),
        given: round
            .said
            .given
            .iter()
            .map(|(person, _, said)| wire::CurationWord {
                person: person.to_string(),
                decision: said.decision,
                settles: !said.settles.is_empty(),
                note: said.note.clone(),
            })
            .collect(),
    }
}

fn by(rounds: &[Round], whole: bool, label: impl Fn(&Sample) -> String) -> Vec<wire::LabelledStates> {
    let mut groups: BTreeMap<String, wire::StateCounts> = BTreeMap::new();
    for round in rounds.iter().filter(|round| round.is_last) {
        let Some(sample) = &round.sample else { continue };
        let label = label(sample);
        if !label.is_empty() {
            state(groups.entry(label).or_default(), shown_state(round, whole));
        }
    }
    groups.into_iter().map(|(label, counts)| wire::LabelledStates { label, counts }).collect()
}

fn by_person(rounds: &[Round]) -> Vec<wire::PersonCuration> {
    let mut people: BTreeMap<&PersonName, wire::PersonCuration> = BTreeMap::new();
    let empty = |person: &PersonName| wire::PersonCuration {
        person: person.to_string(),
        decisions: wire::DecisionCounts::default(),
        settled: wire::DecisionCounts::default(),
        open: 0_u64.into(),
    };
    for round in rounds {
        for person in round.said.curators.iter().chain(&round.said.settlers) {
            let own = people.entry(person).or_insert_with(|| empty(person));
            match round.said.given.iter().find(|(who, ..)| who == person) {
                Some((_, _, said)) if said.settles.is_empty() => decide(&mut own.decisions, said.decision),
                Some((_, _, said)) => decide(&mut own.settled, said.decision),
                None => more(&mut own.open),
            }
        }
    }
    people.into_values().collect()
}

fn by_round(rounds: &[Round], whole: bool) -> Vec<wire::RoundCuration> {
    let mut numbers: BTreeMap<u32, wire::RoundCuration> = BTreeMap::new();
    for round in rounds {
        let own = numbers.entry(round.number).or_insert_with(|| wire::RoundCuration {
            round: round.number.into(),
            items: 0_u64.into(),
            decisions: wire::DecisionCounts::default(),
            outcomes: wire::StateCounts::default(),
        });
        more(&mut own.items);
        for (_, _, said) in round.first() {
            decide(&mut own.decisions, said.decision);
        }
        state(&mut own.outcomes, shown_state(round, whole));
    }
    numbers.into_values().collect()
}

/// The first two of each version against each other; none while no version has two. People are raters, so that who curates
/// what does not matter.
fn agreement(rounds: &[Round]) -> Result<Option<AgreementResult>, Failure> {
    let people: BTreeSet<&PersonName> =
        rounds.iter().flat_map(|round| round.first().map(|(person, ..)| person)).collect();
    let mut cells = Vec::new();
    let mut clusters = Vec::new();
    let mut items: BTreeMap<&str, u32> = BTreeMap::new();
    for round in rounds.iter().filter(|round| round.first().count() >= CURATORS) {
        for person in &people {
            let said = round.first().find(|(who, ..)| who == *person).map(|(_, _, said)| said.decision);
            let at = |decision| CurationDecision::ALL.iter().position(|known| *known == decision);
            cells.push(said.and_then(at).and_then(|at| u16::try_from(at).ok()));
        }
        let next = u32::try_from(items.len()).unwrap_or(u32::MAX);
        clusters.push(*items.entry(round.subject.item.as_str()).or_insert(next));
    }
    if clusters.is_empty() {
        return Ok(None);
    }
    let labels = CurationDecision::ALL.map(|decision| decision.name().to_owned()).to_vec();
    let table = Table::from_codes(Level::Nominal, labels, people.len(), &cells)
        .map_err(|error| Failure::new(Code::Internal, error.to_string()))?;
    Ok(Some(table_agreement(&table, Some(&clusters), &[], &Options::default())))
}
