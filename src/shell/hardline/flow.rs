//! Credentials that flow from a command that prints them into one that sends: along pipes, out of groups and substitutions.
//!
//! Promises to follow what one pipeline or one command moves; what is kept in a file or a variable in between is left to the
//! rater. A stage between source and sink is taken to let through what it reads. Linear in the commands.

use std::collections::{HashMap, HashSet};

use super::argument::{Argument, Unit};
use super::command::Invocation;
use super::credentials::is_credential;
use super::hosts::is_this_machine;
use super::paths::{Origin, Path};
use super::redirections::writes;
use super::sinks::{self, Input};
use super::sources;
use crate::shell::layout::{Group, Layout, Link};
use crate::shell::segment::PipelinePlace;
use crate::shell::tree::{ExpansionKind, Part, Redirect, RedirectOperator};

/// A stage: pipeline and position.
type Stage = (usize, usize);

/// What flows where in a text.
pub(super) struct Flow<'l> {
    layout: &'l Layout,
    /// A command sends a credential by itself.
    found: bool,
    /// Stages that print a credential.
    sources: Vec<Stage>,
    /// Stages whose input is a credential by a redirection.
    inputs: HashSet<Stage>,
    /// Stages of simple commands among them.
    read_by: HashSet<Stage>,
    /// Stages that print what they are given as arguments.
    hands_on: HashSet<Stage>,
    /// Stages whose output goes to a file and not to the next stage.
    to_file: HashSet<Stage>,
    /// Stages whose output goes to another machine by a redirection.
    to_machine: Vec<Stage>,
    /// Descriptors, and variables that hold one, that `exec` has opened to another machine; `1` is the output of all that
    /// follows.
    open_to_machine: HashSet<String>,
    sinks: Vec<(Stage, Input)>,
}

fn stage(place: PipelinePlace) -> Stage {
    (place.pipeline, place.stage)
}

impl<'l> Flow<'l> {
    /// Nothing flows yet.
    pub(super) fn new(layout: &'l Layout) -> Self {
        Self {
            layout,
            found: false,
            sources: Vec::new(),
            inputs: HashSet::new(),
            read_by: HashSet::new(),
            hands_on: HashSet::new(),
            to_file: HashSet::new(),
            to_machine: Vec::new(),
            open_to_machine: HashSet::new(),
            sinks: Vec::new(),
        }
    }

    /// Adds a command that may send; `here` says whether its files are those of this machine.
    pub(super) fn add_sink(&mut self, command: &Invocation<'_>, here: bool) {
        let at = stage(command.segment.pipeline);
        if let Some(sink) = sinks::read(command) {
            self.found |= here && sink.sends_credential;
            self.sinks.push((at, sink.input));
        }
        if here && self.redirects(&command.segment.redirects, &command.origin, at) {
            self.read_by.insert(at);
        }
        if command.program == "exec" {
            self.opens(&command.segment.redirects);
        } else if !self.open_to_machine.is_empty()
            && self.open_to_machine.contains("1")
            && at.1 + 1 == command.segment.pipeline.stages
            && !self.to_file.contains(&at)
        {
            self.to_machine.push(at);
        }
    }

    /// Whether the redirection writes to a descriptor that is open to another machine.
    fn goes_to_open_machine(&self, redirect: &Redirect, target: &Argument) -> bool {
        !self.open_to_machine.is_empty()
            && copied_descriptor(redirect, target)
                .is_some_and(|descriptor| self.open_to_machine.contains(&descriptor))
    }

    /// `exec 3<>/dev/tcp/HOST/PORT`: what is written to the descriptor later goes there.
    fn opens(&mut self, redirects: &[Redirect]) {
        for redirect in redirects {
            let target = Argument::new(&redirect.target, false);
            let both = redirect.operator == RedirectOperator::ReadWrite;
            let to_machine = match machine(&target.units) {
                Some(host) => !is_this_machine(&host),
                None => self.goes_to_open_machine(redirect, &target),
            };
            if !to_machine || !(both || writes(redirect.operator)) {
                continue;
            }
            let default = if both { "0" } else { "1" };
            let descriptor = redirect.descriptor.as_deref().unwrap_or(default);
            self.open_to_machine.insert(descriptor.trim_matches(['{', '}']).to_owned());
        }
    }

    /// Whether nothing in the text sends.
    pub(super) fn has_no_sink(&self) -> bool {
        self.sinks.is_empty() && self.to_machine.is_empty()
    }

    /// Adds a command of this machine that may print a credential.
    pub(super) fn add_source(&mut self, command: &Invocation<'_>) {
        let at = stage(command.segment.pipeline);
        if sources::hands_on(command) {
            self.hands_on.insert(at);
        }
        if self.to_file.contains(&at) || sinks::read(command).is_some() {
            return;
        }
        let reads = !command.segment.redirects.is_empty() && self.read_by.contains(&at);
        if (reads && sources::lets_input_through(command)) || sources::prints(command) {
            self.sources.push(at);
        }
    }

    /// Adds the redirections of a compound command.
    pub(super) fn add_group(&mut self, group: &Group, origin: &Origin) {
        let at = stage(group.place);
        if self.redirects(&group.redirects, origin, at) {
            self.sources.push(at);
        }
    }

    /// Notes where redirections lead; whether the input is a credential.
    fn redirects(&mut self, redirects: &[Redirect], origin: &Origin, at: Stage) -> bool {
        let mut reads = false;
        for redirect in redirects {
            let target = Argument::new(&redirect.target, false);
            if matches!(redirect.operator, RedirectOperator::Read | RedirectOperator::ReadWrite)
                && redirect.descriptor.as_deref().is_none_or(|descriptor| descriptor == "0")
                && is_credential(&Path::resolve(&target.units, origin))
            {
                self.inputs.insert(at);
                reads = true;
            }
            let output = redirect.descriptor.as_deref().is_none_or(|descriptor| descriptor == "1");
            if !writes(redirect.operator) || !output {
                continue;
            }
            if let Some(host) = machine(&target.units) {
                if !is_this_machine(&host) {
                    self.to_machine.push(at);
                }
            } else if self.goes_to_open_machine(redirect, &target) {
                self.to_machine.push(at);
            } else if !passes_on(redirect, &target) {
                self.to_file.insert(at);
            }
        }
        reads
    }

    /// Whether a credential reaches a command that sends it.
    pub(super) fn reaches_a_sink(self) -> bool {
        if self.found {
            return true;
        }
        let spread = self.spread();
        self.sinks
            .iter()
            .any(|(at, input)| spread.arguments.contains(at) || self.input_of(*at, *input, &spread))
            || self
                .to_machine
                .iter()
                .any(|at| spread.sources.contains(at) || self.input_of(*at, Input::Sent, &spread))
    }

    fn spread(&self) -> Spread {
        let mut spread = Spread::default();
        let mut left = self.sources.clone();
        while let Some(at) = left.pop() {
            if !spread.sources.insert(at) {
                continue;
            }
            let first = spread.from_stage.entry(at.0).or_insert(at.1);
            *first = (*first).min(at.1);
            let Some(hanging) = self.layout.pipelines.get(at.0) else { continue };
            let outer = stage(hanging.place);
            match hanging.link {
                Link::Top | Link::WrittenByStage => {}
                Link::Body => {
                    if !self.to_file.contains(&outer) {
                        left.push(outer);
                    }
                }
                Link::Argument | Link::ReadByStage => {
                    spread.arguments.insert(outer);
                    if self.hands_on.contains(&outer) {
                        left.push(outer);
                    }
                }
            }
        }
        spread
    }

    /// Whether a credential comes in as the input of a stage.
    fn input_of(&self, at: Stage, mut input: Input, spread: &Spread) -> bool {
        if input == Input::Ignored {
            return false;
        }
        let mut at = at;
        loop {
            if self.inputs.contains(&at) || spread.from_stage.get(&at.0).is_some_and(|first| *first < at.1) {
                return true;
            }
            let Some(hanging) = self.layout.pipelines.get(at.0) else { return false };
            let outer = stage(hanging.place);
            match hanging.link {
                Link::Top => return false,
                Link::Body => {}
                Link::Argument | Link::ReadByStage => {
                    // Only a command that surely reads its input is taken to read that of the command around it.
                    if input != Input::Sent {
                        return false;
                    }
                }
                Link::WrittenByStage => {
                    if spread.sources.contains(&outer) {
                        return true;
                    }
                    input = Input::Sent;
                }
            }
            if outer.0 >= at.0 {
                return false;
            }
            at = outer;
        }
    }
}

/// Where credentials come out.
#[derive(Default)]
struct Spread {
    sources: HashSet<Stage>,
    /// Stages with a credential in their words.
    arguments: HashSet<Stage>,
    /// The first stage of each pipeline that prints a credential.
    from_stage: HashMap<usize, usize>,
}

/// The host of `/dev/tcp/HOST/PORT` and `/dev/udp/HOST/PORT`, which bash connects to.
fn machine(units: &[Unit]) -> Option<String> {
    let text = super::argument::text_of(units);
    let rest = text.strip_prefix("/dev/tcp/").or_else(|| text.strip_prefix("/dev/udp/"))?;
    Some(rest.split('/').next().unwrap_or_default().to_owned())
}

/// The descriptor, or the variable that holds it, that what is written goes to: `>&3`, `>&$socket`, `> /dev/fd/3`.
fn copied_descriptor(redirect: &Redirect, target: &Argument) -> Option<String> {
    let text = target.text.as_str();
    let path = ["/dev/fd/", "/proc/self/fd/"].iter().find_map(|folder| text.strip_prefix(folder));
    if let Some(descriptor) = path {
        return Some(descriptor.to_owned());
    }
    if redirect.operator != RedirectOperator::DuplicateOutput {
        return None;
    }
    let parts = redirect.target.parts.iter();
    let parts: Vec<&Part> =
        parts.filter(|part| !matches!(part, Part::Text { text, .. } if text.is_empty())).collect();
    match parts.as_slice() {
        [Part::Expansion(expansion)] => expansion.parameter.clone(),
        _ => Some(text.trim_end_matches('-').to_owned()),
    }
}

/// Whether what is written still comes out of the stage: a copy of another descriptor, or a `>(…)`.
fn passes_on(redirect: &Redirect, target: &Argument) -> bool {
    let copies = redirect.operator == RedirectOperator::DuplicateOutput
        && target.text.chars().all(|character| character.is_ascii_digit() || character == '-');
    let process =
        redirect.target.parts.iter().any(
            |part| matches!(part, Part::Expansion(expansion) if expansion.kind == ExpansionKind::Process),
        );
    copies || process || matches!(target.text.as_str(), "/dev/stdout" | "/dev/fd/1" | "/dev/stderr")
}
