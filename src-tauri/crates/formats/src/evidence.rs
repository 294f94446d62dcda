//! What an asset is evidence of (MMI-FORMAT 7): its modality by MIME type, and what there was to grade.

use domain::{Modality, PayloadStatus, RowAsset};

/// Larger artefacts are not sent to the rubric judge.
const SENDABLE: u64 = 20 << 20;

/// The modality of a MIME type as presence counts it (7.1), else that of the hint, else none. Parameters and case do
/// not matter.
pub fn mime_modality(mime_type: &str, hint: &str) -> Option<Modality> {
    let mime = mime_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let classified = match mime.split_once('/') {
        Some(("image", _)) => Some(Modality::Image),
        Some(("audio", _)) => Some(Modality::Audio),
        Some(("video", _)) => Some(Modality::Video),
        _ => is_document(&mime).then_some(Modality::Document),
    };
    classified.or_else(|| hint.parse().ok())
}

fn is_document(mime: &str) -> bool {
    const NAMES: [&str; 7] = [
        "application/pdf",
        "application/msword",
        "application/rtf",
        "application/epub+zip",
        "text/csv",
        "text/plain",
        "text/rtf",
    ];
    const FAMILIES: [&str; 3] = [
        "application/vnd.ms-",
        "application/vnd.oasis.opendocument.",
        "application/vnd.openxmlformats-officedocument.",
    ];
    NAMES.contains(&mime) || FAMILIES.iter().any(|family| mime.starts_with(family))
}

/// What the rubric judge had before it for one modality (7.3), as far as the row tells: whether the file of a captured
/// asset is still there is not known here.
pub fn payload_status(modality: Modality, response_text: &str, assets: &[RowAsset]) -> PayloadStatus {
    if modality == Modality::Text {
        return if response_text.trim().is_empty() {
            PayloadStatus::Absent
        } else {
            PayloadStatus::Gradeable
        };
    }
    let of_it = || assets.iter().filter(|asset| asset.modality == modality);
    let with = |status: &str| of_it().find(|asset| asset.capture_status == status);
    if let Some(graded) = with("captured") {
        let unsendable = graded.tail.is_none() || graded.mime_type.is_empty() || graded.size_bytes > SENDABLE;
        return if unsendable { PayloadStatus::Unsendable } else { PayloadStatus::Gradeable };
    }
    if with("failed").is_some() {
        PayloadStatus::CaptureFailed
    } else if with("reference_only").is_some() {
        PayloadStatus::ReferenceOnly
    } else if of_it().next().is_some() {
        PayloadStatus::Skipped
    } else {
        PayloadStatus::Absent
    }
}
