//! The working folder of each command, as `cd` in the same text moves it.
//!
//! Promises that a move, by `cd` or by an option of a wrapper, counts for the commands behind it in the same process and in those that this one starts later. A
//! move to a place that is not known makes the folder unknown.

use std::collections::HashMap;
use std::rc::Rc;

use super::argument::Argument;
use super::command::Invocation;
use super::options::Grammar;
use super::paths::{Origin, Path};
use crate::shell::layout::{Layout, starts_process};
use crate::shell::segment::Reach;

/// The working folders of the processes of a text.
pub(crate) struct Folders<'l> {
    layout: &'l Layout,
    origin: Rc<Origin>,
    moved: HashMap<usize, Rc<Origin>>,
}

impl<'l> Folders<'l> {
    /// Starts where the call starts.
    pub(crate) fn new(layout: &'l Layout, origin: Origin) -> Self {
        Self { layout, origin: Rc::new(origin), moved: HashMap::new() }
    }

    /// From where paths start in this process now.
    pub(crate) fn origin(&mut self, process: usize) -> Rc<Origin> {
        let mut at = process;
        let mut given = Vec::new();
        let mut origin = loop {
            if let Some(origin) = self.moved.get(&at) {
                break Rc::clone(origin);
            }
            let folders = &self.layout.folders;
            // Numbers grow as processes start.
            if let Ok(index) = folders.binary_search_by_key(&at, |folder| folder.process) {
                given.extend(folders.get(index));
            }
            let moves = !self.moved.is_empty() || !folders.is_empty();
            match self.layout.processes.get(at) {
                Some(parent) if *parent < at && moves => at = *parent,
                Some(_) | None => break Rc::clone(&self.origin),
            }
        };
        for folder in given.into_iter().rev() {
            let units = Argument::new(&folder.word, false);
            let path = Path::resolve(units.behind(folder.skip), &origin);
            origin = Rc::new(Origin { folder: path, home: self.origin.home.clone() });
            self.moved.insert(folder.process, Rc::clone(&origin));
        }
        origin
    }

    /// Follows a command that moves its process.
    pub(crate) fn follow(&mut self, command: &Invocation<'_>) {
        if !matches!(command.program.as_str(), "cd" | "chdir" | "pushd" | "popd") {
            return;
        }
        // Only what stands between the process and the command counts: `sudo sh -c 'cd /tmp; …'` moves its own shell.
        let inside = command.segment.reached.iter().rev().take_while(|reach| !starts_process(reach));
        let elsewhere = inside.into_iter().any(|reach| {
            matches!(reach, Reach::Wrapper { program } if !matches!(program.as_str(), "command" | "builtin"))
        });
        if elsewhere {
            return;
        }
        let folder = match command.parsed(Grammar::NONE).operands.first() {
            Some(operand) if operand.text == "-" => Path::unknown(),
            Some(operand) => command.path(&operand.units),
            None if command.program == "cd" => command.origin.home.clone(),
            None => Path::unknown(),
        };
        let origin = Origin { folder, home: self.origin.home.clone() };
        self.moved.insert(command.segment.process, Rc::new(origin));
    }
}
