//! Formatting, wiping and overwriting disks.
//!
//! Promises one table per kind of program. Reading a disk is not its business, nor is writing to a file that holds an image.

use super::Check;
use super::argument::{Argument, text_of};
use super::command::Invocation;
use super::devices::{is_block_device, is_kernel_trigger, may_hold_a_file_system};
use super::options::{Grammar, Parsed};

/// Programs that make a file system, or the like, on each device they are given.
const FORMATTERS: &[&str] = &[
    "mkfs",
    "mke2fs",
    "mkdosfs",
    "mkntfs",
    "mkswap",
    "mkudffs",
    "mkreiserfs",
    "mkexfatfs",
    "mkzonefs",
    "newfs",
    "newfs_apfs",
    "newfs_hfs",
    "newfs_msdos",
    "newfs_exfat",
    "pvcreate",
    "bcachefs",
];
/// Programs that wipe each device they are given.
const WIPERS: &[&str] =
    &["shred", "gshred", "wipe", "scrub", "nwipe", "blkdiscard", "badblocks", "dban", "blkzone"];
/// Programs that write each operand.
const WRITERS: &[&str] = &["tee", "gtee", "sponge", "truncate"];
/// Programs that write their last operand.
const COPIERS: &[&str] = &[
    "cp",
    "gcp",
    "mv",
    "gmv",
    "install",
    "ginstall",
    "rsync",
    "ddrescue",
    "pv",
    "bmaptool",
    "partclone.restore",
];
/// Programs that write what `of=` names.
const BLOCK_COPIERS: &[&str] = &["dd", "gdd", "dcfldd", "dc3dd", "sdd"];
/// Programs with an option that names the file they write: letter and long name.
const OUTPUT_OPTIONS: &[(&str, char, &str)] = &[
    ("curl", 'o', "--output"),
    ("wget", 'O', "--output-document"),
    ("pv", 'o', "--output"),
    ("sort", 'o', "--output"),
    ("gpg", 'o', "--output"),
    ("openssl", '\0', "-out"),
    ("qemu-img", '\0', "of"),
    ("xorriso", '\0', "-outdev"),
];

/// Whether a command formats, wipes or overwrites a disk, or drives the kernel through its trigger.
pub(super) fn check(command: &Invocation<'_>) -> Option<Check> {
    formats(command).or_else(|| writes(command))
}

fn formats(command: &Invocation<'_>) -> Option<Check> {
    let parsed = || command.parsed(Grammar::NONE);
    let on_device = |parsed: &Parsed<'_>| {
        parsed.operands.iter().any(|operand| may_hold_a_file_system(&command.path(&operand.units)))
    };
    let word = |text: &str| command.arguments().iter().any(|argument| argument.text == text);
    let program = command.program.as_str();
    let formatter = command.named(FORMATTERS).is_some() || program.starts_with("mkfs.");
    let found = if formatter {
        let parsed = parsed();
        // `-n` and `-N` only show what would be done in some of them, and take a value in others: not an excuse.
        !parsed.asks_for_help() && on_device(&parsed)
    } else if command.named(WIPERS).is_some() {
        let parsed = parsed();
        let only_reads = program == "badblocks" && !parsed.has('w', "") && !parsed.has('n', "");
        !parsed.asks_for_help() && !only_reads && on_device(&parsed)
    } else {
        match program {
            "wipefs" => {
                let parsed = parsed();
                let wipes = parsed.has('a', "--all") || parsed.has('o', "--offset");
                wipes && !parsed.has('n', "--no-act") && on_device(&parsed)
            }
            "sgdisk" | "gdisk" => {
                let parsed = parsed();
                let wipes =
                    parsed.has('Z', "--zap-all") || parsed.has('z', "--zap") || parsed.has('o', "--clear");
                wipes && on_device(&parsed)
            }
            "parted" | "gparted" => {
                (word("mklabel") || word("mktable") || word("rm")) && on_device(&parsed())
            }
            "sfdisk" => {
                let parsed = parsed();
                let looks = parsed.has('l', "--list")
                    || parsed.has('d', "--dump")
                    || parsed.has('J', "--json")
                    || parsed.has('n', "--no-act")
                    || parsed.has('V', "--verify")
                    || parsed.has('s', "--show-size")
                    || parsed.has('F', "--list-free")
                    || parsed.asks_for_help();
                !looks && on_device(&parsed)
            }
            "cryptsetup" => {
                (word("luksFormat") || word("luksErase") || word("erase")) && on_device(&parsed())
            }
            "hdparm" => {
                let parsed = parsed();
                let erases = parsed.flags.iter().any(|flag| {
                    ["--security-erase", "--security-erase-enhanced", "--trim-sector-ranges"]
                        .contains(&flag.name.as_str())
                });
                erases && on_device(&parsed)
            }
            "nvme" => (word("format") || word("sanitize")) && on_device(&parsed()),
            "mdadm" => word("--zero-superblock") && on_device(&parsed()),
            "diskutil" => [
                "eraseDisk",
                "eraseVolume",
                "zeroDisk",
                "randomDisk",
                "secureErase",
                "partitionDisk",
                "reformat",
            ]
            .iter()
            .any(|verb| {
                command.arguments().first().is_some_and(|first| first.text.eq_ignore_ascii_case(verb))
            }),
            _ => false,
        }
    };
    found.then_some(Check::Format)
}

fn writes(command: &Invocation<'_>) -> Option<Check> {
    let mut written: Vec<&[super::argument::Unit]> = Vec::new();
    let program = command.program.as_str();
    if command.named(WRITERS).is_some() {
        let parsed =
            command.parsed(Grammar { short: "", long: &["--size", "--reference", "--output-error"] });
        written.extend(parsed.operands.iter().map(|operand| operand.units.as_slice()));
    } else if command.named(BLOCK_COPIERS).is_some() {
        let targets = command.arguments().iter().filter(|argument| argument.text.starts_with("of="));
        written.extend(targets.map(|argument| argument.behind(3)));
    } else if command.named(COPIERS).is_some() && program != "pv" {
        let parsed = command.parsed(Grammar {
            short: if matches!(program, "rsync") { "efTBM" } else { "tSmog" },
            long: &["--target-directory", "--suffix", "--rsh", "--mode", "--owner", "--group"],
        });
        if let [_, .., last] = parsed.operands.as_slice() {
            written.push(&last.units);
        }
    }
    for (_, letter, long) in OUTPUT_OPTIONS.iter().filter(|(name, ..)| *name == program) {
        written.extend(output_option(command, *letter, long));
    }
    if program == "qemu-img" && command.arguments().first().is_some_and(|verb| verb.text == "convert") {
        written.extend(command.arguments().last().map(|last| last.units.as_slice()));
    }
    written.iter().map(|units| command.path(units)).find_map(|path| {
        if is_block_device(&path) {
            return Some(Check::DiskWrite);
        }
        (is_kernel_trigger(&path) && !writes_harmless_letter(command)).then_some(Check::Shutdown)
    })
}

/// The values of `-o FILE`, `-oFILE`, `--output FILE`, `--output=FILE`, `-out FILE`, `of=FILE`.
fn output_option<'a>(
    command: &'a Invocation<'_>,
    letter: char,
    long: &str,
) -> Vec<&'a [super::argument::Unit]> {
    let mut values = Vec::new();
    let mut arguments = command.arguments().iter();
    while let Some(argument) = arguments.next() {
        let text = argument.text.as_str();
        let separate =
            text == long || (text.starts_with('-') && !text.starts_with("--") && text.ends_with(letter));
        if separate {
            values.extend(arguments.next().map(|next| next.units.as_slice()));
        } else if let Some(at) = glued(text, letter, long) {
            values.push(argument.behind(at));
        }
    }
    values
}

fn glued(text: &str, letter: char, long: &str) -> Option<usize> {
    if text.strip_prefix(long).is_some_and(|rest| rest.starts_with('=')) {
        return Some(long.chars().count() + 1);
    }
    let letters = text.strip_prefix('-').filter(|rest| !rest.starts_with('-'))?;
    letters.chars().position(|character| character == letter).map(|at| at + 2)
}

/// `echo s > /proc/sysrq-trigger` and the like only write out buffers or print to the log.
pub(super) fn writes_harmless_letter(command: &Invocation<'_>) -> bool {
    if !matches!(command.program.as_str(), "echo" | "printf") {
        return false;
    }
    let parsed = command.parsed(Grammar::NONE);
    match parsed.operands.as_slice() {
        [only] => is_harmless(only),
        _ => false,
    }
}

fn is_harmless(argument: &Argument) -> bool {
    let text = text_of(&argument.units);
    text.chars().next().is_some_and(|letter| "shmtwlpdqzvr0123456789".contains(letter))
}
