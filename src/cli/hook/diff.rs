//! What a change to a text changes, as people know it from `diff -u`.

use crate::cli::style::{self, painted};
use crate::display::neutralise;

/// Lines shown around a change.
const CONTEXT: usize = 3;

/// The lines that differ, with some around them. A change lies in one place; whatever is between two places is shown.
pub(super) fn diff(name: &str, before: &str, after: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let shorter = old.len().min(new.len());
    let same = |(a, b): &(&&str, &&str)| a == b;
    let head = old.iter().zip(&new).take_while(same).count();
    let tail = old.iter().rev().zip(new.iter().rev()).take(shorter - head).take_while(same).count();
    let start = head.saturating_sub(CONTEXT);
    let mut text = format!("--- {name}\n+++ {name}\n");
    let position = format!(
        "@@ -{},{} +{},{} @@",
        start + 1,
        (old.len() - start).min(old.len() - tail - start + CONTEXT),
        start + 1,
        (new.len() - start).min(new.len() - tail - start + CONTEXT)
    );
    text.push_str(&format!("{}\n", painted(style::FAINT, &position)));
    let mut show = |mark: char, lines: &mut dyn Iterator<Item = &&str>| {
        for line in lines {
            let line = format!("{mark}{}", neutralise(line));
            let painted = match mark {
                '-' => painted(style::ERROR, &line).to_string(),
                '+' => painted(style::HEADING, &line).to_string(),
                _context => line,
            };
            text.push_str(&format!("{painted}\n"));
        }
    };
    show(' ', &mut old.iter().take(head).skip(start));
    show('-', &mut old.iter().take(old.len() - tail).skip(head));
    show('+', &mut new.iter().take(new.len() - tail).skip(head));
    show(' ', &mut old.iter().skip(old.len() - tail).take(CONTEXT));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_that_differ_are_shown_with_some_around_them() {
        let before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let after = "1\n2\n3\n4\nfive\nand\n6\n7\n8\n9\n";
        let shown = anstream::adapter::strip_str(&diff("f", before, after)).to_string();
        assert_eq!(shown, "--- f\n+++ f\n@@ -2,7 +2,8 @@\n 2\n 3\n 4\n-5\n+five\n+and\n 6\n 7\n 8\n");
        let new = anstream::adapter::strip_str(&diff("f", "", "a\n")).to_string();
        assert_eq!(new, "--- f\n+++ f\n@@ -1,0 +1,1 @@\n+a\n");
        let gone = anstream::adapter::strip_str(&diff("f", "a\n", "")).to_string();
        assert_eq!(gone, "--- f\n+++ f\n@@ -1,1 +1,0 @@\n-a\n");
    }
}
