//! People: who they are, what is handed out to them, how far they are.

use super::home::person;
use crate::{App, Code, Failure, handout, progress, wire};
use domain::PersonName;

pub(crate) fn add_person(
    app: &App,
    request: wire::AddPersonRequest,
) -> Result<wire::Written<wire::PersonRoles>, Failure> {
    let name: PersonName = person(&request.name)?;
    if request.roles.is_empty() {
        return Err(Failure::new(Code::BadRequest, "which role? name at least one"));
    }
    app.lead(|lead| {
        let known = lead.people()?.into_iter().find(|person| person.name == name);
        let mut roles = known.as_ref().map(|person| person.roles.clone()).unwrap_or_default();
        for role in &request.roles {
            if !roles.contains(role) {
                roles.push(*role);
            }
        }
        let display = match request.display.trim() {
            "" => known.map_or_else(|| name.to_string(), |person| person.display),
            display => display.to_owned(),
        };
        lead.add_person(&name, &display, &roles)?;
        Ok(wire::Written {
            value: wire::PersonRoles { person: name.to_string(), display, roles },
            stale: vec![wire::Stale::Overview, wire::Stale::Session],
        })
    })
}

/// Who is to get work by a request that can be carried out, or why it cannot.
pub(crate) fn checked(request: &wire::HandOutRequest) -> Result<Vec<PersonName>, Failure> {
    let bad = |why: String| Err(Failure::new(Code::BadRequest, why));
    if !(request.share > 0.0 && request.share <= 1.0) {
        return bad(format!("the share lies above 0 and up to 1, not {}", request.share));
    }
    let people = request.people.iter().map(|name| person(name)).collect::<Result<Vec<_>, _>>()?;
    if people.is_empty() {
        return bad("to whom? name at least one person".to_owned());
    }
    if let Some((_, twice)) = people.iter().enumerate().find(|(at, one)| people[..*at].contains(one)) {
        return bad(format!("{twice} is named twice"));
    }
    if request.overlap == 0 {
        return bad("every item is to go to at least one person, not to 0".to_owned());
    }
    if let Some(until) = &request.until {
        handout::end_of(until, &store::now())?;
    }
    if request.overlap as usize > people.len() {
        let (overlap, named) = (request.overlap, people.len());
        let people = if named == 1 { "person is" } else { "people are" };
        return bad(format!(
            "every item is to go to {overlap} people, but {named} {people} named; name more, or ask for a smaller overlap"
        ));
    }
    Ok(people)
}

pub(crate) fn hand_out(
    app: &App,
    request: wire::HandOutRequest,
) -> Result<wire::Written<wire::HandedOut>, Failure> {
    let people = checked(&request)?;
    app.lead(|lead| {
        let value = handout::hand_out(lead, &request, &people)?;
        Ok(wire::Written {
            value,
            stale: vec![
                wire::Stale::Overview,
                wire::Stale::JudgeQueue,
                wire::Stale::AuthorQueue,
                wire::Stale::Grading,
                wire::Stale::History,
            ],
        })
    })
}

pub(crate) fn preview_hand_out(
    app: &App,
    request: wire::HandOutRequest,
) -> Result<wire::HandOutPreview, Failure> {
    let people = checked(&request)?;
    app.lead(|lead| handout::preview(lead, &request, &people))
}

pub(crate) fn work(app: &App, _: wire::Nothing) -> Result<wire::Work, Failure> {
    app.lead(progress::work)
}
