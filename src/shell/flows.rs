//! Whether code that stands in the text as data can reach a variable or text that bash evaluates.
//!
//! Promises that no way is left out (assignments, loops, builtins that set variables, what bash sets itself, the output of
//! commands): where it is not certain that a value holds no code, it may. Takes no account of the order of commands. Does not
//! follow what programs make of their input, such as decoding it. Knows nothing of rules.

use std::collections::{HashMap, HashSet};

use super::expressions::{Lookup, assigned, expression, identifiers, parameter, value_of_parameter};
use super::segment::Segment;
use super::tree::{AssignedValue, Assignment, Expansion, ExpansionKind, Part, Word};
use super::word::{base_name, constant, is_array, message};

/// The most variables that are followed from evaluations.
const MAX_NAMES: usize = 4096;

/// The characters of which constants could make code.
#[derive(Debug, Default, Clone, Copy)]
struct Ingredients {
    dollar: bool,
    parenthesis: bool,
    /// A whole beginning of code.
    code: bool,
}

impl Ingredients {
    fn add(&mut self, text: &str) {
        let (mut dollar, mut escapes) = (false, false);
        for byte in text.bytes() {
            match byte {
                b'`' => self.code = true,
                b'$' => dollar = true,
                b'(' => self.parenthesis = true,
                b'\\' => escapes = true,
                _ => {}
            }
        }
        self.dollar |= dollar;
        // A substitution of later versions.
        self.code |= dollar && ["${ ", "${\t", "${\n", "${|"].iter().any(|start| text.contains(start));
        self.code |= escapes && text.split('\\').skip(1).any(escapes_to_code);
    }

    fn make_code(self) -> bool {
        self.code || (self.dollar && self.parenthesis)
    }
}

/// Whether the characters behind a backslash may be the number of a dollar sign or a backquote, for programs that decode them.
fn escapes_to_code(behind: &str) -> bool {
    let digits = behind.trim_start_matches(['x', 'u', 'U', '0']);
    ["24", "60", "44", "140"].iter().any(|number| digits.starts_with(number))
}

/// What a variable may be set to.
#[derive(Debug, Default)]
struct Written {
    /// Names of variables that its value may hold, or whose values it may be.
    names: HashSet<String>,
    /// It may hold code.
    code: bool,
}

/// How the words of a value become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// One word, which is only expanded.
    Scalar,
    /// Words that braces, blanks and file names may make several of.
    List,
}

/// What was found in a text.
#[derive(Debug, Default)]
pub(super) struct Flows {
    ingredients: Ingredients,
    /// The variables whose values are evaluated.
    evaluated: HashSet<String>,
    /// Something is evaluated of which the text does not say what it is.
    evaluates_anything: bool,
    written: HashMap<String, Written>,
    /// Variables may be set of which the text does not say which.
    writes_anything: bool,
}

impl Flows {
    /// Takes note of constant text.
    pub(super) fn constant(&mut self, text: &str) {
        self.ingredients.add(text);
    }

    /// Anything may be evaluated.
    pub(super) fn evaluate_anything(&mut self) {
        self.evaluates_anything = true;
    }

    /// An arithmetic expression is evaluated.
    pub(super) fn evaluate(&mut self, text: &str) {
        // A parenthesis of the expression may stand behind a dollar sign that an expansion puts in.
        self.ingredients.parenthesis |= text.split('(').rev().skip(1).any(|before| {
            before.ends_with(|last: char| matches!(last, '_' | '}') || last.is_ascii_alphanumeric())
        });
        if !self.evaluates_anything {
            self.look_up(&expression(text));
        }
    }

    /// A word is evaluated once more after it was expanded.
    pub(super) fn evaluate_word(&mut self, word: &Word) {
        let mut filled = word.parts.iter().filter(|part| !is_empty(part)).peekable();
        while let Some(part) = filled.next() {
            match part {
                Part::Text { text, .. } => self.evaluate(text),
                Part::Expansion(expansion) if filled.peek().is_none() && word.parts.first() == Some(part) => {
                    self.look_up(&value_of(expansion));
                }
                // It may complete a name or code beside it.
                Part::Expansion(_) => self.evaluates_anything = true,
            }
        }
    }

    fn look_up(&mut self, found: &Lookup<'_>) {
        self.evaluates_anything |= found.unknown;
        for name in &found.names {
            if self.evaluated.len() >= MAX_NAMES {
                self.evaluates_anything = true;
                return;
            }
            if !self.evaluated.contains(*name) {
                self.evaluated.insert((*name).to_owned());
            }
        }
    }

    /// What an expansion evaluates and sets, with all that stand in it.
    pub(super) fn expansion(&mut self, expansion: &Expansion) {
        match expansion.kind {
            ExpansionKind::Arithmetic => {
                let inside = expansion.raw.strip_prefix("$((").or_else(|| expansion.raw.strip_prefix("$["));
                self.evaluate(inside.unwrap_or(&expansion.raw));
            }
            ExpansionKind::Parameter if expansion.raw.contains('{') => {
                self.look_up(&parameter(&expansion.raw));
                if let Some((name, value)) = assigned(&expansion.raw) {
                    match name {
                        Some(name) => self.write(name, &value),
                        None => self.writes_anything = true,
                    }
                }
            }
            ExpansionKind::Parameter
            | ExpansionKind::Command
            | ExpansionKind::Process
            | ExpansionKind::Locale
            | ExpansionKind::ExtendedPattern => {}
        }
        if let Some(inside) = &expansion.inside {
            self.ingredients.add(&inside.literals);
            inside.expansions.iter().for_each(|inner| self.expansion(inner));
        }
    }

    /// A loop goes through words, or where there are none through the arguments of the script.
    pub(super) fn loop_over(&mut self, variable: &str, words: Option<&[Word]>) {
        match words {
            Some(words) => words.iter().for_each(|word| self.write_word(variable, word, Place::List)),
            None => self.write_unknown(variable),
        }
    }

    /// Whether code in a constant can reach what is evaluated. `segments` are all commands of the text.
    pub(super) fn code_is_evaluated(&mut self, segments: &[Segment]) -> bool {
        let evaluates = self.evaluates_anything || !self.evaluated.is_empty();
        if !evaluates || !self.ingredients.make_code() {
            return false;
        }
        if self.evaluates_anything {
            return true;
        }
        for segment in segments {
            for assignment in &segment.assignments {
                self.assignment(assignment);
            }
            self.command(&segment.words);
        }
        self.writes_anything || self.reaches_code()
    }

    fn reaches_code(&self) -> bool {
        let mut seen: HashSet<&str> = self.evaluated.iter().map(String::as_str).collect();
        let mut open: Vec<&str> = seen.iter().copied().collect();
        while let Some(name) = open.pop() {
            let Some(written) = self.written.get(name) else { continue };
            if written.code {
                return true;
            }
            open.extend(written.names.iter().map(String::as_str).filter(|name| seen.insert(name)));
        }
        false
    }

    fn write(&mut self, name: &str, value: &Lookup<'_>) {
        if !self.written.contains_key(name) {
            self.written.insert(name.to_owned(), Written::default());
        }
        let Some(written) = self.written.get_mut(name) else { return };
        written.code |= value.unknown;
        if !written.code {
            written.names.extend(value.names.iter().map(|name| (*name).to_owned()));
        }
    }

    fn write_unknown(&mut self, name: &str) {
        self.write(name, &Lookup { names: Vec::new(), unknown: true });
    }

    fn assignment(&mut self, assignment: &Assignment) {
        let name = &assignment.name;
        match &assignment.value {
            AssignedValue::Scalar(None) => {}
            // What is added may complete a name or code.
            AssignedValue::Scalar(Some(word)) if assignment.append && completes_a_name(word) => {
                self.write_unknown(name);
            }
            AssignedValue::Scalar(Some(word)) => self.write_word(name, word, Place::Scalar),
            AssignedValue::Array(words) => {
                for word in words {
                    self.write_word(name, word, Place::List);
                }
            }
        }
    }

    fn write_word(&mut self, name: &str, word: &Word, place: Place) {
        let several = |raw: &str| raw.contains(['*', '?', '[']);
        let split = place == Place::List && (several(&word.raw) || has_braces(word));
        if split {
            self.write_unknown(name);
        } else {
            self.write(name, &value_of_parts(&word.parts, place));
        }
    }

    /// The variables that a command sets: `name=value` among the words of any, and what builtins set.
    fn command(&mut self, words: &[Word]) {
        let Some(program) = words.first().and_then(constant) else { return };
        let program = base_name(&program);
        let declares = matches!(
            program,
            "declare" | "typeset" | "local" | "export" | "readonly" | "env" | "sudo" | "doas"
        );
        let sets = match program {
            "read" | "mapfile" | "readarray" | "getopts" | "wait" | "compgen" => true,
            "printf" => {
                words.iter().skip(1).any(|word| constant(word).is_none_or(|text| text.starts_with("-v")))
            }
            _ => false,
        };
        let refers = matches!(program, "declare" | "typeset" | "local");
        for word in words.iter().skip(1) {
            self.argument(word, declares, sets);
            // With a reference to a variable its name says nothing any more.
            self.writes_anything |=
                refers && constant(word).is_some_and(|text| text.starts_with('-') && text.contains('n'));
        }
    }

    fn argument(&mut self, word: &Word, declares: bool, sets: bool) {
        if let Some(Part::Text { text, .. }) = word.parts.first()
            && let Some((target, value)) = text.split_once('=')
        {
            let name = target.split(['+', '[']).next().unwrap_or_default();
            if is_array(word) || target.ends_with('+') || target.contains('[') {
                self.write_unknown(name);
            } else if word.parts.len() == 1 {
                self.write(name, &value_of_text(value, false));
            } else if value.is_empty() {
                let rest = word.parts.get(1..).unwrap_or_default();
                self.write(name, &value_of_parts(rest, Place::Scalar));
            } else {
                self.write_unknown(name);
            }
            return;
        }
        let text = constant(word);
        match text.as_deref() {
            None => self.writes_anything |= declares || sets,
            Some(text) if sets => {
                for (at, _) in text.char_indices().take(64) {
                    let name = text.split_at_checked(at).map_or("", |(_, name)| name);
                    if at == 0 || text.starts_with('-') {
                        self.write_unknown(name.split('[').next().unwrap_or_default());
                    }
                }
            }
            Some(_) => {}
        }
    }
}

fn is_empty(part: &Part) -> bool {
    matches!(part, Part::Text { text, .. } if text.is_empty())
}

fn is_arithmetic(expansion: &Expansion) -> bool {
    match expansion.kind {
        ExpansionKind::Arithmetic => true,
        ExpansionKind::Parameter
        | ExpansionKind::Command
        | ExpansionKind::Process
        | ExpansionKind::Locale
        | ExpansionKind::ExtendedPattern => false,
    }
}

/// Whose value an expansion is.
fn value_of(expansion: &Expansion) -> Lookup<'_> {
    let unknown = || Lookup { names: Vec::new(), unknown: true };
    match expansion.kind {
        ExpansionKind::Arithmetic => Lookup::default(),
        ExpansionKind::Parameter => value_of_parameter(&expansion.raw, expansion.parameter.as_deref()),
        ExpansionKind::Locale => message(expansion).map_or_else(unknown, |text| value_of_text(text, true)),
        ExpansionKind::Command | ExpansionKind::Process | ExpansionKind::ExtendedPattern => unknown(),
    }
}

/// Whether braces may make several words of a word.
fn has_braces(word: &Word) -> bool {
    let bare = |found: fn(&str) -> bool| {
        word.parts.iter().any(|part| matches!(part, Part::Text { text, quoted: false } if found(text)))
    };
    bare(|text| text.contains('{')) && bare(|text| text.contains(',') || text.contains(".."))
}

/// Whether a text may go on with a name, or a dollar sign, that stands in front of it.
fn goes_on(text: &str) -> bool {
    text.starts_with(|first: char| {
        matches!(first, '_' | '(' | '{' | '[' | '\'' | '"') || first.is_ascii_alphanumeric()
    })
}

/// Whether a word that is added to a value may complete a name or code in it.
fn completes_a_name(word: &Word) -> bool {
    constant(word).is_none_or(|text| goes_on(&text))
}

/// What a constant text leads to. A dollar sign that begins nothing is no code; what comes to stand behind it is looked at
/// where texts are put together.
fn value_of_text(text: &str, quoted: bool) -> Lookup<'_> {
    const BEGINS_NOTHING: [char; 12] = [' ', '\t', '.', ',', ';', ':', '/', '%', '^', '=', ']', ')'];
    let code = text.contains('`')
        || text.split('$').skip(1).any(|behind| !behind.is_empty() && !behind.starts_with(BEGINS_NOTHING))
        || text.contains("$$")
        || text.split('\\').skip(1).any(escapes_to_code);
    let mut names: Vec<&str> = identifiers(text).collect();
    let mut unknown = code;
    if !quoted && text.contains('~') {
        names.push("HOME");
        unknown |= text.split('~').skip(1).any(|behind| {
            behind.starts_with(|next: char| matches!(next, '+' | '-') || next.is_ascii_digit())
        });
    }
    Lookup { names, unknown }
}

/// Whether an expansion is a number.
fn is_number(expansion: &Expansion) -> bool {
    let number =
        expansion.raw.starts_with("${#") || matches!(expansion.raw.as_str(), "$?" | "$#" | "$$" | "$!");
    is_arithmetic(expansion)
        || (number && expansion.kind == ExpansionKind::Parameter && value_of(expansion) == Lookup::default())
}

/// What a value is; unknown where several parts could complete a name or code.
fn value_of_parts(parts: &[Part], place: Place) -> Lookup<'_> {
    let filled = || parts.iter().filter(|part| !is_empty(part));
    let alone = filled().nth(1).is_none();
    let mut value = Lookup::default();
    let mut before: Option<char> = None;
    for part in filled() {
        let (found, text) = match part {
            Part::Text { text, quoted } => (value_of_text(text, *quoted), text.as_str()),
            Part::Expansion(expansion) if is_number(expansion) => (Lookup::default(), "0"),
            Part::Expansion(expansion) => {
                let split = place == Place::List && !expansion.quoted;
                let mut found = value_of(expansion);
                found.unknown |= !alone || (split && !found.names.is_empty());
                (found, "")
            }
        };
        let open = before.is_some_and(|last| matches!(last, '_' | '$') || last.is_ascii_alphanumeric());
        value.unknown |= found.unknown || (open && goes_on(text));
        value.names.extend(found.names);
        before = text.chars().last();
    }
    value
}

#[cfg(test)]
mod tests {
    use crate::shell::{Dialect, Opaque, analyze};

    fn is_evaluated(text: &str) -> bool {
        let analysis = analyze(text, Dialect::Bash);
        assert!(analysis.unread().is_none(), "{text}");
        analysis.opaque_reasons().any(|reason| *reason == Opaque::EvaluatedValue)
    }

    #[test]
    fn code_that_can_reach_an_evaluated_variable_is_opaque_whatever_the_way() {
        for text in [
            "x='a[$(b)]'; (( x ))",
            "x='a[`b`]'; c $((x))",
            "x='a[$(b)]'; y=$x; c ${q:-$((y))}",
            "x='a[$(b)]'; c ${z[x]} ",
            "x='a[$(b)]'; c ${!x}",
            "x='a[$(b)]'; c ${q:x}",
            "x='$(b)'; c ${x@P}",
            "x='\\044(b)'; c ${x@P}",
            "x='a[$(b)]'; z=([x]=1)",
            "y=x; x='a[$(b)]'; (( y ))",
            "ab='a[$(b)]'; p=a; y=${p}b; (( y ))",
            "for x in 'a[$'; do for y in '(b)]'; do z=$x$y; ((z)); done; done",
            "x='a[$'; (( $x(b)] ))",
            "x='a[$'; x+='(b)]'; (( x ))",
            "x=('a[$' '(b)]'); IFS=; y=\"${x[*]}\"; (( y ))",
            "x=\"a[$\"'(b)]'; (( x ))",
            "HOME='a[$(b)]'; x=~; (( x ))",
            "for x; do (( x )); done; f 'a[$(b)]'",
            "x='a[\\x24(b)]'; y=${x@E}; (( y ))",
            "x=$(printf 'a[\\x24(b)]'); (( x ))",
            ": ${x:='a[$(b)]'}; (( x ))",
            ": 'a[$(b)]'; (( $_ ))",
            "set -- 'a[$(b)]'; (( $1 ))",
            "read x <<< 'a[$(b)]'; (( x ))",
            "read -rax <<< 'a[$(b)]'; (( x ))",
            "declare -n r=x; r='a[$(b)]'; (( x ))",
            "declare \"$y=\"'a[$(b)]'; (( x ))",
            "env x='a[$(b)]' bash -c '(( x ))'",
            "mapfile x <<< 'a[$(b)]'; (( x ))",
        ] {
            assert!(is_evaluated(text), "{text}");
        }
    }

    #[test]
    fn code_that_cannot_reach_what_is_evaluated_is_data() {
        for text in [
            "echo 'costs $(5)'; (( i++ ))",
            "i=0; for f in a b; do i=$((i + 1)); done; grep 'a$(b)' c",
            "x='a[$(b)]'; (( y ))",
            "x='a[$(b)]'; y=${#x}; (( y > 3 ))",
            "x='a[$(b)]'; echo ${z[0]%[x]} ${q:-x} ${!x*} ${z[@]}",
            "n=5; [[ $n -gt 3 ]] && awk '{ print $1, ($2) }' f",
            "x=('$(b)' c); (( y ))",
            "read x < f; (( x ))",
            "n=$(wc -l < f); (( n > 3 ))",
            "x=y; y=3; echo '`b`' $((x))",
            "x='$'; y='$(b)'; (( x ))",
            "x=\"a b \"$?; x+=/c; y='$(b)'; (( x ))",
        ] {
            assert!(!is_evaluated(text), "{text}");
        }
    }
}
