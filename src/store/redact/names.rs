//! Which names promise a secret: of variables, options, headers, members and settings. Knows nothing of values.

/// Words that make a name secret when it ends with them.
const SECRET_ENDINGS: [&str; 18] = [
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "secret",
    "secrets",
    "token",
    "apikey",
    "accesskey",
    "secretkey",
    "privatekey",
    "authkey",
    "credential",
    "credentials",
    "authorization",
    "cookie",
    "signature",
    "passwords",
];
/// Words before a final `key` that make it a secret one.
const SECRET_KEYS: [&str; 18] = [
    "api",
    "access",
    "secret",
    "private",
    "auth",
    "signing",
    "encryption",
    "master",
    "account",
    "storage",
    "shared",
    "license",
    "deploy",
    "ssh",
    "service",
    "session",
    "webhook",
    "app",
];
/// Words before a final `KEY` of an upper-case name that make it a harmless one.
const HARMLESS_KEYS: [&str; 12] = [
    "public",
    "primary",
    "foreign",
    "sort",
    "partition",
    "cache",
    "index",
    "group",
    "hash",
    "row",
    "map",
    "unique",
];
/// Words that may follow and leave the name a secret one.
const FORMS: [&str; 10] =
    ["value", "hash", "text", "raw", "plain", "base64", "b64", "data", "string", "header"];

/// Whether a value under this name is taken for a secret. `TOKEN_FILE`, `max_tokens` and `PWD` are not.
pub(super) fn is_secret_name(name: &str) -> bool {
    let mut words = words(name);
    while words.len() > 1
        && words.last().is_some_and(|word| {
            FORMS.contains(&word.as_str()) || word.bytes().all(|byte| byte.is_ascii_digit())
        })
    {
        words.pop();
    }
    let Some((last, before)) = words.split_last() else {
        return false;
    };
    let previous = before.last().map_or("", String::as_str);
    match last.as_str() {
        "key" => {
            SECRET_KEYS.contains(&previous)
                || (is_variable(name) && !previous.is_empty() && !HARMLESS_KEYS.contains(&previous))
        }
        // Alone, these are a directory, a verdict and a scheme.
        "pwd" => !previous.is_empty() && previous != "old",
        "pass" => !previous.is_empty(),
        "auth" => name == "_auth",
        last => {
            let last = last.trim_end_matches(|character: char| character.is_ascii_digit());
            SECRET_ENDINGS.iter().any(|ending| last.ends_with(ending))
        }
    }
}

fn is_variable(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

/// The words of a name in lower case: `aws_secret`, `x-api-key`, `dbPassword`, `APIKey`, `db.password`.
fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut before = '_';
    for character in name.chars() {
        let starts_word = character.is_ascii_uppercase() && before.is_ascii_lowercase();
        if (starts_word || !character.is_alphanumeric()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if character.is_alphanumeric() {
            word.push(character.to_ascii_lowercase());
        }
        before = character;
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// Headers whose whole line is the secret, whatever is in it.
pub(super) fn is_secret_header(name: &str) -> bool {
    ["authorization", "proxy-authorization", "cookie", "set-cookie"]
        .iter()
        .any(|header| name.eq_ignore_ascii_case(header))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_secrets_are_told_from_names_about_secrets() {
        let secret = [
            "password",
            "PGPASSWORD",
            "DB_PASSWORD",
            "db.password",
            "dbPassword",
            "MYSQL_PWD",
            "SMTP_PASS",
            "token",
            "GITHUB_TOKEN",
            "accessToken",
            "api_key",
            "apiKey",
            "APIKEY",
            "X-Api-Key",
            "--api-key",
            "OPENAI_API_KEY",
            "aws_secret_access_key",
            "client_secret",
            "STRIPE_KEY",
            "Authorization",
            "Set-Cookie",
            "_auth",
            "_authToken",
            "X-Amz-Signature",
            "Credential",
            "password1",
            "password_hash",
            "private-key",
            "passphrase",
        ];
        for name in secret {
            assert!(is_secret_name(name), "{name}");
        }
        let harmless = [
            "",
            "-",
            "PWD",
            "OLDPWD",
            "TOKEN_FILE",
            "max_tokens",
            "tokens",
            "key",
            "KEY",
            "PUBLIC_KEY",
            "primary_key",
            "cache-key",
            "secret_name",
            "password_policy",
            "pass",
            "auth",
            "author",
            "monkey",
            "tokenizer",
            "passwordless",
            "session",
        ];
        for name in harmless {
            assert!(!is_secret_name(name), "{name}");
        }
    }
}
