//! The data dictionary: what each column of each exported table holds. One meaning per name, whichever table it is in.

use crate::wire::ExportWhat;
use formats::Table;

/// Column, type, meaning. `share` is a fraction of 1.
const COLUMNS: [(&str, &str, &str); 90] = [
    ("a", "text", "First person of the pair."),
    ("adjudicator", "text", "Who settled the case."),
    ("ai_asked", "text", "What the AI was asked for background knowledge."),
    ("ai_assisted", "yes or no", "The person declared an AI used for background knowledge."),
    ("all", "share", "MMI Value: mean criterion score over modalities, then over rows."),
    ("anchors", "JSON", "Places that the comment points to: a list of asset (none: the answer's text) and place."),
    ("annotator", "text", "Name of the person in the study."),
    ("audio", "share", "MMI Value of sound, over rows that expect it."),
    ("author", "text", "Who wrote the rubric; `dataset` where it came with the prompts."),
    ("b", "text", "Second person of the pair."),
    ("both", "count", "Rows that expect the modality and have it."),
    ("broken_link", "yes or no", "The person marked a link that does not work."),
    ("cannot_show", "yes or no", "The person marked an asset that could not be shown."),
    ("cause", "code", "Why judge and people differed: one of the eleven causes."),
    ("cohen_kappa", "-1 to 1", "Cohen's kappa; empty where it is not defined."),
    ("comment", "text", "What the person said about the verdict."),
    ("criteria_graded", "count", "Grades given, whatever their score."),
    ("criterion", "text", "The criterion's text."),
    ("criterion_id", "text", "The criterion's id in its rubric."),
    ("date", "date", "When the case was settled."),
    ("detected", "count", "Rows that have the modality (text only where it is expected)."),
    ("detected_audio", "code", "How sound was detected: native, url, judge or absent."),
    ("detected_document", "code", "How a file was detected: native, url, judge or absent."),
    ("detected_image", "code", "How a picture was detected: native, url, judge or absent."),
    ("detected_text", "code", "How prose was detected: native, url, judge or absent."),
    ("detected_video", "code", "How a moving picture was detected: native, url, judge or absent."),
    ("detection", "code", "lenient: native, link or presence judge. strict: native alone."),
    ("document", "share", "MMI Value of files, over rows that expect them."),
    ("doubt", "yes or no", "The person marked the verdict as doubtful."),
    ("errors", "count", "Rows whose provider call failed."),
    ("evaluator_error", "yes or no", "The score is a zero of the evaluator, not of the response."),
    ("evaluator_error_grades", "count", "Grades that are zeros of the evaluator."),
    ("excl_document", "share", "MMI Value without the criteria of files."),
    ("expected", "count or names", "Rows that expect the modality; in responses, the modalities asked for."),
    ("explanation", "text", "Why the LLM judge gave the score."),
    ("f1", "share", "Harmonic mean of precision and recall, lenient; by file the mean over rows."),
    ("f1_strict", "share", "The same with native detection alone."),
    ("failed", "yes or no", "The provider call failed."),
    ("file", "text", "Result file of the run."),
    ("final", "correct or incorrect", "What the case is, finally."),
    ("folder", "text", "Results folder."),
    ("guidelines_version", "count", "Version of the guidelines that the verdict was given under; 0 for the built-in ones."),
    ("gwet_ac1", "-1 to 1", "Gwet's AC1; empty where it is not defined."),
    ("human", "text", "The person, or majority: what most people say, even splits left out."),
    ("image", "share", "MMI Value of pictures, over rows that expect them."),
    ("index", "count", "1-based place of the criterion in its rubric."),
    ("input_failure_rate", "share", "Share of rows whose provider call failed."),
    ("input_files", "text", "Names of the input files, one a line."),
    ("input_modalities", "names", "Modalities of the prompt's inputs."),
    ("judge", "text", "The LLM judge."),
    ("krippendorff_alpha", "-1 to 1", "Krippendorff's alpha, nominal; empty where it is not defined."),
    ("language", "BCP 47", "Language of the prompt; und where it is not known."),
    ("misaligned", "yes or no", "The person marked that it does not fit another modality of the answer."),
    ("mmi_value", "share", "MMI Value of the row; empty without a grade of an expected modality."),
    ("modality", "name", "Text, Image, Audio, Video or Document; overall for all of them."),
    ("model", "text", "Name of the model in its run; overall for all of a folder."),
    ("mps", "share", "Modality presence score: mean lenient F1."),
    ("note", "text", "What the auditor noted."),
    ("output_modalities", "names", "Modalities that an answer must have."),
    ("pass", "yes or no", "Every expected modality is there (lenient)."),
    ("pass_rate", "share", "Share of rows with every expected modality (lenient)."),
    ("pass_rate_strict", "share", "The same with native detection alone."),
    ("payload_status", "code", "What the LLM judge had before it: gradeable, absent, …"),
    ("perceived", "text", "How the person perceived it, where the app played or showed less than the study asks for."),
    ("percent_agreement", "share", "Share of units on which both say the same."),
    ("percent_high", "share", "Upper end of its 95 % interval (cluster bootstrap by prompt)."),
    ("percent_low", "share", "Lower end of its 95 % interval."),
    ("pi_high", "-1 to 1", "Upper end of the 95 % interval of Scott's pi."),
    ("pi_low", "-1 to 1", "Lower end of the 95 % interval of Scott's pi."),
    ("precision", "share", "Of the modalities that came back, how many were expected."),
    ("precision_strict", "share", "The same with native detection alone."),
    ("prompt", "text", "What was asked."),
    ("prompt_id", "text", "The prompt's id."),
    ("prompt_version", "count", "Version of the prompt that the verdict was given under, from 1."),
    ("recall", "share", "Of the modalities that were expected, how many came back."),
    ("recall_strict", "share", "The same with native detection alone."),
    ("rows", "count", "Rows of the file; in the MMI Value table those with a grade."),
    ("run", "time", "When the run was made, as its file says."),
    ("score", "share", "The LLM judge's score of the criterion."),
    ("scott_pi", "-1 to 1", "Scott's pi; empty where it is not defined."),
    ("seconds", "seconds", "Time the person took; for the whole response where it was judged here."),
    ("send_rubric_back", "yes or no", "The rubric went back to its author."),
    ("set", "code", "Which units: produced, produced_incl_evaluator_errors or all_expected."),
    ("source", "code", "assize: stated in this study. file: read from a file."),
    ("text", "share or text", "MMI Value of prose; in responses, the answer's text."),
    ("threshold", "share", "Mean criterion score from which the judge counts as saying correct."),
    ("units", "count", "Units that both judged."),
    ("variant", "text", "The judging: empty as first run, else such as _rejudged."),
    ("verdict", "correct or incorrect", "What the person says of the modality."),
    ("video", "share", "MMI Value of moving pictures, over rows that expect them."),
];

/// Type and meaning of a column.
pub(crate) fn meaning(column: &str) -> Option<(&'static str, &'static str)> {
    COLUMNS.iter().find(|(name, ..)| *name == column).map(|(_, kind, meaning)| (*kind, *meaning))
}

/// The dictionary of some tables, as a table: table, column, type, meaning.
pub(crate) fn of(tables: &[(&str, &Table)]) -> Table {
    let mut dictionary = Table::new(["table", "column", "type", "meaning"]);
    for (name, table) in tables {
        for column in &table.columns {
            let (kind, meaning) = meaning(column).unwrap_or(("", ""));
            dictionary.rows.push(vec![(*name).into(), column.clone().into(), kind.into(), meaning.into()]);
        }
    }
    dictionary
}

/// The tables that a dataset is made of, in the order of the card.
pub(crate) const OF_A_DATASET: [ExportWhat; 12] = [
    ExportWhat::Prompts,
    ExportWhat::Rubrics,
    ExportWhat::Responses,
    ExportWhat::Grades,
    ExportWhat::Verdicts,
    ExportWhat::Settlements,
    ExportWhat::Presence,
    ExportWhat::PresenceByModality,
    ExportWhat::MmiValue,
    ExportWhat::Agreement,
    ExportWhat::Sweep,
    ExportWhat::HumanHuman,
];
