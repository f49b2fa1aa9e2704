//! What the name of an option says where an entry only promises that its other options are harmless (`-*`).
//!
//! Promises that an option whose name speaks of running, writing, sending, trusting or losing something is not waved through
//! with the others: whoever knows it to be harmless names it. Knows nothing of programs.

/// Words of option names that speak of more than how something is shown, sorted.
const TELLING: &[&str] = &[
    "agent", "allow", "append", "apply", "approve", "askpass", "auth", "autofix", "backup", "bin", "binary", "bind", "bless",
    "bootstrap", "callback", "change", "chdir", "clean", "cleanup", "clear", "cmd", "command", "commands", "commit", "compiler",
    "conf", "config", "configuration", "confirm", "connect", "copy", "create", "credential", "credentials", "cwd", "daemon",
    "daemonize", "database", "decrypt", "delete", "deploy", "dest", "destination", "destroy", "detach", "disable", "download",
    "driver", "drop", "dump", "edit", "editor", "endpoint", "env", "environment", "erase", "eval", "exec", "executable",
    "execute", "export", "extension", "extensions", "extract", "fetch", "file", "fix", "force", "forward", "handler", "helper",
    "home", "hook", "hooks", "host", "hostname", "import", "init", "inplace", "insecure", "install", "interpreter", "kill",
    "kubeconfig", "launcher", "library", "link", "linker", "listen", "load", "loader", "log", "logfile", "login", "mail",
    "mirror", "modify", "module", "move", "notify", "out", "outdir", "outfile", "output", "overwrite", "pager", "passphrase",
    "passwd", "password", "patch", "pidfile", "plaintext", "plugin", "plugins", "preload", "privileged", "program", "provider",
    "proxy", "prune", "public", "publish", "purge", "push", "rc", "rcfile", "record", "registry", "remote", "remove", "rename",
    "replace", "require", "reset", "restart", "reveal", "rewrite", "rm", "rsh", "run", "runner", "save", "script", "scripts",
    "secret", "secrets", "send", "serve", "server", "settings", "share", "shell", "shutdown", "socket", "startup", "stop",
    "store", "submit", "sudo", "symlink", "telemetry", "terminate", "token", "toolchain", "transport", "trigger", "truncate",
    "trust", "trusted", "tunnel", "unmask", "unsafe", "unset", "update", "upgrade", "upload", "uri", "url", "webhook", "wipe",
    "wrapper", "write",
];
/// Last words of names of options that say which one is meant: they choose, and do nothing.
const CHOOSING: &[&str] = &[
    "name", "names", "id", "ids", "arn", "arns", "identifier", "identifiers", "prefix", "type", "types", "status", "size",
    "limit", "count", "format", "level", "items", "version", "style", "color", "width",
];
/// What must not be switched off without anybody looking.
const PROTECTIONS: &[&str] =
    &["verify", "check", "checks", "certificate", "ssl", "tls", "auth", "sandbox", "security", "integrity", "signature"];

/// Whether nothing in the name of a long option, with its dashes, speaks of more than how something is shown.
pub(super) fn sounds_harmless(name: &str) -> bool {
    let small = name.trim_start_matches('-').to_ascii_lowercase();
    let mut words = small.split(['-', '_', '.']).peekable();
    if words.next_if(|word| matches!(*word, "no" | "without")).is_some() {
        return !words.any(|word| PROTECTIONS.contains(&word));
    }
    let chooses = small.rsplit(['-', '_', '.']).next().is_some_and(|last| CHOOSING.contains(&last));
    chooses || words.all(|word| TELLING.binary_search(&word).is_err())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_that_speaks_of_doing_something_is_told_from_one_that_only_shows_or_chooses() {
        assert!(TELLING.is_sorted(), "the words are looked up by halving");
        for (name, harmless) in [
            ("--verbose", true),
            ("--color", true),
            ("--no-output", true),
            ("--repository-name", true),
            ("--log-group-name", true),
            ("--exec", false),
            ("--output-file", false),
            ("--post_command", false),
            ("--no-verify", false),
            ("--no-check-certificate", false),
            ("-outfile", false),
            ("--Force", false),
        ] {
            assert_eq!(sounds_harmless(name), harmless, "{name}");
        }
    }
}
