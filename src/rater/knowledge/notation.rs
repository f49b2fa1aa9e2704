//! The reader of the notation that the knowledge base is written in (`docs/rater-knowledge.md`).
//!
//! Promises that a malformed line is a typed problem with its file and line, and that its whole entry is left out: what is
//! not understood is not known, never half known. Knows nothing of what the words mean for a rating.

use super::entry::{Level, OptionForm, Replaces, Value};
use super::vocabulary::{Action, Effect, Objects, RuleName, Verb};
use std::collections::hash_map::Entry as Slot;
use std::fmt;

/// A malformed line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    /// The family's name.
    pub(crate) file: &'static str,
    /// The line, from 1.
    pub(crate) line: usize,
    /// What is wrong.
    pub(crate) fault: Fault,
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}: {}", self.file, self.line, self.fault)
    }
}

/// What is wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Fault {
    /// Tabs, an odd number of blanks, or a jump.
    #[error("indent by two blanks for each level, at most one level deeper than the line above")]
    Indentation,
    /// A line below an option or a mark.
    #[error("only programs and subcommands have lines below them")]
    Nested,
    /// An option or a mark without a program.
    #[error("an option needs a program above it")]
    OptionAlone,
    /// Names and an effect without a colon between them cannot be told from names; an empty name.
    #[error("names are needed in front of the colon")]
    NoName,
    /// An option line with a word that is no option.
    #[error("{0:?} is no option: options start with a dash or a plus")]
    NotAnOption(String),
    /// A name that cannot be one.
    #[error("{0:?} is no name")]
    NotAName(String),
    /// A mark that nobody knows.
    #[error("{0:?} is no mark: there are !stop, !single, !front and !slash")]
    Mark(String),
    /// A colon or an arrow with nothing behind it.
    #[error("effects are needed behind the colon or arrow")]
    NoEffects,
    /// A verb that nobody knows.
    #[error("{0:?} is no verb")]
    Verb(String),
    /// A rule that nobody knows.
    #[error("{0:?} is no rule")]
    Rule(String),
    /// Objects that nobody knows.
    #[error("{0:?} are no objects; a note stands in double quotes")]
    Objects(String),
    /// A note that does not end, or is followed by something.
    #[error("a note is one text in double quotes at the end of its effect")]
    Note,
    /// `value` where no option with a value stands.
    #[error("`value` is the value of an option, and there is none on this line")]
    ValueWithoutOption,
    /// `-*` and `-#` have no effects.
    #[error("{0} has no effects: name the options that have some")]
    OpenWithEffects(String),
    /// The option is there already.
    #[error("{0} stands here twice")]
    SecondOption(String),
    /// The subcommand is there already.
    #[error("{0} stands here twice")]
    SecondName(String),
    /// The program is in the knowledge base already.
    #[error("{0} has an entry already, in {1}")]
    SecondEntry(String, &'static str),
    /// An entry that says nothing.
    #[error("{0} has neither effects nor subcommands")]
    Empty(String),
}

/// What a file says of programs: their names with what is known, and the line.
#[derive(Debug, Default)]
pub(crate) struct Family {
    /// The entries.
    pub(crate) entries: Vec<(usize, Vec<&'static str>, Level)>,
    /// The malformed lines.
    pub(crate) problems: Vec<Problem>,
}

/// A line without its comment.
struct Line {
    number: usize,
    depth: usize,
    text: &'static str,
}

/// What a line below a program is.
enum Content {
    Subcommand(Vec<&'static str>, Head),
    Options(Vec<(&'static str, Value)>, Vec<Effect>, Replaces),
    Marks(Head),
}

/// Effects and marks.
#[derive(Default)]
struct Head {
    effects: Vec<Effect>,
    stops: bool,
    single_dash: bool,
    front: bool,
    slash: bool,
}

impl Head {
    /// Adds the marks to a level.
    fn mark(&self, level: &mut Level) {
        level.stops |= self.stops;
        level.single_dash |= self.single_dash;
        level.front |= self.front;
        level.slash |= self.slash;
    }

    /// The level that has these effects and marks.
    fn level(self) -> Level {
        let mut level = Level::default();
        self.mark(&mut level);
        level.effects = self.effects;
        level
    }
}

/// Reads a file.
pub(crate) fn read(file: &'static str, text: &'static str) -> Family {
    let mut family = Family::default();
    let mut lines = Vec::new();
    let mut broken_at_once = Vec::new();
    for (index, raw) in text.lines().enumerate() {
        let content = without_comment(raw);
        if content.trim().is_empty() {
            continue;
        }
        let blanks = content.len() - content.trim_start().len();
        let indent = content.get(..blanks).unwrap_or_default();
        if blanks % 2 == 1 || indent.contains(|blank| blank != ' ') {
            broken_at_once.push(Problem { file, line: index + 1, fault: Fault::Indentation });
        }
        lines.push(Line { number: index + 1, depth: blanks / 2, text: content.trim() });
    }
    let mut rest = lines.as_slice();
    while let Some((head, behind)) = rest.split_first() {
        let below = behind.iter().take_while(|line| line.depth > 0).count();
        let (body, next) = behind.split_at_checked(below).unwrap_or((behind, &[]));
        rest = next;
        let last = body.last().map_or(head.number, |line| line.number);
        let before = family.problems.len();
        family.problems.extend(
            broken_at_once.iter().filter(|problem| (head.number..=last).contains(&problem.line)).cloned(),
        );
        let mut problem = |line: usize, fault: Fault| family.problems.push(Problem { file, line, fault });
        if head.depth > 0 {
            problem(head.number, Fault::Indentation);
            continue;
        }
        let entry = match names_and_head(head.text) {
            Ok((names, _)) if names.iter().any(|name| name.starts_with('-') && name.len() > 1) => {
                problem(head.number, Fault::OptionAlone);
                None
            }
            Ok((names, own)) => {
                let mut level = own.level();
                fill(&mut level, body, 1, &mut problem);
                let says = !level.effects.is_empty() || !level.levels.is_empty();
                if !says && family.problems.len() == before {
                    let name = names.first().copied().unwrap_or_default().to_owned();
                    family.problems.push(Problem { file, line: head.number, fault: Fault::Empty(name) });
                }
                Some((names, level))
            }
            Err(fault) => {
                problem(head.number, fault);
                None
            }
        };
        if let Some((names, level)) = entry
            && family.problems.len() == before
        {
            family.entries.push((head.number, names, level));
        }
    }
    family
}

/// Reads the lines below a level.
fn fill(level: &mut Level, body: &[Line], depth: usize, problem: &mut dyn FnMut(usize, Fault)) {
    let mut rest = body;
    while let Some((line, behind)) = rest.split_first() {
        let below = behind.iter().take_while(|line| line.depth > depth).count();
        let (inner, next) = behind.split_at_checked(below).unwrap_or((behind, &[]));
        rest = next;
        // Deeper than the line above allows: only a first line can be, since the others are inside of theirs.
        if line.depth != depth {
            problem(line.number, Fault::Indentation);
            continue;
        }
        match content(line.text) {
            Err(fault) => problem(line.number, fault),
            Ok(Content::Subcommand(names, own)) => {
                let mut inside = own.level();
                // The bound: a level needs two more blanks on every line, so that depth is bounded by the text.
                if depth < MAX_LEVELS {
                    fill(&mut inside, inner, depth + 1, problem);
                } else if !inner.is_empty() {
                    problem(line.number, Fault::Nested);
                }
                for name in names {
                    match level.subcommands.entry(name) {
                        Slot::Occupied(_) => problem(line.number, Fault::SecondName(name.to_owned())),
                        Slot::Vacant(slot) => {
                            slot.insert(level.levels.len());
                        }
                    }
                }
                level.levels.push(inside);
            }
            Ok(Content::Options(names, effects, replaces)) => {
                if !inner.is_empty() {
                    problem(line.number, Fault::Nested);
                }
                add_options(level, names, &effects, replaces)
                    .unwrap_or_else(|fault| problem(line.number, fault));
            }
            Ok(Content::Marks(marks)) => {
                if !inner.is_empty() {
                    problem(line.number, Fault::Nested);
                }
                marks.mark(level);
            }
        }
    }
}

/// The deepest chain of subcommands that is read.
const MAX_LEVELS: usize = 8;

fn add_options(
    level: &mut Level,
    names: Vec<(&'static str, Value)>,
    effects: &[Effect],
    replaces: Replaces,
) -> Result<(), Fault> {
    for (name, value) in names {
        if name == "-*" || name == "-#" {
            if !effects.is_empty() {
                return Err(Fault::OpenWithEffects(name.to_owned()));
            }
            let mark = if name == "-*" { &mut level.others_harmless } else { &mut level.digits };
            *mark = true;
            continue;
        }
        let of_value = |effect: &Effect| effect.objects == Some(Objects::Value);
        if value == Value::None && effects.iter().any(of_value) {
            return Err(Fault::ValueWithoutOption);
        }
        level.plus |= name.starts_with('+');
        let forms = level.options.entry(name).or_default();
        let same = |form: &OptionForm| match (&form.value, &value) {
            (Value::OneOf(old), Value::OneOf(new)) => old.iter().any(|word| new.contains(word)),
            (Value::None | Value::Any | Value::Glued | Value::OneOf(_), _) => form.value == value,
        };
        if forms.iter().any(same) {
            return Err(Fault::SecondOption(name.to_owned()));
        }
        forms.push(OptionForm { value, effects: effects.to_vec(), replaces });
    }
    Ok(())
}

/// The line up to a `#` that starts it or stands behind a blank, outside of a note.
fn without_comment(line: &'static str) -> &'static str {
    let mut in_note = false;
    let mut before = ' ';
    for (at, character) in line.char_indices() {
        match character {
            '"' => in_note = !in_note,
            '#' if !in_note && before.is_whitespace() => {
                return line.get(..at).unwrap_or_default().trim_end();
            }
            _ => {}
        }
        before = character;
    }
    line.trim_end()
}

fn content(text: &'static str) -> Result<Content, Fault> {
    if text.starts_with(['-', '+']) {
        return options(text);
    }
    if text.starts_with('!') {
        let mut head = Head::default();
        text.split_whitespace().try_for_each(|word| mark(word, &mut head))?;
        return Ok(Content::Marks(head));
    }
    let (names, head) = names_and_head(text)?;
    Ok(Content::Subcommand(names, head))
}

/// `name name: effects`, `name:` or `name`.
fn names_and_head(text: &'static str) -> Result<(Vec<&'static str>, Head), Fault> {
    let (names, effects, _) = split_head(text);
    let effects_text = effects.unwrap_or_default();
    if names.is_empty() {
        return Err(Fault::NoName);
    }
    let is_name = |name: &&str| !name.contains(['"', ',', '=']) && !name.starts_with('!');
    if let Some(wrong) = names.iter().find(|name| !is_name(name)) {
        return Err(Fault::NotAName((*wrong).to_owned()));
    }
    let mut head = Head::default();
    let mut rest = effects_text;
    // Marks may stand in front of the effects or behind them.
    while let Some(behind) = rest.strip_prefix('!') {
        let end = behind.find(char::is_whitespace).unwrap_or(behind.len());
        mark(rest.get(..=end).unwrap_or(rest).trim_end(), &mut head)?;
        rest = behind.get(end..).unwrap_or_default().trim_start();
    }
    while let Some((front, word)) =
        rest.rsplit_once(char::is_whitespace).filter(|(_, word)| word.starts_with('!'))
    {
        mark(word, &mut head)?;
        rest = front.trim_end();
    }
    if rest.starts_with('!') {
        mark(rest, &mut head)?;
        rest = "";
    }
    if !rest.is_empty() {
        head.effects = read_effects(rest)?;
    }
    if head.effects.iter().any(|effect| effect.objects == Some(Objects::Value)) {
        return Err(Fault::ValueWithoutOption);
    }
    Ok((names, head))
}

fn mark(word: &str, head: &mut Head) -> Result<(), Fault> {
    match word {
        "!stop" => head.stops = true,
        "!single" => head.single_dash = true,
        "!front" => head.front = true,
        "!slash" => head.slash = true,
        other => return Err(Fault::Mark(other.to_owned())),
    }
    Ok(())
}

/// The words in front of the colon or the arrow, what stands behind it, and what an arrow replaces. A word that is only a colon is a name: the
/// builtin `:`.
fn split_head(text: &'static str) -> (Vec<&'static str>, Option<&'static str>, Replaces) {
    let mut words = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let (word, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
        rest = behind.trim_start();
        match word {
            "=>" => return (words, Some(rest), Replaces::WithoutObjects),
            "=>>" => return (words, Some(rest), Replaces::All),
            _ => {}
        }
        match word.strip_suffix(':') {
            Some(name) if !name.is_empty() => {
                words.push(name);
                return (words, Some(rest), Replaces::None);
            }
            Some(_) | None => words.push(word),
        }
    }
    (words, None, Replaces::None)
}

fn options(text: &'static str) -> Result<Content, Fault> {
    let (words, behind, replaces) = split_head(text);
    if words.is_empty() {
        return Err(Fault::NoName);
    }
    let mut names = Vec::with_capacity(words.len());
    for word in words {
        let (name, value) = match word.split_once('=') {
            None => (word, Value::None),
            Some((name, "")) => (name, Value::Any),
            Some((name, "?")) => (name, Value::Glued),
            Some((name, words)) => (name, Value::OneOf(words.split('|').collect())),
        };
        // `+` alone takes what is behind it as its value.
        let is_option = name.starts_with(['-', '+']) && name != "-" && !name.contains(['"', ',', ':', '|']);
        if !is_option || name == "--" {
            return Err(Fault::NotAnOption(word.to_owned()));
        }
        names.push((name, value));
    }
    let effects = match behind {
        None => Vec::new(),
        Some("") => return Err(Fault::NoEffects),
        Some(effects) => read_effects(effects)?,
    };
    Ok(Content::Options(names, effects, replaces))
}

/// `VERB OBJECTS "note"`, joined by commas.
fn read_effects(text: &'static str) -> Result<Vec<Effect>, Fault> {
    let mut effects = Vec::new();
    let mut rest = text.trim();
    loop {
        let end = rest.find([',', '"']).unwrap_or(rest.len());
        let (words, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
        let (note, behind) = match behind.strip_prefix('"') {
            None => (None, behind),
            Some(inside) => {
                let (note, behind) = inside.split_once('"').ok_or(Fault::Note)?;
                (Some(note.trim()).filter(|note| !note.is_empty()), behind.trim_start())
            }
        };
        effects.push(read_effect(words, note)?);
        match behind.strip_prefix(',') {
            Some(next) => rest = next.trim_start(),
            None if behind.is_empty() => return Ok(effects),
            None => return Err(Fault::Note),
        }
    }
}

fn read_effect(text: &'static str, note: Option<&'static str>) -> Result<Effect, Fault> {
    let mut words = text.split_whitespace();
    let action = match words.next() {
        None => return Err(Fault::NoEffects),
        Some("rule") => {
            let name = words.next().unwrap_or_default();
            Action::Rule(RuleName::parse(name).ok_or_else(|| Fault::Rule(name.to_owned()))?)
        }
        Some(verb) => Action::Verb(Verb::parse(verb).ok_or_else(|| Fault::Verb(verb.to_owned()))?),
    };
    let objects = match words.next() {
        None => None,
        Some(word) => Some(Objects::parse(word).ok_or_else(|| Fault::Objects(word.to_owned()))?),
    };
    match words.next() {
        None => Ok(Effect { action, objects, note }),
        Some(word) => Err(Fault::Objects(word.to_owned())),
    }
}
