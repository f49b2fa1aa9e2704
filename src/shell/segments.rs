//! The walk: every simple command that bash could run from a tree, at any depth, as segments.
//!
//! Promises that nothing of the tree is left out and that work is bounded: beyond a bound it says so. What stands behind
//! wrappers and in re-read code is the part of `unwrap`. Knows nothing of rules or ratings.

use std::collections::HashMap;
use std::rc::Rc;

use super::analysis::{MAX_DEPTH, MAX_SEGMENTS, UnreadReason};
use super::canonical::spell_command;
use super::evaluating::{evaluates_operands, runs_variable};
use super::flows::Flows;
use super::fork_bomb;
use super::layout::{Group, Hanging, Layout, Link, starts_process};
use super::segment::{Opaque, PipelinePlace, Reach, Segment};
use super::tree::{
    AndOr, AssignedValue, Assignment, Command, Compound, ExpansionKind, Part, Pipeline, Redirect,
    RedirectOperator, Script, SimpleCommand, Span, Word,
};
use super::values::{Values, bind_parameters, stage_output};
use super::word::{best_text, constant, is_constant};

/// The most text that re-read code and commands behind wrappers may add, in bytes, so that nesting cannot multiply work.
const MAX_ADDED_BYTES: usize = 4 << 20;

/// What a command reads from its standard input, as far as the text says.
#[derive(Debug, Clone)]
pub(crate) enum Input {
    /// What the caller of the whole text gives it.
    Inherited,
    /// This text; false where parts of it are dynamic.
    Text(Rc<(String, bool)>),
    /// A file.
    File,
    /// Something that is only known when it runs.
    Unknown,
}

/// The circumstances under which a part of the tree runs.
#[derive(Debug, Clone)]
pub(crate) struct Context {
    pub(crate) depth: u32,
    pub(crate) reached: Vec<Reach>,
    pub(crate) span: Option<Span>,
    pub(crate) input: Input,
    pub(crate) parameters: Option<Rc<[Word]>>,
    pub(crate) open_ended: bool,
    /// Text that comes when it runs takes the place of a placeholder, inside code too.
    pub(crate) replaces: bool,
    /// That placeholder, where the words of the command are the only place for it.
    pub(crate) placeholder: Option<String>,
    pub(crate) place: PipelinePlace,
    /// Inside the body of a function that is called with arguments.
    pub(crate) called: bool,
    /// That call stands in a pipeline, so that what the body reads or writes flows on.
    pub(crate) flows: bool,
    /// How the pipelines found here hang on `place`.
    pub(crate) link: Link,
    /// The process whose working folder holds here.
    pub(crate) process: usize,
    /// The next list of commands runs in a process of its own.
    pub(crate) new_process: bool,
}

impl Context {
    pub(crate) fn top() -> Self {
        Self {
            depth: 0,
            reached: Vec::new(),
            span: None,
            input: Input::Inherited,
            parameters: None,
            open_ended: false,
            replaces: false,
            placeholder: None,
            place: PipelinePlace { pipeline: 0, stage: 0, stages: 1 },
            called: false,
            flows: false,
            link: Link::Top,
            process: 0,
            new_process: false,
        }
    }

    /// One step deeper.
    pub(crate) fn step(&self, reach: Reach) -> Self {
        let mut inner = self.clone();
        inner.depth += 1;
        inner.new_process |= starts_process(&reach);
        inner.reached.push(reach);
        inner
    }
}

/// What a walk has found.
#[derive(Debug, Default)]
pub(crate) struct Walk<'t> {
    pub(crate) segments: Vec<Segment>,
    /// The bound that stopped the walk, and where.
    pub(crate) limit: Option<(usize, UnreadReason)>,
    /// Why something that is no simple command cannot be read.
    pub(crate) opaque: Vec<Opaque>,
    /// Code that did not read as a whole.
    pub(crate) unread_code: Vec<String>,
    pub(super) values: Values,
    added_bytes: usize,
    /// What evaluates the values of variables (arithmetic, `[[ -eq ]]`, `${!x}`), and what they may be.
    pub(super) flows: Flows,
    /// A command changes the parameters that its code was given, so that what was put in for them may not hold.
    pub(super) changes_parameters: bool,
    /// How the commands hang together.
    pub(crate) layout: Layout,
    functions: HashMap<&'t str, &'t Command>,
    /// The redirections of compound commands, which are no segments.
    pub(crate) block_redirects: Vec<Redirect>,
}

impl<'t> Walk<'t> {
    /// Walks the whole tree of a text.
    pub(crate) fn whole(&mut self, script: &'t Script) {
        self.learn_functions(script);
        self.script(script, &Context::top());
        if self.flows.code_is_evaluated(&self.segments) {
            self.opaque.push(Opaque::EvaluatedValue);
        }
    }

    fn learn_functions(&mut self, script: &'t Script) {
        for item in &script.items {
            for pipeline in std::iter::once(&item.first).chain(item.rest.iter().map(|(_, pipeline)| pipeline))
            {
                for stage in &pipeline.stages {
                    if let Command::Function { name, body, .. } = &stage.command {
                        self.functions.insert(name, body);
                    }
                }
            }
        }
    }

    pub(super) fn function(&self, name: &str) -> Option<&'t Command> {
        self.functions.get(name).copied()
    }

    pub(super) fn script(&mut self, script: &Script, context: &Context) {
        let mut own = None;
        if context.new_process {
            let mut inner = context.clone();
            inner.process = self.layout.start_process(context.process);
            inner.new_process = false;
            own = Some(inner);
        }
        let context = own.as_ref().unwrap_or(context);
        for item in &script.items {
            if self.limit.is_some() {
                return;
            }
            let AndOr { first, rest, background } = item;
            self.pipeline(first, *background, context);
            for (_, pipeline) in rest {
                self.pipeline(pipeline, *background, context);
            }
        }
    }

    fn pipeline(&mut self, pipeline: &Pipeline, background: bool, context: &Context) {
        let number = self.layout.pipelines.len();
        self.layout.pipelines.push(Hanging { place: context.place, link: context.link });
        let mut written: Option<(String, bool)> = None;
        for (index, stage) in pipeline.stages.iter().enumerate() {
            if self.limit.is_some() {
                return;
            }
            let mut inner = context.clone();
            inner.place = PipelinePlace { pipeline: number, stage: index, stages: pipeline.stages.len() };
            inner.link = Link::Body;
            if background || pipeline.stages.len() > 1 {
                inner.process = self.layout.start_process(context.process);
            }
            if index > 0 {
                inner.input = match &written {
                    Some(text) => Input::Text(Rc::new(text.clone())),
                    None => Input::Unknown,
                };
            }
            self.command(&stage.command, &inner);
            if pipeline.stages.len() > 1 {
                written = stage_output(&stage.command, written.as_ref());
            }
        }
    }

    pub(super) fn command(&mut self, command: &Command, context: &Context) {
        match command {
            Command::Simple(simple) => self.simple(simple, context),
            Command::Compound { kind, redirects, span: _ } => {
                let mut inner = context.clone();
                if let Some(input) = redirected_input(redirects) {
                    inner.input = input;
                }
                if !redirects.is_empty() {
                    self.layout.groups.push(Group {
                        place: context.place,
                        redirects: redirects.clone(),
                        reached: context.reached.clone(),
                        process: context.process,
                    });
                }
                self.compound(kind, &inner);
                self.redirects(redirects, context);
                self.block_redirects.extend(redirects.iter().cloned());
            }
            Command::Function { name, body, span: _ } => {
                let mut inner = context.step(Reach::Function { name: name.clone() });
                inner.input = Input::Inherited;
                inner.link = Link::Top;
                self.layout.fork_bomb |= fork_bomb::starts_itself_twice(name, body);
                self.command(body, &inner);
            }
            Command::Coproc { name: _, body, span: _ } => self.command(body, &context.step(Reach::Coprocess)),
        }
    }

    fn compound(&mut self, kind: &Compound, context: &Context) {
        match kind {
            Compound::Group(body) => self.script(body, context),
            Compound::Subshell(body) => self.script(body, &context.step(Reach::Subshell)),
            Compound::If { branches, otherwise } => {
                for (condition, body) in branches {
                    self.script(condition, context);
                    self.script(body, context);
                }
                if let Some(body) = otherwise {
                    self.script(body, context);
                }
            }
            Compound::While { condition, body } | Compound::Until { condition, body } => {
                self.script(condition, context);
                self.script(body, context);
            }
            Compound::For { variable, words, body } | Compound::Select { variable, words, body } => {
                if runs_variable(variable) {
                    self.flows.evaluate_anything();
                }
                self.flows.loop_over(variable, words.as_deref());
                if let Some(words) = words {
                    self.words(words, context);
                    self.values.learn_loop(variable, words);
                }
                self.script(body, context);
            }
            Compound::ForArithmetic { expression, body } => {
                self.arithmetic(expression, context);
                self.script(body, context);
            }
            Compound::Case { word, arms } => {
                self.word(word, context);
                for (patterns, body) in arms {
                    self.words(patterns, context);
                    self.script(body, context);
                }
            }
            Compound::Conditional(words) => {
                self.words(words, context);
                self.conditional(words, context);
            }
            Compound::Arithmetic(expression) => {
                self.arithmetic(expression, context);
            }
        }
    }

    /// An arithmetic expression. Its text is no constant that could be put anywhere, but for what is quoted in it.
    fn arithmetic(&mut self, expression: &Word, context: &Context) {
        self.flows.evaluate(&expression.raw);
        if expression.raw.contains(['\'', '"', '\\']) {
            expression.parts.iter().for_each(|part| self.constant(part));
        }
        self.expansions(&expression.parts, context);
    }

    /// The operands that `[[ … ]]` evaluates as arithmetic, quoted or not.
    fn conditional(&mut self, words: &[Word], context: &Context) {
        for (index, word) in words.iter().enumerate() {
            if !constant(word).is_some_and(|operator| evaluates_operands(&operator)) {
                continue;
            }
            let before = index.checked_sub(1).and_then(|before| words.get(before));
            for operand in before.into_iter().chain(words.get(index + 1)) {
                let inner = context.step(Reach::Evaluated { program: "[[".to_owned() });
                self.flows.evaluate_word(operand);
                if let Err(opaque) = self.expanded_text(&best_text(operand).0, &inner, "[[") {
                    self.opaque.push(opaque);
                }
                let has_code =
                    |part: &Part| matches!(part, Part::Text { text, .. } if text.contains(['$', '`']));
                if !is_constant(operand) && operand.parts.iter().any(has_code) {
                    self.opaque.push(Opaque::DynamicCode { program: "[[".to_owned() });
                }
            }
        }
    }

    fn simple(&mut self, simple: &SimpleCommand, context: &Context) {
        let mut context = context.clone();
        if context.reached.iter().all(Reach::is_syntax) && simple.span.is_some() {
            context.span = simple.span;
        }
        if let Some(input) = redirected_input(&simple.redirects) {
            context.input = input;
        }
        self.changes_parameters |= context.parameters.is_some() && changes_parameters(&simple.words);
        let bound =
            context.parameters.as_ref().and_then(|parameters| bind_parameters(&simple.words, parameters));
        // Where the arguments of a call change nothing, the definition has the command already.
        if context.called && !context.flows && bound.is_none() && matches!(context.input, Input::Inherited) {
            return;
        }
        let words = bound.as_deref().unwrap_or(&simple.words);
        let Some(index) = self.push(words, &simple.assignments, &simple.redirects, &context) else { return };
        let mut nested = context.clone();
        nested.parameters = None;
        nested.link = Link::Top;
        for assignment in &simple.assignments {
            self.assignment(assignment, &nested);
        }
        nested.link = context.link;
        self.words(&simple.words, &nested);
        self.redirects(&simple.redirects, &nested);
        self.values.learn(simple);
        self.run(index, words, &context);
        self.expanded(index, words, &context);
    }

    /// Adds a segment; `None` when the bound is reached.
    pub(super) fn push(
        &mut self,
        words: &[Word],
        assignments: &[Assignment],
        redirects: &[Redirect],
        context: &Context,
    ) -> Option<usize> {
        if self.segments.len() >= MAX_SEGMENTS {
            self.stop(UnreadReason::TooManySegments, context);
            return None;
        }
        if !context.reached.is_empty() {
            let bytes: usize = words.iter().map(|word| word.raw.len() + 48).sum();
            self.spend(bytes, context)?;
        }
        self.segments.push(Segment {
            words: words.to_vec(),
            assignments: assignments.to_vec(),
            redirects: redirects.to_vec(),
            span: context.span,
            reached: context.reached.clone(),
            opaque: None,
            carries_code: false,
            open_ended: context.open_ended,
            placeholder: context.placeholder.clone(),
            pipeline: context.place,
            process: context.process,
            spelling: spell_command(assignments, words),
            possible_starts: Vec::new(),
        });
        Some(self.segments.len() - 1)
    }

    pub(super) fn stop(&mut self, reason: UnreadReason, context: &Context) {
        if self.limit.is_none() {
            self.limit = Some((context.span.map_or(0, |span| span.start), reason));
        }
    }

    /// Counts text that is looked at again; `None` beyond the bounds.
    pub(super) fn spend(&mut self, bytes: usize, context: &Context) -> Option<()> {
        self.added_bytes = self.added_bytes.saturating_add(bytes);
        if self.added_bytes > MAX_ADDED_BYTES {
            self.stop(UnreadReason::TooMuchCode, context);
            return None;
        }
        if context.depth > 2 * MAX_DEPTH {
            self.stop(UnreadReason::TooDeep, context);
            return None;
        }
        Some(())
    }

    fn assignment(&mut self, assignment: &Assignment, context: &Context) {
        if let Some(subscript) = &assignment.subscript {
            self.arithmetic(subscript, context);
        }
        match &assignment.value {
            AssignedValue::Scalar(None) => {}
            AssignedValue::Scalar(Some(word)) => {
                self.word(word, context);
                if runs_variable(&assignment.name) {
                    self.variable_that_runs(&assignment.name, word, context);
                }
            }
            AssignedValue::Array(words) => {
                // A quoted subscript of an element is evaluated, and a quoted element is not: the tree has both as words.
                for word in words.iter().filter(|word| word.raw.starts_with('[')) {
                    self.flows.evaluate_word(word);
                    if word.parts.iter().any(holds_code) {
                        self.opaque.push(Opaque::EvaluatedValue);
                    }
                }
                self.words(words, context);
            }
        }
    }

    fn variable_that_runs(&mut self, name: &str, word: &Word, context: &Context) {
        let inner = context.step(Reach::RunVariable { name: name.to_owned() });
        let text = best_text(word).0;
        let outcome = match name {
            "PROMPT_COMMAND" => {
                let read = self.code(&text, is_constant(word), name, &inner);
                read.map_or(Ok(()), Err)
            }
            "BASH_ENV" | "ENV" => Err(Opaque::File { program: name.to_owned() }),
            _ => self.expanded_text(&text, &inner, name).and_then(|()| {
                if is_constant(word) { Ok(()) } else { Err(Opaque::DynamicCode { program: name.to_owned() }) }
            }),
        };
        if let Err(opaque) = outcome {
            self.opaque.push(opaque);
        }
    }

    fn redirects(&mut self, redirects: &[Redirect], context: &Context) {
        for redirect in redirects {
            self.word(&redirect.target, context);
            if redirect.operator == RedirectOperator::DuplicateOutput {
                self.expanded_twice(&redirect.target, context);
            }
            if let Some(document) = &redirect.heredoc {
                self.word(&document.body, context);
            }
        }
    }

    /// The target of `>&` that is no descriptor: bash takes `>&` for `&>` then and expands the target once more, so that what
    /// is quoted in it runs.
    fn expanded_twice(&mut self, target: &Word, context: &Context) {
        if !is_constant(target) {
            self.flows.evaluate_word(target);
        }
        let text = best_text(target).0;
        let inner = context.step(Reach::Evaluated { program: ">&".to_owned() });
        if is_constant(target) {
            if let Err(opaque) = self.expanded_text(&text, &inner, ">&") {
                self.opaque.push(opaque);
            }
        } else if target.parts.iter().any(holds_code) {
            self.opaque.push(Opaque::DynamicCode { program: ">&".to_owned() });
        }
    }

    pub(super) fn words(&mut self, words: &[Word], context: &Context) {
        for word in words {
            self.word(word, context);
        }
    }

    pub(super) fn word(&mut self, word: &Word, context: &Context) {
        word.parts.iter().for_each(|part| self.constant(part));
        self.expansions(&word.parts, context);
    }

    fn constant(&mut self, part: &Part) {
        if let Part::Text { text, .. } = part {
            self.flows.constant(text);
            if runs_variable(text) {
                self.flows.evaluate_anything();
            }
        }
    }

    fn expansions(&mut self, parts: &[Part], context: &Context) {
        for part in parts {
            let Part::Expansion(expansion) = part else { continue };
            self.flows.expansion(expansion);
            if expansion.nested.is_empty() {
                continue;
            }
            let (reach, link) = match expansion.kind {
                ExpansionKind::Process if expansion.raw.starts_with('>') => {
                    (Reach::ProcessSubstitution, Link::WrittenByStage)
                }
                ExpansionKind::Process => (Reach::ProcessSubstitution, Link::ReadByStage),
                ExpansionKind::Parameter
                | ExpansionKind::Arithmetic
                | ExpansionKind::Command
                | ExpansionKind::Locale
                | ExpansionKind::ExtendedPattern => (Reach::Substitution, Link::Argument),
            };
            let mut inner = context.step(reach);
            if context.link != Link::Top {
                inner.link = link;
            }
            for script in &expansion.nested {
                self.script(script, &inner);
            }
        }
    }
}

/// Whether a constant part could be a substitution, or a piece of one, once it is evaluated.
fn holds_code(part: &Part) -> bool {
    matches!(part, Part::Text { text, .. } if text.contains(['$', '`']))
}

/// Whether a command gives its shell other positional parameters: `shift`, and `set` with more than options.
fn changes_parameters(words: &[Word]) -> bool {
    let texts: Vec<String> = words.iter().map(|word| best_text(word).0).collect();
    match texts.split_first() {
        Some((name, _)) if name == "shift" => true,
        Some((name, operands)) if name == "set" => {
            let mut value = false;
            operands.iter().any(|operand| {
                let option = operand.len() > 1 && operand != "--" && operand.starts_with(['-', '+']);
                let changes = !option && !value;
                value = option && operand.ends_with('o');
                changes
            })
        }
        Some(_) | None => false,
    }
}

/// The standard input that redirections give, where they do.
fn redirected_input(redirects: &[Redirect]) -> Option<Input> {
    let redirect = redirects.iter().rev().find(|redirect| {
        let zero = redirect.descriptor.as_deref().is_none_or(|descriptor| descriptor == "0");
        let explicit = redirect.descriptor.as_deref() == Some("0");
        match redirect.operator {
            RedirectOperator::Read
            | RedirectOperator::ReadWrite
            | RedirectOperator::DuplicateInput
            | RedirectOperator::HereDocument
            | RedirectOperator::HereDocumentStripped
            | RedirectOperator::HereString => zero,
            RedirectOperator::DuplicateOutput => explicit,
            RedirectOperator::Write
            | RedirectOperator::Append
            | RedirectOperator::Clobber
            | RedirectOperator::WriteBoth
            | RedirectOperator::AppendBoth => false,
        }
    })?;
    Some(match (&redirect.heredoc, redirect.operator) {
        (Some(document), _) => Input::Text(Rc::new(best_text(&document.body))),
        (None, RedirectOperator::HereString) => Input::Text(Rc::new(best_text(&redirect.target))),
        (None, RedirectOperator::Read | RedirectOperator::ReadWrite) => process_output(&redirect.target),
        (None, _) => Input::Unknown,
    })
}

/// `< <(echo …)` is the output of what stands in it; any other target is a file.
pub(super) fn process_output(target: &Word) -> Input {
    let [Part::Expansion(expansion)] = target.parts.as_slice() else { return Input::File };
    if expansion.kind != ExpansionKind::Process {
        return Input::File;
    }
    let output = match expansion.nested.as_slice() {
        [script] => super::canonical::only_command(script)
            .and_then(|command| stage_output(&Command::Simple(command.clone()), None)),
        _ => None,
    };
    output.map_or(Input::Unknown, |text| Input::Text(Rc::new(text)))
}
