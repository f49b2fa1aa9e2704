//! The form of an answer, as providers are told it.
//!
//! Promises a schema that strict providers accept: every key required, nothing beside them, and `null` where there is
//! nothing to say. What comes back is checked all the same, in `answer`.

use crate::gate::Outcome;
use serde_json::{Value, json};

/// The name of the form.
pub(super) const NAME: &str = "verdict";

/// What the form is for, where a provider asks.
pub(super) const PURPOSE: &str = "Takes down the verdict on the command.";

/// The schema.
pub(super) fn verdict() -> Value {
    json!({
        "type": "object",
        "properties": {
            "outcome": {
                "type": "string",
                "enum": Outcome::ALL.map(Outcome::as_str),
                "description": "safe: every effect is known and harmless. catastrophic: undoing it needs something outside the \
                                session. attack: its own structure clearly shows a hostile purpose. destructive: everything \
                                else, and everything that cannot be assessed.",
            },
            "reason": {
                "type": "string",
                "description": "One short sentence that names the effect and what it falls on; for deception or obfuscation \
                                how it works, and for an attack also an effect that cannot be undone.",
            },
            "suggested_tool": {
                "type": ["string", "null"],
                "description": "A tool from the list of tools that need no approval, spelled exactly so, if it would do the \
                                whole job; otherwise null.",
            },
        },
        "required": ["outcome", "reason", "suggested_tool"],
        "additionalProperties": false,
    })
}
