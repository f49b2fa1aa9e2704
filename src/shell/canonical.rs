//! The canonical spelling: one text for all the ways of writing the same simple command.
//!
//! Promises that two spellings of one argument vector have one canonical form and that two different argument vectors never
//! share one. Knows nothing of rules; it never drops or folds a character.

use super::braces::{next_group, too_many_braces};
use super::reader;
use super::tree::{AssignedValue, Assignment, Command, Script, SimpleCommand, Word};
use super::word::{Piece, constant, is_array, is_constant, is_pattern, pieces};

/// Where a word stands: it decides which of its characters bash would act upon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Position {
    /// The command word: reserved words and assignments must not come to life there.
    Command,
    /// Any word behind it.
    Argument,
    /// The value of an assignment: only tildes are expanded there.
    Value,
}

/// The canonical form of a text that is exactly one simple command (as an allow entry needs it), else `None`.
#[must_use]
pub fn canonicalize(text: &str) -> Option<String> {
    if text.len() > super::analysis::MAX_COMMAND_BYTES {
        return None;
    }
    let script = reader::read(text).ok()?;
    let command = only_command(&script)?;
    is_plain(command).then(|| spell_command(&command.assignments, &command.words))
}

/// The simple command that the script consists of, where it is nothing else.
pub(crate) fn only_command(script: &Script) -> Option<&SimpleCommand> {
    let [item] = script.items.as_slice() else { return None };
    if item.background || !item.rest.is_empty() || item.first.negated || item.first.timed {
        return None;
    }
    let [stage] = item.first.stages.as_slice() else { return None };
    match &stage.command {
        Command::Simple(command) => Some(command),
        Command::Compound { .. } | Command::Function { .. } | Command::Coproc { .. } => None,
    }
}

/// Whether nothing in the command is redirected or replaced when it runs, and its command word names one program.
pub(crate) fn is_plain(command: &SimpleCommand) -> bool {
    command.words.first().is_some_and(|word| !is_pattern(word))
        && command.redirects.is_empty()
        && command.words.iter().all(|word| is_constant(word) && !is_array(word))
        && command.assignments.iter().all(is_plain_assignment)
}

/// Whether an assignment gives one constant to one plain variable.
pub(crate) fn is_plain_assignment(assignment: &Assignment) -> bool {
    assignment.subscript.is_none()
        && match &assignment.value {
            AssignedValue::Scalar(value) => value.as_ref().is_none_or(is_constant),
            AssignedValue::Array(_) => false,
        }
}

/// The canonical spelling of assignments and words; what is dynamic stands as it is written.
pub(crate) fn spell_command(assignments: &[Assignment], words: &[Word]) -> String {
    let mut out = String::new();
    for assignment in assignments {
        separate(&mut out);
        spell_assignment(assignment, &mut out);
    }
    for (index, word) in words.iter().enumerate() {
        separate(&mut out);
        spell_word(word, if index == 0 { Position::Command } else { Position::Argument }, &mut out);
    }
    out
}

fn separate(out: &mut String) {
    if !out.is_empty() {
        out.push(' ');
    }
}

fn spell_assignment(assignment: &Assignment, out: &mut String) {
    match (&assignment.subscript, &assignment.value) {
        (None, AssignedValue::Scalar(value)) => {
            out.push_str(&assignment.name);
            out.push_str(if assignment.append { "+=" } else { "=" });
            if let Some(word) = value {
                spell_word(word, Position::Value, out);
            }
        }
        (Some(_), _) | (_, AssignedValue::Array(_)) => out.push_str(&assignment.raw),
    }
}

/// Appends the canonical spelling of a word; a word with an expansion stands as it is written.
pub(crate) fn spell_word(word: &Word, position: Position, out: &mut String) {
    let Some(text) = constant(word) else {
        out.push_str(&word.raw);
        return;
    };
    if text.is_empty() {
        if position != Position::Value {
            out.push_str("''");
        }
        return;
    }
    let comes_alive = position == Position::Command && comes_alive_as_command(&text);
    if !comes_alive && text.chars().all(is_inert) {
        out.push_str(&text);
        return;
    }
    if text.chars().all(|character| !may_be_active(character)) {
        push_quoted(text.chars(), out);
        return;
    }
    let pieces = pieces(word);
    let active = active_pieces(&pieces, position);
    let braces = pieces.iter().zip(&active).any(|(piece, active)| *active && piece.bare() == Some('{'));
    let needed = |index: usize| braces && keeps_a_member(&pieces, &active, index);
    if !comes_alive && text.chars().all(is_bare) && !(0..pieces.len()).any(needed) {
        let bare: Vec<Piece> =
            text.chars().map(|character| Piece::Character { character, quoted: false }).collect();
        if active_pieces(&bare, position) == of_characters(&pieces, &active) {
            out.push_str(&text);
            return;
        }
    }
    let mut waiting = String::new();
    for (index, (piece, active)) in pieces.iter().zip(&active).enumerate() {
        let Piece::Character { character, .. } = piece else {
            if needed(index) {
                out.push_str("''");
            }
            continue;
        };
        if *active {
            if !waiting.is_empty() {
                push_quoted(waiting.chars(), out);
                waiting.clear();
            }
            out.push(*character);
        } else {
            waiting.push(*character);
        }
    }
    if !waiting.is_empty() {
        push_quoted(waiting.chars(), out);
    }
}

/// Whether the piece is a pair of quotes with nothing in it that keeps an empty member of a brace expansion a word.
fn keeps_a_member(pieces: &[Piece], active: &[bool], index: usize) -> bool {
    // Beside text that will stand in quotes the pair adds nothing.
    let adds = |neighbour: Option<usize>| match neighbour.and_then(|at| pieces.get(at).zip(active.get(at))) {
        Some((Piece::Character { .. }, active)) => *active,
        Some((Piece::Empty | Piece::Expansion(_), _)) | None => true,
    };
    let previous = index.checked_sub(1);
    let repeated = previous.is_some_and(|at| matches!(pieces.get(at), Some(Piece::Empty)));
    matches!(pieces.get(index), Some(Piece::Empty)) && !repeated && adds(previous) && adds(Some(index + 1))
}

fn push_quoted(characters: impl Iterator<Item = char>, out: &mut String) {
    out.push('\'');
    for character in characters {
        if character == '\'' {
            out.push_str("'\\''");
        } else {
            out.push(character);
        }
    }
    out.push('\'');
}

/// Characters that may stand in a bare word of the canonical form.
fn is_bare(character: char) -> bool {
    is_inert(character) || may_be_active(character)
}

/// Characters that mean nothing to the shell inside a word.
fn is_inert(character: char) -> bool {
    character.is_ascii_alphanumeric()
        || matches!(character, '_' | '@' | '%' | '+' | '=' | ':' | ',' | '.' | '/' | '^' | '-')
}

/// Characters of the bare set that bash acts upon in the right company.
fn may_be_active(character: char) -> bool {
    matches!(character, '~' | '*' | '?' | '[' | ']' | '{' | '}')
}

/// Words that, written bare in front, would be something else than the name of a command.
fn comes_alive_as_command(text: &str) -> bool {
    const RESERVED: [&str; 21] = [
        "if", "then", "else", "elif", "fi", "do", "done", "case", "esac", "while", "until", "for", "in",
        "select", "function", "time", "{", "}", "[[", "]]", "coproc",
    ];
    if RESERVED.contains(&text) {
        return true;
    }
    let name = text.len() - text.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_').len();
    let named = name > 0 && !text.starts_with(|c: char| c.is_ascii_digit());
    let rest = text.get(name..).unwrap_or_default();
    named && (rest.starts_with('=') || rest.starts_with("+=") || rest.starts_with('['))
}

/// The flags of those pieces that are characters. Quotes with nothing in them are none, yet they end a tilde prefix.
fn of_characters(pieces: &[Piece], active: &[bool]) -> Vec<bool> {
    let characters = pieces.iter().zip(active).filter(|(piece, _)| matches!(piece, Piece::Character { .. }));
    characters.map(|(_, active)| *active).collect()
}

/// For each piece whether bash acts upon it: pathname patterns, brace expansions, leading tildes.
fn active_pieces(pieces: &[Piece], position: Position) -> Vec<bool> {
    let mut active = vec![false; pieces.len()];
    if position == Position::Value {
        mark_tildes_after(pieces, 0, &mut active);
        return active;
    }
    let mut opening = None;
    let mut closing = None;
    for (index, piece) in pieces.iter().enumerate() {
        match piece.bare() {
            Some('*' | '?') => mark(&mut active, index),
            Some('[') if opening.is_none() => opening = Some(index),
            Some(']') if opening.is_some() => closing = Some(index),
            Some(_) | None => {}
        }
    }
    if let (Some(first), Some(last)) = (opening, closing) {
        mark_bare_range(pieces, first, last, &mut active);
    }
    mark_braces(pieces, &mut active);
    mark_tilde_at(pieces, 0, false, &mut active);
    if let Some(start) = assigned_value(pieces)
        && mark_tildes_after(pieces, start, &mut active)
    {
        mark_bare_range(pieces, 0, start.saturating_sub(1), &mut active);
    }
    active
}

fn mark(active: &mut [bool], index: usize) {
    if let Some(flag) = active.get_mut(index) {
        *flag = true;
    }
}

fn mark_bare_range(pieces: &[Piece], first: usize, last: usize, active: &mut [bool]) {
    for (index, piece) in pieces.iter().enumerate().take(last + 1).skip(first) {
        // A dollar sign has no part in a pattern, and bare it could start a quotation.
        if piece.bare().is_some_and(|character| character != '$') {
            mark(active, index);
        }
    }
}

fn mark_braces(pieces: &[Piece], active: &mut [bool]) {
    if too_many_braces(pieces) {
        mark_bare_range(pieces, 0, pieces.len(), active);
        return;
    }
    let mut from = 0;
    let mut any = false;
    while let Some(group) = next_group(pieces, from) {
        any = true;
        if group.commas.is_empty() {
            mark_bare_range(pieces, group.open, group.close, active);
        }
        from = group.open + 1;
    }
    if any {
        for (index, piece) in pieces.iter().enumerate() {
            // Every brace and comma has a say in which of them belong together, and a member may begin with a tilde.
            if matches!(piece.bare(), Some('{' | '}' | ',' | '~')) {
                mark(active, index);
            }
        }
    }
}

/// The index behind the `=` of a word that looks like an assignment; bash expands tildes there too.
fn assigned_value(pieces: &[Piece]) -> Option<usize> {
    let equals = pieces.iter().position(|piece| piece.bare() == Some('='))?;
    let name: String = pieces.iter().take(equals).map(Piece::bare).collect::<Option<_>>()?;
    let name = name.strip_suffix('+').unwrap_or(&name);
    let name = match name.split_once('[') {
        Some((name, subscript)) if subscript.ends_with(']') => name,
        Some(_) => return None,
        None => name,
    };
    let valid = !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    valid.then_some(equals + 1)
}

/// Marks the tildes at `start` and behind each unquoted colon from there on; false where there is none.
fn mark_tildes_after(pieces: &[Piece], start: usize, active: &mut [bool]) -> bool {
    let mut any = mark_tilde_at(pieces, start, true, active);
    for (index, piece) in pieces.iter().enumerate().skip(start) {
        if piece.bare() == Some(':') && mark_tilde_at(pieces, index + 1, true, active) {
            mark(active, index);
            any = true;
        }
    }
    any
}

/// Marks a tilde prefix: the tilde and all that follows up to the slash that ends it, none of it quoted. In the value of an
/// assignment a colon ends it too; elsewhere a quote behind the colon still keeps bash from expanding the tilde.
fn mark_tilde_at(pieces: &[Piece], start: usize, colon_ends: bool, active: &mut [bool]) -> bool {
    if pieces.get(start).and_then(Piece::bare) != Some('~') {
        return false;
    }
    let mut end = start + 1;
    while let Some(piece) = pieces.get(end) {
        match piece.bare() {
            Some('/') => break,
            Some(':') if colon_ends => break,
            None => return false,
            Some(_) => end += 1,
        }
    }
    for index in start..=end {
        mark(active, index);
    }
    true
}

#[cfg(test)]
mod tests;
