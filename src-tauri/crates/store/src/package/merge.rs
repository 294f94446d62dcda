//! Taking work back: verified, exactly once, in any order.

use super::PackageMark;
use super::open::{allowed, broken, description, entry_name};
use super::rows::{self, Travelled};
use super::seal::{PackageKey, Passphrase, unseal};
use crate::journal::Journal;
use crate::view::LeadView;
use crate::{Result, StoreError, sqlite};
use domain::{PersonName, Statement};
use std::collections::BTreeMap;
use std::fs;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// A package that was unsealed to be merged. Nothing in it is believed yet.
#[derive(Debug)]
pub struct Returned {
    /// The file.
    pub path: PathBuf,
    /// What it says that it is.
    pub mark: PackageMark,
    journals: Vec<Travelled>,
}

impl Returned {
    /// Unseals the package at `path`: with the passphrase, or with the study's key.
    pub fn read(path: &Path, passphrase: Option<&Passphrase>, key: &PackageKey) -> Result<Self> {
        let fail = |e: std::io::Error| broken(path, e);
        let mut tar = tar::Archive::new(unseal(path, passphrase, Some(key))?);
        let mut entries = tar.entries().map_err(fail)?;
        let mark = description(path, entries.next())?;
        let mut journals = Vec::new();
        for entry in entries {
            let mut entry = entry.map_err(fail)?;
            let name = entry_name(&entry).unwrap_or_default();
            if name.starts_with("journals/") {
                journals.push(rows::read(rows::JOURNALS, &name, BufReader::new(&mut entry))?);
            } else if mark.returned {
                return Err(StoreError::Refused(format!(
                    "{}: returned work holds journals alone, not {name:?}",
                    path.display()
                )));
            } else {
                // A package as it went out: content follows, which its study has already.
                break;
            }
        }
        Ok(Self { path: path.to_owned(), mark, journals })
    }
}

/// What one package brought.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MergedPackage {
    /// Statements that are new here, by kind.
    pub merged: BTreeMap<String, u64>,
    /// Statements that were here already.
    pub already: u64,
    /// Journals that were not taken, by file name, with the reason. Nothing of such a journal was taken.
    pub held: Vec<(String, String)>,
}

/// Two or more statements that were made without knowledge of each other, and both stand.
#[derive(Debug, Clone, PartialEq)]
pub struct Fork {
    /// What kind.
    pub kind: String,
    /// What they are about.
    pub subject: String,
    /// The versions.
    pub versions: Vec<ForkVersion>,
}

/// One of them.
#[derive(Debug, Clone, PartialEq)]
pub struct ForkVersion {
    /// The statement.
    pub statement: Statement,
}

impl LeadView {
    /// Takes in the journals of a package: rows that are new are appended, rows that are here are counted. A journal
    /// that does not continue the one here is left out whole, with the reason. Fails only where the package as a
    /// whole is not to be believed.
    pub fn merge(&mut self, package: &Returned) -> Result<MergedPackage> {
        let mark = &package.mark;
        let refuse = |why: String| StoreError::Refused(format!("{}: {why}", package.path.display()));
        let folder = self.folder().clone();
        if mark.study != folder.study() || mark.ticket != self.ticket(&mark.person, mark.role) {
            return Err(refuse("no lead of this study made this package".to_owned()));
        }
        if !self.people()?.iter().any(|person| person.name == mark.person) {
            return Err(refuse(format!("this study has no person {}", mark.person)));
        }
        let mut done = MergedPackage::default();
        for travelled in &package.journals {
            let held = |e: StoreError| (travelled.name.to_string(), e.to_string());
            match allowed(mark, &travelled.name).and_then(|()| self.take(travelled)) {
                Ok((added, already)) => {
                    done.already += already;
                    for (kind, n) in added {
                        *done.merged.entry(kind).or_default() += n;
                    }
                }
                Err(
                    e @ (StoreError::ChainBroken { .. }
                    | StoreError::Gap { .. }
                    | StoreError::Damaged { .. }
                    | StoreError::Refused(_)),
                ) => {
                    done.held.push(held(e));
                }
                Err(e) => return Err(e),
            }
        }
        if !done.merged.is_empty() {
            self.behind();
        }
        Ok(done)
    }

    fn take(&self, travelled: &Travelled) -> Result<(BTreeMap<String, u64>, u64)> {
        let folder = self.folder();
        let path = folder.journal_path(&travelled.name);
        let fresh = !path.exists();
        let mut added = BTreeMap::new();
        if travelled.rows.is_empty() {
            return Ok((added, 0));
        }
        let taken = Journal::open_to_merge(folder, travelled.name.clone(), travelled.public_key).and_then(
            |mut journal| Ok((journal.merge(&travelled.rows)?, sqlite::checkpoint(&journal.connection)?)),
        );
        let merged = match taken {
            Ok((merged, ())) => merged,
            Err(e) => {
                // What was made for rows that were then refused holds nothing of anybody.
                if fresh {
                    for suffix in ["", "-wal", "-shm"] {
                        let _ = fs::remove_file(sqlite::beside(&path, suffix));
                    }
                }
                return Err(e);
            }
        };
        let known = usize::try_from(merged.known).unwrap_or(usize::MAX);
        for row in travelled.rows.iter().skip(known) {
            *added.entry(row.statement.kind.name().to_owned()).or_default() += 1;
        }
        Ok((added, merged.known))
    }

    /// Every fork that stands, of these people or of everyone.
    pub fn forks(&mut self, of: Option<&[PersonName]>) -> Result<Vec<Fork>> {
        let mut forks = Vec::new();
        for heads in self.fork_heads()? {
            let concerns = |s: &Statement| of.is_none_or(|people| people.contains(&s.person));
            let Some(first) = heads.iter().find(|s| concerns(s)) else { continue };
            forks.push(Fork {
                kind: first.kind.name().to_owned(),
                subject: first.subject.clone(),
                versions: heads.into_iter().map(|statement| ForkVersion { statement }).collect(),
            });
        }
        Ok(forks)
    }
}
