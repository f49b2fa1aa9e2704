//! The syntax tree of a regular expression in the ECMAScript dialect without flags.
//!
//! Promises a tree in which every class is a plain set of characters and every reference names a group that exists.
//! Knows nothing of how it is matched.

/// A node of the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Node {
    /// Matches the empty text.
    Empty,
    /// One character of the set.
    Class(CharSet),
    /// `^`: the start of the text.
    Start,
    /// `$`: the end of the text.
    End,
    /// `\b`, or `\B` when negated; over `[0-9A-Za-z_]`.
    WordBoundary {
        /// `\B`
        negated: bool,
    },
    /// One after the other.
    Concat(Vec<Node>),
    /// The first that leads to a match.
    Alternate(Vec<Node>),
    /// Repetition.
    Repeat {
        /// What is repeated.
        body: Box<Node>,
        /// At least.
        min: u32,
        /// At most; `None` is without bound.
        max: Option<u32>,
        /// As many as possible first.
        greedy: bool,
        /// The groups inside, `first..end`; each round forgets them.
        groups: (u32, u32),
    },
    /// A capturing group, counted from 1.
    Group {
        /// Its number.
        number: u32,
        /// What it captures.
        body: Box<Node>,
    },
    /// Look-around.
    Look {
        /// `(?<=` and `(?<!`.
        behind: bool,
        /// `(?!` and `(?<!`.
        negated: bool,
        /// What is looked for.
        body: Box<Node>,
    },
    /// The text of a group; empty when the group took no part.
    BackReference(u32),
}

impl Node {
    /// Whether the language of the tree needs more than a finite automaton (or an assertion that the linear engine lacks).
    pub(super) fn needs_backtracking(&self) -> bool {
        match self {
            Self::Look { .. } | Self::BackReference(_) | Self::WordBoundary { negated: true } => true,
            Self::Empty
            | Self::Class(_)
            | Self::Start
            | Self::End
            | Self::WordBoundary { negated: false } => false,
            Self::Concat(nodes) | Self::Alternate(nodes) => nodes.iter().any(Self::needs_backtracking),
            Self::Repeat { body, .. } | Self::Group { body, .. } => body.needs_backtracking(),
        }
    }

    /// Whether the node may match without taking a character.
    pub(super) fn may_be_empty(&self) -> bool {
        match self {
            Self::Class(_) => false,
            Self::Empty
            | Self::Start
            | Self::End
            | Self::WordBoundary { .. }
            | Self::Look { .. }
            | Self::BackReference(_) => true,
            Self::Concat(nodes) => nodes.iter().all(Self::may_be_empty),
            Self::Alternate(nodes) => nodes.iter().any(Self::may_be_empty),
            Self::Repeat { body, min, .. } => *min == 0 || body.may_be_empty(),
            Self::Group { body, .. } => body.may_be_empty(),
        }
    }

    /// How many nodes and ranges the tree has once every counted repeat is written out; saturates.
    pub(super) fn expanded_size(&self) -> u64 {
        match self {
            Self::Class(set) => u64::try_from(set.ranges.len()).unwrap_or(u64::MAX).saturating_add(1),
            Self::Empty | Self::Start | Self::End | Self::WordBoundary { .. } | Self::BackReference(_) => 1,
            Self::Concat(nodes) | Self::Alternate(nodes) => {
                nodes.iter().fold(1, |sum: u64, node| sum.saturating_add(node.expanded_size()))
            }
            Self::Repeat { body, min, max, .. } => {
                let rounds = u64::from(max.unwrap_or_else(|| min.saturating_add(1))).max(1);
                body.expanded_size().saturating_add(3).saturating_mul(rounds)
            }
            Self::Group { body, .. } | Self::Look { body, .. } => body.expanded_size().saturating_add(2),
        }
    }
}

/// A set of characters: sorted, disjoint, inclusive ranges of code points.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct CharSet {
    ranges: Vec<(u32, u32)>,
}

const LAST: u32 = 0x10_FFFF;
const SURROGATES: (u32, u32) = (0xD800, 0xDFFF);

impl CharSet {
    /// One character.
    pub(super) fn single(character: char) -> Self {
        Self { ranges: vec![(u32::from(character), u32::from(character))] }
    }

    /// Several inclusive ranges, in any order.
    pub(super) fn of(ranges: &[(u32, u32)]) -> Self {
        let mut set = Self { ranges: ranges.to_vec() };
        set.normalise();
        set
    }

    /// `\d`
    pub(super) fn digits() -> Self {
        Self::of(&[(0x30, 0x39)])
    }

    /// `\w`
    pub(super) fn word() -> Self {
        Self::of(&[(0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)])
    }

    /// `\s`: white space and line terminators of ECMAScript.
    pub(super) fn space() -> Self {
        Self::of(&[
            (0x09, 0x0D),
            (0x20, 0x20),
            (0xA0, 0xA0),
            (0x1680, 0x1680),
            (0x2000, 0x200A),
            (0x2028, 0x2029),
            (0x202F, 0x202F),
            (0x205F, 0x205F),
            (0x3000, 0x3000),
            (0xFEFF, 0xFEFF),
        ])
    }

    /// The four line terminators, which `.` does not match.
    pub(super) fn line_terminators() -> Self {
        Self::of(&[(0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029)])
    }

    /// Adds the members of another set.
    pub(super) fn extend(&mut self, other: &Self) {
        self.ranges.extend_from_slice(&other.ranges);
        self.normalise();
    }

    /// Every character that is not in the set.
    pub(super) fn negated(&self) -> Self {
        let mut ranges = Vec::with_capacity(self.ranges.len().saturating_add(1));
        let mut next = 0;
        for &(low, high) in &self.ranges {
            if low > next {
                ranges.push((next, low.saturating_sub(1)));
            }
            next = high.saturating_add(1);
        }
        if next <= LAST {
            ranges.push((next, LAST));
        }
        Self { ranges }
    }

    /// Whether a character is in the set.
    pub(super) fn contains(&self, character: char) -> bool {
        let code = u32::from(character);
        let after = self.ranges.partition_point(|&(low, _)| low <= code);
        after.checked_sub(1).and_then(|at| self.ranges.get(at)).is_some_and(|&(_, high)| code <= high)
    }

    /// The only member, when there is exactly one.
    pub(super) fn only(&self) -> Option<char> {
        match self.ranges.as_slice() {
            [(low, high)] if low == high => char::from_u32(*low),
            _ => None,
        }
    }

    /// The ranges without surrogate code points, which no Rust text holds.
    pub(super) fn scalar_ranges(&self) -> impl Iterator<Item = (char, char)> {
        self.ranges.iter().flat_map(|&(low, high)| {
            let below = (low, high.min(SURROGATES.0.saturating_sub(1)));
            let above = (low.max(SURROGATES.1.saturating_add(1)), high);
            [below, above].into_iter().filter_map(|(low, high)| {
                if low > high { None } else { char::from_u32(low).zip(char::from_u32(high)) }
            })
        })
    }

    fn normalise(&mut self) {
        self.ranges.sort_unstable();
        let mut merged: Vec<(u32, u32)> = Vec::with_capacity(self.ranges.len());
        for &(low, high) in &self.ranges {
            match merged.last_mut() {
                Some(last) if low <= last.1.saturating_add(1) => last.1 = last.1.max(high),
                Some(_) | None => merged.push((low, high)),
            }
        }
        self.ranges = merged;
    }
}
