//! Wrappers that run a command on a terminal of their own, or over a connection.

use super::{Form, Options, Place, Wrapper};

pub(super) static TABLE: &[Wrapper] = &[
    Wrapper {
        names: &["autossh"],
        options: Options {
            short: "1246AaCfGgKknqsTtvXxYyB:b:c:D:E:e:F:I:i:J:L:l:M:m:O:o:P:p:R:S:W:w:",
            none: &["V", "Q", "N"],
            ..Options::NONE
        },
        form: Form::Joined { operands: 1 },
        place: Place::Remote,
        bare_shell: true,
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["ssh", "slogin"],
        options: Options {
            short: "1246AaCfGgKkMNnqsTtVvXxYyB:b:c:D:E:e:F:I:i:J:L:l:m:O:o:P:p:Q:R:S:W:w:",
            none: &["V", "G", "Q", "N"],
            ..Options::NONE
        },
        form: Form::Joined { operands: 1 },
        place: Place::Remote,
        bare_shell: true,
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["mosh"],
        options: Options {
            short: "46anp:",
            long: &[
                "client=",
                "server=",
                "predict=",
                "family=",
                "port=",
                "bind-server=",
                "ssh=",
                "no-init",
                "local",
            ],
            ..Options::NONE
        },
        form: Form::Argv { assignments: false, operands: 1 },
        place: Place::Remote,
        bare_shell: true,
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["script"],
        options: Options {
            short: "aB:c:dE:efFI:km:o:O:pqrRt::T:T:",
            long: &[
                "append",
                "command=",
                "echo=",
                "return",
                "flush",
                "force",
                "log-io=",
                "log-in=",
                "log-out=",
                "log-timing=",
                "logging-format=",
                "output-limit=",
                "quiet",
                "timing=?",
            ],
            none: &["h", "V", "help", "version"],
            code: &["c", "command"],
            ..Options::NONE
        },
        form: Form::CodeOnly,
        bare_shell: true,
        ..Wrapper::PLAIN
    },
    Wrapper {
        // Without `-c` the words behind the file are a command on BSD and macOS, and behind `--` in newer util-linux.
        names: &["script"],
        options: Options { short: "adeFfkpqrt:T:", ..Options::NONE },
        form: Form::Dashes { operands: 1 },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["rlwrap"],
        options: Options {
            short: "a::A::b:cC:d::D:e:E:f:F:g:hH:iIl:m::M:nNo:O:p::P:q:rRs:S:t:Tuv:w:W::Xz:",
            ..Options::NONE
        },
        ..Wrapper::PLAIN
    },
    Wrapper { names: &["unbuffer"], options: Options { short: "p", ..Options::NONE }, ..Wrapper::PLAIN },
    Wrapper {
        names: &["tmux"],
        before: TMUX,
        path: &[&["new-session", "new"]],
        options: Options { short: "AdDEPXc:e:f:F:n:s:t:x:y:", ..Options::NONE },
        form: Form::Joined { operands: 0 },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["tmux"],
        before: TMUX,
        path: &[&[
            "new-window",
            "neww",
            "split-window",
            "splitw",
            "respawn-pane",
            "respawnp",
            "respawn-window",
            "respawnw",
        ]],
        options: Options { short: "abdfhIkPSvZc:e:F:l:n:p:t:", ..Options::NONE },
        form: Form::Joined { operands: 0 },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["tmux"],
        before: TMUX,
        path: &[&["popup", "display-popup"]],
        options: Options { short: "BCEkNb:c:d:e:h:s:S:t:T:w:x:y:", ..Options::NONE },
        form: Form::Joined { operands: 0 },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["tmux"],
        before: TMUX,
        path: &[&["run-shell", "run"]],
        options: Options { short: "bCEc:d:t:", ..Options::NONE },
        form: Form::Joined { operands: 0 },
        ..Wrapper::PLAIN
    },
    // A command line for a shell, and commands of tmux itself.
    Wrapper {
        names: &["tmux"],
        before: TMUX,
        path: &[&["if-shell", "if"]],
        options: Options { short: "bFt:", ..Options::NONE },
        form: Form::Each,
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["tmux"],
        before: TMUX,
        path: &[&["pipe-pane", "pipep"]],
        options: Options { short: "IOot:", ..Options::NONE },
        form: Form::Joined { operands: 0 },
        ..Wrapper::PLAIN
    },
    // Keys that are typed into a terminal, where a shell may read them.
    Wrapper {
        names: &["tmux"],
        before: TMUX,
        path: &[&["send-keys", "send"]],
        options: Options { short: "FHKlMRXc:N:t:", ..Options::NONE },
        form: Form::Each,
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["screen"],
        options: Options {
            short: "aALmOqUDdRrxiS:c:e:h:p:s:t:T:L",
            none: &["ls", "list", "wipe", "X", "v"],
            ..Options::NONE
        },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["dtach", "abduco"],
        options: Options { short: "AacNnpEzr:e:", ..Options::NONE },
        form: Form::Argv { assignments: false, operands: 1 },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &[
            "xterm",
            "gnome-terminal",
            "konsole",
            "alacritty",
            "kitty",
            "x-terminal-emulator",
            "lxterminal",
        ],
        options: Options { short: "", code: &[], none: &["help", "version"], ..Options::NONE },
        form: Form::Dashes { operands: 0 },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["expect"],
        options: Options { short: "bdDinNvf:", none: &["c"], ..Options::NONE },
        form: Form::CodeOnly,
        ..Wrapper::PLAIN
    },
];

const TMUX: Options = Options { short: "2CDlNuvc:f:L:S:T:", ..Options::NONE };
