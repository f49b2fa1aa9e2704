//! The harmless words of JavaScript.
//!
//! Promises tables alone. Knows nothing of how they are used.

use super::words::Members::{All, These};
use super::words::Table;

/// The tables.
pub(super) const TABLE: Table = Table {
    grammar: &[
        "const", "let", "var", "function", "return", "if", "else", "for", "of", "in", "while", "do", "switch", "case",
        "default", "break", "continue", "new", "typeof", "instanceof", "void", "delete", "try", "catch", "finally", "throw",
        "async", "await", "yield", "null", "true", "false", "undefined", "NaN", "Infinity", "as", "from",
    ],
    names: &[
        "parseInt", "parseFloat", "isNaN", "isFinite", "Number", "String", "Boolean", "BigInt", "RegExp", "Date", "Map",
        "Set", "Error", "TypeError", "RangeError", "SyntaxError", "encodeURIComponent", "decodeURIComponent", "encodeURI",
        "decodeURI", "URL", "URLSearchParams", "TextEncoder", "TextDecoder", "structuredClone", "btoa", "atob", "setTimeout",
        "clearTimeout", "__dirname", "__filename",
    ],
    modules: &[
        ("console", All),
        ("JSON", These(&["parse", "stringify"])),
        ("Math", All),
        ("Number", All),
        ("String", These(&["fromCharCode", "fromCodePoint", "raw"])),
        ("Date", These(&["now", "parse", "UTC"])),
        ("Array", These(&["from", "isArray", "of"])),
        ("Object", These(&["keys", "values", "entries", "fromEntries", "assign", "freeze"])),
        ("Promise", These(&["all", "resolve", "allSettled", "race"])),
        ("Intl", All),
        ("Buffer", These(&["from", "concat", "alloc", "byteLength"])),
        ("Bun", These(&["version", "revision"])),
        ("Deno", These(&["version", "build", "cwd", "args"])),
        ("process", These(&["version", "versions", "platform", "arch", "cwd", "argv", "exit", "exitCode", "memoryUsage", "uptime",
            "hrtime", "release", "pid", "execPath", "stdout", "stderr", "features", "config", "title"])),
        ("fs", These(&["readFileSync", "existsSync", "readdirSync", "statSync", "lstatSync", "readFile", "promises",
            "writeFileSync", "appendFileSync"])),
        ("fs/promises", These(&["readFile", "readdir", "stat", "writeFile", "appendFile"])),
        ("path", All),
        ("os", These(&["platform", "arch", "cpus", "totalmem", "freemem", "release", "type", "uptime", "EOL", "tmpdir",
            "hostname", "loadavg", "endianness"])),
        ("util", These(&["inspect", "format", "isDeepStrictEqual", "types"])),
        ("url", All),
        ("querystring", All),
        ("assert", All),
        ("crypto", These(&["createHash", "createHmac", "randomUUID", "randomBytes", "randomInt", "getHashes"])),
        ("perf_hooks", These(&["performance"])),
        ("performance", These(&["now"])),
        ("semver", All),
    ],
    methods: &[
        "log", "map", "filter", "forEach", "reduce", "some", "every", "find", "findIndex", "findLast", "flat", "flatMap",
        "join", "split", "slice", "splice", "substring", "substr", "push", "pop", "shift", "unshift", "concat", "includes",
        "indexOf", "lastIndexOf", "sort", "reverse", "toSorted", "toReversed", "keys", "values", "entries", "has", "get",
        "set", "add", "delete", "clear", "trim", "trimStart", "trimEnd", "padStart", "padEnd", "repeat", "replace",
        "replaceAll", "match", "matchAll", "search", "test", "exec", "startsWith", "endsWith", "toLowerCase", "toUpperCase",
        "charAt", "charCodeAt", "codePointAt", "at", "localeCompare", "normalize", "toFixed", "toPrecision", "toISOString",
        "toLocaleString", "toString", "getTime", "getFullYear", "getMonth", "getDate", "getDay", "getHours", "getMinutes",
        "toJSON", "fill", "update", "digest", "write", "then", "catch", "finally", "json", "text", "isDirectory", "isFile",
        "isSymbolicLink", "readFile", "encode", "decode", "append", "getAll", "equals", "readFileSync", "writeFileSync",
    ],
};
