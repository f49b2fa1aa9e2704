//! What setting a variable does to commands behind it, and which variables may not be shown.
//!
//! Promises that a variable that makes programs run others, or load code, is never harmless. Knows nothing of programs.

use super::findings::Findings;
use super::objects::shown;
use super::tool_variables;
use super::values::Values;
use super::weakened;
use crate::gate::Outcome;
use crate::shell::env_leak::{is_secret_name, puts_in_value};
use crate::shell::tree::{AssignedValue, Assignment, ExpansionKind, Part, Word};

/// Variables whose value is a program that others run, or code or a library that they load.
const RUN: &[&str] = &[
    "BASH_ENV",
    "ENV",
    "SHELL",
    "PROMPT_COMMAND",
    "PS0",
    "PS1",
    "PS2",
    "PS4",
    "EDITOR",
    "VISUAL",
    "PAGER",
    "MANPAGER",
    "LESSOPEN",
    "LESSCLOSE",
    "BROWSER",
    "BAT_PAGER",
    "DELTA_PAGER",
    "SYSTEMD_PAGER",
    "PSQL_PAGER",
    "NODE_OPTIONS",
    "NODE_PATH",
    "PYTHONPATH",
    "PYTHONSTARTUP",
    "PYTHONHOME",
    "PYTHONINSPECT",
    "PYTHONUSERBASE",
    "PERL5LIB",
    "PERL5OPT",
    "PERL5DB",
    "PERLLIB",
    "RUBYLIB",
    "RUBYOPT",
    "JAVA_TOOL_OPTIONS",
    "_JAVA_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "JAVA_OPTS",
    "MAVEN_OPTS",
    "GRADLE_OPTS",
    "CLASSPATH",
    "PHPRC",
    "PHP_INI_SCAN_DIR",
    "LUA_INIT",
    "LUA_PATH",
    "LUA_CPATH",
    "GEM_PATH",
    "GEM_HOME",
    "BUNDLE_GEMFILE",
    "RUSTC",
    "RUSTC_WRAPPER",
    "RUSTC_WORKSPACE_WRAPPER",
    "RUSTDOC",
    "RUSTFLAGS",
    "CARGO_ENCODED_RUSTFLAGS",
    "RUSTDOCFLAGS",
    "GOFLAGS",
    "GOTOOLDIR",
    "CC",
    "CXX",
    "CPP",
    "LD",
    "AR",
    "AS",
    "MAKEFLAGS",
    "MAKEFILES",
    "GNUMAKEFLAGS",
    "SSH_ASKPASS",
    "SUDO_ASKPASS",
    "SUDO_EDITOR",
    "RSYNC_RSH",
    "CVS_RSH",
    "SVN_SSH",
    "HGRCPATH",
    "HGEDITOR",
    "TAR_OPTIONS",
    "XZ_OPT",
    "GCONV_PATH",
    "GLIBC_TUNABLES",
    "LOCPATH",
    "NLSPATH",
    "CDPATH",
    "GLOBIGNORE",
    "BASHOPTS",
    "SHELLOPTS",
    "BASH_LOADABLES_PATH",
    "INPUTRC",
    "TERMINFO",
    "WGETRC",
    "CURL_HOME",
    "EXINIT",
    "VIMINIT",
    "GVIMINIT",
    "FZF_DEFAULT_COMMAND",
    "RIPGREP_CONFIG_PATH",
    "NPM_CONFIG_SCRIPT_SHELL",
    "ELECTRON_RUN_AS_NODE",
    "DOTNET_STARTUP_HOOKS",
    "CORECLR_PROFILER_PATH",
    "OPENSSL_CONF",
    "OPENSSL_ENGINES",
    "KRB5_CONFIG",
    "AWS_CONFIG_FILE",
    "KUBE_EDITOR",
    "KUBERNETES_EXEC_INFO",
    "DOCKER_HOST",
    "DOCKER_CONTEXT",
    "PROMPT",
    "RPROMPT",
    "ZDOTDIR",
    "FPATH",
    "CMAKE_C_COMPILER",
    "CMAKE_TOOLCHAIN_FILE",
    "CONFIG_SHELL",
    "EMACSLOADPATH",
];
/// Starts of names that belong to them.
const RUN_STARTS: &[&str] =
    &["LD_", "DYLD_", "BASH_FUNC_", "GIT_", "CARGO_TARGET_", "npm_config_", "NPM_CONFIG_", "PIP_", "UV_"];
/// Names that start like them and are harmless.
const HARMLESS: &[&str] = &[
    "GIT_AUTHOR_NAME",
    "GIT_AUTHOR_EMAIL",
    "GIT_AUTHOR_DATE",
    "GIT_COMMITTER_NAME",
    "GIT_COMMITTER_EMAIL",
    "GIT_COMMITTER_DATE",
    "GIT_TERMINAL_PROMPT",
    "GIT_OPTIONAL_LOCKS",
    "GIT_MERGE_AUTOEDIT",
    "GIT_LFS_SKIP_SMUDGE",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
    "GIT_CEILING_DIRECTORIES",
    "GIT_CURL_VERBOSE",
    "GIT_FLUSH",
    "PIP_DISABLE_PIP_VERSION_CHECK",
    "PIP_NO_CACHE_DIR",
    "PIP_NO_INPUT",
    "PIP_PROGRESS_BAR",
    "PIP_QUIET",
    "UV_NO_PROGRESS",
    "UV_OFFLINE",
    "UV_FROZEN",
    "UV_LOCKED",
    "UV_SYSTEM_PYTHON",
    "npm_config_loglevel",
    "NPM_CONFIG_LOGLEVEL",
    "npm_config_yes",
    "npm_config_fund",
    "npm_config_audit",
    "NPM_CONFIG_FUND",
    "NPM_CONFIG_AUDIT",
    "NPM_CONFIG_YES",
    "npm_config_progress",
    "NPM_CONFIG_PROGRESS",
    "npm_config_update_notifier",
    "NPM_CONFIG_UPDATE_NOTIFIER",
];
/// Values that make a pager or an editor do nothing.
const NO_PROGRAMS: &[&str] = &["", "cat", "true", ":", "less", "more", "vim", "vi", "nano"];
/// Variables that name a program which is shown text, or asked for one: harmless with [`NO_PROGRAMS`].
const VIEWERS: &[&str] = &[
    "PAGER",
    "GIT_PAGER",
    "MANPAGER",
    "EDITOR",
    "VISUAL",
    "GIT_EDITOR",
    "GIT_SEQUENCE_EDITOR",
    "SYSTEMD_PAGER",
    "PSQL_PAGER",
    "BAT_PAGER",
    "DELTA_PAGER",
    "AWS_PAGER",
    "GH_PAGER",
    "KUBE_EDITOR",
    "BROWSER",
];
/// Variables whose value says where programs go, whom they trust or where their settings lie.
const REROUTES: &[&str] = &[
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "GOPROXY",
    "GOSUMDB",
    "GONOSUMDB",
    "GOINSECURE",
    "NODE_TLS_REJECT_UNAUTHORIZED",
    "PYTHONHTTPSVERIFY",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
    "NODE_EXTRA_CA_CERTS",
    "AWS_ENDPOINT_URL",
    "KUBECONFIG",
    "HELM_KUBEAPISERVER",
    "CARGO_HOME",
    "RUSTUP_HOME",
    "RUSTUP_DIST_SERVER",
    "HOMEBREW_BOTTLE_DOMAIN",
    "HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_DIRS",
    "XDG_CONFIG_DIRS",
    "CARGO_REGISTRIES_CRATES_IO_PROTOCOL",
];

/// Flags that change how something is built, checked or limited and nothing else, as starts of the words of a value.
const FLAGS: &[(&str, &[&str])] = &[
    (
        "NODE_OPTIONS",
        &[
            "--max-old-space-size=",
            "--max_old_space_size=",
            "--no-warnings",
            "--experimental-vm-modules",
            "--enable-source-maps",
            "--trace-warnings",
            "--trace-deprecation",
            "--no-deprecation",
            "--openssl-legacy-provider",
            "--unhandled-rejections=",
            "--stack-trace-limit=",
        ],
    ),
    ("RUSTFLAGS", RUST),
    ("RUSTDOCFLAGS", RUST),
    (
        "GOFLAGS",
        &["-mod=mod", "-mod=vendor", "-mod=readonly", "-count=", "-race", "-v", "-tags=", "-trimpath"],
    ),
    ("MAKEFLAGS", &["-j", "-k", "-s", "--no-print-directory"]),
    ("CC", &["gcc", "clang", "cc"]),
    ("CXX", &["g++", "clang++", "c++"]),
    ("RUBYOPT", &["-W", "-w"]),
    ("MAVEN_OPTS", &["-Xmx", "-Xms", "-XX:MaxMetaspaceSize="]),
    ("JAVA_OPTS", &["-Xmx", "-Xms", "-XX:MaxMetaspaceSize="]),
    ("JAVA_TOOL_OPTIONS", &["-Xmx", "-Xms", "-XX:MaxMetaspaceSize="]),
    ("GRADLE_OPTS", &["-Xmx", "-Xms", "-Dorg.gradle.daemon=", "-Dorg.gradle.jvmargs=-Xmx"]),
    ("GOPROXY", &["off"]),
    ("GOWORK", &["off"]),
    ("GOTOOLCHAIN", &["local", "auto", "go1."]),
    ("SHELL", &["/bin/bash", "/bin/sh"]),
    ("PYTHONSTARTUP", &[]),
    (
        "PYTEST_ADDOPTS",
        &[
            "-q",
            "-v",
            "-x",
            "-s",
            "-n",
            "-k",
            "--tb=",
            "--maxfail",
            "--color=",
            "--durations=",
            "--no-header",
        ],
    ),
    ("PYTHONWARNINGS", &["ignore", "error", "default", "always", "once", "module"]),
    ("ASAN_OPTIONS", &["detect_", "abort_", "halt_", "symbolize=", "verbosity="]),
    ("UBSAN_OPTIONS", &["print_", "halt_", "abort_", "symbolize="]),
    ("TSAN_OPTIONS", &["halt_", "second_deadlock", "history_size", "report_"]),
    ("LSAN_OPTIONS", &["report_", "verbosity=", "exitcode="]),
    ("MAVEN_ARGS", &["-B", "-q", "-ntp", "-T", "--no-transfer-progress", "--batch-mode"]),
    ("SBT_OPTS", &["-Xmx", "-Xms", "-Xss"]),
    ("TF_CLI_ARGS", &["-no-color", "-input=false"]),
    ("TF_CLI_ARGS_plan", &["-no-color", "-input=false", "-lock=false"]),
    ("LESS", &["-R", "-F", "-X", "-S", "-i", "FRX", "-FRX", "-FX"]),
    ("VIRTUAL_ENV", &[".venv", "venv"]),
];
const RUST: &[&str] = &[
    "-D",
    "-W",
    "-A",
    "warnings",
    "opt-level=",
    "target-cpu=",
    "debuginfo=",
    "-Copt-level=",
    "-Ctarget-cpu=",
    "-Cdebuginfo=",
    "--cfg=",
    "-Cinstrument-coverage",
];
/// Variables whose value is a list of folders: harmless where all of them are of the project.
const FOLDERS: &[&str] = &[
    "PYTHONPATH",
    "NODE_PATH",
    "PERL5LIB",
    "RUBYLIB",
    "CLASSPATH",
    "CARGO_TARGET_DIR",
    "BUNDLE_GEMFILE",
    "LUA_PATH",
];

/// Whether a value makes a variable that could run code harmless.
fn is_harmless_value(name: &str, value: &str) -> bool {
    if FOLDERS.contains(&name) {
        return value.split(':').all(|folder| {
            let parent = folder.split('/').any(|part| part == "..");
            !folder.starts_with(['/', '~', '\0']) && !parent
        });
    }
    let flags = FLAGS.iter().find(|(flag, _)| *flag == name).map(|(_, starts)| *starts);
    flags.is_some_and(|starts| {
        value.split_whitespace().all(|word| starts.iter().any(|start| word.starts_with(start)))
            && !value.contains(['/', '\0'])
            || starts.contains(&value)
    })
}

/// Adds what assignments do to the command behind them, or to those that follow.
pub(super) fn add(assignments: &[Assignment], in_front: bool, values: &Values, findings: &mut Findings) {
    for assignment in assignments {
        let value = match &assignment.value {
            AssignedValue::Scalar(Some(word)) => Some(values.argument(word).text),
            AssignedValue::Scalar(None) => Some(String::new()),
            AssignedValue::Array(_) => None,
        };
        set(&assignment.name, value.as_deref(), in_front, findings);
    }
}

/// Whether a variable of the environment, of which nobody knows what it is for, leads programs out of the project.
fn leads_elsewhere(name: &str, value: Option<&str>) -> bool {
    // What is written there is lost with the machine, or says how something looks.
    const HARMLESS: [&str; 14] = [
        "TMPDIR",
        "TMP",
        "TEMP",
        "TZ",
        "TERM",
        "LANG",
        "SHELL",
        "PATH",
        "MANPATH",
        "PWD",
        "EDITOR",
        "PAGER",
        "VISUAL",
        "LS_COLORS",
    ];
    let named = name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
    let Some(value) = value.filter(|_| named && !name.starts_with("LC_")) else { return false };
    let temporary = value == "/tmp" || value.starts_with("/tmp/") || value.starts_with('\0');
    if HARMLESS.contains(&name) && (temporary || !value.contains('/')) || is_harmless_value(name, value) {
        return false;
    }
    let address = value.split_once("://").is_some();
    let path =
        value.starts_with(['/', '~']) || value.starts_with("./") || value.split('/').any(|part| part == "..");
    let names = ["_OPT", "_OPTS", "_FLAGS", "_ARGS", "_INIT"].iter().any(|end| name.ends_with(end))
        || name.contains("_INIT_");
    if names && !value.is_empty() {
        return true;
    }
    let command = value.contains(' ')
        && ["sh ", "bash ", "python", "node ", "curl ", "exec", "os."]
            .iter()
            .any(|start| value.starts_with(start));
    let host = value.rsplit_once(':').is_some_and(|(host, port)| {
        host.contains('.')
            && !host.contains(['/', ' ', ','])
            && !port.is_empty()
            && port.bytes().all(|byte| byte.is_ascii_digit())
            && !host.starts_with("127.")
    });
    !address && path && value != "/dev/null" || command || host
}

/// Adds what setting one variable does; the value where it is one text. With `handed_on`, programs get it.
pub(crate) fn set(name: &str, value: Option<&str>, handed_on: bool, findings: &mut Findings) {
    if name == "HISTCONTROL"
        && value.is_some_and(|value| value.contains("ignorespace") && value != "ignorespace")
    {
        findings.not_assessed(|| "Setting HISTCONTROL decides what is kept of what is done.".to_owned());
    }
    if name == "HISTFILE" || name == "HISTSIZE" || name == "HISTFILESIZE" || name == "HISTCONTROL" {
        let none = value.is_some_and(|value| matches!(value, "" | "0" | "/dev/null"));
        if none {
            findings.add(Outcome::Attack, || {
                format!("Setting {name} keeps what is done out of the shell's history.")
            });
        }
    }
    if name == "HISTIGNORE" && value.is_none_or(|value| value.contains('*')) {
        findings.add(Outcome::Attack, || {
            "Setting HISTIGNORE keeps what is done out of the shell's history.".to_owned()
        });
    }
    if let Some(what) = weakened::variable(name, value) {
        findings.not_assessed(|| format!("Setting {} {what}.", shown(name)));
    }
    let harmless = value.is_some_and(|value| is_harmless_value(name, value));
    let viewer =
        harmless || VIEWERS.contains(&name) && value.is_some_and(|value| NO_PROGRAMS.contains(&value));
    if viewer {
        findings.add(Outcome::Safe, || format!("It sets {}.", shown(name)));
    } else if name == "PATH" {
        path(value.unwrap_or("\0"), findings);
    } else if (RUN.contains(&name) || RUN_STARTS.iter().any(|start| name.starts_with(start)))
        && !HARMLESS.contains(&name)
    {
        findings.add(Outcome::Destructive, || {
            format!("Setting {} decides which code programs load or run.", shown(name))
        });
    } else if tool_variables::decides(name)
        || value.is_some_and(|value| tool_variables::leads_outside(name, value))
        || tool_variables::COMPILERS.contains(&name) && value.is_none_or(tool_variables::loads_code)
    {
        findings.add(Outcome::Destructive, || {
            format!("Setting {} decides which programs, settings or hosts a tool uses.", shown(name))
        });
    } else if REROUTES.contains(&name)
        || !name.chars().any(char::is_lowercase) && value.is_some_and(tool_variables::names_another_host)
    {
        findings.add(Outcome::Destructive, || {
            format!("Setting {} decides where programs go or whom they trust.", shown(name))
        });
    } else if handed_on && leads_elsewhere(name, value) {
        findings
            .not_assessed(|| format!("What the variable {} leads programs to is not known.", shown(name)));
    } else {
        findings.add(Outcome::Safe, || format!("It sets {}.", shown(name)));
    }
}

/// Folders of the project's own tools behind or in front of the known ones change little; any other folder can hold anything.
fn path(value: &str, findings: &mut Findings) {
    const OWN: [&str; 10] = [
        "node_modules/.bin",
        ".venv/bin",
        "venv/bin",
        "vendor/bin",
        "$PATH",
        "/usr/bin",
        "/bin",
        "/usr/local/bin",
        "/usr/sbin",
        "/sbin",
    ];
    let known = value.split(':').all(|folder| {
        let own = folder.trim_start_matches("./");
        folder == "\0"
            || OWN.contains(&own)
            || folder.strip_prefix("\0/").is_some_and(|rest| OWN.contains(&rest))
    });
    if known && value.contains(':') {
        findings.add(Outcome::Safe, || "It adds the project's own tools to PATH.".to_owned());
    } else {
        findings.add(Outcome::Destructive, || {
            "Setting PATH decides which programs later commands run.".to_owned()
        });
    }
}

/// The first variable of the environment with a secret in it that a word shows.
pub(super) fn secret_in(word: &Word, values: &Values) -> Option<String> {
    word.parts.iter().find_map(|part| match part {
        Part::Text { .. } => None,
        Part::Expansion(expansion) if expansion.kind == ExpansionKind::Parameter => {
            let name = expansion.parameter.as_deref()?;
            let secret = values.holds_secret(name) && puts_in_value(expansion);
            secret.then(|| name.to_owned())
        }
        Part::Expansion(_) => None,
    })
}

/// Whether a word shows the value of a variable whose name is in another one: `${!name}`.
pub(super) fn is_indirect(word: &Word) -> bool {
    word.parts.iter().any(|part| match part {
        Part::Text { .. } => false,
        Part::Expansion(expansion) => expansion.raw.starts_with("${!") && puts_in_value(expansion),
    })
}

/// Whether a name is that of a variable of the environment with a secret in it.
pub(crate) fn is_environment_secret(name: &str) -> bool {
    !name.chars().any(|letter| letter.is_ascii_lowercase()) && is_secret_name(name)
}
