//! Which variables may hold a secret, by their names and by what the text itself puts into them.
//!
//! Promises two tables that a reviewer can read: words that make a name secret-like, and names and endings that never are.
//! The value is never looked at, because it is not there.

use std::collections::HashSet;

use crate::shell::Analysis;
use crate::shell::tree::AssignedValue;

/// Parts of a name that make it secret-like wherever they stand.
const STRONG: [&str; 14] = [
    "TOKEN",
    "SECRET",
    "PASSWORD",
    "PASSWD",
    "PASSPHRASE",
    "CREDENTIAL",
    "APIKEY",
    "PRIVATEKEY",
    "ACCESSKEY",
    "AUTHKEY",
    "SECRETKEY",
    "BEARER",
    "COOKIE",
    "JWT",
];
/// Words of a name, between underscores, that make it secret-like.
const WORDS: [&str; 24] = [
    "KEY",
    "KEYS",
    "PASS",
    "PWD",
    "PW",
    "CRED",
    "CREDS",
    "AUTH",
    "API",
    "PRIVATE",
    "SESSION",
    "PAT",
    "DSN",
    "OTP",
    "PIN",
    "SALT",
    "SIGNATURE",
    "SIG",
    "CERT",
    "WEBHOOK",
    "LICENSE",
    "SEED",
    "MNEMONIC",
    "KUBECONFIG",
];
/// Whole names that hold an address with a password in it.
const ADDRESSES: [&str; 12] = [
    "DATABASE_URL",
    "DB_URL",
    "REDIS_URL",
    "MONGO_URL",
    "MONGO_URI",
    "MONGODB_URI",
    "POSTGRES_URL",
    "MYSQL_URL",
    "AMQP_URL",
    "CONNECTION_STRING",
    "DATABASE_URI",
    "SQLALCHEMY_DATABASE_URI",
];
/// Last words of a name that say it holds something about a secret and not the secret.
const HARMLESS_ENDS: [&str; 30] = [
    "URL", "URI", "HOST", "HOSTNAME", "PORT", "VERSION", "FILE", "PATH", "DIR", "NAME", "TYPE", "REGION",
    "ENDPOINT", "COUNT", "SIZE", "TIMEOUT", "SOCK", "TTL", "LENGTH", "LIMIT", "BASE", "ENABLED", "DISABLED",
    "MODE", "LEVEL", "FORMAT", "PREFIX", "SUFFIX", "EXPIRY", "DESKTOP",
];
/// Names that every shell or desktop sets and that hold no secret, some of which look as if they did.
const HARMLESS: [&str; 64] = [
    "HOME",
    "PWD",
    "OLDPWD",
    "PATH",
    "USER",
    "LOGNAME",
    "USERNAME",
    "SHELL",
    "HOSTNAME",
    "HOST",
    "TMPDIR",
    "TEMP",
    "TMP",
    "LANG",
    "LANGUAGE",
    "TERM",
    "TZ",
    "UID",
    "EUID",
    "PPID",
    "SHLVL",
    "RANDOM",
    "SECONDS",
    "LINENO",
    "COLUMNS",
    "LINES",
    "EDITOR",
    "VISUAL",
    "PAGER",
    "DISPLAY",
    "IFS",
    "PS",
    "OSTYPE",
    "MACHTYPE",
    "HOSTTYPE",
    "BASHPID",
    "BASH",
    "FUNCNAME",
    "OPTARG",
    "OPTIND",
    "REPLY",
    "DIRSTACK",
    "CDPATH",
    "MANPATH",
    "INFOPATH",
    "GOPATH",
    "GOROOT",
    "JAVA_HOME",
    "VIRTUAL_ENV",
    "CARGO_HOME",
    "NODE_ENV",
    "CI",
    "OS",
    "ID",
    "PID",
    "DB",
    "IP",
    "NS",
    "CC",
    "CXX",
    "SSH_AUTH_SOCK",
    "XDG_SESSION_ID",
    "XDG_SESSION_TYPE",
    "GDMSESSION",
];

/// What is known of the variables of one text.
#[derive(Debug)]
pub(super) struct Secrets<'a> {
    /// Variables that the text gives something secret.
    tainted: HashSet<&'a str>,
    /// Variables that the text gives something else.
    given: HashSet<&'a str>,
}

impl<'a> Secrets<'a> {
    /// Reads the assignments in the order of the segments.
    pub(super) fn new(analysis: &'a Analysis) -> Self {
        let mut secrets = Self { tainted: HashSet::new(), given: looped_or_read(analysis.text()) };
        for assignment in analysis.segments().iter().flat_map(|segment| &segment.assignments) {
            let words = match &assignment.value {
                AssignedValue::Scalar(value) => value.as_slice(),
                AssignedValue::Array(words) => words,
            };
            if words.iter().any(|word| super::in_word(word, &secrets, 0).is_some()) {
                secrets.tainted.insert(&assignment.name);
            } else {
                secrets.given.insert(&assignment.name);
            }
        }
        secrets
    }

    /// Whether the variable may hold a secret.
    pub(super) fn is_secret(&self, name: &str) -> bool {
        self.tainted.contains(name)
            || is_secret_name(name)
            || (is_unspoken(name) && !self.given.contains(name))
    }

    /// The first secret-like variable in a text that is expanded as a whole.
    pub(super) fn first_in_text(&self, text: &str) -> Option<String> {
        text.split('$').skip(1).find_map(|behind| {
            let name: String = behind
                .trim_start_matches('{')
                .chars()
                .take(128)
                .take_while(|letter| letter.is_ascii_alphanumeric() || *letter == '_')
                .collect();
            (!name.is_empty() && self.is_secret(&name)).then(|| format!("${name}"))
        })
    }
}

/// The names behind `for`, `select` and `read`.
fn looped_or_read(text: &str) -> HashSet<&str> {
    let mut names = HashSet::new();
    let mut open = 0usize;
    for word in text.split([' ', '\t', '\n', ';', '(', '{']).filter(|word| !word.is_empty()) {
        match word {
            "for" | "select" => open = 1,
            "read" => open = 8,
            _ if word.starts_with('-') => {}
            name if open > 0 && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') => {
                names.insert(name);
                open -= 1;
            }
            _ => open = 0,
        }
    }
    names
}

/// Whether the name speaks of a secret.
pub(crate) fn is_secret_name(name: &str) -> bool {
    let upper = split_words(name);
    if HARMLESS.contains(&upper.as_str()) {
        return false;
    }
    if ADDRESSES.contains(&upper.as_str())
        || upper.ends_with("_DATABASE_URL")
        || upper.ends_with("WEBHOOK_URL")
    {
        return true;
    }
    let words: Vec<&str> = upper.split('_').filter(|word| !word.is_empty()).collect();
    let last = words.last().copied().unwrap_or_default();
    if words.len() > 1 && HARMLESS_ENDS.contains(&last) {
        return false;
    }
    // How many tokens a model may use is no secret.
    if last == "TOKENS" && words.iter().any(|word| matches!(*word, "MAX" | "MIN" | "NUM" | "N" | "TOTAL")) {
        return false;
    }
    let joined = words.concat();
    STRONG.iter().any(|strong| joined.contains(strong)) || words.iter().any(|word| WORDS.contains(word))
}

/// A name in capitals so short that it says nothing, such as `T`: it may hold anything.
fn is_unspoken(name: &str) -> bool {
    name.len() <= 2
        && name.starts_with(|first: char| first.is_ascii_uppercase())
        && name.bytes().all(|byte| byte.is_ascii_uppercase())
        && !HARMLESS.contains(&name)
}

/// The name in capitals, its words apart: `apiKey` and `api_key` are both `API_KEY`.
fn split_words(name: &str) -> String {
    let mut words = String::with_capacity(name.len() + 4);
    let mut before_was_lower = false;
    for letter in name.chars().take(256) {
        if letter.is_ascii_uppercase() && before_was_lower {
            words.push('_');
        }
        before_was_lower = letter.is_ascii_lowercase();
        words.push(if letter.is_ascii_digit() { '_' } else { letter.to_ascii_uppercase() });
    }
    words.trim_matches('_').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_secret_like_by_its_words() {
        for name in [
            "TOKEN",
            "GITHUB_TOKEN",
            "api_key",
            "_TOKEN",
            "AWS_SECRET_ACCESS_KEY",
            "AWS_ACCESS_KEY_ID",
            "apiKey",
            "DB_PASS",
            "DB_PWD",
            "PGPASSWORD",
            "NPM_TOKEN",
            "OPENAI_API_KEY",
            "SSH_PRIVATE_KEY",
            "SESSION_COOKIE",
            "DATABASE_URL",
            "JWT",
            "AUTH",
            "S3_KEY",
            "KEY2",
            "STRIPE_SECRET_KEY",
            "GH_PAT",
            "accessToken",
        ] {
            assert!(is_secret_name(name), "{name}");
        }
        for name in [
            "HOME",
            "PWD",
            "OLDPWD",
            "PATH",
            "FILE",
            "VERSION",
            "AUTHOR",
            "API_URL",
            "API_PORT",
            "KEY_FILE",
            "MAX_TOKENS",
            "SSH_AUTH_SOCK",
            "XDG_SESSION_TYPE",
            "KEYBOARD",
            "BRANCH",
            "NODE_ENV",
            "i",
            "file",
            "PASSED",
            "1",
            "@",
            "",
            "AUTHORS",
            "COMPASS",
            "TOKEN_FILE",
            "PATTERN",
        ] {
            assert!(!is_secret_name(name), "{name}");
        }
    }
}
