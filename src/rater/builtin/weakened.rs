//! What switches off a check, speaks for somebody else, shows what is better not shown, or takes away traces, where the words
//! of a command or a variable in front of it say so.
//!
//! Promises never to make a judgement milder. Knows nothing of entries.

use super::call::Call;
use super::findings::Findings;
use super::objects::shown;
use super::showing;
use super::variables::is_environment_secret;
use crate::rater::knowledge::Verb;
use crate::shell::Segment;
use crate::shell::hardline::Argument;
use crate::shell::word::base_name;

/// Parts of names of variables that say that something is not verified, whatever the tool.
const UNVERIFIED: &[&str] = &[
    "STRICT_SSL",
    "SSL_VERIFY",
    "TLS_VERIFY",
    "VERIFY_SSL",
    "VERIFY_TLS",
    "SKIP_HOOKS",
    "SKIP_GIT_HOOKS",
    "NO_VERIFY",
    "CHECKSUM_BEHAVIOR",
    "NOSUMCHECK",
    "ALLOW_NO_CONFIG",
    "LEFTHOOK_EXCLUDE",
];
/// Options that switch off a check, by program and subcommand (an empty one: any), each the start of a word.
const UNCHECKED: &[(&str, &str, &str)] = &[
    ("git", "merge", "--no-verify-signatures"),
    ("git", "pull", "--no-verify-signatures"),
    ("git", "cherry-pick", "--no-gpg-sign"),
    ("git", "revert", "--no-gpg-sign"),
    ("git", "rebase", "--no-gpg-sign"),
    ("git", "merge", "--no-gpg-sign"),
    ("mvn", "", "-Dmaven.wagon.http.ssl"),
    ("mvn", "", "-C"),
    ("mvn", "", "--lax-checksums"),
    ("gradle", "", "--dependency-verification"),
    ("gradle", "", "-F"),
    ("gradlew", "", "--dependency-verification"),
    ("gradlew", "", "-F"),
];
/// Options that show what goes over the wire, logins among it.
const ON_THE_WIRE: &[(&str, &str, &str)] = &[
    ("aws", "", "--debug"),
    ("az", "", "--debug"),
    ("gcloud", "", "--log-http"),
    ("gsutil", "", "-D"),
    ("gsutil", "", "-DD"),
    ("gh", "api", "--verbose"),
];
/// What an edit puts into code or settings to switch off a protection.
const PROTECTIONS_OFF: &[&str] = &[
    "InsecureSkipVerify: true",
    "InsecureSkipVerify:true",
    "rejectUnauthorized: false",
    "rejectUnauthorized:false",
    "verify=False",
    "verify = False",
    "strict-ssl=false",
    "strictSSL: false",
    "csrf_exempt",
    "# nosec",
    "nosemgrep",
    "gitleaks:allow",
    "ALLOWED_HOSTS = ['*']",
    "ALLOWED_HOSTS = [\"*\"]",
    "NODE_TLS_REJECT_UNAUTHORIZED",
    "StrictHostKeyChecking no",
    "privileged: true",
    "privileged=true",
    "runAsNonRoot: false",
    "runAsNonRoot=false",
    "allowPrivilegeEscalation: true",
    "USER root",
    "0.0.0.0/0",
    "public-read",
    "encrypted = false",
    "prevent_destroy = false",
    "deletion_protection = false",
    "publicly_accessible = true",
    "httpOnly: false",
    "auth: false",
];
/// Words that secrets go by, where they stand alone in a pattern.
const SECRETS: &[&str] = &[
    "pass",
    "passw",
    "authorization",
    "authorization: bearer",
    "password",
    "passwd",
    "passphrase",
    "secret",
    "secrets",
    "token",
    "tokens",
    "api_key",
    "apikey",
    "api-key",
    "credential",
    "credentials",
    "private_key",
    "bearer",
];

/// Adds what the words of a command say.
pub(super) fn add(call: &Call<'_>, findings: &mut Findings) {
    options(call, findings);
    somebody_else(call, findings);
    memory_and_settings(call, findings);
    own_servers(call, findings);
    keys_searched(call, findings);
    edits(call, findings);
    tested_in_production(call, findings);
}

/// What setting a variable weakens or shows, to complete the sentence "Setting X … .".
pub(super) fn variable(name: &str, value: Option<&str>) -> Option<&'static str> {
    let upper = name.to_ascii_uppercase();
    let on = value.is_none_or(|value| !matches!(value, "0" | "false" | ""));
    // A value that only asks for more checks is none that weakens.
    let strict = value.is_some_and(|value| matches!(value, "1" | "true" | "yes" | "throw"));
    let asks_for_checks =
        upper.contains("STRICT") || upper.contains("_VERIFY") && !upper.contains("NO_VERIFY");
    if UNVERIFIED.iter().any(|part| upper.contains(part)) && !(asks_for_checks && strict) {
        return Some("switches off a check");
    }
    let value = value.unwrap_or("\0");
    match name {
        "GIT_AUTHOR_NAME" | "GIT_AUTHOR_EMAIL" | "GIT_COMMITTER_NAME" | "GIT_COMMITTER_EMAIL" => {
            Some("decides in whose name work is recorded")
        }
        "GIT_AUTHOR_DATE" | "GIT_COMMITTER_DATE" => Some("decides when work seems to have been recorded"),
        "HISTCONTROL" if value == "ignorespace" => Some("keeps what is done out of the shell's history"),
        "GIT_CURL_VERBOSE" | "GLAB_DEBUG_HTTP" | "GLAB_DEBUG" if on => {
            Some("shows what goes over the wire, logins among it")
        }
        "GH_DEBUG" if value.contains("api") => Some("shows what goes over the wire, logins among it"),
        "SSLKEYLOGFILE" => Some("keeps the keys of connections"),
        _ if (name == "TF_LOG" || name.starts_with("TF_LOG_"))
            && matches!(value.to_ascii_lowercase().as_str(), "trace" | "json") =>
        {
            Some("shows what goes over the wire, logins among it")
        }
        _ => None,
    }
}

fn texts<'c>(call: &Call<'c>) -> impl Iterator<Item = &'c str> + use<'c> {
    call.arguments.iter().map(|argument: &Argument| argument.text.as_str())
}

fn options(call: &Call<'_>, findings: &mut Findings) {
    let has = |lists: &[(&str, &str, &str)]| {
        let mut own = lists.iter().filter(|(program, _, _)| *program == call.program);
        own.any(|(_, subcommand, option)| {
            (subcommand.is_empty()
                || call.subcommand_is(&[subcommand])
                || texts(call).next() == Some(subcommand))
                && texts(call).any(|text| {
                    text == *option || option.len() > 2 && text.starts_with("-") && text.starts_with(option)
                })
        })
    };
    if has(UNCHECKED) {
        call.not_assessed("an option switches off a check", findings);
    }
    // A server of this machine has nobody between it and the command.
    let to_anybody =
        !matches!(call.program, "curl" | "wget" | "http" | "https" | "xh" | "redis-cli" | "valkey-cli")
            && !texts(call).any(|text| text.contains("localhost") || text.contains("127.0.0.1"));
    let trusts_all = texts(call).any(|text| {
        matches!(
            text,
            "--insecure"
                | "--insecure=true"
                | "--insecure-skip-tls-verify"
                | "--insecure-skip-tls-verify=true"
                | "--skip-tls-verify"
                | "--tls-skip-verify"
                | "--no-verify-ssl"
                | "--no-check-certificate"
                | "--tls-verify=false"
                | "--tlsAllowInvalidCertificates"
                | "--insecure-tls"
        )
    });
    if to_anybody && trusts_all {
        call.not_assessed("it trusts whoever answers", findings);
    }
    if has(ON_THE_WIRE) {
        call.not_assessed("an option shows what goes over the wire, logins among it", findings);
    }
    if matches!(call.program, "kubectl" | "oc" | "kubecolor" | "helm") {
        let mut words = texts(call);
        while let Some(word) = words.next() {
            let level = match word.strip_prefix("--v=").or_else(|| word.strip_prefix("-v=")) {
                Some(level) => Some(level),
                None if matches!(word, "-v" | "--v") => words.next(),
                None => word.strip_prefix("-v").filter(|level| !level.is_empty()),
            };
            if level.is_some_and(|level| matches!(level, "8" | "9" | "10" | "99")) {
                call.not_assessed("it shows what goes over the wire, logins among it", findings);
            }
        }
    }
    // What version control gives back is gone for everybody who pulls it all the same.
    if call.program == "git" && call.subcommand_is(&["rm", "mv"]) {
        for argument in call.operands.iter().filter_map(|at| call.arguments.get(*at)) {
            call.does_to(Verb::Writes, &argument.units, findings);
        }
    }
    // Forced past the list of what is not to be recorded, everything is.
    if call.program == "git" && call.subcommand_is(&["add", "stage"]) {
        let letters = |letter: char| {
            texts(call).any(|text| text.starts_with('-') && !text.starts_with("--") && text.contains(letter))
        };
        let forced = letters('f') || texts(call).any(|text| text == "--force");
        let everything =
            letters('A') || texts(call).any(|text| matches!(text, "." | "./" | "*" | "--all" | ":/" | "-A"));
        let secret = texts(call).any(|text| {
            [".env", ".pem", ".key", ".npmrc", ".p12", "secret", "credential"]
                .iter()
                .any(|part| text.contains(part))
        });
        if forced && (everything || secret) {
            call.not_assessed("it records what is kept out of version control on purpose", findings);
        }
    }
}

/// Adds what servers of this machine say of their own secrets: settings, memory, stores.
fn own_servers(call: &Call<'_>, findings: &mut Findings) {
    const TELLING: [&str; 12] = [
        "/actuator/env",
        "/actuator/heapdump",
        "/actuator/configprops",
        "/debug/pprof/heap",
        "/phpinfo",
        "/api/v1/secrets",
        "/secrets/",
        "/v1/secret/",
        "/v1/kv/",
        "/containers/json",
        "/v2/keys",
        ":10255/pods",
    ];
    if matches!(call.program, "curl" | "wget" | "http" | "https" | "xh" | "curlie")
        && texts(call).any(|text| TELLING.iter().any(|path| text.contains(path)))
    {
        call.does_plainly(Verb::Reveals, Some("the settings or the memory of a server"), findings);
    }
}

/// Adds that a search is for keys, or for nothing but secrets in a log.
fn keys_searched(call: &Call<'_>, findings: &mut Findings) {
    const KEYS: [&str; 10] = [
        "AKIA",
        "ghp_",
        "github_pat_",
        "xoxb-",
        "sk_live",
        "sk-ant",
        "BEGIN RSA",
        "BEGIN OPENSSH",
        "PRIVATE KEY",
        "eyJ",
    ];
    let searches = matches!(call.program, "grep" | "egrep" | "fgrep" | "rg" | "ag" | "ack" | "zgrep")
        || call.program == "git" && call.subcommand_is(&["grep"]);
    if !searches || showing::shows_only_names(call) {
        return;
    }
    let secrets = || texts(call).any(is_nothing_but_secrets);
    let logs = || texts(call).any(|text| text.ends_with(".log"));
    let versions = || call.segment.words.iter().any(|word| word.raw.contains("rev-list"));
    if texts(call).any(|text| KEYS.iter().any(|key| text.contains(key))) {
        call.not_assessed("it looks for keys", findings);
    } else if secrets() && (logs() || versions()) {
        call.not_assessed("it looks for secrets in what was logged or recorded", findings);
    }
}

/// Adds that work is recorded in the name of somebody else, or at another time.
fn somebody_else(call: &Call<'_>, findings: &mut Findings) {
    if call.program != "git" || !call.subcommand_is(&["commit"]) {
        return;
    }
    let mut words = texts(call);
    while let Some(word) = words.next() {
        let (name, value) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (word, None),
        };
        match name {
            "--author" => call.not_assessed("it records work in the name of somebody else", findings),
            "--date" => {
                let value = value.or_else(|| words.next()).unwrap_or_default();
                if value != "now" {
                    call.not_assessed("it records work as if done at another time", findings);
                }
            }
            "-m" | "--message" | "-F" | "--file" if value.is_none() => {
                words.next();
            }
            _ => {}
        }
    }
}

/// Adds what shows the memory of programs, or all they were started with.
fn memory_and_settings(call: &Call<'_>, findings: &mut Findings) {
    let has = |options: &[&str]| texts(call).any(|text| options.contains(&text));
    let names_core = || {
        texts(call).any(|text| {
            let name = base_name(text);
            matches!(text, "core" | "./core")
                || name.starts_with("core.") && name.bytes().skip(5).all(|byte| byte.is_ascii_digit())
                || [".hprof", ".dmp", ".core", ".heapsnapshot", ".mdmp"].iter().any(|end| name.ends_with(end))
        })
    };
    match call.program {
        "jcmd" if has(&["GC.heap_dump", "VM.system_properties", "VM.command_line"]) => {
            call.does_plainly(Verb::Reveals, Some("the memory or the settings of a process"), findings);
        }
        "jinfo" if !has(&["-flags"]) => {
            call.does_plainly(Verb::Reveals, Some("the settings of a process"), findings);
        }
        "py-spy" if has(&["--locals", "-l"]) => {
            call.does_plainly(Verb::Reveals, Some("the memory of a process"), findings);
        }
        "strings" | "gstrings" | "hexdump" | "hd" | "od" | "xxd" | "hexyl" if names_core() => {
            call.does_plainly(Verb::Reveals, Some("the memory of a process"), findings);
        }
        "xsel" if !has(&["-i", "--input", "-ib", "-bi"]) => {
            call.does_plainly(Verb::Reveals, Some("what somebody copied"), findings);
        }
        "php" if has(&["-i", "--info"]) && !call.goes_on() => {
            call.does_plainly(Verb::Reveals, Some("every variable of the environment"), findings);
        }
        "make" | "gmake" | "just" | "task" => {
            let shows = texts(call).any(|text| {
                let name = text.split_once(['-', '_', ':', '.']).filter(|(verb, _)| {
                    matches!(*verb, "print" | "show" | "dump" | "list" | "echo" | "get" | "cat" | "env")
                });
                text == "env"
                    || name.is_some_and(|(_, what)| {
                        matches!(what, "env" | "environment" | "secrets" | "secret" | "credentials" | "vars")
                            || is_environment_secret(what)
                    })
            });
            let all = call.program.ends_with("make")
                && has(&["-p", "--print-data-base", "-pn", "-np"])
                && !call.goes_on();
            if shows || all {
                call.not_assessed("it may show every variable of the environment", findings);
            }
        }
        "kubectl" | "oc"
            if call.arguments.iter().any(|argument| argument.text == "env") && has(&["--list"]) =>
        {
            call.does_plainly(Verb::Reveals, Some("the variables of containers"), findings);
        }
        "kubectl" | "oc"
            if texts(call).any(|text| {
                (text.contains("jsonpath") || text.starts_with('{')) && text.contains(".env")
            }) =>
        {
            call.does_plainly(Verb::Reveals, Some("the variables of containers"), findings);
        }
        "gh" | "glab"
            if texts(call).take(2).eq(["variable", "get"])
                && texts(call).skip(2).any(is_environment_secret) =>
        {
            call.does_plainly(Verb::Exposes, None, findings);
        }
        "npm" | "pnpm" | "yarn"
            if texts(call).take(2).eq(["config", "get"]) && has(&["_auth", "_password"]) =>
        {
            call.does_plainly(Verb::Exposes, None, findings);
        }
        "gh" | "glab" if texts(call).any(|text| text.contains("secret-scanning")) => {
            call.does_plainly(Verb::Reveals, Some("secrets that were found"), findings);
        }
        "helm" if texts(call).any(|text| text.contains("secret") && !text.starts_with('-')) => {
            call.does_plainly(Verb::Reveals, Some("secrets of a release"), findings);
        }
        "gcloud" if texts(call).any(|text| text.contains("(metadata")) => {
            call.does_plainly(Verb::Reveals, Some("what a machine is told when it starts"), findings);
        }
        "gcloud" if has(&["get-serial-port-output"]) => {
            call.does_plainly(Verb::Reveals, Some("what a machine says when it starts"), findings);
        }
        "redis-cli" | "valkey-cli" => {
            let lower: Vec<String> = texts(call).map(str::to_ascii_lowercase).collect();
            let all = lower.windows(3).any(|part| {
                part.starts_with(&["config".to_owned(), "get".to_owned()])
                    && part.ends_with(&["*".to_owned()])
            });
            let shows = lower.iter().any(|word| {
                matches!(
                    word.as_str(),
                    "get" | "mget" | "hget" | "hgetall" | "getdel" | "smembers" | "lrange"
                )
            });
            let key =
                lower.iter().any(|word| word.split([':', '.', '_', '-']).any(|part| SECRETS.contains(&part)));
            if all || shows && key {
                call.does_plainly(Verb::Reveals, Some("passwords, or what logs people in"), findings);
            }
        }
        _ => {}
    }
}

/// Adds edits that take lines out of logs, or that switch off a protection.
fn edits(call: &Call<'_>, findings: &mut Findings) {
    if !matches!(call.program, "sed" | "gsed" | "perl" | "ruby" | "yq") {
        return;
    }
    let in_place = texts(call).any(|text| {
        text.starts_with("--in-place")
            || text.starts_with('-') && !text.starts_with("--") && text.contains('i')
    });
    if !in_place {
        return;
    }
    if texts(call).any(|text| text.ends_with(".log")) {
        call.not_assessed("it changes what a log says", findings);
    }
    if texts(call).any(|text| base_name(text) == ".gitignore") && texts(call).any(|text| text.contains("env"))
    {
        call.not_assessed("what is kept out of version control may go into it", findings);
    }
    let mut replaced = texts(call).filter_map(|text| {
        let after = text.split_once(['/', '|', '#', ',']).map_or(text, |(_, after)| after);
        let new = after.split_once(['/', '|', ',']).map_or(after, |(_, new)| new);
        PROTECTIONS_OFF.iter().find(|off| new.contains(**off))
    });
    if let Some(off) = replaced.next() {
        call.not_assessed(&format!("{} switches off a protection", shown(off)), findings);
    }
}

/// Adds that tests, or tasks of a database, are run where the variables in front say that it is production.
fn tested_in_production(call: &Call<'_>, findings: &mut Findings) {
    const STAGES: [&str; 8] = [
        "RAILS_ENV",
        "RACK_ENV",
        "APP_ENV",
        "MIX_ENV",
        "DJANGO_SETTINGS_MODULE",
        "AWS_PROFILE",
        "DATABASE_URL",
        "FLASK_ENV",
    ];
    let production = call.segment.assignments.iter().any(|assignment| {
        let value = assignment.raw.split_once('=').map_or("", |(_, value)| value).to_ascii_lowercase();
        STAGES.contains(&assignment.name.as_str())
            && value
                .split(|letter: char| !letter.is_ascii_alphanumeric())
                .any(|word| matches!(word, "prod" | "production" | "live"))
    });
    if !production {
        return;
    }
    let mut words = call.segment.words.iter().map(|word| base_name(&word.raw).to_owned());
    let changes = words.any(|word| {
        matches!(word.as_str(), "test" | "tests" | "spec" | "rspec" | "pytest" | "phpunit" | "check-all")
            || word.starts_with("test:")
            || word.starts_with("db:") && !matches!(word.as_str(), "db:version" | "db:migrate:status")
    });
    if changes {
        call.not_assessed("what tests do to production is not known", findings);
    }
}

/// Adds that a command looks for nothing but secrets in what programs log, remember or were started with.
pub(super) fn searched_logs(segments: &[Segment], findings: &mut Findings) {
    let logged = |segment: &&Segment| {
        let words: Vec<&str> = segment.words.iter().map(|word| word.raw.as_str()).collect();
        let [program, rest @ ..] = words.as_slice() else { return false };
        match base_name(program) {
            "ps" | "journalctl" | "dmesg" | "strings" | "hexdump" | "hd" | "od" | "xxd" | "history" => true,
            "pgrep" => rest.iter().any(|word| word.contains('a')),
            "php" => rest.contains(&"-i"),
            "docker" | "podman" | "nerdctl" | "docker-compose" | "kubectl" | "oc" | "heroku" | "aws"
            | "gcloud" | "fly" | "flyctl" | "vercel" | "az" => {
                rest.iter().any(|word| matches!(*word, "logs" | "logging" | "log" | "describe"))
                    || rest.contains(&"get")
                        && rest.iter().any(|word| matches!(*word, "yaml" | "json" | "-oyaml"))
            }
            "stern" => true,
            "git" => {
                rest.contains(&"log") && rest.iter().any(|word| matches!(*word, "-p" | "-u" | "--patch"))
            }
            "cat" | "tail" | "head" | "zcat" => {
                rest.iter().any(|word| word.ends_with(".log") || word.starts_with("/proc/"))
            }
            _ => false,
        }
    };
    for source in segments.iter().filter(|segment| segment.pipeline.stages > 1).filter(logged) {
        let searches = segments.iter().any(|segment| {
            segment.pipeline.pipeline == source.pipeline.pipeline
                && segment.pipeline.stage > source.pipeline.stage
                && segment.words.first().is_some_and(|word| {
                    matches!(base_name(&word.raw), "grep" | "egrep" | "fgrep" | "rg" | "ag" | "awk")
                })
                && segment.words.iter().skip(1).any(|word| is_nothing_but_secrets(&word.raw))
        });
        if searches {
            let program = source.words.first().map(|word| shown(&word.raw)).unwrap_or_default();
            findings.not_assessed(|| format!("It looks for secrets in what {program} shows."));
        }
    }
}

/// Whether a pattern, with all of its alternatives, is words that secrets go by and nothing else.
fn is_nothing_but_secrets(pattern: &str) -> bool {
    let plain = pattern.trim_matches(['\'', '"', '(', ')']).to_ascii_lowercase();
    let plain = plain.replace('\\', "");
    let words = || {
        plain
            .split('|')
            .map(|one| one.trim_matches(['(', ')', '=', ':', '.', '*', '^', ' ', '-', '/', '\'', '"']))
    };
    words().any(|one| SECRETS.contains(&one))
        && words().all(|one| {
            SECRETS.contains(&one) || matches!(one, "key" | "auth" | "jwt" | "akia" | "cred" | "pwd")
        })
        || ["env", "environ", "environment"].contains(&plain.as_str())
}

#[cfg(test)]
mod tests {
    use super::{is_nothing_but_secrets, variable};

    #[test]
    fn a_variable_weakens_by_its_name_and_its_value() {
        for (name, value, weakens) in [
            ("YARN_ENABLE_STRICT_SSL", "false", true),
            ("YARN_ENABLE_STRICT_SSL", "true", false),
            ("DOCKER_TLS_VERIFY", "1", false),
            ("DOCKER_TLS_VERIFY", "", true),
            ("UV_NO_VERIFY_HASHES", "1", true),
            ("GH_DEBUG", "api", true),
            ("GH_DEBUG", "1", false),
            ("TF_LOG", "TRACE", true),
            ("TF_LOG", "info", false),
            ("GIT_CURL_VERBOSE", "0", false),
            ("RUST_LOG", "trace", false),
        ] {
            assert_eq!(variable(name, Some(value)).is_some(), weakens, "{name}={value}");
        }
    }

    #[test]
    fn a_pattern_looks_for_secrets_where_all_of_its_alternatives_are_words_for_them() {
        for (pattern, looks) in [
            ("password", true),
            ("'token|secret'", true),
            ("'error\\|passwd='", false),
            ("'key\\|passwd='", true),
            ("'token expired'", false),
            ("tokenizer", false),
            ("'error|warn'", false),
        ] {
            assert_eq!(is_nothing_but_secrets(pattern), looks, "{pattern}");
        }
    }
}
