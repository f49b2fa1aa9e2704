//! Words of a command that no effect of its entry is about, and that matter all the same: an address, a login, a door that is
//! opened to the network, a folder of somebody else.
//!
//! Promises never to make a judgement milder. Knows nothing of single programs, except those whose words are text.

use super::call::Call;
use super::findings::Findings;
use super::objects::shown;
use super::telltale;
use crate::gate::Outcome;
use crate::rater::knowledge::{Action, Objects, Resolved, Verb};
use crate::shell::hardline::{Argument, Unit};

/// What they are given is text to show, to look for or to record.
const TELLING: [&str; 16] = [
    "git", "echo", "printf", "print", "grep", "egrep", "fgrep", "rg", "ag", "ack", "ugrep", "zgrep", "gh",
    "glab", "test", "[",
];

/// Programs that check or format scripts and do not run them.
const READERS_OF_SCRIPTS: [&str; 8] =
    ["shellcheck", "shfmt", "shellharden", "bashate", "checkbashisms", "prettier", "typos", "codespell"];
/// Programs whose operands are read and written in an order that everybody knows.
const COPIERS: [&str; 16] = [
    "cp", "gcp", "ln", "gln", "install", "ginstall", "rsync", "mv", "gmv", "ditto", "zip", "7z", "xxd",
    "uniq", "tee", "split",
];

/// Adds words that open a port to everybody who reaches this machine.
pub(super) fn opens_doors(call: &Call<'_>, findings: &mut Findings) {
    if TELLING.contains(&call.program) {
        return;
    }
    for (at, argument) in call.arguments.iter().enumerate() {
        opens_a_door(call, argument, findings);
        // Servers for development take it for all addresses.
        let alone = argument.text == "--host"
            && call.arguments.get(at + 1).is_none_or(|next| next.text.starts_with('-'));
        if alone {
            findings.add(Outcome::Destructive, || {
                format!("{} listens to everybody who reaches this machine.", shown(call.program))
            });
        }
    }
}

/// Adds the words that nothing of the entry speaks about.
pub(super) fn add(call: &Call<'_>, resolved: &Resolved<'_>, findings: &mut Findings) {
    let does = Does::of(resolved);
    if TELLING.contains(&call.program) || does.shows_or_wraps {
        return;
    }
    let count = call.operands.len();
    for (number, at) in call.operands.iter().enumerate() {
        let Some(argument) = call.arguments.get(*at) else { continue };
        let covered = resolved.effects.iter().fold(Covered::No, |covered, applied| {
            let by = match (applied.effect.objects, applied.effect.action) {
                (Some(objects), _) if !covers(objects, number, count) => Covered::No,
                (Some(_), Action::Verb(Verb::Reads | Verb::Lists)) => Covered::Read,
                (Some(_), _) => Covered::Fully,
                (None, _) => Covered::No,
            };
            covered.max(by)
        });
        match covered {
            Covered::Fully
                if does.builds
                    && argument.text.ends_with(".sh")
                    && !READERS_OF_SCRIPTS.contains(&call.program) =>
            {
                telltale::of_script(call, argument, findings);
            }
            Covered::Fully => {}
            // What is built, and what is written beside it, is a matter of order.
            Covered::Read if does.builds || does.writes && !COPIERS.contains(&call.program) => {
                telltale::of_read(call, argument, findings);
            }
            Covered::Read => telltale::of_reference(call, argument, findings),
            Covered::No => telltale::of_operand(call, argument, does, number, findings),
        }
    }
    for argument in resolved.unnamed.iter().filter_map(|at| call.arguments.get(*at)) {
        if let Some((name, _)) = argument.text.split_once('=') {
            telltale::of_value(call, name, argument.behind(name.chars().count() + 1), does, findings);
        }
    }
    for (name, place) in &resolved.plain_values {
        if let Some(units) = Call::value_units(call.arguments, *place) {
            telltale::of_value(call, name, units, does, findings);
        }
    }
}

/// What the effects of a command say of an operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Covered {
    No,
    Read,
    Fully,
}

/// Whether objects are, among others, the operand of that number.
fn covers(objects: Objects, number: usize, count: usize) -> bool {
    match objects {
        Objects::Operands => true,
        Objects::First => number == 0,
        Objects::Second => number == 1,
        Objects::Last => number + 1 == count,
        Objects::Rest => number > 0,
        Objects::Init => number + 1 < count,
        Objects::Value | Objects::Here => false,
    }
}

/// What a command does as a whole.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Does {
    /// It shows text, or hands its words to another command.
    shows_or_wraps: bool,
    /// It works on the project.
    pub(super) builds: bool,
    /// It makes or changes files.
    pub(super) writes: bool,
    /// It reads files.
    pub(super) reads: bool,
    /// It only looks.
    pub(super) looks: bool,
}

impl Does {
    fn of(resolved: &Resolved<'_>) -> Self {
        let mut does = Self::default();
        for applied in &resolved.effects {
            match applied.effect.action {
                Action::Verb(Verb::Prints | Verb::Wraps | Verb::Nothing) => does.shows_or_wraps = true,
                Action::Verb(Verb::Builds | Verb::Restores | Verb::Records) => does.builds = true,
                Action::Verb(Verb::Writes | Verb::Creates | Verb::Moves) => does.writes = true,
                Action::Verb(Verb::Reads | Verb::Lists) => does.reads = true,
                Action::Verb(Verb::Inspects) => does.looks = true,
                Action::Verb(_) | Action::Rule(_) => {}
            }
        }
        does
    }
}

/// The paths behind a mark in a word that lead elsewhere: `html:/srv/x`, `paths=relative:../gen`.
pub(super) fn paths_inside(units: &[Unit]) -> impl Iterator<Item = &[Unit]> {
    let is_mark = |unit: &Unit| matches!(unit.character(), '=' | ':' | ',');
    units.split(is_mark).skip(1).filter(|path| match path {
        [Unit::Home | Unit::Folder, ..] => true,
        [first, second, ..] if first.character() == '/' => second.character() != '/',
        [first, ..] if first.character() == '~' => true,
        [one, two, three, ..] => one.character() == '.' && two.character() == '.' && three.character() == '/',
        [_, _] | [_] | [] => false,
    })
}

/// Programs that run the tasks of a project by their names.
const TASKS: &[&str] = &[
    "ninja",
    "ninja-build",
    "samu",
    "cmake",
    "cmake3",
    "scons",
    "waf",
    "redo",
    "tup",
    "jam",
    "b2",
    "premake5",
    "zig",
    "tox",
    "nox",
    "bacon",
    "west",
    "idf.py",
    "meson",
    "xmake",
    "compiledb",
    "mill",
    "lein",
    "just",
    "task",
    "invoke",
    "inv",
    "doit",
    "moon",
    "rush",
    "ant",
    "mage",
    "buck2",
    "cargo-make",
    "dotnet",
    "msbuild",
    "rake",
    "gleam",
    "rebar3",
    "lake",
    "mix",
    "dune",
    "turbo",
    "nx",
    "snakemake",
    "gulp",
    "grunt",
    "lerna",
];
/// What tasks are called that reach further than the project.
pub(super) const FAR: &[&str] = &[
    "deploy",
    "publish",
    "release",
    "upload",
    "flash",
    "push",
    "install",
    "uninstall",
    "prod",
    "production",
    "ship",
    "destroy",
    "drop",
    "provision",
    "migrate",
    "promote",
    "rollback",
    "erase",
];

/// What programs of a project are called, or told, that change more than what is built.
const CHANGING: &[&str] = &[
    "backfill",
    "cleanup",
    "delete",
    "import",
    "migration",
    "migrations",
    "prune",
    "purge",
    "remove",
    "reset",
    "restore",
    "seed",
    "seeds",
    "seeder",
    "send",
    "sync",
    "truncate",
    "wipe",
    "write",
];

/// Adds programs of the project that a build tool starts, whose names or arguments say that they change more than what is
/// built: `go run ./cmd/migrate`, `cargo run --bin seed`.
fn far_programs(call: &Call<'_>, findings: &mut Findings) {
    let starts = match call.program {
        "cargo" | "go" | "dotnet" | "swift" | "cabal" | "stack" | "zig" | "lein" | "crystal" | "nim"
        | "gleam" | "mix" | "uv" | "poetry" | "pdm" | "hatch" => {
            call.arguments.iter().any(|argument| matches!(argument.text.as_str(), "run" | "r"))
        }
        "gradle" | "gradlew" | "mvn" | "mvnw" | "sbt" => call
            .arguments
            .iter()
            .any(|argument| ["run", "bootRun", "exec:java"].contains(&argument.text.as_str())),
        _ => false,
    };
    if !starts {
        return;
    }
    for argument in call.arguments {
        let text = argument.text.to_ascii_lowercase();
        let mut parts = text.split(|letter: char| !letter.is_ascii_alphanumeric());
        if text != "--release" && parts.any(|part| FAR.contains(&part) || CHANGING.contains(&part)) {
            call.not_assessed(&format!("what {} reaches is not known", shown(&text)), findings);
        }
    }
}

/// Adds tasks whose names say that they reach further than the project.
pub(super) fn far_tasks(call: &Call<'_>, resolved: &Resolved<'_>, findings: &mut Findings) {
    far_programs(call, findings);
    let makes = call.program == "cargo" && call.subcommand_is(&["make"]);
    if !makes && !TASKS.contains(&call.program) {
        return;
    }
    let values = resolved.plain_values.iter().filter(|(name, _)| {
        matches!(
            name.as_str(),
            "-e" | "-s"
                | "-t"
                | "-j"
                | "--target"
                | "--session"
                | "--sessions"
                | "--tags"
                | "--job"
                | "-target"
                | "--flag"
                | "--ninja-args"
        )
    });
    let words = resolved
        .operands
        .iter()
        .filter_map(|at| call.arguments.get(*at))
        .map(|argument| argument.units.as_slice());
    for units in words.chain(values.filter_map(|(_, place)| Call::value_units(call.arguments, *place))) {
        let text: String = units.iter().map(|unit| unit.character()).collect::<String>().to_ascii_lowercase();
        let mut parts = text.split(|letter: char| !letter.is_ascii_alphanumeric());
        if parts.any(|part| FAR.contains(&part)) {
            call.not_assessed(&format!("what the task {} reaches is not known", shown(&text)), findings);
        }
    }
}

/// Whether a word makes something listen to everybody: all addresses of the machine.
fn opens_a_door(call: &Call<'_>, argument: &Argument, findings: &mut Findings) {
    let value = match argument.text.split_once('=') {
        Some((name, value)) if name.starts_with('-') => value,
        Some(_) | None => argument.text.as_str(),
    };
    let address = value.split_once("://").map_or(value, |(_, rest)| rest);
    let host = address.split('/').next().unwrap_or_default();
    let open = |host: &str| {
        let behind = |name: &str| {
            host.strip_prefix(name).is_some_and(|rest| {
                rest.is_empty()
                    || rest.strip_prefix(':').is_some_and(|port| {
                        !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit())
                    })
            })
        };
        behind("0.0.0.0") || behind("[::]") || host == "::" && call.program != "pants"
    };
    if open(host) || host.rsplit_once(':').is_some_and(|_| host.starts_with("*:")) {
        findings.add(Outcome::Destructive, || {
            format!(
                "{} listens at {}, for everybody who reaches this machine.",
                shown(call.program),
                shown(value)
            )
        });
    }
}
