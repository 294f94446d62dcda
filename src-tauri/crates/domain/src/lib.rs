//! The nouns of Assize, shared by every room: ids, modalities, prompts, responses, rubrics, verdicts and the
//! records people make. No I/O, no clock, no randomness: only shapes and what is true of them by definition.
#![deny(missing_docs)]

mod anchor;
mod audit;
mod checklist;
mod checklist_patch;
mod counted;
mod curation;
mod gold;
mod grading;
mod guidance;
mod ids;
mod judged;
mod meta_rubric;
mod modality;
mod people;
mod prompt;
mod qualification;
mod quiz;
mod response;
mod review;
mod rubric;
mod sample;
mod statement;
mod structured_rubric;
mod undefined;
mod verdict;

pub use anchor::{Anchor, AnchorPlace};
pub use audit::{AuditDraw, AuditFinding, AuditedWork, Stratum};
pub use checklist::{Check, CheckKind, CheckRule, CheckVerdict, ItemType, Provenance, Tier, text_hash};
pub use checklist_patch::{ChecklistEdit, ChecklistPatch};
pub use counted::counted;
pub use curation::{
    CURATORS, CuratedItem, Curation, CurationDecision, CurationOutcome, ItemKind, curation_outcome,
};
pub use gold::{GoldMark, MarkedGold};
pub use grading::{CheckGrade, ChecklistGrade, Extraction, FoundOption, ImportedCheckGrade};
pub use guidance::{CommentRule, JudgingRules, MOST_PICTURE_SECONDS};
pub use ids::{
    BlobHash, Count, IdError, ImportId, PromptId, ResponseId, SampleId, StatementId, StudyId, TaskId,
};
pub use judged::{Detection, Failure, Grade, JudgedRow, PayloadStatus, Presence, RowAsset, StoredScores};
pub use meta_rubric::{Element, Item, ItemContent, Link, META_RUBRIC_SCHEMA, MetaInsight, MetaRubric, Step};
pub use modality::{Modality, ModalityError, ModalityList};
pub use people::{PersonName, Role};
pub use prompt::{InputAsset, Prompt, PromptRecord};
pub use qualification::{
    GoldAnswer, HiddenJob, HiddenJobKind, QualificationChange, QualificationMove, QualificationRules,
    QualificationState,
};
pub use quiz::{KeyedAnswer, PracticeItem, Quiz, QuizAnswer, QuizAttempt, QuizItem, QuizKey, QuizResult};
pub use response::{Asset, AssetState, Response};
pub use review::{Review, ReviewComment, ReviewDecision};
pub use rubric::{
    BesideCriteria, Contradiction, Criterion, GoldFlag, LintDismissal, RubricDraft, RubricSubject,
    SIGN_OFF_QUESTIONS,
};
pub use sample::{ContextKind, Pattern, Prediction, Sample, SampleContext};
pub use statement::{JournalKind, Statement, StatementKind};
pub use structured_rubric::{
    EvidenceSnippet, RehearsedAnswer, RehearsedVerdict, StructuredRubric, WritingForm,
};
pub use undefined::Defined;
pub use verdict::{
    Adjudication, Cause, Engine, Exposure, HumanVerdict, Judgement, ModalityNote, ModalityVerdict,
    Settlement, Verdict, VerdictDetails, VerdictFlags,
};
