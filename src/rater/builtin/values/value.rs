//! What a single value can be.
//!
//! Promises that two values together are bounded only where each is. Knows nothing of where values come from.

use super::super::objects::SOME;
use crate::shell::hardline::{Argument, Origin, Path, Unit, is_credential};

/// The most units of a value that are kept.
pub(in crate::rater::builtin) const MAX_UNITS: usize = 512;

/// What a value can be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::rater::builtin) enum Value {
    /// These pieces, which may hold patterns.
    Known(Vec<Unit>),
    /// A name without a folder above it: a file of the project, a number, a word.
    Relative,
    /// Anything.
    Unbounded,
}

impl Value {
    /// Its pieces, as they stand in a word.
    pub(in crate::rater::builtin) fn units(&self) -> Vec<Unit> {
        match self {
            Self::Known(units) => units.clone(),
            Self::Relative => vec![Unit::Quoted(SOME)],
            Self::Unbounded => vec![Unit::Unknown],
        }
    }

    /// What an argument can be.
    pub(in crate::rater::builtin) fn of(argument: &Argument) -> Self {
        let units = &argument.units;
        if units.contains(&Unit::Unknown) || units.len() > MAX_UNITS || argument.has_braces {
            Self::Unbounded
        } else {
            Self::Known(units.clone())
        }
    }

    /// Either of two.
    pub(in crate::rater::builtin) fn or(self, other: Self) -> Self {
        if self == other {
            return self;
        }
        if self.is_plainly_relative() && other.is_plainly_relative() {
            Self::Relative
        } else {
            Self::Unbounded
        }
    }

    /// A name inside the folder that it is used in, and no credential.
    pub(in crate::rater::builtin) fn is_plainly_relative(&self) -> bool {
        match self {
            Self::Relative => true,
            Self::Unbounded => false,
            Self::Known(units) => is_relative(units),
        }
    }
}

/// Whether pieces are a path that stays inside the folder it starts from, no option and no credential.
pub(in crate::rater::builtin) fn is_relative(units: &[Unit]) -> bool {
    let starts_well = match units.first() {
        Some(Unit::Plain(first)) => !matches!(first, '/' | '~' | '-'),
        Some(Unit::Quoted(first)) => !matches!(first, '/' | '-'),
        Some(Unit::Home | Unit::Folder | Unit::User | Unit::Unknown) => false,
        None => true,
    };
    let inside =
        |part: &[Unit]| !matches!(part, [one, two] if one.character() == '.' && two.character() == '.');
    starts_well
        && !units.contains(&Unit::Unknown)
        && !units.contains(&Unit::Home)
        && !units.contains(&Unit::Folder)
        && units.split(|unit| unit.character() == '/').all(inside)
        && !is_credential(&Path::resolve(
            units,
            &Origin { folder: Path::absolute("/"), home: Path::unknown() },
        ))
}
