//! Walks a project's chain a slice at a time, so that neither memory nor a reader thread is held for long.
//! Knows how records are stored; what makes a link whole is `audit`'s.

use rusqlite::{Connection, OptionalExtension, params};

use super::columns::{self, integer};
use crate::store::audit::{self, BrokenLink, Cut, Head, Verification, Walk};
use crate::store::rows::RecordHash;

/// Records that one slice checks.
const SLICE: u32 = 1_000;

/// The ends of a chain as the store remembers them.
struct Ends {
    base: Head,
    head: Head,
}

/// A verification in progress; it holds no record and no lock.
pub(super) struct Verifier {
    project: String,
    walk: Walk,
    ends: Option<Ends>,
}

/// What a slice came to.
pub(super) enum Slice {
    /// There is more to check.
    More(Verifier),
    /// The walk is over.
    Done(Verification),
}

impl Verifier {
    pub(super) fn start(connection: &Connection, project: String) -> rusqlite::Result<Self> {
        let ends = ends(connection, &project)?;
        let genesis = Head { sequence: 0, hash: audit::genesis(&project) };
        let walk = match &ends {
            Some(ends) => Walk::new(ends.base, ends.head),
            None => Walk::new(genesis, genesis),
        };
        Ok(Self { project, walk, ends })
    }

    /// How many records were checked, and the sequence the walk will end at.
    pub(super) fn progress(&self) -> (u64, u64) {
        (self.walk.checked(), self.ends.as_ref().map_or(0, |ends| ends.head.sequence))
    }

    pub(super) fn slice(mut self, connection: &Connection) -> rusqlite::Result<Slice> {
        let step = self.step(connection)?;
        if let Some(broken) = step {
            // Retention may have dropped what the walk was about to read: then it goes on from the new start.
            let now = ends(connection, &self.project)?;
            if let (Some(then), Some(now)) = (&mut self.ends, now)
                && now.base.sequence > self.walk.last().sequence
                && now.base.sequence > then.base.sequence
            {
                // It may even have dropped the head that the walk was to end at, of a chain that others write to.
                let head = if now.base.sequence < then.head.sequence { then.head } else { now.head };
                *then = Ends { base: now.base, head };
                self.walk = Walk::new(then.base, then.head);
                return Ok(Slice::More(self));
            }
            return Ok(Slice::Done(self.verification(Some(broken))));
        }
        if self.ends.as_ref().is_none_or(|ends| self.walk.last().sequence >= ends.head.sequence) {
            let unexplained = unexplained(connection, &self.project)?;
            return Ok(Slice::Done(self.verification(unexplained)));
        }
        Ok(Slice::More(self))
    }

    /// Checks the next records, without looking past the head unless the head is reached in this slice.
    fn step(&mut self, connection: &Connection) -> rusqlite::Result<Option<BrokenLink>> {
        let transaction = connection.unchecked_transaction()?;
        let Some(head) = self.ends.as_ref().map(|ends| ends.head.sequence) else {
            let orphan: Option<i64> = transaction
                .prepare_cached("SELECT sequence FROM records WHERE project = ?1 LIMIT 1")?
                .query_row([&self.project], |row| row.get(0))
                .optional()?;
            // A record that was written since the walk began has brought its head with it.
            let headless = orphan.is_some() && ends(&transaction, &self.project)?.is_none();
            return Ok(headless.then_some(BrokenLink::HeadMissing));
        };
        let mut statement = transaction.prepare_cached(&format!(
            "SELECT {} FROM records WHERE project = ?1 AND sequence > ?2 AND sequence <= ?3 ORDER BY sequence LIMIT ?4",
            columns::RECORD
        ))?;
        let after = integer(self.walk.last().sequence);
        let mut rows = statement.query(params![self.project, after, integer(head), SLICE])?;
        let mut read = 0_u32;
        while let Some(row) = rows.next()? {
            read = read.saturating_add(1);
            let sequence: i64 = row.get(1)?;
            let sequence = u64::try_from(sequence).unwrap_or(0);
            let checked = match columns::record(row) {
                Ok(record) => self.walk.step(&record),
                Err(error) => self
                    .walk
                    .expect(sequence)
                    .and(Err(BrokenLink::Unreadable { sequence, reason: error.to_string() })),
            };
            if let Err(broken) = checked {
                return Ok(Some(broken));
            }
        }
        if read == SLICE {
            return Ok(None);
        }
        if let Err(broken) = self.walk.finish() {
            return Ok(Some(broken));
        }
        beyond_head(&transaction, &self.project)
    }

    fn verification(self, broken: Option<BrokenLink>) -> Verification {
        Verification {
            first: self.ends.as_ref().map_or(1, |ends| ends.base.sequence.saturating_add(1)),
            checked: self.walk.checked(),
            head: self.ends.map(|ends| ends.head),
            broken,
            project: self.project,
        }
    }
}

/// Whether the chain begins late *now* and no record says that retention made it so. The latest that do come first.
fn unexplained(connection: &Connection, project: &str) -> rusqlite::Result<Option<BrokenLink>> {
    let transaction = connection.unchecked_transaction()?;
    let Some(base) = ends(&transaction, project)?.map(|ends| ends.base).filter(|base| base.sequence > 0)
    else {
        return Ok(None);
    };
    let cut = Cut::at(&base);
    let mut statement = transaction.prepare_cached(&format!(
        "SELECT {} FROM records WHERE project = ?1 AND kind = ?2 AND sequence > ?3 ORDER BY sequence DESC",
        columns::RECORD
    ))?;
    let mut rows = statement.query(params![project, audit::RETENTION, integer(base.sequence)])?;
    while let Some(row) = rows.next()? {
        if columns::record(row).is_ok_and(|record| {
            audit::record_hash(&record) == record.hash && cut.is_told_by(&record.kind, &record.body_json)
        }) {
            return Ok(None);
        }
    }
    Ok(Some(BrokenLink::Unexplained { first: base.sequence.saturating_add(1) }))
}

/// A head that cannot be read counts as none.
fn ends(connection: &Connection, project: &str) -> rusqlite::Result<Option<Ends>> {
    let ends = connection
        .prepare_cached(
            "SELECT sequence, hash, base_sequence, base_hash FROM chain_heads WHERE project = ?1",
        )?
        .query_row([project], |row| {
            let base: Option<[u8; 32]> = row.get(3)?;
            let base_hash = base.map_or_else(|| audit::genesis(project), RecordHash);
            Ok(Ends {
                head: Head { sequence: columns::unsigned(row, 0)?, hash: RecordHash(row.get(1)?) },
                base: Head { sequence: columns::unsigned(row, 2)?, hash: base_hash },
            })
        });
    match ends {
        Ok(ends) => Ok(Some(ends)),
        Err(rusqlite::Error::QueryReturnedNoRows) => Ok(None),
        Err(error) if error.sqlite_error_code().is_none() => Ok(None),
        Err(error) => Err(error),
    }
}

/// A record after the head as it is *now*: the store moves the head with every record it writes.
fn beyond_head(connection: &Connection, project: &str) -> rusqlite::Result<Option<BrokenLink>> {
    let found: Option<(i64, i64)> = connection
        .prepare_cached(
            "SELECT min(records.sequence), chain_heads.sequence FROM records JOIN chain_heads USING (project)
             WHERE project = ?1 AND records.sequence > chain_heads.sequence HAVING count(*) > 0",
        )?
        .query_row([project], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    Ok(found.map(|(sequence, head)| BrokenLink::BeyondHead {
        sequence: u64::try_from(sequence).unwrap_or(0),
        head: u64::try_from(head).unwrap_or(0),
    }))
}
