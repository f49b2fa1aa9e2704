//! What a command runs besides itself: the command behind a wrapper, the code given to a shell, what a builtin evaluates.
//!
//! Promises that what cannot be followed is called opaque with its reason. Bounded like the walk, whose part it is.

use std::rc::Rc;

use super::analysis::{MAX_DEPTH, UnreadReason};
use super::braces;
use super::evaluating::{Evaluated, EvaluatedValues, evaluated, evaluated_values, runs_variable};
use super::interpreters;
use super::layout::GivenFolder;
use super::reader;
use super::segment::{Opaque, Reach};
use super::segments::{Context, Input, Walk, process_output};
use super::shells::{self, Language, Source};
use super::tree::{Command, Compound, Part, Word};
use super::word::{base_name, best_text, code_text, constant, is_constant, is_pattern};
use super::wrappers::{self, Behind, CodeWord, PartOfWord, Place, Wrapper};

/// How many later words are tried as the start of a command behind an option that is not known.
pub(crate) const MAX_POSSIBLE_STARTS: usize = 64;
/// How many words of a literal input are handed on to the command behind `xargs`.
const MAX_LITERAL_INPUT_WORDS: usize = 64;
/// A line that no text holds by accident: it ends the here-document in which an argument is read as bash expands it.
const END_OF_TEXT: &str = "end-of-evaluated-argument-5f1c";

impl Walk<'_> {
    /// Follows what the segment at `index` runs besides itself.
    pub(super) fn run(&mut self, index: usize, words: &[Word], context: &Context) {
        let Some(first) = words.first() else { return };
        let Some(path) = constant(first) else {
            self.set_opaque(index, Opaque::DynamicCommand);
            return;
        };
        if is_pattern(first) {
            self.set_opaque(index, Opaque::PatternCommand);
        }
        let name = base_name(&path).to_owned();
        match name.as_str() {
            "eval" => return self.eval(index, words, context),
            "trap" => return self.trap(index, words, context),
            "." | "source" => return self.source_file(index, words, context),
            "find" | "gfind" | "fd" | "fdfind" => return self.find(index, words, context, &name),
            _ => {}
        }
        let lower = name.to_ascii_lowercase();
        let plain = lower.strip_suffix(".exe").unwrap_or(&lower);
        if let Some(language) = shells::language(plain) {
            return self.shell(index, words, context, plain, language);
        }
        match evaluated_values(plain, words) {
            EvaluatedValues::Anything => self.flows.evaluate_anything(),
            EvaluatedValues::Words(words) => {
                words.into_iter().for_each(|word| self.flows.evaluate_word(word))
            }
        }
        for found in evaluated(plain, words) {
            self.evaluate(index, found, words, plain, context);
        }
        if matches!(plain, "export" | "declare" | "typeset" | "local" | "readonly" | "env") {
            self.exported_code(index, words, plain, context);
        }
        let known = wrappers::named(&name);
        let known = if known.is_empty() { wrappers::named(plain) } else { known };
        for wrapper in known {
            self.behind(index, wrapper, words, plain, context);
        }
        if interpreters::may_be_interpreter(plain) {
            self.foreign_code(index, words, context);
        }
        if !context.called
            && (words.len() > 1 || context.place.stages > 1)
            && let Some(body) = self.function(&name)
        {
            let mut inner = context.step(Reach::Expanded).step(Reach::Function { name });
            inner.called = true;
            inner.flows = context.place.stages > 1;
            inner.parameters = Some(words.into());
            inner.span = context.span;
            if let Command::Compound { kind: Compound::Group(_) | Compound::Subshell(_), .. } = body {
                self.command(body, &inner);
            }
        }
    }

    pub(super) fn set_opaque(&mut self, index: usize, opaque: Opaque) {
        if let Some(segment) = self.segments.get_mut(index) {
            segment.opaque.get_or_insert(opaque);
        }
    }

    pub(super) fn carries_code(&mut self, index: usize) {
        if let Some(segment) = self.segments.get_mut(index) {
            segment.carries_code = true;
        }
    }

    /// Runs words as a command of their own.
    pub(super) fn argv(&mut self, words: &[Word], context: &Context) {
        if words.is_empty() || self.spend(0, context).is_none() || self.too_deep(context) {
            return;
        }
        let Some(index) = self.push(words, &[], &[], context) else { return };
        self.run(index, words, context);
        self.expanded(index, words, context);
    }

    pub(super) fn too_deep(&mut self, context: &Context) -> bool {
        let deep = context.depth > MAX_DEPTH;
        if deep {
            self.stop(UnreadReason::TooDeep, context);
        }
        deep
    }

    /// Reads a text as code and walks it; says why where it cannot be read as a whole.
    pub(super) fn code(
        &mut self,
        text: &str,
        complete: bool,
        program: &str,
        context: &Context,
    ) -> Option<Opaque> {
        if self.spend(text.len(), context).is_none() || self.too_deep(context) {
            return None;
        }
        let opaque = match reader::read_nested(text, context.depth) {
            Ok(script) => {
                self.script(&script, context);
                None
            }
            Err(error) => {
                self.script(&error.before, context);
                self.unread_code.push(text.to_owned());
                Some(Opaque::UnreadCode { program: program.to_owned(), reason: error.reason })
            }
        };
        opaque.or_else(|| (!complete).then(|| Opaque::DynamicCode { program: program.to_owned() }))
    }

    /// Reads a text as bash expands it inside double quotes, and walks the substitutions in it.
    pub(super) fn expanded_text(
        &mut self,
        text: &str,
        context: &Context,
        program: &str,
    ) -> Result<(), Opaque> {
        let unread = |reason| Opaque::UnreadCode { program: program.to_owned(), reason };
        // Some of them, `compgen -W` for one, run process substitutions too, which double quotes would not.
        if text.contains("<(") || text.contains(">(") {
            return Err(unread(reader::UnreadReason::AmbiguousProcessSubstitution));
        }
        if !text.contains(['$', '`']) {
            return Ok(());
        }
        if text.lines().any(|line| line == END_OF_TEXT) {
            return Err(unread(reader::UnreadReason::HereDocumentDelimiter));
        }
        if self.spend(text.len(), context).is_none() || self.too_deep(context) {
            return Ok(());
        }
        let document = format!(":<<{END_OF_TEXT}\n{text}\n{END_OF_TEXT}\n");
        let script = reader::read_nested(&document, context.depth).map_err(|error| {
            self.unread_code.push(text.to_owned());
            unread(error.reason)
        })?;
        let body = super::canonical::only_command(&script)
            .and_then(|command| command.redirects.first())
            .and_then(|redirect| redirect.heredoc.as_ref());
        if let Some(document) = body {
            self.word(&document.body, context);
        }
        Ok(())
    }

    fn given_code(&mut self, index: usize, text: &str, complete: bool, program: &str, context: &Context) {
        self.carries_code(index);
        // In code it could be replaced by code.
        let inner = context.placeholder.is_some().then(|| Context { placeholder: None, ..context.clone() });
        if let Some(opaque) = self.code(text, complete, program, inner.as_ref().unwrap_or(context)) {
            self.set_opaque(index, opaque);
        }
    }

    fn eval(&mut self, index: usize, words: &[Word], context: &Context) {
        let start = if words.get(1).and_then(constant).is_some_and(|word| word == "--") { 2 } else { 1 };
        let (text, complete) = joined(words.get(start..).unwrap_or_default(), &[]);
        if !text.is_empty() {
            self.given_code(index, &text, complete, "eval", &context.step(Reach::Eval));
        }
    }

    fn trap(&mut self, index: usize, words: &[Word], context: &Context) {
        let mut at = 1;
        match words.get(1).and_then(constant).as_deref() {
            Some("--") => at = 2,
            Some("-l" | "-p" | "-lp" | "-P") => return,
            Some(_) | None => {}
        }
        let Some(action) = words.get(at) else { return };
        if words.len() == at + 1
            && is_constant(action)
            && !is_pattern(action)
            && !action.raw.contains([' ', ';'])
        {
            return;
        }
        let (text, complete) = code_text(action);
        if !matches!(text.as_str(), "" | "-") {
            self.given_code(index, &text, complete, "trap", &context.step(Reach::Trap));
        }
    }

    fn source_file(&mut self, index: usize, words: &[Word], context: &Context) {
        let operand = words.iter().skip(1).find(|word| constant(word).is_none_or(|text| text != "--"));
        let Some(operand) = operand else { return };
        self.carries_code(index);
        let reads_input = constant(operand)
            .is_some_and(|text| matches!(text.as_ref(), "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0"));
        if reads_input {
            self.input_code(index, "source", context, Reach::Source);
        } else if let Input::Text(text) = process_output(operand) {
            self.given_code(index, &text.0, text.1, "source", &context.step(Reach::Source));
        } else {
            self.set_opaque(index, Opaque::File { program: "source".to_owned() });
        }
    }

    /// The code that comes from standard input.
    fn input_code(&mut self, index: usize, program: &str, context: &Context, reach: Reach) {
        self.carries_code(index);
        match context.input.clone() {
            Input::Text(text) => {
                let mut inner = context.step(reach);
                inner.input = Input::Unknown;
                inner.parameters = None;
                // A backslash at the end joins the line that `<<<` or `echo` adds, and stands for itself where none is added.
                let complete = text.1 && !text.0.ends_with('\\');
                self.given_code(index, &text.0, complete, program, &inner);
            }
            Input::File => self.set_opaque(index, Opaque::File { program: program.to_owned() }),
            Input::Inherited | Input::Unknown => {
                self.set_opaque(index, Opaque::StandardInput { program: program.to_owned() });
            }
        }
    }

    fn shell(&mut self, index: usize, words: &[Word], context: &Context, program: &str, language: Language) {
        match shells::source(words) {
            Source::Nothing => {
                if context.open_ended {
                    self.set_opaque(index, Opaque::StandardInput { program: program.to_owned() });
                }
            }
            Source::File => {
                self.carries_code(index);
                let operand = words.iter().skip(1).find(|word| !word.raw.starts_with(['-', '+']));
                match operand.map(process_output) {
                    Some(Input::Text(text)) => {
                        let inner = context.step(Reach::StandardInput { program: program.to_owned() });
                        self.given_code(index, &text.0, text.1, program, &inner);
                    }
                    Some(Input::Inherited | Input::File | Input::Unknown) | None => {
                        self.set_opaque(index, Opaque::File { program: program.to_owned() });
                    }
                }
            }
            Source::Unknown(at) => self.unknown_option(index, words, at, program),
            Source::StandardInput(_) => {
                self.input_code(
                    index,
                    program,
                    context,
                    Reach::StandardInput { program: program.to_owned() },
                );
            }
            Source::Word(at) => {
                let Some(word) = words.get(at) else { return };
                let (text, complete) = code_text(word);
                let mut inner = context.step(Reach::ShellString { program: program.to_owned() });
                inner.parameters = words.get(at + 1..).filter(|rest| !rest.is_empty()).map(Rc::from);
                if context.replaces {
                    self.set_opaque(index, Opaque::DynamicCode { program: program.to_owned() });
                }
                let before = std::mem::take(&mut self.changes_parameters);
                self.given_code(index, &text, complete, program, &inner);
                if std::mem::replace(&mut self.changes_parameters, before) {
                    self.set_opaque(index, Opaque::DynamicCode { program: program.to_owned() });
                }
                if !program.contains("bash") && times_with_options(&text) {
                    self.set_opaque(index, Opaque::OtherShell { program: program.to_owned() });
                }
            }
        }
        let carries = self.segments.get(index).is_some_and(|segment| segment.carries_code);
        if language == Language::Other && carries {
            self.set_opaque(index, Opaque::OtherShell { program: program.to_owned() });
        }
    }

    fn unknown_option(&mut self, index: usize, words: &[Word], at: usize, program: &str) {
        let option = words.get(at).map(|word| word.raw.clone()).unwrap_or_default();
        self.carries_code(index);
        self.set_opaque(index, Opaque::UnknownOption { program: program.to_owned(), option });
        if let Some(segment) = self.segments.get_mut(index) {
            segment.possible_starts.extend(at + 1..words.len());
        }
    }

    fn find(&mut self, index: usize, words: &[Word], context: &Context, program: &str) {
        const ACTIONS: [&str; 9] =
            ["-exec", "-execdir", "-ok", "-okdir", "-x", "--exec", "-X", "--exec-batch", "-exec-batch"];
        let fd = program.starts_with("fd");
        let mut inner = context.step(Reach::Wrapper { program: program.to_owned() });
        inner.open_ended = true;
        inner.placeholder = (!fd).then(|| "{}".to_owned());
        let mut at = 1;
        while let Some(word) = words.get(at) {
            at += 1;
            let action = constant(word).is_some_and(|text| {
                ACTIONS.iter().position(|action| *action == text).is_some_and(|which| fd == (which >= 4))
            });
            if !action {
                continue;
            }
            let rest = words.get(at..).unwrap_or_default();
            let length = end_of_action(rest);
            inner.replaces = rest.iter().take(length).any(|word| word.raw.contains("{}") && word.raw != "{}");
            self.carries_code(index);
            self.argv(rest.get(..length).unwrap_or_default(), &inner);
            at += length;
        }
    }

    fn evaluate(&mut self, index: usize, found: Evaluated, words: &[Word], program: &str, context: &Context) {
        let inner = context.step(Reach::Evaluated { program: program.to_owned() });
        match found {
            Evaluated::Code(code, complete) => {
                // Bash hands it more arguments: the word to complete, the line read, what follows an alias.
                let mut inner = inner;
                inner.open_ended = true;
                // Behind anything but a word they would be a command of their own.
                let takes_arguments = code.trim_end_matches([' ', '\t']).ends_with(|last: char| {
                    last.is_alphanumeric() || matches!(last, '_' | '-' | '.' | '/' | '\'' | '"')
                });
                self.given_code(index, &code, complete && takes_arguments, program, &inner);
            }
            Evaluated::Text(text, complete) => {
                let before = self.segments.len();
                let read = self.expanded_text(&text, &inner, program);
                let dynamic = !complete && text.contains(['$', '`']);
                let whole =
                    if dynamic { Err(Opaque::DynamicCode { program: program.to_owned() }) } else { Ok(()) };
                if let Err(opaque) = read.and(whole) {
                    self.carries_code(index);
                    self.set_opaque(index, opaque);
                }
                if self.segments.len() > before {
                    self.carries_code(index);
                }
            }
            Evaluated::Argv(at) => {
                self.carries_code(index);
                self.argv(words.get(at..).unwrap_or_default(), &inner);
            }
            Evaluated::Setting { name, code } => {
                self.given_code(index, &code, true, program, &inner);
                self.set_opaque(index, Opaque::Setting { program: program.to_owned(), setting: name });
            }
            Evaluated::Redefinition => {
                self.set_opaque(index, Opaque::Redefinition { program: program.to_owned() });
            }
        }
    }

    /// `export PS4='$(x)'` and `env BASH_ENV=…`: variables that bash runs, given through a command.
    fn exported_code(&mut self, index: usize, words: &[Word], program: &str, context: &Context) {
        for word in words.iter().skip(1) {
            let text = best_text(word).0;
            let Some((name, value)) = text.split_once('=') else { continue };
            if !runs_variable(name) {
                continue;
            }
            self.carries_code(index);
            let inner = context.step(Reach::RunVariable { name: name.to_owned() });
            match name {
                "PROMPT_COMMAND" => self.given_code(index, value, is_constant(word), program, &inner),
                "BASH_ENV" | "ENV" => self.set_opaque(index, Opaque::File { program: program.to_owned() }),
                _ => {
                    if let Err(opaque) = self.expanded_text(value, &inner, program) {
                        self.set_opaque(index, opaque);
                    } else if !is_constant(word) {
                        self.set_opaque(index, Opaque::DynamicCode { program: program.to_owned() });
                    }
                }
            }
        }
    }

    fn behind(&mut self, index: usize, wrapper: &Wrapper, words: &[Word], program: &str, context: &Context) {
        let program_name = || program.to_owned();
        let look = wrappers::look_behind(wrapper, words);
        let moved = look.folder.and_then(|folder| self.moved(folder, words, context));
        let context = moved.as_ref().unwrap_or(context);
        let mut inner = context.step(match wrapper.place() {
            Place::Here => Reach::Wrapper { program: program_name() },
            Place::Remote => Reach::Remote { program: program_name() },
            Place::Container => Reach::Container { program: program_name() },
        });
        if wrapper.open_ended() {
            inner.open_ended = true;
            inner.replaces = replaces(words);
            inner.placeholder = None;
            inner.input = Input::Unknown;
        }
        match look.behind {
            Behind::Other => {}
            Behind::Nothing => {
                if context.open_ended {
                    self.set_opaque(index, Opaque::StandardInput { program: program_name() });
                }
            }
            Behind::Unknown { at } => {
                self.unknown_option(index, words, at, program);
            }
            Behind::Shell => {
                self.input_code(index, program, context, Reach::StandardInput { program: program_name() })
            }
            Behind::Joined { start } => {
                let words = words.get(start..).unwrap_or_default();
                let sources = words.iter().position(|word| word.raw.starts_with(":::"));
                let (code, sources) =
                    words.split_at(sources.filter(|_| program == "parallel").unwrap_or(words.len()));
                let (text, complete) = joined(code, sources);
                if complete && text.trim().is_empty() {
                    return;
                }
                self.given_code(index, &text, complete, program, &inner);
            }
            Behind::Split { value, rest } => self.split(index, &value, rest, words, program, context),
            Behind::Argv { start, code } => {
                for word in code {
                    let (text, complete) = match word {
                        CodeWord::Text(text) => (text, true),
                        CodeWord::At(at) => words.get(at).map(best_text).unwrap_or_default(),
                        CodeWord::Dynamic(at) => {
                            let (text, _) = words.get(at).map(best_text).unwrap_or_default();
                            (text.split_once('=').map_or(text.clone(), |(_, value)| value.to_owned()), false)
                        }
                    };
                    let mut shell = inner.clone();
                    match wrapper.place() {
                        Place::Here => {
                            shell.reached.pop();
                        }
                        // That the code runs elsewhere is not forgotten.
                        Place::Remote | Place::Container => {}
                    }
                    shell.reached.push(Reach::ShellString { program: program_name() });
                    self.given_code(index, &text, complete, program, &shell);
                }
                let given = look.program.as_ref().map(|program| program_word(program, words));
                if start.is_some() || given.is_some() {
                    self.carries_code(index);
                    let start = start.unwrap_or(words.len());
                    let arguments = words.get(start..).unwrap_or_default();
                    let with_program = given.map(|program| [&[program], arguments].concat());
                    let command = with_program.as_deref().unwrap_or(arguments);
                    let options = words.get(..start).unwrap_or_default();
                    let adds_words = matches!(program, "xargs" | "gxargs");
                    if adds_words && !appends(options) {
                        inner.placeholder = placeholder(options);
                    }
                    self.argv(command, &inner);
                    if adds_words {
                        self.with_literal_input(options, command, &context.input, &inner);
                    }
                }
            }
        }
    }

    /// `env -C / …`: the circumstances of a command that runs in a process and a folder of its own.
    fn moved(&mut self, folder: PartOfWord, words: &[Word], context: &Context) -> Option<Context> {
        let word = words.get(folder.at)?.clone();
        let process = self.layout.start_process(context.process);
        self.layout.folders.push(GivenFolder { process, word, skip: folder.skip });
        Some(Context { process, ..context.clone() })
    }

    /// `echo / | xargs rm -r`: the command with the words that the text itself feeds to `xargs`.
    fn with_literal_input(&mut self, options: &[Word], command: &[Word], input: &Input, context: &Context) {
        let Input::Text(text) = input else { return };
        let operands = text
            .0
            .split([' ', '\t', '\n', '\0'])
            .flat_map(|word| word.split("\\0"))
            .filter(|word| !word.is_empty())
            .take(MAX_LITERAL_INPUT_WORDS);
        let operands: Vec<Word> = operands.map(literal).collect();
        if operands.is_empty() {
            return;
        }
        let mut inner = context.step(Reach::Expanded);
        inner.open_ended = false;
        inner.placeholder = None;
        let Some(placeholder) = placeholder(options) else {
            self.argv(&[command, operands.as_slice()].concat(), &inner);
            return;
        };
        for operand in operands {
            let replaced: Vec<Word> = command
                .iter()
                .map(|word| match constant(word) {
                    Some(text) if text.contains(&placeholder) => {
                        literal(&text.replace(&placeholder, &operand.raw))
                    }
                    Some(_) | None => word.clone(),
                })
                .collect();
            self.argv(&replaced, &inner);
        }
    }

    /// `env -S 'words'`: the words take the place of the option.
    fn split(
        &mut self,
        index: usize,
        value: &CodeWord,
        rest: usize,
        words: &[Word],
        program: &str,
        context: &Context,
    ) {
        self.carries_code(index);
        let (text, complete) = match value {
            CodeWord::Text(text) => (text.clone(), true),
            CodeWord::At(at) | CodeWord::Dynamic(at) => words.get(*at).map(best_text).unwrap_or_default(),
        };
        let read = reader::read_nested(&format!("{program} {text}"), context.depth);
        let command = read.as_ref().ok().and_then(super::canonical::only_command);
        let plain = command.filter(|command| command.redirects.is_empty() && command.assignments.is_empty());
        if let Some(command) = plain {
            let mut all = command.words.clone();
            all.extend(words.get(rest..).unwrap_or_default().iter().cloned());
            let dynamic = !complete || !command.words.iter().all(is_constant);
            if self.spend(text.len(), context).is_some() && !self.too_deep(context) {
                // The words are looked at once more with one option less, so this ends.
                let deeper = Context { depth: context.depth + 1, ..context.clone() };
                for wrapper in wrappers::named(program) {
                    self.behind(index, wrapper, &all, program, &deeper);
                }
            }
            if dynamic {
                self.set_opaque(index, Opaque::DynamicCode { program: program.to_owned() });
            }
        } else {
            self.unread_code.push(text);
            self.set_opaque(index, Opaque::DynamicCode { program: program.to_owned() });
        }
    }

    /// Looks at the command once more with braces expanded and values put in that the text itself defines.
    pub(super) fn expanded(&mut self, index: usize, words: &[Word], context: &Context) {
        if context.reached.last() == Some(&Reach::Expanded)
            || !words.iter().any(|word| word.raw.contains(['{', '$', '`']))
        {
            return;
        }
        let inner = context.step(Reach::Expanded);
        let braced = match braces::expand(words) {
            Ok(braced) => braced,
            Err(braces::TooManyWords) => {
                self.set_opaque(index, Opaque::TooManyWords);
                None
            }
        };
        let mut versions: Vec<Vec<Word>> = Vec::new();
        let base = braced.as_deref().unwrap_or(words);
        for variant in 0..self.values.variants(base) {
            versions.push(self.values.put_in(base, variant));
        }
        // A value that the text gives is not the only one that a variable may hold.
        versions.extend(braced);
        // What is unset leaves no word behind, so that the next word is the command.
        let last = versions.last().map_or(words, Vec::as_slice);
        let vanishing = last.iter().take_while(|word| may_vanish(word)).count();
        if vanishing > 0 && vanishing < last.len() {
            versions.push(last.get(vanishing..).unwrap_or_default().to_vec());
        }
        for version in versions {
            self.argv(&version, &inner);
        }
    }
}

/// What `xargs -I`, `-i` or `--replace` names as the placeholder; `None` where words are added at the end.
fn placeholder(options: &[Word]) -> Option<String> {
    let mut words = options.iter().skip(1).filter_map(constant);
    while let Some(word) = words.next() {
        if word == "-I" || word == "-J" {
            return words.next().map(std::borrow::Cow::into_owned).filter(|text| !text.is_empty());
        }
        for prefix in ["-I", "-J", "--replace=", "--replace", "-i"] {
            if let Some(rest) = word.strip_prefix(prefix) {
                return Some(if rest.is_empty() { "{}".to_owned() } else { rest.to_owned() });
            }
        }
    }
    None
}

/// The word that names the program which gets the words as its arguments.
fn program_word(program: &CodeWord, words: &[Word]) -> Word {
    match program {
        CodeWord::Text(text) => super::word::quoted(text),
        CodeWord::At(at) | CodeWord::Dynamic(at) => {
            words.get(*at).cloned().unwrap_or_else(|| super::word::quoted(""))
        }
    }
}

/// Whether `xargs` adds words behind the command although it names a placeholder: a later `-n` or `-L` takes it back, and `-J`
/// replaces only a whole word.
fn appends(options: &[Word]) -> bool {
    options.iter().skip(1).any(|word| {
        let short =
            word.raw.strip_prefix('-').is_some_and(|letters| letters.starts_with(['n', 'L', 'l', 'J']));
        short || word.raw.starts_with("--max-a") || word.raw.starts_with("--max-l") || !is_constant(word)
    })
}

/// A word as a program reads it from its input.
fn literal(text: &str) -> Word {
    Word {
        parts: vec![Part::Text { text: text.to_owned(), quoted: false }],
        raw: text.to_owned(),
        span: None,
    }
}

/// Whether the text may hold `time` in front of an option: in a POSIX shell it is a program there, and no reserved word.
fn times_with_options(text: &str) -> bool {
    let mut pieces = text.split("time");
    pieces.next();
    pieces.any(|behind| {
        let operand = behind.trim_start_matches([' ', '\t', '\\', '\n']);
        operand.len() < behind.len() && operand.starts_with('-')
    })
}

/// Whether a wrapper that adds arguments puts them in the place of a placeholder: `xargs -I`, and `parallel` always.
fn replaces(words: &[Word]) -> bool {
    const OPTIONS: [&str; 4] = ["-I", "-i", "-J", "--replace"];
    let parallel = words.first().and_then(constant).is_some_and(|path| base_name(&path) == "parallel");
    parallel || words.iter().any(|word| OPTIONS.iter().any(|option| word.raw.starts_with(option)))
}

/// A word that is nothing but unquoted expansions, so that it is no word at all when they are empty.
fn may_vanish(word: &Word) -> bool {
    !word.parts.is_empty()
        && word.parts.iter().all(|part| matches!(part, Part::Expansion(expansion) if !expansion.quoted))
}

/// The words joined by blanks, as `eval` and `ssh` join them, and whether all are known. Those of `quoted` are no code,
/// whatever they turn out to be.
fn joined(words: &[Word], quoted: &[Word]) -> (String, bool) {
    let code = words.iter().map(code_text).chain(quoted.iter().map(best_text));
    let mut text = String::new();
    let mut complete = true;
    for (word, known) in code {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&word);
        complete &= known;
    }
    (text, complete)
}

/// How many words belong to the action of `find`: up to `;`, or to `{} +`.
fn end_of_action(words: &[Word]) -> usize {
    let mut previous = String::new();
    for (index, word) in words.iter().enumerate() {
        let text = constant(word).unwrap_or_default();
        if text == ";" || (text == "+" && previous == "{}") {
            return index;
        }
        previous = text.into_owned();
    }
    words.len()
}
