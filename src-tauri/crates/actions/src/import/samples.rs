//! What is odd about a sample that is taken in all the same.

use domain::Sample;

/// A line for each missing or unknown image, and one for the contexts that a sample of its pattern should have.
pub(super) fn remarks(sample: &Sample) -> Vec<String> {
    let mut remarks = Vec::new();
    for image in sample.images() {
        let why = match (&image.blob, image.format.as_str()) {
            (None, _) => "is missing",
            (Some(_), "bin") => "is of no format that is known",
            _ => continue,
        };
        remarks.push(format!("{:?}: the image {:?} {why}", sample.key, image.name));
    }
    let lacking: Vec<&str> = sample.lacking().into_iter().map(domain::ContextKind::name).collect();
    if !lacking.is_empty() {
        remarks.push(format!("{:?}: contexts are missing: {}", sample.key, lacking.join(", ")));
    }
    remarks
}
