//! Writes the tree for the linear-time engine.
//!
//! Promises the same language as the tree, for trees that need no backtracking. Knows nothing of limits.

use super::syntax::{CharSet, Node};
use std::fmt::Write as _;

/// The pattern in the syntax of the `regex` crate; `None` when the tree needs the backtracking engine.
pub(super) fn write(node: &Node) -> Option<String> {
    let mut text = String::new();
    append(node, &mut text).then_some(text)
}

/// Appends one node as a unit that a quantifier may follow; false when it cannot be written.
fn append(node: &Node, text: &mut String) -> bool {
    match node {
        Node::Empty => text.push_str("(?:)"),
        Node::Class(set) => append_class(set, text),
        Node::Start => text.push_str("\\A"),
        Node::End => text.push_str("\\z"),
        Node::WordBoundary { negated: false } => text.push_str("(?-u:\\b)"),
        Node::WordBoundary { negated: true } | Node::Look { .. } | Node::BackReference(_) => return false,
        Node::Concat(nodes) => return append_joined(nodes, "", text),
        Node::Alternate(nodes) => return append_joined(nodes, "|", text),
        Node::Group { body, .. } => return append(body, text),
        Node::Repeat { body, min, max, .. } => {
            // Whether a text matches at all does not depend on greed.
            text.push_str("(?:");
            let written = append(body, text);
            text.push(')');
            let bounds = match max {
                Some(max) => write!(text, "{{{min},{max}}}"),
                None => write!(text, "{{{min},}}"),
            };
            return written && bounds.is_ok();
        }
    }
    true
}

fn append_joined(nodes: &[Node], separator: &str, text: &mut String) -> bool {
    text.push_str("(?:");
    let mut first = true;
    for node in nodes {
        if !first {
            text.push_str(separator);
        }
        first = false;
        if !append(node, text) {
            return false;
        }
    }
    text.push(')');
    true
}

fn append_class(set: &CharSet, text: &mut String) {
    let mut ranges = set.scalar_ranges().peekable();
    if ranges.peek().is_none() {
        text.push_str("[^\\x{0}-\\x{10FFFF}]");
        return;
    }
    text.push('[');
    for (low, high) in ranges {
        text.push_str(&format!("\\x{{{:X}}}-\\x{{{:X}}}", u32::from(low), u32::from(high)));
    }
    text.push(']');
}
