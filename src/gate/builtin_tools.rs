//! What the gate itself knows of the tools that agents commonly build in.
//!
//! Promises an authored table, looked up by exact name: classes, annotations and one-line summaries. It never learns
//! anything from what a tool or a server says of itself.

use crate::rules::Annotations;

/// The name under which agents register their shell tool.
pub const SHELL_TOOL: &str = "run_shell_command";

/// What a built-in tool may do at most; tools without a class are free at no rung.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ToolClass {
    /// Reads files and lists folders.
    Read,
    /// Changes files inside the working folder.
    Write,
}

struct BuiltinTool {
    name: &'static str,
    class: Option<ToolClass>,
    annotations: Annotations,
    /// One line for the rater's list of free tools; `None` keeps a tool off that list.
    summary: Option<&'static str>,
}

const fn hints(read_only: bool, destructive: bool, idempotent: bool, open_world: bool) -> Annotations {
    Annotations { read_only, destructive, idempotent, open_world }
}

const READ: Annotations = hints(true, false, true, false);
const OVERWRITE: Annotations = hints(false, true, true, false);
const CHANGE: Annotations = hints(false, true, false, false);
const ADD: Annotations = hints(false, false, true, false);

const fn read(name: &'static str, summary: &'static str) -> BuiltinTool {
    BuiltinTool { name, class: Some(ToolClass::Read), annotations: READ, summary: Some(summary) }
}

const fn write(name: &'static str, annotations: Annotations, summary: &'static str) -> BuiltinTool {
    BuiltinTool { name, class: Some(ToolClass::Write), annotations, summary: Some(summary) }
}

const fn unclassed(name: &'static str, annotations: Annotations) -> BuiltinTool {
    BuiltinTool { name, class: None, annotations, summary: None }
}

/// The authored table. The classes and hints are the reference behaviour's, kept so that existing policies mean the same.
const TABLE: [BuiltinTool; 23] = [
    read("read_file", "read one file"),
    read("read_multiple_files", "read several files"),
    read("gth_read_binary", "read a binary file"),
    read("list_directory", "list a folder"),
    read("list_directory_with_sizes", "list a folder with file sizes"),
    read("directory_tree", "show a folder as a tree"),
    read("search_files", "find files by name"),
    read("get_file_info", "show a file's size, times and mode"),
    read("list_allowed_directories", "list the folders that may be used"),
    read("ls", "list a folder"),
    read("glob", "find files by pattern"),
    read("grep", "search text in files"),
    read("gth_grep", "search text in files"),
    write("write_file", OVERWRITE, "create or overwrite a file"),
    write("edit_file", CHANGE, "change parts of a file"),
    write("create_directory", ADD, "create a folder"),
    write("move_file", CHANGE, "move or rename a file"),
    write("delete_file", OVERWRITE, "delete a file"),
    write("delete_directory", OVERWRITE, "delete a folder"),
    unclassed("gth_status_update", READ),
    unclassed("gth_checklist", ADD),
    unclassed("show_a2ui_surface", ADD),
    // Read-only and open-world at once: it changes nothing, and it speaks to strangers.
    unclassed("gth_web_fetch", hints(true, false, true, true)),
];

fn find(name: &str) -> Option<&'static BuiltinTool> {
    TABLE.iter().find(|tool| tool.name == name)
}

/// The class of the built-in tool of that exact name.
#[must_use]
pub fn tool_class(name: &str) -> Option<ToolClass> {
    find(name).and_then(|tool| tool.class)
}

/// The authored annotations of the tool of that exact name; every other tool is [`Annotations::FAIL_CLOSED`].
#[must_use]
pub fn authored_annotations(name: &str) -> Annotations {
    find(name).map_or(Annotations::FAIL_CLOSED, |tool| tool.annotations)
}

/// The authored one-line summary of the tool of that exact name, where it has one.
#[must_use]
pub(super) fn summary(name: &str) -> Option<&'static str> {
    find(name).and_then(|tool| tool.summary)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_exactly_and_nothing_else_has_a_class() {
        assert_eq!(tool_class("read_file"), Some(ToolClass::Read));
        assert_eq!(tool_class("delete_directory"), Some(ToolClass::Write));
        for name in
            ["Read_file", "constructor", "execute", "gth_web_fetch", SHELL_TOOL, "mcp__fs__read_file", ""]
        {
            assert_eq!(tool_class(name), None, "{name}");
        }
        assert_eq!(authored_annotations("execute"), Annotations::FAIL_CLOSED);
        assert_eq!(authored_annotations(SHELL_TOOL), Annotations::FAIL_CLOSED);
    }

    #[test]
    fn a_read_only_tool_is_never_destructive_in_the_table() {
        for tool in &TABLE {
            assert!(!(tool.annotations.read_only && tool.annotations.destructive), "{}", tool.name);
        }
        assert!(authored_annotations("gth_web_fetch").open_world);
    }
}
