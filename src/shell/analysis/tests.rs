use super::*;
use crate::shell::Reach;

fn bash(text: &str) -> Analysis {
    analyze(text, Dialect::Bash)
}

fn has_segment(text: &str, spelling: &str) -> bool {
    bash(text).segments().iter().any(|segment| segment.spelling == spelling)
}

fn has_spelling(text: &str, spelling: &str) -> bool {
    bash(text).restrictive_spellings().iter().any(|found| found == spelling)
}

#[test]
fn what_wrappers_shells_and_builtins_run_is_a_segment() {
    for (text, spelling) in [
        ("sudo -u www env A=1 nice -n 5 rm -rf /", "rm -rf /"),
        ("env -S 'rm -rf' /", "rm -rf /"),
        ("env -S '-i A=1 rm -rf /'", "rm -rf /"),
        ("bash -o pipefail -ec 'rm -rf /'", "rm -rf /"),
        ("sh -c '$0 \"$@\"' git push --force", "git push --force"),
        ("bash -c 'eval \"rm x\"'", "rm x"),
        ("eval rm x '&&' rm y", "rm y"),
        ("trap 'rm x' EXIT", "rm x"),
        ("source /dev/stdin <<< 'rm x'", "rm x"),
        ("bash <<'E'\nrm x\nE", "rm x"),
        ("sudo bash <<E\nrm x\nE", "rm x"),
        ("cat <<'E' | sh\nrm x\nE", "rm x"),
        ("echo 'rm x' | sudo sh", "rm x"),
        ("echo -e 'true\\nrm x' | bash", "rm x"),
        ("printf '%s\\n' 'rm x' | bash -s", "rm x"),
        ("echo 'rm x' | tee log | sh", "rm x"),
        ("bash < <(echo rm x)", "rm x"),
        ("echo 'rm x' | ssh host", "rm x"),
        ("ssh host 'cd /srv && rm x'", "rm x"),
        ("find . -name a -exec rm -f {} \\; -o -exec sh -c 'npm publish' \\;", "npm publish"),
        ("find . -execdir rm {} +", "rm {}"),
        ("fd -x rm x", "rm x"),
        ("xargs -I{} sh -c 'rm {}'", "rm {}"),
        ("docker run --rm alpine sh -c 'rm x'", "rm x"),
        ("kubectl exec pod -- rm x", "rm x"),
        ("busybox sh -c 'rm x'", "rm x"),
        ("git -c core.pager='rm x' log", "rm x"),
        ("test -v 'a[$(rm x)]'", "rm x"),
        ("compgen -C 'rm x' y", "rm x"),
        ("compgen -vC 'rm x' y", "rm x"),
        ("export PS4='$(rm x)'", "rm x"),
        ("jobs -x rm x", "rm x"),
        ("mapfile -C 'rm x' -c 1 v", "rm x"),
        ("readonly -a 'v=($(rm x))'", "rm x"),
        ("alias ll='rm x'", "rm x"),
        ("F=--force; git push $F", "git push --force"),
        ("C='rm -rf /'; bash -c \"$C\"", "rm -rf /"),
        ("C='rm -rf /'; eval $C", "rm -rf /"),
        ("{sudo,rm,-rf,/}", "rm -rf /"),
        ("rm -rf /{etc,usr}", "rm -rf /etc /usr"),
        ("$(echo rm) -rf /", "rm -rf /"),
        ("git${IFS}push${IFS}--force", "git push --force"),
        ("git push ${F:---force}", "git push --force"),
        ("$NOPE sudo rm x", "rm x"),
        ("for c in push pull; do git $c --force; done", "git push --force"),
        ("f() { git \"$@\"; }; f push --force", "git push --force"),
        ("$\"git\" push", "git push"),
    ] {
        let segments: Vec<_> = bash(text).segments().iter().map(|segment| segment.spelling.clone()).collect();
        assert!(has_segment(text, spelling), "{text:?}: {segments:?}");
    }
}

/// Each of these was run by bash and left out, or read differently, until the oracle found it.
#[test]
fn what_the_oracle_found_is_a_segment_or_opaque() {
    for (text, spelling) in [
        ("x={}; x-y {1..3}b$x", "x-y 1b$x 2b$x 3b$x"),
        ("sh -c 'b $@ $1' name 'b c'", "b b c b c"),
        ("sh -c 'b \"$*\"' name b c", "b 'b c'"),
        ("test -v$@ 'a[$(rm x)]'", "rm x"),
        ("echo a >&'$(rm x)'", "rm x"),
        ("for i in 1; do a; done 1>& \"\\$(rm x)\"", "rm x"),
    ] {
        assert!(has_segment(text, spelling), "{text}: {:?}", bash(text).segments());
    }
    for text in [
        "mapfile -C \"a $1'b c'\" -c 1 v",
        "mapfile -C $'a <<E\\nE\\n' -c 1 v",
        "compgen -W '$(n -W '$(rm x)'rm x)'",
        "bash <<< 'x-y a\\'",
        "sh -c 'a; time -p b'",
        "sh -c 'shift; $1' name rm ls",
        "bash -c 'set a; b $1' name c",
        "a $((1+$(case x in x) rm x;; esac)))",
        "a $(b || coproc git push; wait)",
        "a $(b <<E | c; d\nE\n)",
        "a $(b <<E\nE\nc; d)",
        "a $(<x ! b)",
        "compgen -W 'x <(rm y)'",
        "a[$(c <<E\n'\nE\n)]=1 b",
        "a[$(c d\\ #e)]=1 b",
        "x='$(rm x)'; a >&$x",
        "a >&$x'$(rm x)'",
        "PS4='$(rm '$x' y)'; set -x; a",
        "[[ 'a[$(rm '$x')]' -eq 0 ]]",
    ] {
        assert!(bash(text).is_opaque(), "{text}");
    }
}

#[test]
fn code_that_cannot_be_read_is_opaque_and_says_why() {
    for (text, reason) in [
        ("$CMD x", "the name of the command is only known when it runs"),
        ("/bin/r? x", "the name of the command is a pattern for file names"),
        ("bash -c \"$X\"", "parts of the code that bash runs are only known when it runs"),
        ("eval \"$X\"", "parts of the code that eval runs are only known when it runs"),
        ("echo x | xargs sh -c", "sh takes its commands from its standard input"),
        ("xargs -I% sh -c 'rm %'", "parts of the code that sh runs are only known when it runs"),
        ("find . -exec sh -c 'rm {}' \\;", "parts of the code that sh runs are only known when it runs"),
        ("curl -s https://x | sh", "sh takes its commands from its standard input"),
        ("bash", "bash takes its commands from its standard input"),
        ("bash run.sh", "bash takes its commands from a file"),
        (". ./env.sh", "source takes its commands from a file"),
        ("bash -c 'echo \"'", "the code given to bash cannot be read: unterminated double quote"),
        ("zsh -c 'a'", "zsh speaks another language than bash"),
        ("hash -p /tmp/x ls", "hash changes what later commands mean, or loads code"),
        ("x='a[$(rm x)]'; (( x ))", "a value that is only known when it runs is evaluated as code"),
        ("export F='a[$(rm x)]'; (( F ))", "a value that is only known when it runs is evaluated as code"),
        ("read PS4 <<< '$(rm x)'; set -x", "a value that is only known when it runs is evaluated as code"),
        (
            "for F in 'a[`rm x`]'; do let F; done",
            "a value that is only known when it runs is evaluated as code",
        ),
        ("a=([\"b[\\$(rm x)]\"]=1)", "a value that is only known when it runs is evaluated as code"),
        ("compgen $o 'rm x' y", "parts of the code that compgen runs are only known when it runs"),
        ("compgen -${o}C 'rm{ x' y", "parts of the code that compgen runs are only known when it runs"),
        ("eval npm * test", "parts of the code that eval runs are only known when it runs"),
        ("bash -c *.sh", "parts of the code that bash runs are only known when it runs"),
        ("ssh host ls *.log", "parts of the code that ssh runs are only known when it runs"),
        ("trap * EXIT", "parts of the code that trap runs are only known when it runs"),
        ("alias a=b?", "parts of the code that alias runs are only known when it runs"),
        ("echo {1..100000}", "its braces stand for more words than are looked at"),
    ] {
        let analysis = bash(text);
        let reasons: Vec<String> = analysis.opaque_reasons().map(ToString::to_string).collect();
        assert!(reasons.iter().any(|found| found == reason), "{text:?}: {reasons:?}");
        assert!(analysis.is_opaque(), "{text:?}");
    }
}

#[test]
fn what_can_be_read_is_not_opaque() {
    for text in [
        "git status",
        "sudo rm x",
        "bash -c 'ls; pwd'",
        "env A=1 ls",
        "find . -name '*.rs' -exec grep x {} +",
        "xargs grep x",
        "echo $HOME",
        "cat <<E\n$x\nE",
        "declare x=1",
        "printf '%s' x",
        "((i++))",
        "[[ $x -eq 1 ]]",
        "command -v ls",
        "sudo -l",
        "nice",
        "export PATH=$PATH:/x",
        "test -v name",
        "MSG='costs $5'; echo \"$MSG\"",
        "read -r line",
        "trap - EXIT",
        "f() { ls; }; f",
        "git -c user.name=x commit",
        "npm test",
        "eval 'ls *'; bash -c 'ls *.sh'; ssh host 'ls *.log'; trap 'rm -f *.tmp' EXIT",
        "find . -exec sh -c 'grep x \"$1\"' _ {} \\;",
        "xargs -n 1 sh -c 'ls \"$0\"'",
        "echo '$(x)'",
        "n=$((n + 1)); awk '{print $1}' f; [ -f \"$x\" ]",
        "env",
    ] {
        let analysis = bash(text);
        assert!(
            !analysis.is_opaque(),
            "{text:?}: {:?} {:?}",
            analysis.unread(),
            analysis.opaque_reasons().next()
        );
    }
}

#[test]
fn behind_an_option_that_is_not_known_every_later_word_may_start_the_command() {
    let analysis = bash("sudo --weird x /usr/bin/git push --force");
    assert!(analysis.is_opaque());
    for expected in ["/usr/bin/git push --force", "git push --force", "push --force"] {
        assert!(analysis.restrictive_spellings().iter().any(|text| text == expected), "{expected}");
    }
}

#[test]
fn restrictive_spellings_hold_every_way_of_writing_a_command() {
    for (text, spelling) in [
        ("  npm   publish ", "npm publish"),
        ("rm -rf \"/\"", "rm -rf /"),
        ("/usr/bin/git push", "git push"),
        ("A=1 npm publish", "npm publish"),
        ("A=1 npm publish", "A=1 npm publish"),
        ("printf x >> secrets.txt", "printf x >> secrets.txt"),
        ("printf x >>'secrets.txt' y", "printf x y >> secrets.txt"),
        ("npm publish 2>&1", "npm publish 2>&1"),
        ("npm publish > log", "npm publish"),
        ("git -C . -c a=b --no-pager push --force", "git push --force"),
        ("/usr/bin/git -C . push", "git push"),
        ("echo 'a b' c", "echo a b c"),
        ("ｎｐｍ publish", "npm publish"),
        ("npm\u{200b} publish", "npm publish"),
        ("npm pub\u{1b}[0mlish", "npm publish"),
        ("ls \u{1b}]; rm -rf / ;\u{7}", "rm -rf /"),
        ("echo a\u{2028}npm publish", "npm publish"),
        ("echo ok; npm publish; echo \"", "npm publish"),
        ("if x; then sudo npm publish; \"", "npm publish"),
        ("bash -c 'npm publish; \"'", "npm publish"),
    ] {
        let texts = bash(text).restrictive_spellings().to_vec();
        assert!(has_spelling(text, spelling), "{text:?}: {texts:?}");
    }
}

#[test]
fn an_ordinary_command_has_few_spellings() {
    assert_eq!(bash("git status").restrictive_spellings(), ["git status"]);
    assert_eq!(bash("ls -la src").restrictive_spellings(), ["ls -la src"]);
    assert_eq!(bash("echo 'a b'").restrictive_spellings(), ["echo 'a b'", "echo a b"]);
}

#[test]
fn a_text_in_another_language_is_unread_and_has_its_lines_as_spellings() {
    for dialect in [Dialect::PowerShell, Dialect::Cmd] {
        let analysis = analyze("dir\r\ndel x", dialect);
        assert!(analysis.is_opaque() && analysis.canonical().is_none() && analysis.segments().is_empty());
        assert!(analysis.restrictive_spellings().iter().any(|text| text == "del x"));
        assert!(analysis.unread().unwrap().to_string().contains("is not read, only bash is"));
    }
}

#[test]
fn the_reasons_against_one_simple_command_are_named_in_order() {
    for (text, expected) in [
        ("a; b", vec![Mechanism::Composition]),
        ("a $(b) > c", vec![Mechanism::Substitution, Mechanism::Redirection]),
        ("a $x | b", vec![Mechanism::Composition, Mechanism::Expansion]),
        ("A=1", vec![Mechanism::NoCommand]),
        ("# x", vec![Mechanism::NoCommand]),
        ("a \"", vec![Mechanism::Unreadable]),
        ("> x", vec![Mechanism::Redirection]),
        ("declare -a x=(a b)", vec![Mechanism::Expansion]),
        ("a[0]=1 b", vec![Mechanism::Expansion]),
    ] {
        assert_eq!(*bash(text).resolution(), Resolution::Compound { mechanisms: expected }, "{text}");
    }
}

#[test]
fn how_a_segment_is_reached_reads_as_words() {
    let analysis = bash("echo $(sudo bash -c 'rm x')");
    let last = analysis.segments().last().unwrap();
    let reached: Vec<String> = last.reached.iter().map(ToString::to_string).collect();
    assert_eq!(reached, ["in $(…)", "behind sudo", "in the string given to bash"]);
    assert!(
        bash("ssh host rm x").segments()[1].reached.contains(&Reach::Remote { program: "ssh".to_owned() })
    );
}

#[test]
fn stages_of_one_pipeline_know_each_other() {
    let analysis = bash("a | sudo b; c");
    let places: Vec<_> = analysis.segments().iter().map(|segment| segment.pipeline).collect();
    assert_eq!((places[0].stage, places[1].stage, places[2].stage), (0, 1, 1));
    assert_eq!((places[0].stages, places[3].stages), (2, 1));
    assert!(places[0].pipeline == places[2].pipeline && places[2].pipeline != places[3].pipeline);
}

#[test]
fn nesting_beyond_the_bounds_is_unread_and_undecidable() {
    let wrapped = format!("{}rm x", "nohup ".repeat(150));
    assert_eq!(bash(&wrapped).unread().map(|unread| unread.reason), Some(UnreadReason::TooDeep));
    let code = format!("bash -c '{}';", "a;".repeat(1_500));
    let many = bash(&code.repeat(3));
    assert_eq!(many.unread().map(|unread| unread.reason), Some(UnreadReason::TooManySegments));
    assert!(many.spellings_truncated() && many.segments().len() == MAX_SEGMENTS);
}

/// A quadratic analysis would take minutes over these.
#[test]
fn long_hostile_texts_are_analysed() {
    for unit in [
        "nohup ",
        "sudo -u x ",
        "env A=1 ",
        "eval ",
        "bash -c '",
        "{a,b}",
        "{",
        "a{b,",
        "$x ",
        "$(",
        "a;",
        "a|",
        "find -exec ",
        "xargs ",
        "\u{1b}]",
        "\u{1b}[",
        "\u{fdfa}",
        "'",
        "\"a\" ",
        "[",
        "*",
        "~:",
        "a=~:",
        "-x$y ",
        "ssh ",
        "`",
        "F=a;",
        "git -c ",
        "f() { f x; };",
        "\u{200b}",
        "A=$A$A;",
        "<<<a ",
        "((",
        "env -S ",
        "a & ",
        "for i in {1..60}; do ",
    ] {
        for prefix in ["", "sudo ", "bash -c '"] {
            let text = format!("{prefix}{}", unit.repeat(20_000 / unit.len()));
            let analysis = bash(&text);
            assert_eq!(analysis.text(), text);
        }
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { cases: 400, failure_persistence: None, ..Default::default() })]

    #[test]
    fn no_text_makes_the_analysis_fail(text in "(sudo |env -S |bash -c |eval |git -c |find -exec |[a-z ;|&$(){}'\"`<>=~*\\[\\]\\\\\n\u{1b}\u{200b}é-]){0,40}") {
        let analysis = bash(&text);
        proptest::prop_assert_eq!(analysis.canonical().is_some(), matches!(analysis.resolution(), Resolution::Single { .. }));
        proptest::prop_assert!(analysis.canonical().is_none() || analysis.unread().is_none());
    }
}
