//! The lines that bash and the analysis are compared on: composed, mutated and random, the same for the same seed.
//!
//! Promises an endless and repeatable supply. Knows nothing of bash or of the analysis.

mod flowing;
mod grammar;
mod mutation;
mod noise;

use crate::random::Random;

/// The longest line, in bytes. Longer ones show nothing new and take long.
const MAX_LINE_BYTES: usize = 600;

/// How a line was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Composed of constructs, well-formed as far as its maker knows.
    Grammar {
        /// With a command in it that takes code from its arguments or from a variable.
        evaluating: bool,
    },
    /// A command of a corpus, changed.
    Mutation,
    /// Bytes.
    Noise,
}

/// Makes lines.
pub(crate) struct Generator<'c> {
    random: Random,
    corpus: &'c [String],
}

impl<'c> Generator<'c> {
    pub(crate) fn new(seed: u64, corpus: &'c [String]) -> Self {
        Self { random: Random::new(seed), corpus }
    }

    /// The next line.
    pub(crate) fn line(&mut self) -> (Origin, String) {
        loop {
            let (origin, mut line) = match self.random.below(20) {
                0..8 => {
                    let (line, evaluating) = grammar::line(&mut self.random);
                    (Origin::Grammar { evaluating }, line)
                }
                8..17 => (Origin::Mutation, mutation::line(&mut self.random, self.corpus)),
                _ => (Origin::Noise, noise::line(&mut self.random)),
            };
            // These separate the records of what ran, and NUL the lines.
            line.retain(|character| !matches!(character, '\0' | '\u{1d}' | '\u{1e}' | '\u{1f}'));
            if !line.trim().is_empty() && line.len() <= MAX_LINE_BYTES {
                return (origin, line);
            }
        }
    }
}
