//! What was found in a command, and the judgement that it adds up to.
//!
//! Promises that nothing found makes a judgement milder: attack and catastrophic beat destructive, destructive beats safe, and
//! what is not known is never safe. Knows nothing of how something is found.

use crate::gate::{FailureCause, Outcome, RatingSource, Verdict};

/// What was found so far: of each kind the first, in one sentence.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    attack: Option<String>,
    catastrophic: Option<String>,
    destructive: Option<String>,
    unknown: Option<String>,
    safe: Option<String>,
}

impl Findings {
    /// Adds something that is known.
    pub(crate) fn add(&mut self, outcome: Outcome, sentence: impl FnOnce() -> String) {
        let slot = match outcome {
            Outcome::Attack => &mut self.attack,
            Outcome::Catastrophic => &mut self.catastrophic,
            Outcome::Destructive => &mut self.destructive,
            Outcome::Safe => &mut self.safe,
        };
        slot.get_or_insert_with(sentence);
    }

    /// Adds something that is not known.
    pub(crate) fn not_assessed(&mut self, sentence: impl FnOnce() -> String) {
        self.unknown.get_or_insert_with(sentence);
    }

    /// Whether nothing was found.
    pub(super) fn is_empty(&self) -> bool {
        let all = [&self.attack, &self.catastrophic, &self.destructive, &self.unknown, &self.safe];
        all.iter().all(|slot| slot.is_none())
    }

    /// Takes over what others found.
    pub(super) fn take(&mut self, other: Self) {
        let Self { attack, catastrophic, destructive, unknown, safe } = other;
        let slots = [
            (&mut self.attack, attack),
            (&mut self.catastrophic, catastrophic),
            (&mut self.destructive, destructive),
            (&mut self.unknown, unknown),
            (&mut self.safe, safe),
        ];
        for (slot, found) in slots {
            if slot.is_none() {
                *slot = found;
            }
        }
    }

    /// The judgement.
    pub(crate) fn verdict(self) -> Verdict {
        let verdict = |outcome, reason, cause| Verdict {
            outcome,
            reason,
            suggested_tool: None,
            source: RatingSource::BuiltIn,
            cause,
        };
        match (self.attack, self.catastrophic, self.destructive, self.unknown) {
            (Some(attack), Some(loss), _, _) => verdict(Outcome::Attack, format!("{attack} {loss}"), None),
            (Some(attack), None, _, _) => verdict(Outcome::Attack, attack, None),
            (None, Some(loss), _, _) => verdict(Outcome::Catastrophic, loss, None),
            (None, None, Some(known), None) => verdict(Outcome::Destructive, known, None),
            (None, None, known, Some(gap)) => {
                let reason = known.map_or_else(|| gap.clone(), |known| format!("{known} {gap}"));
                verdict(Outcome::Destructive, reason, Some(FailureCause::NotAssessed))
            }
            (None, None, None, None) => {
                let reason = self.safe.unwrap_or_else(|| "It runs nothing.".to_owned());
                verdict(Outcome::Safe, reason, None)
            }
        }
    }
}
