//! The agents whose hooks are answered, and what is known of each.

/// An agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Agent {
    /// Anthropic's Claude Code.
    ClaudeCode,
    /// OpenAI's Codex CLI.
    Codex,
    /// Google's Gemini CLI.
    Gemini,
    /// OpenCode.
    OpenCode,
}

impl Agent {
    /// Its name for people.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::ClaudeCode => "Claude Code",
            Self::Codex => "Codex",
            Self::Gemini => "Gemini CLI",
            Self::OpenCode => "OpenCode",
        }
    }

    /// Its name on the command line.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::OpenCode => "opencode",
        }
    }

    /// The event that comes before a tool is used.
    pub(super) fn event(self) -> &'static str {
        match self {
            Self::ClaudeCode | Self::Codex | Self::OpenCode => "PreToolUse",
            Self::Gemini => "BeforeTool",
        }
    }

    /// Whether a hook can have it ask whoever sits before it. The others run a call when a hook says so.
    pub(super) fn can_ask(self) -> bool {
        match self {
            Self::ClaudeCode => true,
            Self::Codex | Self::Gemini | Self::OpenCode => false,
        }
    }

    /// The tools that run a shell command.
    pub(super) fn shells(self) -> &'static [&'static str] {
        match self {
            Self::ClaudeCode => &["Bash", "PowerShell", "Monitor"],
            Self::Codex => &["Bash"],
            Self::Gemini => &["run_shell_command"],
            Self::OpenCode => &["bash"],
        }
    }
}
