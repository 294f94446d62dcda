//! Qualification, as leads and auditors see and set it up.

use super::home::person;
use crate::{App, Code, Failure, app::View, qualification, wire};
use domain::PersonName;
use store::LeadView;

/// The quiz that the app brings along.
const QUIZ: &str = include_str!("../../../../../assets/quiz/judging.md");

pub(crate) fn qualification(app: &App, _: wire::Nothing) -> Result<wire::QualificationView, Failure> {
    app.with_session(|session| {
        if let View::Lead(lead) = &mut session.view {
            // Quizzes that came in while this session is open are marked now.
            lead.catch_up()?;
        }
        Ok(())
    })?;
    app.sighted(qualification::of_everybody)
}

pub(crate) fn qualification_items(
    app: &App,
    request: wire::QualificationItemsRequest,
) -> Result<wire::QualificationItemsView, Failure> {
    let who = person(&request.person)?;
    app.sighted(|view| qualification::items(view, &who, &request))
}

/// Does something, and answers with who stands where then.
fn write(
    app: &App,
    work: impl FnOnce(&mut LeadView) -> Result<(), Failure>,
) -> Result<wire::Written<wire::QualificationView>, Failure> {
    app.lead(|lead| {
        work(lead)?;
        // What follows is made again whenever a lead opens the study, so a failure now loses nothing.
        let _ = lead.catch_up();
        Ok(wire::Written {
            value: qualification::of_everybody(lead)?,
            stale: vec![
                wire::Stale::Overview,
                wire::Stale::JudgeQueue,
                wire::Stale::Agreement,
                wire::Stale::Disagreements,
                wire::Stale::History,
            ],
        })
    })
}

pub(crate) fn state_qualification_rules(
    app: &App,
    request: wire::QualificationRules,
) -> Result<wire::Written<wire::QualificationView>, Failure> {
    if let Some(why) = request.problem() {
        return Err(Failure::new(Code::BadRequest, why));
    }
    write(app, |lead| {
        if request.quiz && lead.quiz()?.is_none() {
            return Err(Failure::new(
                Code::BadRequest,
                "a quiz is asked for, and there is none yet; publish one first, or ask for none",
            ));
        }
        lead.state_qualification_rules(&request)?;
        Ok(())
    })
}

pub(crate) fn publish_quiz(
    app: &App,
    request: wire::PublishQuizRequest,
) -> Result<wire::Written<wire::QualificationView>, Failure> {
    let (quiz, key) = formats::read_quiz(request.text.as_deref().unwrap_or(QUIZ))
        .map_err(|error| Failure::new(Code::BadRequest, error.to_string()))?;
    write(app, |lead| {
        lead.publish_quiz(&quiz, &key)?;
        Ok(())
    })
}

pub(crate) fn give_quiz(
    app: &App,
    request: wire::GiveQuizRequest,
) -> Result<wire::Written<wire::QualificationView>, Failure> {
    let people = request.people.iter().map(|name| person(name)).collect::<Result<Vec<PersonName>, _>>()?;
    write(app, |lead| qualification::give_quiz(lead, &people))
}

pub(crate) fn state_golds(
    app: &App,
    request: wire::StateGoldsRequest,
) -> Result<wire::Written<wire::QualificationView>, Failure> {
    write(app, |lead| qualification::state_golds(lead, &request))
}

pub(crate) fn change_qualification(
    app: &App,
    request: wire::ChangeQualificationRequest,
) -> Result<wire::Written<wire::QualificationView>, Failure> {
    let who = person(&request.person)?;
    write(app, |lead| qualification::change(lead, &who, &request))
}
