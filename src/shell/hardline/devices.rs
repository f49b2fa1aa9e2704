//! Disks and other block devices, told by their names.
//!
//! Promises to know the families of names under which systems show disks. Loop and memory devices are not among them: what
//! lies behind them is a file or nothing.

use super::globs;
use super::paths::{Base, Component, Path};

/// Prefixes of device names, each followed by a letter, a number or nothing, as the family has it.
const FAMILIES: &[(&str, Tail)] = &[
    ("sd", Tail::Letter),
    ("hd", Tail::Letter),
    ("vd", Tail::Letter),
    ("xvd", Tail::Letter),
    ("nvme", Tail::Digit),
    ("mmcblk", Tail::Digit),
    ("dm-", Tail::Digit),
    ("md", Tail::Digit),
    ("nbd", Tail::Digit),
    ("zd", Tail::Digit),
    ("bcache", Tail::Digit),
    ("drbd", Tail::Digit),
    ("dasd", Tail::Letter),
    ("pmem", Tail::Digit),
    ("disk", Tail::Digit),
    ("rdisk", Tail::Digit),
    ("ada", Tail::Digit),
    ("nda", Tail::Digit),
    ("root", Tail::Nothing),
];
/// Folders in `/dev` whose entries are block devices.
const DEVICE_FOLDERS: &[&str] = &["mapper", "disk", "block", "md", "zvol", "bcache", "drbd"];
/// Names that a pattern is tried on.
const SAMPLES: &[&str] = &["sda", "sda1", "nvme0n1", "vda", "xvda", "hda", "mmcblk0", "dm-0", "disk0", "md0"];

/// What follows the prefix of a family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tail {
    Letter,
    Digit,
    Nothing,
}

/// Whether a path is a disk, or another block device that holds data.
pub(crate) fn is_block_device(path: &Path) -> bool {
    let Some(inside) = inside_dev(path) else { return false };
    match inside {
        [Component::Name(name)] => is_family(name),
        [Component::Pattern(pattern)] => globs::matches_any(pattern, SAMPLES),
        [Component::Dynamic(text)] => {
            let prefix = text.split(super::argument::UNKNOWN).next().unwrap_or_default();
            is_family(prefix)
                || FAMILIES.iter().any(|(family, tail)| *family == prefix && *tail != Tail::Nothing)
        }
        [Component::Name(folder), .., last] => {
            DEVICE_FOLDERS.contains(&folder.as_str())
                && !matches!(last, Component::Name(name) if name == "control")
        }
        [..] => false,
    }
}

/// Whether a path is something in `/dev` that a file system could be made on, loop and memory devices left out.
pub(super) fn may_hold_a_file_system(path: &Path) -> bool {
    if is_block_device(path) {
        return true;
    }
    match inside_dev(path) {
        Some([Component::Name(name)]) => {
            !["loop", "ram", "zram", "null", "zero", "full", "shm", "fd", "std", "tty", "ublk"]
                .iter()
                .any(|harmless| name.starts_with(harmless))
        }
        // A logical volume: its group, then its own name.
        Some([Component::Name(group), Component::Name(_)]) => {
            !["shm", "fd", "pts", "loop", "ram"].contains(&group.as_str())
        }
        Some(_) | None => false,
    }
}

fn inside_dev(path: &Path) -> Option<&[Component]> {
    match (path.base, path.components.split_first()) {
        (Base::Root, Some((Component::Name(first), rest))) if first == "dev" && !rest.is_empty() => {
            Some(rest)
        }
        (Base::Root | Base::Home | Base::Unknown, _) => None,
    }
}

fn is_family(name: &str) -> bool {
    FAMILIES.iter().any(|(family, tail)| {
        name.strip_prefix(family).is_some_and(|rest| match tail {
            Tail::Letter => {
                let letters = rest.trim_end_matches(|character: char| character.is_ascii_digit());
                !letters.is_empty() && letters.len() <= 3 && letters.chars().all(|c| c.is_ascii_lowercase())
            }
            Tail::Digit => rest.starts_with(|character: char| character.is_ascii_digit()),
            Tail::Nothing => rest.is_empty(),
        })
    })
}

/// Whether a path is the switch through which the kernel takes commands at once.
pub(super) fn is_kernel_trigger(path: &Path) -> bool {
    path.absolute_text().is_some_and(|text| text == "/proc/sysrq-trigger")
}
