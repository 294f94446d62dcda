//! THE command table. One row per command: shape (query, action, job), name, request, reply, roles. The shell,
//! the loopback host, the command line and the TypeScript client are all made from it, so that a missing handler
//! does not compile and a stale generated file fails a test.

use domain::Role;

/// How a command behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// Reads; may be asked again at will.
    Query,
    /// Writes, and answers with what it made stale.
    Action,
    /// Starts long work that `job` reports on and `cancel_job` stops.
    Job,
}

/// Who may call a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Allowed {
    /// Anyone, before a study is open.
    Anyone,
    /// A session with one of these roles.
    Roles(&'static [Role]),
}

impl Allowed {
    /// May a session with `role` (none = no session) call it?
    pub fn permits(self, role: Option<Role>) -> bool {
        match self {
            Self::Anyone => true,
            Self::Roles(roles) => role.is_some_and(|role| roles.contains(&role)),
        }
    }
}

/// A row of the table.
pub struct Command {
    /// Its name on every border.
    pub name: &'static str,
    /// How it behaves.
    pub shape: Shape,
    /// One line of help.
    pub help: &'static str,
    /// Who may call it.
    pub allowed: Allowed,
    /// JSON Schema of the request.
    pub request: fn(&mut schemars::SchemaGenerator) -> schemars::Schema,
    /// JSON Schema of the reply.
    pub reply: fn(&mut schemars::SchemaGenerator) -> schemars::Schema,
}

/// Roles with a session of any kind.
pub const EVERY_ROLE: &[Role] = &[Role::Author, Role::Judge, Role::Auditor, Role::Lead];
/// The blind role.
pub const JUDGE: &[Role] = &[Role::Judge];
/// The author.
pub const AUTHOR: &[Role] = &[Role::Author];
/// Those who see only what their tasks need.
pub const BLIND: &[Role] = &[Role::Judge, Role::Author];
/// Those who may read rubrics.
pub const RUBRIC_READERS: &[Role] = &[Role::Author, Role::Auditor, Role::Lead];
/// Those who see everything.
pub const SIGHTED: &[Role] = &[Role::Auditor, Role::Lead];
/// The lead alone.
pub const LEAD: &[Role] = &[Role::Lead];

/// Calls `$callback!` with every row of the table:
/// `{ "help" shape name(Request) -> Reply, allowed; … }`. Types are those of [`crate::wire`].
#[macro_export]
macro_rules! for_each_command {
    ($callback:ident) => {
        $callback! {
            "Version, demo, warnings, and where the media server listens." query app_facts(Nothing) -> AppFacts, Allowed::Anyone;
            "Studies that were opened before." query recent_studies(Nothing) -> RecentStudies, Allowed::Anyone;
            "Make a new study and open it." action create_study(CreateStudyRequest) -> Standing, Allowed::Anyone;
            "Open a study." action open_study(OpenStudyRequest) -> Standing, Allowed::Anyone;
            "Open a sealed package." action open_package(OpenPackageRequest) -> Standing, Allowed::Anyone;
            "A file that the app was asked to open from outside, told once." action file_to_open(Nothing) -> FileToOpen, Allowed::Anyone;
            "This device's id, and the key that packages can be sealed to." query device_key(Nothing) -> DeviceKey, Allowed::Anyone;
            "Ask the user for files, where the host has dialogs." query choose_files(ChooseFilesRequest) -> ChosenFiles, Allowed::Anyone;
            "Make the demo study if it is not there yet, and open it." job open_demo(Nothing) -> JobStarted, Allowed::Anyone;
            "Make a study from a harness run and open it as its lead." job study_from_run(StudyFromRunRequest) -> JobStarted, Allowed::Anyone;
            "Ask the user for a folder, where the host has dialogs." query choose_folder(Nothing) -> ChosenFolder, Allowed::Anyone;
            "Close the study." action close_study(Nothing) -> Standing, Allowed::Anyone;
            "Which roles a person holds in the open study." query person_roles(PersonRequest) -> PersonRoles, Allowed::Anyone;
            "Begin a session as a person in a role." action begin_session(BeginSessionRequest) -> Standing, Allowed::Anyone;
            "End the session; the study stays open." action end_session(Nothing) -> Standing, Allowed::Anyone;
            "Where the app stands." query standing(Nothing) -> Standing, Allowed::Anyone;
            "How a job stands." query job(JobRequest) -> JobView, Allowed::Anyone;
            "Cancel a job." action cancel_job(JobRequest) -> JobView, Allowed::Anyone;

            "What changed since a token." query changes(ChangesRequest) -> Changes, Allowed::Roles(EVERY_ROLE);
            "Records: one's own, or those about an item." query history(HistoryRequest) -> Page<HistoryEntry>, Allowed::Roles(EVERY_ROLE);
            "Take back one of one's own statements." action undo(UndoRequest) -> Written<Undone>, Allowed::Roles(EVERY_ROLE);
            "The guidelines of one's role." query guidelines(Nothing) -> Guidelines, Allowed::Roles(EVERY_ROLE);

            "Open a link in the system's browser, at the user's request." action open_link(OpenLinkRequest) -> Saved, Allowed::Roles(EVERY_ROLE);

            "The judge's queue." query judge_queue(QueueRequest) -> Page<JudgeTask>, Allowed::Roles(JUDGE);
            "One response to judge." query judge_item(TaskRequest) -> JudgeItemReply, Allowed::Roles(JUDGE);
            "Keep a judgement's draft." action save_judgement_draft(SaveJudgementDraftRequest) -> Saved, Allowed::Roles(JUDGE);
            "The judge's own comments to be used again." query judge_snippets(Nothing) -> Snippets, Allowed::Roles(JUDGE);
            "Keep the judge's own comments." action save_judge_snippets(Snippets) -> Saved, Allowed::Roles(JUDGE);
            "Give verdicts on a response." action submit_judgement(SubmitJudgementRequest) -> Written<Submitted>, Allowed::Roles(JUDGE);

            "The judge's quiz: what is to be handed in, and what came of attempts." query quiz(Nothing) -> QuizView, Allowed::Roles(JUDGE);
            "Keep the quiz as it is being answered." action save_quiz_draft(SaveQuizDraftRequest) -> Saved, Allowed::Roles(JUDGE);
            "Hand the quiz in, once." action hand_in_quiz(HandInQuizRequest) -> Written<QuizView>, Allowed::Roles(JUDGE);

            "The author's queue." query author_queue(QueueRequest) -> Page<AuthorTask>, Allowed::Roles(AUTHOR);
            "One prompt to write a rubric for." query author_item(TaskRequest) -> AuthorItemReply, Allowed::Roles(AUTHOR);
            "Lint a rubric as it is typed." query lint_rubric(LintRequest) -> LintReply, Allowed::Roles(AUTHOR);
            "Keep a rubric's draft." action save_rubric_draft(SaveRubricDraftRequest) -> Saved, Allowed::Roles(AUTHOR);
            "Save a revision of a rubric, and hand it in." action save_rubric(SaveRubricRequest) -> Written<RubricSaved>, Allowed::Roles(AUTHOR);

            "Compile a structured rubric as it is typed." query compile_rubric(CompileRubricRequest) -> CompiledRubric, Allowed::Roles(AUTHOR);
            "Convert an item of a structured rubric." query convert_item(ConvertItemRequest) -> ConvertedItem, Allowed::Roles(AUTHOR);
            "Compare two revisions of a structured rubric." query compare_checklists(CompareChecklistsRequest) -> ChecklistComparison, Allowed::Roles(AUTHOR);
            "Rehearse a structured rubric on control answers." query rehearse_rubric(RehearseRubricRequest) -> Rehearsal, Allowed::Roles(AUTHOR);
            "Rehearse numbered criteria on control answers." query rehearse_criteria(RehearseCriteriaRequest) -> Rehearsal, Allowed::Roles(AUTHOR);
            "Revisions of one's rubric, newest first." query rubric_revisions(OfTask) -> RubricRevisions, Allowed::Roles(AUTHOR);
            "Two rubrics side by side: what is new, gone, changed." query compare_rubrics(CompareRubricsRequest) -> ComparedRubrics, Allowed::Roles(RUBRIC_READERS);
            "Criteria to start from, for each kind of output." query criterion_templates(OfTask) -> CriterionTemplates, Allowed::Roles(AUTHOR);
            "Search accepted criteria of the study." query precedents(PrecedentsRequest) -> Precedents, Allowed::Roles(AUTHOR);
            "Read a rubric file: what it holds, and what would be lost." query read_rubric_file(ReadRubricFileRequest) -> RubricFileView, Allowed::Roles(AUTHOR);
            "A rubric in another form, and what it would lose." query preview_rubric_export(RubricExportRequest) -> RubricExportView, Allowed::Roles(AUTHOR);
            "Write a rubric in another form to a file." action export_rubric(RubricExportRequest) -> Exported, Allowed::Roles(AUTHOR);

            "The reviewer's queue." query review_queue(QueueRequest) -> Page<ReviewTask>, Allowed::Roles(AUTHOR);
            "One rubric to review." query review_item(TaskRequest) -> ReviewItemReply, Allowed::Roles(AUTHOR);
            "Keep a review's draft." action save_review_draft(SaveReviewDraftRequest) -> Saved, Allowed::Roles(AUTHOR);
            "Accept a rubric, ask for a revision, or send it back." action submit_review(SubmitReviewRequest) -> Written<ReviewSubmitted>, Allowed::Roles(AUTHOR);

            "The curator's queue." query curation_queue(QueueRequest) -> Page<CurationTask>, Allowed::Roles(AUTHOR);
            "One item to curate." query curation_item(TaskRequest) -> CurationItemReply, Allowed::Roles(AUTHOR);
            "Keep a curation's draft." action save_curation_draft(SaveCurationDraftRequest) -> Saved, Allowed::Roles(AUTHOR);
            "Retain an item, revise it, or discard it." action submit_curation(SubmitCurationRequest) -> Written<CurationSubmitted>, Allowed::Roles(AUTHOR);
            "The statistics of a curated set: a lead's and an auditor's of everybody, a curator's of their own." query curation(CurationRequest) -> CurationView, Allowed::Roles(RUBRIC_READERS);

            "Pack the work done in a package, to go back." action pack_to_return(ReturnRequest) -> PackReport, Allowed::Roles(BLIND);

            "Pack what a person may see, sealed." action pack(PackRequest) -> PackReport, Allowed::Roles(LEAD);
            "Take packages back in." action merge(MergeRequest) -> Written<MergeReport>, Allowed::Roles(LEAD);
            "Statements that stand side by side although one should." query forks(Nothing) -> Forks, Allowed::Roles(LEAD);
            "Look for what a person must not reach." query scan_leaks(LeaksRequest) -> LeakReport, Allowed::Roles(LEAD);
            "Look, and write the blindness report beside the study." action save_blindness_report(LeaksRequest) -> Exported, Allowed::Roles(LEAD);
            "Publish guidelines." action publish_guidelines(PublishGuidelinesRequest) -> Written<Guidelines>, Allowed::Roles(LEAD);

            "Progress, people, agreement so far, next steps." query overview(Nothing) -> Overview, Allowed::Roles(SIGHTED);
            "Prompts." query prompts(PromptsRequest) -> Page<PromptRow>, Allowed::Roles(SIGHTED);
            "Add a person, or give one further roles." action add_person(AddPersonRequest) -> Written<PersonRoles>, Allowed::Roles(LEAD);
            "Hand out work." action hand_out(HandOutRequest) -> Written<HandedOut>, Allowed::Roles(LEAD);
            "What handing out would do; nothing is written." query preview_hand_out(HandOutRequest) -> HandOutPreview, Allowed::Roles(LEAD);
            "How far work is, and who waits for whom." query work(Nothing) -> Work, Allowed::Roles(LEAD);
            "Import files and folders." job start_import(StartImportRequest) -> JobStarted, Allowed::Roles(LEAD);

            "Who is qualified for what." query qualification(Nothing) -> QualificationView, Allowed::Roles(SIGHTED);
            "The jobs behind a number of somebody's qualification." query qualification_items(QualificationItemsRequest) -> QualificationItemsView, Allowed::Roles(SIGHTED);
            "State what the study asks of those who judge." action state_qualification_rules(QualificationRules) -> Written<QualificationView>, Allowed::Roles(LEAD);
            "Publish a quiz." action publish_quiz(PublishQuizRequest) -> Written<QualificationView>, Allowed::Roles(LEAD);
            "Give people the quiz." action give_quiz(GiveQuizRequest) -> Written<QualificationView>, Allowed::Roles(LEAD);
            "Say which answers are known." action state_golds(StateGoldsRequest) -> Written<QualificationView>, Allowed::Roles(LEAD);
            "Admit, pause or recertify somebody by hand." action change_qualification(ChangeQualificationRequest) -> Written<QualificationView>, Allowed::Roles(LEAD);

            "The 2×2 table of judge and people." query disagreement_counts(UnitFilter) -> DisagreementCounts, Allowed::Roles(SIGHTED);
            "Cases of a cell." query disagreement_cases(CasesRequest) -> Page<CaseRow>, Allowed::Roles(SIGHTED);
            "One case, whole." query disagreement_case(CaseRequest) -> CaseView, Allowed::Roles(SIGHTED);
            "Settle a case." action settle(SettleRequest) -> Written<Settled>, Allowed::Roles(SIGHTED);
            "Mark the gold modalities of a case's prompt wrong, or right after all." action mark_gold(MarkGoldRequest) -> Written<Settled>, Allowed::Roles(SIGHTED);
            "Keep a settlement's note." action save_settlement_draft(SaveSettlementDraftRequest) -> Saved, Allowed::Roles(SIGHTED);
            "A settlement's kept note." query settlement_draft(CaseRequest) -> SettlementDraft, Allowed::Roles(SIGHTED);

            "What of people's finished work can be audited, and the audits." query audits(Nothing) -> AuditsView, Allowed::Roles(SIGHTED);
            "Draw a sample of a person's finished work." action draw_audit(DrawAuditRequest) -> Written<AuditsView>, Allowed::Roles(SIGHTED);
            "How many pieces an audit needs." query plan_audit(AuditPlanRequest) -> AuditPlanView, Allowed::Roles(SIGHTED);
            "The next piece of a sample." query audit_item(AuditItemRequest) -> AuditItemReply, Allowed::Roles(SIGHTED);
            "Accept a piece, or return it with feedback." action submit_audit(SubmitAuditRequest) -> Written<AuditSubmitted>, Allowed::Roles(SIGHTED);
            "The grader's queue." query grading_queue(QueueRequest) -> Page<GradingTask>, Allowed::Roles(SIGHTED);
            "One response to grade against its checklist." query grading_item(TaskRequest) -> GradingItemReply, Allowed::Roles(SIGHTED);
            "What follows from a grading as it is typed." query weigh_grades(WeighGradesRequest) -> WeighedGrades, Allowed::Roles(SIGHTED);
            "Keep a grading's draft." action save_grading_draft(SaveGradingDraftRequest) -> Saved, Allowed::Roles(SIGHTED);
            "State the grades of a response." action submit_grades(SubmitGradesRequest) -> Written<GradesSubmitted>, Allowed::Roles(SIGHTED);

            "Agreement of judge and people, and between people." query agreement(AgreementRequest) -> AgreementView, Allowed::Roles(SIGHTED);
            "What a revision of a rubric would do to stored grades and scores." query rubric_impact(RubricImpactRequest) -> RubricImpact, Allowed::Roles(SIGHTED);
            "Agreement by one key, people among themselves beside it." query agreement_by(AgreementByRequest) -> AgreementBy, Allowed::Roles(SIGHTED);
            "Who agrees with whom." query agreement_people(AgreementPeopleRequest) -> PeopleAgreement, Allowed::Roles(SIGHTED);
            "Criteria that no response passes or fails." query agreement_criteria(CriteriaRequest) -> CriteriaView, Allowed::Roles(SIGHTED);
            "Agreement on single checks, where people graded them." query agreement_checks(ChecksRequest) -> ChecksAgreement, Allowed::Roles(SIGHTED);
            "Whose criterion: what each does to agreement, and what dropping it or another threshold would do." query criterion_effects(UnitFilter) -> CriterionEffectsView, Allowed::Roles(SIGHTED);
            "Rubric judges of the same responses, compared." query agreement_judges(JudgesRequest) -> JudgesView, Allowed::Roles(SIGHTED);
            "The difference of two coefficients." query agreement_difference(DifferenceRequest) -> DifferenceView, Allowed::Roles(SIGHTED);
            "How many doubly judged units an interval needs." query agreement_plan(PlanRequest) -> PlanView, Allowed::Roles(SIGHTED);
            "Presence and MMI Value." query results(ResultsRequest) -> StudyScores, Allowed::Roles(SIGHTED);
            "Scores by checklists, of evaluators and of people." query gamut_results(GamutRequest) -> GamutScores, Allowed::Roles(SIGHTED);
            "Intervals of the results, detection routes, inputs by outputs." query result_details(ResultDetailsRequest) -> ResultDetails, Allowed::Roles(SIGHTED);
            "Write a table to a file." action export_table(ExportRequest) -> Exported, Allowed::Roles(SIGHTED);
            "Write the report: one page with everything." action write_report(ReportRequest) -> Exported, Allowed::Roles(SIGHTED);
            "Keep a plot as a file beside the study." action save_plot(SavePlotRequest) -> Exported, Allowed::Roles(SIGHTED);
            "Keep a table on screen as a file beside the study." action save_table(SaveTableRequest) -> Exported, Allowed::Roles(SIGHTED);
            "What writing the rubrics in force in another form would lose." query study_rubric_losses(StudyRubricsRequest) -> StudyRubricLosses, Allowed::Roles(SIGHTED);
            "Write the rubrics in force in another form." action export_study_rubrics(StudyRubricsRequest) -> Exported, Allowed::Roles(SIGHTED);
            "Write the whole study as a dataset folder." action export_dataset(ExportDatasetRequest) -> Exported, Allowed::Roles(SIGHTED);

            "A readable view of a document." query document(DocumentRequest) -> DocumentReply, Allowed::Roles(EVERY_ROLE);
            "Draw the pages of an office document, where LibreOffice is installed." query document_pages(AssetRequest) -> PagesReply, Allowed::Roles(EVERY_ROLE);
            "What the app knows of an asset." query probe(AssetRequest) -> ProbeReply, Allowed::Roles(EVERY_ROLE);
            "How a picture is shown; converts it where the web view cannot show it." query picture(PictureRequest) -> PictureReply, Allowed::Roles(EVERY_ROLE);
            "The waveform of a sound." query waveform(WaveformRequest) -> WaveformReply, Allowed::Roles(EVERY_ROLE);
            "What the web view lacks for playing sound and video." query playback_check(Nothing) -> PlaybackCheck, Allowed::Anyone;
            "Load a sound into the sound-card player, at a place, playing or holding." action sound_load(SoundRequest) -> SoundView, Allowed::Roles(EVERY_ROLE);
            "How the sound-card player stands." query sound(Nothing) -> SoundView, Allowed::Roles(EVERY_ROLE);
            "Stop the sound-card player." action sound_stop(Nothing) -> SoundView, Allowed::Roles(EVERY_ROLE);
        }
    };
}

macro_rules! define_table {
    ($($help:literal $shape:ident $name:ident($request:ty) -> $reply:ty, $allowed:expr;)*) => {
        use crate::wire::*;
        use crate::{App, Code, Failure, handlers};

        /// Every command.
        pub static COMMANDS: &[Command] = &[$(Command {
            name: stringify!($name),
            shape: define_table!(@shape $shape),
            help: $help,
            allowed: $allowed,
            request: |schemas| schemas.subschema_for::<$request>(),
            reply: |schemas| schemas.subschema_for::<$reply>(),
        },)*];

        /// Typed calls, each behind its role check: what the shell and the command line use.
        pub mod call {
            use super::*;
            $(
                #[doc = $help]
                pub fn $name(app: &App, request: $request) -> Result<$reply, Failure> {
                    app.permit(stringify!($name), $allowed)?;
                    handlers::$name(app, request)
                }
            )*
        }

        /// A call by name with JSON: what the loopback host uses.
        pub fn dispatch(app: &App, name: &str, request: &[u8]) -> Result<serde_json::Value, Failure> {
            match name {
                $(stringify!($name) => {
                    let request: $request = serde_json::from_slice(request).map_err(|error| {
                        Failure::new(Code::BadRequest, format!("{name}: {error}"))
                    })?;
                    let reply = call::$name(app, request)?;
                    serde_json::to_value(reply)
                        .map_err(|error| Failure::new(Code::Internal, format!("{name}: {error}")))
                })*
                _ => Err(Failure::new(Code::NoCommand, format!("there is no command {name:?}"))),
            }
        }
    };
    (@shape query) => { Shape::Query };
    (@shape action) => { Shape::Action };
    (@shape job) => { Shape::Job };
}

for_each_command!(define_table);
