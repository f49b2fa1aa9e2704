//! What single words of a command say by their form alone: addresses, logins, commands, statements of a database, the names of
//! secrets.
//!
//! Promises never to make a judgement milder, and to be asked only about words that no effect of an entry speaks about. Knows
//! nothing of entries.

use super::call::Call;
use super::findings::Findings;
use super::objects::{is_url, shown};
use super::overlooked::{Does, paths_inside};
use super::place::Place;
use super::variables::is_environment_secret;
use crate::rater::knowledge::sounds_harmless;
use crate::shell::hardline::{Argument, UNKNOWN, Unit, is_this_machine, text_of};

/// The longest word that is looked into, in bytes.
const MAX_WORD: usize = 4_096;
/// Programs that are asked about others by their names.
const MANUALS: &[&str] = &[
    "id",
    "groups",
    "finger",
    "chage",
    "getent",
    "passwd",
    "man",
    "tldr",
    "cheat",
    "help",
    "info",
    "whatis",
    "apropos",
    "which",
    "whereis",
    "type",
    "command",
    "hash",
    "pgrep",
    "apt-cache",
    "brew",
    "npm",
    "yarn",
    "pnpm",
    "cargo",
    "go",
    "pip",
    "pip3",
    "gem",
    "apt",
    "dnf",
    "kubectl",
    "docker",
    "podman",
    "systemctl",
    "journalctl",
    "tmux",
    "screen",
    "cd",
    "basename",
    "dirname",
    "expr",
    "seq",
];
/// Programs in whose words a path is a name in an account, a cluster or a store.
const NAMING: &[&str] = &[
    "aws",
    "az",
    "gcloud",
    "kubectl",
    "oc",
    "helm",
    "vault",
    "consul",
    "etcdctl",
    "zkCli.sh",
    "gsutil",
    "argocd",
    "doctl",
    "curl",
    "http",
    "journalctl",
    "findmnt",
    "df",
    "lsof",
    "mountpoint",
    "docker",
    "podman",
    "crictl",
    "nomad",
    "redis-cli",
    "bazel",
    "buck2",
    "nix",
    "getcap",
    "lsattr",
    "getfacl",
    "terraform",
    "tofu",
];
/// Words that stand for doing something, where a program is given them as its first or second operand.
const DOING: &[&str] = &[
    "accept",
    "add",
    "apply",
    "approve",
    "attach",
    "backup",
    "bind",
    "clear",
    "clone",
    "connect",
    "create",
    "delete",
    "deploy",
    "destroy",
    "detach",
    "disable",
    "disarm",
    "drop",
    "edit",
    "enable",
    "erase",
    "exec",
    "execute",
    "fix",
    "flush",
    "format",
    "grant",
    "import",
    "init",
    "install",
    "invite",
    "join",
    "kill",
    "load",
    "login",
    "mount",
    "move",
    "patch",
    "prune",
    "publish",
    "purge",
    "push",
    "put",
    "register",
    "reload",
    "remove",
    "rename",
    "repair",
    "replace",
    "resend",
    "reset",
    "restart",
    "restore",
    "revoke",
    "rm",
    "run",
    "send",
    "set",
    "shell",
    "start",
    "stop",
    "submit",
    "sync",
    "truncate",
    "uninstall",
    "unregister",
    "unset",
    "update",
    "upgrade",
    "upload",
    "wipe",
    "write",
];
/// Programs that a value which is a command line begins with.
const COMMANDS: &[&str] = &[
    "sh",
    "bash",
    "zsh",
    "dash",
    "rm",
    "curl",
    "wget",
    "nc",
    "ncat",
    "python",
    "python3",
    "node",
    "perl",
    "ruby",
    "php",
    "make",
    "eval",
    "exec",
    "sudo",
    "docker",
    "kubectl",
    "chmod",
    "chown",
    "mv",
    "cp",
    "dd",
    "ssh",
    "scp",
    "npm",
    "npx",
    "osascript",
];
/// Options whose value is text for people.
const MESSAGES: &[&str] = &[
    "-m",
    "--message",
    "--msg",
    "--title",
    "--body",
    "--description",
    "--desc",
    "--comment",
    "--name",
    "--subject",
    "--summary",
    "-k",
    "--grep",
    "--filter",
    "--search",
    "--query",
    "-q",
    "-t",
    "--label",
    "--tag",
    "--reason",
    "--note",
    "--notes",
];
/// Calls of languages of tools that read files or variables.
const READING: &[&str] = &[
    "load(",
    "load_str(",
    "readfile",
    "getenv",
    "read_file(",
    "importstr",
    "file('",
    "file(\"",
    "read_text(",
    "popen",
    "system(",
];
/// Starts of statements that change a database.
const STATEMENTS: &[&str] = &[
    "delete from ",
    "drop ",
    "truncate ",
    "update ",
    "alter ",
    "insert into ",
    "grant ",
    "revoke ",
    "create user",
    "create role",
    "copy ",
    "vacuum",
    "call ",
    "exec ",
];
/// Parts of the names of settings that hold a login.
const LOGINS: &[&str] = &[
    "oauth",
    "http-basic",
    "password",
    "passwd",
    "secret",
    "api_key",
    "apikey",
    "api-key",
    "private_key",
    "access_key",
    "access-key",
    "credential",
    "_token",
    "-token",
    "sql_alchemy_conn",
];
/// Starts of references to something that is fetched.
const REFERENCES: &[&str] = &[
    "github:",
    "gitlab:",
    "bitbucket:",
    "sourcehut:",
    "gist:",
    "git+",
    "npm:",
    "jsr:",
    "hf://",
    "path:/",
    "github.com/",
    "gitlab.com/",
    "buf.build/",
    ":sftp",
    ":ftp",
    ":http",
    ":webdav",
];

/// A word that no effect of the entry is about.
pub(super) fn of_operand(
    call: &Call<'_>,
    argument: &Argument,
    does: Does,
    number: usize,
    findings: &mut Findings,
) {
    of_text(call, &argument.units, "", findings);
    named(call, &argument.units, does.builds || does.writes, findings);
    if !does.builds && !does.looks {
        return;
    }
    let text = argument.text.as_str();
    let verb = text.split(['-', '_', ':']).next().unwrap_or_default();
    if number < 2 && DOING.contains(&verb) && !MANUALS.contains(&call.program) {
        unknown(call, "what it does there", text, findings);
    }
    if does.looks && text.contains('/') && !is_url(text) && !NAMING.contains(&call.program) {
        let object = call.object(&argument.units);
        let elsewhere = matches!(
            object.place,
            Place::Outside
                | Place::Home
                | Place::Private
                | Place::Settings
                | Place::Data
                | Place::Later
                | Place::Rights
        );
        if elsewhere {
            unknown(call, "what it does to what lies outside of the project", text, findings);
        }
    }
    if text.ends_with(".sh") || text.starts_with('|') {
        unknown(call, "whether it runs", text, findings);
    }
}

/// A script that is given to a program which works on the project: it may run it.
pub(super) fn of_script(call: &Call<'_>, argument: &Argument, findings: &mut Findings) {
    unknown(call, "whether it runs", &argument.text, findings);
}

/// A word that is read: what is fetched is no file, and what begins with a bar is a command.
pub(super) fn of_reference(call: &Call<'_>, argument: &Argument, findings: &mut Findings) {
    let text = argument.text.as_str();
    if REFERENCES.iter().any(|start| text.starts_with(start)) || text.starts_with('|') {
        unknown(call, "what it takes for a file", text, findings);
    }
}

/// A word that is read, beside other work.
pub(super) fn of_read(call: &Call<'_>, argument: &Argument, findings: &mut Findings) {
    if call.object(&argument.units).place != Place::Temporary {
        named(call, &argument.units, true, findings);
    }
    if argument.text.starts_with(['|', '\\', '@']) {
        unknown(call, "whether it runs", &argument.text, findings);
    }
}

/// The value of an option that changes nothing by itself.
pub(super) fn of_value(call: &Call<'_>, name: &str, units: &[Unit], does: Does, findings: &mut Findings) {
    of_text(call, units, name, findings);
    // In an account or a cluster a path is a name.
    let about_files = does.reads || does.looks && !NAMING.contains(&call.program);
    let leads = does.builds || does.writes || about_files && (name.len() == 2 || !sounds_harmless(name));
    named(call, units, leads, findings);
}

/// What a text says wherever it stands.
fn of_text(call: &Call<'_>, units: &[Unit], option: &str, findings: &mut Findings) {
    let text = text_of(units);
    if text.len() > MAX_WORD {
        unknown(call, "the purpose of so long a word", "…", findings);
        return;
    }
    if MESSAGES.contains(&option) {
        return;
    }
    let mut words = text.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'));
    if words.any(|word| word.contains('_') && is_environment_secret(word)) {
        unknown(call, "what becomes of the secret", &text, findings);
    }
    let small = text.trim_start_matches(['"', '\'', ' ']).to_ascii_lowercase();
    if READING.iter().any(|part| small.contains(part)) {
        unknown(call, "what it reads by", &text, findings);
    }
    if small.contains(' ') && STATEMENTS.iter().any(|start| small.starts_with(start)) {
        unknown(call, "what the statement changes", &text, findings);
    }
    let first = small.split_whitespace().next().unwrap_or_default();
    let is_command = small.contains(' ') && (COMMANDS.contains(&first) || first.ends_with(".sh"));
    if is_command || !option.is_empty() && small.ends_with(".sh") {
        unknown(call, "whether it runs", &text, findings);
    }
    if !small.contains(' ')
        && !small.contains('.')
        && !matches!(small.as_str(), "secret" | "secrets")
        && LOGINS.iter().any(|part| small.contains(part))
        && option.is_empty()
        || small.starts_with("github-oauth")
        || small.starts_with("http-basic")
    {
        unknown(call, "what it shows of the login", &text, findings);
    }
    if REFERENCES.iter().any(|start| small.starts_with(start))
        && !matches!(
            call.program,
            "go" | "gopls" | "golangci-lint" | "staticcheck" | "npm" | "yarn" | "pnpm" | "deno"
        )
    {
        unknown(call, "what is fetched as", &text, findings);
    }
    if is_host_and_port(&small) && !is_this_machine(&small) {
        unknown(call, "what it asks of", &text, findings);
    }
}

/// `kafka.example.com:9092`, `10.0.0.5:11211`.
fn is_host_and_port(text: &str) -> bool {
    let Some((host, port)) = text.rsplit_once(':') else { return false };
    let digits = (2..=5).contains(&port.len()) && port.bytes().all(|byte| byte.is_ascii_digit());
    let host = host.rsplit_once("://").map_or(host, |(_, host)| host);
    let host = host
        .split_once(':')
        .filter(|(scheme, _)| matches!(*scheme, "tcp" | "udp" | "http" | "https" | "tls"))
        .map_or(host, |(_, host)| host);
    let named = host.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'-');
    digits
        && named
        && host.contains('.')
        && !host.starts_with('.')
        && !host.ends_with(".py")
        && !host.ends_with(".rs")
        && host.rsplit('.').next().is_some_and(|last| {
            last.len() >= 2
                && !matches!(
                    last,
                    "go" | "ts"
                        | "js"
                        | "md"
                        | "java"
                        | "rb"
                        | "cpp"
                        | "tsx"
                        | "jsx"
                        | "txt"
                        | "toml"
                        | "json"
                        | "yml"
                        | "yaml"
                )
                || last.bytes().all(|byte| byte.is_ascii_digit())
        })
}

fn unknown(call: &Call<'_>, what: &str, text: &str, findings: &mut Findings) {
    findings.not_assessed(|| {
        format!("In {}, {what} is not known: {}.", shown(call.program), shown(&text.replace(UNKNOWN, "…")))
    });
}

/// What a word names: an address, a login, and with `leads` a folder that is not the project's.
fn named(call: &Call<'_>, units: &[Unit], leads: bool, findings: &mut Findings) {
    let text = text_of(units);
    if text.contains(char::is_whitespace) || text.len() > MAX_WORD {
        return;
    }
    if is_url(&text) {
        if !is_this_machine(&text) && !is_name_of_something(&text) {
            unknown(call, "what the address is for", &text, findings);
        }
        return;
    }
    if leads {
        for path in paths_inside(units) {
            place(call, path, findings);
        }
    }
    let object = call.object(units);
    if object.credential {
        findings.not_assessed(|| {
            format!(
                "In {}, what becomes of {}, which holds credentials, is not known.",
                shown(call.program),
                object.shown()
            )
        });
    } else if leads
        && !text.ends_with(".pub")
        && (text.contains('/') || text == "..")
        && !text.starts_with("//")
        && text.len() > 1
    {
        place(call, units, findings);
    }
}

/// Adds that a path lies outside of the project, where it does.
fn place(call: &Call<'_>, units: &[Unit], findings: &mut Findings) {
    let object = call.object(units);
    match object.place {
        Place::Stream
        | Place::Project
        | Place::WholeProject
        | Place::AroundProject
        | Place::Repository
        | Place::Hook
        | Place::Automation
        | Place::AgentSettings
        | Place::Library
        | Place::Unknown => {}
        Place::WholeSystem if is_of_the_system(units) => {}
        Place::Temporary
        | Place::Cache
        | Place::Settings
        | Place::Home
        | Place::Private
        | Place::WholeHome
        | Place::Later
        | Place::Rights
        | Place::History
        | Place::Log
        | Place::AllLogs
        | Place::System
        | Place::WholeSystem
        | Place::Disk
        | Place::Connection
        | Place::Data
        | Place::Outside => findings.not_assessed(|| {
            format!(
                "In {}, what {} outside of the project is for is not known.",
                shown(call.program),
                object.shown()
            )
        }),
    }
}

/// Whether a path is one of those under which the system's own libraries and headers lie.
fn is_of_the_system(units: &[Unit]) -> bool {
    let text = text_of(units);
    text.starts_with("/usr") || text.starts_with("/opt") || text.starts_with("/lib")
}

/// Whether an address is that of something on this machine, in the words of a tool: `local://image`, `file:` of the project.
fn is_name_of_something(text: &str) -> bool {
    text.starts_with("local://") || text.starts_with("file://")
}
