//! The call that a command line describes.
//!
//! Promises that words behind `--` are judged as exactly the argument list that they are. Knows nothing of decisions.

use super::failure::Failure;
use super::words::DialectWord;
use crate::proto::v1 as pb;
use clap::{ArgGroup, Args};
use std::io::Read;

/// What no shell treats specially, wherever it stands in a word.
const PLAIN: &str = "_@%+:,./-";

/// Words that mean something else to a shell when a command begins with them.
const RESERVED: [&str; 17] = [
    "if", "then", "else", "elif", "fi", "do", "done", "case", "esac", "while", "until", "for", "in",
    "function", "select", "coproc", "time",
];

/// The call that is meant.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "The call")]
#[command(group = ArgGroup::new("call").required(true).args(["words", "command", "stdin", "tool", "mcp", "registered"]))]
pub(super) struct CallOptions {
    /// A shell command. One word is taken as the command's text; several are quoted, so that exactly they are judged
    #[arg(last = true, value_name = "COMMAND", help_heading = "Arguments")]
    words: Vec<String>,
    /// A shell command as text
    #[arg(long, value_name = "TEXT")]
    command: Option<String>,
    /// Read the text of a shell command from standard input
    #[arg(long)]
    stdin: bool,
    /// A tool of the agent itself
    #[arg(long, value_name = "NAME")]
    tool: Option<String>,
    /// A tool of an MCP server
    #[arg(long, num_args = 2, value_names = ["SERVER", "NAME"])]
    mcp: Option<Vec<String>>,
    /// A tool by the name that the agent registered it under, such as mcp__jira__create_issue
    #[arg(long, value_name = "NAME")]
    registered: Option<String>,
    /// The arguments of a tool: one JSON object
    #[arg(long, value_name = "JSON", conflicts_with_all = ["words", "command", "stdin"])]
    arguments: Option<String>,
    /// Why the agent asks again for what was refused
    #[arg(long, value_name = "TEXT")]
    justification: Option<String>,
    /// The folder that the call runs in [default: the session's]
    #[arg(long, value_name = "PATH")]
    cwd: Option<String>,
    /// The home folder of the account that runs it [default: the session's]
    #[arg(long, value_name = "PATH")]
    home: Option<String>,
    /// The language of the command
    #[arg(long, value_enum, default_value = "bash", conflicts_with_all = ["tool", "mcp", "registered"])]
    dialect: DialectWord,
}

impl CallOptions {
    /// The call in the contract's form.
    ///
    /// # Errors
    /// Standard input cannot be read, or is no UTF-8.
    pub(super) fn call(&self) -> Result<pb::Call, Failure> {
        use pb::call::Kind;
        let justification = self.justification.clone().unwrap_or_default();
        let arguments_json = self.arguments.clone().unwrap_or_default();
        let (cwd, home) = (self.cwd.clone().unwrap_or_default(), self.home.clone().unwrap_or_default());
        let kind = if let Some(name) = self.tool.clone() {
            Kind::Tool(pb::ToolCall { name, arguments_json, cwd, home, justification })
        } else if let Some([server, name]) = self.mcp.as_deref() {
            let (server, name) = (server.clone(), name.clone());
            Kind::McpTool(pb::McpToolCall { server, name, arguments_json, cwd, home, justification })
        } else if let Some(name) = self.registered.clone() {
            Kind::Registered(pb::RegisteredCall { name, arguments_json, cwd, home, justification })
        } else {
            let dialect = pb::ShellDialect::from(self.dialect).into();
            Kind::Shell(pb::ShellCall { command: self.text()?, cwd, home, dialect, justification })
        };
        Ok(pb::Call { kind: Some(kind) })
    }

    fn text(&self) -> Result<String, Failure> {
        if let Some(text) = &self.command {
            return Ok(text.clone());
        }
        if self.stdin {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text).map_err(|error| {
                Failure::new(format!("cannot read the command from standard input: {error}"))
            })?;
            return Ok(text);
        }
        Ok(command_of(&self.words))
    }
}

/// The command that runs exactly these words; a single one is the command itself.
pub(super) fn command_of(words: &[String]) -> String {
    if let [text] = words {
        return text.clone();
    }
    let quoted = words.iter().enumerate().map(|(index, word)| quoted(word, index == 0));
    quoted.collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str, first: bool) -> String {
    let plain = |character: char| {
        character.is_ascii_alphanumeric() || PLAIN.contains(character) || (character == '=' && !first)
    };
    if !word.is_empty() && word.chars().all(plain) && !(first && RESERVED.contains(&word)) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::{Dialect, analyze};

    #[test]
    fn words_are_judged_as_exactly_the_arguments_that_they_are() {
        let cases: [(&[&str], &str); 7] = [
            (&["git status && ls"], "git status && ls"),
            (&["git", "commit", "-m", "it's done"], r"git commit -m 'it'\''s done'"),
            (&["echo", "$(whoami)", "*", ""], "echo '$(whoami)' '*' ''"),
            (&["A=1", "make"], "'A=1' make"),
            (&["make", "A=1"], "make A=1"),
            (&["time", "ls"], "'time' ls"),
            (&["ls", "~", "{a,b}"], "ls '~' '{a,b}'"),
        ];
        for (words, expected) in cases {
            let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
            assert_eq!(command_of(&words), expected);
        }
    }

    #[test]
    fn whatever_the_words_are_the_command_is_one_simple_command() {
        for hostile in ["a; b", "`x`", "a\nb", "$HOME", "> f", "#", "!", "if", "a|b", "&", "'"] {
            for words in [[hostile, "x"], ["x", hostile]] {
                let command = command_of(&words.map(str::to_owned));
                let analysis = analyze(&command, Dialect::Bash);
                assert!(analysis.canonical().is_some(), "{command}");
                assert_eq!(analysis.segments().len(), 1, "{command}");
            }
        }
    }
}
