//! Listing grants and denials.
//!
//! Promises every page in one list. Knows nothing of changes.

use crate::cli::connection::Connection;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::output;
use crate::cli::style::{self, painted};
use crate::cli::time::local;
use crate::cli::words;
use crate::display::{neutralise, one_line};
use crate::proto::v1 as pb;

/// The largest page that a server hands out.
const LARGEST_PAGE: i32 = 500;

/// Lists every page.
pub(super) async fn run(
    connection: &Connection,
    session_id: &str,
    list: pb::ListGrants,
) -> Result<Exit, Failure> {
    let list = pb::ListGrants { page_size: LARGEST_PAGE, ..list };
    let mut pages = connection.open().await?.grants(&connection.project, session_id, list);
    let mut found = pb::GrantList::default();
    while let Some(page) = pages.next().await? {
        found.grants.extend(page.grants);
        found.denials.extend(page.denials);
    }
    if connection.json {
        output::write_message("GrantList", &found)?;
    } else {
        output::write(&render(&found))?;
    }
    Ok(Exit::Good)
}

/// Grants and denials, two rows each: for people, and in the exact form.
pub(super) fn render(list: &pb::GrantList) -> String {
    if list.grants.is_empty() && list.denials.is_empty() {
        return "Nothing is granted or denied here beyond what the policy declares.\n".to_owned();
    }
    let object = |entry: Option<&pb::RenderedEntry>| {
        // Not in one line, which would join blanks: this is what `--entry` takes.
        let text = entry.map(|entry| neutralise(&entry.object_text)).unwrap_or_default();
        format!("    {}\n", painted(style::FAINT, &text))
    };
    let mut text = String::new();
    for grant in &list.grants {
        let allow = painted(style::GOOD, "allow");
        text.push_str(&format!("{allow} {}\n{}", grant_line(grant), object(grant.entry.as_ref())));
    }
    for denial in &list.denials {
        let deny = painted(style::ERROR, "deny");
        text.push_str(&format!("{deny}  {}\n{}", denial_line(denial), object(denial.entry.as_ref())));
    }
    text
}

/// A grant in one line.
pub(super) fn grant_line(grant: &pb::Grant) -> String {
    let mut line = format!(
        "{} ({}, by {}, {}",
        summary(grant.entry.as_ref()),
        words::scope(grant.scope()),
        one_line(&grant.granted_by),
        local(grant.granted_at)
    );
    if let Some(left) = grant.uses_left {
        line.push_str(&format!(", {} left", words::counted(left.into(), "use")));
    }
    let terms = grant.terms.clone().unwrap_or_default();
    if terms.expires_at.is_some() {
        line.push_str(&format!(", until {}", local(terms.expires_at)));
    }
    if grant.last_used_at.is_some() {
        line.push_str(&format!(", last used {}", local(grant.last_used_at)));
    }
    line.push(')');
    with_note(line, &terms.note)
}

/// A denial in one line.
pub(super) fn denial_line(denial: &pb::Denial) -> String {
    let line = format!(
        "{} (session {}, by {}, {})",
        summary(denial.entry.as_ref()),
        one_line(&denial.session_id),
        one_line(&denial.denied_by),
        local(denial.denied_at)
    );
    with_note(line, &denial.note)
}

fn summary(entry: Option<&pb::RenderedEntry>) -> String {
    entry.map(|entry| one_line(&entry.summary)).unwrap_or_default()
}

fn with_note(line: String, note: &str) -> String {
    let note = one_line(note);
    if note.is_empty() { line } else { format!("{line}: {note}") }
}
