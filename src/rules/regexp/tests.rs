use super::*;
use proptest::prelude::*;

fn matches(pattern: &str, text: &str) -> bool {
    match Regexp::new(pattern).unwrap().search(&[text]) {
        Search::Matched => true,
        Search::NotMatched => false,
        Search::StepLimit => panic!("step limit"),
    }
}

#[test]
fn patterns_mean_what_ecmascript_without_flags_says() {
    for (pattern, text, expected) in [
        // Unanchored, as written, case kept.
        ("push", "git push -f", true),
        ("Push", "git push -f", false),
        ("^git$", "git\n", false),
        ("^b", "a\nb", false),
        ("a$", "a\nb", false),
        // The dot stops at the four line terminators only.
        ("a.b", "a\nb", false),
        ("a.b", "a\rb", false),
        ("a.b", "a\u{2028}b", false),
        ("a.b", "a\u{85}b", true),
        ("a[^]b", "a\nb", true),
        ("a[]b", "ab", false),
        ("[]", "", false),
        // ASCII digits and words, ECMAScript's own spaces.
        (r"\d", "٣", false),
        (r"\w", "é", false),
        (r"\W", "é", true),
        (r"\s", "\u{FEFF}", true),
        (r"\s", "\u{85}", false),
        (r"\S", "\u{A0}", false),
        (r"\bpush\b", "épushé", true),
        (r"x\Bx", "xx", true),
        (r"x\B", "x", false),
        // Escapes.
        (r"a\/b", "a/b", true),
        (r"\x41\u0042\cJ\0\t", "AB\n\0\t", true),
        (r"\uD83D\uDE00", "😀", true),
        (r"^[\uD83D\uDE00]$", "😀", true),
        (r"[\b]", "\u{8}", true),
        (r"[\d-x]", "-", true),
        (r"[a\-z]", "-", true),
        (r"[a\-z]", "b", false),
        (r"[^\W\d]", "7", false),
        (r"[\]\\]", "\\", true),
        ("[a-]", "-", true),
        ("[&&a]", "&", true),
        ("[[a]]", "a]", true),
        ("[+--]", ",", true),
        // Braces that are no quantifier are ordinary.
        ("a{,2}", "a{,2}", true),
        ("^a{2}$", "aa", true),
        ("^a{2,}$", "aaaa", true),
        ("^a{1,2}$", "aaa", false),
        ("x{", "x{", true),
        ("]}", "]}", true),
        ("a{0}b", "b", true),
        // Groups and look-around.
        ("^(?:ab|cd)+$", "abcd", true),
        ("(?<tool>rm) .*", "rm x", true),
        ("^(?!git)", "npm", true),
        ("^(?!git)", "git", false),
        ("(?<=--)force", "--force", true),
        ("(?<!--no-)force", "--no-force", false),
        ("(?<=^a.*)c", "a bc", true),
        ("(?=(a))b", "ab", false),
        ("^(?=.*x)(?=.*y)", "y and x", true),
        // Back-references: a group that took no part is empty, a round forgets its groups.
        (r"^(a|b)\1$", "aa", true),
        (r"^(a|b)\1$", "ab", false),
        (r"^(?:(a)|b)\1$", "b", true),
        (r"^(?:(a)|b)*\1$", "ab", true),
        (r"^\1(a)$", "a", true),
        (r"(?<q>['\x22]).*\k<q>", "x 'y'", true),
        (r"(?<q>['\x22]).*\k<q>", "x 'y\"", false),
        (r"(?<=(\d+)(\d+))$", "1053", true),
        (r"^(?:a*)*$", "aaab", false),
        (r"^(?:a?)*?\1?$|(z)", "aa", true),
        ("", "", true),
        ("|a", "", true),
    ] {
        assert_eq!(matches(pattern, text), expected, "{pattern:?} on {text:?}");
    }
}

#[test]
fn what_cannot_be_honoured_is_refused_with_a_reason() {
    for (pattern, reason) in [
        ("(", "never closed"),
        (")", "has no `(`"),
        ("[a", "never closed"),
        ("*a", "nothing to repeat"),
        ("a**", "nothing to repeat"),
        ("^*", "nothing to repeat"),
        ("{2}", "nothing to repeat"),
        ("a{3,2}", "out of order"),
        ("a{1001}", "too large"),
        ("a{99999999999}", "too large"),
        ("(?:(?:a{100}){100}){100}", "grow too large"),
        ("[z-a]", "out of order"),
        ("(?i)a", "inline flags"),
        ("(?>a)", "no group"),
        (r"\p{L}", "no meaning"),
        (r"\A", "no meaning"),
        (r"\8", "no group `8`"),
        (r"(a)\2", "no group `2`"),
        (r"(?<a>x)\k<b>", "no group `b`"),
        (r"\k<a>", "no meaning"),
        ("(?<1>x)", "group name"),
        ("(?<a>x)(?<a>y)", "used twice"),
        (r"a\", "lone backslash"),
        (r"\u12", "four hexadecimal"),
        (r"\xg0", "two hexadecimal"),
        (r"\c1", "a letter"),
        (r"\uD83D", "surrogate"),
        (r"\01", "no meaning"),
    ] {
        let error = Regexp::new(pattern).unwrap_err().to_string();
        assert!(error.contains(reason) && error.contains(pattern), "{pattern:?}: {error}");
    }
}

#[test]
fn two_hundred_units_are_the_limit_and_an_astral_character_counts_as_two() {
    assert!(Regexp::new(&"a".repeat(200)).is_ok());
    let error = Regexp::new(&"a".repeat(201)).unwrap_err().to_string();
    assert!(error.contains("201") && error.contains("200"), "{error}");
    assert!(Regexp::new(&"😀".repeat(100)).is_ok());
    assert!(Regexp::new(&"😀".repeat(101)).is_err());
}

#[test]
fn deep_nesting_is_no_danger() {
    assert!(matches(&format!("{}a{}", "(".repeat(99), ")".repeat(99)), "a"));
    assert!(matches(&format!("{}a{}", "(?=".repeat(49), ")".repeat(49)), "a"));
}

#[test]
fn an_exponential_pattern_meets_the_step_limit() {
    let regexp = Regexp::new(r"^(a|a)*\1b(?!c)$").unwrap();
    assert_eq!(regexp.search(&[format!("{}xb", "a".repeat(60))]), Search::StepLimit);
    assert_eq!(regexp.search(&["aab"]), Search::Matched);
    // Without what the pattern needs there is nothing to search for.
    assert_eq!(regexp.search(&["a".repeat(60)]), Search::NotMatched);
}

#[test]
fn an_exponential_pattern_without_references_is_linear() {
    assert!(!matches("^(a|a)*$", &format!("{}x", "a".repeat(100_000))));
}

#[test]
fn a_large_counted_repeat_over_a_long_text_is_undecidable_rather_than_slow() {
    let regexp = Regexp::new("a[ab]{401}c").unwrap();
    assert_eq!(regexp.search(&["ab".repeat(500_000) + "c"]), Search::StepLimit);
    assert_eq!(regexp.search(&["ab".repeat(1_000) + "c"]), Search::Matched);
    assert_eq!(regexp.search(&["ab".repeat(500_000)]), Search::NotMatched);
}

#[test]
fn a_long_text_is_not_undecidable_for_being_long() {
    assert_eq!(
        Regexp::new("(?<!x)needle(?!y)").unwrap().search(&["needle y ".repeat(50_000)]),
        Search::Matched
    );
    assert_eq!(
        Regexp::new("(?!x)[yz]needle").unwrap().search(&["needle y ".repeat(50_000)]),
        Search::NotMatched
    );
}

/// Patterns that both engines can run.
fn shared_pattern() -> impl Strategy<Value = String> {
    let atom = prop_oneof![
        "[abc]".prop_map(String::from),
        Just(".".to_owned()),
        Just("[^a]".to_owned()),
        Just("[ab]".to_owned()),
        Just(r"\b".to_owned()),
        Just(r"\s".to_owned()),
        Just("^".to_owned()),
        Just("$".to_owned()),
    ];
    atom.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|parts| parts.concat()),
            prop::collection::vec(inner.clone(), 1..4).prop_map(|parts| format!("(?:{})", parts.join("|"))),
            (inner, prop_oneof![Just("*"), Just("+?"), Just("?"), Just("{2}"), Just("{0,2}"), Just("{1,}?")])
                .prop_map(|(body, quantifier)| format!("({body}){quantifier}")),
        ]
    })
}

proptest! {
    #[test]
    fn both_engines_give_the_same_answer(pattern in shared_pattern(), text in "[abc \n]{0,8}") {
        let tree = parse::parse(&pattern).unwrap();
        prop_assume!(tree.expanded_size() <= MAX_EXPANDED_SIZE);
        let linear = regex::Regex::new(&linear::write(&tree).unwrap()).unwrap();
        let program = Program::compile(&tree, pattern.len());
        let stepped = program.is_match(&text, &mut Steps { left: STEPS });
        prop_assume!(stepped.is_ok());
        prop_assert_eq!(stepped.unwrap(), linear.is_match(&text), "{}", pattern);
        let possible = literals::required(&tree).iter().all(|option| option.iter().any(|l| text.contains(l.as_str())));
        prop_assert!(possible || !linear.is_match(&text), "{} needs more than it should", pattern);
    }
}
