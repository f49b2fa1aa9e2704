//! The notation, and the knowledge base that is written in it.

use super::notation::{Fault, read};
use super::*;

#[test]
fn every_line_of_the_knowledge_base_is_well_formed() {
    let problems: Vec<String> = KNOWLEDGE.problems.iter().map(ToString::to_string).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn a_malformed_line_is_said_with_its_place_and_takes_its_entry_with_it() {
    for (text, line, fault) in [
        ("a: reads operands\n   -x", 2, Fault::Indentation),
        ("a: reads operands\n \t-x", 2, Fault::Indentation),
        ("a: reads operands\n    -x", 2, Fault::Indentation),
        ("  -x", 1, Fault::Indentation),
        ("-x: reads operands", 1, Fault::OptionAlone),
        ("a: reads operands\n  -x\n    -y", 2, Fault::Nested),
        ("a: reads operands\n  -x: raeds", 2, Fault::Verb("raeds".to_owned())),
        ("a: reads everything", 1, Fault::Objects("everything".to_owned())),
        ("a: reads operands rest", 1, Fault::Objects("rest".to_owned())),
        ("a: rule cobol", 1, Fault::Rule("cobol".to_owned())),
        ("a: reads operands \"unfinished", 1, Fault::Note),
        ("a: reads operands \"note\" more", 1, Fault::Note),
        ("a: reads operands,", 1, Fault::NoEffects),
        ("a: reads value", 1, Fault::ValueWithoutOption),
        ("a: nothing\n  -x: writes value", 2, Fault::ValueWithoutOption),
        ("a: nothing\n  -x:", 2, Fault::NoEffects),
        ("a: nothing\n  -x y", 2, Fault::NotAnOption("y".to_owned())),
        ("a: nothing\n  --", 2, Fault::NotAnOption("--".to_owned())),
        ("a: nothing\n  -*: runs", 2, Fault::OpenWithEffects("-*".to_owned())),
        ("a: nothing\n  -x\n  -x=?\n  -x", 4, Fault::SecondOption("-x".to_owned())),
        ("a: nothing\n  -x=b|c\n  -x=c|d", 3, Fault::SecondOption("-x".to_owned())),
        ("a: nothing\n  b: nothing\n  b: runs", 3, Fault::SecondName("b".to_owned())),
        ("a: nothing\n  !halt", 2, Fault::Mark("!halt".to_owned())),
        ("a:\n  -x", 1, Fault::Empty("a".to_owned())),
    ] {
        let family = read("family", text);
        let found: Vec<_> =
            family.problems.iter().map(|problem| (problem.line, problem.fault.clone())).collect();
        assert_eq!(found, [(line, fault)], "{text:?}");
        assert!(family.entries.is_empty(), "{text:?}");
    }
    let family = read("family", "a: nothing\n  -x: what\nb: nothing");
    assert_eq!(family.problems.len(), 1);
    assert_eq!(family.entries.iter().map(|(_, names, _)| names.clone()).collect::<Vec<_>>(), [["b"]]);
}

#[test]
fn a_program_has_one_entry() {
    let knowledge = Knowledge::read(&[("one", "a b: nothing"), ("two", "c: nothing\nb: runs")]);
    let problems: Vec<String> = knowledge.problems.iter().map(ToString::to_string).collect();
    assert_eq!(problems, ["two:2: b has an entry already, in one"]);
    assert_eq!(knowledge.entry("b"), knowledge.entry("a"));
}

#[test]
fn a_program_is_known_with_its_version_too() {
    let knowledge = Knowledge::read(&[("one", "python3 gcc: runs first")]);
    for (name, known) in [
        ("python3", true),
        ("python3.12", true),
        ("gcc-13", true),
        ("python2", false),
        ("python3.x", false),
        ("gcc-", false),
    ] {
        assert_eq!(knowledge.entry(name).is_some(), known, "{name}");
    }
}

/// The example of `docs/rater-knowledge.md`, with a few lines more.
const EXAMPLE: &str = r#"
# Comments and blank lines are free.

cat tac nl: reads operands            # names of programs, then what they do
  -*                                  # every other option is harmless

: true: nothing

sort: reads operands
  -o= --output=: writes value         # an option with a value, and what it adds
  -S= --buffer-size= -T= -k= -t=      # options with a value that change nothing
  --compress-program=: runs
  -*

head: reads operands
  -#
  -n=
  -q

ls: lists operands
  --color=?
  -l -a

less: reads operands
  +F
  +/=? +p=
  +!=?: runs value
  +o=history|log: writes value

msbuild: builds !slash
  -p= -t=
  -o=: writes value

aws: sends init, writes last
  --dryrun =>> inspects
  --endpoint=: reroutes

npm:
  exec: unknown
    eslint: wraps

tool: !front
  -p
  -C=: enters value
  show: inspects
    -*
  run: runs

kubectl: !stop
  -o=json|yaml --output=json|yaml
  -o=name: exposes
  get: inspects
    --dry-run=client|server => inspects
    --dry-run=none

go: !single
  build: builds
    -o=: writes value
    -v

git:                                  # nothing of its own: an unknown subcommand is not assessed
  -C= --git-dir= --work-tree= --no-pager -p
  -c=: rule git-setting
  status: inspects
    -*
  branch: records                     # base effect
    -D: discards "a branch that is not merged"
    -d --delete -m= -a -r --list -v -vv --show-current
  push: pushes
    -f --force --force-with-lease=? --mirror: publishes "replaces what others may have built on"
    -n --dry-run => inspects
    -u --set-upstream -q --quiet -v --tags
  remote: inspects
    -v
    add set-url: reroutes
"#;

/// A command, resolved and written in one line: effects with their objects, then operands, then what is not known.
fn resolved(knowledge: &Knowledge, command: &str) -> String {
    let words: Vec<String> = command.split(' ').skip(1).map(|word| word.replace('$', "\0")).collect();
    let given: Vec<GivenWord<'_>> =
        words.iter().map(|word| GivenWord { text: word, open: word.starts_with('\0') }).collect();
    let program = command.split(' ').next().unwrap();
    let resolved = resolve(knowledge.entry(program).unwrap(), &given);
    let effects: Vec<String> = resolved
        .effects
        .iter()
        .map(|applied| {
            let action = match applied.effect.action {
                Action::Verb(verb) => verb.as_str().to_owned(),
                Action::Rule(rule) => format!("rule {}", rule.as_str()),
            };
            let value = applied.value.map_or_else(String::new, |place| {
                format!(" {}", words[place.word].chars().skip(place.from).collect::<String>())
            });
            let objects =
                applied.effect.objects.map_or_else(String::new, |objects| format!(" {}", objects.as_str()));
            match applied.effect.objects {
                Some(Objects::Value) => format!("{action}{value}"),
                _ => format!("{action}{objects}"),
            }
        })
        .collect();
    let operands: Vec<&str> = resolved.operands.iter().map(|at| words[*at].as_str()).collect();
    let gaps: Vec<String> = resolved.gaps.iter().map(|gap| format!("{gap:?}")).collect();
    let help = if resolved.asks_for_help { "help; " } else { "" };
    format!("{help}{}; {}; {}", effects.join(", "), operands.join(" "), gaps.join(" "))
        .replace('\0', "$")
        .replace("\\0", "$")
}

#[test]
fn words_are_resolved_as_the_entry_says() {
    let knowledge = Knowledge::read(&[("example", EXAMPLE)]);
    assert!(knowledge.problems.is_empty(), "{:?}", knowledge.problems);
    for (command, expected) in [
        ("cat a -n b", "reads operands; a b; "),
        (":", "nothing; ; "),
        ("cat -- -n", "reads operands; -n; "),
        ("cat -", "reads operands; -; "),
        ("cat --help", "help; reads operands; ; "),
        ("sort -o out in", "reads operands, writes out; in; "),
        ("sort in -ro out", "reads operands, writes out; in; "),
        ("sort -roout in", "reads operands, writes out; in; "),
        ("sort --output=out in", "reads operands, writes out; in; "),
        ("sort --output out in", "reads operands, writes out; in; "),
        ("sort --outp=out in", "reads operands; in; Shortened(\"--outp\")"),
        ("sort -k 2 -t, in", "reads operands; in; "),
        ("sort -o", "reads operands; ; MissingValue(\"-o\")"),
        ("sort -k --help", "reads operands; ; "),
        ("sort -x --help", "reads operands; ; Option(\"--help\")"),
        ("sort --reverse in", "reads operands; in; "),
        ("sort $x -o $y", "reads operands, writes $y; $x; "),
        ("sort -$x", "reads operands; ; Option(\"-$\")"),
        ("head -20 in", "reads operands; in; "),
        ("head -n5 -q in", "reads operands; in; "),
        ("head -c5 in", "reads operands; in; Option(\"-c\")"),
        ("ls -la --color", "lists operands; ; "),
        ("ls --color=auto x", "lists operands; x; "),
        ("ls --color auto", "lists operands; auto; "),
        ("ls -lZ", "lists operands; ; Option(\"-Z\")"),
        ("ls -l=x", "lists operands; ; Value(\"-l\")"),
        ("kubectl get pods -o json", "inspects; pods -o json; "),
        ("kubectl get -o json pods", "inspects; pods; "),
        ("kubectl get -o=yaml", "inspects; ; "),
        ("kubectl get -oyaml", "inspects; ; "),
        ("kubectl get -o name", "inspects, exposes; ; "),
        ("kubectl get -o wide", "inspects, exposes; ; Value(\"-o\")"),
        ("kubectl get --dry-run=client", "inspects; ; "),
        ("kubectl get --dry-run=later", "inspects; ; Value(\"--dry-run\")"),
        ("go build -o out ./x -v", "builds, writes out; ./x; "),
        ("go build --o=out", "builds, writes out; ; "),
        ("go build -vo", "builds; ; Option(\"-vo\")"),
        ("git status --short", "inspects; ; "),
        ("git -C dir status", "inspects; ; "),
        ("git status -C dir", "inspects; ; "),
        ("git -c a=b status", "inspects, rule git-setting; ; "),
        ("git frobnicate", "; frobnicate; Subcommand(Some(0))"),
        ("git", "; ; Subcommand(None)"),
        ("git --help", "help; ; ; "),
        ("git -V", "help; ; ; "),
        ("git -V x", "; x; Option(\"-V\") Subcommand(Some(1))"),
        ("git $x", "; $x; OpenSubcommand Subcommand(Some(0))"),
        ("git st$x", "; st$x; OpenSubcommand Subcommand(Some(0))"),
        ("less +F log", "reads operands; log; "),
        ("less +/word log", "reads operands; log; "),
        ("less +pword log", "reads operands; log; "),
        ("less +!id log", "reads operands, runs id; log; "),
        ("less +o history log", "reads operands, writes history; log; "),
        ("less +G log", "reads operands; log; Option(\"+G\")"),
        ("less -- +G", "reads operands; +G; "),
        ("cat +G", "reads operands; +G; "),
        ("msbuild /p:A=b /t:Build -o:out x /etc/passwd", "builds, writes out; x /etc/passwd; "),
        ("aws a b", "sends init, writes last; a b; "),
        ("aws a b --dryrun", "inspects; a b; "),
        ("aws a b --dryrun --endpoint=x", "inspects, reroutes; a b; "),
        ("npm exec -- eslint src", "wraps; src; "),
        ("npm -- exec eslint", "; exec eslint; Subcommand(Some(1))"),
        ("tool -C dir show -C", "inspects, enters dir; ; "),
        ("tool -p run -p", "runs; ; Option(\"-p\")"),
        ("git branch -D old", "records, discards; old; "),
        ("git branch -vv", "records; ; "),
        ("git push --force", "pushes, publishes; ; "),
        ("git push -fn", "inspects; ; "),
        ("git push --force-with-lease=main:abc origin", "pushes, publishes; origin; "),
        ("git remote -v", "inspects; ; "),
        ("git remote set-url origin x", "reroutes; origin x; "),
        ("git remote rename a b", "inspects; rename a b; Subcommand(Some(1))"),
    ] {
        assert_eq!(resolved(&knowledge, command), expected, "{command}");
    }
}

#[test]
fn a_word_that_may_be_an_option_is_marked_unless_options_have_ended() {
    let knowledge = Knowledge::read(&[("example", EXAMPLE)]);
    let open = |words: &[&str]| {
        let given: Vec<_> =
            words.iter().map(|text| GivenWord { text, open: text.starts_with('\0') }).collect();
        resolve(knowledge.entry("cat").unwrap(), &given).open
    };
    assert_eq!(open(&["a", "\0", "b\0"]), [1]);
    assert!(open(&["--", "\0"]).is_empty());
}
