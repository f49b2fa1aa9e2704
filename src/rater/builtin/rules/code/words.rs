//! Which words of code are harmless, and what the others do: tables per language.
//!
//! Promises that a word counts as harmless only where it stands for the same thing in every program that uses nothing but
//! words of these tables. Knows nothing of commands.

use super::lexer::Language;
use crate::rater::knowledge::Verb;

/// What is known of a module or a class by its members.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Members {
    /// All of them are harmless.
    All,
    /// These are harmless.
    These(&'static [&'static str]),
}

impl Members {
    /// Whether a member is harmless.
    pub(super) fn has(self, name: &str) -> bool {
        match self {
            Self::All => {
                !name.starts_with('_')
                    && !LEAKS.contains(&name)
                    && (name == "compile" || danger(name).is_none())
            }
            Self::These(names) => names.contains(&name),
        }
    }
}

/// Modules that others hold and hand on.
const LEAKS: &[&str] = &[
    "os",
    "sys",
    "io",
    "builtins",
    "pathlib",
    "shutil",
    "codecs",
    "inspect",
    "types",
    "warnings",
    "tempfile",
    "method",
    "define_method",
    "const_set",
    "instance_method",
    "open",
];

/// The tables of a language.
#[derive(Debug)]
pub(super) struct Table {
    /// Words of the grammar.
    pub(super) grammar: &'static [&'static str],
    /// Functions, classes and values that are there without an import.
    pub(super) names: &'static [&'static str],
    /// Modules and classes, with what of them is harmless.
    pub(super) modules: &'static [(&'static str, Members)],
    /// What may be asked of any value.
    pub(super) methods: &'static [&'static str],
}

/// The tables of a language.
pub(super) fn table(language: Language) -> &'static Table {
    match language {
        Language::Python => &super::python::TABLE,
        Language::JavaScript => &super::javascript::TABLE,
        Language::Ruby => &super::scripting::RUBY,
        Language::Perl => &super::scripting::PERL,
        Language::Php => &super::scripting::PHP,
    }
}

/// What a word that is not harmless is known for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Danger {
    /// It does this to the files that its texts name.
    ToFiles(Verb),
    /// It does this.
    Does(Verb, &'static str),
    /// It runs code that is put together.
    Evaluates,
    /// It runs another program.
    Program,
    /// It speaks to other machines.
    Network,
}

/// What a word is known for in any of the languages.
pub(super) fn danger(word: &str) -> Option<Danger> {
    let danger = match word {
        "unlink" | "unlinkSync" | "rmtree" | "rmSync" | "rm" | "rmdir" | "rmdirSync" | "removedirs"
        | "rm_rf" | "rm_r" | "rm_f" | "remove_dir" | "remove_file" | "remove_entry" | "removeSync"
        | "emptyDirSync" | "remove" | "delete" => Danger::ToFiles(Verb::Deletes),
        "rename" | "renameSync" | "move" | "mv" => Danger::ToFiles(Verb::Moves),
        "copyfile" | "copy2" | "copytree" | "copyFile" | "copyFileSync" | "cpSync" | "cp" | "cp_r"
        | "makedirs" | "mkdir" | "mkdirSync" | "mkdir_p" | "touch" | "write_text" | "write_bytes"
        | "writeFileSync" | "writeFile" | "appendFileSync" | "appendFile" | "file_put_contents"
        | "createWriteStream" | "truncate" | "fwrite" | "fputs" => Danger::ToFiles(Verb::Writes),
        "symlink_to" | "hardlink_to" | "link_to" | "symlink" | "symlinkSync" | "linkSync" => {
            Danger::ToFiles(Verb::Writes)
        }
        "lchmod" | "chmod" | "chmodSync" | "chown" | "chownSync" | "lchown" => Danger::ToFiles(Verb::Modes),
        "system" | "popen" | "popen2" | "popen3" | "spawn" | "spawnSync" | "execSync" | "execFile"
        | "execFileSync" | "execl" | "execle" | "execlp" | "execv" | "execve" | "execvp" | "execvpe"
        | "posix_spawn" | "startfile" | "subprocess" | "child_process" | "pty" | "pexpect" | "passthru"
        | "shell_exec" | "proc_open" | "pcntl_exec" | "getoutput" | "capture2" | "capture3" | "Open3"
        | "fork" | "qx" | "readpipe" => Danger::Program,
        "eval" | "exec" | "execfile" | "compile" | "Function" | "instance_eval" | "class_eval"
        | "module_eval" | "vm" | "runInNewContext" | "runInThisContext" | "assert" | "create_function"
        | "runpy" | "constructor" => Danger::Evaluates,
        "requests"
        | "urllib"
        | "urllib2"
        | "urllib3"
        | "urlopen"
        | "urlretrieve"
        | "httpx"
        | "aiohttp"
        | "fetch"
        | "axios"
        | "got"
        | "http"
        | "https"
        | "http2"
        | "net"
        | "dgram"
        | "tls"
        | "socket"
        | "Socket"
        | "TCPSocket"
        | "UDPSocket"
        | "ftplib"
        | "smtplib"
        | "telnetlib"
        | "paramiko"
        | "websocket"
        | "websockets"
        | "WebSocket"
        | "XMLHttpRequest"
        | "curl_init"
        | "curl_exec"
        | "fsockopen"
        | "stream_socket_client"
        | "LWP"
        | "Net"
        | "open_uri"
        | "URI"
        | "boto3" => Danger::Network,
        "kill" | "killpg" | "killall" | "terminate" | "abort" => {
            Danger::Does(Verb::Stops, "it ends a process")
        }
        "pickle" | "marshal" | "shelve" | "dill" | "joblib" | "unserialize" | "Marshal" | "jsonpickle" => {
            Danger::Does(Verb::Runs, "what it loads can hold code")
        }
        "ctypes" | "cffi" | "dlopen" | "FFI" | "ffi" | "Fiddle" | "mmap" | "ptrace" => {
            Danger::Does(Verb::Runs, "it calls into libraries of the system")
        }
        "__import__" | "importlib" | "import_module" | "getattr" | "setattr" | "globals" | "locals"
        | "vars" | "__builtins__" | "__subclasses__" | "Reflect" | "send" | "public_send" | "const_get" => {
            Danger::Does(Verb::Runs, "what it calls is put together when it runs")
        }
        "keyring" | "get_password" | "keytar" => {
            Danger::Does(Verb::Exposes, "it asks the keyring for a password")
        }
        "setuid" | "setgid" | "seteuid" | "setreuid" => {
            Danger::Does(Verb::Escalates, "it takes another user's rights")
        }
        "psycopg2" | "psycopg" | "pymysql" | "sqlite3" | "sqlalchemy" | "pymongo" | "redis" | "mysql2"
        | "pg" | "mongoose" | "mongodb" | "ioredis" | "knex" | "PDO" | "DBI" | "asyncpg" => {
            Danger::Does(Verb::Alters, "it works on a database")
        }
        _ => return None,
    };
    Some(danger)
}

/// Words that make a text out of something that cannot be read.
pub(super) fn decodes(word: &str) -> bool {
    matches!(
        word,
        "base64"
            | "b64decode"
            | "b32decode"
            | "b16decode"
            | "a85decode"
            | "b85decode"
            | "urlsafe_b64decode"
            | "decode64"
            | "urlsafe_decode64"
            | "strict_decode64"
            | "base64_decode"
            | "decode_base64"
            | "atob"
            | "fromhex"
            | "unhexlify"
            | "decompress"
            | "gzinflate"
            | "gzuncompress"
            | "inflate"
            | "gunzipSync"
            | "inflateSync"
            | "str_rot13"
            | "rot13"
            | "fromCharCode"
            | "fromCodePoint"
            | "unpack"
            | "pack"
            | "hex2bin"
            | "codecs"
            | "marshal"
    )
}
