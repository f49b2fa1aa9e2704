//! The rule for clients of Redis: commands in the arguments.
//!
//! Promises that a command which is in no table is not assessed. Knows nothing of what the keys hold.

use super::super::call::Call;
use super::super::findings::Findings;
use super::super::objects::shown;
use super::interpreter::inline_input;
use crate::rater::knowledge::Verb;
use crate::shell::hardline::{UNKNOWN, is_this_machine};

const VALUES: &[&str] = &[
    "-p",
    "-n",
    "-a",
    "--user",
    "--pass",
    "-r",
    "-i",
    "--pattern",
    "--count",
    "--type",
    "-d",
    "-D",
    "-X",
    "--sni",
];
const FLAGS: &[&str] = &[
    "--raw",
    "--no-raw",
    "--json",
    "--csv",
    "--tls",
    "--no-auth-warning",
    "-2",
    "-3",
    "-e",
    "-c",
    "--quoted-input",
    "--verbose",
    "--show-pushes",
    "--insecure",
    "-x",
];
/// Options that look at the server instead of running a command.
const LOOKS: &[&str] = &[
    "--scan",
    "--bigkeys",
    "--memkeys",
    "--hotkeys",
    "--stat",
    "--latency",
    "--latency-history",
    "--latency-dist",
];
const READS: &[&str] = &[
    "GET",
    "MGET",
    "STRLEN",
    "EXISTS",
    "TYPE",
    "TTL",
    "PTTL",
    "KEYS",
    "SCAN",
    "HGET",
    "HGETALL",
    "HMGET",
    "HKEYS",
    "HVALS",
    "HLEN",
    "HEXISTS",
    "HSCAN",
    "LRANGE",
    "LLEN",
    "LINDEX",
    "SMEMBERS",
    "SCARD",
    "SISMEMBER",
    "SSCAN",
    "ZRANGE",
    "ZCARD",
    "ZSCORE",
    "ZRANK",
    "ZSCAN",
    "ZRANGEBYSCORE",
    "ZREVRANGE",
    "ZCOUNT",
    "XRANGE",
    "XREVRANGE",
    "XLEN",
    "XINFO",
    "XPENDING",
    "XREAD",
    "INFO",
    "PING",
    "ECHO",
    "DBSIZE",
    "TIME",
    "LASTSAVE",
    "ROLE",
    "OBJECT",
    "MEMORY",
    "SLOWLOG",
    "COMMAND",
    "LATENCY",
    "GETRANGE",
    "BITCOUNT",
    "GEOPOS",
    "GEODIST",
    "RANDOMKEY",
    "PUBSUB",
    "SUBSCRIBE",
    "PSUBSCRIBE",
    "MONITOR",
    "LOLWUT",
    "SELECT",
    "AUTH",
    "HELLO",
    "QUIT",
    "DUMP",
    "WAIT",
    "HELP",
];
const WRITES: &[&str] = &[
    "SET",
    "SETEX",
    "SETNX",
    "PSETEX",
    "MSET",
    "GETSET",
    "GETDEL",
    "GETEX",
    "APPEND",
    "INCR",
    "INCRBY",
    "INCRBYFLOAT",
    "DECR",
    "DECRBY",
    "DEL",
    "UNLINK",
    "EXPIRE",
    "PEXPIRE",
    "EXPIREAT",
    "PERSIST",
    "RENAME",
    "RENAMENX",
    "COPY",
    "MOVE",
    "HSET",
    "HSETNX",
    "HMSET",
    "HDEL",
    "HINCRBY",
    "LPUSH",
    "RPUSH",
    "LPOP",
    "RPOP",
    "LSET",
    "LREM",
    "LTRIM",
    "BLPOP",
    "BRPOP",
    "SADD",
    "SREM",
    "SPOP",
    "SMOVE",
    "ZADD",
    "ZREM",
    "ZINCRBY",
    "ZREMRANGEBYRANK",
    "ZREMRANGEBYSCORE",
    "XADD",
    "XDEL",
    "XTRIM",
    "XACK",
    "XGROUP",
    "PUBLISH",
    "SETRANGE",
    "PFADD",
    "GEOADD",
    "RESTORE",
    "SAVE",
    "BGSAVE",
    "BGREWRITEAOF",
    "SORT",
    "TOUCH",
    "SWAPDB",
    "MULTI",
    "EXEC",
    "DISCARD",
    "WATCH",
];

/// Applies the rule.
pub(super) fn apply(call: &Call<'_>, findings: &mut Findings) {
    let mut at = 0;
    let mut looks = false;
    while let Some(argument) = call.arguments.get(at) {
        let text = argument.text.as_str();
        if !text.starts_with('-') {
            break;
        }
        at += 1;
        match text {
            "--version" | "-v" | "--help" => {
                call.does_plainly(Verb::Nothing, Some("it shows its help or version"), findings);
                return;
            }
            "-h" | "-u" | "-s" => {
                let value = call.arguments.get(at).map_or("", |value| value.text.as_str());
                at += 1;
                server(call, text, value, findings);
            }
            "--eval" => {
                call.does_plainly(Verb::Runs, Some("a script runs on the server"), findings);
                return;
            }
            "--pipe" => {
                call.not_assessed("its commands come from its input", findings);
                return;
            }
            "--rdb" | "--functions-rdb" => {
                if let Some(file) = call.arguments.get(at) {
                    call.does_to(Verb::Writes, &file.units, findings);
                }
                looks = true;
                at += 1;
            }
            text if VALUES.contains(&text) => at += 1,
            text if LOOKS.contains(&text) => looks = true,
            text if FLAGS.contains(&text) => {}
            text => {
                let what = format!("the option {} is not known", shown(text));
                call.not_assessed(&what, findings);
                return;
            }
        }
    }
    let words: Vec<&str> =
        call.arguments.get(at..).unwrap_or_default().iter().map(|word| word.text.as_str()).collect();
    if looks {
        call.does_plainly(Verb::Inspects, Some("it looks at the server"), findings);
    } else if words.is_empty() {
        match inline_input(call) {
            Some(text) => {
                for line in text.lines().filter(|line| !line.trim().is_empty()) {
                    command(call, &line.split_whitespace().collect::<Vec<_>>(), findings);
                }
            }
            None => call.not_assessed("it waits for commands", findings),
        }
    } else {
        command(call, &words, findings);
    }
}

fn server(call: &Call<'_>, option: &str, value: &str, findings: &mut Findings) {
    if option == "-s" {
        return;
    }
    if value.contains(UNKNOWN) {
        call.not_assessed("which server it speaks to will only be known when it runs", findings);
    } else if !is_this_machine(value) {
        call.does_plainly(Verb::Sends, Some("the server is another machine"), findings);
    }
}

fn command(call: &Call<'_>, words: &[&str], findings: &mut Findings) {
    let upper: Vec<String> = words.iter().map(|word| word.to_ascii_uppercase()).collect();
    let words_upper: Vec<&str> = upper.iter().map(String::as_str).collect();
    // A number in front repeats the command.
    let words_upper = match words_upper.as_slice() {
        [first, rest @ ..] if !first.is_empty() && first.bytes().all(|byte| byte.is_ascii_digit()) => rest,
        all => all,
    };
    let (verb, note) = match words_upper {
        ["FLUSHALL" | "FLUSHDB", ..] => (Verb::Wipes, "it empties the database"),
        ["CONFIG", "GET", what, ..] if what.contains("PASS") || what.contains("AUTH") => {
            (Verb::Exposes, "it asks for the server's password")
        }
        ["SLOWLOG" | "LATENCY", "RESET", ..] | ["CONFIG", "RESETSTAT", ..] | ["MEMORY", "PURGE", ..] => {
            (Verb::Discards, "what the server has counted")
        }
        ["MONITOR", ..] => (Verb::Reveals, "every command that others send"),
        ["CONFIG", "GET" | "HELP", ..] => (Verb::Inspects, "settings of the server"),
        ["CONFIG", "SET", "DIR" | "DBFILENAME", value, ..] => {
            let trap = [".SSH", "CRON", "/ETC", "AUTHORIZED_KEYS", "WWW", "PROFILE"]
                .iter()
                .any(|part| value.contains(part));
            if trap {
                (Verb::Persists, "the server will write its data where other programs look for orders")
            } else {
                (Verb::Alters, "it changes where the server writes its data")
            }
        }
        ["CONFIG", "SET", "PROTECTED-MODE", "NO", ..] | ["CONFIG", "SET", "REQUIREPASS", "", ..] => {
            (Verb::Escalates, "the server no longer asks who speaks to it")
        }
        ["CONFIG", ..] => (Verb::Alters, "it changes the settings of the server"),
        ["ACL", "SETUSER" | "DELUSER" | "LOAD", ..] => (Verb::Escalates, "it changes who may do what"),
        ["ACL", "LIST" | "GETUSER", ..] => (Verb::Exposes, "the hashes of passwords"),
        ["ACL", ..]
        | ["CLIENT", "LIST" | "INFO" | "ID" | "GETNAME", ..]
        | ["CLUSTER", "INFO" | "NODES" | "SLOTS" | "SHARDS", ..] => {
            (Verb::Inspects, "the state of the server")
        }
        ["CLIENT", "KILL", ..] | ["SHUTDOWN", ..] | ["DEBUG", ..] => {
            (Verb::Stops, "it ends connections or the server")
        }
        ["EVAL" | "EVALSHA" | "FCALL" | "FUNCTION" | "SCRIPT" | "MODULE", ..] => {
            (Verb::Runs, "code runs on the server")
        }
        ["SLAVEOF" | "REPLICAOF" | "MIGRATE" | "FAILOVER" | "CLUSTER" | "CLIENT" | "SENTINEL", ..] => {
            (Verb::Reroutes, "it changes with whom the server shares its data")
        }
        [name, ..] if READS.contains(name) => (Verb::Inspects, "it looks at data"),
        [name, ..] if WRITES.contains(name) => (Verb::Alters, "it changes data"),
        [..] => {
            call.not_assessed("what its command does is not known", findings);
            return;
        }
    };
    call.does_plainly(verb, Some(note), findings);
}

#[cfg(test)]
mod tests {
    use super::super::tests::outcomes;

    #[test]
    fn commands_of_redis_are_told_by_what_they_do_to_the_data() {
        outcomes(&[
            ("redis-cli info memory", "safe"),
            ("redis-cli -n 2 get user:1", "safe"),
            ("redis-cli --scan --pattern 'cache:*' | wc -l", "safe"),
            ("redis-cli -h localhost keys '*'", "safe"),
            ("redis-cli set flag 1 EX 60", "destructive"),
            ("redis-cli del a b", "destructive"),
            ("redis-cli -h cache.example.internal ping", "destructive"),
            ("redis-cli eval 'return 1' 0", "destructive"),
            ("redis-cli flushall", "catastrophic"),
            ("redis-cli -n 2 FLUSHDB", "catastrophic"),
            ("redis-cli config set dir /root/.ssh", "attack"),
            ("redis-cli config get requirepass", "attack"),
            ("redis-cli frobnicate", "not assessed"),
            ("redis-cli --frob get x", "not assessed"),
            ("redis-cli", "not assessed"),
        ]);
    }
}
