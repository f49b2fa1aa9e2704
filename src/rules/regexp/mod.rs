//! Regular expressions of rule entries: the ECMAScript dialect, unanchored, as written, without flags.
//!
//! Promises a bound: linear time where the pattern allows it, else a step budget; the end of either is a third answer. Knows nothing
//! of entries and lists.

mod backtrack;
mod linear;
mod literals;
mod parse;
mod syntax;

#[cfg(test)]
mod tests;

use self::backtrack::{Program, Steps};
use std::sync::{Arc, OnceLock};
use thiserror::Error;

/// The longest pattern, in UTF-16 units as ECMAScript counts them.
pub const MAX_REGEXP_UNITS: usize = 200;

/// Nodes and ranges of a pattern whose counted repeats are written out.
const MAX_EXPANDED_SIZE: u64 = 5_000;

/// Bytes that one pattern compiled for the linear engine may take: more than [`MAX_EXPANDED_SIZE`] ever leads to.
const MAX_COMPILED_BYTES: usize = 64 << 20;

/// Steps of the backtracking engine for one pattern in one decision, before the allowance per byte of text.
const STEPS: u64 = 1_000_000;

/// Further steps for each byte of the texts: a long text is not undecidable for being long.
const STEPS_PER_BYTE: u64 = 32;

/// Nodes and ranges of a pattern times bytes of text that the linear engine may be asked for: about half a second at its
/// worst. Only counted repeats of hundreds on texts of tens of kilobytes come near.
const LINEAR_WORK: u64 = 1 << 28;

/// Why a pattern is refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(super) enum RegexpError {
    /// Over [`MAX_REGEXP_UNITS`].
    #[error(
        "regular expression is {length} UTF-16 units long and the limit is {MAX_REGEXP_UNITS}: `{pattern}`; shorten it or split it into several entries"
    )]
    TooLong {
        /// The pattern, shortened.
        pattern: String,
        /// Its length in UTF-16 units.
        length: usize,
    },
    /// It does not compile.
    #[error("regular expression `{pattern}` does not compile: {reason}")]
    Invalid {
        /// The pattern.
        pattern: String,
        /// What the reader or the engine says.
        reason: String,
    },
}

/// A compiled regular expression.
#[derive(Debug, Clone)]
pub(super) struct Regexp {
    engine: Engine,
    required: Vec<Vec<String>>,
    /// Nodes and ranges with counted repeats written out.
    size: u64,
}

#[derive(Debug, Clone)]
enum Engine {
    Linear(Arc<Linear>),
    Backtracking(Arc<Program>),
}

/// A pattern for the linear engine, which is built once, when it is first needed: a list may hold 100,000 of them.
#[derive(Debug)]
struct Linear {
    translated: String,
    built: OnceLock<Option<regex::Regex>>,
}

impl Linear {
    /// The engine; `None` should it refuse what the limits let through.
    fn engine(&self) -> Option<&regex::Regex> {
        let build = || {
            let mut builder = regex::RegexBuilder::new(&self.translated);
            builder.size_limit(MAX_COMPILED_BYTES).nest_limit(1_000).build().ok()
        };
        self.built.get_or_init(build).as_ref()
    }
}

/// What a search found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Search {
    /// Some text matches.
    Matched,
    /// No text matches.
    NotMatched,
    /// The budget ran out before an answer, or the engine could not be built.
    StepLimit,
}

impl Regexp {
    /// Compiles a pattern as written.
    ///
    /// # Errors
    /// When it is over [`MAX_REGEXP_UNITS`], is no pattern of the dialect, or would grow too large once compiled.
    pub(super) fn new(pattern: &str) -> Result<Self, RegexpError> {
        let length = pattern.encode_utf16().count();
        if length > MAX_REGEXP_UNITS {
            let shown: String = pattern.chars().take(MAX_REGEXP_UNITS).chain(std::iter::once('…')).collect();
            return Err(RegexpError::TooLong { pattern: shown, length });
        }
        let invalid = |reason: String| RegexpError::Invalid { pattern: pattern.to_owned(), reason };
        let tree = parse::parse(pattern).map_err(|error| invalid(error.to_string()))?;
        let size = tree.expanded_size();
        if size > MAX_EXPANDED_SIZE {
            return Err(invalid("its counted repeats grow too large; use smaller counts".to_owned()));
        }
        let required = literals::required(&tree);
        if !tree.needs_backtracking()
            && let Some(translated) = linear::write(&tree)
        {
            let linear = Arc::new(Linear { translated, built: OnceLock::new() });
            return Ok(Self { engine: Engine::Linear(linear), required, size });
        }
        let program = Program::compile(&tree, pattern.len());
        Ok(Self { engine: Engine::Backtracking(Arc::new(program)), required, size })
    }

    /// Whether any of the texts matches; one budget of work for all of them.
    pub(super) fn search<T: AsRef<str>>(&self, texts: &[T]) -> Search {
        let possible = || texts.iter().map(AsRef::as_ref).filter(|text| self.is_possible(text));
        let bytes = possible()
            .fold(0_u64, |sum, text| sum.saturating_add(u64::try_from(text.len()).unwrap_or(u64::MAX)));
        match &self.engine {
            Engine::Linear(linear) => {
                let Some(regex) = linear.engine() else { return Search::StepLimit };
                if bytes.saturating_mul(self.size) > LINEAR_WORK {
                    return Search::StepLimit;
                }
                if possible().any(|text| regex.is_match(text)) { Search::Matched } else { Search::NotMatched }
            }
            Engine::Backtracking(program) => {
                let mut steps = Steps { left: STEPS.saturating_add(bytes.saturating_mul(STEPS_PER_BYTE)) };
                for text in possible() {
                    match program.is_match(text, &mut steps) {
                        Ok(true) => return Search::Matched,
                        Ok(false) => {}
                        Err(backtrack::OutOfSteps) => return Search::StepLimit,
                    }
                }
                Search::NotMatched
            }
        }
    }

    /// Whether the text has the literals without which it is never matched.
    fn is_possible(&self, text: &str) -> bool {
        self.required.iter().all(|option| option.iter().any(|literal| text.contains(literal.as_str())))
    }

    /// Builds the engine now rather than at the first search.
    pub(super) fn build_ahead(&self) {
        match &self.engine {
            Engine::Linear(linear) => {
                linear.engine();
            }
            Engine::Backtracking(_) => {}
        }
    }

    /// Options of literals: for each, a text that holds none of them is never matched.
    pub(super) fn required(&self) -> &[Vec<String>] {
        &self.required
    }
}
