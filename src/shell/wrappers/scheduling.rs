//! Wrappers that decide when, for how long, with which priority or limits a command runs.

use super::{Form, Options, Wrapper};

pub(super) static TABLE: &[Wrapper] = &[
    Wrapper {
        names: &["nice", "gnice"],
        options: Options { short: "n:", long: &["adjustment="], numeric: true, ..Options::NONE },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["ionice"],
        options: Options {
            short: "c:n:tp:P:u:",
            long: &["class=", "classdata=", "ignore", "pid=", "pgid=", "uid="],
            none: &["h", "V", "help", "version"],
            ..Options::NONE
        },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["timeout", "gtimeout"],
        options: Options {
            short: "k:s:vpf",
            long: &["kill-after=", "signal=", "preserve-status", "foreground", "verbose"],
            ..Options::NONE
        },
        form: Form::Argv { assignments: false, operands: 1 },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["time", "gtime"],
        options: Options {
            short: "apvqhlf:o:",
            long: &["append", "format=", "output=", "portability", "quiet", "verbose"],
            none: &["V", "help", "version"],
            ..Options::NONE
        },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["stdbuf", "gstdbuf"],
        options: Options { short: "i:o:e:", long: &["input=", "output=", "error="], ..Options::NONE },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["setsid"],
        options: Options {
            short: "cfw",
            long: &["ctty", "fork", "wait"],
            none: &["h", "V", "help", "version"],
            ..Options::NONE
        },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["taskset"],
        options: Options {
            short: "ac",
            long: &["all-tasks", "cpu-list"],
            none: &["p", "pid", "h", "V", "help", "version"],
            ..Options::NONE
        },
        form: Form::Argv { assignments: false, operands: 1 },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["chrt"],
        options: Options {
            short: "abdefiormvRT:P:D:",
            long: &[
                "all-tasks",
                "batch",
                "deadline",
                "ext",
                "fifo",
                "idle",
                "other",
                "rr",
                "reset-on-fork",
                "verbose",
                "sched-runtime=",
                "sched-period=",
                "sched-deadline=",
            ],
            none: &["p", "pid", "m", "max", "h", "V", "help", "version"],
            ..Options::NONE
        },
        form: Form::Argv { assignments: false, operands: 1 },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["numactl"],
        options: Options {
            short: "abcli:m:N:C:P:p:w:S:f:L:o:M:t:Tu",
            long: &[
                "all",
                "balancing",
                "cpunodebind=",
                "physcpubind=",
                "interleave=",
                "weighted-interleave=",
                "membind=",
                "localalloc",
                "preferred=",
                "preferred-many=",
                "shm=",
                "file=",
                "length=",
                "offset=",
                "shmmode=",
                "huge",
                "touch",
                "dump",
                "strict",
                "shmid=",
            ],
            none: &["s", "show", "H", "hardware", "help", "version"],
            ..Options::NONE
        },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["prlimit"],
        options: Options {
            short: "c::d::e::f::i::l::m::n::q::r::s::t::u::v::x::y::o:",
            long: &[
                "core=?",
                "data=?",
                "nice=?",
                "fsize=?",
                "sigpending=?",
                "memlock=?",
                "rss=?",
                "nofile=?",
                "msgqueue=?",
                "rtprio=?",
                "stack=?",
                "cpu=?",
                "nproc=?",
                "as=?",
                "locks=?",
                "rttime=?",
                "noheadings",
                "output=",
                "raw",
                "verbose",
            ],
            none: &["p", "pid", "h", "V", "help", "version"],
            ..Options::NONE
        },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["cpulimit"],
        options: Options {
            short: "l:vzibfmp:P:e:c:q",
            long: &[
                "limit=",
                "verbose",
                "lazy",
                "include-children",
                "background",
                "foreground",
                "monitor-forks",
            ],
            none: &["h", "help"],
            ..Options::NONE
        },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["systemd-run"],
        options: Options {
            short: "GPSdqtru:p:E:H:M:",
            long: &[
                "scope",
                "unit=",
                "property=",
                "description=",
                "slice=",
                "slice-inherit",
                "expand-environment=",
                "remain-after-exit",
                "send-sighup",
                "service-type=",
                "uid=",
                "gid=",
                "nice=",
                "working-directory=",
                "same-dir",
                "setenv=",
                "pty",
                "pty-late",
                "pipe",
                "quiet",
                "shell",
                "on-active=",
                "on-boot=",
                "on-startup=",
                "on-unit-active=",
                "on-unit-inactive=",
                "on-calendar=",
                "on-clock-change",
                "on-timezone-change",
                "path-property=",
                "socket-property=",
                "timer-property=",
                "no-block",
                "wait",
                "collect",
                "user",
                "system",
                "host=",
                "machine=",
                "no-ask-password",
                "ignore-failure",
                "background=",
            ],
            none: &["h", "help", "version"],
            shell: &["S", "shell"],
            folder: &["working-directory"],
            ..Options::NONE
        },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["systemd-inhibit"],
        options: Options {
            long: &["what=", "who=", "why=", "mode=", "no-pager", "no-legend", "no-ask-password"],
            none: &["list", "h", "help", "version"],
            ..Options::NONE
        },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["flock"],
        options: Options {
            short: "c:eE:nosuxFw:v",
            long: &[
                "command=",
                "exclusive",
                "conflict-exit-code=",
                "nb",
                "nonblock",
                "close",
                "shared",
                "unlock",
                "timeout=",
                "wait=",
                "no-fork",
                "verbose",
                "fcntl",
                "start=",
                "length=",
            ],
            none: &["h", "V", "help", "version"],
            code: &["c", "command"],
            ..Options::NONE
        },
        form: Form::Argv { assignments: false, operands: 1 },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["chronic", "ifne", "errno", "ts-run"],
        options: Options { short: "env", ..Options::NONE },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["daemonize"],
        options: Options { short: "ac:e:E:o:p:l:u:v", folder: &["c"], ..Options::NONE },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["start-stop-daemon"],
        options: Options {
            short: "Sp:x:n:u:g:c:s:a:r:d:N:P:I:k:bCO:mR:toqv",
            long: &[
                "start",
                "pid=",
                "ppid=",
                "pidfile=",
                "exec=",
                "name=",
                "user=",
                "group=",
                "chuid=",
                "signal=",
                "startas=",
                "chroot=",
                "chdir=",
                "nicelevel=",
                "procsched=",
                "iosched=",
                "umask=",
                "background",
                "notify-await",
                "notify-timeout=",
                "no-close",
                "output=",
                "make-pidfile",
                "remove-pidfile",
                "retry=",
                "test",
                "oknodo",
                "quiet",
                "verbose",
            ],
            none: &["K", "stop", "T", "status", "H", "help", "V", "version"],
            program: &["x", "exec", "a", "startas"],
            folder: &["d", "chdir"],
            ..Options::NONE
        },
        form: Form::Dashes { operands: 0 },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["softlimit"],
        options: Options { short: "a:c:d:f:l:m:n:o:p:r:s:t:", ..Options::NONE },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["at", "batch"],
        options: Options { short: "V:bdlmMq:t:r", none: &["c", "l", "d", "r", "f"], ..Options::NONE },
        form: Form::CodeOnly,
        bare_shell: true,
        ..Wrapper::PLAIN
    },
];
