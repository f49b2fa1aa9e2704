use proptest::prelude::*;
use serde_json::json;

use super::*;

#[test]
fn secrets_are_taken_out_and_the_words_around_them_stay() {
    let cases = [
        // Shapes of keys, wherever they stand.
        ("use sk-ant-api03-AbCdEfGhIjKlMnOp_12 now", "use <redacted> now"),
        ("sk-proj-abcdefghijklmnop1234", "<redacted>"),
        ("key AIzaSyA1234567890abcdefghijklmnopqrstuv.", "key <redacted>."),
        ("id AKIAIOSFODNN7EXAMPLE,", "id <redacted>,"),
        ("git clone x ghp_abcdefghijklmnopqrstuvwxyz0123456789", "git clone x <redacted>"),
        ("github_pat_11ABCDEFG0abcdefghijklmnop", "<redacted>"),
        ("xoxb-123456789012-abcdefABCDEF", "<redacted>"),
        ("https://hooks.slack.com/services/T000/B000/XXXXXXXXXXXX", "https://<redacted>"),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl end", "<redacted> end"),
        ("prefix_ghp_abcdefghijklmnopqrst", "prefix_<redacted>"),
        ("é sk-abcdefghijklmnopqrst é", "é <redacted> é"),
        // Named values.
        ("PASSWORD=hunter2 make", "PASSWORD=<redacted> make"),
        ("export API_TOKEN='a b c' && run", "export API_TOKEN='<redacted>' && run"),
        ("AWS_SECRET_ACCESS_KEY=\"wJalr/K7+x\" aws s3 ls", "AWS_SECRET_ACCESS_KEY=\"<redacted>\" aws s3 ls"),
        ("password = \"hunter2\"", "password = \"<redacted>\""),
        ("password: correct horse battery", "password: <redacted>"),
        ("a: 1\n  db_password: x y\nb: 2", "a: 1\n  db_password: <redacted>\nb: 2"),
        ("{\"api_key\": \"abc\", \"n\": 1}", "{\"api_key\": \"<redacted>\", \"n\": 1}"),
        ("{\\\"api_key\\\": \\\"abc\\\"}", "{\\\"api_key\\\": \\\"<redacted>\\\"}"),
        ("GET /x?access_token=abc&page=2", "GET /x?access_token=<redacted>&page=2"),
        (
            "kubectl create secret generic s --from-literal=password=x y",
            "kubectl create secret generic s --from-literal=password=<redacted> y",
        ),
        ("PASSWORD=päss wort", "PASSWORD=<redacted> wort"),
        ("PASSWORD=a\\ b c", "PASSWORD=<redacted> c"),
        // Options.
        ("tool --password hunter2 -v", "tool --password <redacted> -v"),
        ("tool --api-key=abc -v", "tool --api-key=<redacted> -v"),
        ("tool --token 'a b' -v", "tool --token '<redacted>' -v"),
        ("curl -u bob:hunter2 https://x", "curl -u bob:<redacted> https://x"),
        ("curl -u ghp_abcdefghijklmnopqrst:x-oauth-basic y", "curl -u <redacted>:x-oauth-basic y"),
        ("mysql -u root -phunter2 db", "mysql -u root -p<redacted> db"),
        ("sshpass -p hunter2 ssh host", "sshpass -p <redacted> ssh host"),
        // Headers.
        ("curl -H 'Authorization: Bearer abc.def' x", "curl -H 'Authorization: <redacted>' x"),
        ("curl -H \"authorization: Basic dXNlcg==\" x", "curl -H \"authorization: <redacted>\" x"),
        ("curl -H Authorization:abc x", "curl -H Authorization:<redacted> x"),
        ("see Authorization: Bearer abc then", "see Authorization: <redacted> then"),
        (
            "> Authorization: Digest username=\"x\", response=\"y\"\n> Host: z",
            "> Authorization: <redacted>\n> Host: z",
        ),
        ("Cookie: a=b; c=d\nHost: z", "Cookie: <redacted>\nHost: z"),
        ("curl -H 'X-Api-Key: abc' x", "curl -H 'X-Api-Key: <redacted>' x"),
        ("Bearer abcdef123456", "Bearer <redacted>"),
        // URLs.
        ("postgres://app:p%40ss@db:5432/x", "postgres://<redacted>@db:5432/x"),
        ("postgres://app:p/ss@db/x y", "postgres://<redacted>@db/x y"),
        ("git clone https://oauth2:abc@gitlab.com/a/b", "git clone https://<redacted>@gitlab.com/a/b"),
        // Private keys.
        (
            "x\n-----BEGIN OPENSSH PRIVATE KEY-----\nabc\ndef\n-----END OPENSSH PRIVATE KEY-----\ny",
            "x\n-----BEGIN OPENSSH PRIVATE KEY-----\n<redacted>\n-----END OPENSSH PRIVATE KEY-----\ny",
        ),
        ("-----BEGIN RSA PRIVATE KEY-----\nabc", "-----BEGIN RSA PRIVATE KEY-----\n<redacted>"),
        (
            "-----BEGIN PGP PRIVATE KEY BLOCK-----\nabc\n-----END PGP PRIVATE KEY BLOCK-----",
            "-----BEGIN PGP PRIVATE KEY BLOCK-----\n<redacted>\n-----END PGP PRIVATE KEY BLOCK-----",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(redact_text(text), expected, "{text}");
        assert_eq!(redact_text(expected), expected, "again: {text}");
    }
}

#[test]
fn what_is_no_secret_stays_as_it_is() {
    let texts = [
        "",
        "git status --short",
        "ls -la ./task-1234567890123456789",
        "PWD=/home/me make",
        "export TOKEN=$OTHER_TOKEN",
        "curl -H \"Authorization: Bearer $TOKEN\" https://x",
        "TOKEN=$(cat /run/token) run",
        "PASSWORD= make",
        "git clone ssh://git@github.com/a/b",
        "curl http://localhost:8080/a@b",
        "std::token::parse",
        "docker run -u 1000:1000 image",
        "mkdir -p src/a && mysqlx",
        "cat token.txt secrets/readme",
        "max_tokens=512",
        "-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----",
        "the bearer of news",
        "sk-short",
    ];
    for text in texts {
        assert_eq!(redact_text(text), text);
    }
}

#[test]
fn a_secret_cannot_be_used_to_hide_a_command() {
    let cases = [
        "PASSWORD=x; rm -rf /",
        "PASSWORD=x&&rm -rf /",
        "PASSWORD=x|rm -rf /",
        "PASSWORD=\"$(rm -rf /)\"",
        "PASSWORD=\"x`rm -rf /`\"",
        "token: x; rm -rf /",
        "Authorization: x | rm -rf /",
        "Cookie: a=b; rm -rf /",
        "tool --password x\nrm -rf /",
        "sh -c \"x?token=abc\" && rm -rf /",
    ];
    for text in cases {
        assert!(redact_text(text).contains("rm -rf /"), "{text} became {}", redact_text(text));
    }
}

#[test]
fn values_keep_their_shape_and_lose_their_secrets() {
    let mut value = json!({
        "command": "curl -H 'Authorization: Bearer abcdefgh' https://x",
        "password": "hunter2",
        "password_reference": 7,
        "token": "$TOKEN",
        "empty": {"secret": ""},
        "argv": ["tool", "--token", "abc", "--verbose", "x", "--password", "--x", "y"],
        "env": [{"name": "API_KEY", "value": "abc"}, {"name": "HOME", "value": "/root"}],
        "passwords": ["a", "b"],
        "quote\"d": "PASSWORD=\"a\\\"b\"",
        "sk-ant-abcdefghijklmnopqr": 1,
        "sk-ant-abcdefghijklmnopqs": 2
    });
    redact_json(&mut value);
    let expected = json!({
        "command": "curl -H 'Authorization: <redacted>' https://x",
        "password": "<redacted>",
        "password_reference": 7,
        "token": "$TOKEN",
        "empty": {"secret": ""},
        "argv": ["tool", "--token", "<redacted>", "--verbose", "x", "--password", "--x", "y"],
        "env": [{"name": "API_KEY", "value": "<redacted>"}, {"name": "HOME", "value": "/root"}],
        "passwords": ["<redacted>", "<redacted>"],
        "quote\"d": "PASSWORD=\"<redacted>\"",
        "<redacted>": 1,
        "<redacted> (2)": 2
    });
    assert_eq!(value, expected);
    let once = value.clone();
    redact_json(&mut value);
    assert_eq!(value, once, "twice changes nothing");
}

#[test]
fn deep_values_do_not_overflow_the_stack() {
    let mut value = json!("PASSWORD=x");
    for _ in 0..100_000 {
        value = Value::Array(vec![value]);
    }
    redact_json(&mut value);
    // Taken apart from the outside, because dropping so deep a value recurses.
    while let Value::Array(mut items) = value {
        value = items.pop().unwrap();
    }
    assert_eq!(value, json!("PASSWORD=<redacted>"));
}

/// A quadratic scanner would take minutes over these.
#[test]
fn long_hostile_texts_are_redacted_once_and_for_all() {
    let pieces = [
        "PASSWORD=\"",
        "sk-",
        "://a:b/",
        "-----BEGIN RSA PRIVATE KEY-----",
        "Authorization: ",
        "token:",
        "eyJ",
        "a://",
        "password ",
        "\\",
        "-u a",
        "Cookie: a; ",
        "_",
        "token=\\\"",
        "mysql -p",
        "bearer ",
    ];
    for piece in pieces {
        let text = piece.repeat(256 * 1024 / piece.len());
        let redacted = redact_text(&text);
        assert_eq!(redact_text(&redacted), redacted, "{piece}");
    }
}

fn fragment() -> impl Strategy<Value = String> {
    let pieces = [
        "PASSWORD",
        "token",
        "Authorization",
        "Cookie",
        "-u",
        "--password",
        "mysql",
        "-p",
        "Bearer ",
        "Basic ",
        "://",
        "@",
        ":",
        "=",
        " ",
        "\n",
        "'",
        "\"",
        "\\",
        "$",
        "(",
        "`",
        ";",
        "|",
        "a",
        "é",
        "sk-abcdefghijklmnopqrst",
        "<redacted>",
        "-----BEGIN RSA PRIVATE KEY-----",
        "-----END",
        "x1",
        ",",
        "/",
        "$TOKEN",
        "<",
        ">",
        "&",
        "-",
        ".",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..24).prop_map(|pieces| pieces.concat())
}

/// More on demand: `PROPTEST_CASES=1000000`.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(5_000)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn redacting_twice_changes_nothing_more(text in fragment()) {
        let once = redact_text(&text);
        prop_assert_eq!(redact_text(&once), once, "{}", text);
    }

    #[test]
    fn a_known_key_never_survives(before in fragment(), after in fragment()) {
        let text = format!("{before} ghp_abcdefghijklmnopqrstuvwxyz {after}");
        prop_assert!(!redact_text(&text).contains("ghp_abc"), "{}", text);
    }
}
