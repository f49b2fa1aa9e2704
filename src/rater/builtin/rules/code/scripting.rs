//! The harmless words of Ruby, Perl and PHP.
//!
//! Promises tables alone. Knows nothing of how they are used.

use super::words::Members::{All, These};
use super::words::Table;

/// Ruby's tables.
pub(super) const RUBY: Table = Table {
    grammar: &[
        "if", "elsif", "else", "unless", "while", "until", "for", "in", "do", "end", "def", "return", "case", "when", "then",
        "begin", "rescue", "ensure", "and", "or", "not", "nil", "true", "false", "next", "break", "yield", "lambda", "proc",
    ],
    names: &[
        "puts", "print", "p", "pp", "printf", "format", "sprintf", "Integer", "Float", "String", "Array", "Hash", "raise",
        "loop", "rand", "exit", "RUBY_VERSION", "RUBY_PLATFORM", "RUBY_ENGINE", "RUBY_PATCHLEVEL", "ARGF", "ARGV", "STDIN",
        "STDOUT", "STDERR", "gets", "StandardError",
    ],
    modules: &[
        ("JSON", These(&["parse", "generate", "pretty_generate", "dump"])),
        ("YAML", These(&["safe_load"])),
        ("Time", These(&["now", "parse", "at"])),
        ("Date", All),
        ("Math", All),
        ("Set", All),
        ("Digest", All),
        ("SecureRandom", All),
        ("Gem", These(&["Version", "version", "path", "dir"])),
        ("Dir", These(&["pwd"])),
        ("File", These(&["exist", "file", "directory", "basename", "dirname", "extname", "size"])),
    ],
    methods: &[
        "to_s", "to_i", "to_f", "to_a", "to_h", "to_sym", "to_json", "keys", "values", "map", "each", "select", "reject",
        "reduce", "inject", "sort", "sort_by", "reverse", "uniq", "flatten", "compact", "first", "last", "take", "drop",
        "join", "split", "strip", "chomp", "chop", "upcase", "downcase", "capitalize", "length", "size", "count", "sum", "min",
        "max", "include", "start_with", "end_with", "gsub", "sub", "match", "scan", "tr", "lines", "chars", "bytes", "index",
        "each_line", "each_with_index", "each_with_object", "group_by", "tally", "zip", "any", "all", "none", "empty", "nil",
        "key", "fetch", "dig", "merge", "push", "pop", "shift", "unshift", "round", "floor", "ceil", "abs", "times", "upto",
        "step", "strftime", "inspect", "class", "name", "freeze", "find", "partition", "max_by", "min_by", "hexdigest",
        "year", "month", "day", "now", "new", "stdin", "read", "ljust", "rjust", "center",
    ],
};

/// Perl's tables.
pub(super) const PERL: Table = Table {
    grammar: &[
        "if", "elsif", "else", "unless", "while", "until", "for", "foreach", "my", "our", "local", "sub", "return", "and",
        "or", "not", "x", "eq", "ne", "lt", "gt", "le", "ge", "cmp", "last", "next", "BEGIN", "END", "strict", "warnings",
        "utf8", "undef",
    ],
    names: &[
        "print", "printf", "say", "sprintf", "split", "join", "map", "grep", "sort", "reverse", "keys", "values", "each",
        "push", "pop", "shift", "unshift", "splice", "scalar", "defined", "exists", "delete", "length", "substr", "index",
        "rindex", "uc", "lc", "ucfirst", "lcfirst", "chomp", "chop", "abs", "int", "sqrt", "sin", "cos", "exp", "log", "hex",
        "oct", "ord", "chr", "time", "localtime", "gmtime", "rand", "die", "warn", "exit", "eof", "STDIN", "STDOUT",
        "STDERR", "wantarray", "sum", "min", "max", "uniq", "VERSION",
    ],
    modules: &[
        ("JSON", All),
        ("PP", All),
        ("List", All),
        ("Util", All),
        ("POSIX", These(&["floor", "ceil", "strftime"])),
        ("Data", All),
        ("Dumper", All),
        ("Config", All),
    ],
    methods: &["VERSION", "new", "decode", "encode", "pretty", "canonical"],
};

/// PHP's tables.
pub(super) const PHP: Table = Table {
    grammar: &[
        "if", "elseif", "else", "while", "for", "foreach", "as", "function", "fn", "return", "switch", "case", "default",
        "break", "continue", "and", "or", "null", "true", "false", "NULL", "TRUE", "FALSE", "isset", "empty", "array", "list",
        "use",
    ],
    names: &[
        "echo", "print", "printf", "sprintf", "print_r", "var_dump", "var_export", "count", "strlen", "strtoupper",
        "strtolower", "ucfirst", "trim", "rtrim", "ltrim", "explode", "implode", "join", "str_replace", "substr", "strpos",
        "str_contains", "str_repeat", "str_pad", "json_encode", "json_decode", "json_last_error_msg", "array_keys",
        "array_values", "array_merge", "array_unique", "array_sum", "array_slice", "in_array", "sort", "ksort", "range",
        "max", "min", "round", "floor", "ceil", "abs", "intval", "floatval", "date", "time", "microtime", "phpversion",
        "PHP_VERSION", "PHP_OS", "PHP_EOL", "PHP_OS_FAMILY", "PHP_INT_MAX", "PHP_INT_SIZE", "md5", "sha1", "hash", "uniqid", "number_format",
        "is_array", "is_string", "is_null", "is_file", "is_dir", "file_exists", "extension_loaded", "class_exists",
        "function_exists", "get_loaded_extensions", "ini_get", "gettype", "JSON_PRETTY_PRINT", "exit", "die", "argv", "memory_get_usage",
        "php_ini_loaded_file", "sys_get_temp_dir", "filesize", "strcmp", "usleep", "sleep", "bin2hex", "random_bytes", "mt_rand",
    ],
    modules: &[],
    methods: &["format", "getMessage"],
};
