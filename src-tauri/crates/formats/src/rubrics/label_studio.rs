//! Label Studio: tasks to import there, and the labelling interface that goes with them.

use serde::Serialize;
use std::{
    fmt::Write as _,
    io::{self, Write},
};

/// One task: a criterion or check against one response.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LabelTask {
    /// The prompt's key.
    pub prompt_id: String,
    /// The prompt.
    pub prompt: String,
    /// Id of the criterion or check.
    pub criterion_id: String,
    /// Its text.
    pub criterion: String,
    /// The response's text, or a neutral reference to its payload.
    pub response: String,
}

#[derive(Serialize)]
struct Task<'a> {
    data: &'a LabelTask,
}

/// Writes tasks as the JSON array that Label Studio imports; none of them has an annotation or a prediction.
pub fn write_label_tasks(tasks: &[LabelTask], output: &mut dyn Write) -> io::Result<()> {
    let tasks: Vec<Task<'_>> = tasks.iter().map(|data| Task { data }).collect();
    serde_json::to_writer_pretty(&mut *output, &tasks)?;
    output.write_all(b"\n")
}

/// The labelling interface for those tasks: one choice among `verdicts`, and a comment.
pub fn label_studio_config(verdicts: &[&str]) -> String {
    let mut choices = String::new();
    for verdict in verdicts {
        let _ = writeln!(choices, "    <Choice value=\"{}\"/>", escaped(verdict)); // writing to a string cannot fail
    }
    format!(
        "<View>\n  <Header value=\"Prompt\"/>\n  <Text name=\"prompt\" value=\"$prompt\"/>\n  \
         <Header value=\"Response\"/>\n  <Text name=\"response\" value=\"$response\"/>\n  \
         <Header value=\"Criterion\"/>\n  <Text name=\"criterion\" value=\"$criterion\"/>\n  \
         <Choices name=\"verdict\" toName=\"criterion\" choice=\"single\" required=\"true\">\n{choices}  </Choices>\n  \
         <TextArea name=\"comment\" toName=\"criterion\" rows=\"2\"/>\n</View>\n"
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
