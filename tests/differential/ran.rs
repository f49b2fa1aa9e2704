//! What bash ran from a line.
//!
//! Promises nothing but the facts. Knows neither how they were got nor what they are compared with.

use serde::{Deserialize, Serialize};

/// The argument vectors that bash tried to run from a line.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Ran {
    /// With most builtins off: they are commands like any other.
    pub(crate) plain: Vec<Vec<String>>,
    /// With the builtins at work, `eval`, `trap` and `declare` among them.
    pub(crate) evaluating: Vec<Vec<String>>,
}

/// A line and what bash ran: what a miss leaves behind, so that it is compared for good, with or without a bash.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Case {
    /// The line.
    pub(crate) command: String,
    /// What bash ran from it.
    #[serde(flatten)]
    pub(crate) ran: Ran,
}

impl Case {
    /// The saved cases, by the name of their file.
    pub(crate) fn saved() -> Vec<Self> {
        let mut files: Vec<_> = std::fs::read_dir(Self::folder())
            .expect("the saved cases are part of the source")
            .map(|entry| entry.expect("the folder can be read").path())
            .collect();
        files.sort();
        let read = |file| std::fs::read_to_string(file).expect("a case can be read");
        files.iter().map(|file| serde_json::from_str(&read(file)).expect("a case is JSON")).collect()
    }

    /// Where cases are saved.
    pub(crate) fn folder() -> std::path::PathBuf {
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpora/oracle")
    }
}
