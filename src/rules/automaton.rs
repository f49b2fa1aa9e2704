//! An automaton that finds which of many literals occur in a text, in one pass (Aho and Corasick).
//!
//! Promises to be built in time linear in the literals, whatever they are, and to search in time linear in the text and the
//! literals found. Knows nothing of what the literals are for.

use std::collections::{HashMap, VecDeque};

const ROOT: u32 = 0;

/// The automaton. Nodes are prefixes of literals; node 0 is the empty one.
#[derive(Debug, Clone)]
pub(super) struct Automaton {
    nodes: Vec<Node>,
    /// The edges of all nodes, each node's own together and sorted by byte.
    edges: Vec<(u8, u32)>,
    /// The root's edges by byte, as most steps start there.
    root: Vec<u32>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Node {
    /// Where the node's edges start and end.
    first_edge: u32,
    end_edge: u32,
    /// The longest proper suffix that is a node.
    suffix: u32,
    /// The literal that ends here.
    literal: Option<u32>,
    /// The longest proper suffix at which a literal ends.
    ending: Option<u32>,
}

/// The literals that occur, one bit each: clearing them must not cost more than the search.
#[derive(Debug)]
pub(super) struct Occurrences {
    bits: Vec<u64>,
    /// Their numbers, in the order of discovery.
    pub(super) literals: Vec<usize>,
}

impl Occurrences {
    /// Nothing found yet, of so many literals.
    pub(super) fn new(literals: usize) -> Self {
        Self { bits: vec![0; literals.div_ceil(64)], literals: Vec::new() }
    }

    /// Notes a literal; false when it was known.
    fn note(&mut self, literal: usize) -> bool {
        let Some(word) = self.bits.get_mut(literal / 64) else { return false };
        let bit = 1 << (literal % 64);
        let is_new = *word & bit == 0;
        if is_new {
            *word |= bit;
            self.literals.push(literal);
        }
        is_new
    }
}

impl Automaton {
    /// Builds it over distinct, non-empty literals; `None` when they are too many to number.
    pub(super) fn build(literals: &[&str]) -> Option<Self> {
        let mut nodes = vec![Node::default()];
        let mut children: HashMap<(u32, u8), u32> = HashMap::new();
        for (number, literal) in literals.iter().enumerate() {
            let mut node = ROOT;
            for byte in literal.bytes() {
                node = match children.get(&(node, byte)) {
                    Some(child) => *child,
                    None => {
                        let child = u32::try_from(nodes.len()).ok()?;
                        nodes.push(Node::default());
                        children.insert((node, byte), child);
                        child
                    }
                };
            }
            get_mut(&mut nodes, node)?.literal = Some(u32::try_from(number).ok()?);
        }
        let mut sorted: Vec<(u32, u8, u32)> =
            children.into_iter().map(|((parent, byte), child)| (parent, byte, child)).collect();
        sorted.sort_unstable();
        let mut edges = Vec::with_capacity(sorted.len());
        let mut root = vec![ROOT; 256];
        for (parent, byte, child) in sorted {
            let place = u32::try_from(edges.len()).ok()?;
            let node = get_mut(&mut nodes, parent)?;
            if node.first_edge == node.end_edge {
                node.first_edge = place;
            }
            node.end_edge = place.checked_add(1)?;
            if parent == ROOT {
                *root.get_mut(usize::from(byte))? = child;
            }
            edges.push((byte, child));
        }
        let mut automaton = Self { nodes, edges, root };
        automaton.link_suffixes()?;
        Some(automaton)
    }

    /// Links every node to its suffixes, shorter nodes first.
    fn link_suffixes(&mut self) -> Option<()> {
        let mut queue = VecDeque::from([ROOT]);
        while let Some(parent) = queue.pop_front() {
            let Node { first_edge, end_edge, suffix, .. } = *self.node(parent)?;
            for place in first_edge..end_edge {
                let (byte, child) = *self.edges.get(usize::try_from(place).ok()?)?;
                let target = if parent == ROOT { ROOT } else { self.step(suffix, byte) };
                let of_suffix = *self.node(target)?;
                let ending = if of_suffix.literal.is_some() { Some(target) } else { of_suffix.ending };
                let node = get_mut(&mut self.nodes, child)?;
                (node.suffix, node.ending) = (target, ending);
                queue.push_back(child);
            }
        }
        Some(())
    }

    /// Adds the literals that occur in the text.
    pub(super) fn search(&self, text: &str, found: &mut Occurrences) {
        let mut state = ROOT;
        for byte in text.bytes() {
            state = self.step(state, byte);
            let mut next = Some(state).filter(|state| *state != ROOT);
            while let Some(node) = next.and_then(|node| self.node(node)) {
                // A literal that is known was noted together with all that end with it.
                let is_known = node.literal.is_some_and(|literal| {
                    usize::try_from(literal).is_ok_and(|literal| !found.note(literal))
                });
                next = if is_known { None } else { node.ending };
            }
        }
    }

    /// The longest node that is a suffix of the state and the byte.
    fn step(&self, mut state: u32, byte: u8) -> u32 {
        while state != ROOT {
            let Some(node) = self.node(state) else { return ROOT };
            let bounds = (usize::try_from(node.first_edge), usize::try_from(node.end_edge));
            let (Ok(first), Ok(end)) = bounds else { return ROOT };
            let edges = self.edges.get(first..end).unwrap_or_default();
            let edge = match edges {
                [(only, child)] => (*only == byte).then_some(*child),
                edges => edges
                    .binary_search_by_key(&byte, |(byte, _)| *byte)
                    .ok()
                    .and_then(|place| edges.get(place))
                    .map(|(_, child)| *child),
            };
            match edge {
                Some(child) => return child,
                None => state = node.suffix,
            }
        }
        self.root.get(usize::from(byte)).copied().unwrap_or(ROOT)
    }

    fn node(&self, node: u32) -> Option<&Node> {
        self.nodes.get(usize::try_from(node).ok()?)
    }
}

fn get_mut(nodes: &mut [Node], node: u32) -> Option<&mut Node> {
    nodes.get_mut(usize::try_from(node).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_finds_exactly_the_literals_that_occur(
            literals in prop::collection::btree_set("[abé]{1,4}", 0..12),
            texts in prop::collection::vec("[abéc]{0,10}", 1..3),
        ) {
            let literals: Vec<&str> = literals.iter().map(String::as_str).collect();
            let automaton = Automaton::build(&literals).unwrap();
            let mut found = Occurrences::new(literals.len());
            for text in &texts {
                automaton.search(text, &mut found);
            }
            let mut numbers = found.literals;
            numbers.sort_unstable();
            let occurring: Vec<usize> =
                (0..literals.len()).filter(|number| texts.iter().any(|text| text.contains(literals[*number]))).collect();
            prop_assert_eq!(numbers, occurring);
        }
    }
}
