//! Checking an export without a gate.
//!
//! Promises constant memory beside one record. Knows nothing of hashes.

use super::Head;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::output;
use crate::cli::show;
use crate::cli::style::{self, painted};
use crate::cli::words::counted;
use crate::display::one_line;
use crate::export::{Checked, ExportCheck, ExportError};
use crate::store::{Head as StoredHead, RecordHash};
use serde_json::json;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// The longest line that is read, in bytes: a command of 1 MiB stands in its record several times, and an event holds its
/// record once more.
const LONGEST_LINE: u64 = 256 << 20;

/// What stands for standard input.
const STANDARD_INPUT: &str = "-";

/// Checks a file, says what was found, and exits with it.
pub(super) fn verify(path: &Path, note: Option<Head>, as_json: bool) -> Result<Exit, Failure> {
    let unread = |error: std::io::Error| Failure::new(format!("{} cannot be read: {error}", path.display()));
    let noted = note.map(stored).transpose()?;
    let mut reader: Box<dyn BufRead> = if path.as_os_str() == STANDARD_INPUT {
        Box::new(BufReader::new(std::io::stdin()))
    } else {
        Box::new(BufReader::new(File::open(path).map_err(unread)?))
    };
    let mut check = ExportCheck::with_noted(noted);
    let (mut line, mut number) = (Vec::new(), 0_u64);
    let broken = loop {
        line.clear();
        let read = reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line).map_err(unread)?;
        if read == 0 {
            break None;
        }
        number = number.saturating_add(1);
        let text = String::from_utf8_lossy(&line);
        if let Err(error) = check.line(text.trim_end_matches(['\n', '\r'])) {
            break Some((number, error));
        }
    };
    let count = check.count();
    match broken {
        Some((number, error)) => report(Err((Some(number), error)), count, as_json),
        None => report(check.finish().map_err(|error| (None, error)), count, as_json),
    }
}

fn stored(head: Head) -> Result<StoredHead, Failure> {
    let hash = RecordHash::parse(&head.hash)
        .ok_or_else(|| Failure::new("the noted hash is no SHA-256 in 64 lower-case hexadecimal digits"))?;
    Ok(StoredHead { sequence: head.sequence, hash })
}

type Found = Result<Option<Checked>, (Option<u64>, ExportError)>;

fn report(found: Found, count: u64, as_json: bool) -> Result<Exit, Failure> {
    if as_json {
        let value = match &found {
            Ok(None) => json!({ "intact": true, "recordsChecked": 0 }),
            Ok(Some(checked)) => json!({
                "intact": true,
                "project": checked.project,
                "recordsChecked": checked.count,
                "firstSequence": checked.first,
                "lastSequence": checked.last.sequence,
                "lastHash": checked.last.hash.to_string(),
            }),
            Err((line, error)) => json!({
                "intact": false, "recordsChecked": count, "line": line, "reason": error.to_string(),
            }),
        };
        output::write_json(&value)?;
    } else {
        output::write(&render(&found, count))?;
    }
    Ok(if found.is_ok() { Exit::Good } else { Exit::Bad })
}

fn render(found: &Found, count: u64) -> String {
    let records = counted(count, "record");
    match found {
        Ok(None) => "There is no record in it.\n".to_owned(),
        Ok(Some(checked)) => {
            let mut text =
                format!("{}  {records} checked, every link holds\n", painted(style::GOOD, "INTACT"));
            text.push_str(&show::labelled("project", &one_line(&checked.project)));
            let stretch = format!("{} to {}", checked.first, checked.last.sequence);
            text.push_str(&show::labelled("records", &stretch));
            let last = format!("{}:{}", checked.last.sequence, checked.last.hash);
            text.push_str(&show::unwrapped("last", &last));
            text
        }
        Err((line, error)) => {
            let mut text =
                format!("{}  {records} hold before what does not\n", painted(style::ERROR, "BROKEN"));
            if let Some(line) = line {
                text.push_str(&show::labelled("line", &line.to_string()));
            }
            text.push_str(&show::labelled("why", &one_line(&error.to_string())));
            text
        }
    }
}
