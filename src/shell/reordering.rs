//! The same command with its options in another place: most programs take them behind operands as well as in front.
//!
//! Promises a bounded number of orders, for comparison with deny and escalate entries only. Knows nothing of entries.

use super::tree::Word;
use super::word::constant;
use super::wrappers::{self, Behind};

/// How many options are tried in front one by one.
const MAX_OPTIONS: usize = 8;
/// Programs whose first operand is no subcommand, so that their options belong right behind their name.
const WITHOUT_SUBCOMMANDS: &[&str] = &[
    "rm", "rmdir", "unlink", "shred", "cp", "mv", "ln", "mkdir", "touch", "chmod", "chown", "chgrp", "kill",
    "killall", "pkill", "ls", "cat", "grep", "sed", "curl", "wget", "scp", "rsync", "tar", "mount", "umount",
    "useradd", "userdel", "usermod", "passwd", "make", "shutdown", "reboot",
];

/// The words with all options, and with each option alone, right behind the program and its subcommand. Empty where no option
/// stands behind an operand, and for programs whose operands are another command.
pub(super) fn with_options_in_front(words: &[Word]) -> Vec<Vec<Word>> {
    let Some(name) = words.first().and_then(constant) else { return Vec::new() };
    let front = if WITHOUT_SUBCOMMANDS.contains(&name.as_ref()) {
        1
    } else if words.get(1).is_some_and(|word| !word.raw.starts_with('-')) {
        2
    } else {
        return Vec::new();
    };
    let end = words.iter().position(|word| word.raw == "--").unwrap_or(words.len());
    let (Some(head), Some(middle), Some(tail)) =
        (words.get(..front), words.get(front..end), words.get(end..))
    else {
        return Vec::new();
    };
    let first_operand = middle.iter().position(|word| !is_option(word)).unwrap_or(middle.len());
    let behind = middle.iter().enumerate().skip(first_operand).filter(|(_, word)| is_option(word));
    let behind: Vec<usize> = behind.map(|(at, _)| at).take(MAX_OPTIONS).collect();
    if behind.is_empty() || runs_its_operands(&name, words) {
        return Vec::new();
    }
    let (options, operands): (Vec<&Word>, Vec<&Word>) = middle.iter().partition(|word| is_option(word));
    let mut orders = vec![[head, &cloned(&options), &cloned(&operands), tail].concat()];
    for at in behind {
        let (Some(option), Some(before), Some(after)) =
            (middle.get(at..=at), middle.get(..at), middle.get(at + 1..))
        else {
            continue;
        };
        orders.push([head, option, before, after, tail].concat());
    }
    orders
}

fn cloned(words: &[&Word]) -> Vec<Word> {
    words.iter().map(|word| (*word).clone()).collect()
}

fn is_option(word: &Word) -> bool {
    constant(word).is_some_and(|text| {
        let second = text.strip_prefix('-').and_then(|rest| rest.chars().next());
        second.is_some_and(|second| second.is_ascii_alphanumeric() || second == '-')
            && !text.contains(char::is_whitespace)
    })
}

fn runs_its_operands(name: &str, words: &[Word]) -> bool {
    matches!(name, "find" | "gfind" | "fd" | "fdfind")
        || super::shells::language(name).is_some()
        || wrappers::named(name)
            .iter()
            .any(|wrapper| !matches!(wrappers::look_behind(wrapper, words).behind, Behind::Other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::word::{best_text, quoted};

    fn orders(line: &str) -> Vec<String> {
        let words: Vec<Word> = line.split(' ').map(quoted).collect();
        let text =
            |words: &Vec<Word>| words.iter().map(|word| best_text(word).0).collect::<Vec<_>>().join(" ");
        with_options_in_front(&words).iter().map(text).collect()
    }

    #[test]
    fn options_behind_operands_are_tried_in_front() {
        assert_eq!(
            orders("git push origin -v --force"),
            ["git push -v --force origin", "git push -v origin --force", "git push --force origin -v"]
        );
        assert_eq!(orders("rm x -rf"), ["rm -rf x", "rm -rf x"]);
        assert_eq!(orders("git push origin --force -- -x"), ["git push --force origin -- -x"; 2]);
    }

    #[test]
    fn what_is_in_front_already_or_belongs_to_another_command_stays() {
        for line in [
            "git push --force origin",
            "git push origin",
            "git --force push origin",
            "git push origin -- --force",
            "sudo rm x -rf",
            "env a rm -rf",
            "find x -name y",
            "bash x -c y",
            "docker run x rm -rf",
            "rm",
        ] {
            assert_eq!(orders(line), Vec::<String>::new(), "{line}");
        }
    }
}
