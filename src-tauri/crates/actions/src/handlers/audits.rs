//! Audits of finished work.

use super::home::person;
use crate::{App, Code, Failure, audits, wire};
use agreement::audit_size;

pub(crate) fn audits(app: &App, _: wire::Nothing) -> Result<wire::AuditsView, Failure> {
    app.sighted(audits::all)
}

pub(crate) fn draw_audit(
    app: &App,
    request: wire::DrawAuditRequest,
) -> Result<wire::Written<wire::AuditsView>, Failure> {
    let who = person(&request.person)?;
    app.sighted(|view| {
        audits::draw_first(view, &who, &request)?;
        Ok(wire::Written {
            value: audits::all(view)?,
            stale: vec![wire::Stale::Overview, wire::Stale::History],
        })
    })
}

pub(crate) fn audit_item(
    app: &App,
    request: wire::AuditItemRequest,
) -> Result<wire::AuditItemReply, Failure> {
    app.sighted(|view| audits::item(view, request))
}

pub(crate) fn submit_audit(
    app: &App,
    request: wire::SubmitAuditRequest,
) -> Result<wire::Written<wire::AuditSubmitted>, Failure> {
    let value = app.sighted(|view| audits::submit(view, &request))?;
    super::settling::catch_up(app)?;
    Ok(wire::Written { value, stale: vec![wire::Stale::Overview, wire::Stale::History] })
}

/// Errors that a plan reckons with.
const PLANNED: [u64; 4] = [0, 1, 2, 5];

pub(crate) fn plan_audit(_: &App, request: wire::AuditPlanRequest) -> Result<wire::AuditPlanView, Failure> {
    let confidence = request.confidence.unwrap_or(0.95);
    let sizes = PLANNED
        .into_iter()
        .map(|errors| {
            let items = audit_size(request.rate, errors, confidence)
                .map_err(|reason| Failure::new(Code::BadRequest, reason.to_string()))?;
            Ok(wire::AuditSize { errors: errors.into(), items: items.into() })
        })
        .collect::<Result<_, Failure>>()?;
    Ok(wire::AuditPlanView { sizes })
}
