//! Whether an analysis accounts for what bash ran.
//!
//! Promises that a command counts as listed only where a segment has its words, value by value. Knows nothing of how bash
//! was made to tell.

use haltgate::shell::tree::{Part, Word};
use haltgate::shell::{Analysis, Reach, Resolution, Segment};

use crate::ran::Ran;

/// What bash ran and the analysis left out.
#[derive(Debug, Clone)]
pub(crate) struct Miss {
    /// The argument vectors.
    pub(crate) ran: Vec<Vec<String>>,
    /// The analysis calls the text one simple command, and bash ran something else.
    pub(crate) called_single: bool,
}

/// Compares; `None` where the analysis accounts for everything or has said that it cannot read all of the text.
pub(crate) fn missed(analysis: &Analysis, ran: &Ran) -> Option<Miss> {
    if analysis.is_opaque() {
        return None;
    }
    let single = matches!(analysis.resolution(), Resolution::Single { .. });
    let listed = |argv: &[String]| {
        // One simple command runs as it is, or with its braces expanded.
        let runs =
            |segment: &&Segment| !single || segment.reached.iter().all(|reach| *reach == Reach::Expanded);
        analysis.segments().iter().filter(runs).any(|segment| matches(segment, argv))
    };
    // With the builtins at work a single command such as `command x` runs another, which is a segment of its own.
    let evaluated = |argv: &[String]| analysis.segments().iter().any(|segment| matches(segment, argv));
    let mut left_out: Vec<Vec<String>> = ran.plain.iter().filter(|argv| !listed(argv)).cloned().collect();
    let called_single = single && !left_out.is_empty();
    left_out.extend(ran.evaluating.iter().filter(|argv| !evaluated(argv)).cloned());
    left_out.sort();
    left_out.dedup();
    (!left_out.is_empty()).then_some(Miss { ran: left_out, called_single })
}

/// One element of what a segment says about an argument vector.
enum Expected {
    /// This word.
    Word(String),
    /// Any words, or none: the value is only known when it runs.
    Anything,
}

fn matches(segment: &Segment, argv: &[String]) -> bool {
    let mut expected: Vec<Expected> = segment.words.iter().map(expected).collect();
    if let Some(Expected::Word(name)) = expected.first_mut() {
        *name = without_folder(name).to_owned();
    }
    if segment.open_ended {
        expected.push(Expected::Anything);
    }
    let argv = &in_path(argv);
    // `reachable[n]`: the elements so far can stand for the first n words.
    let mut reachable = vec![false; argv.len() + 1];
    reachable[0] = true;
    for element in &expected {
        let mut next = vec![false; argv.len() + 1];
        match element {
            Expected::Anything => {
                let first = reachable.iter().position(|reached| *reached).unwrap_or(next.len());
                next.iter_mut().skip(first).for_each(|reached| *reached = true);
            }
            Expected::Word(word) => {
                for (index, argument) in argv.iter().enumerate() {
                    next[index + 1] = reachable[index] && argument == word;
                }
            }
        }
        reachable = next;
    }
    reachable[argv.len()]
}

/// The argument vector as it was before bash looked for the program in its default path, as `command -p` makes it.
fn in_path(argv: &[String]) -> Vec<String> {
    let mut words = argv.to_vec();
    if let Some(name) = words.first_mut() {
        *name = without_folder(name).to_owned();
    }
    words
}

fn without_folder(name: &str) -> &str {
    ["/usr/local/bin/", "/usr/bin/", "/bin/"]
        .iter()
        .find_map(|folder| name.strip_prefix(folder))
        .unwrap_or(name)
}

fn expected(word: &Word) -> Expected {
    let mut value = String::new();
    for part in &word.parts {
        match part {
            Part::Expansion(_) => return Expected::Anything,
            // Patterns for file names, tildes and arrays: what they become depends on the machine.
            Part::Text { text, quoted: false } if text.contains(['*', '?', '[', '~', '(']) && text != "[" => {
                return Expected::Anything;
            }
            Part::Text { text, .. } => value.push_str(text),
        }
    }
    Expected::Word(value)
}
