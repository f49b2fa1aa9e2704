//! Commands of the corpora, cut, joined, wrapped and sown with pieces of syntax.

use crate::random::Random;

const SNIPPETS: &[&str] = &[
    "'",
    "\"",
    "\\",
    "`",
    "$",
    "$(",
    ")",
    "(",
    "{",
    "}",
    "{ ",
    "; }",
    ";",
    "\n",
    "&",
    "|",
    "&&",
    "||",
    "<",
    ">",
    ">>",
    "<<",
    "<<<",
    "<<E\n",
    "\nE\n",
    "<<'E'\n",
    "<<-E\n",
    "$(b)",
    "`b`",
    "${x}",
    "${x:-$(b)}",
    "${x#",
    "$((",
    "))",
    "((",
    "[[ ",
    " ]]",
    "[",
    "]",
    "=",
    "x=1 ",
    "x+=(",
    "#",
    " # ",
    "!",
    "! ",
    "if ",
    "then ",
    "fi; ",
    "for i in ",
    "do ",
    "; done",
    "while ",
    "case x in ",
    "esac",
    ";; ",
    "f() { ",
    "function f ",
    "time ",
    "coproc ",
    "$'",
    "\\'",
    "$\"",
    "*",
    "?",
    "~",
    "{a,b}",
    "{1..3}",
    "\\\n",
    " ",
    "\t",
    "<(a)",
    ">(a)",
    ">&-",
    "2>&1",
    "&>x",
    "{fd}>x ",
    "eval ",
    "bash -c ",
    "trap ",
    "\r",
    "é",
    "a[",
    "]=",
    "$1",
    "$@",
    "\"$@\"",
    "$x ",
    "${!x}",
    "${x@P}",
    "@(a|b)",
    "1>",
    "0<",
    "-",
    "--",
    ">|",
    "<>",
    "|&",
    ";&",
    ";;&",
    "${x/a/$(b)}",
    "$[1+1]",
    "[$(b)]",
];
/// What a whole line is put into; the line stands for `@`.
const FRAMES: &[&str] = &[
    "$(@)",
    "a $(@)",
    "a \"$(@)\"",
    "`@`",
    "( @ )",
    "{ @\n}",
    "if @\nthen b; fi",
    "for i in 1; do @\ndone",
    "a <(@)",
    "x=$(@)",
    "case $(@) in *) b;; esac",
    "a ${x:-$(@)}",
    "a \"${x:-$(@)}\"",
    "a <<E\n$(@)\nE",
    "a $((1+$(@)))",
    "[[ -n $(@) ]]",
    "f() { @\n}; f",
    "! @",
    "time @",
    "coproc { @\n}",
    "a && { @\n}",
    "a || @",
    "@ & b",
    "@ | b",
    "a | @",
    "eval '@'",
    "bash -c '@'",
    "trap '@' EXIT",
    "eval \"@\"",
    "bash -c \"@\"",
    "bash <<'E'\n@\nE",
    "source /dev/stdin <<< '@'",
    "test -v 'a[$(@)]'",
    "a {b,$(@)}",
    "a[$(@)]=1 b",
    "x=(a $(@))",
    "declare x=$(@)",
    "a > $(@)",
    "a <<< $(@)",
    "# @",
    "a '@'",
    "a \"@\"",
    "a <<'E'\n@\nE",
    "a <<E\n@\nE",
];

/// A command of the corpus after one to four changes.
pub(super) fn line(random: &mut Random, corpus: &[String]) -> String {
    let any =
        |random: &mut Random| corpus.get(random.below(corpus.len())).map_or("a", String::as_str).to_owned();
    let mut line = any(random);
    for _ in 0..1 + random.below(4) {
        let other = any(random);
        change(random, &mut line, &other);
    }
    line
}

fn change(random: &mut Random, line: &mut String, other: &str) {
    match random.below(10) {
        0 | 1 => {
            let at = place(random, line);
            line.insert_str(at, random.pick(SNIPPETS));
        }
        2 => {
            let (from, to) = range(random, line, 6);
            line.replace_range(from..to, "");
        }
        3 => {
            let (from, to) = range(random, line, 6);
            line.replace_range(from..to, random.pick(SNIPPETS));
        }
        4 => {
            let (from, to) = range(random, line, 20);
            let piece = line[from..to].to_owned();
            let at = place(random, line);
            line.insert_str(at, &piece);
        }
        5 => {
            let (from, to) = range(random, other, 40);
            let at = place(random, line);
            line.insert_str(at, &other[from..to]);
        }
        6 => {
            let words: Vec<&str> = line.split(' ').collect();
            let (first, second) = (random.below(words.len()), random.below(words.len()));
            let mut swapped = words;
            swapped.swap(first, second);
            *line = swapped.join(" ");
        }
        7 => line.truncate(place(random, line)),
        8 => {
            *line =
                format!("{line}{}{other}", random.pick(&["; ", "\n", " && ", " | ", " || ", " & ", " ", ""]))
        }
        _ => *line = random.pick(FRAMES).replace('@', line),
    }
}

/// A place between two characters.
fn place(random: &mut Random, text: &str) -> usize {
    let mut at = random.below(text.len() + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn range(random: &mut Random, text: &str, longest: usize) -> (usize, usize) {
    let from = place(random, text);
    let mut to = (from + random.below(longest) + 1).min(text.len());
    while !text.is_char_boundary(to) {
        to += 1;
    }
    (from, to)
}
