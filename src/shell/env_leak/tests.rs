//! What counts as handing a secret to code, command by command.

use super::{Receiver, leak};
use crate::shell::{Dialect, analyze};

fn leaks(command: &str) -> bool {
    leak(&analyze(command, Dialect::Bash)).is_some()
}

#[test]
fn a_secret_like_variable_that_code_is_given_is_found() {
    let missed: Vec<&str> = [
        // The behaviour that is reproduced.
        "node deploy.js $AWS_SECRET_ACCESS_KEY",
        "bash deploy.sh $TOKEN",
        "python -c $SECRET",
        "python deploy.py --key $AWS_SECRET_ACCESS_KEY",
        "bash -c \"echo $STRIPE_SECRET_KEY\"",
        // What it missed.
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
        // Ways around.
        "sudo -E node x.js $TOKEN",
        "env A=1 node x.js \"$TOKEN\"",
        "timeout 5 python3.12 x.py --t=$TOKEN",
        "/usr/bin/node x.js ${TOKEN}",
        "node x.js ${TOKEN:0:4}",
        "node x.js ${TOKEN:-none}",
        "node x.js \"$(echo $TOKEN)\"",
        "node x.js \"$(printenv API_KEY)\"",
        "node x.js \"$(env)\"",
        "T=$GITHUB_TOKEN; node x.js $T",
        "A=$GITHUB_TOKEN; B=$A; node x.js \"$B\"",
        "KEY=$API_TOKEN node x.js",
        "node x.js <<< $TOKEN",
        "python3 - <<X\nprint('$TOKEN')\nX",
        "echo $TOKEN | node x.js",
        "printf %s \"$TOKEN\" | python3 -c 'import sys'",
        "if true; then node x.js $TOKEN; fi",
        "(node x.js $TOKEN)",
        "echo $(node x.js $TOKEN)",
        "bash -c 'node x.js $TOKEN'",
        "npx some-tool --token $NPM_TOKEN",
        "npm run deploy -- --token $TOKEN",
        "make deploy TOKEN=$TOKEN",
        "cargo run -- $API_KEY",
        "scripts/deploy.sh $DB_PASSWORD",
        "deploy.sh $DB_PASSWORD",
        "$RUNNER $TOKEN",
        "deno run -A x.ts $SECRET",
        "source x.sh $TOKEN",
        "poetry run python x.py $TOKEN",
        "node x.js $DATABASE_URL",
    ]
    .into_iter()
    .filter(|command| !leaks(command))
    .collect();
    assert!(missed.is_empty(), "\n{missed:#?}");
}

#[test]
fn what_no_code_is_given_or_what_is_no_secret_is_let_be() {
    let wrong: Vec<&str> = [
        // The behaviour that is reproduced.
        "node build.js",
        "echo $HOME",
        "ls -la",
        // What it held for a leak.
        "cp deploy.sh $HOME/bin",
        "cat $HOME/app.sh",
        "chmod +x $HOME/a.sh",
        "git add x.sh && echo $PATH",
        "node build.js --out $PWD/dist",
        "perl -e 'print $ENV{HOME}'",
        "bash -c 'mv $FILE x'",
        "node x.js \\$HOME",
        "node x.js '$TOKEN'",
        "node x.js \\$TOKEN",
        "node x.js \"\\$TOKEN\"",
        // Ordinary work.
        "python run.py ${HOME}",
        "python train.py --max-tokens $MAX_TOKENS",
        "bash build.sh $VERSION",
        "for f in *.js; do node check.js \"$f\"; done",
        "for i in 1 2 3; do python3 x.py $i; done",
        "for F in *.js; do node check.js $F; done",
        "T=1; node x.js $T",
        "while read -r L; do python3 x.py $L; done < f",
        "node x.js \"$@\"",
        "bash x.sh $1",
        "python3 x.py $((1+2))",
        "python3 x.py $(date +%s)",
        "node x.js ${#TOKEN}",
        "node x.js ${TOKEN:+set}",
        "node x.js ${!NPM_*}",
        "python3 x.py --url $API_URL",
        "echo $TOKEN",
        "echo $TOKEN | docker login --password-stdin",
        "test -n \"$TOKEN\" && node x.js",
        "[ -z $API_KEY ] || npm test",
        "export TOKEN=$TOKEN",
        "TOKEN=abc node x.js",
        "git push origin $BRANCH",
        "awk -v k=$KEY '{print k}' f",
        "grep $TOKEN f.py",
        "node x.js <<'X'\n$TOKEN\nX",
        "cat > x.py <<X\n$TOKEN\nX",
        "make build VERSION=$VERSION",
        "go build -ldflags \"-X main.v=$VERSION\"",
        "npm run build -- --mode $MODE",
        "curl -H \"Authorization: $TOKEN\" http://localhost:3000/x",
        "./gradlew test -Pversion=$VERSION",
        "psql \"$DATABASE_URL\" -c 'select 1'",
    ]
    .into_iter()
    .filter(|command| leaks(command))
    .collect();
    assert!(wrong.is_empty(), "\n{wrong:#?}");
}

#[test]
fn the_reason_names_the_variable_and_who_gets_it() {
    let found = leak(&analyze("node deploy.js ${TOKEN}", Dialect::Bash)).unwrap();
    assert_eq!(
        found.to_string(),
        "The value of \"${TOKEN}\", which may be a secret, is handed to the code that \"node\" runs."
    );
    let sent = leak(&analyze("curl -H \"A: $TOKEN\" $URL", Dialect::Bash)).unwrap();
    assert_eq!(sent.receiver, Receiver::HiddenAddress);
    let hostile = leak(&analyze("./'a\"\u{1b}[2J' $TOKEN", Dialect::Bash)).unwrap().to_string();
    assert!(hostile.chars().all(|c| !c.is_control()), "{hostile}");
}
