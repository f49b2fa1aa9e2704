use proptest::prelude::*;

use super::*;

fn canonical(text: &str) -> Option<String> {
    canonicalize(text)
}

/// The argument vector with what bash would act upon: characters, and for each whether it is active.
fn meaning(text: &str) -> Option<Vec<(String, Vec<bool>)>> {
    let script = reader::read(text).ok()?;
    let command = only_command(&script).filter(|command| is_plain(command))?;
    let values = command.assignments.iter().filter_map(|assignment| match &assignment.value {
        AssignedValue::Scalar(word) => word.as_ref().map(|word| (word, Position::Value)),
        AssignedValue::Array(_) => None,
    });
    let words = command.words.iter().map(|word| (word, Position::Argument));
    Some(
        values
            .chain(words)
            .map(|(word, position)| {
                (constant(word).unwrap().into_owned(), {
                    let pieces = pieces(word);
                    of_characters(&pieces, &active_pieces(&pieces, position))
                })
            })
            .collect(),
    )
}

#[test]
fn one_argument_vector_has_one_form() {
    for (texts, expected) in [
        (&["git status", "git  'status'", "g\"i\"t st\\atus", "git \\\n status"][..], "git status"),
        (&["git show HEAD@{1}", "git show 'HEAD@{1}'", "git show HEAD@\\{1}"], "git show HEAD@{1}"),
        (&["echo ''", "echo \"\"", "echo $''"], "echo ''"),
        (&["A=1 npm test", "A='1' npm test", "A=\"1\" npm  test"], "A=1 npm test"),
        (&["A= npm test", "A='' npm test"], "A= npm test"),
        (&["echo it\\'s", "echo \"it's\""], "echo 'it'\\''s'"),
        (&["echo '*'", "echo \\*", "echo \"*\""], "echo '*'"),
        (&["rm my\\ file*", "rm 'my file'*", "rm \"my file\"*"], "rm 'my file'*"),
        (&["rm *.rs", "rm *'.rs'"], "rm *.rs"),
        (&["'time' ls", "\\time ls"], "'time' ls"),
        (&["'A=1' ls", "A\\=1 ls"], "'A=1' ls"),
        (&["dd 'if'=x", "dd if=x"], "dd if=x"),
        (&["echo '~'/b", "echo \\~/b"], "echo '~/b'"),
        (&["echo --dir=~/x", "echo --dir='~/x'"], "echo --dir=~/x"),
        (&["[ -f x ]", "'[' -f x ']'"], "[ -f x ]"),
        (&["echo a\u{a0}b"], "echo 'a\u{a0}b'"),
        (&["echo 'a\nb'", "echo $'a\\nb'"], "echo 'a\nb'"),
    ] {
        for text in texts {
            assert_eq!(canonical(text).as_deref(), Some(expected), "{text}");
        }
    }
}

#[test]
fn different_argument_vectors_never_share_a_form() {
    for (left, right) in [
        ("echo *", "echo '*'"),
        ("echo {a,b}", "echo '{a,b}'"),
        ("echo {1..3}", "echo '{1..3}'"),
        ("echo ~/x", "echo '~/x'"),
        ("echo ~/x", "echo ~'/x'"),
        ("dd if=~/x", "dd 'if=~/x'"),
        ("dd if=~/x", "dd i'f'=~/x"),
        ("ls [a-z]", "ls '[a-z]'"),
        ("ls [!a]*", "ls '[!a]'*"),
        ("rm my\\ file*", "rm 'my file*'"),
        ("A=1 ls", "'A=1' ls"),
        ("A=~/x ls", "A='~/x' ls"),
        ("echo a b", "echo 'a b'"),
        ("npm test", "npm test\u{200b}"),
        ("npm te\u{1b}[0mst", "npm test"),
        ("ls\r", "ls"),
        ("{git,push}", "'{git,push}'"),
        ("echo {~,x}", "echo {'~',x}"),
        ("echo ~", "echo ''~"),
        ("echo ~", "echo ~''"),
        ("echo ~:!a", "echo '~:!a'"),
        ("echo ~:a", "echo ~:'a'"),
        ("echo {a,}", "echo ''{a,}"),
        ("echo {]{+},-}", "echo {]'{+}',-}"),
    ] {
        let (left, right) = (canonical(left), canonical(right));
        assert!(left.is_some() && right.is_some(), "{left:?} {right:?}");
        assert_ne!(left, right);
    }
}

#[test]
fn only_one_simple_command_has_a_form() {
    for text in [
        "",
        "# x",
        "a; b",
        "a | b",
        "a &",
        "! a",
        "time a",
        "(a)",
        "{ a; }",
        "a > b",
        "a $x",
        "a $(b)",
        "a `b`",
        "a <(b)",
        "a $((1))",
        "a $\"x\"",
        "A=1",
        "A=$x b",
        "a[0]=1 b",
        "A=(1) b",
        "f() { a; }",
        "echo \"x",
        "a \u{0}",
    ] {
        assert_eq!(canonical(text), None, "{text}");
    }
}

fn fragment() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z=:/.,~*?!{}\\[\\]@^+-]{1,4}",
        "'[a-z ~*?{},\\[\\]=:/$`\"\\\\]{0,4}'",
        "\"[a-z ~*?{},\\[\\]=:/']{0,4}\"",
        "\\\\[a-z ~*?{},\\[\\]=:/$'\"]",
        "\\$'[a-z ]{0,2}'",
        Just(" ".to_owned()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_form_is_its_own_form_and_means_the_same(parts in prop::collection::vec(fragment(), 1..8)) {
        let text = parts.concat();
        if let Some(form) = canonical(&text) {
            prop_assert_eq!(canonical(&form), Some(form.clone()), "{:?}", text);
            prop_assert_eq!(meaning(&form), meaning(&text), "{:?} {:?}", text, form);
        }
    }

    #[test]
    fn texts_with_one_form_mean_the_same(
        left in prop::collection::vec(fragment(), 1..4),
        right in prop::collection::vec(fragment(), 1..4),
    ) {
        let (left, right) = (left.concat(), right.concat());
        if canonical(&left).is_some() && canonical(&left) == canonical(&right) {
            prop_assert_eq!(meaning(&left), meaning(&right));
        }
    }
}
