//! What a text must contain for a pattern to match it: the key by which long lists are searched.
//!
//! Promises necessary conditions only: a text without any literal of an option is never matched.

use super::syntax::Node;

/// More literals than this in one option are not worth an index.
const MAX_ALTERNATIVES: usize = 32;

/// Every option found: in each, at least one of the literals occurs in every text that matches.
pub(super) fn required(node: &Node) -> Vec<Vec<String>> {
    let mut options = Vec::new();
    match node {
        Node::Concat(nodes) => concatenated(nodes, &mut options),
        Node::Class(_) => concatenated(std::slice::from_ref(node), &mut options),
        Node::Group { body, .. } => options = required(body),
        Node::Repeat { body, min, .. } if *min > 0 => options = required(body),
        Node::Alternate(branches) => {
            let mut union = Vec::new();
            for branch in branches {
                match best(required(branch)) {
                    Some(option) if union.len().saturating_add(option.len()) <= MAX_ALTERNATIVES => {
                        union.extend(option)
                    }
                    Some(_) | None => return Vec::new(),
                }
            }
            options.push(union);
        }
        Node::Repeat { .. }
        | Node::Empty
        | Node::Start
        | Node::End
        | Node::WordBoundary { .. }
        | Node::Look { .. }
        | Node::BackReference(_) => {}
    }
    options
}

fn concatenated(nodes: &[Node], options: &mut Vec<Vec<String>>) {
    let mut run = String::new();
    for node in nodes {
        match node {
            Node::Start | Node::End | Node::WordBoundary { .. } | Node::Empty => continue,
            Node::Class(set) => {
                if let Some(character) = set.only() {
                    run.push(character);
                    continue;
                }
            }
            Node::Concat(_) | Node::Alternate(_) | Node::Repeat { .. } | Node::Group { .. } => {
                options.extend(required(node));
            }
            Node::Look { .. } | Node::BackReference(_) => {}
        }
        if !run.is_empty() {
            options.push(vec![std::mem::take(&mut run)]);
        }
    }
    if !run.is_empty() {
        options.push(vec![run]);
    }
}

/// The option whose shortest literal is longest.
fn best(options: Vec<Vec<String>>) -> Option<Vec<String>> {
    options.into_iter().max_by_key(|option| option.iter().map(String::len).min().unwrap_or(0))
}
