//! Statements of SQL, and the commands that clients mix with them.
//!
//! Promises that what a statement does is told from its first words and the clauses that matter, that texts and comments in it
//! are no words, and that a statement nobody knows is not assessed. Knows nothing of the options of clients.

use super::super::call::Call;
use super::super::findings::Findings;
use super::super::objects::{is_url, shown};
use crate::rater::knowledge::Verb;
use crate::shell::hardline::{UNKNOWN, Unit};

/// The most characters of statements that are looked at.
const MAX_TEXT: usize = 64 * 1024;

/// A statement: its words in capitals, and its texts.
#[derive(Debug, Default)]
struct Statement {
    words: Vec<String>,
    texts: Vec<String>,
}

impl Statement {
    fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", String::as_str)
    }

    fn has(&self, words: &[&str]) -> bool {
        self.words.iter().any(|word| words.contains(&word.as_str()))
    }

    /// Whether words follow each other in it.
    fn has_in_order(&self, words: &[&str]) -> bool {
        self.words.windows(words.len()).any(|part| part.iter().zip(words).all(|(one, other)| one == other))
    }

    /// Whether it holds for every row: no condition, or one that is always true.
    fn takes_all_rows(&self) -> bool {
        let Some(at) = self.words.iter().position(|word| word == "WHERE") else {
            return !self.has(&["LIMIT"]);
        };
        let condition: Vec<&str> = self.words.iter().skip(at + 1).map(String::as_str).collect();
        match condition.as_slice() {
            ["TRUE", ..] | ["1"] | [] => true,
            [left, "=", right, rest @ ..] if left == right => !rest.contains(&"AND"),
            [..] => {
                condition.windows(4).any(|part| matches!(part, ["OR", left, "=", right] if left == right))
            }
        }
    }
}

/// Adds what statements do.
pub(super) fn statements(call: &Call<'_>, text: &str, findings: &mut Findings) {
    if text.contains(UNKNOWN) {
        call.not_assessed("a part of the statements will only be known when it runs", findings);
    }
    let mut rest = String::new();
    for line in text.lines() {
        let start = line.trim_start();
        match start.chars().next() {
            Some('\\' | '.') => client_command(call, start, findings),
            _ => {
                rest.push_str(line);
                rest.push('\n');
            }
        }
    }
    let Some(statements) = split(&rest) else {
        call.not_assessed("where its statements end cannot be told", findings);
        return;
    };
    let undone = statements.first().is_some_and(|first| matches!(first.word(0), "BEGIN" | "START"))
        && statements.last().is_some_and(|last| last.word(0) == "ROLLBACK" && last.word(1) != "TO")
        && !statements.iter().any(|one| matches!(one.word(0), "COMMIT" | "END"));
    for statement in &statements {
        one(call, statement, undone, findings);
    }
}

/// The statements of a text; `None` where texts in it cannot be told from words.
fn split(text: &str) -> Option<Vec<Statement>> {
    if text.len() > MAX_TEXT {
        return None;
    }
    let characters: Vec<char> = text.chars().collect();
    let at = |place: usize| characters.get(place).copied();
    let mut statements = Vec::new();
    let mut current = Statement::default();
    let mut word = String::new();
    let mut place = 0;
    while let Some(letter) = at(place) {
        let next = at(place + 1);
        if letter.is_alphanumeric() || matches!(letter, '_' | '$' | UNKNOWN) {
            word.extend(letter.to_uppercase());
            place += 1;
            continue;
        }
        if !word.is_empty() {
            current.words.push(std::mem::take(&mut word));
        }
        place += 1;
        match (letter, next) {
            ('-', Some('-')) => {
                while at(place).is_some_and(|letter| letter != '\n') {
                    place += 1;
                }
            }
            // What stands in such a comment runs in some servers.
            ('/', Some('*')) if matches!(at(place + 1), Some('!' | 'M')) => return None,
            ('/', Some('*')) => {
                place += 1;
                while !(at(place)? == '*' && at(place + 1) == Some('/')) {
                    place += 1;
                }
                place += 2;
            }
            ('\'' | '"' | '`', _) => {
                let mut inner = String::new();
                loop {
                    let one = at(place)?;
                    place += 1;
                    if one == '\\' && at(place) == Some(letter) {
                        return None;
                    }
                    if one == letter {
                        if at(place) != Some(letter) {
                            break;
                        }
                        place += 1;
                    }
                    inner.push(one);
                }
                if letter == '\'' {
                    current.texts.push(inner);
                    current.words.push("''".to_owned());
                } else {
                    // A name: it is no word of the language.
                    current.words.push(format!("\"{}\"", inner.to_lowercase()));
                }
            }
            (';', _) => statements.push(std::mem::take(&mut current)),
            (letter, _) if letter.is_whitespace() => {}
            (sign, _) => current.words.push(sign.to_string()),
        }
    }
    if !word.is_empty() {
        current.words.push(word);
    }
    statements.push(current);
    statements.retain(|statement| !statement.words.is_empty());
    Some(statements)
}

fn one(call: &Call<'_>, statement: &Statement, undone: bool, findings: &mut Findings) {
    functions(call, statement, findings);
    let last = statement.words.last().map(String::as_str);
    if statement.has(&["\\"]) && !matches!(last, Some("G" | "GX" | "GSET")) {
        call.not_assessed("a command of the client stands in a statement", findings);
    }
    let lasting = |verb: Verb| if undone && verb == Verb::Wipes { Verb::Alters } else { verb };
    let mut does = |verb: Verb, note: &str| call.does_plainly(lasting(verb), Some(note), findings);
    let first = statement.word(0);
    let second = statement.word(1);
    match first {
        "EXPLAIN" | "WITH" | "(" => explained(call, statement, undone, findings),
        "SELECT" | "VALUES" | "TABLE" | "FROM" => {
            if statement.has_in_order(&["INTO", "OUTFILE"]) || statement.has_in_order(&["INTO", "DUMPFILE"]) {
                does(Verb::Alters, "it writes a file on the server");
            } else if first == "SELECT" && statement.has(&["INTO"]) {
                does(Verb::Alters, "it makes a table");
            } else {
                does(Verb::Inspects, "it looks at data");
            }
        }
        "SHOW" | "DESC" | "DESCRIBE" | "USE" | "BEGIN" | "START" | "COMMIT" | "END" | "ROLLBACK"
        | "SAVEPOINT" | "RELEASE" | "HELP" | "FETCH" | "CLOSE" | "DECLARE" | "LIST" | "CHECK"
        | "CHECKSUM" | "EXISTS" | "SUMMARIZE" => {
            does(Verb::Inspects, "it looks at the state of the database");
        }
        "PRAGMA" => {
            let looks = statement.words.len() <= 2
                || statement.words.get(2).is_some_and(|sign| sign == "(")
                || matches!(second, "FOREIGN_KEYS" | "JOURNAL_MODE" | "BUSY_TIMEOUT" | "CACHE_SIZE");
            let changing = matches!(second, "WRITABLE_SCHEMA" | "USER_VERSION" | "APPLICATION_ID")
                && statement.words.len() > 2;
            does(if looks && !changing { Verb::Inspects } else { Verb::Alters }, "a setting of the database");
        }
        "SET" if matches!(second, "PASSWORD" | "GLOBAL" | "PERSIST") => {
            does(Verb::Alters, "it changes a setting of the server")
        }
        "SET" | "RESET" if second != "MASTER" => {
            does(Verb::Inspects, "it changes a setting of its own session")
        }
        "RESET" | "PURGE" => does(Verb::Wipes, "it deletes logs of the database"),
        "INSERT" | "REPLACE" | "MERGE" | "UPSERT" => does(Verb::Alters, "it writes rows"),
        "CREATE" | "ALTER" if matches!(second, "USER" | "ROLE" | "GROUP" | "LOGIN") => {
            let strong =
                statement.has(&["SUPERUSER", "CREATEROLE", "BYPASSRLS", "REPLICATION", "ALL", "SYSADMIN"]);
            does(
                if strong { Verb::Escalates } else { Verb::Alters },
                "it changes who may do what in the database",
            );
        }
        "CREATE"
            if statement.has(&["LANGUAGE"])
                && statement.has(&["C", "PLPYTHON3U", "PLPYTHONU", "PLPERLU", "PLSH"]) =>
        {
            does(Verb::Runs, "it makes a function that runs code on the server");
        }
        "CREATE" | "COMMENT" | "REINDEX" | "REFRESH" | "LOCK" | "OPTIMIZE" | "CLUSTER" | "ANALYZE"
        | "VACUUM" | "FLUSH" | "RENAME" | "DETACH" | "ATTACH" | "LOAD" | "IMPORT" | "SYSTEM" | "REVOKE"
        | "NOTIFY" | "EXCHANGE" | "UNDROP" => {
            if first == "LOAD" && second != "DATA" || first == "SYSTEM" && statement.word(2).is_empty() {
                does(Verb::Runs, "it loads code");
            } else {
                does(Verb::Alters, "it changes the database");
            }
        }
        "ALTER" => alter(statement, &mut does),
        "UPDATE" if statement.takes_all_rows() => does(Verb::Wipes, "it overwrites every row of a table"),
        "UPDATE" => does(Verb::Alters, "it changes rows"),
        "DELETE" if statement.takes_all_rows() => does(Verb::Wipes, "it deletes every row of a table"),
        "DELETE" => does(Verb::Alters, "it deletes rows"),
        "TRUNCATE" => does(Verb::Wipes, "it empties a table"),
        "DROP" => match second {
            "INDEX" | "VIEW" | "MATERIALIZED" | "FUNCTION" | "PROCEDURE" | "TRIGGER" | "SEQUENCE"
            | "TYPE" | "EXTENSION" | "ROLE" | "USER" | "POLICY" | "RULE" | "EVENT" | "TEMPORARY" | "TEMP"
            | "AGGREGATE" | "OPERATOR" | "CAST" => {
                does(Verb::Alters, "it drops something that can be made again");
            }
            "DATABASE" | "SCHEMA" | "KEYSPACE" => does(Verb::Wipes, "it drops a database"),
            "TABLE" => does(Verb::Wipes, "it drops a table"),
            _ => does(Verb::Wipes, "it drops something with its data"),
        },
        "GRANT" => {
            let all =
                statement.has(&["ALL", "SUPER", "SUPERUSER"]) || statement.has_in_order(&["GRANT", "OPTION"]);
            does(if all { Verb::Escalates } else { Verb::Alters }, "it gives rights in the database");
        }
        "COPY" | "UNLOAD" | "EXPORT" => copy(call, statement, findings),
        "KILL" | "SHUTDOWN" => does(Verb::Stops, "it ends connections or the server"),
        "CALL" | "EXEC" | "EXECUTE" | "DO" | "PREPARE" | "INSTALL" | "SOURCE" => {
            does(Verb::Runs, "code that is in the database or elsewhere");
        }
        other => {
            let what = format!("what the statement {} does is not known", shown(other));
            call.not_assessed(&what, findings);
        }
    }
}

/// `ALTER TABLE` and its like.
fn alter(statement: &Statement, does: &mut impl FnMut(Verb, &str)) {
    const KEPT: &[&str] = &[
        "CONSTRAINT",
        "INDEX",
        "DEFAULT",
        "NOT",
        "KEY",
        "FOREIGN",
        "PRIMARY",
        "CHECK",
        "EXPRESSION",
        "IDENTITY",
        "STATISTICS",
    ];
    let loses = statement
        .words
        .windows(2)
        .any(|pair| matches!(pair, [drop, what] if drop == "DROP" && !KEPT.contains(&what.as_str())));
    if loses || statement.has(&["TRUNCATE"]) {
        does(Verb::Wipes, "it drops a column or a part of a table with its data");
    } else {
        does(Verb::Alters, "it changes the form of the database");
    }
}

/// Statements that others stand in: what stands behind counts.
fn explained(call: &Call<'_>, statement: &Statement, undone: bool, findings: &mut Findings) {
    let runs = statement.word(0) != "EXPLAIN" || statement.has(&["ANALYZE", "ANALYSE"]);
    let changing = ["INSERT", "UPDATE", "DELETE", "MERGE", "REPLACE", "CREATE"];
    let inner = statement.words.iter().position(|word| changing.contains(&word.as_str()));
    match inner.filter(|_| runs) {
        Some(at) => {
            let words = statement.words.iter().skip(at).cloned().collect();
            one(call, &Statement { words, texts: Vec::new() }, undone, findings);
        }
        None => call.does_plainly(Verb::Inspects, Some("it looks at data"), findings),
    }
}

fn copy(call: &Call<'_>, statement: &Statement, findings: &mut Findings) {
    if statement.has(&["PROGRAM"]) {
        call.does_plainly(Verb::Runs, Some("the server runs a program"), findings);
    } else if statement.has_in_order(&["TO", "STDOUT"]) {
        call.does_plainly(Verb::Inspects, Some("it looks at data"), findings);
    } else if call.program == "duckdb" && statement.has(&["TO"]) {
        match statement.texts.first() {
            Some(file) => does_to(call, Verb::Writes, file, findings),
            None => call.not_assessed("where it copies to is not known", findings),
        }
    } else {
        call.does_plainly(Verb::Alters, Some("it copies data into or out of the database"), findings);
    }
}

/// Whether a word in front of a bracket may be a function that somebody has put into the database: none of the language, and
/// named like something that is done.
fn may_be_made_by_somebody(name: &str) -> bool {
    const DOING: &[&str] = &[
        "ADD",
        "APPLY",
        "ARCHIVE",
        "CALL",
        "CANCEL",
        "CLEAN",
        "CLEANUP",
        "CLEAR",
        "CLOSE",
        "CREATE",
        "DELETE",
        "DISABLE",
        "DO",
        "DROP",
        "ENABLE",
        "ENQUEUE",
        "EXEC",
        "EXECUTE",
        "EXPIRE",
        "FIX",
        "GRANT",
        "IMPORT",
        "INSERT",
        "KILL",
        "LOAD",
        "MAKE",
        "MERGE",
        "MIGRATE",
        "MY",
        "NOTIFY",
        "PROCESS",
        "PUBLISH",
        "PURGE",
        "PUT",
        "REBUILD",
        "RECALCULATE",
        "REFRESH",
        "REINDEX",
        "REMOVE",
        "RESET",
        "RESTORE",
        "REVOKE",
        "ROTATE",
        "RUN",
        "SCHEDULE",
        "SEED",
        "SEND",
        "SET",
        "START",
        "STOP",
        "SYNC",
        "TRIGGER",
        "TRUNCATE",
        "UNSCHEDULE",
        "UPDATE",
        "UPSERT",
        "WIPE",
        "WRITE",
        "FN",
        "SP",
        "FUNC",
        "PROC",
    ];
    const HARMLESS: &[&str] =
        &["SET_MASKLEN", "INSERT", "MAKE_DATE", "MAKE_INTERVAL", "MAKE_TIMESTAMP", "MAKE_TIME"];
    name.split('_').any(|part| DOING.contains(&part)) && !HARMLESS.contains(&name)
}

/// Functions that reach out of the database.
fn functions(call: &Call<'_>, statement: &Statement, findings: &mut Findings) {
    if statement.words.windows(2).any(|pair| pair == ["MYSQL", "USER"]) {
        call.does_plainly(
            Verb::Exposes,
            Some("it reads the accounts of the server and the hashes of their passwords"),
            findings,
        );
    }
    for pair in statement.words.windows(2) {
        if let [name, bracket] = pair
            && bracket == "("
            && may_be_made_by_somebody(name)
        {
            call.not_assessed(&format!("what the function {} does is not known", shown(name)), findings);
        }
    }
    const SECRET_COLUMNS: [&str; 12] = [
        "PASSWORD",
        "PASSWORD_HASH",
        "PASSWORD_DIGEST",
        "ENCRYPTED_PASSWORD",
        "HASHED_PASSWORD",
        "TOKEN",
        "ACCESS_TOKEN",
        "REFRESH_TOKEN",
        "API_KEY",
        "API_TOKEN",
        "SECRET",
        "CLIENT_SECRET",
    ];
    let columns = statement.words.iter().take_while(|word| *word != "FROM");
    let keys = statement.words.windows(2).any(|pair| {
        matches!(pair, [from, table] if from == "FROM" && matches!(table.as_str(), "API_KEYS" | "SECRETS" | "CREDENTIALS" | "ACCESS_TOKENS" | "API_TOKENS"))
    });
    let counts = statement.has(&["COUNT"]);
    if statement.word(0) == "SELECT"
        && !counts
        && (keys || columns.skip(1).any(|word| SECRET_COLUMNS.contains(&word.as_str())))
    {
        call.not_assessed("it shows what logs people in", findings);
    }
    for word in &statement.words {
        match word.as_str() {
            "WRITEFILE"
            | "READFILE"
            | "READ_TEXT"
            | "READ_BLOB"
            | "PG_STAT_FILE"
            | "PG_LS_DIR"
            | "LOAD_FILE"
            | "PG_READ_FILE"
            | "PG_READ_BINARY_FILE" => match statement.texts.first() {
                Some(file) if word == "WRITEFILE" => does_to(call, Verb::Writes, file, findings),
                Some(file) => does_to(call, Verb::Reads, file, findings),
                None => call.not_assessed("which file it reads or writes is not known", findings),
            },
            "LOAD_EXTENSION" | "XP_CMDSHELL" | "EXECUTABLE" | "SYS_EXEC" | "SYS_EVAL" | "EDIT"
            | "FTS3_TOKENIZER" | "DBLINK_EXEC" | "DBLINK_CONNECT" | "QUERY_TO_XML" | "OPENROWSET"
            | "OPENQUERY" | "UTL_HTTP" | "HTTP_GET" | "GETENV" | "PLPYTHON3U" | "LO_IMPORT" | "LO_EXPORT" => {
                call.does_plainly(Verb::Runs, Some("a function that reaches out of the database"), findings);
            }
            "PG_TERMINATE_BACKEND" | "PG_CANCEL_BACKEND" => {
                call.does_plainly(Verb::Stops, Some("it ends connections of others"), findings);
            }
            "NEXTVAL"
            | "SETVAL"
            | "PG_RELOAD_CONF"
            | "PG_SWITCH_WAL"
            | "DBLINK"
            | "PG_DROP_REPLICATION_SLOT" => {
                call.does_plainly(Verb::Alters, Some("a function that changes the database"), findings);
            }
            "AUTHENTICATION_STRING"
            | "PG_SHADOW"
            | "MYSQL.USER"
            | "PG_AUTHID"
            | "ROLPASSWORD"
            | "PASSWD"
            | "PASSWORD_VALUE"
            | "MOZ_LOGINS"
            | "MOZ_COOKIES" => {
                call.does_plainly(Verb::Exposes, Some("it reads the passwords of accounts"), findings);
            }
            _ => {}
        }
    }
    if matches!(call.program, "duckdb" | "clickhouse-local" | "clickhouse") {
        for text in statement.texts.iter().filter(|text| is_url(text) || text.contains(['/', '.', '~'])) {
            does_to(call, Verb::Reads, text, findings);
        }
    }
}

fn does_to(call: &Call<'_>, verb: Verb, path: &str, findings: &mut Findings) {
    let units: Vec<Unit> = path.chars().map(Unit::Quoted).collect();
    call.does_to(verb, &units, findings);
}

/// `\d` of `psql`, `.tables` of `sqlite3`.
fn client_command(call: &Call<'_>, line: &str, findings: &mut Findings) {
    let mut words = line.split_whitespace();
    let name = words.next().unwrap_or_default();
    let value = words.next();
    let program = value.is_some_and(|value| value.starts_with('|')) || line.contains("| ") && name == "\\g";
    match name {
        _ if program => call.does_plainly(Verb::Runs, Some("it starts a program"), findings),
        "\\l" | "\\l+" | "\\x" | "\\timing" | "\\conninfo" | "\\echo" | "\\pset" | "\\q" | "\\sf"
        | "\\sf+" | "\\sv" | "\\z" | "\\encoding" | "\\a" | "\\t" | "\\h" | "\\?" | "\\c" | "\\connect"
        | "\\G" | "\\g" | "\\gx" | "\\s" | "\\u" => {
            let elsewhere = matches!(name, "\\c" | "\\connect") && line.split_whitespace().count() > 2;
            if elsewhere || name == "\\g" && value.is_some() || name == "\\s" && value.is_some() {
                call.not_assessed("where its command goes is not known", findings);
            } else {
                call.does_plainly(Verb::Inspects, Some("it looks at the state of the database"), findings);
            }
        }
        name if name.starts_with("\\d") && !line.contains(['!', '|', '`']) && name.len() <= 6 => {
            call.does_plainly(Verb::Inspects, Some("it looks at the state of the database"), findings);
        }
        "\\!" | ".shell" | ".system" => {
            call.does_plainly(Verb::Runs, Some("it runs a command of the shell"), findings)
        }
        "\\i" | "\\ir" | "\\include" | ".read" | "\\." => {
            call.does_plainly(Verb::Runs, Some("statements in a file"), findings);
        }
        ".load" => call.does_plainly(Verb::Runs, Some("it loads code"), findings),
        "\\copy" => {
            let out = line.to_uppercase().contains(" TO STDOUT");
            let verb = if out { Verb::Inspects } else { Verb::Alters };
            call.does_plainly(verb, Some("it copies data into or out of the database"), findings);
        }
        "\\o" | "\\out" | ".output" | ".once" | ".backup" | ".save" | ".clone" => match value {
            Some(file) => {
                let file = line.split_whitespace().last().unwrap_or(file).trim_matches(['\'', '"']);
                does_to(call, Verb::Writes, file, findings);
            }
            None => call.does_plainly(Verb::Nothing, None, findings),
        },
        ".tables" | ".schema" | ".headers" | ".header" | ".mode" | ".databases" | ".indexes" | ".indices"
        | ".dump" | ".width" | ".nullvalue" | ".timer" | ".help" | ".show" | ".stats" | ".fullschema"
        | ".eqp" | ".explain" | ".separator" | ".quit" | ".exit" | ".version" | ".dbinfo" | ".sha3sum"
        | ".bail" | ".echo" | ".changes" | ".print" | ".lint" | ".maxrows" => {
            call.does_plainly(Verb::Inspects, Some("it looks at the database"), findings);
        }
        ".import" | ".restore" => call.does_plainly(Verb::Alters, Some("it loads data"), findings),
        other => {
            let what = format!("what the command {} does is not known", shown(other));
            call.not_assessed(&what, findings);
        }
    }
    // Several statements may stand behind each other in a line.
    if name.starts_with('\\') && line.matches('\\').count() > 1 {
        call.not_assessed("several commands stand in one line", findings);
    }
}
