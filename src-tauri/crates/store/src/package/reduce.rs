//! Content for one person: database files made anew, into which only the rows that their tasks need are written, in the
//! order of their opaque ids. What is not asked for by name is not there.

use super::reviewed;
use crate::content::{self, Content, guidelines, prompts, qualification, responses, rubrics, samples};
use crate::folder::Folder;
use crate::inbox::{self, Inbox, Me, Task, TaskKind};
use crate::sqlite::{self, Access, Schema};
use crate::view::CurationSubject;
use crate::{Result, StoreError};
use domain::{BlobHash, ItemKind, PersonName, PromptId, ResponseId, Role, SampleId};
use rusqlite::{Connection, TransactionBehavior, params};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// What was reduced: the files that were made, and the blobs that they name.
pub(super) struct Reduced {
    /// Names in the package, and where the files lie.
    pub files: BTreeMap<String, PathBuf>,
    pub blobs: BTreeSet<BlobHash>,
    pub tasks: u64,
    /// What others stated that is to be reviewed or settled.
    pub reviewed: BTreeMap<String, Vec<u8>>,
}

/// Makes the files for `person` as `role` below `staging`, an empty folder.
pub(super) fn reduce(
    folder: &Folder,
    content: &Content,
    person: &PersonName,
    role: Role,
    staging: &Path,
) -> Result<Reduced> {
    let kinds = TaskKind::of(role);
    if matches!(role, Role::Auditor | Role::Lead) {
        return Err(StoreError::Refused(format!(
            "packages are for judges and authors; who is {role} sees everything and works in the study itself"
        )));
    }
    for below in ["content", "inbox"] {
        let below = staging.join(below);
        fs::create_dir_all(&below).map_err(StoreError::io(&below))?;
    }
    let inbox = Inbox::open(folder, person)?;
    let me = inbox.me()?;
    if !me.roles.contains(&role) {
        return Err(StoreError::NoRole { person: person.clone(), role });
    }
    let mut tasks = Vec::new();
    for kind in kinds {
        inbox.each_task(*kind, |task| {
            // Those who settle a curated item need other people's statements, which no package holds; they work in the study.
            if task.kind != TaskKind::Curate || task.note.is_empty() {
                tasks.push(task);
            }
            Ok(())
        })?;
    }
    let mut made = Reduced {
        files: BTreeMap::new(),
        blobs: BTreeSet::new(),
        tasks: tasks.len() as u64,
        reviewed: reviewed::of_tasks(folder, &tasks)?,
    };
    let wanted = match role {
        Role::Judge => judged(content, &tasks, staging, &mut made)?,
        _ => authored(content, &tasks, staging, &mut made)?,
    };
    let quizzes: BTreeSet<u32> =
        tasks.iter().filter(|task| task.kind == TaskKind::Quiz).map(|task| task.subject_version).collect();
    study(content, &wanted, &quizzes, staging, &mut made)?;
    let me = Me { roles: vec![role], ..me };
    put_inbox(folder, &me, inbox.revision()?, tasks, staging, &mut made)?;
    Ok(made)
}

/// One new file. It is packed tight, and whole in itself, when this returns.
fn fresh(
    staging: &Path,
    name: &str,
    schema: &Schema,
    made: &mut Reduced,
    fill: impl FnOnce(&Connection) -> Result<()>,
) -> Result<()> {
    let path = staging.join(name);
    let mut connection = sqlite::open(&path, schema, Access::Write)?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    fill(&transaction)?;
    transaction.commit()?;
    connection.execute_batch("VACUUM")?;
    sqlite::checkpoint(&connection)?;
    connection.close().map_err(|(_, e)| StoreError::sqlite(&path)(e))?;
    made.files.insert(name.to_owned(), path);
    Ok(())
}

/// Prompts by id and version; version 0 is the newest there is.
type Wanted = BTreeSet<(PromptId, u32)>;

fn judged(content: &Content, tasks: &[Task], staging: &Path, made: &mut Reduced) -> Result<Wanted> {
    let mut wanted = Wanted::new();
    let mut all: BTreeMap<ResponseId, BTreeSet<u32>> = BTreeMap::new();
    for task in tasks.iter().filter(|task| task.kind == TaskKind::Judge) {
        let id = task.subject.parse().map_err(|_| missing("response", &task.subject))?;
        all.entry(id).or_default().insert(task.subject_version);
    }
    let mut blobs = BTreeSet::new();
    fresh(staging, "content/responses.sqlite", &content::RESPONSES, made, |file| {
        for (id, versions) in &all {
            let mut response = responses::get(&content.responses, *id)?
                .ok_or_else(|| missing("response", &id.to_string()))?;
            blobs.extend(response.assets.iter().filter_map(|asset| asset.blob));
            if let Some(prompt) = response.prompt {
                // The older versions of the prompt stay here, so that what is to be judged now is said by the response.
                let newest = versions.last().copied().filter(|version| *version > 0);
                if let Some(asked) = prompts::get(&content.study, prompt, newest)? {
                    response.expected = prompts::expected(&content.study, &asked, &response.expected)?;
                }
                responses::put(file, prompt, &response)?;
                wanted.extend(versions.iter().map(|version| (prompt, *version)));
            }
        }
        Ok(())
    })?;
    made.blobs.append(&mut blobs);
    Ok(wanted)
}

fn authored(content: &Content, tasks: &[Task], staging: &Path, made: &mut Reduced) -> Result<Wanted> {
    let mut wanted = Wanted::new();
    let mut curated: BTreeSet<(SampleId, u32)> = BTreeSet::new();
    let mut own_rubrics: BTreeSet<(PromptId, u32)> = BTreeSet::new();
    for task in tasks {
        if task.kind == TaskKind::Curate {
            let lost = || missing("item", &task.subject);
            let subject = CurationSubject::parse(&task.subject).ok_or_else(lost)?;
            if subject.kind == ItemKind::Sample {
                curated.insert((subject.item.parse().map_err(|_| lost())?, subject.version));
            } else {
                let prompt: PromptId = subject.item.parse().map_err(|_| lost())?;
                let version = if subject.kind == ItemKind::Prompt { subject.version } else { 0 };
                wanted.insert((prompt, version));
                if subject.kind == ItemKind::Rubric {
                    own_rubrics.insert((prompt, subject.version));
                }
            }
            continue;
        }
        // Of a review, `<prompt>/<author>`.
        let prompt = task.subject.split('/').next().unwrap_or_default();
        let id = prompt.parse().map_err(|_| missing("prompt", &task.subject))?;
        wanted.insert((id, task.subject_version));
    }
    let all: BTreeSet<PromptId> = wanted.iter().map(|(prompt, _)| *prompt).collect();
    let mut blobs = BTreeSet::new();
    fresh(staging, "content/rubrics.sqlite", &content::RUBRICS, made, |file| {
        for prompt in all {
            if let Some(rubric) = rubrics::newest(&content.rubrics, prompt)? {
                rubrics::put(file, &rubric)?;
                rubrics::hand_out(file, prompt.as_bytes(), rubric.prompt_version, rubric.version)?;
            }
        }
        for (prompt, version) in own_rubrics {
            let all = rubrics::versions(&content.rubrics, prompt)?;
            let newest = all.iter().map(|rubric| rubric.prompt_version).max();
            let own = all.iter().find(|r| Some(r.prompt_version) == newest && r.version == version);
            own.map_or(Ok(()), |rubric| rubrics::put(file, rubric))?;
        }
        for (id, version) in curated {
            let sample = samples::get(&content.rubrics, id, version)?
                .ok_or_else(|| missing("sample", &id.to_string()))?;
            blobs.extend(sample.images().filter_map(|image| image.blob));
            samples::put(file, id, version, &sample)?;
        }
        Ok(())
    })?;
    made.blobs.append(&mut blobs);
    Ok(wanted)
}

fn study(
    content: &Content,
    wanted: &Wanted,
    quizzes: &BTreeSet<u32>,
    staging: &Path,
    made: &mut Reduced,
) -> Result<()> {
    let mut blobs = BTreeSet::new();
    fresh(staging, "content/study.sqlite", &content::STUDY, made, |file| {
        for (id, version) in wanted {
            // A response may answer a prompt that the study has not got (quirk Q17).
            let version = (*version > 0).then_some(*version);
            if let Some(prompt) = prompts::get(&content.study, *id, version)? {
                blobs.extend(prompt.inputs.iter().filter_map(|input| input.blob));
                prompts::put(file, &prompt)?;
            }
        }
        if let Some(now) = guidelines::current(&content.study)? {
            guidelines::put(file, &now)?;
        }
        for version in quizzes {
            if let Some(quiz) = qualification::quiz(&content.study, *version)? {
                qualification::put_quiz(file, *version, &quiz)?;
            }
        }
        Ok(())
    })?;
    made.blobs.append(&mut blobs);
    Ok(())
}

/// The person's tasks of the role. What a task follows from is left out: tasks that share a cause were handed out
/// together, and that can tell one batch of responses from another.
fn put_inbox(
    folder: &Folder,
    me: &Me,
    revision: i64,
    mut tasks: Vec<Task>,
    staging: &Path,
    made: &mut Reduced,
) -> Result<()> {
    tasks.sort_by_key(|task| task.id);
    let name = format!("inbox/{}.sqlite", me.person);
    let roles = serde_json::to_string(&me.roles).map_err(StoreError::json("roles"))?;
    fresh(staging, &name, &inbox::SCHEMA, made, |file| {
        file.execute(
            "INSERT INTO me (one, study, person, display, roles, revision) VALUES (1, ?1, ?2, ?3, ?4, ?5)",
            params![folder.study().as_bytes(), me.person.as_str(), me.display, roles, revision],
        )?;
        let mut insert = file.prepare(
            "INSERT INTO tasks (id, kind, subject, subject_version, position, cause, note)
             VALUES (?1, ?2, ?3, ?4, ?5, zeroblob(16), ?6)",
        )?;
        for task in &tasks {
            insert.execute(params![
                task.id.as_bytes(),
                task.kind.name(),
                task.subject,
                task.subject_version,
                i64::try_from(task.position).unwrap_or(i64::MAX),
                task.note,
            ])?;
        }
        Ok(())
    })
}

fn missing(what: &'static str, id: &str) -> StoreError {
    StoreError::NotFound { what, id: id.to_owned() }
}
