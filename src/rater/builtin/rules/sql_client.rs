//! The rule for clients of databases that speak SQL: where the statements are, and which server gets them.
//!
//! Promises that statements in a file or a pipe are not assessed. Knows nothing of what statements do.

use super::super::call::{Call, Input};
use super::super::findings::Findings;
use super::super::objects::{is_url, shown};
use super::interpreter::inline_input;
use super::sql;
use crate::rater::knowledge::Verb;
use crate::shell::hardline::{Argument, UNKNOWN, Unit, is_this_machine, text_of};

/// The options of a client, by what their values are.
struct Client {
    /// Statements.
    statements: &'static [&'static str],
    /// The host.
    host: &'static [&'static str],
    /// A database, or its address.
    database: &'static [&'static str],
    /// Nothing that matters.
    values: &'static [&'static str],
    /// A file that is written.
    writes: &'static [&'static str],
    /// Letters without a value.
    letters: &'static str,
    /// Names without a value.
    flags: &'static [&'static str],
    /// What the operands are.
    operands: Operands,
    /// Long options have one dash.
    single_dash: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operands {
    /// A database and a user.
    Names,
    /// A file, then statements.
    File,
}

const PSQL: Client = Client {
    statements: &["-c", "--command"],
    host: &["-h", "--host"],
    database: &["-d", "--dbname"],
    values: &[
        "-p",
        "--port",
        "-U",
        "--username",
        "-v",
        "--set",
        "--variable",
        "-P",
        "--pset",
        "-F",
        "-R",
        "-T",
        "--field-separator",
        "--record-separator",
    ],
    writes: &["-o", "--output", "-L", "--log-file"],
    letters: "aAbeEHlnqsStwWxXz01",
    flags: &[
        "--no-align",
        "--tuples-only",
        "--expanded",
        "--quiet",
        "--no-psqlrc",
        "--list",
        "--csv",
        "--no-password",
        "--password",
        "--echo-all",
        "--echo-queries",
        "--single-transaction",
        "--html",
        "--no-readline",
        "--echo-errors",
    ],
    operands: Operands::Names,
    single_dash: false,
};
const MYSQL: Client = Client {
    statements: &["-e", "--execute"],
    host: &["-h", "--host"],
    database: &["-D", "--database"],
    values: &[
        "-u",
        "--user",
        "-P",
        "--port",
        "-S",
        "--socket",
        "--protocol",
        "--default-character-set",
        "--connect-timeout",
        "--ssl-mode",
        "--max-allowed-packet",
    ],
    writes: &[],
    letters: "ABbCEfGHiNnqrstUvVwX",
    flags: &[
        "--batch",
        "--silent",
        "--skip-column-names",
        "--table",
        "--vertical",
        "--verbose",
        "--raw",
        "--force",
        "--quick",
        "--xml",
        "--html",
        "--column-names",
        "--compress",
        "--no-auto-rehash",
        "--skip-ssl",
        "--safe-updates",
        "--password",
        "--version",
        "--comments",
    ],
    operands: Operands::Names,
    single_dash: false,
};
const SQLITE: Client = Client {
    statements: &["-cmd"],
    host: &[],
    database: &[],
    values: &["-separator", "-nullvalue", "-newline", "-maxsize", "-mmap", "-lookaside", "-pagecache"],
    writes: &[],
    letters: "",
    flags: &[
        "-readonly",
        "-header",
        "-noheader",
        "-csv",
        "-json",
        "-column",
        "-line",
        "-list",
        "-html",
        "-table",
        "-box",
        "-markdown",
        "-batch",
        "-bail",
        "-echo",
        "-safe",
        "-quote",
        "-tabs",
        "-ascii",
        "-stats",
        "-interactive",
        "-version",
        "-nofollow",
        "-memtrace",
        "-deserialize",
        "-append",
    ],
    operands: Operands::File,
    single_dash: true,
};
const DUCKDB: Client = Client {
    statements: &["-c", "-s", "-cmd"],
    flags: &[
        "-readonly",
        "-header",
        "-noheader",
        "-csv",
        "-json",
        "-column",
        "-line",
        "-list",
        "-html",
        "-table",
        "-box",
        "-markdown",
        "-batch",
        "-bail",
        "-echo",
        "-safe",
        "-quote",
        "-ascii",
        "-jsonlines",
        "-no-stdin",
        "-version",
        "-unsigned",
    ],
    ..SQLITE
};
const CLICKHOUSE: Client = Client {
    statements: &["-q", "--query"],
    host: &["-h", "--host"],
    database: &["-d", "--database"],
    values: &["--port", "-u", "--user", "--password", "-f", "--format", "--max_threads", "--receive_timeout"],
    writes: &[],
    letters: "nmtEvs",
    flags: &[
        "--multiquery",
        "--multiline",
        "--time",
        "--vertical",
        "--secure",
        "--progress",
        "--stacktrace",
        "--echo",
    ],
    operands: Operands::Names,
    single_dash: false,
};
const OTHERS: Client = Client {
    statements: &["-e", "-c", "-q", "-Q", "--execute", "--command", "--query"],
    host: &["-h", "--host", "-S", "--server"],
    database: &["-d", "--database", "-D", "--url"],
    values: &["-u", "-U", "--user", "-p", "--port", "-P", "--format", "--schema", "--catalog", "-k"],
    writes: &["-o", "--output"],
    letters: "",
    flags: &["--insecure", "--no-color"],
    operands: Operands::Names,
    single_dash: false,
};

fn client(program: &str) -> &'static Client {
    match program {
        "psql" | "pgcli" => &PSQL,
        "mysql" | "mariadb" | "mycli" => &MYSQL,
        "sqlite3" | "sqlite" | "litecli" => &SQLITE,
        "duckdb" => &DUCKDB,
        "clickhouse-client" | "clickhouse-local" | "clickhouse" => &CLICKHOUSE,
        _ => &OTHERS,
    }
}

/// Applies the rule.
pub(super) fn apply(call: &Call<'_>, findings: &mut Findings) {
    let client = client(call.program);
    let arguments = call.rest();
    let mut statements: Vec<String> = Vec::new();
    let mut operands: Vec<&Argument> = Vec::new();
    let mut lists = false;
    let mut at = 0;
    while let Some(argument) = arguments.get(at) {
        at += 1;
        let text = argument.text.as_str();
        if text == "--" {
            operands.extend(arguments.get(at..).unwrap_or_default());
            break;
        }
        if !text.starts_with('-') || text == "-" {
            operands.push(argument);
            continue;
        }
        if matches!(text, "--version" | "--help" | "-V" | "-?" | "-version" | "-help") {
            call.does_plainly(Verb::Nothing, Some("it shows its help or version"), findings);
            return;
        }
        lists |= matches!(text, "-l" | "--list") && call.program == "psql";
        let Some((name, glued)) = option(client, text) else {
            let what = format!("the option {} is not known", shown(text));
            call.not_assessed(&what, findings);
            return;
        };
        let Some(name) = name else { continue };
        let value: &[Unit] = match glued {
            Some(from) => argument.behind(from),
            None => {
                at += 1;
                arguments.get(at - 1).map_or(&[], |next| next.units.as_slice())
            }
        };
        let said = text_of(value);
        if client.statements.contains(&name.as_str()) {
            statements.push(said);
        } else if client.host.contains(&name.as_str()) {
            host(call, &said, findings);
        } else if client.database.contains(&name.as_str()) {
            address(call, &said, findings);
        } else if client.writes.contains(&name.as_str()) {
            call.does_to(Verb::Writes, value, findings);
        }
    }
    match client.operands {
        Operands::Names => operands.iter().for_each(|operand| address(call, &operand.text, findings)),
        Operands::File => {
            if let Some((file, rest)) = operands.split_first() {
                if !matches!(file.text.as_str(), ":memory:" | "") {
                    call.does_to(Verb::Reads, &file.units, findings);
                }
                statements.extend(rest.iter().map(|argument| argument.text.clone()));
            }
        }
    }
    for text in &statements {
        sql::statements(call, text, findings);
    }
    if statements.is_empty() && !lists {
        match inline_input(call) {
            Some(text) => sql::statements(call, &text, findings),
            None if call.input == Input::Inherited => call.not_assessed("it waits for statements", findings),
            None => call.not_assessed("its statements come from a file or another command", findings),
        }
    } else if lists {
        call.does_plainly(Verb::Inspects, Some("it lists the databases"), findings);
    }
}

/// The option of a word that takes a value, with the place of the value where it is glued on; `None` inside where it takes none.
fn option(client: &Client, text: &str) -> Option<(Option<String>, Option<usize>)> {
    let takes = |name: &str| {
        [client.statements, client.host, client.database, client.values, client.writes]
            .iter()
            .any(|names| names.contains(&name))
    };
    let bare = match text.strip_prefix("--") {
        Some(rest) if client.single_dash => format!("-{rest}"),
        _ => text.to_owned(),
    };
    if client.flags.contains(&bare.as_str()) {
        return Some((None, None));
    }
    if takes(&bare) {
        return Some((Some(bare), None));
    }
    if let Some((name, _)) = text.split_once('=').filter(|(name, _)| name.starts_with("--")) {
        let known = takes(name) || name == "--password";
        return known.then(|| (Some(name.to_owned()), Some(name.chars().count() + 1)));
    }
    if text.starts_with("--") || client.single_dash {
        return None;
    }
    for (index, letter) in text.chars().enumerate().skip(1) {
        let name = format!("-{letter}");
        if takes(&name) {
            let last = index + 1 == text.chars().count();
            return Some((Some(name), (!last).then_some(index + 1)));
        }
        // A password is glued on.
        if letter == 'p' && client.flags.contains(&"--password") && client.statements.contains(&"-e") {
            return Some((None, None));
        }
        if !client.letters.contains(letter) {
            return None;
        }
    }
    Some((None, None))
}

fn host(call: &Call<'_>, host: &str, findings: &mut Findings) {
    if host.contains(UNKNOWN) {
        call.not_assessed("which server it speaks to will only be known when it runs", findings);
    } else if !host.is_empty() && !host.starts_with('/') && !is_this_machine(host) {
        call.does_plainly(Verb::Sends, Some("the server is another machine"), findings);
    }
}

/// The name of a database, its address, or a connection string.
fn address(call: &Call<'_>, text: &str, findings: &mut Findings) {
    let named = text
        .split_whitespace()
        .find_map(|part| part.strip_prefix("host=").or_else(|| part.strip_prefix("hostaddr=")));
    if let Some(named) = named {
        host(call, named, findings);
    } else if is_url(text) {
        let authority =
            text.split_once("://").map_or("", |(_, rest)| rest).split(['/', '?']).next().unwrap_or_default();
        let server = authority.rsplit('@').next().unwrap_or_default();
        let elsewhere = text.contains("host=");
        if elsewhere {
            call.not_assessed("which server it speaks to cannot be told", findings);
        } else if server.contains(UNKNOWN) {
            host(call, server, findings);
        } else if authority.contains(UNKNOWN) {
            call.does_plainly(Verb::Alters, Some("it is handed a password"), findings);
            host(call, server, findings);
        } else {
            host(call, server, findings);
        }
    } else if text.contains(UNKNOWN) {
        host(call, text, findings);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::outcomes;

    #[test]
    fn statements_are_told_by_what_they_do_to_the_data() {
        outcomes(&[
            ("psql app_dev -c \"select id, email from users order by id desc limit 5\"", "safe"),
            ("psql -h localhost -U app -d app -Atc 'select count(*) from orders'", "safe"),
            ("psql -c \"EXPLAIN (ANALYZE, BUFFERS) SELECT * FROM orders WHERE id = 3\"", "safe"),
            ("psql app_dev -c \"select 'drop table users'\"", "safe"),
            ("psql -l", "safe"),
            ("psql app -c '\\d users'", "safe"),
            ("psql app <<'SQL'\nbegin read only;\nselect count(*) from events;\nrollback;\nSQL", "safe"),
            ("mysql -uroot -psecret -e 'show databases'", "safe"),
            ("sqlite3 -readonly dev.db 'select * from users limit 3'", "safe"),
            ("sqlite3 dev.db '.tables'", "safe"),
            ("sqlite3 dev.db 'pragma table_info(users)'", "safe"),
            ("clickhouse-client -q 'select count() from events'", "safe"),
            ("duckdb -c \"select * from 'data/a.parquet' limit 3\"", "safe"),
            ("psql postgres://app@10.0.4.7:5432/app -c '\\dt'", "destructive"),
            ("psql app_dev -c 'create index concurrently idx_o on orders(user_id)'", "destructive"),
            ("psql app_dev -c \"insert into flags(name) values ('beta')\"", "destructive"),
            ("sqlite3 dev.db \"update users set active=0 where id=9\"", "destructive"),
            ("psql app -c 'delete from a where id = 3'", "destructive"),
            ("psql app -c 'drop index i'", "destructive"),
            ("psql app -c '\\! id'", "destructive"),
            ("psql app -c \"copy t to program 'cat > x'\"", "destructive"),
            ("sqlite3 dev.db '.shell make deploy'", "destructive"),
            ("sqlite3 dev.db \"select writefile('/etc/motd','x')\"", "destructive"),
            ("psql app <<'SQL'\nbegin;\ndelete from events;\nrollback;\nSQL", "destructive"),
            ("psql app_dev -f migrations/004_add_col.sql", "not assessed"),
            ("mysql app_dev < seed.sql", "not assessed"),
            ("mysql -e '/*! drop table x */'", "not assessed"),
            ("psql app -c 'frobnicate'", "not assessed"),
            ("psql app", "not assessed"),
            ("psql app -c 'delete from users'", "catastrophic"),
            ("psql app -c 'delete from orders where 1=1'", "catastrophic"),
            ("psql app -c \"update accounts set balance = 0\"", "catastrophic"),
            ("psql -c 'DROP DATABASE app_dev'", "catastrophic"),
            ("psql app -c 'TRUNCATE orders CASCADE'", "catastrophic"),
            ("psql app -c 'ALTER TABLE users DROP COLUMN email'", "catastrophic"),
            ("psql app -c 'with x as (select 1) delete from users'", "catastrophic"),
            ("mysql -u root app -e 'SET FOREIGN_KEY_CHECKS=0; DROP TABLE users, orders'", "catastrophic"),
            ("psql -c \"alter user app with superuser\"", "attack"),
            ("mysql -e \"select user, authentication_string from mysql.user\"", "attack"),
        ]);
    }
}
