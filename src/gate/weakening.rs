//! Grants whose tool now describes itself as more dangerous than when it was granted.
//!
//! Promises to look only at the call in hand: at most the grant for its host and the one without a host, never the
//! whole book. A weakened grant is deleted and not merely ignored, so that granting it again sticks.

use super::decision::{Notice, NoticeKind, NoticeLevel, Step, StepResult};
use super::deliberation::Deliberation;
use super::effects::Effect;
use super::grants::{Grant, GrantBook, GrantScope};
use super::messages::quoted;
use super::offer;
use super::session::SessionState;
use super::trust::weakened;
use crate::rules::{Annotations, Entry, Hint, Identity, ServerPattern, TextPattern, ToolPattern, one_line};

/// Deletes the weakened grants that the call in hand could use, and says so.
pub(super) fn drop_weakened(
    session: &mut SessionState,
    persisted: &mut GrantBook,
    deliberation: &mut Deliberation,
) {
    let Some(now) = deliberation.annotations else { return };
    if session.grants.is_empty() && persisted.is_empty() {
        return;
    }
    let hosts: Vec<Option<String>> = match deliberation.subject.hosts() {
        None => return,
        Some(hosts) => hosts.single().map(|host| Some(host.to_owned())).into_iter().chain([None]).collect(),
    };
    let named = hosts.iter().filter_map(|host| offer::identity(&deliberation.subject, host.as_deref()));
    let candidates: Vec<Entry> = named.flat_map(|entry| RATES.map(|rate| with_rate(&entry, rate))).collect();
    for entry in candidates {
        let identity = Identity::of(&entry);
        for scope in [GrantScope::Session, GrantScope::Always] {
            let book = match scope {
                GrantScope::Session => &mut session.grants,
                GrantScope::Always => &mut *persisted,
            };
            let moved = book.get(&identity).and_then(|grant| moved(grant, &now));
            let Some((snapshot, hints)) = moved else { continue };
            book.remove(&identity);
            deliberation.effects.push(Effect::GrantRemoved { scope, entry: entry.clone() });
            let text = notice(&one_line(&entry), &snapshot, &now, &hints);
            deliberation.consult(Step::WeakenedGrants, StepResult::Passed, text.clone());
            deliberation.notices.push(Notice {
                level: NoticeLevel::Warning,
                kind: NoticeKind::GrantWithdrawn,
                text,
            });
        }
    }
}

/// A grant that was given by hand may say whether it is rated; that makes it another entry, and no safer one.
const RATES: [Option<bool>; 3] = [None, Some(false), Some(true)];

fn with_rate(entry: &Entry, rate: Option<bool>) -> Entry {
    let mut entry = entry.clone();
    match &mut entry {
        Entry::Shell { rate: held, .. }
        | Entry::Tool { rate: held, .. }
        | Entry::McpTool { rate: held, .. } => *held = rate,
    }
    entry
}

fn moved(grant: &Grant, now: &Annotations) -> Option<(Annotations, Vec<Hint>)> {
    let snapshot = grant.annotations?;
    let hints = weakened(&snapshot, now);
    (!hints.is_empty()).then_some((snapshot, hints))
}

fn notice(entry: &str, snapshot: &Annotations, now: &Annotations, hints: &[Hint]) -> String {
    let moves: Vec<String> = hints
        .iter()
        .map(|hint| format!("{hint} from {} to {}", snapshot.get(*hint), now.get(*hint)))
        .collect();
    format!(
        "The grant for {} is withdrawn, because the tool now describes itself as more dangerous: {}. The call is judged without it, and you will be asked again.",
        quoted(entry),
        moves.join(", ")
    )
}

/// The held grants of a server that its effective annotations, as they are now, would withdraw at the next call; a
/// prediction only.
#[must_use]
pub fn forecast<'a>(
    grants: impl Iterator<Item = &'a Grant>,
    server: &str,
    effective: impl Fn(&str) -> Annotations,
) -> Vec<Grant> {
    grants
        .filter_map(|grant| match &grant.entry {
            Entry::McpTool {
                server: ServerPattern::Key(key),
                pattern: ToolPattern::Name(TextPattern::Exact(name)),
                ..
            } if key == server => moved(grant, &effective(name)).map(|_| grant.clone()),
            Entry::McpTool { .. } | Entry::Shell { .. } | Entry::Tool { .. } => None,
        })
        .collect()
}
