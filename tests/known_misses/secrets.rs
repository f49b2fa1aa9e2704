//! `i`: secrets that code is given.

use crate::answers::{all_leak, none_leaks};

#[test]
fn i1_every_way_to_hand_a_secret_to_code_is_seen() {
    all_leak(&[
        "bash -lc \"echo $SECRET\"",
        "node --eval \"x\" $TOKEN",
        "node -p \"x\" $TOKEN",
        "node upload $TOKEN",
        "python -m pkg $SECRET",
        "./deploy $SECRET",
        "pypy x.py $T",
        "uv run x.py $T",
        "java -jar x.jar $S",
        "go run main.go $S",
        "node x.js $api_key",
        "node x.js $_TOKEN",
        "node x.js ${!TOKEN}",
        "php -r \"x\" $T",
        "curl -H \"Authorization: $TOKEN\" $URL",
    ]);
}

#[test]
fn i2_a_folder_a_path_or_single_quotes_leak_nothing() {
    none_leaks(&[
        "cp deploy.sh $HOME/bin",
        "cat $HOME/app.sh",
        "chmod +x $HOME/a.sh",
        "git add x.sh && echo $PATH",
        "node build.js --out $PWD/dist",
        "perl -e 'print $ENV{HOME}'",
        "bash -c 'mv $FILE x'",
        "node x.js \\$HOME",
    ]);
}
