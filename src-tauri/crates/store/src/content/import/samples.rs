//! Samples of an interaction benchmark, and predictions, from files.

use super::{Import, Put};
use crate::Result;
use crate::content::{encode, keys::ContentHash, samples};
use domain::{Prediction, Sample, SampleId};
use rusqlite::{OptionalExtension, params};

impl Import<'_> {
    /// Takes a sample (its blobs are on disk already). One that the study has with other content gets a new version, above
    /// those that curation made of it; one that this file gave before with other content is a conflict, and the first stays.
    pub fn put_sample(&mut self, line: u64, sample: &Sample) -> Result<Put> {
        for image in sample.images() {
            self.need_blob(image.blob)?;
        }
        self.chunk()?;
        let id = SampleId::from_bytes(self.content.secret.id("sample", &[sample.key.as_bytes()]));
        let content = ContentHash::default().part(encode::json(sample)?.as_bytes()).finish();
        let audit = &self.content.audit;
        let own: Option<(u64, [u8; 32])> = audit
            .prepare_cached("SELECT line, content FROM sample_origins WHERE import = ?1 AND sample = ?2")?
            .query_row(params![self.n, id.as_bytes()], |row| Ok((encode::unsigned(row, 0)?, row.get(1)?)))
            .optional()?;
        if let Some((before, known)) = own
            && before != line
        {
            return Ok(if known == content {
                Put::Unchanged
            } else {
                Put::Conflict(format!("line {before} gives this sample with other content; that one is kept"))
            });
        }
        // What the newest finished import said: the same again changes nothing, even where curation revised it since.
        let known: Option<(u32, [u8; 32])> = audit
            .prepare_cached(
                "SELECT o.version, o.content FROM sample_origins o JOIN imports i ON i.n = o.import
                 WHERE o.sample = ?1 AND i.completed_at IS NOT NULL ORDER BY o.import DESC LIMIT 1",
            )?
            .query_row(params![id.as_bytes()], |row| Ok((encode::small(row, 0)?, row.get(1)?)))
            .optional()?;
        let (version, added) = match known {
            Some((version, known)) if known == content => (version, false),
            _ => {
                // A chunk that was half committed may have left the version already.
                let newest = samples::newest(&self.content.rubrics, id)?;
                let again = newest > 0
                    && samples::get(&self.content.rubrics, id, newest)?.as_ref() == Some(sample)
                    && samples::standing(audit, id)? != Some(newest);
                (if again { newest } else { newest + 1 }, true)
            }
        };
        audit
            .prepare_cached(
                "INSERT OR REPLACE INTO sample_origins (import, sample, version, key, line, content, added)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            )?
            .execute(params![
                self.n,
                id.as_bytes(),
                version,
                sample.key,
                encode::signed(line),
                content,
                added
            ])?;
        samples::put(&self.content.rubrics, id, version, sample)?;
        Ok(if added { Put::Added } else { Put::Unchanged })
    }

    /// A sample as it stands, by its key; none that a finished import brought.
    pub fn standing_sample(&self, key: &str) -> Result<Option<Sample>> {
        let id = SampleId::from_bytes(self.content.secret.id("sample", &[key.as_bytes()]));
        match samples::standing(&self.content.audit, id)? {
            Some(version) => samples::get(&self.content.rubrics, id, version),
            None => Ok(None),
        }
    }

    /// Takes a prediction. The last row of a (sample, model, context) wins, within a file and between files.
    pub fn put_prediction(&mut self, line: u64, prediction: &Prediction) -> Result<Put> {
        self.chunk()?;
        let audit = &self.content.audit;
        let line = encode::signed(line);
        let context = prediction.context.map_or("", |kind| kind.name());
        audit
            .prepare_cached("DELETE FROM predictions WHERE import = ?1 AND line = ?2")?
            .execute(params![self.n, line])?;
        let known: Option<String> = audit
            .prepare_cached(
                "SELECT choice FROM predictions WHERE sample_key = ?1 AND model = ?2 AND context = ?3
                   AND ((import = ?4 AND line < ?5) OR (import <> ?4 AND state = 1))
                 ORDER BY import = ?4 DESC, line DESC LIMIT 1",
            )?
            .query_row(params![prediction.sample_key, prediction.model, context, self.n, line], |row| {
                row.get(0)
            })
            .optional()?;
        if known.as_ref() == Some(&prediction.choice) {
            return Ok(Put::Unchanged);
        }
        audit
            .prepare_cached(
                "INSERT INTO predictions (import, line, state, sample_key, model, context, choice)
                 VALUES (?1, ?2, 0, ?3, ?4, ?5, ?6)",
            )?
            .execute(params![
                self.n,
                line,
                prediction.sample_key,
                prediction.model,
                context,
                prediction.choice
            ])?;
        Ok(Put::Added)
    }
}
