//! Wrappers that run a command as somebody else.

use super::{Form, Options, Wrapper};

pub(super) static TABLE: &[Wrapper] = &[
    Wrapper {
        names: &["sudo"],
        options: Options {
            short: "ABbEHkKnNPSsiC:D:g:h:p:R:r:T:t:U:u:",
            long: &[
                "askpass",
                "bell",
                "background",
                "close-from=",
                "chdir=",
                "preserve-env=?",
                "group=",
                "set-home",
                "host=",
                "login",
                "reset-timestamp",
                "remove-timestamp",
                "non-interactive",
                "no-update",
                "preserve-groups",
                "prompt=",
                "chroot=",
                "role=",
                "stdin",
                "shell",
                "type=",
                "command-timeout=",
                "other-user=",
                "user=",
            ],
            none: &["e", "edit", "l", "list", "V", "version", "v", "validate", "help"],
            shell: &["s", "shell", "i", "login"],
            folder: &["D", "chdir"],
            ..Options::NONE
        },
        form: Form::Argv { assignments: true, operands: 0 },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["doas"],
        options: Options { short: "a:C:nsu:", none: &["L"], shell: &["s"], ..Options::NONE },
        form: Form::Argv { assignments: true, operands: 0 },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["sudo-rs"],
        options: Options {
            short: "ABbEHkKnPSsiD:g:h:p:R:U:u:",
            long: &[
                "askpass",
                "bell",
                "background",
                "chdir=",
                "preserve-env=?",
                "group=",
                "set-home",
                "login",
                "reset-timestamp",
                "remove-timestamp",
                "non-interactive",
                "preserve-groups",
                "prompt=",
                "chroot=",
                "stdin",
                "shell",
                "user=",
            ],
            none: &["l", "list", "v", "validate", "e", "edit", "V", "version", "help"],
            shell: &["s", "shell", "i", "login"],
            folder: &["D", "chdir"],
            ..Options::NONE
        },
        form: Form::Argv { assignments: true, operands: 0 },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["run0"],
        options: Options {
            short: "u:g:D:M:i",
            long: &[
                "user=",
                "group=",
                "chdir=",
                "property=",
                "setenv=",
                "unit=",
                "description=",
                "nice=",
                "background=",
                "machine=",
                "slice=",
                "slice-inherit",
                "pipe",
                "pty",
                "pty-late",
                "no-ask-password",
                "via-shell",
                "shell-prompt-prefix=",
                "lightweight=",
                "area=",
                "same-root-dir",
            ],
            none: &["V", "version", "h", "help"],
            shell: &["i", "via-shell"],
            folder: &["D", "chdir"],
            ..Options::NONE
        },
        bare_shell: true,
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["pkexec"],
        options: Options { long: &["user=", "disable-internal-agent", "keep-cwd"], ..Options::NONE },
        bare_shell: true,
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &[
            "gosu",
            "su-exec",
            "setuidgid",
            "s6-setuidgid",
            "envuidgid",
            "s6-envuidgid",
            "envdir",
            "s6-envdir",
        ],
        form: Form::Argv { assignments: false, operands: 1 },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["setlock", "s6-setlock"],
        options: Options { short: "nNxXrwt:d:", ..Options::NONE },
        form: Form::Argv { assignments: false, operands: 1 },
        ..Wrapper::PLAIN
    },
    Wrapper {
        // The user is the value of an option, no operand.
        names: &["chpst"],
        options: Options {
            short: "vP012u:U:b:e:/:C:n:l:L:m:d:o:p:f:c:t:r:",
            folder: &["C"],
            ..Options::NONE
        },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["su"],
        options: Options {
            short: "c:fg:G:lmpPs:Tw:",
            long: &[
                "command=",
                "fast",
                "group=",
                "supp-group=",
                "login",
                "preserve-environment",
                "pty",
                "shell=",
                "session-command=",
                "no-pty",
                "whitelist-environment=",
            ],
            none: &["h", "help", "V", "version"],
            code: &["c", "command", "session-command"],
            ..Options::NONE
        },
        form: Form::CodeOnly,
        bare_shell: true,
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["runuser"],
        options: Options {
            short: "c:fg:G:lmpPs:Tu:w:",
            long: &[
                "command=",
                "fast",
                "group=",
                "supp-group=",
                "login",
                "preserve-environment",
                "pty",
                "shell=",
                "session-command=",
                "no-pty",
                "user=",
                "whitelist-environment=",
            ],
            none: &["h", "help", "V", "version"],
            code: &["c", "command", "session-command"],
            ..Options::NONE
        },
        form: Form::Dashes { operands: 0 },
        bare_shell: true,
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["sg"],
        options: Options { short: "c:", code: &["c"], ..Options::NONE },
        form: Form::Joined { operands: 1 },
        bare_shell: true,
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["setpriv"],
        options: Options {
            short: "d",
            long: &[
                "dump",
                "nnp",
                "no-new-privs",
                "ambient-caps=",
                "inh-caps=",
                "bounding-set=",
                "ruid=",
                "euid=",
                "rgid=",
                "egid=",
                "reuid=",
                "regid=",
                "clear-groups",
                "keep-groups",
                "init-groups",
                "groups=",
                "securebits=",
                "pdeathsig=",
                "selinux-label=",
                "apparmor-profile=",
                "reset-env",
                "landlock-access=",
                "landlock-rule=",
                "seccomp-filter=",
            ],
            none: &["h", "help", "V", "version", "list-caps"],
            ..Options::NONE
        },
        ..Wrapper::PLAIN
    },
    Wrapper {
        // What stands behind the dashes are the arguments of a shell.
        names: &["capsh"],
        options: Options { lenient: true, ..Options::NONE },
        form: Form::OnlyDashes,
        runs: Some("bash"),
        ..Wrapper::PLAIN
    },
];
