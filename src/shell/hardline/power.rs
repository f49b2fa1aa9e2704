//! Switching the machine off or starting it anew.
//!
//! Promises that the program's whole name counts and that asking for help, cancelling or only warning is not refused.

use super::Check;
use super::command::Invocation;
use super::options::Grammar;

/// Words of `systemctl` that stop the machine.
const VERBS: &[&str] = &["poweroff", "reboot", "halt", "kexec", "soft-reboot"];
/// Units whose start stops the machine, without their ending.
const TARGETS: &[&str] = &[
    "poweroff",
    "reboot",
    "halt",
    "kexec",
    "shutdown",
    "soft-reboot",
    "ctrl-alt-del",
    "runlevel0",
    "runlevel6",
];
/// Options of `systemctl` and `loginctl` that take a value.
const SYSTEMCTL: Grammar = Grammar {
    short: "HMtpPnos",
    long: &[
        "--host",
        "--machine",
        "--type",
        "--state",
        "--property",
        "--lines",
        "--output",
        "--signal",
        "--root",
        "--image",
        "--job-mode",
        "--when",
        "--message",
        "--kill-whom",
        "--kill-who",
        "--what",
        "--reboot-argument",
        "--boot-loader-menu",
        "--boot-loader-entry",
        "--preset-mode",
    ],
};

/// Whether a command stops or restarts the machine.
pub(super) fn check(command: &Invocation<'_>) -> Option<Check> {
    (stops(command) && command.is_of_the_system()).then_some(Check::Shutdown)
}

fn stops(command: &Invocation<'_>) -> bool {
    let texts = || command.arguments().iter().map(|argument| argument.text.as_str());
    match command.program.as_str() {
        "shutdown" => {
            let parsed = command.parsed(Grammar { short: "t", long: &["--message"] });
            !(parsed.asks_for_help()
                || parsed.has('c', "--cancel")
                || parsed.has('k', "")
                || parsed.has('?', "")
                || parsed.flags.iter().any(|flag| flag.name == "--show"))
        }
        "reboot" | "halt" | "poweroff" => {
            let parsed = command.parsed(Grammar::NONE);
            !(parsed.asks_for_help()
                || parsed.has('w', "--wtmp-only")
                || command.arguments().first().is_some_and(|first| first.text == "-h"))
        }
        "init" | "telinit" => {
            let parsed = command.parsed(Grammar { short: "te", long: &[] });
            parsed.operands.first().is_some_and(|level| matches!(level.text.as_str(), "0" | "6"))
        }
        "systemctl" | "loginctl" => {
            let parsed = command.parsed(SYSTEMCTL);
            let elsewhere = parsed.has('H', "--host") || parsed.has('M', "--machine");
            let cancels = parsed
                .flags
                .iter()
                .any(|flag| flag.value.is_some_and(|value| super::argument::text_of(value) == "cancel"));
            let harmless = parsed.asks_for_help() || parsed.has('h', "") || elsewhere || cancels;
            let mut operands = parsed.operands.iter().map(|operand| operand.text.as_str());
            let stops = match operands.next() {
                Some("isolate") => operands.any(|unit| is_target(unit, true)),
                Some("start" | "restart" | "try-restart" | "reload-or-restart") => {
                    operands.any(|unit| is_target(unit, false))
                }
                Some(verb) => VERBS.contains(&verb),
                None => false,
            };
            stops && !harmless
        }
        "kexec" => texts().any(|text| matches!(text, "-e" | "--exec")),
        "dbus-send" | "gdbus" | "busctl" => {
            texts().any(|text| text.contains("login1"))
                && texts().any(|text| {
                    let method = text.rsplit('.').next().unwrap_or(text);
                    matches!(method, "Reboot" | "PowerOff" | "Halt" | "KExec")
                })
        }
        _ => false,
    }
}

fn is_target(unit: &str, bare: bool) -> bool {
    let name = unit.strip_suffix(".target");
    let name = if bare { name.or(Some(unit)) } else { name };
    name.is_some_and(|name| TARGETS.contains(&name))
}
