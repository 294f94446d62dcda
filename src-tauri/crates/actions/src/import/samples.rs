//! Samples and what models predict of them, and what is odd about those that are taken in all the same.

use super::{report::Missing, write::Sink};
use domain::{Prediction, Sample};
use store::{Put, StoreError};

impl Sink<'_, '_> {
    /// Takes a sample, its images with it.
    pub(super) fn sample(&mut self, line: u64, mut sample: Sample) -> Result<(), StoreError> {
        let folder = self.results.clone();
        for image in sample.images_mut() {
            *image = self.keeper.input(&folder, &image.name, None)?;
        }
        for remark in remarks(&sample) {
            self.report.note(false, line, remark);
        }
        let missing = sample.images().filter(|image| image.blob.is_none());
        self.report.missing.extend(missing.map(|image| Missing::Asset(image.name.clone())));
        let put = match &mut self.import {
            Some(import) => {
                self.keeper.flush()?;
                import.put_sample(line, &sample)?
            }
            None => Put::Added,
        };
        if let Put::Conflict(why) = &put {
            self.report.note(true, line, why.clone());
        }
        self.report.count("samples", &put);
        self.since_commit += 1;
        Ok(())
    }

    /// Takes a prediction.
    pub(super) fn prediction(&mut self, line: u64, said: &Prediction) -> Result<(), StoreError> {
        let put = match &mut self.import {
            Some(import) => {
                let key = &said.sample_key;
                let odd = match import.standing_sample(key)? {
                    Some(sample) => of_prediction(&sample, said),
                    None => self.unknown.insert(key.clone()).then(|| {
                        let key: String = key.chars().take(80).collect();
                        format!(
                            "the study has no sample {key:?} yet; its predictions count once there is one"
                        )
                    }),
                };
                if let Some(why) = odd {
                    self.report.note(false, line, why);
                }
                import.put_prediction(line, said)?
            }
            None => Put::Added,
        };
        self.report.count("predictions", &put);
        self.counted.insert(line, (put == Put::Added, 0));
        self.since_commit += 1;
        Ok(())
    }
}

/// A line for each missing or unknown image, and one for the contexts that a sample of its pattern should have.
fn remarks(sample: &Sample) -> Vec<String> {
    let mut remarks = Vec::new();
    for image in sample.images() {
        let why = match (&image.blob, image.format.as_str()) {
            (None, _) => "is missing",
            (Some(_), "bin") => "is of no format that is known",
            (Some(_), format) if !media::is_picture(format) => "is no picture",
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

/// Why a prediction counts nowhere, or cannot be right, as its sample stands.
fn of_prediction(sample: &Sample, said: &Prediction) -> Option<String> {
    let key = &sample.key;
    if !sample.variants().contains(&said.context) {
        return Some(match said.context {
            Some(kind) => format!("{key:?} has no context {kind}; this counts nowhere"),
            None => format!("{key:?} is asked with its contexts; this one names none and counts nowhere"),
        });
    }
    if said.choice.is_empty() || sample.options.contains_key(&said.choice) {
        return None;
    }
    let choice: String = said.choice.chars().take(80).collect();
    let options: Vec<&str> = sample.options.keys().map(String::as_str).collect();
    Some(format!(
        "the choice {choice:?} is none of the options of {key:?} ({}); it counts as not right",
        options.join(", ")
    ))
}
