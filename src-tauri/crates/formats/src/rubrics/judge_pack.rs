//! The judge prompt pack: one JSONL line per criterion and response, with exactly what MMI's rubric judge is shown
//! (MMI, appendix B). No tier, no weight, no other criterion, and no name of the model that answered.

use domain::{Modality, ModalityList};
use serde::Serialize;
use std::io::{self, Write};

/// An input file as the judge is told of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InputFileShown {
    /// Its name.
    pub name: String,
    /// Its media type, where known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime: Option<String>,
    /// Its size in bytes, where known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
}

/// One call of a judge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct JudgeTask {
    /// The original prompt.
    pub prompt: String,
    /// Expected output modalities.
    #[serde(serialize_with = "lower")]
    pub expected_modalities: ModalityList,
    /// The prompt's input files.
    pub input_files: Vec<InputFileShown>,
    /// The modality that is graded.
    #[serde(serialize_with = "lower_one")]
    pub modality: Modality,
    /// The criterion.
    pub criterion: String,
    /// What is graded: a neutral reference to the payload of that modality; null where the response has none, and then
    /// the criterion fails.
    pub payload: Option<String>,
}

fn lower<S: serde::Serializer>(list: &ModalityList, s: S) -> Result<S::Ok, S::Error> {
    s.collect_seq(list.iter().map(Modality::lower))
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde's signature
fn lower_one<S: serde::Serializer>(modality: &Modality, s: S) -> Result<S::Ok, S::Error> {
    s.serialize_str(modality.lower())
}

/// Writes the pack, one line per task. Verdicts come back in the same order: a line has no id of its own.
pub fn write_judge_pack<'a>(
    tasks: impl IntoIterator<Item = &'a JudgeTask>,
    output: &mut dyn Write,
) -> io::Result<()> {
    for task in tasks {
        serde_json::to_writer(&mut *output, task)?;
        output.write_all(b"\n")?;
    }
    Ok(())
}
