//! Commands that print a credential or the environment.
//!
//! Promises to tell reading a file from naming it: the pattern of `grep`, the key of `ssh -i` and an `echo` of a path print
//! nothing of it.

use super::argument::Argument;
use super::command::Invocation;
use super::credentials::is_credential;
use super::options::Grammar;

/// A program that prints what the files it is given hold.
struct Reader {
    name: &'static str,
    /// How many operands come before the files.
    before: usize,
    /// Letters of options that take a value.
    values: &'static str,
}

const fn reader(name: &'static str, before: usize, values: &'static str) -> Reader {
    Reader { name, before, values }
}

/// Programs that print what the files they are given hold.
const READERS: &[Reader] = &[
    reader("cat", 0, ""),
    reader("bat", 0, "lrHp"),
    reader("batcat", 0, "lrHp"),
    reader("tac", 0, "s"),
    reader("nl", 0, "bdfhilnsvw"),
    reader("head", 0, "nc"),
    reader("tail", 0, "ncs"),
    reader("less", 0, ""),
    reader("more", 0, ""),
    reader("base64", 0, "w"),
    reader("base32", 0, "w"),
    reader("basenc", 0, "w"),
    reader("xxd", 0, "cglosR"),
    reader("od", 0, "AjNtw"),
    reader("hexdump", 0, "efns"),
    reader("hd", 0, "efns"),
    reader("strings", 0, "nte"),
    reader("sort", 0, "kotST"),
    reader("uniq", 0, "fsw"),
    reader("cut", 0, "bcdf"),
    reader("paste", 0, "d"),
    reader("rev", 0, ""),
    reader("fold", 0, "w"),
    reader("fmt", 0, "w"),
    reader("pr", 0, "lwh"),
    reader("column", 0, "stcN"),
    reader("expand", 0, "t"),
    reader("iconv", 0, "ft"),
    reader("tar", 0, "bCTXIHV"),
    reader("bsdtar", 0, "bCTX"),
    reader("zip", 0, "txi"),
    reader("gzip", 0, "S"),
    reader("pigz", 0, "p"),
    reader("bzip2", 0, ""),
    reader("xz", 0, "T"),
    reader("zstd", 0, "To"),
    reader("lz4", 0, ""),
    reader("7z", 1, ""),
    reader("zcat", 0, ""),
    reader("uuencode", 0, ""),
    reader("age", 0, "roi"),
    reader("split", 0, "bnl"),
    reader("shuf", 0, "n"),
    reader("diff", 0, "U"),
    reader("comm", 0, ""),
    reader("pv", 0, "LsN"),
    reader("grep", 1, "eABCmf"),
    reader("egrep", 1, "eABCmf"),
    reader("fgrep", 1, "eABCmf"),
    reader("zgrep", 1, "eABCmf"),
    reader("rg", 1, "eABCmfgtT"),
    reader("ag", 1, "ABCm"),
    reader("sed", 1, "e"),
    reader("awk", 1, "Fv"),
    reader("gawk", 1, "Fv"),
    reader("mawk", 1, "Fv"),
    reader("jq", 1, ""),
    reader("yq", 1, ""),
    reader("perl", 0, "eE"),
];
/// Programs that print nothing of the files they are given.
const NOT_PRINTING: &[&str] = &[
    "ls",
    "stat",
    "test",
    "[",
    "[[",
    "echo",
    "printf",
    "find",
    "gfind",
    "fd",
    "file",
    "wc",
    "du",
    "chmod",
    "chown",
    "chgrp",
    "touch",
    "mkdir",
    "rm",
    "rmdir",
    "ln",
    "ssh",
    "ssh-add",
    "ssh-keygen",
    "ssh-keyscan",
    "ssh-copy-id",
    "ssh-agent",
    "git",
    "docker",
    "docker-compose",
    "podman",
    "kubectl",
    "helm",
    "terraform",
    "ansible",
    "ansible-playbook",
    "make",
    "npm",
    "yarn",
    "pnpm",
    "cd",
    "pushd",
    "export",
    "source",
    ".",
    "readlink",
    "realpath",
    "basename",
    "dirname",
    "sha1sum",
    "sha256sum",
    "sha512sum",
    "md5sum",
    "cksum",
    "b2sum",
    "shasum",
    "md5",
    "which",
    "type",
    "command",
    "vim",
    "vi",
    "nano",
    "code",
    "shred",
    "truncate",
    "tee",
    "sponge",
    "psql",
    "mysql",
    "read",
    "mapfile",
    "readarray",
    "true",
    "false",
    ":",
    "sudo",
    "doas",
    "env",
    "xargs",
    "parallel",
    "timeout",
    "nice",
    "nohup",
    "time",
    "dotenv",
    "direnv",
    "chattr",
    "getfacl",
    "setfacl",
    "keytool",
    "cmp",
    "gh",
    "glab",
    "openssl",
    "gpg",
    "gpg2",
    "bash",
    "sh",
    "zsh",
    "dash",
    "ksh",
];
/// Names under which a copier's target is its standard output.
const STANDARD_OUTPUT: &[&str] = &["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "-"];

/// Whether a command prints a credential or the environment.
pub(super) fn prints(command: &Invocation<'_>) -> bool {
    if prints_environment(command) {
        return true;
    }
    let texts = || command.arguments().iter().map(|argument| argument.text.as_str());
    match command.program.as_str() {
        "" => false,
        "cp" | "mv" | "install" => {
            texts().any(|text| STANDARD_OUTPUT.contains(&text))
                && any_credential(command, command.arguments().iter())
        }
        "dd" | "dcfldd" => command.arguments().iter().any(|argument| {
            argument.text.starts_with("if=") && is_credential(&command.path(argument.behind(3)))
        }),
        "openssl" => {
            let mut arguments = command.arguments().iter();
            let key = arguments.any(|argument| argument.text == "-in")
                && arguments.next().is_some_and(|file| is_credential(&command.path(&file.units)));
            key && !texts().any(|text| matches!(text, "-pubout" | "-noout" | "s_client"))
        }
        "gpg" | "gpg2" => {
            texts().any(|text| text.starts_with("--export-secret"))
                || (texts().any(|text| matches!(text, "-c" | "-ac" | "-ca" | "--symmetric"))
                    && any_credential(command, command.arguments().iter()))
        }
        "getent" => texts().eq(["shadow"]),
        _ => prints_file(command),
    }
}

/// Whether a command hands on what it is given as arguments or as its input.
pub(super) fn hands_on(command: &Invocation<'_>) -> bool {
    matches!(command.program.as_str(), "" | "echo" | "printf" | "tr" | "xargs" | "tee")
        || READERS.iter().any(|reader| reader.name == command.program)
}

/// Whether what a command reads as its input may come out again.
pub(crate) fn lets_input_through(command: &Invocation<'_>) -> bool {
    hands_on(command) || !NOT_PRINTING.contains(&command.program.as_str())
}

fn prints_file(command: &Invocation<'_>) -> bool {
    let Some(reader) = READERS.iter().find(|reader| reader.name == command.program) else {
        return !NOT_PRINTING.contains(&command.program.as_str()) && reads_operand(command);
    };
    let parsed =
        command.parsed(Grammar { short: reader.values, long: &["--regexp", "--file", "--expression"] });
    if reader.name.ends_with("grep") || reader.name == "rg" {
        let names_only = parsed.flags.iter().any(|flag| {
            matches!(
                flag.name.as_str(),
                "-l" | "-L"
                    | "-c"
                    | "-q"
                    | "--files-with-matches"
                    | "--files-without-match"
                    | "--count"
                    | "--quiet"
            )
        });
        if names_only {
            return false;
        }
    }
    let script_in_option = parsed.flags.iter().any(|flag| {
        matches!(flag.name.as_str(), "-e" | "-f" | "--regexp" | "--expression" | "--file")
            && flag.value.is_some()
    });
    let before = if script_in_option { 0 } else { reader.before };
    any_credential(command, parsed.operands.iter().skip(before).copied())
}

/// A program that is not known, given a credential as an operand that no option in front of it may have taken.
fn reads_operand(command: &Invocation<'_>) -> bool {
    let mut behind_option = false;
    command.arguments().iter().any(|argument| {
        let option = argument.text.starts_with('-') && argument.text.len() > 1;
        let free = !option && !behind_option;
        behind_option = option && !argument.text.contains('=');
        free && is_file(argument) && is_credential(&command.path(&argument.units))
    })
}

fn any_credential<'a>(command: &Invocation<'_>, mut arguments: impl Iterator<Item = &'a Argument>) -> bool {
    arguments.any(|argument| is_file(argument) && is_credential(&command.path(&argument.units)))
}

/// Not a URL and not a path on another machine.
pub(super) fn is_file(argument: &Argument) -> bool {
    !argument.text.contains("://") && !is_remote(&argument.text)
}

/// `host:path`, `user@host:path`, `host::module`: a colon before any slash.
pub(crate) fn is_remote(text: &str) -> bool {
    text.find(':').is_some_and(|colon| text.find('/').is_none_or(|slash| colon < slash) && colon > 0)
        || text.starts_with("::")
        || text.contains("rsync://")
}

fn prints_environment(command: &Invocation<'_>) -> bool {
    let operands = || command.arguments().iter().filter(|argument| !argument.text.starts_with('-'));
    match command.program.as_str() {
        "env" | "genv" => {
            let parsed = command.parsed(Grammar { short: "uC", long: &["--unset", "--chdir"] });
            !command.segment.carries_code
                && !parsed.asks_for_help()
                && parsed.operands.iter().all(|operand| operand.text.contains('='))
        }
        "printenv" => operands().next().is_none(),
        "set" => command.arguments().is_empty(),
        "export" | "declare" | "typeset" | "readonly" => {
            operands().next().is_none()
                && command
                    .arguments()
                    .iter()
                    .all(|flag| flag.text.chars().all(|letter| "-pxgr".contains(letter)))
        }
        "jq" => operands().any(|filter| matches!(filter.text.trim(), "env" | "$ENV")),
        _ => false,
    }
}
