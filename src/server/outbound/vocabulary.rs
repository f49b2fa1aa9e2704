//! The closed vocabularies and the small values that every message shares.

use crate::gate::{
    Action, Budget, FailureCause, FloorKind, MAX_BEFORE_HUMAN, MAX_CONSECUTIVE, Moment, Notice, NoticeKind,
    NoticeLevel, Outcome, Rating, RatingSource, RuleLayer, RuleMatch, Rung, Scope, Stage,
};
use crate::proto::v1 as pb;
use crate::rules::{Annotations, Hint, ListKind};
use std::time::Duration;

pub(in crate::server) fn action(action: Action) -> pb::Action {
    match action {
        Action::Approve => pb::Action::Approve,
        Action::Reject => pb::Action::Reject,
        Action::Escalate => pb::Action::Escalate,
        Action::Halt => pb::Action::Halt,
        Action::Unattended => pb::Action::Unattended,
    }
}

pub(in crate::server) fn stage(stage: Stage) -> pb::Stage {
    match stage {
        Stage::NotGated => pb::Stage::NotGated,
        Stage::DenyList => pb::Stage::DenyList,
        Stage::Bypass => pb::Stage::Bypass,
        Stage::HardlineFloor => pb::Stage::HardlineFloor,
        Stage::EscalateEntry => pb::Stage::EscalateEntry,
        Stage::AllowList => pb::Stage::AllowList,
        Stage::AllowTripwire => pb::Stage::AllowTripwire,
        Stage::Rater => pb::Stage::Rater,
        Stage::ToolOpenWorldFloor => pb::Stage::ToolOpenWorldFloor,
        Stage::UnratedRung => pb::Stage::UnratedRung,
    }
}

pub(super) fn scope(scope: Scope) -> pb::Scope {
    match scope {
        Scope::Once => pb::Scope::Once,
        Scope::Session => pb::Scope::Session,
        Scope::Always => pb::Scope::Always,
    }
}

pub(in crate::server) fn rung(rung: Rung) -> pb::Rung {
    match rung {
        Rung::Manual => pb::Rung::Manual,
        Rung::Write => pb::Rung::Write,
        Rung::Assisted => pb::Rung::Assisted,
        Rung::Auto => pb::Rung::Auto,
        Rung::Bypass => pb::Rung::Bypass,
    }
}

pub(super) fn outcome(outcome: Outcome) -> pb::Outcome {
    match outcome {
        Outcome::Safe => pb::Outcome::Safe,
        Outcome::Destructive => pb::Outcome::Destructive,
        Outcome::Catastrophic => pb::Outcome::Catastrophic,
        Outcome::Attack => pb::Outcome::Attack,
    }
}

fn floor(kind: FloorKind) -> pb::FloorKind {
    match kind {
        FloorKind::EnvironmentLeak => pb::FloorKind::EnvironmentLeak,
        FloorKind::NetworkHost => pb::FloorKind::NetworkHost,
        FloorKind::OpenWorld => pb::FloorKind::OpenWorld,
    }
}

pub(super) fn cause(cause: FailureCause) -> pb::RatingCause {
    match cause {
        FailureCause::NotAssessed => pb::RatingCause::NotAssessed,
        FailureCause::NoModel => pb::RatingCause::NoModel,
        FailureCause::Timeout => pb::RatingCause::Timeout,
        FailureCause::Unparseable => pb::RatingCause::Unparseable,
        FailureCause::Transport => pb::RatingCause::Transport,
        FailureCause::CircuitOpen => pb::RatingCause::CircuitOpen,
        FailureCause::BudgetSpent => pb::RatingCause::BudgetSpent,
    }
}

pub(in crate::server) fn rating(rating: &Rating, took: Option<Duration>) -> pb::Rating {
    let (source, profile) = match &rating.source {
        RatingSource::BuiltIn => (pb::RatingSource::BuiltIn, String::new()),
        RatingSource::Model(profile) => (pb::RatingSource::Model, profile.clone()),
        RatingSource::Floor => (pb::RatingSource::Floor, String::new()),
    };
    let floors = rating.floors.iter().map(|found| pb::FloorFinding {
        kind: floor(found.kind).into(),
        reason: found.reason.clone(),
        raised: found.raised,
    });
    pb::Rating {
        outcome: outcome(rating.outcome).into(),
        reason: rating.reason.clone(),
        suggested_tool: rating.suggested_tool.clone().unwrap_or_default(),
        source: source.into(),
        floors: floors.collect(),
        cause: rating.cause.map_or(pb::RatingCause::Unspecified, cause).into(),
        profile,
        model: String::new(),
        duration: took.map(duration),
        reused: false,
    }
}

fn list(kind: ListKind) -> pb::RuleList {
    match kind {
        ListKind::Deny => pb::RuleList::Deny,
        ListKind::Escalate => pb::RuleList::Escalate,
        ListKind::Allow => pb::RuleList::Allow,
    }
}

pub(super) fn matched_rule(rule: &RuleMatch) -> pb::MatchedRule {
    let layer = match rule.layer {
        RuleLayer::Declared => pb::RuleLayer::Declared,
        RuleLayer::SessionGrant => pb::RuleLayer::SessionGrant,
        RuleLayer::PersistedGrant => pb::RuleLayer::PersistedGrant,
        RuleLayer::Denial => pb::RuleLayer::Denial,
    };
    pb::MatchedRule {
        list: list(rule.list).into(),
        layer: layer.into(),
        entry: Some(super::rendered(&rule.entry)),
        undecided: rule.undecided.clone().unwrap_or_default(),
        rated: rule.rate,
        index: rule.index.and_then(|index| u32::try_from(index).ok()),
    }
}

pub(in crate::server) fn notices(notices: &[Notice]) -> Vec<pb::Notice> {
    notices.iter().map(notice).collect()
}

fn notice(notice: &Notice) -> pb::Notice {
    let level = match notice.level {
        NoticeLevel::Info => pb::NoticeLevel::Info,
        NoticeLevel::Warning => pb::NoticeLevel::Warning,
    };
    let code = match notice.kind {
        NoticeKind::GrantWithdrawn => pb::NoticeCode::GrantWithdrawn,
        NoticeKind::GrantSpent => pb::NoticeCode::GrantSpent,
        NoticeKind::PatternUndecided => pb::NoticeCode::PatternUndecided,
        NoticeKind::RatingTimeout => pb::NoticeCode::RatingTimeout,
        NoticeKind::RatingFailed => pb::NoticeCode::RatingFailed,
        NoticeKind::Hardline => pb::NoticeCode::Hardline,
        NoticeKind::InertEntries => pb::NoticeCode::InertEntries,
        NoticeKind::Posture => pb::NoticeCode::Posture,
        NoticeKind::RatingSkipped => pb::NoticeCode::RatingSkipped,
        NoticeKind::McpAmbiguous => pb::NoticeCode::McpAmbiguous,
        NoticeKind::Unread => pb::NoticeCode::Unread,
        NoticeKind::SessionDefaults => pb::NoticeCode::SessionDefaults,
        NoticeKind::Migrated => pb::NoticeCode::Migrated,
    };
    pb::Notice { level: level.into(), code: code.into(), text: crate::display::one_line(&notice.text) }
}

pub(super) fn hint(hint: Hint) -> pb::Hint {
    match hint {
        Hint::ReadOnly => pb::Hint::ReadOnly,
        Hint::Destructive => pb::Hint::Destructive,
        Hint::Idempotent => pb::Hint::Idempotent,
        Hint::OpenWorld => pb::Hint::OpenWorld,
    }
}

pub(super) fn hints(hints: &[Hint]) -> Vec<i32> {
    hints.iter().map(|value| hint(*value).into()).collect()
}

pub(super) fn annotations(annotations: &Annotations) -> pb::ToolAnnotations {
    pb::ToolAnnotations {
        read_only_hint: Some(annotations.read_only),
        destructive_hint: Some(annotations.destructive),
        idempotent_hint: Some(annotations.idempotent),
        open_world_hint: Some(annotations.open_world),
    }
}

pub(super) fn budget(budget: Budget) -> pb::NegotiationBudget {
    pb::NegotiationBudget {
        consecutive_rejections: budget.consecutive,
        rejections_since_human: budget.since_human,
        max_consecutive_rejections: MAX_CONSECUTIVE,
        max_rejections_since_human: MAX_BEFORE_HUMAN,
    }
}

pub(in crate::server) fn timestamp(moment: Moment) -> prost_types::Timestamp {
    let nanos = i32::try_from(moment.0.rem_euclid(1_000_000) * 1_000).unwrap_or_default();
    prost_types::Timestamp { seconds: moment.0.div_euclid(1_000_000), nanos }
}

pub(super) fn duration(duration: Duration) -> prost_types::Duration {
    prost_types::Duration::try_from(duration).unwrap_or_default()
}

/// A moment as text, in UTC.
pub(in crate::server) fn rfc3339(moment: Moment) -> String {
    jiff::Timestamp::from_microsecond(moment.0).map(|time| time.to_string()).unwrap_or_default()
}
