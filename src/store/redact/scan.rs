//! One pass over a text from left to right that copies everything but secrets. Every look ahead is either consumed or
//! bounded, which keeps the pass linear whatever the text.

use std::ops::Range;

use super::MARKER;
use super::names::{is_secret_header, is_secret_name};
use super::shapes::key_length;
use super::values::{self, skip};

/// Passwords in URLs that contain a slash are looked for this far.
const USER_LOOKAHEAD: usize = 256;
/// The longest label of a key block, as in `-----BEGIN OPENSSH PRIVATE KEY-----`.
const LABEL_LOOKAHEAD: usize = 64;
/// The shortest token after `Bearer` that is taken for one.
const BEARER_LEAST: usize = 8;

/// Programs that take a password glued to `-p`.
const GLUED_PASSWORD: [&str; 6] = ["mysql", "mysqldump", "mysqladmin", "mariadb", "mariadb-dump", "sshpass"];
/// Options whose value is `user:password`.
const USER_OPTIONS: [&str; 4] = ["-u", "-U", "--user", "--proxy-user"];

pub(super) struct Scan<'text> {
    text: &'text str,
    bytes: &'text [u8],
    /// The next byte to look at.
    at: usize,
    /// Everything before is in `clean` already.
    copied: usize,
    clean: String,
    /// The command being read is one of [`GLUED_PASSWORD`], and which.
    program: Option<&'static str>,
}

impl<'text> Scan<'text> {
    pub(super) fn new(text: &'text str) -> Self {
        let clean = String::with_capacity(text.len());
        Self { text, bytes: text.as_bytes(), at: 0, copied: 0, clean, program: None }
    }

    pub(super) fn run(mut self) -> String {
        while let Some(byte) = self.bytes.get(self.at).copied() {
            if is_word(byte) {
                self.word();
            } else {
                if matches!(byte, b'\n' | b';' | b'|' | b'&') {
                    self.program = None;
                }
                self.at = self.at.saturating_add(1);
            }
        }
        self.clean.push_str(self.text.get(self.copied..).unwrap_or_default());
        self.clean
    }

    /// Reads one word and whatever secret it is, contains or announces. Always moves on.
    fn word(&mut self) {
        let start = self.at;
        let end = skip(self.bytes, start, is_word);
        let word = self.text.get(start..end).unwrap_or_default();
        if let Some(secret) = self.glued(word, start..end).or_else(|| self.inside(start..end)) {
            self.mask(secret);
            return;
        }
        self.at = end;
        if self.bytes.get(end..).is_some_and(|rest| rest.starts_with(b"://")) {
            self.at = end.saturating_add(3);
            if let Some(user) = user_information(self.bytes, self.at) {
                self.mask(user);
            }
        } else if let Some(secret) = self.announced(word, start..end) {
            self.mask(secret);
        }
    }

    /// The password in `-ppassword`, or in `-p password` where the program reads it so.
    fn glued(&self, word: &str, place: Range<usize>) -> Option<Range<usize>> {
        let program = self.program.filter(|_| word.starts_with("-p"))?;
        let glued = values::word(self.bytes, place.start.saturating_add(2));
        if !glued.is_empty() {
            return Some(glued);
        }
        (program == "sshpass").then(|| values::following(self.bytes, place.end)).flatten()
    }

    /// A key inside the word, or a block that begins in it.
    fn inside(&self, word: Range<usize>) -> Option<Range<usize>> {
        let mut before = b' ';
        for at in word {
            let rest = self.bytes.get(at..)?;
            let byte = *rest.first()?;
            if byte == b'-'
                && let Some(body) = private_key(rest)
            {
                return Some(at.saturating_add(body.start)..at.saturating_add(body.end));
            }
            if !before.is_ascii_alphanumeric()
                && byte.is_ascii_alphabetic()
                && let Some(length) = key_length(rest)
            {
                return Some(at..at.saturating_add(length));
            }
            before = byte;
        }
        None
    }

    /// A secret that follows the word because of what the word is.
    fn announced(&mut self, word: &str, place: Range<usize>) -> Option<Range<usize>> {
        if let Some(program) = GLUED_PASSWORD.iter().find(|program| **program == word) {
            self.program = Some(program);
            return None;
        }
        if word.eq_ignore_ascii_case("bearer") {
            return bearer(self.bytes, place.end);
        }
        if USER_OPTIONS.contains(&word) {
            let (user, password) = values::following_password(self.bytes, place.end)?;
            // A token may stand in the user's place.
            return self.inside(user).or(Some(password));
        }
        let name = word.trim_start_matches(['-', '.']);
        if !is_secret_name(name) && !is_secret_header(name) {
            return None;
        }
        let name_place = place.end.saturating_sub(name.len())..place.end;
        values::assigned(self.bytes, &name_place, name)
            .or_else(|| word.starts_with('-').then(|| values::following(self.bytes, place.end)).flatten())
    }

    /// Puts the marker in the place of a secret and goes on behind it, or goes on at it if there is nothing to hide.
    fn mask(&mut self, secret: Range<usize>) {
        let hidden = self.text.get(secret.clone()).unwrap_or_default();
        self.at = self.at.max(secret.start);
        if hidden.is_empty() || values::is_reference(hidden) {
            return;
        }
        self.clean.push_str(self.text.get(self.copied..secret.start).unwrap_or_default());
        self.clean.push_str(MARKER);
        self.copied = secret.end;
        self.at = secret.end;
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

/// What stands before the `@` of a URL whose authority begins here. The user `git` is no secret.
fn user_information(bytes: &[u8], start: usize) -> Option<Range<usize>> {
    let ends_token = |byte: u8| {
        byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'<' | b'>' | b'`' | b'|' | b';' | b'\\')
    };
    let end = skip(bytes, start, |byte| !ends_token(byte) && !matches!(byte, b'/' | b'?' | b'#'));
    let authority = bytes.get(start..end)?;
    let mut at = authority.iter().rposition(|byte| *byte == b'@');
    if at.is_none() && !authority.starts_with(b"[") {
        // A password may hold what should have been escaped; then what follows the colon is no port.
        let colon = authority.iter().position(|byte| *byte == b':')?;
        let port = authority.get(colon.saturating_add(1)..)?;
        if port.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let window = bytes.get(start..start.saturating_add(USER_LOOKAHEAD).min(bytes.len()))?;
        let token = window.iter().position(|byte| ends_token(*byte)).unwrap_or(window.len());
        at = window.get(..token)?.iter().rposition(|byte| *byte == b'@');
    }
    let user = start..start.saturating_add(at?);
    (bytes.get(user.clone()) != Some(b"git")).then_some(user)
}

/// The token after `Bearer`.
fn bearer(bytes: &[u8], word_end: usize) -> Option<Range<usize>> {
    let start = skip(bytes, word_end, |byte| byte == b' ');
    let end = skip(bytes, start, |byte| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'+' | b'/' | b'=')
    });
    (start > word_end && end.saturating_sub(start) >= BEARER_LEAST).then_some(start..end)
}

/// The body of a private-key block that begins here, without the blanks around it; to the end of the text if the block
/// has no end.
fn private_key(bytes: &[u8]) -> Option<Range<usize>> {
    const DASHES: &[u8] = b"-----";
    const BEGIN: &[u8] = b"-----BEGIN ";
    const END: &[u8] = b"-----END";
    let rest = bytes.strip_prefix(BEGIN)?;
    let window = rest.get(..LABEL_LOOKAHEAD.min(rest.len()))?;
    let label_length = window.windows(DASHES.len()).position(|bytes| bytes == DASHES)?;
    let label = rest.get(..label_length)?;
    if !label.ends_with(b"PRIVATE KEY") && !label.ends_with(b"PRIVATE KEY BLOCK") {
        return None;
    }
    let start = BEGIN.len().saturating_add(label_length).saturating_add(DASHES.len());
    let body = bytes.get(start..)?;
    let length = body.windows(END.len()).position(|bytes| bytes == END).unwrap_or(body.len());
    let body = body.get(..length)?;
    let leading = body.len().saturating_sub(body.trim_ascii_start().len());
    let trimmed = body.trim_ascii().len();
    let start = start.saturating_add(leading);
    Some(start..start.saturating_add(trimmed))
}
