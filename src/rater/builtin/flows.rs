//! Data that becomes code: what is downloaded or decoded and then run, and what is written and then run.
//!
//! Promises to follow pipes, substitutions and groups, as the layout of the text has them. Knows nothing of places.

use super::findings::Findings;
use super::objects::shown;
use crate::gate::Outcome;
use crate::shell::Segment;
use crate::shell::interpreters::{self, ProgramSource};
use crate::shell::layout::{Layout, Link};
use crate::shell::segment::Opaque;
use crate::shell::tree::{ExpansionKind, Part, Word};
use crate::shell::word::{base_name, best_text, constant};
use std::collections::{HashMap, HashSet};

type Stage = (usize, usize);

/// What a command writes that makes it matter who runs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Written {
    /// Text that was not readable as it stood.
    Decoded,
    /// What a host sent.
    Fetched,
}

/// How a command takes code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Takes {
    /// From its input.
    input: bool,
    /// From its words.
    words: bool,
}

/// Adds the flows into code.
pub(super) fn add(segments: &[Segment], layout: &Layout, findings: &mut Findings) {
    let mut sources: HashMap<Stage, Written> = HashMap::new();
    let mut sinks: Vec<(Stage, Takes, &Segment)> = Vec::new();
    for segment in segments {
        let at = (segment.pipeline.pipeline, segment.pipeline.stage);
        if let Some(written) = writes(segment) {
            let known = sources.entry(at).or_insert(written);
            if written == Written::Decoded {
                *known = written;
            }
        }
        if let Some(takes) = takes(segment) {
            sinks.push((at, takes, segment));
        }
    }
    for (at, takes, segment) in &sinks {
        let onward = (at.0, at.1 + 1);
        let connected = segment.redirects.iter().any(|redirect| {
            redirect.target.raw.starts_with("/dev/tcp/") || redirect.target.raw.starts_with("/dev/udp/")
        });
        if takes.input && (connected || sources.get(&onward) == Some(&Written::Fetched)) {
            findings.add(Outcome::Attack, || "It hands a shell to another machine.".to_owned());
        }
    }
    if sources.is_empty() || sinks.is_empty() {
        return;
    }
    let mut hanging: HashMap<Stage, Vec<(usize, Link)>> = HashMap::new();
    let mut width: HashMap<usize, usize> = HashMap::new();
    for segment in segments {
        width.insert(segment.pipeline.pipeline, segment.pipeline.stages);
    }
    for (number, pipeline) in layout.pipelines.iter().enumerate() {
        let outer = (pipeline.place.pipeline, pipeline.place.stage);
        if outer.0 < number {
            hanging.entry(outer).or_default().push((number, pipeline.link));
        }
    }
    for (at, takes, segment) in sinks {
        let mut left: Vec<Stage> = Vec::new();
        let push_inner = |left: &mut Vec<Stage>, at: Stage, links: &[Link]| {
            for (number, link) in hanging.get(&at).map(Vec::as_slice).unwrap_or_default() {
                if links.contains(link) {
                    let stages = width.get(number).copied().unwrap_or(1);
                    left.extend((0..stages).map(|stage| (*number, stage)));
                }
            }
        };
        if takes.words {
            push_inner(&mut left, at, &[Link::Argument, Link::ReadByStage]);
        }
        if takes.input {
            push_inner(&mut left, at, &[Link::ReadByStage, Link::Argument]);
            // Its input is that of the groups around it, too.
            let mut outer = at;
            loop {
                left.extend((0..outer.1).map(|stage| (outer.0, stage)));
                match layout.pipelines.get(outer.0) {
                    Some(pipeline) if pipeline.link == Link::Body && pipeline.place.pipeline < outer.0 => {
                        outer = (pipeline.place.pipeline, pipeline.place.stage);
                    }
                    Some(_) | None => break,
                }
            }
        }
        let mut seen = HashSet::new();
        while let Some(stage) = left.pop() {
            if stage == at || !seen.insert(stage) {
                continue;
            }
            if let Some(written) = sources.get(&stage) {
                say(*written, segment, findings);
            }
            push_inner(&mut left, stage, &[Link::Body, Link::Argument, Link::ReadByStage]);
        }
    }
}

fn say(written: Written, segment: &Segment, findings: &mut Findings) {
    let program = || match segment.words.first() {
        Some(word) => shown(&best_text(word).0),
        None => "the shell".to_owned(),
    };
    match written {
        Written::Decoded => findings.add(Outcome::Attack, || {
            format!("Text that cannot be read as it stands is decoded and then run by {}, which hides what is run.", program())
        }),
        Written::Fetched => findings.add(Outcome::Destructive, || {
            format!("What a host sends is run by {} without anybody having seen it.", program())
        }),
    }
}

/// How a command takes code; `None` where it takes none.
fn takes(segment: &Segment) -> Option<Takes> {
    let words = segment.words.as_slice();
    let Some(path) = words.first().and_then(constant) else {
        // The name of the command itself comes out of a substitution.
        let substituted = words.first().is_some_and(has_substitution);
        return substituted.then_some(Takes { input: false, words: true });
    };
    let program = base_name(&path);
    if matches!(program, "eval" | "source" | ".") {
        return Some(Takes { input: words.iter().any(|word| word.raw == "/dev/stdin"), words: true });
    }
    if !interpreters::is_interpreter(&path) || interpreters::is_filter_language(&path) {
        return None;
    }
    let input = matches!(segment.opaque, Some(Opaque::StandardInput { .. }))
        || interpreters::program_source(words) == Some(ProgramSource::StandardInput);
    let code = words.iter().skip(1).any(has_substitution);
    (input || code).then_some(Takes { input, words: code || input })
}

fn has_substitution(word: &Word) -> bool {
    word.parts.iter().any(|part| match part {
        Part::Text { .. } => false,
        Part::Expansion(expansion) => {
            matches!(expansion.kind, ExpansionKind::Command | ExpansionKind::Process)
        }
    })
}

/// What a command writes, where that matters.
fn writes(segment: &Segment) -> Option<Written> {
    let path = segment.words.first().and_then(constant)?;
    let texts: Vec<String> = segment.words.iter().skip(1).map(|word| best_text(word).0).collect();
    let has = |options: &[&str]| texts.iter().any(|text| options.contains(&text.as_str()));
    let letters = |letter: char| {
        texts.iter().any(|text| text.starts_with('-') && !text.starts_with("--") && text.contains(letter))
    };
    let escapes = |text: &String| {
        ["\\x", "\\0", "\\1", "\\u", "\\U"].iter().any(|escape| text.matches(escape).count() >= 2)
    };
    let decoded = match base_name(&path) {
        "base64" | "base32" | "basenc" | "gbase64" => has(&["--decode"]) || letters('d') || letters('D'),
        "openssl" => letters('d') || has(&["-base64", "-d"]),
        "xxd" => letters('r') || has(&["-revert"]),
        "uudecode" | "gunzip" | "zcat" | "bunzip2" | "bzcat" | "unxz" | "xzcat" | "zstdcat" | "rev"
        | "ascii2uni" => true,
        "gzip" | "bzip2" | "xz" | "zstd" => letters('d') || has(&["--decompress", "--uncompress"]),
        "tr" => texts.iter().filter(|text| !text.starts_with('-')).count() >= 2 && !is_plain_tr(&texts),
        "printf" => texts.iter().any(escapes) || segment.words.iter().any(|word| word.raw.contains("$'\\x")),
        "echo" => texts.iter().any(escapes),
        "gpg" | "gpg2" | "age" => has(&["-d", "--decrypt"]),
        _ => false,
    };
    if decoded {
        return Some(Written::Decoded);
    }
    let fetched = matches!(
        base_name(&path),
        "curl"
            | "wget"
            | "nc"
            | "ncat"
            | "netcat"
            | "socat"
            | "lynx"
            | "w3m"
            | "aria2c"
            | "http"
            | "https"
            | "xh"
            | "fetch"
            | "telnet"
            | "ftp"
            | "dig"
            | "nslookup"
            | "host"
            | "scp"
            | "ssh"
    );
    fetched.then_some(Written::Fetched)
}

/// `tr '\n' ' '` and its like change blanks, cases and separators, and hide nothing.
fn is_plain_tr(texts: &[String]) -> bool {
    let operands: Vec<&str> =
        texts.iter().map(String::as_str).filter(|text| !text.starts_with('-')).collect();
    let short = |text: &&str| text.chars().filter(|letter| letter.is_alphanumeric()).count() <= 1;
    let cases = ["A-Z", "a-z", "[:upper:]", "[:lower:]", "[A-Z]", "[a-z]"];
    operands.iter().all(short) || operands.iter().all(|text| cases.contains(text))
}
