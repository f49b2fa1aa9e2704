//! `tar`: an action, an archive, and folders to change to in between.
//!
//! Promises that what is read, written or run is judged by its place, in the order of the words. Knows nothing of what an
//! archive holds.

use super::super::call::Call;
use super::super::findings::Findings;
use super::options::{Given, Item, Read, read};
use super::tar_options::{OPTIONS, expand};
use super::text;
use crate::gate::Outcome;
use crate::rater::knowledge::Verb;
use crate::shell::hardline::{Argument, Unit, text_of};

/// Programs that compress, and do nothing else with these options.
const COMPRESSORS: &[&str] = &[
    "gzip", "pigz", "bzip2", "pbzip2", "lbzip2", "xz", "pixz", "zstd", "zstdmt", "pzstd", "lz4", "lzip",
    "plzip", "lzma", "lzop", "brotli",
];

/// What an archive is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Create,
    Add,
    Extract,
    List,
    Compare,
    DeleteFrom,
}

/// What `tar` does.
pub(super) fn apply(call: &Call<'_>, findings: &mut Findings) {
    if !text::is_plain(call) {
        call.not_assessed("its words have characters that can be taken for others", findings);
    }
    let words = expand(call.arguments);
    let given = read(&words, 0, OPTIONS, false);
    if given.asks_for_help {
        call.does_plainly(Verb::Nothing, Some("it shows its help or version"), findings);
        return;
    }
    if let Some(gap) = &given.gap {
        call.not_assessed(gap, findings);
    }
    let modes: Vec<Mode> = given.options().filter_map(mode).collect();
    let mode = match modes.as_slice() {
        [first, rest @ ..] if rest.iter().all(|other| other == first) => *first,
        _ => return call.not_assessed("what it is asked to do is not known", findings),
    };
    for option in given.options() {
        harmful(call, option, &given, findings);
    }
    archive(call, mode, &given, findings);
    members(call, mode, &given, &words, findings);
}

fn mode(option: &Given<'_>) -> Option<Mode> {
    match option.name {
        "create" => Some(Mode::Create),
        "append" | "update" | "catenate" | "concatenate" => Some(Mode::Add),
        "extract" | "get" => Some(Mode::Extract),
        "list" | "test-label" => Some(Mode::List),
        "diff" | "compare" => Some(Mode::Compare),
        "delete" => Some(Mode::DeleteFrom),
        _ => None,
    }
}

/// Options that run, write or delete something of their own.
fn harmful(call: &Call<'_>, option: &Given<'_>, given: &Read<'_>, findings: &mut Findings) {
    let value = option.value.unwrap_or_default();
    match option.name {
        "use-compress-program" if is_compressor(&text_of(value)) => {}
        "checkpoint-action" if is_plain_action(&text_of(value)) => {}
        "use-compress-program"
        | "to-command"
        | "checkpoint-action"
        | "info-script"
        | "new-volume-script"
        | "rsh-command"
        | "rmt-command" => {
            call.does_plainly(Verb::Runs, Some("a program that an option names"), findings);
        }
        "files-from" => {
            call.does_to(Verb::Reads, value, findings);
            call.not_assessed("the names in the list, which may be options, are not known", findings);
        }
        "exclude-from" => call.does_to(Verb::Reads, value, findings),
        "index-file" | "listed-incremental" | "volno-file" | "one-top-level" if option.value.is_some() => {
            call.does_to(Verb::Writes, value, findings);
        }
        "absolute-names" if given.has("extract") || given.has("get") => {
            findings.add(Outcome::Destructive, || {
                "What comes out of the archive may land anywhere, by the names in it.".to_owned()
            });
        }
        "recursive-unlink" => {
            call.does(Verb::Deletes, &call.here(), Some("whole folders that stand in the way"), findings);
        }
        _ => {}
    }
}

fn is_compressor(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let known = words.next().is_some_and(|program| COMPRESSORS.contains(&program));
    let plain = |word: &str| {
        let digits = word.trim_start_matches('-').trim_start_matches(['T', 'p']).trim_end_matches('e');
        matches!(word, "-d" | "-c" | "-k" | "-p" | "--fast" | "--best" | "--long" | "--ultra" | "--rsyncable")
            || digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    known && words.all(plain)
}

fn is_plain_action(text: &str) -> bool {
    let name = text.split('=').next().unwrap_or_default();
    matches!(name, "dot" | "." | "echo" | "bell" | "ttyout" | "sleep" | "totals")
}

fn archive(call: &Call<'_>, mode: Mode, given: &Read<'_>, findings: &mut Findings) {
    let mut some = false;
    for option in given.options().filter(|option| option.name == "file") {
        some = true;
        let value = option.value.unwrap_or_default();
        let name = text_of(value);
        let host = name.split_once(':').is_some_and(|(host, _)| !host.contains('/'));
        if host && !given.has("force-local") {
            let verb = match mode {
                Mode::Create | Mode::Add | Mode::DeleteFrom => Verb::Sends,
                Mode::Extract | Mode::List | Mode::Compare => Verb::Fetches,
            };
            call.does_plainly(verb, Some("the archive lies on another machine"), findings);
            continue;
        }
        match mode {
            Mode::Create => call.does_to(Verb::Writes, value, findings),
            Mode::Add | Mode::DeleteFrom => {
                call.does_to(Verb::Reads, value, findings);
                call.does_to(Verb::Writes, value, findings);
            }
            Mode::Extract | Mode::List | Mode::Compare => call.does_to(Verb::Reads, value, findings),
        }
    }
    if mode == Mode::DeleteFrom {
        call.does_plainly(Verb::Discards, Some("entries of the archive"), findings);
    }
    if !some {
        call.does_plainly(Verb::Reads, None, findings);
    }
}

/// The names behind the options, from the folder that the last `-C` in front of each names.
fn members(call: &Call<'_>, mode: Mode, given: &Read<'_>, words: &[Argument], findings: &mut Findings) {
    let to_output = given.has("to-stdout") || given.has("to-command");
    let mut folder: Vec<Unit> = Vec::new();
    let mut changed = false;
    for item in &given.items {
        let (units, is_folder) = match item {
            Item::Option(option) if option.name == "directory" => (option.value.unwrap_or_default(), true),
            Item::Option(option) if option.name == "add-file" => (option.value.unwrap_or_default(), false),
            Item::Option(_) => continue,
            Item::Operand(at) => {
                (words.get(*at).map(|word| word.units.as_slice()).unwrap_or_default(), false)
            }
        };
        let whole = joined(&folder, units);
        if is_folder {
            folder = whole;
            changed = true;
            if mode == Mode::Extract && !to_output {
                call.does_to(Verb::Creates, &folder, findings);
            }
            continue;
        }
        match mode {
            Mode::Create | Mode::Add | Mode::Compare => {
                if matches!(item, Item::Operand(_))
                    && matches!(units.first(), Some(Unit::Plain('*' | '?' | '[')))
                {
                    call.not_assessed(
                        "a name that matches the pattern may turn out to be an option",
                        findings,
                    );
                }
                call.does_to(Verb::Reads, &whole, findings);
                if let Some((Unit::Plain('@') | Unit::Quoted('@'), archive)) = units.split_first() {
                    call.does_to(Verb::Reads, &joined(&folder, archive), findings);
                }
                if given.has("remove-files") {
                    call.does_to(Verb::Deletes, &whole, findings);
                }
            }
            Mode::Extract if to_output => {
                call.does(Verb::Reads, &call.object(&whole), Some("out of an archive"), findings);
            }
            Mode::Extract | Mode::List | Mode::DeleteFrom => {}
        }
    }
    if mode == Mode::Extract && !to_output && !changed {
        call.does(Verb::Creates, &call.here(), None, findings);
    }
}

/// A path as seen from a folder.
fn joined(folder: &[Unit], path: &[Unit]) -> Vec<Unit> {
    let absolute = matches!(
        path.first(),
        Some(Unit::Plain('/' | '~') | Unit::Quoted('/') | Unit::Home | Unit::Folder | Unit::Unknown)
    );
    if folder.is_empty() || absolute {
        return path.to_vec();
    }
    let mut whole = folder.to_vec();
    whole.push(Unit::Quoted('/'));
    whole.extend_from_slice(path);
    whole
}
