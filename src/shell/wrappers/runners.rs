//! Package managers and tool managers whose run commands plainly run their words.

use super::{Form, Options, Wrapper};

const DASHES: Form = Form::Dashes { operands: 0 };

pub(super) static TABLE: &[Wrapper] = &[
    Wrapper {
        names: &["npx", "bunx", "pnpx"],
        options: Options {
            short: "yqp:c:w:",
            long: &[
                "yes",
                "no",
                "quiet",
                "package=",
                "call=",
                "workspace=",
                "workspaces",
                "no-install",
                "ignore-existing",
                "prefer-offline",
                "prefer-online",
                "offline",
                "shell=",
                "cache=",
                "userconfig=",
                "bun",
                "silent",
                "include-workspace-root",
            ],
            none: &["help", "version", "h", "v"],
            code: &["c", "call"],
            ..Options::NONE
        },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["npm"],
        before: NPM_OPTIONS,
        path: &[&["exec", "x"]],
        options: NPM_OPTIONS,
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["pnpm"],
        before: PNPM_OPTIONS,
        path: &[&["exec", "dlx"]],
        options: PNPM_OPTIONS,
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["yarn"],
        before: Options { long: &["cwd=", "silent"], short: "s", ..Options::NONE },
        path: &[&["exec", "dlx"]],
        options: Options { short: "p:q", long: &["package=", "quiet"], ..Options::NONE },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["yarn"],
        path: &[&["workspace"]],
        form: Form::Argv { assignments: false, operands: 1 },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["poetry", "pdm", "rye", "hatch", "pipenv", "pixi"],
        before: Options {
            short: "nqvC:P:p:e:",
            long: &[
                "quiet",
                "verbose",
                "no-interaction",
                "directory=",
                "project=",
                "no-plugins",
                "no-cache",
                "ansi",
                "no-ansi",
                "env=",
            ],
            folder: &["C", "directory"],
            ..Options::NONE
        },
        path: &[&["run"]],
        options: Options {
            short: "vqse:p:",
            long: &["env=", "project=", "verbose", "frozen"],
            ..Options::NONE
        },
        ..Wrapper::PLAIN
    },
    Wrapper { names: &["uv"], before: UV_OPTIONS, path: &[&["run"]], options: UV_OPTIONS, ..Wrapper::PLAIN },
    Wrapper {
        names: &["uv"],
        before: UV_OPTIONS,
        path: &[&["tool"], &["run"]],
        options: UV_OPTIONS,
        ..Wrapper::PLAIN
    },
    Wrapper { names: &["uvx"], options: UV_OPTIONS, ..Wrapper::PLAIN },
    Wrapper {
        names: &["pipx"],
        path: &[&["run"]],
        options: Options { long: &["spec=", "no-cache", "python=", "pip-args=", "verbose"], ..Options::NONE },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["bundle", "bundler"],
        before: Options { long: &["no-color", "verbose", "retry="], short: "Vr:", ..Options::NONE },
        path: &[&["exec"]],
        options: Options { long: &["keep-file-descriptors", "gemfile="], ..Options::NONE },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["rbenv", "pyenv", "nodenv", "asdf", "opam", "stack", "cabal"],
        path: &[&["exec"]],
        options: Options {
            long: &["switch=", "package=", "cwd=", "plain", "no-ghc-package-path"],
            ..Options::NONE
        },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["rustup"],
        before: Options { short: "vq", long: &["verbose", "quiet"], ..Options::NONE },
        path: &[&["run"]],
        options: Options { long: &["install"], ..Options::NONE },
        form: Form::Argv { assignments: false, operands: 1 },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["volta", "fnm"],
        before: Options {
            long: &["node-dist-mirror=", "fnm-dir=", "log-level=", "arch=", "verbose", "quiet"],
            ..Options::NONE
        },
        path: &[&["run", "exec"]],
        options: Options {
            long: &[
                "using=",
                "using-file",
                "node=",
                "npm=",
                "pnpm=",
                "yarn=",
                "env=",
                "bundled-npm",
                "no-pnpm",
                "no-yarn",
                "verbose",
                "quiet",
            ],
            ..Options::NONE
        },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["mise", "rtx"],
        path: &[&["exec", "x"]],
        options: Options {
            short: "c:C:j:qvy",
            long: &["command=", "cd=", "jobs=", "raw"],
            code: &["c", "command"],
            folder: &["C", "cd"],
            ..Options::NONE
        },
        form: Form::OnlyDashes,
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["conda", "mamba", "micromamba"],
        path: &[&["run"]],
        options: Options {
            short: "n:p:v",
            long: &[
                "name=",
                "prefix=",
                "cwd=",
                "no-capture-output",
                "live-stream",
                "verbose",
                "dev",
                "debug-wrapper-scripts",
            ],
            ..Options::NONE
        },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["nix"],
        before: NIX_OPTIONS,
        path: &[&["develop", "shell", "env"]],
        options: NIX_OPTIONS,
        // `-c` and `--command` are left unlisted: what follows them is the command, up to the end.
        form: Form::OnlyDashes,
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["nix-shell"],
        options: Options {
            short: "p:A:E:I:j:kKQv",
            long: &["run=", "command=", "pure", "packages=", "attr=", "expr=", "keep="],
            code: &["run", "command"],
            ..Options::NONE
        },
        form: Form::CodeOnly,
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["op", "doppler", "infisical", "chamber", "envchain", "summon", "aws-vault", "teller"],
        path: &[&["run", "exec"]],
        options: Options { long: &["command="], code: &["command"], lenient: true, ..Options::NONE },
        form: Form::OnlyDashes,
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["sops"],
        path: &[&["exec-env", "exec-file"]],
        options: Options {
            long: &["user=", "filename=", "background", "no-fifo", "pristine", "same-process"],
            ..Options::NONE
        },
        form: Form::Joined { operands: 1 },
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["cargo"],
        before: Options { short: "qv", long: &["quiet", "verbose", "offline", "locked"], ..Options::NONE },
        path: &[&["watch"]],
        options: Options {
            short: "cd:i:qs:w:x:NBLC:E:",
            long: &[
                "clear",
                "delay=",
                "exec=",
                "shell=",
                "ignore=",
                "watch=",
                "workdir=",
                "quiet",
                "postpone",
                "poll",
                "why",
                "no-gitignore",
                "no-ignore",
                "no-restart",
                "features=",
                "use-shell=",
                "env=",
            ],
            code: &["s", "shell"],
            ..Options::NONE
        },
        form: DASHES,
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["nodemon"],
        options: Options {
            short: "x:e:w:i:qVLCd:",
            long: &[
                "exec=",
                "ext=",
                "watch=",
                "ignore=",
                "quiet",
                "verbose",
                "delay=",
                "signal=",
                "config=",
                "legacy-watch",
            ],
            code: &["x", "exec"],
            ..Options::NONE
        },
        form: Form::CodeOnly,
        ..Wrapper::PLAIN
    },
    Wrapper { names: &["cross-env"], form: Form::Argv { assignments: true, operands: 0 }, ..Wrapper::PLAIN },
    Wrapper { names: &["cross-env-shell"], form: Form::Joined { operands: 0 }, ..Wrapper::PLAIN },
    Wrapper {
        names: &["git"],
        before: GIT_OPTIONS,
        path: &[&["submodule"], &["foreach"]],
        options: Options { short: "q", long: &["recursive", "quiet"], ..Options::NONE },
        form: Form::Joined { operands: 0 },
        ..Wrapper::PLAIN
    },
    Wrapper { names: &["git"], before: GIT_OPTIONS, path: &[&["bisect"], &["run"]], ..Wrapper::PLAIN },
    Wrapper {
        names: &["git"],
        before: GIT_OPTIONS,
        path: &[&["rebase"]],
        options: Options {
            short: "x:i",
            long: &["exec=", "interactive", "autosquash", "autostash"],
            code: &["x", "exec"],
            lenient: true,
            ..Options::NONE
        },
        form: Form::CodeOnly,
        ..Wrapper::PLAIN
    },
    Wrapper {
        names: &["git"],
        before: GIT_OPTIONS,
        path: &[&["filter-branch", "difftool"]],
        options: Options {
            short: "fx:d:yt:g",
            long: FILTERS,
            code: &[
                "x",
                "extcmd",
                "setup",
                "env-filter",
                "tree-filter",
                "index-filter",
                "parent-filter",
                "msg-filter",
                "commit-filter",
                "tag-name-filter",
            ],
            lenient: true,
            ..Options::NONE
        },
        form: Form::CodeOnly,
        ..Wrapper::PLAIN
    },
];

const GIT_OPTIONS: Options = Options {
    short: "pPC:c:",
    long: &["git-dir=", "work-tree=", "namespace=", "no-pager", "paginate", "bare", "exec-path=?"],
    ..Options::NONE
};

/// Options of `git filter-branch` and `git difftool` that take a command line.
const FILTERS: &[&str] = &[
    "extcmd=",
    "setup=",
    "env-filter=",
    "tree-filter=",
    "index-filter=",
    "parent-filter=",
    "msg-filter=",
    "commit-filter=",
    "tag-name-filter=",
];

const NIX_OPTIONS: Options = Options {
    short: "iLvk:u:",
    long: &[
        "impure",
        "offline",
        "refresh",
        "ignore-environment",
        "keep=",
        "print-build-logs",
        "verbose",
        "quiet",
        "extra-experimental-features=",
        "experimental-features=",
        "no-write-lock-file",
        "accept-flake-config",
        "option==",
        "override-input==",
    ],
    ..Options::NONE
};

const NPM_OPTIONS: Options = Options {
    short: "yc:w:sqdp:",
    long: &[
        "yes",
        "call=",
        "package=",
        "workspace=",
        "workspaces",
        "prefix=",
        "silent",
        "quiet",
        "include-workspace-root",
        "offline",
        "prefer-offline",
        "loglevel=",
        "registry=",
        "cache=",
    ],
    code: &["c", "call"],
    ..Options::NONE
};

const PNPM_OPTIONS: Options = Options {
    short: "rwC:F:s",
    long: &[
        "recursive",
        "filter=",
        "dir=",
        "workspace-root",
        "parallel",
        "package=",
        "silent",
        "no-reporter-hide-prefix",
        "resume-from=",
        "report-summary",
        "workspace-concurrency=",
        "reporter=",
        "bail",
        "no-bail",
    ],
    folder: &["C", "dir"],
    ..Options::NONE
};

const UV_OPTIONS: Options = Options {
    short: "mp:qvnw:C:UP:i:f:s",
    long: &[
        "extra=",
        "all-extras",
        "no-extra=",
        "group=",
        "no-group=",
        "only-group=",
        "all-groups",
        "no-dev",
        "only-dev",
        "dev",
        "no-editable",
        "env-file=",
        "no-env-file",
        "with=",
        "with-editable=",
        "with-requirements=",
        "isolated",
        "active",
        "no-sync",
        "locked",
        "frozen",
        "package=",
        "all-packages",
        "no-project",
        "directory=",
        "project=",
        "config-file=",
        "no-config",
        "python=",
        "quiet",
        "verbose",
        "offline",
        "no-cache",
        "cache-dir=",
        "index-url=",
        "extra-index-url=",
        "index=",
        "default-index=",
        "find-links=",
        "no-index",
        "upgrade",
        "upgrade-package=",
        "refresh",
        "from=",
        "exact",
        "no-progress",
        "native-tls",
        "module",
        "script",
        "gui-script",
        "python-platform=",
        "config-setting=",
        "reinstall",
        "reinstall-package=",
        "resolution=",
        "prerelease=",
        "exclude-newer=",
        "link-mode=",
        "no-build",
        "no-binary",
        "color=",
        "managed-python",
        "no-managed-python",
        "no-python-downloads",
    ],
    none: &["help", "version", "h", "V"],
    folder: &["directory"],
    ..Options::NONE
};
