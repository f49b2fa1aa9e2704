//! The hardline floor: commands that no rule, grant, rating or rung may let through.
//!
//! Promises to judge argument vectors, after wrappers and inside code that can be read, and never a mention in a string, a
//! comment or a document. What runs on another machine or in a container is not this machine and is left to the rater, unless
//! the other machine is this one (`ssh localhost`). Linear in the text. Knows nothing of rules, ratings or sessions.

mod argument;
mod command;
mod credentials;
mod deletion;
mod devices;
mod disks;
mod finding;
mod flow;
mod folders;
mod globs;
mod hosts;
mod lists;
mod options;
mod paths;
mod permissions;
mod power;
mod processes;
mod redirections;
mod sinks;
mod sources;
mod uploaders;

#[cfg(test)]
mod tests;

use super::analysis::Analysis;
use super::segment::{Reach, Segment};
pub(crate) use argument::{Argument, UNKNOWN, Unit, text_of};
pub(crate) use command::Invocation;
pub(crate) use credentials::is_credential;
pub(crate) use devices::is_block_device;
pub(crate) use folders::Folders;
pub(crate) use hosts::is_this_machine;
pub(crate) use paths::{Base, Component, Landmark, Origin, Path};
pub(crate) use sources::{is_remote, lets_input_through};

/// From where relative paths start and where home is, as far as the caller says.
#[derive(Debug, Clone, Copy, Default)]
pub struct Surroundings<'a> {
    /// The working folder, absolute.
    pub folder: Option<&'a str>,
    /// The home folder of the user, absolute.
    pub home: Option<&'a str>,
}

/// What the floor refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Check {
    /// Deleting the root of the file system.
    RootDeletion,
    /// Deleting a folder of the system.
    SystemDeletion,
    /// Deleting a home folder.
    HomeDeletion,
    /// Making a file system on a disk, or wiping it.
    Format,
    /// Writing over a disk.
    DiskWrite,
    /// Changing permissions or owners all over the system.
    SystemPermissions,
    /// Ending every process.
    KillAll,
    /// Stopping or restarting the machine.
    Shutdown,
    /// A function that starts copies of itself without end.
    ForkBomb,
    /// Sending a credential to another machine.
    Exfiltration,
}

impl Check {
    /// What the command would do, to complete the sentence "this would …".
    #[must_use]
    pub fn description(self) -> &'static str {
        match self {
            Self::RootDeletion => "delete everything on this machine",
            Self::SystemDeletion => "delete a folder that this machine does not work without",
            Self::HomeDeletion => "delete a whole home folder",
            Self::Format => "format or wipe a disk",
            Self::DiskWrite => "write over a disk from its start",
            Self::SystemPermissions => "change permissions or owners all over the system",
            Self::KillAll => "end every process on this machine",
            Self::Shutdown => "stop or restart this machine",
            Self::ForkBomb => "start copies of itself without end until this machine stops answering",
            Self::Exfiltration => "send a credential to another machine",
        }
    }

    /// The name under which records keep it; stable.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::RootDeletion => "root-deletion",
            Self::SystemDeletion => "system-deletion",
            Self::HomeDeletion => "home-deletion",
            Self::Format => "disk-format",
            Self::DiskWrite => "disk-write",
            Self::SystemPermissions => "system-permissions",
            Self::KillAll => "kill-all",
            Self::Shutdown => "shutdown",
            Self::ForkBomb => "fork-bomb",
            Self::Exfiltration => "credential-exfiltration",
        }
    }
}

/// What the floor refuses in a command; destruction before exfiltration, in the order of the text.
#[must_use]
pub fn find(analysis: &Analysis, surroundings: Surroundings<'_>) -> Option<Check> {
    let layout = analysis.layout();
    if layout.fork_bomb {
        return Some(Check::ForkBomb);
    }
    let home =
        surroundings.home.map_or(Path { base: paths::Base::Home, components: Vec::new() }, Path::absolute);
    let folder = surroundings.folder.map_or_else(Path::unknown, Path::absolute);
    let mut folders = Folders::new(layout, Origin { folder, home });
    let mut whereabouts = Whereabouts::default();
    let mut flow = flow::Flow::new(layout);
    let mut lists = lists::Lists::new(layout);
    let mut commands = Vec::with_capacity(analysis.segments().len());
    for segment in analysis.segments() {
        let here = whereabouts.is_here(segment);
        // Behind an option that is not known, the next word is taken as a command too.
        for start in std::iter::once(0).chain(segment.possible_starts.first().copied()) {
            let command = Invocation::new(segment, start, folders.origin(segment.process));
            if here {
                if let Some(found) = destruction(&command, &mut lists) {
                    return Some(found);
                }
                folders.follow(&command);
            }
            flow.add_sink(&command, here);
            commands.push((command, here));
        }
    }
    for group in &layout.groups {
        let origin = folders.origin(group.process);
        if !group.reached.iter().any(leaves)
            && let Some(found) = redirections::of_group(&group.redirects, &origin)
        {
            return Some(found);
        }
        flow.add_group(group, &origin);
    }
    if flow.has_no_sink() {
        return None;
    }
    for (command, here) in &commands {
        if *here {
            flow.add_source(command);
        }
    }
    flow.reaches_a_sink().then_some(Check::Exfiltration)
}

fn destruction(command: &Invocation<'_>, lists: &mut lists::Lists<'_>) -> Option<Check> {
    deletion::check(command)
        .or_else(|| lists.check(command))
        .or_else(|| permissions::check(command))
        .or_else(|| disks::check(command))
        .or_else(|| power::check(command))
        .or_else(|| processes::check(command))
        .or_else(|| redirections::check(command))
}

fn leaves(reach: &Reach) -> bool {
    matches!(reach, Reach::Remote { .. } | Reach::Container { .. })
}

/// Whether segments run on this machine.
#[derive(Default)]
struct Whereabouts {
    /// Of the last segment at each depth: whether what it runs elsewhere runs on this machine all the same.
    comes_back: Vec<bool>,
}

impl Whereabouts {
    /// Whether a segment runs on this machine: segments are given outer before inner.
    fn is_here(&mut self, segment: &Segment) -> bool {
        let depth = segment.reached.len();
        self.comes_back.truncate(depth);
        let here = segment.reached.iter().enumerate().all(|(at, reach)| {
            !leaves(reach)
                || matches!(reach, Reach::Remote { .. }) && self.comes_back.get(at).copied().unwrap_or(false)
        });
        self.comes_back.resize(depth, false);
        self.comes_back.push(sinks::goes_to_this_machine(&segment.words));
        here
    }
}
