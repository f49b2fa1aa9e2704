//! What a value that is only known when it runs can be, as far as the text bounds it: a file of the project, a token, a
//! temporary file.
//!
//! Promises that a value counts as bounded only when everything in the text that sets it is. Knows nothing of effects.

mod value;

use value::MAX_UNITS;
pub(super) use value::{Value, is_relative};

use super::listings;
use super::variables;
use super::wandering;
use crate::shell::Analysis;
use crate::shell::braces;
use crate::shell::hardline::{Argument, Unit};
use crate::shell::tree::{
    AndOr, AssignedValue, Command, Compound, Expansion, ExpansionKind, Part, Pipeline, Redirect,
    RedirectOperator, Script, SimpleCommand, Word,
};
use std::collections::{HashMap, HashSet};

/// How often the text is gone through for values that depend on each other.
const MAX_PASSES: usize = 4;
/// The most units of a word that are put together from values.
const MAX_WORD_UNITS: usize = 1 << 16;

/// `[@]`, `[*]` or a number in brackets.
fn is_index(operation: &str) -> bool {
    operation.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).is_some_and(|inner| {
        matches!(inner, "@" | "*") || (!inner.is_empty() && inner.bytes().all(|byte| byte.is_ascii_digit()))
    })
}

/// The values of the variables of a text.
#[derive(Debug, Default)]
pub(super) struct Values {
    by_name: HashMap<String, Value>,
    functions: HashSet<String>,
    /// Variables that the text gives a secret of the environment.
    tainted: HashSet<String>,
    /// Variables, and whether all that the text gives them is the number of what it started last.
    jobs: HashMap<String, bool>,
    /// The text starts something in the background.
    background: bool,
    /// A loop moves its working folder further at each turn, out of the folder that it starts in.
    wanders: bool,
}

impl Values {
    /// What the assignments, loops and reads of a text bound.
    pub(super) fn new(analysis: &Analysis) -> Self {
        let mut values = Self::default();
        let Some(script) = analysis.script() else { return values };
        for _ in 0..MAX_PASSES {
            let before = (values.by_name.clone(), values.tainted.len());
            values.script(script, &Value::Unbounded);
            if (&values.by_name, values.tainted.len()) == (&before.0, before.1) {
                return values;
            }
        }
        values.by_name.values_mut().for_each(|value| *value = Value::Unbounded);
        values
    }

    /// Whether the text gives the variable a value.
    pub(super) fn sets(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// Whether the variable holds a secret of the environment.
    pub(super) fn holds_secret(&self, name: &str) -> bool {
        self.tainted.contains(name) || (!self.sets(name) && variables::is_environment_secret(name))
    }

    /// Whether the text starts something in the background.
    pub(super) fn starts_jobs(&self) -> bool {
        self.background
    }

    /// Whether a variable holds nothing but numbers of what the text started.
    pub(super) fn is_own_job(&self, name: &str) -> bool {
        self.jobs.get(name) == Some(&true)
    }

    /// Whether a loop moves its working folder out of the folder that it starts in.
    pub(super) fn wanders(&self) -> bool {
        self.wanders
    }

    /// Whether the text defines a function of that name.
    pub(super) fn defines(&self, name: &str) -> bool {
        self.functions.contains(name)
    }

    /// A word with what is known of the values in it.
    pub(super) fn argument(&self, word: &Word) -> Argument {
        self.read(word, false)
    }

    /// The same, where pattern characters in quotes may count: the word stems from a value.
    pub(super) fn read(&self, word: &Word, live: bool) -> Argument {
        let mut argument = Argument::new(word, live);
        argument.has_braces &= !matches!(braces::expand(std::slice::from_ref(word)), Ok(None));
        if argument.is_dynamic() {
            argument.units = self.units(word);
            argument.text = argument.units.iter().map(|unit| unit.character()).collect();
        }
        argument
    }

    fn units(&self, word: &Word) -> Vec<Unit> {
        let mut units = Vec::new();
        for part in &word.parts {
            if units.len() > MAX_WORD_UNITS {
                units.push(Unit::Unknown);
                break;
            }
            match part {
                Part::Text { text, quoted: true } => units.extend(text.chars().map(Unit::Quoted)),
                Part::Text { text, quoted: false } => units.extend(text.chars().map(Unit::Plain)),
                Part::Expansion(expansion) => {
                    let one = Word { parts: vec![part.clone()], raw: expansion.raw.clone(), span: None };
                    let known = Argument::new(&one, false);
                    if known.is_dynamic() {
                        units.extend(self.expansion(expansion).units());
                    } else {
                        units.extend(known.units);
                    }
                }
            }
        }
        units
    }

    /// What a word can be as a value of its own.
    pub(super) fn word(&self, word: &Word) -> Value {
        if !word.raw.contains('{') {
            return Value::of(&self.argument(word));
        }
        match braces::expand(std::slice::from_ref(word)) {
            Ok(Some(words)) => words
                .iter()
                .map(|word| Value::of(&self.argument(word)))
                .reduce(Value::or)
                .unwrap_or(Value::Unbounded),
            Ok(None) => Value::of(&self.argument(word)),
            Err(_) => Value::Unbounded,
        }
    }

    /// What words can be, one at a time.
    pub(super) fn words<'w>(&self, words: impl IntoIterator<Item = &'w Word>) -> Value {
        words.into_iter().map(|word| self.word(word)).reduce(Value::or).unwrap_or(Value::Relative)
    }

    fn expansion(&self, expansion: &Expansion) -> Value {
        match expansion.kind {
            ExpansionKind::Arithmetic => Value::Relative,
            ExpansionKind::Parameter => self.parameter(expansion),
            ExpansionKind::Command => match expansion.nested.as_slice() {
                [script] => self.output(script),
                _ => Value::Unbounded,
            },
            // A process substitution is a stream; what it carries is judged by itself.
            ExpansionKind::Process => Value::Known("/dev/fd/63".chars().map(Unit::Quoted).collect()),
            ExpansionKind::Locale | ExpansionKind::ExtendedPattern => Value::Unbounded,
        }
    }

    fn parameter(&self, expansion: &Expansion) -> Value {
        const NUMBERS: [&str; 15] = [
            "?",
            "#",
            "$",
            "!",
            "PIPESTATUS",
            "RANDOM",
            "SECONDS",
            "LINENO",
            "UID",
            "EUID",
            "PPID",
            "BASHPID",
            "COLUMNS",
            "LINES",
            "EPOCHSECONDS",
        ];
        let Some(name) = expansion.parameter.as_deref() else { return Value::Unbounded };
        let raw = expansion.raw.as_str();
        if raw.starts_with("${#") && raw != "${#}" {
            return Value::Relative;
        }
        let inner =
            raw.strip_prefix("${").and_then(|raw| raw.strip_suffix('}')).or_else(|| raw.strip_prefix('$'));
        let Some(operation) = inner.and_then(|inner| inner.strip_prefix(name)) else {
            return Value::Unbounded;
        };
        let value = match self.by_name.get(name) {
            Some(value) => value.clone(),
            None if NUMBERS.contains(&name) => Value::Relative,
            None if name == "TMPDIR" => Value::Known("/tmp".chars().map(Unit::Quoted).collect()),
            None => return Value::Unbounded,
        };
        match operation {
            index if is_index(index) => value,
            "" | "," | ",," | "^" | "^^" => value,
            "##*/" => Value::Relative,
            cut if cut.starts_with('%') && value.is_plainly_relative() => Value::Relative,
            default if [":-", "-", ":?", "?"].iter().any(|operator| default.starts_with(operator)) => value,
            _ => Value::Unbounded,
        }
    }

    /// What the lines that a script writes can be.
    pub(super) fn output(&self, script: &Script) -> Value {
        let [AndOr { first, rest, background: false }] = script.items.as_slice() else {
            return Value::Unbounded;
        };
        let harmless = |pipeline: &Pipeline| {
            matches!(pipeline.stages.as_slice(), [stage] if matches!(&stage.command, Command::Simple(simple)
                if matches!(simple.words.first().map(|word| word.raw.as_str()), Some("true" | ":"))))
        };
        if !rest.iter().all(|(_, pipeline)| harmless(pipeline)) {
            return Value::Unbounded;
        }
        let mut value = Value::Unbounded;
        for (index, stage) in first.stages.iter().enumerate() {
            let Command::Simple(simple) = &stage.command else { return Value::Unbounded };
            value = self.stage(simple, if index == 0 { None } else { Some(&value) });
        }
        value
    }

    /// The same for a stage of a pipeline, whose input may be redirected.
    fn stage(&self, simple: &SimpleCommand, input: Option<&Value>) -> Value {
        let redirected = self.redirected(&simple.redirects);
        self.lines(&simple.words, redirected.as_ref().or(input))
    }

    /// What the lines that a command writes can be, given those it reads.
    pub(super) fn lines(&self, words: &[Word], input: Option<&Value>) -> Value {
        listings::lines(self, words, input)
    }

    fn script(&mut self, script: &Script, input: &Value) {
        for item in &script.items {
            self.background |= item.background;
            for pipeline in std::iter::once(&item.first).chain(item.rest.iter().map(|(_, pipeline)| pipeline))
            {
                self.pipeline(pipeline, input);
            }
        }
    }

    fn pipeline(&mut self, pipeline: &Pipeline, input: &Value) {
        let mut flowing = input.clone();
        for (index, stage) in pipeline.stages.iter().enumerate() {
            self.command(&stage.command, &flowing);
            flowing = match &stage.command {
                Command::Simple(simple) => self.stage(simple, if index == 0 { None } else { Some(&flowing) }),
                Command::Compound { .. } | Command::Function { .. } | Command::Coproc { .. } => {
                    Value::Unbounded
                }
            };
        }
    }

    fn command(&mut self, command: &Command, input: &Value) {
        match command {
            Command::Simple(simple) => self.simple(simple, input),
            Command::Compound { kind, redirects, span: _ } => {
                let redirected = self.redirected(redirects);
                self.compound(kind, redirected.as_ref().unwrap_or(input));
            }
            Command::Function { name, body, span: _ } => {
                self.functions.insert(name.clone());
                self.command(body, &Value::Unbounded);
            }
            Command::Coproc { body, .. } => self.command(body, &Value::Unbounded),
        }
    }

    fn compound(&mut self, kind: &Compound, input: &Value) {
        match kind {
            Compound::Group(body) | Compound::Subshell(body) => self.script(body, input),
            Compound::If { branches, otherwise } => {
                for (condition, body) in branches {
                    self.script(condition, input);
                    self.script(body, input);
                }
                if let Some(body) = otherwise {
                    self.script(body, input);
                }
            }
            Compound::While { condition, body } | Compound::Until { condition, body } => {
                self.wanders |= wandering::wanders(body);
                self.script(condition, input);
                self.script(body, input);
            }
            Compound::For { variable, words, body } | Compound::Select { variable, words, body } => {
                let value = words.as_ref().map_or(Value::Unbounded, |words| self.words(words));
                let words = words.as_deref().unwrap_or_default();
                self.nested(words);
                self.taint(variable, words);
                self.bind(variable, value);
                self.wanders |= wandering::wanders(body);
                self.script(body, input);
            }
            Compound::ForArithmetic { expression, body } => {
                let names = expression.raw.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
                for name in
                    names.filter(|name| name.starts_with(|first: char| first.is_alphabetic())).take(16)
                {
                    self.bind(name, Value::Relative);
                }
                self.wanders |= wandering::wanders(body);
                self.script(body, input);
            }
            Compound::Case { word: _, arms } => {
                for (_, body) in arms {
                    self.script(body, input);
                }
            }
            Compound::Conditional(_) | Compound::Arithmetic(_) => {}
        }
    }

    /// What substitutions in words bind: they run in a shell of their own, but functions are called in them.
    fn nested<'w>(&mut self, words: impl IntoIterator<Item = &'w Word>) {
        for part in words.into_iter().flat_map(|word| &word.parts) {
            if let Part::Expansion(expansion) = part {
                for script in &expansion.nested {
                    self.script(script, &Value::Unbounded);
                }
            }
        }
    }

    fn simple(&mut self, simple: &SimpleCommand, input: &Value) {
        self.nested(&simple.words);
        for assignment in &simple.assignments {
            match &assignment.value {
                AssignedValue::Scalar(word) => self.nested(word),
                AssignedValue::Array(words) => self.nested(words),
            }
        }
        for assignment in &simple.assignments {
            let value = match &assignment.value {
                AssignedValue::Scalar(_) if assignment.append => Value::Unbounded,
                AssignedValue::Scalar(Some(word)) => self.word(word),
                AssignedValue::Scalar(None) => Value::Relative,
                AssignedValue::Array(words) => self.words(words),
            };
            let words = match &assignment.value {
                AssignedValue::Scalar(word) => word.as_slice(),
                AssignedValue::Array(words) => words,
            };
            self.taint(&assignment.name, words);
            let known = self.jobs.get(&assignment.name).copied().unwrap_or(true);
            self.bind(&assignment.name, value);
            let job = matches!(words, [word] if word.raw.trim_matches('"') == "$!") && !assignment.append;
            self.jobs.insert(assignment.name.clone(), known && job);
        }
        let Some(program) = simple.words.first().map(|word| word.raw.as_str()) else { return };
        let operands = || simple.words.iter().skip(1);
        match program {
            "read" | "mapfile" | "readarray" => {
                let redirected = self.redirected(&simple.redirects);
                let names: Vec<&str> = operands()
                    .map(|word| word.raw.as_str())
                    .filter(|name| name.starts_with(|first: char| first.is_alphabetic() || first == '_'))
                    .collect();
                let line = redirected.as_ref().unwrap_or(input);
                // A line that is split may have anything in front of a part.
                let other_file = operands().any(|word| word.raw.starts_with("-u"));
                let value = if names.len() == 1 && !other_file { line.clone() } else { Value::Unbounded };
                for name in names {
                    self.bind(name, value.clone());
                }
            }
            "export" | "declare" | "typeset" | "local" | "readonly" => {
                for word in operands() {
                    let argument = self.argument(word);
                    let Some((name, _)) = argument.text.split_once('=') else { continue };
                    let units = argument.behind(name.chars().count() + 1).to_vec();
                    let bounded = !units.contains(&Unit::Unknown) && units.len() <= MAX_UNITS;
                    let name = name.to_owned();
                    self.taint(&name, std::slice::from_ref(word));
                    self.bind(&name, if bounded { Value::Known(units) } else { Value::Unbounded });
                }
            }
            "printf" if matches!(simple.words.get(1), Some(word) if word.raw == "-v") => {
                if let Some(name) = simple.words.get(2) {
                    self.bind(&name.raw.clone(), Value::Unbounded);
                }
            }
            // The parameters are others from here on.
            "set" | "shift" | "getopts"
                if program != "set" || operands().any(|word| !word.raw.starts_with(['-', '+'])) =>
            {
                for name in ["1", "2", "3", "4", "5", "6", "7", "8", "9", "@", "*"] {
                    self.bind(name, Value::Unbounded);
                }
                if program == "getopts"
                    && let Some(word) = simple.words.get(2)
                {
                    self.bind(&word.raw.clone(), Value::Unbounded);
                }
            }
            "let" => {
                for word in operands() {
                    let name: String =
                        word.raw.chars().take_while(|letter| letter.is_alphanumeric()).collect();
                    self.bind(&name, Value::Unbounded);
                }
            }
            function if self.functions.contains(function) => {
                let values: Vec<Value> = operands().map(|word| self.word(word)).collect();
                let all = values.iter().cloned().reduce(Value::or).unwrap_or(Value::Relative);
                for (index, value) in values.into_iter().enumerate().take(9) {
                    self.bind(&(index + 1).to_string(), value);
                }
                self.bind("@", all.clone());
                self.bind("*", all);
            }
            _ => {}
        }
    }

    /// Notes that a variable is given a secret.
    fn taint(&mut self, name: &str, words: &[Word]) {
        if words.iter().any(|word| variables::secret_in(word, self).is_some()) {
            self.tainted.insert(name.to_owned());
        }
    }

    fn bind(&mut self, name: &str, value: Value) {
        self.jobs.insert(name.to_owned(), false);
        match self.by_name.get_mut(name) {
            Some(known) => *known = std::mem::replace(known, Value::Relative).or(value),
            None => {
                self.by_name.insert(name.to_owned(), value);
            }
        }
    }

    /// What the lines of a redirected input can be.
    fn redirected(&self, redirects: &[Redirect]) -> Option<Value> {
        let input = redirects
            .iter()
            .rev()
            .filter(|redirect| redirect.descriptor.as_deref().is_none_or(|descriptor| descriptor == "0"));
        let redirect = input.into_iter().find(|redirect| match redirect.operator {
            RedirectOperator::Read
            | RedirectOperator::ReadWrite
            | RedirectOperator::DuplicateInput
            | RedirectOperator::HereDocument
            | RedirectOperator::HereDocumentStripped
            | RedirectOperator::HereString => true,
            RedirectOperator::Write
            | RedirectOperator::Append
            | RedirectOperator::Clobber
            | RedirectOperator::DuplicateOutput
            | RedirectOperator::WriteBoth
            | RedirectOperator::AppendBoth => false,
        })?;
        if redirect.operator == RedirectOperator::HereString {
            return Some(self.word(&redirect.target));
        }
        let [Part::Expansion(expansion)] = redirect.target.parts.as_slice() else {
            return Some(Value::Unbounded);
        };
        match (expansion.kind, expansion.nested.as_slice()) {
            (ExpansionKind::Process, [script]) => Some(self.output(script)),
            _ => Some(Value::Unbounded),
        }
    }
}
