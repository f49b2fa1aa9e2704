//! The words of `find`: tests, positions and actions, and names of files that hold credentials.
//!
//! Promises tables alone. A word that is in none of them is not known.

/// Tests and positions without a value.
pub(super) const PLAIN: &[&str] = &[
    "!",
    "(",
    ")",
    ",",
    "-a",
    "-and",
    "-not",
    "-o",
    "-or",
    "-d",
    "-daystart",
    "-depth",
    "-empty",
    "-executable",
    "-false",
    "-follow",
    "-H",
    "-ignore_readdir_race",
    "-L",
    "-ls",
    "-mount",
    "-noignore_readdir_race",
    "-noleaf",
    "-nogroup",
    "-nouser",
    "-nowarn",
    "-O0",
    "-O1",
    "-O2",
    "-O3",
    "-P",
    "-print",
    "-print0",
    "-prune",
    "-quit",
    "-readable",
    "-true",
    "-warn",
    "-writable",
    "-x",
    "-xdev",
    "-E",
    "-s",
    "-X",
];
/// Tests with a value.
pub(super) const VALUED: &[&str] = &[
    "-amin",
    "-anewer",
    "-atime",
    "-cmin",
    "-cnewer",
    "-context",
    "-ctime",
    "-D",
    "-fstype",
    "-gid",
    "-group",
    "-ilname",
    "-iname",
    "-inum",
    "-ipath",
    "-iregex",
    "-iwholename",
    "-links",
    "-lname",
    "-maxdepth",
    "-mindepth",
    "-mmin",
    "-mtime",
    "-name",
    "-newer",
    "-path",
    "-perm",
    "-printf",
    "-regex",
    "-regextype",
    "-samefile",
    "-size",
    "-type",
    "-uid",
    "-used",
    "-user",
    "-wholename",
    "-xtype",
    "-flags",
    "-depth_n",
    "-Bmin",
    "-Btime",
    "-newermt",
    "-neweram",
    "-newerBt",
];
/// Actions that run a command for what is found.
pub(super) const RUNNING: &[&str] = &["-exec", "-execdir", "-ok", "-okdir"];
/// Actions that write a file.
pub(super) const WRITING: &[&str] = &["-fls", "-fprint", "-fprint0", "-fprintf"];

/// Tests that compare the name of what is found.
pub(super) const NAMES: &[&str] =
    &["-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename", "-regex", "-iregex"];

/// Parts of the names of files that hold credentials.
pub(super) const KEYS: &[&str] = &[
    "id_rsa",
    "id_ed25519",
    "id_ecdsa",
    "id_dsa",
    ".pem",
    ".key",
    ".p12",
    ".pfx",
    ".kdbx",
    ".jks",
    ".keystore",
    ".env",
    "credential",
    ".npmrc",
    ".pypirc",
    ".netrc",
    "wallet",
    "shadow",
    "secret",
    "passwd",
    "password",
    "token",
    ".ssh",
    ".aws",
    ".gnupg",
    ".kube",
    ".htpasswd",
    ".ovpn",
    ".pgpass",
    "keychain",
];
/// Programs that look at a file, but not into it, or take it away.
pub(super) const ABOUT_FILES: &[&str] = &[
    "ls", "stat", "file", "test", "[", "echo", "du", "wc", "chmod", "chown", "rm", "touch", "basename",
    "dirname",
];

/// Tests that keep some of what is found from being deleted.
pub(super) const NARROW: &[&str] = &[
    "-name",
    "-iname",
    "-path",
    "-ipath",
    "-wholename",
    "-regex",
    "-iregex",
    "-mtime",
    "-mmin",
    "-atime",
    "-ctime",
    "-size",
    "-empty",
    "-newer",
    "-user",
    "-lname",
    "-samefile",
    "-inum",
];

/// `-newerXY` with its letters.
pub(super) fn is_newer(word: &str) -> bool {
    let letters = word.strip_prefix("-newer").unwrap_or_default();
    letters.len() == 2 && letters.chars().all(|letter| "aBcmt".contains(letter))
}
