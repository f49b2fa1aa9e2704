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

#[cfg(test)]
mod tests {
    use super::counts_whole;

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
