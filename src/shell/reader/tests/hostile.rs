//! Hostile input: nothing panics, overflows a small stack or fails to come back.

use crate::shell::reader::{MAX_BYTES, MAX_COMMANDS, MAX_DEPTH, MAX_WORDS, UnreadReason, read, read_nested};

/// Bounded by what a thread of a server may have.
const STACK: usize = 2 << 20;

/// How long the long inputs are: shorter for a debug build, which is many times slower.
const LENGTH: usize = if cfg!(debug_assertions) { MAX_BYTES / 4 } else { MAX_BYTES };

fn balanced(open: &str, middle: &str, close: &str, count: usize) -> String {
    format!("{}{middle}{}", open.repeat(count), close.repeat(count))
}

fn inputs() -> Vec<String> {
    let mut inputs = Vec::new();
    // Nesting, balanced and open, at depths where an exponential reader, a deep stack or a long text shows.
    for count in [30, 100, 10_000] {
        for (open, middle, close) in [
            ("(", "a", ")"),
            ("( ", "a", " )"),
            ("echo $(a ", "", ")"),
            ("echo \"$(a ", "", ")\""),
            ("{ ", "a;", " }"),
            ("echo ${a:-", "", "}"),
            ("echo ${a#", "", "}"),
            ("echo \"${a:-\"", "x", "\"}\""),
            ("echo $((", "1", "))"),
            ("echo $((", "a", ") )"),
            ("((", "a", ") )"),
            ("((", "a", "))"),
            ("$(( (", "1", ") ))"),
            ("if a;then ", "b;", "fi;"),
            ("case a in a) ", "b;;", "esac;;"),
            ("while a;do ", "b;", "done;"),
            ("for x in a;do ", "b;", "done;"),
            ("select x in a;do ", "b;", "done;"),
            ("f(){ ", "a;", "}"),
            ("coproc a { ", "b;", "}"),
            ("a <(a ", "", ")"),
            ("a ${a[", "0", "]}"),
            ("a[", "0", "]"),
            ("[[ a == @(a|", "b", ") ]]"),
            ("a $(cat <<E\n", "", "E\n)"),
            ("a `a ", "", "`"),
            ("a \"`a ", "", "`\""),
            ("a \"$(", "", ")\""),
            ("a {a,", "", "}"),
        ] {
            inputs.push(balanced(open, middle, close, count));
            inputs.push(open.repeat(count));
        }
        inputs.push(format!("[[ {}a{} ]]", "( ".repeat(count), " )".repeat(count)));
        inputs.push(format!("[[ {}a ]]", "! ".repeat(count)));
        inputs.push(format!("echo $(({}1{}))", "(".repeat(count), ")".repeat(count)));
        inputs.push(format!("[[ a == {}b{} ]]", "@(a|".repeat(count), ")".repeat(count)));
    }
    // Length: one repeated piece up to the limit, or near it between a beginning and an end.
    for (before, piece, after) in [
        ("echo ", "\\", ""),
        ("echo \"", "a", ""),
        ("echo '", "a", ""),
        ("echo ", "a", ""),
        ("echo ", "a ", ""),
        ("echo ", "''", ""),
        ("echo ", "\"\"", ""),
        ("", "a;", ""),
        ("", "a&&", "a"),
        ("", "a|", "a"),
        ("", "\n", ""),
        ("", "#a\n", ""),
        ("echo ", "$", ""),
        ("echo ", "$a", ""),
        ("echo ", "{", ""),
        ("echo {", ",", "}"),
        ("cat <<E\n", "a\n", ""),
        ("", "cat <<A\n", ""),
        ("cat <<E\n", "\\\n", "E"),
        ("cat <<-E\n", "\ta\\\n", "E"),
        ("[[ a ", "&& a ", "]]"),
        ("", "! ", "a"),
        ("", "time ", "a"),
        ("a=(", "x ", ")"),
        ("", "a=b ", "c"),
        ("a ", ">b ", ""),
        ("echo $((", "1+", "1))"),
        ("echo $((", "-", "1))"),
        ("echo $((", "1?1:", "1))"),
        ("echo ", "[", ""),
        ("echo $'", "\\x41", "'"),
        ("echo \"", "\u{20ac}", "\""),
        ("echo ", "\"'\"'\"'", ""),
        ("echo ", "~/a:", ""),
        ("echo a", "\\\n", "b"),
        ("echo ", "a\\\n", "b"),
        ("", "{a", ""),
        ("", "{a[", ""),
        ("", "a[", ""),
        ("", "1", ">"),
        ("", "a ((b)", ""),
        ("", "((a);", ""),
        ("", "$((a);", ""),
        ("", "a\r\n", ""),
        ("", "a `b`;", ""),
        ("", "x=$((1))\n", ""),
    ] {
        let count = (LENGTH - before.len() - after.len()) / piece.len();
        inputs.push(format!("{before}{}{after}", piece.repeat(count)));
    }
    let operators: String = (0..5000).map(|each| format!("<<E{each} ")).collect();
    let bodies: String = (0..5000).map(|each| format!("x\nE{each}\n")).collect();
    inputs.push(format!("cat {operators}\n{bodies}"));
    let backquotes = |range: &mut dyn Iterator<Item = u32>, tail: &str| -> String {
        range.map(|each| format!("{}`{tail}", "\\".repeat((1 << each) - 1))).collect()
    };
    inputs.push(format!("echo {}{}", backquotes(&mut (0..12), "a "), backquotes(&mut (0..12).rev(), "")));
    inputs
}

#[test]
fn long_and_deep_input_is_answered_on_a_small_stack() {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(|| {
        let inputs = inputs();
        assert!(inputs.len() > 200);
        for input in inputs {
            // Read or refused, but answered: an exponential reader would not come back, a quadratic one in minutes.
            if let Err(error) = read(&input) {
                assert!(error.at <= input.len(), "{} of {}: {}", error.at, input.len(), error.reason);
            }
        }
    });
    thread.unwrap().join().unwrap();
}

#[test]
fn nesting_up_to_the_bound_is_read_and_beyond_it_is_an_error() {
    for (open, middle, close) in
        [("( ", "a", " )"), ("{ ", "a;", " }"), ("if a; then ", "b;", "fi;"), ("while a; do ", "b;", "done;")]
    {
        let deepest = MAX_DEPTH as usize - 1;
        assert!(read(&balanced(open, middle, close, deepest)).is_ok(), "{open}");
        let error = read(&balanced(open, middle, close, deepest + 1)).unwrap_err();
        assert_eq!(error.reason, UnreadReason::TooDeep, "{open}");
    }
    // A substitution takes two levels: its own and that of the command in it.
    assert!(read(&balanced("$(a ", "", ")", MAX_DEPTH as usize / 2 - 1)).is_ok());
}

#[test]
fn nested_text_counts_the_depth_around_it_and_has_no_spans() {
    assert!(read_nested("a", MAX_DEPTH - 1).is_ok());
    assert_eq!(read_nested("a", MAX_DEPTH).unwrap_err().reason, UnreadReason::TooDeep);
    assert_eq!(read_nested("a", u32::MAX).unwrap_err().reason, UnreadReason::TooDeep);
    let script = read_nested("a $(b)", 0).unwrap();
    assert!(super::walk::Flat::of(&script).commands.iter().all(|command| command.span.is_none()));
}

#[test]
fn more_words_than_the_bound_are_an_error() {
    let words = |count: u32| "a ".repeat(count as usize);
    assert!(read(&words(MAX_WORDS)).is_ok());
    assert_eq!(read(&words(MAX_WORDS + 1)).unwrap_err().reason, UnreadReason::TooManyWords);
}

#[test]
fn text_beyond_the_bounds_is_an_error() {
    assert_eq!(read(&"a".repeat(MAX_BYTES + 1)).unwrap_err().reason, UnreadReason::TooLong);
    assert!(read(&"a".repeat(MAX_BYTES)).is_ok());
    assert!(read(&"a;".repeat(MAX_COMMANDS as usize)).is_ok());
    for text in ["a;", "a `b`;", "a $(b);", "((a) );"] {
        let error = read(&text.repeat(MAX_COMMANDS as usize + 1)).unwrap_err();
        assert!(
            matches!(error.reason, UnreadReason::TooManyCommands | UnreadReason::AmbiguousParentheses),
            "{text}"
        );
    }
    let error = read("a\0b; rm x").unwrap_err();
    assert_eq!((error.at, error.reason), (1, UnreadReason::NulByte));
    assert_eq!(error.to_string(), "contains a NUL byte at byte 1");
}

#[test]
fn random_pieces_of_syntax_never_panic() {
    const PIECES: [&str; 64] = [
        "a", "b ", " ", "\n", ";", "&", "|", "<", ">", "(", ")", "{", "}", "[", "]", "$", "`", "\"", "'",
        "\\", "\\\n", "=", "+", "-", "!", "#", "*", "?", "~", "@", "%", "/", ":", ",", "^", "$(", "${",
        "$((", "))", "((", "[[ ", " ]]", "<<E", "E\n", "<<-E", "\t", "if ", "then ", "fi", "case ", " in ",
        "esac", "for ", "do ", "done", "x=(", "x[", "$'", "$\"", ">&", "-n ", "é", "\u{a0}", "time ",
    ];
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    for _ in 0..60_000 {
        let mut input = String::new();
        for _ in 0..(state >> 60) + 2 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            input.push_str(PIECES[(state >> 32) as usize % PIECES.len()]);
        }
        match read(&input) {
            Ok(script) => drop(script),
            Err(error) => assert!(error.at <= input.len() && input.is_char_boundary(error.at), "{input:?}"),
        }
    }
}
