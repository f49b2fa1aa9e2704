//! Options and settings that a command hands on to another program: to a linker, to a Java machine, to a build.
//!
//! Promises that they count as harmless only where each of them is known to run, load and write nothing. Knows nothing of the
//! command that hands them on.

use super::tool_variables;
use crate::rater::knowledge::sounds_harmless;

/// Options of linkers, compilers and Java machines that are harmless as they stand.
const WHOLE: &[&str] = &[
    "-s",
    "-w",
    "-N",
    "-l",
    "-m",
    "-d",
    "-S",
    "-v",
    "-g",
    "-race",
    "-msan",
    "-static",
    "-static-pie",
    "-pthread",
    "-ea",
    "-esa",
    "-da",
    "-server",
    "-client",
    "-extldflags",
    "-strictmode",
    "--enable-preview",
    "--add-opens",
    "--add-exports",
    "--add-reads",
    "--add-modules",
    "--no-warnings",
    "--trace-warnings",
    "--enable-source-maps",
    "--experimental-vm-modules",
    "-X",
    "-h",
    "-c",
    "-u",
    "-L",
    "-e0",
];
/// Settings of builds whose names sound as if they did more than they do.
const KNOWN_SETTINGS: &[&str] =
    &["Configuration", "CMAKE_EXPORT_COMPILE_COMMANDS", "PublishDir", "PublishSingleFile", "UseAppHost"];
/// Starts of such options.
const STARTS: &[&str] = &[
    "-buildid=",
    "-linkmode=",
    "-compressdwarf=",
    "-extldflags=-static",
    "all=-",
    "-Xmx",
    "-Xms",
    "-Xss",
    "-Xmn",
    "-XX:Max",
    "-XX:Min",
    "-XX:Initial",
    "-XX:+Use",
    "-XX:-Use",
    "-XX:Metaspace",
    "-XX:Reserved",
    "-XX:Active",
    "-XX:+Enable",
    "-XX:+HeapDump",
    "-XX:+Exit",
    "-XX:+Tiered",
    "-XX:Tiered",
    "-W",
    "-O",
    "-std=",
    "-f",
    "-m=",
    "-d=",
    "-D",
    "-U",
    "-g",
    "-v=",
    "-march=",
    "-mtune=",
    "--max-old-space-size=",
    "--max_old_space_size=",
    "--stack-size=",
    "-X=",
];

/// Parts of names of settings that make a build go further than the project.
const FAR_SETTINGS: &[&str] = &["Deploy", "PublishProfile", "PublishUrl", "deploy", "publish"];

/// Whether a setting says where libraries of the system lie or will be installed.
fn names_where_things_lie(name: &str, value: &str) -> bool {
    let says = ["PREFIX", "PREFIX_PATH", "ROOT", "ROOT_DIR", "LIBDIR", "prefix"]
        .iter()
        .any(|end| name.ends_with(end));
    says && ["/usr", "/opt", "/Library"].iter().any(|start| value.starts_with(start)) && !value.contains("..")
}

/// Whether a setting names a compiler that everybody has, by its name alone.
fn is_compiler(name: &str, value: &str) -> bool {
    const COMPILERS: [&str; 12] = [
        "gcc", "g++", "clang", "clang++", "cc", "c++", "ccache", "sccache", "nvcc", "gfortran", "icx", "emcc",
    ];
    let named = ["CC", "CXX", "FC"].contains(&name) || name.starts_with("CMAKE_");
    named
        && COMPILERS
            .contains(&value.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '-'))
}

/// Whether all words of a text that is handed on are harmless: options in the tables, settings whose names and values say nothing
/// of running, loading or writing, and plain words.
pub(super) fn is_harmless(text: &str) -> bool {
    !text.contains('\0')
        && text.split([' ', '\t', '\n', ',', '"', '\'']).filter(|word| !word.is_empty()).all(word_is_harmless)
}

fn word_is_harmless(word: &str) -> bool {
    let setting = word.strip_prefix("-D").unwrap_or(word).split_once('=');
    if setting.is_some_and(|(name, value)| names_where_things_lie(name, value)) {
        return true;
    }
    if tool_variables::loads_code(word) || leads_elsewhere(word) {
        return false;
    }
    if word.starts_with('-') {
        let setting = word.strip_prefix("-D");
        return WHOLE.contains(&word)
            || setting.is_some_and(setting_is_harmless)
            || setting.is_none() && STARTS.iter().any(|start| word.starts_with(start));
    }
    setting_is_harmless(word)
}

/// `NAME=VALUE`, or a word alone.
fn setting_is_harmless(setting: &str) -> bool {
    match setting.split_once('=') {
        Some((name, value)) => {
            (sounds_harmless(name) || KNOWN_SETTINGS.contains(&name) || is_compiler(name, value))
                && !FAR_SETTINGS.iter().any(|part| name.contains(part))
                && (!value.starts_with('-') || word_is_harmless(value))
                && (!leads_elsewhere(value) || names_where_things_lie(name, value))
        }
        None => !leads_elsewhere(setting),
    }
}

/// Whether a text names a path outside of the project, an address, or a file with more words.
fn leads_elsewhere(text: &str) -> bool {
    text.starts_with(['/', '~', '@', '!'])
        || text.contains("://")
        || text.contains(":/")
        || text.contains("=/")
        || text.split(['/', '=']).any(|part| part == "..")
        || text.contains("$(")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_handed_on_is_harmless_only_where_each_word_is_known_to_be() {
        for (text, harmless) in [
            ("-s -w -X main.version=1.2.3", true),
            ("-X 'main.built=today'", true),
            ("all=-N -l", true),
            ("-Xmx2g -ea", true),
            ("-XX:MaxMetaspaceSize=512m", true),
            ("skipTests=true", true),
            ("-extld=/tmp/x", false),
            ("-extld evil", false),
            ("-javaagent:/tmp/x.jar", false),
            ("argLine=-javaagent:x.jar", false),
            ("-XX:OnError=sh", false),
            ("org.gradle.java.home=/tmp/jdk", false),
            ("maven.repo.local=/tmp/x", false),
            ("exec.mainClass=x", false),
            ("url=http://example.com", false),
            ("-o=x", false),
        ] {
            assert_eq!(is_harmless(text), harmless, "{text}");
        }
    }
}
