//! Every entry compared on its own, without any index: what compiled lists must agree with.

use crate::rules::entry::{Annotations, Entry, ListKind, ServerPattern, TextPattern, ToolPattern};
use crate::rules::fold::{may_hold_comment, trim_command};
use crate::rules::regexp::{Regexp, Search};
use crate::rules::target::{Hosts, McpIdentity, Target};
use crate::shell;

/// How one entry stands to a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Answer {
    No,
    Doubtful,
    Yes,
}

fn is_restrictive(kind: ListKind) -> bool {
    kind != ListKind::Allow
}

/// The index and certainty of the entry that the list must name.
pub(super) fn find(kind: ListKind, entries: &[Entry], target: &Target<'_>) -> Option<(usize, bool)> {
    let answers: Vec<Answer> = entries.iter().map(|entry| judge(kind, entry, target)).collect();
    let rated = |index: &usize| kind == ListKind::Allow && entries[*index].rates();
    let place = |wanted: Answer| {
        (0..answers.len())
            .filter(|index| answers[*index] == wanted)
            .min_by_key(|index| (rated(index), *index))
    };
    match (place(Answer::Yes), place(Answer::Doubtful)) {
        (Some(place), _) => Some((place, true)),
        (None, Some(place)) if is_restrictive(kind) => Some((place, false)),
        (None, _) => None,
    }
}

fn judge(kind: ListKind, entry: &Entry, target: &Target<'_>) -> Answer {
    match (entry, target) {
        (Entry::Shell { pattern, .. }, Target::Shell(analysis)) => {
            if is_restrictive(kind) {
                let mut texts = analysis.restrictive_spellings().to_vec();
                texts.extend([analysis.text().to_owned(), trim_command(analysis.text()).to_owned()]);
                let answer = texts.iter().map(|text| restrictive(pattern, text)).max().unwrap();
                if analysis.spellings_truncated() { answer.max(Answer::Doubtful) } else { answer }
            } else {
                analysis
                    .canonical()
                    .map_or(Answer::No, |canonical| permissive(pattern, canonical, analysis.text()))
            }
        }
        (Entry::Tool { pattern, host, .. }, Target::Tool { name, hosts, annotations }) => {
            tool(pattern, name, *annotations).min(host_met(kind, host.as_deref(), hosts))
        }
        (Entry::McpTool { server, pattern, host, .. }, Target::McpTool { identity, hosts, annotations }) => {
            let named: Vec<(Option<&str>, &str)> = match identity {
                McpIdentity::Resolved { server, name } => vec![(Some(server), name)],
                McpIdentity::Unresolved { .. } if !is_restrictive(kind) => vec![],
                McpIdentity::Unresolved { registered, readings } => {
                    let readings =
                        readings.iter().map(|(server, name)| (Some(server.as_str()), name.as_str()));
                    std::iter::once((None, registered.as_str())).chain(readings).collect()
                }
            };
            let fits = |of: &Option<&str>| match server {
                ServerPattern::Any => true,
                ServerPattern::Key(key) => *of == Some(key.as_str()),
            };
            let names =
                named.iter().filter(|(of, _)| fits(of)).map(|(_, name)| tool(pattern, name, *annotations));
            names.max().unwrap_or(Answer::No).min(host_met(kind, host.as_deref(), hosts))
        }
        (Entry::Shell { .. } | Entry::Tool { .. } | Entry::McpTool { .. }, _) => Answer::No,
    }
}

fn host_met(kind: ListKind, host: Option<&str>, hosts: &Hosts) -> Answer {
    let Some(host) = host else { return Answer::Yes };
    let same = |named: &str| named.trim_end_matches('.') == host.trim_end_matches('.');
    if is_restrictive(kind) {
        let named = hosts.named.iter().any(|named| same(named));
        if named {
            Answer::Yes
        } else if hosts.uncertain {
            Answer::Doubtful
        } else {
            Answer::No
        }
    } else {
        yes_if(!hosts.uncertain && hosts.named.len() == 1 && same(&hosts.named[0]))
    }
}

fn tool(pattern: &ToolPattern, name: &str, annotations: Option<Annotations>) -> Answer {
    match pattern {
        ToolPattern::Name(TextPattern::Exact(text)) => yes_if(text == name),
        ToolPattern::Name(TextPattern::Glob(text)) => yes_if(glob(text, name)),
        ToolPattern::Name(TextPattern::Regexp(text)) => regexp(text, name),
        ToolPattern::Hints(hints) => annotations.map_or(Answer::Doubtful, |annotations| {
            yes_if(hints.iter().all(|(hint, value)| annotations.get(*hint) == *value))
        }),
    }
}

fn restrictive(pattern: &TextPattern, text: &str) -> Answer {
    let fold = |text: &str| -> String { text.chars().map(|c| c.to_lowercase().next().unwrap()).collect() };
    match pattern {
        TextPattern::Exact(pattern) => {
            let spellings =
                [Some(pattern.clone()), Some(trim_command(pattern).to_owned()), shell::canonicalize(pattern)];
            yes_if(spellings.into_iter().flatten().any(|spelling| fold(&spelling) == fold(text)))
        }
        TextPattern::Glob(pattern) => yes_if(glob(&fold(pattern), &fold(text))),
        TextPattern::Regexp(pattern) => regexp(pattern, text),
    }
}

fn permissive(pattern: &TextPattern, canonical: &str, text: &str) -> Answer {
    let text = trim_command(text);
    let texts = if may_hold_comment(text) { vec![canonical] } else { vec![canonical, text] };
    match pattern {
        TextPattern::Exact(pattern) => yes_if(match shell::canonicalize(pattern) {
            Some(pattern) => pattern == canonical,
            None => trim_command(pattern) == text,
        }),
        TextPattern::Glob(pattern) => yes_if(texts.iter().any(|text| glob(pattern, text))),
        TextPattern::Regexp(pattern) => {
            let texts =
                if text.replace('"', "'") == canonical { vec![canonical, text] } else { vec![canonical] };
            texts.iter().map(|text| regexp(pattern, text)).max().unwrap()
        }
    }
}

fn yes_if(yes: bool) -> Answer {
    if yes { Answer::Yes } else { Answer::No }
}

fn regexp(pattern: &str, text: &str) -> Answer {
    match Regexp::new(pattern).unwrap().search(&[text]) {
        Search::Matched => Answer::Yes,
        Search::NotMatched => Answer::No,
        Search::StepLimit => Answer::Doubtful,
    }
}

/// A glob by dynamic programming: `reach[t]` says that the pattern so far can end at character `t` of the text.
fn glob(pattern: &str, text: &str) -> bool {
    let text: Vec<char> = text.chars().collect();
    let mut reach = vec![false; text.len() + 1];
    reach[0] = true;
    for wanted in pattern.chars() {
        if wanted == '*' {
            for place in 1..reach.len() {
                reach[place] |= reach[place - 1];
            }
        } else {
            for place in (1..reach.len()).rev() {
                reach[place] = reach[place - 1] && text[place - 1] == wanted;
            }
            reach[0] = false;
        }
    }
    reach[text.len()]
}
