//! Wrappers that watch a command while it runs.

use super::{Form, Options, Wrapper};

pub(super) static TABLE: &[Wrapper] = &[
    Wrapper {
        names: &["strace"],
        options: Options {
            short: "a:A:b:cCdDe:E:fFhI:iknNo:O:p:P:qrs:S:tTu:U:vVwxX:yYzZ",
            long: &[
                "argv0=",
                "columns=",
                "summary-only",
                "summary",
                "summary-sort-by=",
                "summary-columns=",
                "follow-forks",
                "output-separately",
                "interruptible=",
                "env=",
                "string-limit=",
                "output=",
                "output-append-mode",
                "trace=",
                "trace-path=",
                "abbrev=",
                "verbose=",
                "raw=",
                "signal=",
                "status=",
                "quiet=",
                "read=",
                "write=",
                "fault=",
                "inject=",
                "kvm=",
                "user=",
                "strings-in-hex=?",
                "const-print-style=",
                "decode-fds=?",
                "decode-pids=",
                "relative-timestamps=?",
                "absolute-timestamps=?",
                "syscall-times=?",
                "syscall-number",
                "instruction-pointer",
                "stack-trace=?",
                "debug",
                "seccomp-bpf",
                "tips=?",
                "no-abbrev",
                "daemonize=?",
                "failed-only",
                "successful-only",
            ],
            none: &["h", "V", "help", "version"],
            ..Options::NONE
        },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["ltrace"],
        options: Options {
            short: "a:A:bcCD:e:fF:hil:L:n:o:p:rs:StTu:Vw:x:",
            long: &[
                "align=",
                "config=",
                "debug=",
                "demangle",
                "indent=",
                "library=",
                "no-signals",
                "output=",
                "where=",
            ],
            none: &["h", "V", "help", "version"],
            ..Options::NONE
        },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["perf"],
        path: &[&["stat", "record", "trace"]],
        options: Options {
            short: "aABbcC:de:F:gG:i:I:j:kKlM:nNo:p:qr:sSt:Tu:vW:x:z",
            long: &[
                "event=",
                "filter=",
                "freq=",
                "call-graph=",
                "output=",
                "all-cpus",
                "cpu=",
                "repeat=",
                "delay=",
                "quiet",
                "verbose",
                "no-inherit",
                "detailed",
                "per-core",
                "per-socket",
                "per-thread",
                "no-aggr",
                "append",
                "field-separator=",
                "interval-print=",
                "timeout=",
                "null",
                "big-num",
                "topdown",
                "summary",
                "post=",
                "pre=",
                "strict-freq",
                "switch-events",
                "period",
                "timestamp",
                "stat",
                "count=",
                "pid=",
                "tid=",
                "user=",
            ],
            code: &["post", "pre"],
            ..Options::NONE
        },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["valgrind"],
        options: Options { short: "qvdh", lenient: true, ..Options::NONE },
        ..Wrapper::PLAIN
    },
    Wrapper { names: &["catchsegv", "heaptrack", "eatmydata"], ..Wrapper::PLAIN },
    Wrapper {
        names: &["gdb", "lldb", "cgdb"],
        // Its options are many and long with one dash; what is not listed has no value.
        options: Options {
            lenient: true,
            single_dash: true,
            short: "qx:",
            long: &["args", "batch", "ex=", "command="],
            ..Options::NONE
        },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["rr"],
        path: &[&["record"]],
        options: Options { short: "nhuwc:v:S", lenient: true, ..Options::NONE },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["dtruss", "bpftrace", "uftrace"],
        options: Options { lenient: true, short: "c:e:p:", code: &["c"], ..Options::NONE },
        form: Form::CodeOnly,
        ..Wrapper::PLAIN
    },
];
