//! Wrappers that change the environment, the shell's own prefixes among them.

use super::{Form, Options, Wrapper};

pub(super) static TABLE: &[Wrapper] = &[
    Wrapper {
        names: &["env", "genv"],
        options: Options {
            short: "0iu:C:S:va:P:L:U:",
            long: &[
                "ignore-environment",
                "null",
                "unset=",
                "chdir=",
                "split-string=",
                "debug",
                "argv0=",
                "block-signal=?",
                "default-signal=?",
                "ignore-signal=?",
                "list-signal-handling",
            ],
            split: &["S", "split-string"],
            folder: &["C", "chdir"],
            ..Options::NONE
        },
        form: Form::Argv { assignments: true, operands: 0 },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["command"],
        options: Options { short: "p", none: &["v", "V"], ..Options::NONE },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["exec"],
        options: Options { short: "cla:", none: &[], ..Options::NONE },
        ..Wrapper::PLAIN
    },
    Wrapper { names: &["builtin", "nocorrect", "noglob"], ..Wrapper::PLAIN },
    Wrapper { names: &["-"], ..Wrapper::PLAIN },
    Wrapper { names: &["jobs"], options: Options { short: "lnprsx", ..Options::NONE }, ..Wrapper::PLAIN },
    Wrapper { names: &["nohup", "gnohup"], ..Wrapper::PLAIN },
    Wrapper {
        names: &["direnv"],
        path: &[&["exec"]],
        form: Form::Argv { assignments: false, operands: 1 },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["dotenv", "dotenvx", "dotenv-cli"],
        before: Options { short: "e:f:p:v:qo", long: &["quiet", "file=", "export="], ..Options::NONE },
        path: &[&["run"]],
        options: Options {
            short: "e:f:p:v:co",
            long: &["override", "no-override", "env=", "env-file=", "quiet", "verbose", "debug", "overload"],
            ..Options::NONE
        },
        form: Form::Dashes { operands: 0 },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["dotenv", "dotenv-cli", "env-cmd"],
        options: Options {
            short: "e:f:p:v:cor:",
            long: &[
                "override",
                "no-override",
                "quiet",
                "verbose",
                "file=",
                "environments=",
                "rc-file=",
                "fallback",
                "no-override",
                "silent",
                "use-shell",
                "expand-envs",
            ],
            ..Options::NONE
        },
        form: Form::Dashes { operands: 0 },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["faketime"],
        options: Options {
            short: "mf:p:",
            long: &["exclude-monotonic", "date-prog="],
            none: &["h", "v", "help", "version"],
            ..Options::NONE
        },
        form: Form::Argv { assignments: false, operands: 1 },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["fakeroot", "fakeroot-ng", "pseudo"],
        options: Options {
            short: "l:s:i:ub:",
            long: &["lib=", "faked=", "unknown-is-real"],
            none: &["h", "v", "help", "version"],
            ..Options::NONE
        },
        bare_shell: true,
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["proxychains", "proxychains4", "proxychains-ng"],
        options: Options { short: "qf:", ..Options::NONE },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["torsocks", "torify", "tsocks"],
        options: Options {
            short: "u:p:a:P:id",
            long: &["user=", "pass=", "address=", "port=", "isolate", "debug", "quiet", "shell"],
            shell: &["shell"],
            ..Options::NONE
        },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["dbus-run-session", "dbus-launch"],
        options: Options {
            long: &[
                "config-file=",
                "dbus-daemon=",
                "exit-with-session",
                "sh-syntax",
                "auto-syntax",
                "binary-syntax",
            ],
            ..Options::NONE
        },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["xvfb-run"],
        options: Options {
            short: "ae:f:n:lp:s:w:",
            long: &[
                "auto-display",
                "auto-servernum",
                "error-file=",
                "auth-file=",
                "server-num=",
                "listen-tcp",
                "xauth-protocol=",
                "server-args=",
                "wait=",
            ],
            none: &["h", "help"],
            ..Options::NONE
        },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["busybox", "busybox-static", "busybox.static", "toybox"],
        options: Options { none: &["help", "list", "list-full", "install", "version"], ..Options::NONE },
        ..Wrapper::PLAIN
    },
    Wrapper {
        // The dynamic linker runs the program that it is given.
        names: &[
            "ld.so",
            "ld-linux.so.2",
            "ld-linux-x86-64.so.2",
            "ld-linux-aarch64.so.1",
            "ld-linux-armhf.so.3",
            "ld-linux.so.3",
            "ld-linux-riscv64-lp64d.so.1",
            "ld64.so.1",
            "ld64.so.2",
            "ld-musl-x86_64.so.1",
            "ld-musl-aarch64.so.1",
            "ld-musl-i386.so.1",
            "ld-musl-armhf.so.1",
        ],
        options: Options {
            long: &[
                "inhibit-cache",
                "library-path=",
                "inhibit-rpath=",
                "audit=",
                "preload=",
                "argv0=",
                "glibc-hwcaps-prepend=",
                "glibc-hwcaps-mask=",
            ],
            none: &["list", "verify", "list-tunables", "list-diagnostics", "help", "version"],
            ..Options::NONE
        },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["setarch", "linux32", "linux64", "i386", "x86_64", "uname26"],
        options: Options {
            short: "BFILRSTXZv3p:",
            long: &[
                "32bit",
                "fdpic-funcptrs",
                "short-inode",
                "addr-compat-layout",
                "addr-no-randomize",
                "whole-seconds",
                "sticky-timeouts",
                "read-implies-exec",
                "mmap-page-zero",
                "3gb",
                "4gb",
                "uname-2.6",
                "verbose",
                "pid=",
            ],
            none: &["list", "help", "version", "h", "V"],
            ..Options::NONE
        },
        bare_shell: true,
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["arch"],
        options: Options { short: "cd:e:", lenient: true, ..Options::NONE },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["caffeinate"],
        options: Options { short: "disumt:w:", ..Options::NONE },
        ..Wrapper::PLAIN
    },
];
