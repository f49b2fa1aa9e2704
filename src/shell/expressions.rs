//! Which variables bash looks up when it evaluates an expression, and whose values an expansion hands on.
//!
//! Promises to name every variable, or to say that it may be any. Knows only the text of expressions and expansions, as they
//! are written.

/// The variables that a text leads to.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Lookup<'a> {
    /// Their names.
    pub(crate) names: Vec<&'a str>,
    /// Others may be among them, or code from somewhere else.
    pub(crate) unknown: bool,
}

impl<'a> Lookup<'a> {
    fn unknown() -> Self {
        Self { names: Vec::new(), unknown: true }
    }

    /// The variable `name`, whose value may be anything where bash sets it itself.
    pub(crate) fn variable(name: &'a str) -> Self {
        let mut found = Self::default();
        found.add(name);
        found
    }

    fn add(&mut self, name: &'a str) {
        if is_set_by_bash(name) {
            self.unknown = true;
        } else if !is_number(name) {
            self.names.push(name);
        }
    }

    fn and(mut self, other: Self) -> Self {
        self.names.extend(other.names);
        self.unknown |= other.unknown;
        self
    }
}

/// Parameters that are numbers or letters of options.
fn is_number(name: &str) -> bool {
    matches!(name, "#" | "?" | "$" | "!" | "-")
}

/// Parameters that bash gives values that the text may have put elsewhere: arguments, the last word of a command, what was
/// read or matched.
fn is_set_by_bash(name: &str) -> bool {
    const NAMES: [&str; 12] = [
        "_",
        "@",
        "*",
        "REPLY",
        "OPTARG",
        "MAPFILE",
        "DIRSTACK",
        "PWD",
        "OLDPWD",
        "FUNCNAME",
        "COMP_LINE",
        "COMP_WORDS",
    ];
    NAMES.contains(&name)
        || name.starts_with("BASH")
        || name.starts_with("READLINE")
        || name.starts_with(|first: char| first.is_ascii_digit())
}

fn is_name_byte(byte: u8) -> bool {
    byte == b'_' || byte.is_ascii_alphanumeric()
}

/// The names in a text that is evaluated as it is, and nothing else.
pub(crate) fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| !character.is_ascii() || !is_name_byte(character as u8))
        .map(|run| run.trim_start_matches(|first: char| first.is_ascii_digit()))
        .filter(|name| !name.is_empty())
}

/// What stood directly in front of a place in an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Before {
    Other,
    Name,
    Expansion,
}

/// What evaluating an arithmetic expression looks up. Names that expansions could complete, quotes, and the output of commands
/// are unknown.
pub(crate) fn expression(text: &str) -> Lookup<'_> {
    let mut found = Lookup::default();
    let mut before = Before::Other;
    let mut rest = text;
    while let Some(first) = rest.bytes().next() {
        if is_name_byte(first) {
            let length = rest.bytes().take_while(|byte| is_name_byte(*byte)).count();
            let (run, behind) = rest.split_at_checked(length).unwrap_or((rest, ""));
            if before == Before::Expansion {
                return Lookup::unknown();
            }
            for name in identifiers(run) {
                found.add(name);
            }
            (before, rest) = (Before::Name, behind);
        } else if first == b'$' {
            let Some((looked_up, then, behind)) = expansion_ahead(rest) else { return Lookup::unknown() };
            if before != Before::Other {
                return Lookup::unknown();
            }
            found = found.and(looked_up);
            (before, rest) = (then, behind);
        } else if before == Before::Expansion && matches!(first, b'(' | b'{' | b'[') {
            // A dollar sign at the end of the value would go on here.
            return Lookup::unknown();
        } else if !first.is_ascii() || matches!(first, b'`' | b'\'' | b'"' | b'\\') {
            return Lookup::unknown();
        } else {
            (before, rest) = (Before::Other, rest.split_at_checked(1).map_or("", |(_, behind)| behind));
        }
        if found.unknown {
            return Lookup::unknown();
        }
    }
    found
}

/// The variables behind the expansion that a text begins with, and what follows it; `None` where that is not certain. Of
/// arithmetic only the beginning is taken: its inside is an expression as well, and its value a number.
fn expansion_ahead(text: &str) -> Option<(Lookup<'_>, Before, &str)> {
    let behind = text.strip_prefix('$')?;
    let first = behind.bytes().next()?;
    if first.is_ascii_alphabetic() || first == b'_' {
        let length = behind.bytes().take_while(|byte| is_name_byte(*byte)).count();
        let (name, behind) = behind.split_at_checked(length)?;
        return Some((Lookup::variable(name), Before::Expansion, behind));
    }
    match first {
        b'[' => Some((Lookup::default(), Before::Other, behind.strip_prefix('[')?)),
        b'(' => Some((Lookup::default(), Before::Other, behind.strip_prefix("((")?)),
        b'{' => {
            let (inside, _) = behind.split_once('}')?;
            let (raw, behind) = text.split_at_checked(inside.len() + 2)?;
            Some((parameter(raw).and(value_of_parameter(raw, None)), Before::Expansion, behind))
        }
        b'#' | b'?' | b'$' | b'!' | b'-' => {
            Some((Lookup::default(), Before::Expansion, behind.split_at_checked(1)?.1))
        }
        _ => None,
    }
}

/// `${…}` in its parts.
#[derive(Debug, PartialEq, Eq)]
struct Braced<'a> {
    indirect: bool,
    length: bool,
    name: &'a str,
    subscript: Option<&'a str>,
    /// The operator and what is behind it.
    operation: &'a str,
}

fn braced(raw: &str) -> Option<Braced<'_>> {
    let inside = raw.strip_prefix("${")?.strip_suffix('}')?;
    let named = |behind: &str| {
        behind.bytes().next().is_some_and(|first| is_name_byte(first) || matches!(first, b'@' | b'*'))
    };
    let length = inside.strip_prefix('#').filter(|behind| named(behind));
    let indirect = inside.strip_prefix('!').filter(|behind| named(behind));
    let rest = length.or(indirect).unwrap_or(inside);
    let run = rest.bytes().take_while(|byte| is_name_byte(*byte)).count();
    let (name, rest) = rest.split_at_checked(run.max(1))?;
    if run == 0 && !is_number(name) && !matches!(name, "@" | "*") {
        return None;
    }
    let (subscript, operation) = match rest.strip_prefix('[') {
        None => (None, rest),
        Some(behind) => {
            let (subscript, operation) = split_subscript(behind)?;
            (Some(subscript), operation)
        }
    };
    Some(Braced { indirect: indirect.is_some(), length: length.is_some(), name, subscript, operation })
}

/// A subscript and what follows its bracket; `None` where quotes or commands make the end uncertain.
fn split_subscript(text: &str) -> Option<(&str, &str)> {
    let mut level = 0usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'[' => level += 1,
            b']' if level == 0 => {
                let (subscript, rest) = text.split_at_checked(at)?;
                return Some((subscript, rest.strip_prefix(']')?));
            }
            b']' => level -= 1,
            b'\'' | b'"' | b'\\' | b'`' | b'{' => return None,
            _ => {}
        }
    }
    None
}

fn is_every_element(subscript: &str) -> bool {
    matches!(subscript, "@" | "*")
}

/// The behind-the-colon part of `${x:offset:length}`.
fn substring(operation: &str) -> Option<&str> {
    operation.strip_prefix(':').filter(|behind| !behind.starts_with(['-', '=', '?', '+']))
}

/// What a parameter expansion evaluates: the variable of an indirection, a subscript, the arithmetic of a substring. What the
/// expansions in its operand evaluate is theirs.
pub(crate) fn parameter(raw: &str) -> Lookup<'_> {
    if !raw.contains('{') {
        return Lookup::default();
    }
    let Some(parts) = braced(raw) else { return Lookup::unknown() };
    let mut found = Lookup::default();
    let every_element = parts.subscript.is_some_and(is_every_element);
    let lists_names = every_element || (parts.subscript.is_none() && matches!(parts.operation, "*" | "@"));
    if parts.indirect && !lists_names {
        found = found.and(Lookup::variable(parts.name));
    }
    if let Some(subscript) = parts.subscript.filter(|_| !every_element) {
        found = found.and(expression(subscript));
    }
    if let Some(behind) = substring(parts.operation) {
        found = found.and(expression(behind));
    }
    // The value is expanded as a prompt.
    if parts.operation == "@P" {
        found = found.and(Lookup::variable(parts.name));
    }
    found
}

/// The variables whose values, as they are, an expansion puts in; unknown where it makes something else of them. `name` is
/// the parameter where it is known.
pub(crate) fn value_of_parameter<'a>(raw: &'a str, name: Option<&'a str>) -> Lookup<'a> {
    if !raw.contains('{') {
        return name.map_or_else(Lookup::unknown, Lookup::variable);
    }
    let Some(parts) = braced(raw) else { return Lookup::unknown() };
    if parts.length {
        return Lookup::default();
    }
    if parts.indirect {
        return Lookup::unknown();
    }
    // All elements become one text, and pieces of code in them one piece.
    if parts.subscript.is_some_and(is_every_element) {
        return Lookup::unknown();
    }
    if parts.operation.is_empty() {
        return Lookup::variable(parts.name);
    }
    let operand = [":-", ":=", ":?", ":+", "-", "=", "?", "+"]
        .iter()
        .find_map(|operator| parts.operation.strip_prefix(operator));
    match operand.and_then(plain_names) {
        Some(names) => Lookup::variable(parts.name).and(names),
        None => Lookup::unknown(),
    }
}

/// The names in an operand in which nothing is expanded or quoted.
fn plain_names(operand: &str) -> Option<Lookup<'_>> {
    if operand.contains(['\'', '"', '\\', '`', '$', '<', '>', '~', '*', '?', '[', '{']) {
        return None;
    }
    Some(identifiers(operand).map(Lookup::variable).fold(Lookup::default(), Lookup::and))
}

/// The variable that `${name:=value}` sets, and the names in its value; `None` in the place of the name where it may be any.
pub(crate) fn assigned(raw: &str) -> Option<(Option<&str>, Lookup<'_>)> {
    if !raw.contains('=') {
        return None;
    }
    let Some(parts) = braced(raw) else { return Some((None, Lookup::unknown())) };
    let operand = parts.operation.strip_prefix(":=").or_else(|| parts.operation.strip_prefix('='))?;
    let name = Some(parts.name).filter(|_| !parts.indirect);
    Some((name, plain_names(operand).unwrap_or_else(Lookup::unknown)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(lookup: &Lookup<'_>) -> Option<String> {
        (!lookup.unknown).then(|| lookup.names.join(" "))
    }

    #[test]
    fn an_expression_looks_up_its_names_and_what_could_be_any_name_is_unknown() {
        for (text, expected) in [
            ("1+1", Some("")),
            ("(2<<3)*-1 + 0x1f", Some("x1f")),
            ("x", Some("x")),
            ("x = y[i++] ? z : 16#ff", Some("x y i z ff")),
            ("1+$y", Some("y")),
            ("${y:-1} + ${#z} + $? - $#", Some("y")),
            ("$((x)) * $[y]", Some("x y")),
            ("${z[i]}", Some("i z")),
            ("x$y", None),
            ("$x$y", None),
            ("${x}1", None),
            ("$x(1)", None),
            ("x$((1))", None),
            ("$(a)", None),
            ("`a`", None),
            ("'x'", None),
            ("a[\\$(b)]", None),
            ("$1", None),
            ("${1}", None),
            ("_", None),
            ("é", None),
            ("${x#a}", None),
            ("${x:-$y}", None),
        ] {
            assert_eq!(names(&expression(text)).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn a_parameter_expansion_evaluates_subscripts_offsets_and_indirection_only() {
        for (raw, expected) in [
            ("$x", Some("")),
            ("${x[0]}", Some("")),
            ("${x[@]:-[a}", Some("")),
            ("${x[0]%a=b[c]}", Some("")),
            ("${x:1:2}", Some("")),
            ("${x:-y}", Some("")),
            ("${x/a:b/c}", Some("")),
            ("${!x*}", Some("")),
            ("${!x[@]}", Some("")),
            ("${x[i]}", Some("i")),
            ("${#x[i]}", Some("i")),
            ("${x:i}", Some("i")),
            ("${#:i}", Some("i")),
            ("${!x}", Some("x")),
            ("${!x:-y}", Some("x")),
            ("${!1}", None),
            ("${x[$(a)]}", None),
            ("${x@P}", Some("x")),
            ("${1@P}", None),
            ("$\\\n{x:i}", None),
        ] {
            assert_eq!(names(&parameter(raw)).as_deref(), expected, "{raw}");
        }
    }

    #[test]
    fn a_value_that_is_handed_on_whole_has_its_source_and_any_other_is_unknown() {
        for (raw, expected) in [
            ("${x}", Some("x")),
            ("${x[1]}", Some("x")),
            ("${#x}", Some("")),
            ("${x:-y}", Some("x y")),
            ("${x[*]}", None),
            ("${x:-$y}", None),
            ("${x:-'y'}", None),
            ("${x#y}", None),
            ("${x^^}", None),
            ("${x@E}", None),
            ("${!x}", None),
            ("${@}", None),
        ] {
            assert_eq!(names(&value_of_parameter(raw, None)).as_deref(), expected, "{raw}");
        }
    }

    #[test]
    fn an_expansion_that_sets_its_variable_is_seen() {
        assert_eq!(assigned("${x:=y}"), Some((Some("x"), Lookup { names: vec!["y"], unknown: false })));
        assert_eq!(assigned("${x[1]='y'}"), Some((Some("x"), Lookup::unknown())));
        assert_eq!(assigned("${!x=y}"), Some((None, Lookup { names: vec!["y"], unknown: false })));
        assert_eq!(assigned("${x%a=b}"), None);
    }
}
