//! Entries, grants, denials and what was done to them.

use super::vocabulary::{annotations, hints, notices, timestamp};
use crate::gate::{Denial, Grant, GrantScope};
use crate::proto::v1 as pb;
use crate::rules::{Entry, Hint, ServerPattern, TextPattern, ToolPattern, object_text, one_line};
use crate::session::{Imported, Managed, TrustResult};

/// An entry with its texts.
pub(in crate::server) fn rendered(entry: &Entry) -> pb::RenderedEntry {
    pb::RenderedEntry {
        entry: Some(message(entry)),
        object_text: object_text(entry),
        summary: one_line(entry),
    }
}

fn message(entry: &Entry) -> pb::Entry {
    match entry {
        Entry::Shell { pattern, rate } => {
            let (matcher, pattern) = text(pattern);
            build(pb::EntryType::Shell, matcher, pattern, String::new(), None, *rate)
        }
        Entry::Tool { pattern, host, rate } => {
            let (matcher, pattern) = tool(pattern);
            build(pb::EntryType::Tool, matcher, pattern, String::new(), host.as_ref(), *rate)
        }
        Entry::McpTool { server, pattern, host, rate } => {
            let (matcher, pattern) = tool(pattern);
            let server = match server {
                ServerPattern::Any => "*".to_owned(),
                ServerPattern::Key(key) => key.clone(),
            };
            build(pb::EntryType::McpTool, matcher, pattern, server, host.as_ref(), *rate)
        }
    }
}

fn build(
    kind: pb::EntryType,
    matcher: pb::Matcher,
    pattern: pb::entry::SubjectPattern,
    server: String,
    host: Option<&String>,
    rate: Option<bool>,
) -> pb::Entry {
    pb::Entry {
        r#type: kind.into(),
        matcher: matcher.into(),
        subject_pattern: Some(pattern),
        server,
        host: host.cloned().unwrap_or_default(),
        rate,
    }
}

fn text(pattern: &TextPattern) -> (pb::Matcher, pb::entry::SubjectPattern) {
    let (matcher, text) = match pattern {
        TextPattern::Exact(text) => (pb::Matcher::Exact, text),
        TextPattern::Glob(text) => (pb::Matcher::Glob, text),
        TextPattern::Regexp(text) => (pb::Matcher::Regexp, text),
    };
    (matcher, pb::entry::SubjectPattern::Pattern(text.clone()))
}

fn tool(pattern: &ToolPattern) -> (pb::Matcher, pb::entry::SubjectPattern) {
    match pattern {
        ToolPattern::Name(pattern) => text(pattern),
        ToolPattern::Hints(wanted) => {
            let declared = pb::ToolAnnotations {
                read_only_hint: wanted.get(&Hint::ReadOnly).copied(),
                destructive_hint: wanted.get(&Hint::Destructive).copied(),
                idempotent_hint: wanted.get(&Hint::Idempotent).copied(),
                open_world_hint: wanted.get(&Hint::OpenWorld).copied(),
            };
            (pb::Matcher::Hint, pb::entry::SubjectPattern::Hints(declared))
        }
    }
}

/// A grant of a project, or of a session of it.
pub(in crate::server) fn grant(project: &str, session: &str, grant: &Grant) -> pb::Grant {
    let (scope, session) = match grant.scope {
        GrantScope::Session => (pb::Scope::Session, session),
        GrantScope::Always => (pb::Scope::Always, ""),
    };
    pb::Grant {
        project: project.to_owned(),
        session_id: session.to_owned(),
        scope: scope.into(),
        entry: Some(rendered(&grant.entry)),
        annotations: grant.annotations.as_ref().map(annotations),
        granted_at: Some(timestamp(grant.granted_at)),
        granted_by: grant.granted_by.clone().unwrap_or_default(),
        terms: terms(grant),
        uses_left: grant.max_uses.map(|most| most.saturating_sub(grant.uses)),
        last_used_at: grant.last_used_at.map(timestamp),
    }
}

/// What bounds a grant, and what people wrote on it; `None` where there is neither.
fn terms(grant: &Grant) -> Option<pb::GrantTerms> {
    let plain = grant.expires_at.is_none() && grant.max_uses.is_none() && grant.note.is_none();
    (!plain).then(|| pb::GrantTerms {
        expires_at: grant.expires_at.map(timestamp),
        max_uses: grant.max_uses,
        note: grant.note.clone().unwrap_or_default(),
    })
}

/// A denial of a session.
pub(in crate::server) fn denial(project: &str, session: &str, denial: &Denial) -> pb::Denial {
    pb::Denial {
        project: project.to_owned(),
        session_id: session.to_owned(),
        entry: Some(rendered(&denial.entry)),
        denied_at: Some(timestamp(denial.denied_at)),
        denied_by: denial.denied_by.clone().unwrap_or_default(),
        note: denial.note.clone().unwrap_or_default(),
    }
}

/// What an operation did.
pub(in crate::server) fn managed(
    project: &str,
    session: &str,
    managed: &Managed,
    predicted: bool,
) -> pb::ManageGrantsResponse {
    use pb::manage_grants_response::Result as Done;
    let mut said = Vec::new();
    let result = match managed {
        Managed::Granted { grant: held, already } => Done::Grant(pb::GrantAdded {
            grant: Some(grant(project, session, held)),
            already_granted: *already,
        }),
        Managed::Denied { denial: held, already } => Done::Deny(pb::DenialAdded {
            denial: Some(denial(project, session, held)),
            already_denied: *already,
        }),
        Managed::Revoked(grants) => Done::Revoke(pb::GrantsRevoked {
            revoked: grants.iter().map(|held| grant(project, session, held)).collect(),
        }),
        Managed::Lifted(held) => {
            Done::Lift(pb::DenialLifted { lifted: Some(denial(project, session, held)) })
        }
        Managed::Trusted(result) if predicted => Done::PredictTrust(trust(project, session, result)),
        Managed::Trusted(result) => Done::ChangeTrust(trust(project, session, result)),
        Managed::Imported(result) => {
            said = notices(&result.notices);
            Done::ImportFile(imported(project, session, result))
        }
    };
    pb::ManageGrantsResponse { result: Some(result), notices: said }
}

fn trust(project: &str, session: &str, result: &TrustResult) -> pb::TrustChanged {
    pb::TrustChanged {
        server: result.server.clone(),
        configured: result.configured,
        trusted: hints(&result.trusted),
        added: hints(&result.added),
        removed: hints(&result.removed),
        weakening: hints(&result.weakening),
        invalidates: result.invalidates.iter().map(|held| grant(project, session, held)).collect(),
    }
}

fn imported(project: &str, session: &str, result: &Imported) -> pb::GrantsImported {
    let dropped = result.dropped.iter().map(|(index, reason)| pb::DroppedItem {
        index: u32::try_from(*index).unwrap_or(u32::MAX),
        reason: crate::display::one_line(reason),
    });
    pb::GrantsImported {
        imported: result.grants.iter().map(|held| grant(project, session, held)).collect(),
        already_granted: u32::try_from(result.already).unwrap_or(u32::MAX),
        dropped: dropped.collect(),
        file_version: result.version,
    }
}
