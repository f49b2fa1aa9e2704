//! The closed vocabularies as people type and read them.
//!
//! Promises the contract's own words without their prefixes: `assisted` for `RUNG_ASSISTED`.

use crate::gate::FailureCause;
use crate::proto::v1 as pb;
use clap::ValueEnum;

/// Declares an enumeration that people type, with what it stands for in the contract.
macro_rules! typed {
    ($(#[$doc:meta])* $name:ident => $target:ident { $($(#[$variant_doc:meta])* $variant:ident),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
        pub(super) enum $name {
            $($(#[$variant_doc])* $variant,)+
        }

        impl From<$name> for pb::$target {
            fn from(word: $name) -> Self {
                match word {
                    $($name::$variant => Self::$variant,)+
                }
            }
        }
    };
}

typed! {
    /// A rung of the approvals ladder.
    RungWord => Rung {
        /// Everything but built-in reads asks a human
        Manual,
        /// Everything but built-in reads and writes asks a human
        Write,
        /// Commands are rated; what is not safe asks a human
        Assisted,
        /// Commands are rated and argued over with the agent
        Auto,
        /// Nothing is rated or asked; deny entries still hold
        Bypass,
    }
}

typed! {
    /// How far an answer reaches.
    ScopeWord => Scope {
        /// This one call
        Once,
        /// Until the session is over
        Session,
        /// Every session of the project
        Always,
    }
}

typed! {
    /// How far a grant reaches.
    GrantScopeWord => Scope {
        /// Until the session is over
        Session,
        /// Every session of the project
        Always,
    }
}

typed! {
    /// A human's answer.
    VerdictWord => Verdict {
        /// Let the call run
        Approve,
        /// Refuse the call
        Reject,
        /// Let a halted command run, once
        RunAnyway,
        /// Leave the run halted
        Stop,
    }
}

typed! {
    /// The language of a command.
    DialectWord => ShellDialect {
        /// bash, and sh as bash reads it
        Bash,
        /// Accepted, never read
        Powershell,
        /// Accepted, never read
        Cmd,
    }
}

typed! {
    /// What a decision told its caller.
    ActionWord => Action {
        /// Run the call
        Approve,
        /// Do not run it
        Reject,
        /// A human was asked
        Escalate,
        /// The run ends
        Halt,
        /// Nobody could answer
        Unattended,
    }
}

typed! {
    /// The step that decided.
    StageWord => Stage {
        /// The rung does not gate it
        NotGated,
        /// A deny entry or a denial
        DenyList,
        /// The rung is bypass
        Bypass,
        /// Nothing may let it through
        HardlineFloor,
        /// An escalate entry
        EscalateEntry,
        /// An allow entry or a grant
        AllowList,
        /// An allow entry, and still rated
        AllowTripwire,
        /// The rating
        Rater,
        /// The tool may reach parties outside
        ToolOpenWorldFloor,
        /// Nothing matched, and nothing is rated here
        UnratedRung,
    }
}

typed! {
    /// A hint of a tool's annotations.
    HintWord => Hint {
        /// It changes nothing
        ReadOnly,
        /// It may destroy
        Destructive,
        /// Repeating it changes nothing more
        Idempotent,
        /// It speaks to the world outside
        OpenWorld,
    }
}

/// An action in the words of the contract.
pub(super) fn action(action: pb::Action) -> &'static str {
    short(action.as_str_name(), "ACTION_")
}

/// A stage in the words of the contract.
pub(super) fn stage(stage: pb::Stage) -> &'static str {
    short(stage.as_str_name(), "STAGE_")
}

/// What it means that a stage decided.
pub(super) fn meaning(stage: pb::Stage) -> &'static str {
    match stage {
        pb::Stage::Unspecified => "not decided",
        pb::Stage::NotGated => "nothing here needs an approval",
        pb::Stage::DenyList => "a deny entry or an earlier refusal matched",
        pb::Stage::Bypass => "the rung is bypass",
        pb::Stage::HardlineFloor => "nothing may let this through",
        pb::Stage::EscalateEntry => "an escalate entry matched",
        pb::Stage::AllowList => "an allow entry or a grant matched",
        pb::Stage::AllowTripwire => "an allow entry or a grant matched, and the call was still rated",
        pb::Stage::Rater => "the rating decided",
        pb::Stage::ToolOpenWorldFloor => "the tool may reach parties outside",
        pb::Stage::UnratedRung => "nothing matched, and at this rung nothing is rated",
    }
}

/// A scope in lower case; empty for none.
pub(super) fn scope(scope: pb::Scope) -> &'static str {
    match scope {
        pb::Scope::Unspecified => "",
        pb::Scope::Once => "once",
        pb::Scope::Session => "session",
        pb::Scope::Always => "always",
    }
}

/// A rung as policies write it; `?` for one that is not stated.
pub(super) fn rung(rung: pb::Rung) -> &'static str {
    match rung {
        pb::Rung::Unspecified => "?",
        pb::Rung::Manual => "manual",
        pb::Rung::Write => "write",
        pb::Rung::Assisted => "assisted",
        pb::Rung::Auto => "auto",
        pb::Rung::Bypass => "bypass",
    }
}

/// A rule list as policies write it.
pub(super) fn list(list: pb::RuleList) -> &'static str {
    match list {
        pb::RuleList::Unspecified => "?",
        pb::RuleList::Deny => "deny",
        pb::RuleList::Escalate => "escalate",
        pb::RuleList::Allow => "allow",
    }
}

/// Where an entry comes from.
pub(super) fn layer(layer: pb::RuleLayer) -> &'static str {
    match layer {
        pb::RuleLayer::Unspecified => "of unknown origin",
        pb::RuleLayer::Declared => "declared in the policy",
        pb::RuleLayer::SessionGrant => "granted for this session",
        pb::RuleLayer::PersistedGrant => "granted for the project",
        pb::RuleLayer::Denial => "refused in this session",
    }
}

/// An outcome in lower case.
pub(super) fn outcome(outcome: pb::Outcome) -> &'static str {
    match outcome {
        pb::Outcome::Unspecified => "not rated",
        pb::Outcome::Safe => "safe",
        pb::Outcome::Destructive => "destructive",
        pb::Outcome::Catastrophic => "catastrophic",
        pb::Outcome::Attack => "attack",
    }
}

/// Why a call could not be assessed.
pub(super) fn cause(cause: pb::RatingCause) -> String {
    let cause = match cause {
        pb::RatingCause::Unspecified => return "it was assessed".to_owned(),
        pb::RatingCause::NotAssessed => FailureCause::NotAssessed,
        pb::RatingCause::NoModel => FailureCause::NoModel,
        pb::RatingCause::Timeout => FailureCause::Timeout,
        pb::RatingCause::Unparseable => FailureCause::Unparseable,
        pb::RatingCause::Transport => FailureCause::Transport,
        pb::RatingCause::CircuitOpen => FailureCause::CircuitOpen,
        pb::RatingCause::BudgetSpent => FailureCause::BudgetSpent,
    };
    format!("{}: {}", cause.as_str(), cause.as_words())
}

/// A verdict in lower case.
pub(super) fn verdict(verdict: pb::Verdict) -> &'static str {
    match verdict {
        pb::Verdict::Unspecified => "rejected",
        pb::Verdict::Approve => "approved",
        pb::Verdict::Reject => "rejected",
        pb::Verdict::RunAnyway => "let it run anyway",
        pb::Verdict::Stop => "stopped the run",
    }
}

/// Why a human is asked, by the stage that asks.
pub(super) fn reason_to_ask(stage: pb::Stage) -> &'static str {
    match stage {
        pb::Stage::EscalateEntry => "an escalate entry of the policy asks for you",
        pb::Stage::Rater => "the rating asks for you",
        pb::Stage::AllowTripwire => "allowed, but its rating asks for you",
        pb::Stage::ToolOpenWorldFloor => "this tool may reach parties outside",
        pb::Stage::UnratedRung => "nothing allows it, and this rung rates nothing",
        pb::Stage::Unspecified
        | pb::Stage::NotGated
        | pb::Stage::DenyList
        | pb::Stage::Bypass
        | pb::Stage::HardlineFloor
        | pb::Stage::AllowList => meaning(stage),
    }
}

/// What became of a question.
pub(super) fn escalation_state(state: pb::EscalationState) -> &'static str {
    match state {
        pb::EscalationState::Unspecified => "settled",
        pb::EscalationState::Open => "waiting",
        pb::EscalationState::Approved => "approved",
        pb::EscalationState::Rejected => "rejected",
        pb::EscalationState::Withdrawn => "withdrawn, counts as rejected",
        pb::EscalationState::Expired => "expired, counts as rejected",
    }
}

/// What became of a halted run.
pub(super) fn halt_state(state: pb::AttackHaltState) -> &'static str {
    match state {
        pb::AttackHaltState::Unspecified => "settled",
        pb::AttackHaltState::Open => "halted, waiting",
        pb::AttackHaltState::RanAnyway => "ran anyway, this once",
        pb::AttackHaltState::Stopped => "stopped",
        pb::AttackHaltState::Unattended => "halted, nobody who may answer was listening",
        pb::AttackHaltState::Withdrawn => "withdrawn, the run stays halted",
        pb::AttackHaltState::Expired => "expired, the run stays halted",
    }
}

/// A hint as policies write it.
pub(super) fn hint(hint: pb::Hint) -> &'static str {
    match hint {
        pb::Hint::Unspecified => "?",
        pb::Hint::ReadOnly => "readOnlyHint",
        pb::Hint::Destructive => "destructiveHint",
        pb::Hint::Idempotent => "idempotentHint",
        pb::Hint::OpenWorld => "openWorldHint",
    }
}

/// A count with its noun.
pub(super) fn counted(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

fn short(name: &'static str, prefix: &str) -> &'static str {
    name.strip_prefix(prefix).unwrap_or(name)
}
