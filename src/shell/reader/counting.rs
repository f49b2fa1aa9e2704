//! Passages whose end bash finds by counting brackets before it looks at what is inside.
//!
//! Promises to tell when reading by structure and counting certainly find the same end.

/// Whether a passage read by structure is also whole when only quotes and this pair of brackets are counted. Says no
/// wherever quotes could make a difference.
pub(super) fn counts_whole(passage: &str, open: u8, close: u8) -> bool {
    let has_quotes = passage.contains(['\'', '"', '\\']);
    if has_quotes && (passage.contains('#') || passage.contains("<<")) {
        return false;
    }
    let mut level = 0usize;
    for byte in passage.bytes() {
        if byte != open && byte != close {
            continue;
        }
        if has_quotes || (byte == close && level == 0) {
            return false;
        }
        if byte == open { level += 1 } else { level -= 1 }
    }
    level == 0
}

/// Whether the parentheses of an expression in `$((…))` pair up, as bash counts them once more when it expands: if not, it runs
/// the expression as commands. Says no wherever quotes could make a difference.
pub(super) fn parentheses_pair_up(expression: &str) -> bool {
    let (mut level, mut level_outside_quotes) = (0usize, 0usize);
    let mut quote = None;
    let mut escaped = false;
    for byte in expression.bytes() {
        if escaped {
            escaped = false;
            continue;
        }
        match (byte, quote) {
            (b'\\', None | Some(b'"')) => escaped = true,
            (b'\'' | b'"', None) => quote = Some(byte),
            (b'\'' | b'"', Some(open)) if open == byte => quote = None,
            _ => {}
        }
        for (counted, level) in [(true, &mut level), (quote.is_none(), &mut level_outside_quotes)] {
            match byte {
                b'(' if counted => *level += 1,
                b')' if counted => match level.checked_sub(1) {
                    Some(outer) => *level = outer,
                    None => return false,
                },
                _ => {}
            }
        }
    }
    level == 0 && level_outside_quotes == 0
}

#[cfg(test)]
mod tests {
    use super::{counts_whole, parentheses_pair_up};

    #[test]
    fn a_case_in_an_expression_leaves_a_parenthesis_over() {
        for (expression, expected) in [
            ("1+$(a)", true),
            ("$(wc -l < \"f (1)\") + 1", true),
            ("1+$(case x in x) a;; esac)", false),
            ("1+$(case x in *')'*) a;; esac)", false),
            ("$(a ')')", false),
            ("$(a \"(\" ')')", true),
        ] {
            assert_eq!(parentheses_pair_up(expression), expected, "{expression:?}");
        }
    }

    #[test]
    fn quotes_next_to_brackets_are_never_certain() {
        for (passage, expected) in [
            ("$(a)", true),
            ("${x:-\"a\"}", true),
            ("${x:-)}", false),
            ("$(case a in a) b;; esac)", false),
            ("${x:-\")\"}", false),
            ("$(a # it's\n)", false),
            ("${x:-)(}", false),
        ] {
            assert_eq!(counts_whole(passage, b'(', b')'), expected, "{passage:?}");
        }
    }
}
