//! The decision and what it stands on are pure: no clock, lock, thread, file, network or database, and dependencies point
//! one way. Read from the source text, so that a slip fails here before anybody relies on it.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "the helpers of a test fail as the test does"
)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What the pure modules may not mention.
const IMPURE: [&str; 17] = [
    "tokio",
    "tonic",
    "prost",
    "rusqlite",
    "reqwest",
    "std::fs",
    "std::net",
    "std::env",
    "std::process",
    "std::io",
    "std::thread",
    "SystemTime",
    "Instant",
    "Mutex",
    "RwLock",
    "thread_local",
    "unsafe",
];

/// Each pure module, with the modules of this crate that it may use.
const PURE: [(&str, &[&str]); 9] = [
    ("access", &["access"]),
    ("shell", &["shell", "display"]),
    ("display", &["display"]),
    ("rules", &["rules", "shell"]),
    ("gate", &["gate", "rules", "shell", "display"]),
    ("mcp", &["mcp", "gate"]),
    ("rater/builtin", &["rater", "gate", "shell", "display"]),
    ("rater/knowledge", &["rater", "shell"]),
    ("cli/watch/desk", &["cli", "client", "proto", "display"]),
];

#[test]
fn pure_modules_mention_nothing_impure() {
    let mut found = Vec::new();
    for (module, _) in PURE {
        for (path, text) in sources(module) {
            found.extend(
                IMPURE.iter().filter(|word| mentions(&text, word)).map(|word| format!("{path}: {word}")),
            );
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn dependencies_point_one_way() {
    let mut found = Vec::new();
    for (module, may_use) in PURE {
        for (path, text) in sources(module) {
            for rest in text.split("crate::").skip(1) {
                let used: String =
                    rest.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
                if !may_use.contains(&used.as_str()) {
                    found.push(format!("{path}: crate::{used}"));
                }
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn every_match_of_the_decision_names_what_it_means() {
    let found: Vec<String> = sources("gate")
        .into_iter()
        .flat_map(|(path, text)| wildcards(&text).into_iter().map(move |line| format!("{path}:{line}")))
        .collect();
    assert!(
        found.is_empty(),
        "these arms swallow what a new member of a vocabulary would mean:\n{}",
        found.join("\n")
    );
}

/// The source files of a module without comments, literals and tests.
fn sources(module: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(module);
    let mut files = Vec::new();
    collect(&root, &mut files);
    let mut tests = BTreeSet::new();
    let mut texts = Vec::new();
    for path in files {
        let bare = without_literals(&std::fs::read_to_string(&path).unwrap());
        let (text, test_modules) = without_tests(&bare);
        let folder = if path.file_stem().is_some_and(|stem| stem == "mod") {
            path.parent().unwrap().to_owned()
        } else {
            path.with_extension("")
        };
        for name in test_modules {
            tests.insert(folder.join(&name).with_extension("rs"));
            tests.insert(folder.join(name));
        }
        texts.push((path, text));
    }
    assert!(!texts.is_empty(), "there is no source in {}", root.display());
    texts
        .into_iter()
        .filter(|(path, _)| !path.ancestors().any(|above| tests.contains(above)))
        .map(|(path, text)| {
            (path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap().display().to_string(), text)
        })
        .collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// The text with comments and the insides of literals blanked; line breaks stay.
fn without_literals(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let at = |index: usize| letters.get(index).copied().unwrap_or(' ');
    let mut bare = String::with_capacity(text.len());
    let mut index = 0;
    while index < letters.len() {
        let end = match at(index) {
            '/' if at(index + 1) == '/' => {
                (index..letters.len()).find(|place| at(*place) == '\n').unwrap_or(letters.len())
            }
            '/' if at(index + 1) == '*' => {
                let close =
                    (index + 2..letters.len()).find(|place| at(*place) == '*' && at(*place + 1) == '/');
                close.map_or(letters.len(), |place| place + 2)
            }
            'r' if matches!(at(index + 1), '"' | '#')
                && !at(index.wrapping_sub(1)).is_alphanumeric()
                && raw(&letters, index).is_some() =>
            {
                raw(&letters, index).unwrap()
            }
            '"' => quoted(&letters, index, '"'),
            '\'' if at(index + 1) == '\\' || at(index + 2) == '\'' => quoted(&letters, index, '\''),
            other => {
                bare.push(other);
                index += 1;
                continue;
            }
        };
        bare.extend((index..end).map(|place| if at(place) == '\n' { '\n' } else { ' ' }));
        index = end;
    }
    bare
}

fn quoted(letters: &[char], start: usize, quote: char) -> usize {
    let mut index = start + 1;
    while index < letters.len() && letters[index] != quote {
        index += if letters[index] == '\\' { 2 } else { 1 };
    }
    (index + 1).min(letters.len())
}

fn raw(letters: &[char], start: usize) -> Option<usize> {
    let hashes = letters[start + 1..].iter().take_while(|letter| **letter == '#').count();
    let open = start + 1 + hashes;
    (letters.get(open) == Some(&'"')).then(|| {
        let closes = |place: usize| {
            letters[place] == '"'
                && letters[place + 1..].iter().take(hashes).filter(|letter| **letter == '#').count() == hashes
        };
        (open + 1..letters.len())
            .find(|place| closes(*place))
            .map_or(letters.len(), |place| place + 1 + hashes)
    })
}

/// The text without the items under `#[cfg(test)]`, and the names of the test modules that are files of their own.
fn without_tests(text: &str) -> (String, Vec<String>) {
    let mut kept = String::new();
    let mut modules = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find("#[cfg(test)]") {
        kept.push_str(&rest[..start]);
        let item = &rest[start + "#[cfg(test)]".len()..];
        let semicolon = item.find(';').unwrap_or(item.len());
        let brace = item.find('{').unwrap_or(item.len());
        let end = if semicolon < brace {
            if let Some(name) = item[..semicolon].trim().strip_prefix("mod ") {
                modules.push(name.trim().to_owned());
            }
            semicolon + 1
        } else {
            block_end(item, brace)
        };
        kept.extend(item[..end.min(item.len())].chars().filter(|letter| *letter == '\n'));
        rest = item.get(end..).unwrap_or_default();
    }
    kept.push_str(rest);
    (kept, modules)
}

fn block_end(text: &str, open: usize) -> usize {
    let mut depth = 0_usize;
    for (place, letter) in text.char_indices().skip_while(|(place, _)| *place < open) {
        match letter {
            '{' => depth += 1,
            '}' if depth == 1 => return place + 1,
            '}' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

/// Whether the word stands in the text as a word of its own, or a path in a group of imports.
fn mentions(text: &str, word: &str) -> bool {
    let part_of_word =
        |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    let whole = text.match_indices(word).any(|(place, _)| {
        !part_of_word(text[..place].chars().next_back())
            && !part_of_word(text[place + word.len()..].chars().next())
    });
    let grouped = word.strip_prefix("std::").is_some_and(|module| {
        text.split("std::{")
            .skip(1)
            .any(|group| mentions(&group[..group.find(';').unwrap_or(group.len())], module))
    });
    whole || grouped
}

/// The lines with an arm that matches everything: `_ =>`, also with a guard.
fn wildcards(text: &str) -> Vec<usize> {
    let mut lines = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let arms = line.match_indices("=>").any(|(place, _)| {
            let pattern = line[..place].trim_end();
            let pattern = pattern.rsplit(['{', ',']).next().unwrap_or(pattern).trim();
            let pattern = pattern.split(" if ").next().unwrap_or(pattern).trim();
            pattern == "_" || pattern.split('|').any(|alternative| alternative.trim() == "_")
        });
        if arms {
            lines.push(number + 1);
        }
    }
    lines
}

#[test]
fn a_planted_slip_is_found_and_a_mention_in_words_is_not() {
    let planted = [
        ("use std::{collections::HashMap, fs};", "std::fs"),
        ("fn now() { let _t = std::time::Instant::now(); }", "Instant"),
        ("struct S(std::sync::Mutex<u8>);", "Mutex"),
        ("fn f() { let c = '\"'; tokio::spawn(x); }", "tokio"),
        ("fn f() { let c = r#\"\"\"#; tokio::spawn(x); }", "tokio"),
        ("#[cfg(test)]\nmod tests { fn f() { let s = \"}\"; } }\nuse std::thread;", "std::thread"),
    ];
    for (text, word) in planted {
        assert!(mentions(&without_tests(&without_literals(text)).0, word), "{text}");
    }
    let clean = [
        ("/// Knows nothing of tokio.\nfn f() {}", "tokio"),
        ("fn f() -> &'static str { \"std::fs\" }", "std::fs"),
        ("fn f<'a>(x: &'a str) -> &'a str { x } // Mutex", "Mutex"),
        ("struct InstantCoffee;", "Instant"),
        ("#[cfg(test)]\nmod tests {\n    use std::fs;\n}\n", "std::fs"),
    ];
    for (text, word) in clean {
        assert!(!mentions(&without_tests(&without_literals(text)).0, word), "{text}");
    }
    assert_eq!(without_tests("#[cfg(test)]\nmod tests;\nfn f() {}").1, ["tests"]);
    for text in ["match x { A => 1, _ => 2 }", "    _ => 2,", "    _ if y => 2,", "    A | _ => 2,"] {
        assert_eq!(wildcards(text), [1], "{text}");
    }
    for text in [
        "    (Read, _) => 2,",
        "    Some(_) => 2,",
        "    [_, ..] => 2,",
        "    _unused => 2,",
        "let f = |_| x;",
    ] {
        assert!(wildcards(text).is_empty(), "{text}");
    }
}
