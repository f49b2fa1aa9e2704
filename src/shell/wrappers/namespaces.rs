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
            folder: &["w", "wd"],
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
            folder: &["w", "wd"],
            ..Options::NONE
        },
        bare_shell: true,
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["ip"],
        before: Options {
            short: "46brstoadjpn:Nc",
            long: &["netns=", "all", "json", "pretty", "oneline", "resolve", "timestamp", "brief"],
            ..Options::NONE
        },
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
        options: Options {
            long: &[
                "bind==",
                "bind-try==",
                "dev-bind==",
                "dev-bind-try==",
                "ro-bind==",
                "ro-bind-try==",
                "bind-fd==",
                "ro-bind-fd==",
                "bind-data==",
                "ro-bind-data==",
                "file==",
                "setenv==",
                "symlink==",
                "chmod==",
                "overlay-src=",
                "tmp-overlay=",
                "ro-overlay=",
                "userns=",
                "userns2=",
                "pidns=",
                "block-fd=",
                "userns-block-fd=",
                "json-status-fd=",
                "add-seccomp-fd=",
                "assert-userns-disabled",
                "disable-userns",
                "level-prefix",
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
            folder: &["chdir"],
            ..Options::NONE
        },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["runcon"],
        options: RUNCON,
        form: Form::Argv { assignments: false, operands: 1 },
        ..Wrapper::PLAIN
    },
    // With options for its parts there is no whole context in front of the command.
    Wrapper { names: &["runcon"], options: RUNCON, ..Wrapper::PLAIN },
    Wrapper {
        names: &["proot"],
        options: Options {
            short: "r:b:m:q:w:v:k:0i:R:S:Hlp",
            long: &[
                "rootfs=",
                "bind=",
                "mount=",
                "qemu=",
                "pwd=",
                "cwd=",
                "verbose=",
                "kernel-release=",
                "root-id",
                "change-id=",
                "link2symlink",
                "kill-on-exit",
            ],
            none: &["V", "h", "version", "about", "help", "usage"],
            folder: &["w", "pwd", "cwd"],
            ..Options::NONE
        },
        bare_shell: true,
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

const RUNCON: Options =
    Options { short: "cu:r:t:l:", long: &["compute", "user=", "role=", "type=", "range="], ..Options::NONE };
