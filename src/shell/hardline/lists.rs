//! Deleters that are handed a list of everything: by a pipe (`find / | xargs rm`), by a search for each thing found
//! (`find / -exec sh -c 'rm "$1"' _ {} ;`) or by a substitution (`rm -rf $(ls -d /*)`).
//!
//! Promises to follow a list through stages that leave it whole, and only into commands whose operand is the list or an entry
//! of it. Linear in the commands. Knows nothing of what else they do.

use super::Check;
use super::argument::{Argument, Unit};
use super::command::Invocation;
use super::deletion::loss_of;
use super::finding;
use super::options::Grammar;
use super::paths::{Component, Landmark, Path};
use crate::shell::layout::{Layout, Link};
use crate::shell::segment::{PipelinePlace, Reach};

/// Programs that write what they read, perhaps in another order.
const WHOLE: &[&str] = &["sort", "tac", "uniq", "cat", "tee", "tr", "shuf", "gsort"];

/// A list that a stage writes.
struct Written {
    pipeline: usize,
    stage: usize,
    landmark: Landmark,
    /// It holds bare names of what is in this folder; without one it holds paths.
    names_in: Option<Path>,
    /// It names folders, which only a recursive delete takes.
    of_folders: bool,
}

/// The lists that the commands of a text write.
pub(super) struct Lists<'l> {
    layout: &'l Layout,
    written: Option<Written>,
    /// The last search for everything, by its depth.
    search: Option<(usize, Landmark)>,
    /// Stages that delete what a substitution in their words gives them, and whether they go into folders.
    deleters: Vec<(usize, usize, bool)>,
}

impl<'l> Lists<'l> {
    /// None is written yet.
    pub(super) fn new(layout: &'l Layout) -> Self {
        Self { layout, written: None, search: None, deleters: Vec::new() }
    }

    /// What a command deletes that is handed such a list.
    pub(super) fn check(&mut self, command: &Invocation<'_>) -> Option<Check> {
        let place = command.segment.pipeline;
        match command.program.as_str() {
            "find" | "gfind" => {
                let landmark = finding::start_landmark(command).filter(|_| !finding::is_narrowed(command));
                self.search = landmark.map(|landmark| (command.segment.reached.len(), landmark));
                self.write(place, landmark?, None, false)
            }
            "ls" | "gls" => {
                let (landmark, names_in) = listed(command)?;
                self.write(place, landmark, names_in, true)
            }
            program if WHOLE.contains(&program) => {
                let written = self.written.as_mut()?;
                if written.pipeline == place.pipeline && written.stage + 1 == place.stage {
                    written.stage = place.stage;
                }
                self.substituted(place)
            }
            program if finding::DELETING.contains(&program) => self.deletes(command),
            _ => None,
        }
    }

    fn write(
        &mut self,
        place: PipelinePlace,
        landmark: Landmark,
        names_in: Option<Path>,
        of_folders: bool,
    ) -> Option<Check> {
        let (pipeline, stage) = (place.pipeline, place.stage);
        self.written = Some(Written { pipeline, stage, landmark, names_in, of_folders });
        self.substituted(place)
    }

    /// `rm -rf $(find /)`: the last stage of a substitution in the words of a deleter.
    fn substituted(&self, place: PipelinePlace) -> Option<Check> {
        let written = self.written.as_ref().filter(|written| written.names_in.is_none())?;
        if (written.pipeline, written.stage) != (place.pipeline, place.stage)
            || place.stage + 1 != place.stages
        {
            return None;
        }
        let hanging = self.layout.pipelines.get(place.pipeline)?;
        let (pipeline, stage) = (hanging.place.pipeline, hanging.place.stage);
        let taken = self.deleters.iter().any(|(deleter, at, recursive)| {
            (*deleter, *at) == (pipeline, stage) && (*recursive || !written.of_folders)
        });
        (hanging.link == Link::Argument && taken).then(|| loss_of(written.landmark))
    }

    fn deletes(&mut self, command: &Invocation<'_>) -> Option<Check> {
        let parsed = command.parsed(Grammar::NONE);
        if parsed.asks_for_help() {
            return None;
        }
        let recursive = parsed.has('r', "--recursive") || parsed.has('R', "");
        let place = command.segment.pipeline;
        let entry = parsed.operands.iter().any(|operand| is_entry(operand));
        if entry {
            self.deleters.push((place.pipeline, place.stage, recursive));
        }
        if let Some((depth, landmark)) = self.search
            && entry
            && is_wrapper(command.segment.reached.get(depth), &["find", "gfind"])
        {
            return Some(loss_of(landmark));
        }
        let written = self.written.as_ref().filter(|written| recursive || !written.of_folders)?;
        if self.stage_in(written.pipeline, place) != Some(written.stage + 1) {
            return None;
        }
        let appended = command
            .segment
            .reached
            .iter()
            .any(|reach| is_wrapper(Some(reach), &["xargs", "gxargs", "parallel"]));
        let taken = match &written.names_in {
            None => appended || entry,
            Some(folder) => {
                let placed =
                    parsed.operands.iter().any(|operand| is_entry_of(&command.path(&operand.units), folder));
                placed || (appended && command.origin.folder == *folder)
            }
        };
        taken.then(|| loss_of(written.landmark))
    }

    /// The stage of a pipeline that a command stands in, at whatever depth.
    fn stage_in(&self, pipeline: usize, place: PipelinePlace) -> Option<usize> {
        let mut at = place;
        while at.pipeline != pipeline {
            let hanging = self.layout.pipelines.get(at.pipeline)?;
            if hanging.link == Link::Top || hanging.place.pipeline >= at.pipeline {
                return None;
            }
            at = hanging.place;
        }
        Some(at.stage)
    }
}

fn is_wrapper(reach: Option<&Reach>, programs: &[&str]) -> bool {
    matches!(reach, Some(Reach::Wrapper { program }) if programs.contains(&program.as_str()))
}

/// `{}`, or something that is only known when it runs and nothing else.
fn is_entry(operand: &Argument) -> bool {
    operand.text == "{}" || operand.units == [Unit::Unknown]
}

/// `/{}` and `/$name`: an entry of the folder by its bare name.
fn is_entry_of(path: &Path, folder: &Path) -> bool {
    let Some((last, parents)) = path.components.split_last() else { return false };
    let entry = match last {
        Component::Name(name) => name == "{}",
        Component::Dynamic(before) => before.is_empty(),
        Component::Pattern(_) | Component::User => false,
    };
    entry && path.base == folder.base && parents == folder.components.as_slice()
}

/// What `ls` lists of a landmark: its path (`ls -d /*`) or the names of what is in it (`ls /`).
fn listed(command: &Invocation<'_>) -> Option<(Landmark, Option<Path>)> {
    let parsed = command.parsed(Grammar { short: "ITw", long: &["--ignore", "--hide", "--sort", "--time"] });
    let itself = parsed.has('d', "--directory");
    if parsed.operands.is_empty() {
        let folder = &command.origin.folder;
        return Some((folder.landmark(&command.origin).filter(|_| !itself)?, Some(folder.clone())));
    }
    parsed.operands.iter().find_map(|operand| {
        let path = command.path(&operand.units);
        let landmark = path.landmark(&command.origin)?;
        Some((landmark, (!itself).then_some(path)))
    })
}
