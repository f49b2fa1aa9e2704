//! A backtracking engine with a step budget, for patterns with look-around or back-references.
//!
//! Promises ECMAScript's own semantics (a group that took no part refers to the empty text, each round of a repeat forgets
//! its groups, look-behind reads from right to left) and to stop when the budget is used up. Knows nothing of lists.

use super::syntax::{CharSet, Node};

/// The budget of steps of one search, shared over all texts of a decision.
#[derive(Debug)]
pub(super) struct Steps {
    /// Steps that are left.
    pub(super) left: u64,
}

/// The budget is used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OutOfSteps;

/// Branches and slots that may wait at once: about 32 MiB.
const MAX_PENDING: usize = 1 << 20;

/// A compiled pattern.
#[derive(Debug, Clone)]
pub(super) struct Program {
    code: Vec<Instruction>,
    slots: usize,
    anchored: bool,
}

#[derive(Debug, Clone)]
enum Instruction {
    Class {
        set: CharSet,
        backward: bool,
    },
    Start,
    End,
    WordBoundary {
        negated: bool,
    },
    /// Remembers the place in a slot.
    Save(usize),
    /// Forgets the slots `first..end`.
    Forget {
        first: usize,
        end: usize,
    },
    /// Goes on only if the place differs from the one in the slot: an empty round of a repeat leads nowhere.
    Progress(usize),
    /// Tries the first, later the second.
    Split {
        first: usize,
        second: usize,
    },
    Jump(usize),
    BackReference {
        group: usize,
        backward: bool,
    },
    /// The body follows and ends in `Match`.
    Look {
        negated: bool,
        next: usize,
    },
    Match,
}

enum Pending {
    Branch { instruction: usize, at: usize },
    Restore { slot: usize, value: Option<usize> },
}

impl Program {
    /// Compiles a tree; its expanded size was bounded by the caller.
    pub(super) fn compile(node: &Node, groups: usize) -> Self {
        let mut compiler = Compiler { code: Vec::new(), slots: groups.saturating_add(1).saturating_mul(2) };
        compiler.node(node, false);
        compiler.code.push(Instruction::Match);
        let anchored = match node {
            Node::Concat(nodes) => nodes.first() == Some(&Node::Start),
            other => *other == Node::Start,
        };
        Self { code: compiler.code, slots: compiler.slots, anchored }
    }

    /// Whether the pattern matches anywhere in the text.
    pub(super) fn is_match(&self, text: &str, steps: &mut Steps) -> Result<bool, OutOfSteps> {
        let mut run = Run { program: self, text, slots: vec![None; self.slots], pending: Vec::new() };
        let starts = text.char_indices().map(|(at, _)| at).chain(std::iter::once(text.len()));
        for start in starts.take(if self.anchored { 1 } else { usize::MAX }) {
            if run.search(0, start, steps)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

struct Compiler {
    code: Vec<Instruction>,
    slots: usize,
}

impl Compiler {
    fn node(&mut self, node: &Node, backward: bool) {
        match node {
            Node::Empty => {}
            Node::Class(set) => self.code.push(Instruction::Class { set: set.clone(), backward }),
            Node::Start => self.code.push(Instruction::Start),
            Node::End => self.code.push(Instruction::End),
            Node::WordBoundary { negated } => self.code.push(Instruction::WordBoundary { negated: *negated }),
            Node::Concat(nodes) if backward => nodes.iter().rev().for_each(|node| self.node(node, true)),
            Node::Concat(nodes) => nodes.iter().for_each(|node| self.node(node, false)),
            Node::Alternate(nodes) => self.alternate(nodes, backward),
            Node::Repeat { body, min, max, greedy, groups } => {
                let groups = (slot_of(groups.0), slot_of(groups.1));
                self.repeat(body, *min, *max, *greedy, groups, backward);
            }
            Node::Group { number, body } => {
                let low = slot_of(*number);
                let high = low.saturating_add(1);
                let (entry, exit) = if backward { (high, low) } else { (low, high) };
                self.code.push(Instruction::Save(entry));
                self.node(body, backward);
                self.code.push(Instruction::Save(exit));
            }
            Node::Look { behind, negated, body } => {
                let look = self.hole();
                self.node(body, *behind);
                self.code.push(Instruction::Match);
                let next = self.code.len();
                self.fill(look, Instruction::Look { negated: *negated, next });
            }
            Node::BackReference(number) => {
                let group = slot_of(*number);
                self.code.push(Instruction::BackReference { group, backward });
            }
        }
    }

    fn alternate(&mut self, nodes: &[Node], backward: bool) {
        let mut exits = Vec::new();
        for (place, node) in nodes.iter().enumerate() {
            if place.saturating_add(1) == nodes.len() {
                self.node(node, backward);
                continue;
            }
            let split = self.hole();
            self.node(node, backward);
            exits.push(self.hole());
            let first = split.saturating_add(1);
            self.fill(split, Instruction::Split { first, second: self.code.len() });
        }
        for exit in exits {
            self.fill(exit, Instruction::Jump(self.code.len()));
        }
    }

    fn repeat(
        &mut self,
        body: &Node,
        min: u32,
        max: Option<u32>,
        greedy: bool,
        groups: (usize, usize),
        backward: bool,
    ) {
        let (first, end) = groups;
        for _ in 0..min {
            self.forget(first, end);
            self.node(body, backward);
        }
        let mut splits = Vec::new();
        let optional = max.map_or(1, |max| max.saturating_sub(min));
        for _ in 0..optional {
            let split = self.hole();
            splits.push(split);
            let mark = body.may_be_empty().then_some(self.slots);
            if let Some(mark) = mark {
                self.slots = self.slots.saturating_add(1);
                self.code.push(Instruction::Save(mark));
            }
            self.forget(first, end);
            self.node(body, backward);
            self.code.extend(mark.map(Instruction::Progress));
            if max.is_none() {
                self.code.push(Instruction::Jump(split));
            }
        }
        let exit = self.code.len();
        for split in splits {
            let enter = split.saturating_add(1);
            let (first, second) = if greedy { (enter, exit) } else { (exit, enter) };
            self.fill(split, Instruction::Split { first, second });
        }
    }

    fn forget(&mut self, first: usize, end: usize) {
        if first < end {
            self.code.push(Instruction::Forget { first, end });
        }
    }

    /// An instruction that is filled in later.
    fn hole(&mut self) -> usize {
        self.code.push(Instruction::Match);
        self.code.len().saturating_sub(1)
    }

    fn fill(&mut self, at: usize, instruction: Instruction) {
        if let Some(place) = self.code.get_mut(at) {
            *place = instruction;
        }
    }
}

/// The slot of a group's start; its end is the next.
fn slot_of(group: u32) -> usize {
    usize::try_from(group).unwrap_or(usize::MAX).saturating_mul(2)
}

struct Run<'a> {
    program: &'a Program,
    text: &'a str,
    slots: Vec<Option<usize>>,
    pending: Vec<Pending>,
}

impl Run<'_> {
    /// Runs from an instruction at a place. On success only slots to restore are left pending above where it began; on
    /// failure nothing is. Recursion is as deep as look-arounds nest, which the length of a pattern bounds.
    fn search(&mut self, instruction: usize, at: usize, steps: &mut Steps) -> Result<bool, OutOfSteps> {
        let base = self.pending.len();
        let (mut instruction, mut at) = (instruction, at);
        loop {
            steps.left = steps.left.checked_sub(1).ok_or(OutOfSteps)?;
            if self.pending.len() > MAX_PENDING {
                return Err(OutOfSteps);
            }
            let Some(current) = self.program.code.get(instruction) else { return Ok(false) };
            let following = instruction.saturating_add(1);
            let next = match current {
                Instruction::Match => {
                    self.commit(base);
                    return Ok(true);
                }
                Instruction::Class { set, backward } => self
                    .step(at, *backward)
                    .filter(|(character, _)| set.contains(*character))
                    .map(|(_, at)| (following, at)),
                Instruction::Start => (at == 0).then_some((following, at)),
                Instruction::End => (at == self.text.len()).then_some((following, at)),
                Instruction::WordBoundary { negated } => {
                    let is_word = |step: Option<(char, usize)>| {
                        step.is_some_and(|(character, _)| {
                            character.is_ascii_alphanumeric() || character == '_'
                        })
                    };
                    let boundary = is_word(self.step(at, true)) != is_word(self.step(at, false));
                    (boundary != *negated).then_some((following, at))
                }
                Instruction::Save(slot) => {
                    self.set(*slot, Some(at));
                    Some((following, at))
                }
                Instruction::Forget { first, end } => {
                    for slot in *first..*end {
                        self.set(slot, None);
                    }
                    Some((following, at))
                }
                Instruction::Progress(slot) => (self.slot(*slot) != Some(at)).then_some((following, at)),
                Instruction::Split { first, second } => {
                    self.pending.push(Pending::Branch { instruction: *second, at });
                    Some((*first, at))
                }
                Instruction::Jump(target) => Some((*target, at)),
                Instruction::BackReference { group, backward } => {
                    self.refer_back(*group, at, *backward, steps)?.map(|at| (following, at))
                }
                Instruction::Look { negated, next } => {
                    let mark = self.pending.len();
                    let found = self.search(following, at, steps)?;
                    if *negated {
                        self.unwind(mark);
                    }
                    (found != *negated).then_some((*next, at))
                }
            };
            match next.or_else(|| self.resume(base)) {
                Some(state) => (instruction, at) = state,
                None => return Ok(false),
            }
        }
    }

    fn step(&self, at: usize, backward: bool) -> Option<(char, usize)> {
        let (before, after) = self.text.split_at_checked(at)?;
        if backward {
            before.chars().next_back().map(|character| (character, at.saturating_sub(character.len_utf8())))
        } else {
            after.chars().next().map(|character| (character, at.saturating_add(character.len_utf8())))
        }
    }

    fn slot(&self, slot: usize) -> Option<usize> {
        self.slots.get(slot).copied().flatten()
    }

    fn set(&mut self, slot: usize, value: Option<usize>) {
        if let Some(place) = self.slots.get_mut(slot) {
            let old = std::mem::replace(place, value);
            if old != value {
                self.pending.push(Pending::Restore { slot, value: old });
            }
        }
    }

    /// Where the place is after the text of a group; `None` when that text does not stand there.
    fn refer_back(
        &self,
        group: usize,
        at: usize,
        backward: bool,
        steps: &mut Steps,
    ) -> Result<Option<usize>, OutOfSteps> {
        let (Some(start), Some(end)) = (self.slot(group), self.slot(group.saturating_add(1))) else {
            return Ok(Some(at));
        };
        let Some(captured) = self.text.get(start..end) else { return Ok(Some(at)) };
        let cost = u64::try_from(captured.len() / 8).unwrap_or(u64::MAX);
        steps.left = steps.left.checked_sub(cost).ok_or(OutOfSteps)?;
        let Some((before, after)) = self.text.split_at_checked(at) else { return Ok(None) };
        Ok(if backward {
            before.ends_with(captured).then(|| at.saturating_sub(captured.len()))
        } else {
            after.starts_with(captured).then(|| at.saturating_add(captured.len()))
        })
    }

    /// Undoes until the latest branch above the base and takes it.
    fn resume(&mut self, base: usize) -> Option<(usize, usize)> {
        while self.pending.len() > base {
            match self.pending.pop()? {
                Pending::Branch { instruction, at } => return Some((instruction, at)),
                Pending::Restore { slot, value } => self.put_back(slot, value),
            }
        }
        None
    }

    /// Undoes everything above the mark.
    fn unwind(&mut self, mark: usize) {
        while self.pending.len() > mark {
            if let Some(Pending::Restore { slot, value }) = self.pending.pop() {
                self.put_back(slot, value);
            }
        }
    }

    fn put_back(&mut self, slot: usize, value: Option<usize>) {
        if let Some(place) = self.slots.get_mut(slot) {
            *place = value;
        }
    }

    /// Gives up the branches above the base but keeps what must be restored if an outer branch is taken.
    fn commit(&mut self, base: usize) {
        let kept: Vec<Pending> =
            self.pending.drain(base..).filter(|pending| matches!(pending, Pending::Restore { .. })).collect();
        self.pending.extend(kept);
    }
}
