//! The rule for clients of MongoDB: code in an argument or on the input.
//!
//! Promises that every function that the code calls is in a table, and that a filter which is empty counts as every document.
//! Knows nothing of the rest of the language.

use super::super::call::{Call, Input};
use super::super::findings::Findings;
use super::super::objects::{is_url, shown};
use super::code::{self, Called};
use super::interpreter::inline_input;
use crate::rater::knowledge::Verb;
use crate::shell::hardline::{UNKNOWN, is_this_machine};

const READS: &[&str] = &[
    "find",
    "findOne",
    "count",
    "countDocuments",
    "estimatedDocumentCount",
    "aggregate",
    "distinct",
    "explain",
    "limit",
    "sort",
    "skip",
    "pretty",
    "toArray",
    "forEach",
    "map",
    "print",
    "printjson",
    "show",
    "stats",
    "dataSize",
    "storageSize",
    "totalSize",
    "totalIndexSize",
    "getCollectionNames",
    "getCollectionInfos",
    "getCollection",
    "getSiblingDB",
    "getMongo",
    "getDBNames",
    "getDBs",
    "getIndexes",
    "listCommands",
    "serverStatus",
    "hostInfo",
    "version",
    "ObjectId",
    "ISODate",
    "Date",
    "hello",
    "isMaster",
    "tojson",
    "stringify",
    "parse",
    "projection",
    "next",
    "hasNext",
    "size",
    "itcount",
    "currentOp",
    "getName",
    "validate",
    "log",
    "quit",
    "exit",
    "status",
    "conf",
    "help",
    "keys",
    "length",
    "filter",
    "join",
    "NumberLong",
    "NumberInt",
    "UUID",
    "hint",
    "maxTimeMS",
    "isCapped",
    "listDatabases",
    "slice",
    "includes",
    "toString",
    "valueOf",
    "toISOString",
];
const WRITES: &[&str] = &[
    "insertOne",
    "insertMany",
    "insert",
    "updateOne",
    "replaceOne",
    "findOneAndUpdate",
    "findOneAndReplace",
    "save",
    "bulkWrite",
    "createCollection",
    "createIndex",
    "createIndexes",
    "ensureIndex",
    "dropIndex",
    "dropIndexes",
    "renameCollection",
    "createView",
    "findAndModify",
    "deleteOne",
    "findOneAndDelete",
    "compact",
    "setProfilingLevel",
    "fsyncLock",
    "fsyncUnlock",
    "createUser",
    "updateUser",
    "dropUser",
    "createRole",
    "dropRole",
    "reIndex",
    "mapReduce",
    "initiate",
    "add",
    "reconfig",
    "stepDown",
    "enableSharding",
    "shardCollection",
];

/// Commands of the server that only look.
const LOOKING_COMMANDS: &[&str] = &[
    "ping",
    "serverStatus",
    "dbStats",
    "collStats",
    "buildInfo",
    "hostInfo",
    "listDatabases",
    "listCollections",
    "listIndexes",
    "connectionStatus",
    "isMaster",
    "hello",
    "count",
    "distinct",
    "find",
    "replSetGetStatus",
    "getParameter",
];

/// Applies the rule.
pub(super) fn apply(call: &Call<'_>, findings: &mut Findings) {
    const VALUES: [&str; 12] = [
        "-u",
        "--username",
        "-p",
        "--password",
        "--authenticationDatabase",
        "--authenticationMechanism",
        "--port",
        "--json",
        "--apiVersion",
        "--tlsCAFile",
        "--tlsCertificateKeyFile",
        "--retryWrites",
    ];
    let mut code: Vec<String> = Vec::new();
    let mut at = 0;
    while let Some(argument) = call.arguments.get(at) {
        let text = argument.text.as_str();
        at += 1;
        match text {
            "--version" | "--help" | "-h" => {
                call.does_plainly(Verb::Nothing, Some("it shows its help or version"), findings);
                return;
            }
            "--eval" | "-e" => {
                code.extend(call.arguments.get(at).map(|value| value.text.clone()));
                at += 1;
            }
            "--host" => {
                server(call, call.arguments.get(at).map_or("", |value| value.text.as_str()), findings);
                at += 1;
            }
            "--quiet" | "--norc" | "--tls" | "--ssl" | "--nodb" | "--verbose" | "--json=canonical"
            | "--json=relaxed" => {}
            text if VALUES.contains(&text) => at += 1,
            text if text.starts_with("--eval=") => code.push(text.trim_start_matches("--eval=").to_owned()),
            text if text.starts_with('-') => {
                let what = format!("the option {} is not known", shown(text));
                call.not_assessed(&what, findings);
                return;
            }
            text if text.ends_with(".js") || text.ends_with(".mjs") => {
                call.does_to(Verb::Runs, &argument.units, findings)
            }
            text if is_url(text) || text.contains(['/', ':', UNKNOWN]) => server(call, text, findings),
            _ => {}
        }
    }
    if code.is_empty() {
        match inline_input(call) {
            Some(text) => code.push(text),
            None if call.input == Input::Inherited => call.not_assessed("it waits for code", findings),
            None => call.not_assessed("its code comes from its input", findings),
        }
    }
    for text in &code {
        evaluated(call, text, findings);
    }
}

fn server(call: &Call<'_>, address: &str, findings: &mut Findings) {
    let hosts = address.split_once("://").map_or(address, |(_, rest)| rest);
    let hosts = hosts.rsplit('@').next().unwrap_or_default().split(['/', '?']).next().unwrap_or_default();
    if hosts.contains(UNKNOWN) {
        call.not_assessed("which server it speaks to will only be known when it runs", findings);
    } else if !hosts.split(',').all(is_this_machine) {
        call.does_plainly(Verb::Sends, Some("the server is another machine"), findings);
    }
}

fn evaluated(call: &Call<'_>, text: &str, findings: &mut Findings) {
    let Some(calls) = code::calls(text) else {
        call.not_assessed("its code is not of the simple kind that is looked into", findings);
        return;
    };
    for called in &calls {
        one(call, called, findings);
    }
    call.does_plainly(Verb::Inspects, Some("it looks at data"), findings);
}

fn one(call: &Call<'_>, called: &Called, findings: &mut Findings) {
    let name = called.name.as_str();
    let (verb, note) = match name {
        "drop" | "dropDatabase" => (Verb::Wipes, "it drops a collection or a database"),
        "deleteMany" | "remove" | "updateMany" | "update" if called.first_is_empty => {
            (Verb::Wipes, "it deletes or overwrites every document of a collection")
        }
        "deleteMany" | "remove" | "updateMany" | "update" => {
            (Verb::Alters, "it deletes or changes documents")
        }
        "grantRolesToUser" | "grantPrivilegesToRole" => (Verb::Escalates, "it gives rights in the database"),
        "shutdownServer" | "killOp" | "killAllSessions" => (Verb::Stops, "it ends work of the server"),
        "load" | "eval" | "require" | "Function" | "$where" | "process" | "fs" | "child_process"
        | "constructor" => (Verb::Runs, "it runs other code"),
        "$out" | "$merge" => (Verb::Alters, "it writes a collection"),
        name if WRITES.contains(&name) => (Verb::Alters, "it changes the database"),
        name if !called.is_called || READS.contains(&name) => return,
        "runCommand" | "adminCommand"
            if called.first_key.as_deref().is_some_and(|key| LOOKING_COMMANDS.contains(&key)) =>
        {
            return;
        }
        "runCommand" | "adminCommand" => {
            call.not_assessed("which command it runs is not looked into", findings);
            return;
        }
        name => {
            let what = format!("what {} does is not known", shown(name));
            call.not_assessed(&what, findings);
            return;
        }
    };
    call.does_plainly(verb, Some(note), findings);
}

#[cfg(test)]
mod tests {
    use super::super::tests::outcomes;

    #[test]
    fn code_for_mongodb_is_told_by_the_functions_that_it_calls() {
        outcomes(&[
            ("mongosh app --quiet --eval 'db.users.find({a:1}).limit(3).toArray()'", "safe"),
            ("mongosh app --eval 'db.orders.countDocuments({})'", "safe"),
            ("mongosh app --eval 'show dbs'", "safe"),
            ("mongosh app --eval 'db.users.updateOne({_id:1},{$set:{a:1}})'", "destructive"),
            ("mongosh app --eval 'db.users.deleteMany({old:true})'", "destructive"),
            ("mongosh mongodb://db.example.com/app --eval 'db.a.find()'", "destructive"),
            ("mongosh app --eval 'db.a.aggregate([{$out:\"b\"}])'", "destructive"),
            ("mongosh app migrate.js", "not assessed"),
            ("mongosh app --eval 'db.dropDatabase()'", "catastrophic"),
            ("mongosh app --eval 'db.orders.deleteMany({})'", "catastrophic"),
            ("mongosh app --eval 'db.orders.drop()'", "catastrophic"),
            ("mongosh app --eval 'db[\"x\"]()'", "not assessed"),
            ("mongosh app --eval 'db.frob()'", "not assessed"),
        ]);
    }
}
