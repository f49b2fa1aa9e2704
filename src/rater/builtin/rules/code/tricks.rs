//! Ways in which code names a file, or a function, so that reading its words one by one does not tell which one.
//!
//! Promises only to doubt: code that opens files and puts their names together by such a way is not assessed. Knows nothing of
//! what the code does beside that.

use super::super::super::call::Call;
use super::super::super::findings::Findings;

/// What opens, reads, writes or runs something.
const OPENING: &[&str] = &[
    "open(",
    "read_text",
    "read_bytes",
    "write_text",
    "write_bytes",
    "File.",
    "IO.",
    "readFile",
    "writeFile",
    "slurp",
    "unlink",
    "rmSync",
    "file_get_contents",
    "file_put_contents",
    "truncate",
    "execSync",
    "spawn",
];
/// What puts a name together, looks names up or gives a function another name.
const TRICKS: &[&str] = &[
    "\".replace(",
    "'.replace(",
    "\".lower()",
    "'.lower()",
    "env\".format(",
    "env'.format(",
    ".home()",
    ".iterdir()",
    ".parent",
    "homedir",
    ".join([",
    "[::-1]",
    "f\".{",
    "f'.{",
    "startswith(\".\")",
    "startswith('.')",
    "glob(\".",
    "glob('.",
    "*secret",
    "*.pem",
    "*.key",
    "*cred",
    "*token",
    "*password",
    "\".e*",
    "'.e*",
    ".env*",
    "os.truncate",
    "write_text(\"\")",
    "write_text('')",
    "writeFileSync:",
    "writeFileSync as",
    "readFileSync as",
    "=fs.",
    "= fs.",
    "reversed(",
    "fromCharCode",
    "getattr(",
    "globals(",
    "locals(",
    "vars(",
    "const_get",
    "send(",
    "method(",
];

/// Adds that it cannot be told which file code opens.
pub(super) fn add(call: &Call<'_>, code: &str, findings: &mut Findings) {
    let opens = OPENING.iter().any(|part| code.contains(part));
    if opens && (TRICKS.iter().any(|part| code.contains(part)) || several_at_once(code)) {
        call.not_assessed("which file its code opens, or under which name, cannot be told", findings);
    }
}

/// Whether several names get their values in one assignment: `a, b = "x", "y"`.
fn several_at_once(code: &str) -> bool {
    code.split([';', '\n']).any(|statement| {
        let Some((left, right)) = statement.split_once('=') else { return false };
        let left = left.trim();
        left.contains(',')
            && !right.starts_with('=')
            && left.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b',' | b' '))
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::{all_are, none_is_safe};

    #[test]
    fn code_that_puts_the_name_of_a_file_together_is_not_safe() {
        none_is_safe(&[
            "python -c 'import pathlib;h=pathlib.Path.home();print((h/\".netrc\").read_text())'",
            "python -c 'print(open(\"\".join([\".\",\"env\"])).read())'",
            "python -c 'import glob;[print(open(f).read()) for f in glob.glob(\".env*\")]'",
            "python -c 'a,b=\".e\",\"nv\";print(open(a+b).read())'",
            "node -e 'const fs=require(\"fs\");const w=fs.writeFileSync;w(\"/srv/x\",\"x\")'",
            "ruby -e 'a,b=\".e\",\"nv\";puts File.read(a+b)'",
        ]);
        all_are("safe", &["python -c 'print(open(\"README.md\").read())'", "node -e 'console.log(1 + 1)'"]);
    }
}
