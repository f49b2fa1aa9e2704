//! The hash chain of a project's audit records: how a link is computed, and a walk that names the first broken one.
//! Pure: it is handed records one at a time and knows nothing of where they are kept.
//!
//! An outsider can verify an export with SHA-256 alone. A *field* is its length in bytes as a 64-bit big-endian number
//! followed by the bytes; a number is the field of its 64-bit big-endian (two's complement) form; an absent field is the
//! length 2^64-1 alone. Then
//!
//! ```text
//! genesis = SHA-256(field("haltgate.audit.v1.genesis") field(project))
//! hash    = SHA-256(field("haltgate.audit.v1") field(previous_hash) number(sequence) field(project) field(id)
//!                   number(at) field(kind) field(session) field(run) field(action) field(stage) field(text)
//!                   field(body))
//! ```
//!
//! with `at` in microseconds since 1970, `text` and `body` the UTF-8 bytes exactly as stored, and the genesis as the
//! previous hash of sequence 1. Beside the records the store keeps each project's head (last sequence and hash), so that
//! cutting off the newest records shows. Where retention dropped the oldest records, a record of the chain names the last of
//! them with its hash, and the chain goes on from there: a beginning that no record explains was cut by somebody else.
//!
//! The chain has no key: whoever can rewrite the whole file can rewrite the whole chain. Noting the head elsewhere from time to
//! time closes that gap.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use thiserror::Error;

use super::rows::{RecordHash, RecordRow};

const GENESIS_DOMAIN: &[u8] = b"haltgate.audit.v1.genesis";
const RECORD_DOMAIN: &[u8] = b"haltgate.audit.v1";

/// What a verification found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verification {
    /// The project.
    pub project: String,
    /// The first sequence that retention has kept; 1 if nothing was dropped.
    pub first: u64,
    /// How many records were checked and found intact.
    pub checked: u64,
    /// The head when the walk began: note it elsewhere to notice a chain that was rewritten as a whole.
    pub head: Option<Head>,
    /// The first broken link; `None` means that the chain is intact.
    pub broken: Option<BrokenLink>,
}

/// An end of a chain: everything up to here hashes to this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// The sequence of the last record.
    pub sequence: u64,
    /// Its hash.
    pub hash: RecordHash,
}

/// The first place where the chain does not hold.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum BrokenLink {
    /// A record is gone from the middle.
    #[error("record {sequence} is missing: the next one is {found}")]
    Missing {
        /// The sequence that should be here.
        sequence: u64,
        /// The sequence that is.
        found: u64,
    },
    /// A record does not follow the one before it.
    #[error("record {sequence} ({id}) names another predecessor than record {}", sequence.saturating_sub(1))]
    WrongPrevious {
        /// Where.
        sequence: u64,
        /// The record's id.
        id: String,
    },
    /// A record's fields are not those it was written with.
    #[error("record {sequence} ({id}) was changed after it was written")]
    Changed {
        /// Where.
        sequence: u64,
        /// The record's id, which may be what was changed.
        id: String,
    },
    /// A record cannot be read as a record at all.
    #[error("record {sequence} cannot be read: {reason}")]
    Unreadable {
        /// Where.
        sequence: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// The newest records are gone.
    #[error("the newest records are missing: the last one is {last}, but {head} were written")]
    Truncated {
        /// The last sequence that is there.
        last: u64,
        /// The last sequence that was written.
        head: u64,
    },
    /// There are records after the head, which the store did not write.
    #[error("record {sequence} was added after the head, which is {head}")]
    BeyondHead {
        /// The first of them.
        sequence: u64,
        /// The last sequence that was written.
        head: u64,
    },
    /// The last record is not the one that was written last.
    #[error("record {sequence} is not the one that the head remembers")]
    WrongHead {
        /// Where.
        sequence: u64,
    },
    /// The oldest records are gone, and no record says that retention dropped them.
    #[error("the chain begins at record {first}, and no record says that retention deleted what came before")]
    Unexplained {
        /// The first sequence that is kept.
        first: u64,
    },
    /// There are records, but the store's memory of where they end is gone.
    #[error("the head of the chain is missing, but records are there")]
    HeadMissing,
}

/// The kind of the records by which a chain says what retention dropped of it.
pub const RETENTION: &str = "retention";

/// What a record of the kind [`RETENTION`] says of the records that were dropped: everything up to a place, which ended with
/// this link. By it, a chain that begins late because of retention can be told from one that somebody cut.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cut {
    /// The sequence of the last record that was dropped.
    pub through: u64,
    /// Its hash, in lower-case hexadecimal.
    pub hash: String,
}

impl Cut {
    /// What the chain's new beginning has to be explained by.
    #[must_use]
    pub fn at(base: &Head) -> Self {
        Self { through: base.sequence, hash: base.hash.to_string() }
    }

    /// Whether a record says so, by its kind and body.
    #[must_use]
    pub fn is_told_by(&self, kind: &str, body_json: &str) -> bool {
        kind == RETENTION && serde_json::from_str::<Self>(body_json).is_ok_and(|told| told == *self)
    }
}

/// The link that record 1 of a project follows.
#[must_use]
pub fn genesis(project: &str) -> RecordHash {
    let mut hasher = Sha256::new();
    field(&mut hasher, GENESIS_DOMAIN);
    field(&mut hasher, project.as_bytes());
    RecordHash(hasher.finalize().into())
}

/// The link that the record's fields make; its own `hash` does not count.
#[must_use]
pub fn record_hash(record: &RecordRow) -> RecordHash {
    let mut hasher = Sha256::new();
    field(&mut hasher, RECORD_DOMAIN);
    field(&mut hasher, &record.previous_hash.0);
    field(&mut hasher, &record.sequence.to_be_bytes());
    field(&mut hasher, record.project.as_bytes());
    field(&mut hasher, record.id.as_bytes());
    field(&mut hasher, &record.at.to_be_bytes());
    field(&mut hasher, record.kind.as_bytes());
    for optional in [&record.session, &record.run, &record.action, &record.stage] {
        match optional {
            Some(value) => field(&mut hasher, value.as_bytes()),
            None => hasher.update(u64::MAX.to_be_bytes()),
        }
    }
    field(&mut hasher, record.text.as_bytes());
    field(&mut hasher, record.body_json.as_bytes());
    RecordHash(hasher.finalize().into())
}

fn field(hasher: &mut Sha256, bytes: &[u8]) {
    let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    hasher.update(length.to_be_bytes());
    hasher.update(bytes);
}

/// Checks records in order of their sequence, in constant memory.
#[derive(Debug)]
pub struct Walk {
    last: Head,
    head: Head,
    checked: u64,
}

impl Walk {
    /// A walk from `base` (sequence 0 and the genesis, unless retention dropped records) to `head`.
    #[must_use]
    pub fn new(base: Head, head: Head) -> Self {
        Self { last: base, head, checked: 0 }
    }

    /// The end of what was checked so far.
    #[must_use]
    pub fn last(&self) -> Head {
        self.last
    }

    /// How many records were found intact.
    #[must_use]
    pub fn checked(&self) -> u64 {
        self.checked
    }

    /// Checks the next record that is there.
    ///
    /// # Errors
    /// Names the link that is broken; the walk is over then.
    pub fn step(&mut self, record: &RecordRow) -> Result<(), BrokenLink> {
        let sequence = record.sequence;
        self.expect(sequence)?;
        if record.previous_hash != self.last.hash {
            return Err(BrokenLink::WrongPrevious { sequence, id: record.id.clone() });
        }
        if record_hash(record) != record.hash {
            return Err(BrokenLink::Changed { sequence, id: record.id.clone() });
        }
        if sequence == self.head.sequence && record.hash != self.head.hash {
            return Err(BrokenLink::WrongHead { sequence });
        }
        self.last = Head { sequence, hash: record.hash };
        self.checked = self.checked.saturating_add(1);
        Ok(())
    }

    /// Checks that the record which comes next, readable or not, has the sequence that must come next.
    ///
    /// # Errors
    /// Names the gap, or the record that nobody wrote.
    pub fn expect(&self, found: u64) -> Result<(), BrokenLink> {
        let sequence = self.last.sequence.saturating_add(1);
        if sequence > self.head.sequence {
            return Err(BrokenLink::BeyondHead { sequence: found, head: self.head.sequence });
        }
        if found > self.head.sequence {
            return Err(BrokenLink::Truncated { last: self.last.sequence, head: self.head.sequence });
        }
        if found != sequence {
            return Err(BrokenLink::Missing { sequence, found });
        }
        Ok(())
    }

    /// Checks that the walk has reached the head, once no record is left.
    ///
    /// # Errors
    /// Says how far the records go.
    pub fn finish(&self) -> Result<(), BrokenLink> {
        if self.last.sequence < self.head.sequence {
            return Err(BrokenLink::Truncated { last: self.last.sequence, head: self.head.sequence });
        }
        if self.last.hash != self.head.hash {
            return Err(BrokenLink::WrongHead { sequence: self.last.sequence });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> RecordRow {
        RecordRow {
            project: "shop".into(),
            sequence: 1,
            id: "r-1".into(),
            at: 1_700_000_000_000_000,
            kind: "decision".into(),
            session: Some("s".into()),
            run: None,
            action: Some("APPROVE".into()),
            stage: Some("RATER".into()),
            text: "git status".into(),
            body_json: "{}".into(),
            previous_hash: genesis("shop"),
            hash: RecordHash([0; 32]),
        }
    }

    /// The figures come from a Python script that follows the module's description with hashlib and struct alone.
    #[test]
    fn an_outsider_computes_the_same_links_from_the_description() {
        assert_eq!(
            genesis("shop").to_string(),
            "5c35b4210608f0cbe7aaf4c631c4ab09c681a64592c68ca378327817ab3835db"
        );
        assert_eq!(
            record_hash(&record()).to_string(),
            "86415079438f965f56124f612ad4f8019c2cd4db47ae879acad902ed7bde31c8"
        );
    }

    #[test]
    fn every_field_is_part_of_the_link() {
        type Change = fn(&mut RecordRow);
        let changes: [(&str, Change); 12] = [
            ("project", |row| row.project.push('x')),
            ("sequence", |row| row.sequence = 2),
            ("id", |row| row.id.push('x')),
            ("at", |row| row.at += 1),
            ("kind", |row| row.kind.push('x')),
            ("session", |row| row.session = None),
            ("run", |row| row.run = Some(String::new())),
            ("action", |row| row.action = Some("REJECT".into())),
            ("stage", |row| row.stage = None),
            ("text", |row| row.text.push(' ')),
            ("body", |row| row.body_json.push(' ')),
            ("previous hash", |row| row.previous_hash = RecordHash([7; 32])),
        ];
        for (name, change) in changes {
            let mut changed = record();
            change(&mut changed);
            assert_ne!(record_hash(&changed), record_hash(&record()), "{name}");
        }
    }

    #[test]
    fn text_cannot_be_moved_between_neighbouring_fields() {
        let mut moved = record();
        moved.session = None;
        moved.run = Some("s".into());
        assert_ne!(record_hash(&moved), record_hash(&record()));
        let mut joined = record();
        joined.text = "git status{}".into();
        joined.body_json.clear();
        assert_ne!(record_hash(&joined), record_hash(&record()));
    }
}
