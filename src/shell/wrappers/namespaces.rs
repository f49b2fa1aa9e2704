//! Wrappers that run a command in another root, namespace, sandbox or security context.

use super::{Form, Options, Wrapper};

pub(super) static TABLE: &[Wrapper] = &[
    Wrapper {
        names: &["chroot"],
        options: Options { short: "u:g:G:n", long: &["userspec=", "groups=", "skip-chdir"], ..Options::NONE },
        form: Form::Argv { assignments: false, operands: 1 },
        bare_shell: true,
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["unshare"],
        options: Options {
            short: "m::u::i::n::p::U::C::T::fcrR:w:S:G:l:",
            long: &[
                "mount=?",
                "uts=?",
                "ipc=?",
                "net=?",
                "pid=?",
                "user=?",
                "cgroup=?",
                "time=?",
                "fork",
                "map-user=",
                "map-group=",
                "map-root-user",
                "map-current-user",
                "map-auto",
                "map-users=",
                "map-groups=",
                "map-subids",
                "kill-child=?",
                "mount-proc=?",
                "mount-binfmt=?",
                "propagation=",
                "setgroups=",
                "keep-caps",
                "root=",
                "wd=",
                "setuid=",
                "setgid=",
                "monotonic=",
                "boottime=",
                "load-interp=",
                "owner=",
                "forward-signals",
            ],
            none: &["h", "V", "help", "version"],
            ..Options::NONE
        },
        bare_shell: true,
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["nsenter"],
        options: Options {
            short: "at:m::u::i::n::p::U::C::T::S:G:r::w::W:FecZN:",
            long: &[
                "all",
                "target=",
                "mount=?",
                "uts=?",
                "ipc=?",
                "net=?",
                "pid=?",
                "user=?",
                "cgroup=?",
                "time=?",
                "setuid=",
                "setgid=",
                "preserve-credentials",
                "root=?",
                "wd=?",
                "wdns=",
                "no-fork",
                "env",
                "join-cgroup",
                "follow-context",
                "keep-caps",
                "user-parent",
                "net-socket=",
            ],
            none: &["h", "V", "help", "version"],
            ..Options::NONE
        },
        bare_shell: true,
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["ip"],
        before: Options { short: "46brstoadjpn:Nc", lenient: true, ..Options::NONE },
        path: &[&["netns"], &["exec", "exe", "ex", "e"]],
        form: Form::Argv { assignments: false, operands: 1 },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["firejail"],
        options: Options {
            short: "",
            lenient: true,
            none: &["help", "version", "list", "tree", "top"],
            ..Options::NONE
        },
        bare_shell: true,
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["bwrap"],
        // Its options take one, two or no values; what is not listed leaves the start of the command open.
        options: Options {
            long: &[
                "unshare-all",
                "share-net",
                "unshare-user",
                "unshare-user-try",
                "unshare-ipc",
                "unshare-pid",
                "unshare-net",
                "unshare-uts",
                "unshare-cgroup",
                "unshare-cgroup-try",
                "die-with-parent",
                "new-session",
                "as-pid-1",
                "clearenv",
                "uid=",
                "gid=",
                "hostname=",
                "chdir=",
                "unsetenv=",
                "proc=",
                "dev=",
                "tmpfs=",
                "mqueue=",
                "dir=",
                "remount-ro=",
                "lock-file=",
                "sync-fd=",
                "info-fd=",
                "seccomp=",
                "cap-add=",
                "cap-drop=",
                "exec-label=",
                "file-label=",
                "perms=",
                "size=",
                "args=",
                "argv0=",
            ],
            ..Options::NONE
        },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["runcon"],
        options: Options {
            short: "cu:r:t:l:",
            long: &["compute", "user=", "role=", "type=", "range="],
            ..Options::NONE
        },
        form: Form::Argv { assignments: false, operands: 1 },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["sandbox-exec"],
        options: Options { short: "f:n:p:D:", ..Options::NONE },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["aa-exec"],
        options: Options {
            short: "p:n:div",
            long: &["profile=", "namespace=", "debug", "immediate", "verbose"],
            ..Options::NONE
        },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["cgexec"],
        options: Options { short: "g:", long: &["sticky"], ..Options::NONE },
        ..Wrapper::PLAIN
    },
];
