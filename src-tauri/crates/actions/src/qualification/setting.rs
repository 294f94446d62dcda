//! What a lead sets up and decides about qualification.

use super::Records;
use crate::{Code, Failure, traits, units, wire};
use domain::{PersonName, QualificationChange, QualificationMove, Role};
use store::LeadView;

/// Gives the quiz to these people, or to every judge who needs it.
pub(crate) fn give_quiz(lead: &mut LeadView, people: &[PersonName]) -> Result<(), Failure> {
    let judges: Vec<PersonName> = lead
        .people()?
        .into_iter()
        .filter(|person| person.roles.contains(&Role::Judge))
        .map(|person| person.name)
        .collect();
    if let Some(other) = people.iter().find(|person| !judges.contains(person)) {
        return Err(Failure::new(Code::BadRequest, format!("{other} is no judge in this study")));
    }
    let records = Records::read(lead)?;
    let wanted: Vec<PersonName> = if people.is_empty() {
        judges.into_iter().filter(|person| records.needs_quiz(person, &records.modalities(person))).collect()
    } else {
        people.to_vec()
    };
    for person in wanted {
        lead.give_quiz(&person)?;
    }
    Ok(())
}

/// States a decision by hand; who is to show it again gets the quiz where it is asked for.
pub(crate) fn change(
    lead: &mut LeadView,
    person: &PersonName,
    request: &wire::ChangeQualificationRequest,
) -> Result<(), Failure> {
    let reason = request.reason.trim();
    if reason.is_empty() {
        return Err(Failure::new(Code::Incomplete, "say why: the decision is kept with its reason")
            .with(serde_json::json!({"missing": "reason"})));
    }
    let known = lead.people()?;
    if !known.iter().any(|other| other.name == *person) {
        return Err(Failure::new(Code::NotFound, format!("there is nobody called {person} in this study")));
    }
    let records = Records::read(lead)?;
    if records.rules.is_none() {
        return Err(Failure::new(
            Code::BadRequest,
            "this study asks for no qualification; state its rules first",
        ));
    }
    lead.change_qualification(&QualificationChange {
        person: person.clone(),
        modality: request.modality,
        change: request.change,
        reason: reason.to_owned(),
        after: records.last_of(person),
    })?;
    let rules = records.in_force();
    if request.change == QualificationMove::Recertify
        && rules.quiz
        && rules.quiz_again
        && lead.quiz()?.is_some()
    {
        lead.give_quiz(person)?;
    }
    Ok(())
}

/// Says which answers are known.
pub(crate) fn state_golds(lead: &mut LeadView, request: &wire::StateGoldsRequest) -> Result<(), Failure> {
    for gold in &request.golds {
        let Some(response) = lead.response(gold.response)? else {
            return Err(Failure::new(Code::NotFound, format!("there is no response {}", gold.response)));
        };
        if !lead.judged_modalities(&response)?.contains(gold.modality) {
            return Err(Failure::new(
                Code::BadRequest,
                format!("response {} is not judged for {}", gold.response, gold.modality),
            ));
        }
    }
    for gold in &request.golds {
        lead.state_gold(gold.response, gold.modality, gold.verdict, gold.why.trim())?;
    }
    if !request.settled {
        return Ok(());
    }
    let Some(folder) = units::choose_folder(lead, request.folder.as_deref())? else {
        return Err(Failure::new(Code::NotFound, "there are no responses yet; import results first"));
    };
    let mut all = units::of_folder(lead, &folder, "")?;
    traits::add_settlements(lead, &folder, &mut all)?;
    for unit in all {
        if let Some(verdict) = unit.settled {
            lead.state_gold(unit.response, unit.modality, Some(verdict), "settled by an auditor")?;
        }
    }
    Ok(())
}
