//! Lines composed of every construct of bash, nested in one another.
//!
//! Promises lines that are well-formed but for a few whose parts do not go together, and loops that end.

use super::flowing;
use crate::random::Random;

/// How deep constructs are nested.
const DEPTH: u32 = 3;

/// A composed line, and whether a command in it takes code from its arguments or from a variable.
pub(super) fn line(random: &mut Random) -> (String, bool) {
    let mut composer = Composer { random, documents: Vec::new(), nested: false, evaluating: false };
    let depth = 1 + u32::try_from(composer.random.below(DEPTH as usize)).unwrap_or(1);
    let line = composer.script(depth);
    (line + &composer.bodies(), composer.evaluating)
}

struct Composer<'r> {
    random: &'r mut Random,
    /// The bodies of here-documents that wait for the next line.
    documents: Vec<String>,
    /// Inside something that a newline and a here-document's body would complicate.
    nested: bool,
    /// Some command takes code from its arguments or from a variable.
    evaluating: bool,
}

impl Composer<'_> {
    fn pick(&mut self, choices: &[&'static str]) -> &'static str {
        self.random.pick(choices)
    }

    fn bodies(&mut self) -> String {
        if self.documents.is_empty() {
            return String::new();
        }
        format!("\n{}", self.documents.drain(..).collect::<String>())
    }

    fn newline(&mut self) -> String {
        let bodies = self.bodies();
        if bodies.is_empty() { "\n".to_owned() } else { bodies }
    }

    /// Runs a part whose here-documents must not wait for a line outside of it.
    fn closed(&mut self, make: impl FnOnce(&mut Self) -> String) -> String {
        let outside = std::mem::take(&mut self.documents);
        let was = std::mem::replace(&mut self.nested, true);
        let inner = make(self);
        let bodies = self.bodies();
        self.nested = was;
        self.documents = outside;
        inner + &bodies
    }

    fn script(&mut self, depth: u32) -> String {
        let mut script = self.list(depth);
        for _ in 0..[0, 0, 0, 1, 1, 2][self.random.below(6)] {
            script += &self.separator();
            script += &self.list(depth);
        }
        if self.random.chance(5) {
            script += self.pick(&[" &", ";", " # b", "\n# b; c", " #", "  "]);
        }
        script
    }

    fn separator(&mut self) -> String {
        match self.random.below(8) {
            0..3 => self.pick(&["; ", ";", " ; "]).to_owned(),
            3 => self.pick(&[" & ", "&"]).to_owned(),
            4 => format!(" # c{}", self.newline()),
            _ => self.newline(),
        }
    }

    /// The end of a list in front of `then`, `}` and the like.
    fn end(&mut self) -> String {
        if self.random.chance(60) && self.documents.is_empty() { "; ".to_owned() } else { self.newline() }
    }

    fn list(&mut self, depth: u32) -> String {
        let mut list = self.pipeline(depth);
        for _ in 0..[0, 0, 0, 0, 1, 2][self.random.below(6)] {
            list += self.pick(&[" && ", " || ", "&&", "||"]);
            if self.random.chance(8) {
                list += &self.newline();
            }
            list += &self.pipeline(depth);
        }
        list
    }

    fn pipeline(&mut self, depth: u32) -> String {
        let mut pipeline = String::new();
        if self.random.chance(8) {
            pipeline += self.pick(&["! ", "time ", "time -p ", "! time ", "time ! ", "! ! "]);
        }
        pipeline += &self.command(depth);
        for _ in 0..[0, 0, 0, 0, 0, 1, 1, 2][self.random.below(8)] {
            pipeline += self.pick(&[" | ", "|", " |& ", "| "]);
            if self.random.chance(5) {
                pipeline += &self.newline();
            }
            pipeline += &self.command(depth);
        }
        pipeline
    }

    fn command(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.chance(62) {
            return self.simple(depth);
        }
        let mut command = self.compound(depth - 1);
        if self.random.chance(15) {
            command += " ";
            command += &self.redirect(depth - 1);
        }
        command
    }

    fn compound(&mut self, depth: u32) -> String {
        match self.random.below(17) {
            0 | 1 => format!("( {} )", self.script_and_bodies(depth)),
            2 => format!("({})", self.script_and_bodies(depth)),
            3 => format!("{{ {}{}}}", self.script(depth), self.end()),
            4 => {
                let mut text = format!("if {}{}", self.script(depth), self.end());
                text += &format!("then {}{}", self.script(depth), self.end());
                if self.random.chance(25) {
                    text += &format!("elif {}{}", self.list(depth), self.end());
                    text += &format!("then {}{}", self.list(depth), self.end());
                }
                if self.random.chance(50) {
                    text += &format!("else {}{}", self.script(depth), self.end());
                }
                text + "fi"
            }
            5 => {
                let word = self.pick(&["while", "until"]);
                let mut text = format!("{word} {}{}", self.list(depth), self.end());
                text += &format!("do {}{}", self.script(depth), self.end());
                text + "break; done"
            }
            6 | 7 => {
                let name = self.pick(&["i", "x", "_v", "do"]);
                let mut text = format!("for {name}");
                if self.random.chance(85) {
                    text += " in";
                    for _ in 0..self.random.below(3) + 1 {
                        text += " ";
                        text += &self.word(depth);
                    }
                }
                text += &self.end();
                let (open, close) = if self.random.chance(88) { ("do ", "done") } else { ("{ ", "}") };
                text += &format!("{open}{}{}", self.script(depth), self.end());
                text + close
            }
            8 => {
                let step = self.arithmetic(depth);
                let mut text = format!("for ((i=0; i<1; i++, {step})){}", self.pick(&[" ", "; ", ""]));
                text += &format!("do {}{}", self.script(depth), self.end());
                text + "done"
            }
            9 => {
                let word = self.word(depth);
                let mut text = format!("case {word} in{}", self.pick(&[" ", "\n"]));
                for _ in 0..1 + self.random.below(2) {
                    text += self.pick(&["", "(", "( "]);
                    text += &self.pattern(depth);
                    if self.random.chance(30) {
                        text += self.pick(&["|", " | "]);
                        text += &self.pattern(depth);
                    }
                    text += self.pick(&[") ", ")"]);
                    text += &self.closed(|composer| composer.script(depth));
                    text += self.pick(&[";; ", ";;\n", ";& ", ";;& ", "\n;;\n"]);
                }
                text + self.pick(&["*) b;; ", "*) ", ""]) + "esac"
            }
            10 | 11 => {
                let head =
                    self.pick(&["f() ", "f () ", "function f ", "function f() ", "f()\n", "function f-g "]);
                let call = if head.contains("f-g") { "f-g" } else { "f" };
                let body = self.closed(|composer| composer.script(depth));
                let body = match self.random.below(4) {
                    0 => format!("( {body}\n)"),
                    _ => format!("{{ {body}\n}}"),
                };
                format!("{head}{body}; {call} {}", self.word(depth))
            }
            12 => format!("[[ {} ]]", self.condition(depth)),
            13 => format!("(( {} ))", self.arithmetic(depth)),
            14 => {
                let head = self.pick(&["coproc ", "coproc N "]);
                format!("{head}{{ {}{}}}", self.script(depth), self.end())
            }
            15 => {
                let word = self.word(depth);
                let mut text = format!("select x in {word}{}", self.end());
                text += &format!("do {}{}", self.script(depth), self.end());
                text + "break; done"
            }
            _ => format!("! {{ {}{}}}", self.script(depth), self.end()),
        }
    }

    fn script_and_bodies(&mut self, depth: u32) -> String {
        self.closed(|composer| composer.script(depth))
    }

    fn simple(&mut self, depth: u32) -> String {
        if self.random.chance(6) {
            return self.evaluating(depth.saturating_sub(1));
        }
        let mut words: Vec<String> = Vec::new();
        for _ in 0..[0, 0, 0, 0, 0, 0, 1, 2][self.random.below(8)] {
            words.push(self.assignment(depth));
        }
        if words.is_empty() || self.random.chance(70) {
            let name = if self.random.chance(97) {
                self.pick(&["a", "b", "c", "rm", "git", "foo", "ls", "echo", "x-y", "/bin/rm", "cd", "tar"])
                    .to_owned()
            } else {
                self.word(depth)
            };
            words.push(name);
            for _ in 0..self.random.below(4) {
                words.push(self.word(depth));
            }
        }
        for _ in 0..[0, 0, 0, 0, 0, 1, 1, 2][self.random.below(8)] {
            let redirect = self.redirect(depth);
            let at = self.random.below(words.len() + 1);
            words.insert(at, redirect);
        }
        words.join(self.pick(&[" ", " ", " ", " ", "  ", "\t", " \\\n"]))
    }

    fn assignment(&mut self, depth: u32) -> String {
        let name = self.pick(&["x", "y", "A_1", "PATH2", "x[0]", "z[1+1]", "x", "_"]);
        let operator = self.pick(&["=", "=", "=", "+="]);
        if self.random.chance(15) {
            let separator = self.pick(&[" ", " ", "\n", "  # c\n"]);
            let words: Vec<String> = (0..self.random.below(3)).map(|_| self.word(depth)).collect();
            return format!(
                "{}{operator}({})",
                name.split('[').next().unwrap_or(name),
                words.join(separator)
            );
        }
        if self.random.chance(10) {
            format!("{name}{operator}")
        } else {
            format!("{name}{operator}{}", self.word(depth))
        }
    }

    /// A command that takes code from its arguments.
    fn evaluating(&mut self, depth: u32) -> String {
        self.evaluating = true;
        let code = self.closed(|composer| composer.script(depth.min(2)));
        let quoted = self.quote(&code);
        let short = format!("$({} {})", self.pick(&["b", "rm", "foo"]), self.pick(&["x", "-f y", "'z z'"]));
        match self.random.below(40) {
            0 | 1 => format!("eval {quoted}"),
            2 => format!("eval foo {quoted}"),
            3 => format!("eval -- {quoted} x"),
            4 => format!("trap {quoted} EXIT"),
            5 => format!("trap -- {quoted} 0 TERM"),
            6 | 7 => format!("bash -c {quoted}"),
            8 => format!("sh -c {quoted} name 'b c'"),
            9 => format!("bash -xec {quoted}"),
            10 => format!("bash -o pipefail +x -c {quoted} -- x"),
            11 => format!("bash <<< {quoted}"),
            12 => format!("echo {quoted} | bash"),
            13 => format!("source /dev/stdin <<< {quoted}"),
            14 => format!("test -v 'a[{short}]'"),
            15 => format!("[ -v 'a[{short}]' ]"),
            16 => format!("printf -v 'a[{short}]' y"),
            17 => format!("let 'v=a[{short}]'"),
            18 => format!("declare 'a[{short}]=1'"),
            19 => format!("declare -a 'v=({short})'"),
            20 => format!("read 'a[{short}]' <<< y"),
            21 => format!("[[ 'a[{short}]' -eq 0 ]]"),
            22 => format!("x='a[{short}]'; (( x ))"),
            23 => format!("compgen -W '{short}'"),
            24 => format!("mapfile -C {quoted} -c 1 q <<< y"),
            25 => format!("PS4='{short}'; set -x; {}", self.pick(&["a", "b"])),
            26 => format!("command {}", self.simple(depth.min(1))),
            27 => format!("builtin eval {quoted}"),
            28 => format!("export y={quoted}; eval \"$y\""),
            29 => format!("x={quoted}; {}", self.pick(&["eval $x", "$x", "eval \"$x\" z", "bash -c \"$x\""])),
            30 => format!("a=(1); unset 'a[{short}]'"),
            31 => format!("declare -i x='a[{short}]'"),
            32..39 => flowing::line(self.random),
            _ => format!("y='{short}'; {}", self.pick(&["a ${y@P}", "a $y", "z=\"$y\"; eval \"b $z\""])),
        }
    }

    fn quote(&mut self, text: &str) -> String {
        match self.random.below(4) {
            0 => {
                let escaped: String = text
                    .chars()
                    .flat_map(|character| {
                        let escape = matches!(character, '"' | '\\' | '$' | '`').then_some('\\');
                        escape.into_iter().chain([character])
                    })
                    .collect();
                format!("\"{escaped}\"")
            }
            1 => format!("$'{}'", text.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n")),
            2 if !text.contains('"') => format!("\"{text}\""),
            _ => format!("'{}'", text.replace('\'', "'\\''")),
        }
    }

    fn redirect(&mut self, depth: u32) -> String {
        let descriptor = self.pick(&["", "", "", "", "", "2", "1", "0", "{fd}", "9"]);
        match self.random.below(10) {
            0 => {
                let (mark, delimiter, plain) = self.random.pick(&[
                    ("<<E", "E", false),
                    ("<<'E'", "E", true),
                    ("<<-E", "E", false),
                    ("<<\\E", "E", true),
                    ("<< \"E F\"", "E F", true),
                    ("<<E\"\"", "E", true),
                    ("<<-'EOF'", "EOF", true),
                ]);
                let body = if plain && self.random.chance(10) {
                    "$(nothing) `nothing` ${\n".to_owned()
                } else {
                    let inner = self.closed(|composer| composer.quoted_parts(depth.saturating_sub(1)));
                    let inner = inner.replace('"', "");
                    if plain { format!("{}\n", inner.replace('\n', " ")) } else { format!("{inner}\n") }
                };
                let tab = if mark.starts_with("<<-") && self.random.chance(50) { "\t" } else { "" };
                self.documents.push(format!("{tab}{body}{tab}{delimiter}\n"));
                format!("{descriptor}{mark}")
            }
            1 => format!("{descriptor}<<< {}", self.word(depth)),
            2 => self
                .pick(&["2>&1", ">&2", "1>&-", "<&-", "3>&1", "&>x", "&>>x", ">&x", "2>&1-", ">|x", "<>x"])
                .to_owned(),
            3 => format!("< <({})", self.closed(|composer| composer.list(depth.saturating_sub(1)))),
            4 => format!("> >({})", self.closed(|composer| composer.list(depth.saturating_sub(1)))),
            5 => format!("{descriptor}{}{}", self.pick(&[">", ">>", "> ", ">|"]), self.word(depth.min(1))),
            _ => format!(
                "{descriptor}{}{}",
                self.pick(&[">", ">>", "> ", "<", "< "]),
                self.pick(&["/dev/null", "x", "y"])
            ),
        }
    }

    fn word(&mut self, depth: u32) -> String {
        let mut word = String::new();
        for _ in 0..[1, 1, 1, 1, 2, 3][self.random.below(6)] {
            word += &self.part(depth);
        }
        word
    }

    fn part(&mut self, depth: u32) -> String {
        // Rare as in life, since beside arithmetic it makes a line opaque.
        if self.random.chance(1) {
            return self.pick(&["'$(no)'", "\\`", "'`no`'", "'x[$(no)]'", "\"\\$(no)\""]).to_owned();
        }
        if depth == 0 || self.random.chance(45) {
            return self
                .pick(&[
                    "x",
                    "y",
                    "-rf",
                    "/",
                    "a.b",
                    "--k=v",
                    "1",
                    "''",
                    "\"\"",
                    "'a b'",
                    "\"a b\"",
                    "\\ ",
                    "\\'",
                    "\\$",
                    "\\\\",
                    "a#b",
                    "%",
                    "=",
                    "a=b",
                    "$x",
                    "\"$x\"",
                    "${x}",
                    "$1",
                    "$@",
                    "\"$@\"",
                    "$?",
                    "$$",
                    "$",
                    "\"$\"",
                    "*",
                    "?",
                    "[ab]",
                    "[",
                    "]",
                    "~",
                    "~/x",
                    "{",
                    "}",
                    "{}",
                    "{a,b}",
                    "{1..3}",
                    "{a,{b,c}}x",
                    "{a",
                    "a,b}",
                    "$'a\\tb'",
                    "$'\\x41\\'z'",
                    "$\"m\"",
                    "\\\n",
                    "-",
                    "--",
                    ":",
                    "^",
                    "!",
                    "a!b",
                    "é",
                    "'no'",
                    "'#'",
                ])
                .to_owned();
        }
        let depth = depth - 1;
        match self.random.below(18) {
            0..4 => format!("$({})", self.closed(|composer| composer.script(depth))),
            4 => format!("$( {} )", self.closed(|composer| composer.script(depth))),
            5 | 6 => format!("\"{}\"", self.quoted_parts(depth)),
            7 => {
                let inner = self.closed(|composer| composer.list(depth.min(1)));
                format!("`{}`", inner.replace('\\', "\\\\").replace('`', "\\`"))
            }
            8..11 => self.parameter(depth, false),
            11 => format!("$(({}))", self.arithmetic(depth)),
            12 => format!("$[{}]", self.arithmetic(depth)),
            13 => format!("<({})", self.closed(|composer| composer.script(depth))),
            14 => format!(">({})", self.closed(|composer| composer.list(depth))),
            15 => format!("{{{},{}}}", self.part(depth), self.part(depth)),
            16 => format!("$\"{}\"", self.quoted_parts(depth)),
            _ => format!("'{}'", self.pick(&["a\nb", "\"", "\\", ";|&", "#"])),
        }
    }

    fn quoted_parts(&mut self, depth: u32) -> String {
        let mut text = String::new();
        for _ in 0..1 + self.random.below(3) {
            if depth == 0 || self.random.chance(50) {
                text += self.pick(&[
                    "a", " ", "$x", "${x}", "'", "\\\"", "\\$", "\\\\", "\\\n", "\n", "#", ";", "!", "*",
                    "~", "{a,b}", "$", "$@", "\\a", "(", ")", "}", "<(no)",
                ]);
                continue;
            }
            let inner = depth - 1;
            text += &match self.random.below(6) {
                0..3 => format!("$({})", self.closed(|composer| composer.script(inner))),
                3 => format!("$(({}))", self.arithmetic(inner)),
                4 => format!("`{} {}`", self.pick(&["a", "b"]), self.pick(&["x", "y"])),
                _ => self.parameter(inner, true),
            };
        }
        text
    }

    fn parameter(&mut self, depth: u32, quoted: bool) -> String {
        let name = self.pick(&["x", "y", "1", "@", "z[0]", "z[@]", "#", "x", "nope", "?"]);
        let operand = |composer: &mut Self| {
            if quoted {
                composer.quoted_parts(depth).replace('}', "")
            } else {
                composer.word(depth).replace(['{', '}'], "")
            }
        };
        match self.random.below(14) {
            0..4 => format!("${{{name}{}{}}}", self.pick(&[":-", "-", ":+", "+", ":=", "="]), operand(self)),
            4 => format!("${{nope:-$({})}}", self.closed(|composer| composer.script(depth))),
            5 => format!("${{{name}{}{}}}", self.pick(&["#", "##", "%", "%%"]), operand(self)),
            6 => format!("${{x/{}/{}}}", self.pick(&["a", "?", "/a"]), operand(self)),
            7 => format!("${{x:{}}}", self.arithmetic(depth)),
            8 => format!("${{x:{}:{}}}", self.pick(&["0", "1", " -1"]), self.arithmetic(depth)),
            9 => format!("${{z[{}]}}", self.arithmetic(depth)),
            10 => self
                .pick(&[
                    "${#x}", "${!x}", "${x@Q}", "${x^^}", "${x,,}", "${!x*}", "${#z[@]}", "${x@P}",
                    "${!z[@]}",
                ])
                .to_owned(),
            11 => format!("${{x^{}}}", operand(self)),
            12 => format!("${{nope?{}}}", operand(self)),
            _ => format!("${{{name}}}"),
        }
    }

    fn arithmetic(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.chance(50) {
            return self
                .pick(&[
                    "1", "x", "1+1", "x=2", "i++", "-1", "1<2", "x?1:2", "(1+2)*3", "1<<2", "y[0]", "$x",
                    "${x:-1}", "16#ff",
                ])
                .to_owned();
        }
        let inner = depth - 1;
        match self.random.below(5) {
            0 | 1 => format!("$({})", self.closed(|composer| composer.script(inner))),
            2 => format!("z[{}]", self.arithmetic(inner)),
            3 => format!("{} + {}", self.arithmetic(inner), self.arithmetic(inner)),
            _ => format!("({})", self.arithmetic(inner)),
        }
    }

    fn condition(&mut self, depth: u32) -> String {
        match self.random.below(10) {
            0 => format!("-n {}", self.word(depth)),
            1 => format!("{} == {}", self.word(depth), self.pattern(depth)),
            2 => format!(
                "{} =~ {}",
                self.word(depth),
                self.pick(&["^a.*$", "(a|b)", "[[:alpha:]]+", "$x", "a\\ b", "\"a b\""])
            ),
            3 => format!("{} -eq {}", self.pick(&["1", "x", "$x"]), self.arithmetic(0)),
            4 => format!("{} < {}", self.word(depth), self.word(depth)),
            5 => format!("! {}", self.word(depth)),
            6 if depth > 0 => format!("{} && {}", self.condition(depth - 1), self.condition(depth - 1)),
            7 if depth > 0 => format!("( {} || {} )", self.condition(depth - 1), self.condition(depth - 1)),
            8 => format!("-f {} ", self.word(depth)),
            _ => self.word(depth),
        }
    }

    fn pattern(&mut self, depth: u32) -> String {
        if self.random.chance(60) {
            return self
                .pick(&[
                    "*", "a", "x*", "[ab]", "'a b'", "\"$x\"", "?", "a\\ b", "@(a|b)", "+(a)", "esac", "!(b)",
                ])
                .to_owned();
        }
        self.word(depth)
    }
}
