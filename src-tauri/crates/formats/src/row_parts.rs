//! The parts of a result row: modality names, detection flags, assets, grades.

use crate::{
    asset_tail,
    feed::{Notes, quoted},
    json::Json,
    payload_status,
};
use domain::{Detection, Grade, Modality, ModalityList, PayloadStatus, Presence, RowAsset};

/// A modality name; case and space are mended with a note (quirk Q13), an unknown name is noted (Q12).
pub(crate) fn modality(field: &str, name: &str, notes: &mut Notes) -> Option<Modality> {
    let Ok(modality) = name.parse::<Modality>() else {
        notes.unknown_modality(field, name);
        return None;
    };
    if modality.name() != name {
        notes.add(format!("{field}: {} is read as {modality}", quoted(name)));
    }
    Some(modality)
}

/// A list of modality names, or one text with commas; each once, in order (quirk Q39).
pub(crate) fn modalities(field: &str, value: &Json, notes: &mut Notes) -> ModalityList {
    if value.is_missing() {
        return ModalityList::default();
    }
    if let Json::List(names) = value {
        let mut list = Vec::new();
        for name in names.iter().filter(|name| !name.is_missing()) {
            match name.text() {
                Some(name) => list.extend(modality(field, &name, notes)),
                None => notes.add(format!("{field}: an entry is no text and is left out")),
            }
        }
        return list.into_iter().collect();
    }
    let Some(text) = value.text() else {
        notes.add(format!("{field} is neither text nor list and is read as empty"));
        return ModalityList::default();
    };
    // Spaces around the commas are the usual form of the text, no oddity.
    let names = text.split(',').map(str::trim).filter(|name| !name.is_empty());
    names.filter_map(|name| modality(field, name, notes)).collect()
}

/// `per_modality`: what an older row lacks is false (quirk Q10).
pub(crate) fn presence(value: &Json, notes: &mut Notes) -> Presence {
    let mut presence = Presence::default();
    let Json::Object(entries) = value else {
        notes.add("per_modality is missing; nothing counts as present");
        return presence;
    };
    for (name, flags) in entries {
        if let Some(modality) = modality("per_modality", name, notes) {
            let flag = |key: &str| flags.get(key).is_some_and(Json::truth);
            presence.0[modality.index()] = Detection {
                native: flag("detected_native"),
                via_url: flag("detected_via_url"),
                via_judge: flag("detected_via_judge"),
            };
        }
    }
    presence
}

/// One entry of `output_assets`.
pub(crate) fn asset(value: &Json, notes: &mut Notes) -> RowAsset {
    let text = |key: &str| value.get(key).map(Json::string).unwrap_or_default();
    let local_path = text("local_path");
    let tail = asset_tail(&local_path);
    if tail.is_none() && !local_path.trim().is_empty() {
        notes.add(
            "output_assets: a local_path leads to no *_assets folder of the run; the file counts as missing",
        );
    }
    RowAsset {
        asset_id: text("asset_id"),
        modality: modality("output_assets", &text("modality"), notes).unwrap_or(Modality::Document),
        source_type: text("source_type"),
        delivery: text("delivery"),
        mime_type: text("mime_type"),
        tail,
        source_url: text("source_url"),
        sha256: text("sha256").trim().to_ascii_lowercase(),
        size_bytes: value.get("size_bytes").map_or(0, Json::count),
        capture_status: text("capture_status"),
        error: text("error"),
    }
}

/// `rubric_grades`.
pub(crate) fn grades(
    value: &Json,
    response_text: &str,
    assets: &[RowAsset],
    notes: &mut Notes,
) -> Vec<Grade> {
    let mut grades = Vec::with_capacity(value.items().len());
    for (position, entry) in (1_u32..).zip(value.items()) {
        if matches!(entry, Json::Object(_)) {
            grades.push(grade(position, entry, response_text, assets, notes));
        } else {
            notes.add(format!("rubric_grades: entry {position} is no object and is left out"));
        }
    }
    grades
}

fn grade(position: u32, entry: &Json, response_text: &str, assets: &[RowAsset], notes: &mut Notes) -> Grade {
    let text = |key: &str| entry.get(key).map(Json::string).unwrap_or_default();
    let index = entry
        .get("index")
        .map(Json::count)
        .and_then(|index| u32::try_from(index).ok())
        .filter(|index| *index > 0)
        .unwrap_or(position);
    let modality_raw = text("modality");
    let modality = modality("rubric_grades", &modality_raw, notes);
    let payload =
        entry.get("payload_status").and_then(|status| payload(&status.string())).unwrap_or_else(|| {
            modality.map_or(PayloadStatus::Absent, |modality| payload_status(modality, response_text, assets))
        });
    let id = text("id");
    Grade {
        index,
        id: if id.is_empty() { index.to_string() } else { id },
        criterion: text("rubric"),
        modality,
        modality_raw,
        score: score(&format!("grade {index}"), entry.get("score"), notes),
        explanation: text("explanation"),
        evaluator_error: entry.get("evaluator_error").is_some_and(Json::truth),
        payload,
        input_media_skipped: entry
            .get("input_media_skipped")
            .map(|names| names.items().iter().map(Json::string).collect())
            .unwrap_or_default(),
    }
}

fn payload(name: &str) -> Option<PayloadStatus> {
    Some(match name {
        "gradeable" => PayloadStatus::Gradeable,
        "absent" => PayloadStatus::Absent,
        "reference_only" => PayloadStatus::ReferenceOnly,
        "skipped" => PayloadStatus::Skipped,
        "capture_failed" => PayloadStatus::CaptureFailed,
        "unsendable" => PayloadStatus::Unsendable,
        _ => return None,
    })
}

/// A score in [0, 1]: what is missing or no finite number is 0, the rest is cut to the range (quirks Q6, Q35).
pub(crate) fn score(what: &str, value: Option<&Json>, notes: &mut Notes) -> f64 {
    let Some(value) = value.filter(|value| !matches!(value, Json::Null)) else {
        notes.add(format!("{what}: the score is missing and counts as 0"));
        return 0.0;
    };
    let Some(number) = value.finite() else {
        notes.add(format!("{what}: the score is no finite number and counts as 0"));
        return 0.0;
    };
    if matches!(value, Json::Text(_)) {
        notes.add(format!("{what}: the score {number} is written as text"));
    }
    if !(0.0..=1.0).contains(&number) {
        notes.add(format!("{what}: the score {number} lies outside 0 to 1 and is cut to it"));
    }
    number.clamp(0.0, 1.0)
}
