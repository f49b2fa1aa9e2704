//! Whether the lines of an export are a stretch of a chain: every hash, every link, no gap.
//!
//! Promises constant memory, and that what it calls whole hashes from its first record to its last. What comes before the
//! first record and after the last is beyond a file's knowledge; a head that was noted down elsewhere settles that.

use super::line::{LineError, row_of};
use crate::store::audit::{Walk, genesis};
use crate::store::{BrokenLink, Head, RecordHash, RecordRow};
use thiserror::Error;

/// What is wrong with an export.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ExportError {
    /// A line that holds no record.
    #[error("{0}")]
    Line(LineError),
    /// A link that does not hold.
    #[error("{0}")]
    Link(BrokenLink),
    /// Records of two projects, whose chains have nothing to do with each other.
    #[error("record {sequence} is of project {found}, and the records before it are of {project}")]
    OtherProject {
        /// Where.
        sequence: u64,
        /// Whose record it is.
        found: String,
        /// Whose the others are.
        project: String,
    },
    /// A head that was noted down is not in the export.
    #[error("record {sequence} has another hash than the one that was noted down")]
    OtherHead {
        /// Where.
        sequence: u64,
    },
    /// A head that was noted down lies outside of the export.
    #[error("record {sequence}, whose hash was noted down, is not among the records {first} to {last}")]
    HeadNotThere {
        /// Where it should be.
        sequence: u64,
        /// The first record that is there.
        first: u64,
        /// The last one.
        last: u64,
    },
}

/// What was found whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The project.
    pub project: String,
    /// The first record.
    pub first: u64,
    /// How many records there are.
    pub count: u64,
    /// The last one, with the hash that the chain has there.
    pub last: Head,
}

/// A check under way.
#[derive(Debug, Default)]
pub struct ExportCheck {
    begun: Option<Begun>,
    noted: Option<Head>,
    noted_found: bool,
}

#[derive(Debug)]
struct Begun {
    project: String,
    first: u64,
    walk: Walk,
}

impl ExportCheck {
    /// A check that also wants to find a head that was noted down.
    #[must_use]
    pub fn with_noted(noted: Option<Head>) -> Self {
        Self { noted, ..Self::default() }
    }

    /// A check that goes on behind a record that was checked before.
    #[must_use]
    pub fn behind(record: &RecordRow) -> Self {
        let last = Head { sequence: record.sequence, hash: record.hash };
        let first = record.sequence.saturating_add(1);
        let begun = Begun { project: record.project.clone(), first, walk: Walk::new(last, open_end()) };
        Self { begun: Some(begun), ..Self::default() }
    }

    /// Checks the next line.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn line(&mut self, text: &str) -> Result<(), ExportError> {
        self.record(&row_of(text).map_err(ExportError::Line)?)
    }

    /// Checks the next record.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn record(&mut self, record: &RecordRow) -> Result<(), ExportError> {
        let begun = self.begun.get_or_insert_with(|| Begun::with(record));
        if begun.project != record.project {
            return Err(ExportError::OtherProject {
                sequence: record.sequence,
                found: record.project.clone(),
                project: begun.project.clone(),
            });
        }
        begun.walk.step(record).map_err(ExportError::Link)?;
        if let Some(noted) = self.noted
            && noted.sequence == record.sequence
        {
            if noted.hash != record.hash {
                return Err(ExportError::OtherHead { sequence: record.sequence });
            }
            self.noted_found = true;
        }
        Ok(())
    }

    /// How many records were found whole.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.begun.as_ref().map_or(0, |begun| begun.walk.checked())
    }

    /// What was found whole; `None` where there was no record.
    ///
    /// # Errors
    /// The head that was noted down is not there.
    pub fn finish(self) -> Result<Option<Checked>, ExportError> {
        let checked = self.begun.map(|begun| Checked {
            first: begun.first,
            count: begun.walk.checked(),
            last: begun.walk.last(),
            project: begun.project,
        });
        match self.noted {
            Some(noted) if !self.noted_found => Err(ExportError::HeadNotThere {
                sequence: noted.sequence,
                first: checked.as_ref().map_or(0, |checked| checked.first),
                last: checked.as_ref().map_or(0, |checked| checked.last.sequence),
            }),
            Some(_) | None => Ok(checked),
        }
    }
}

impl Begun {
    /// The first record is believed about what comes before it, unless it is the first of all.
    fn with(record: &RecordRow) -> Self {
        let before = match record.sequence {
            0 | 1 => Head { sequence: 0, hash: genesis(&record.project) },
            sequence => Head { sequence: sequence.saturating_sub(1), hash: record.previous_hash },
        };
        Self { project: record.project.clone(), first: record.sequence, walk: Walk::new(before, open_end()) }
    }
}

/// An end that is never reached: where an export ends is known when it has.
fn open_end() -> Head {
    Head { sequence: u64::MAX, hash: RecordHash([0; 32]) }
}

#[cfg(test)]
mod tests {
    use super::super::line::render;
    use super::*;
    use crate::store::audit::record_hash;

    fn chain(length: u64) -> Vec<RecordRow> {
        let mut previous_hash = genesis("shop");
        let mut rows = Vec::new();
        for sequence in 1..=length {
            let mut row = RecordRow {
                project: "shop".into(),
                sequence,
                id: format!("r-{sequence}"),
                at: 1_700_000_000_000_000,
                kind: "session".into(),
                session: Some("s".into()),
                run: None,
                action: None,
                stage: None,
                text: "session opened".into(),
                body_json: "{}".into(),
                previous_hash,
                hash: RecordHash([0; 32]),
            };
            row.hash = record_hash(&row);
            previous_hash = row.hash;
            rows.push(row);
        }
        rows
    }

    fn check(rows: &[RecordRow], noted: Option<Head>) -> Result<Option<Checked>, ExportError> {
        let mut check = ExportCheck::with_noted(noted);
        for row in rows {
            check.line(&render(row).unwrap())?;
        }
        check.finish()
    }

    #[test]
    fn a_stretch_is_whole_wherever_it_begins_and_ends() {
        let rows = chain(5);
        let found = check(&rows, None).unwrap().unwrap();
        assert_eq!((found.first, found.count, found.last.sequence), (1, 5, 5));
        let found = check(&rows[2..4], None).unwrap().unwrap();
        assert_eq!((found.first, found.count, found.last.hash), (3, 2, rows[3].hash));
        assert_eq!(check(&[], None).unwrap(), None);
        let mut on = ExportCheck::behind(&rows[1]);
        rows[2..].iter().for_each(|row| on.record(row).unwrap());
        assert_eq!(on.finish().unwrap().unwrap().first, 3);
    }

    #[test]
    fn whatever_is_changed_added_or_taken_away_shows() {
        let rows = chain(5);
        let changed = |index: usize, change: fn(&mut RecordRow)| {
            let mut rows = rows.clone();
            change(&mut rows[index]);
            check(&rows, None)
        };
        assert!(changed(2, |row| row.text.push('!')).is_err());
        assert!(changed(0, |row| row.previous_hash = RecordHash([9; 32])).is_err(), "the first of all");
        assert!(changed(3, |row| row.project.push('x')).is_err());
        let resealed = |row: &mut RecordRow| {
            row.body_json = "{\"by\":\"somebody else\"}".into();
            row.hash = record_hash(row);
        };
        assert!(changed(2, resealed).is_err(), "its successor remembers another");
        let mut gap = rows.clone();
        gap.remove(2);
        assert!(check(&gap, None).is_err());
        let mut swapped = rows.clone();
        swapped.swap(1, 2);
        assert!(check(&swapped, None).is_err());
        assert!(ExportCheck::behind(&rows[1]).record(&rows[3]).is_err(), "a gap behind what there was");
    }

    #[test]
    fn a_head_that_was_noted_down_must_be_there() {
        let rows = chain(5);
        let noted = |sequence, hash| check(&rows, Some(Head { sequence, hash }));
        assert!(noted(5, rows[4].hash).is_ok());
        assert!(noted(5, rows[3].hash).is_err());
        assert!(noted(6, rows[4].hash).is_err(), "the newest records were cut off");
    }
}
