//! The options of interpreters, as tables.
//!
//! Promises that an option which is in no table is not known. Knows nothing of code.

use super::super::code::Language;
use crate::shell::interpreters::plain_name;

/// The options of an interpreter.
pub(super) struct Options {
    /// Letters and names whose value is code.
    pub(super) code: &'static [&'static str],
    /// Letters and names whose value changes nothing.
    pub(super) values: &'static [&'static str],
    /// Names that change nothing.
    pub(super) harmless: &'static [&'static str],
    /// Names whose value is a file of code that is loaded first.
    pub(super) loads: &'static [&'static str],
    /// Names behind which it only checks or shows something.
    pub(super) checks: &'static [&'static str],
}

const PYTHON: Options = Options {
    code: &["-c"],
    values: &["-W", "-X"],
    harmless: &["-u", "-b", "-B", "-d", "-E", "-I", "-O", "-OO", "-P", "-q", "-s", "-S", "-v", "-x"],
    loads: &[],
    checks: &["-V", "-VV", "--version", "-h", "--help"],
};
pub(super) const NODE: Options = Options {
    code: &["-e", "--eval", "-p", "--print", "-pe"],
    values: &[
        "--input-type",
        "--stack-size",
        "--max-old-space-size",
        "-C",
        "--conditions",
        "--title",
        "--test-name-pattern",
        "--test-reporter",
        "--test-concurrency",
        "--test-timeout",
        "--unhandled-rejections",
    ],
    harmless: &[
        "--no-warnings",
        "--trace-warnings",
        "--enable-source-maps",
        "--experimental-vm-modules",
        "--trace-uncaught",
        "--trace-deprecation",
        "--no-deprecation",
        "--experimental-strip-types",
        "--experimental-test-coverage",
        "--preserve-symlinks",
        "--expose-gc",
        "--test-only",
        "--harmony",
        "--throw-deprecation",
    ],
    loads: &[
        "-r",
        "--require",
        "--import",
        "--loader",
        "--experimental-loader",
        "--env-file",
        "--preload",
        "--tsconfig",
    ],
    checks: &["-v", "--version", "-h", "--help", "--v8-options"],
};
const RUBY: Options = Options {
    code: &["-e"],
    values: &["-E", "-W"],
    harmless: &["-n", "-p", "-w", "-a", "-l", "-s", "-W0", "-U"],
    loads: &["-I", "-C", "-x"],
    checks: &["-v", "--version", "-h", "--help", "-c", "-wc", "--copyright"],
};
const PERL: Options = Options {
    code: &["-e", "-E"],
    values: &[],
    harmless: &["-n", "-p", "-w", "-a", "-l", "-s", "-0", "-W", "-T", "-t"],
    loads: &["-I", "-x"],
    checks: &["-v", "-V", "--version", "-h", "--help"],
};
const PHP: Options = Options {
    code: &["-r", "--run"],
    values: &[],
    harmless: &["-n", "-q", "-C"],
    loads: &["-d", "-c", "-z", "-B", "-R", "-F", "-E"],
    checks: &[
        "-v",
        "--version",
        "-h",
        "--help",
        "-m",
        "-i",
        "--modules",
        "--ini",
        "--info",
        "-w",
        "--rf",
        "--rc",
        "--re",
    ],
};

/// The letters behind which the rest of the word is a value, or a module that is loaded.
pub(super) fn is_glued_harmless(language: Language, name: &str) -> bool {
    match language {
        Language::Python => name.starts_with("-W") || name.starts_with("-X"),
        Language::JavaScript => {
            name.starts_with("--max-old-space-size=") || name.starts_with("--stack-size=")
        }
        Language::Ruby => [
            "-rjson",
            "-ryaml",
            "-rset",
            "-rtime",
            "-rdate",
            "-rdigest",
            "-rsecurerandom",
            "-rpp",
            "-rcsv",
            "-F",
            "-W",
        ]
        .iter()
        .any(|known| name == *known || known.len() == 2 && name.starts_with(known)),
        Language::Perl => {
            [
                "-MJSON::PP",
                "-MList::Util",
                "-MPOSIX",
                "-MData::Dumper",
                "-MConfig",
                "-MTime::Piece",
                "-Mstrict",
                "-Mwarnings",
                "-Mutf8",
                "-F",
                "-0",
                "-l0",
                "-i",
            ]
            .iter()
            .any(|known| {
                name == *known
                    || name.starts_with(&format!("{known}="))
                    || known.len() == 2 && name.starts_with(known)
            }) && !name.contains(';')
        }
        Language::Php => false,
    }
}

/// The language of a program and its options.
pub(super) fn language(program: &str) -> Option<(Language, &'static Options)> {
    match plain_name(program).as_str() {
        "python" | "pypy" | "py" | "pythonw" => Some((Language::Python, &PYTHON)),
        "node"
        | "nodejs"
        | "bun"
        | "tsx"
        | "ts-node"
        | "deno"
        | "esno"
        | "jiti"
        | "vite-node"
        | "babel-node"
        | "ts-node-esm"
        | "ts-node-script"
        | "ts-node-transpile-only" => Some((Language::JavaScript, &NODE)),
        "ruby" => Some((Language::Ruby, &RUBY)),
        "perl" => Some((Language::Perl, &PERL)),
        "php" => Some((Language::Php, &PHP)),
        _ => None,
    }
}
