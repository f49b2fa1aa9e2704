//! Whether the files of an open database are still those that their names stand for. Whoever deletes or replaces one leaves
//! the open database writing to a file that nobody finds again: nothing may be acknowledged then.

use std::path::{Path, PathBuf};

/// What is looked at, beside the database itself: the writer's lock, the write-ahead log and its index.
const COMPANIONS: [&str; 3] = [".lock", "-wal", "-shm"];

/// The files as they were when the database was opened.
#[derive(Debug)]
pub(super) struct Presence {
    files: Vec<(PathBuf, Identity)>,
}

/// Tells one file from another under the same name.
type Identity = (u64, u64);

impl Presence {
    /// Of a database that is open and was written to, so that all its files are there.
    pub(super) fn of(database: &Path) -> Self {
        let companions = COMPANIONS.iter().map(|end| {
            let mut name = database.to_owned().into_os_string();
            name.push(end);
            PathBuf::from(name)
        });
        let all = std::iter::once(database.to_owned()).chain(companions);
        Self { files: all.filter_map(|path| identity(&path).map(|identity| (path, identity))).collect() }
    }

    /// What is wrong, in words, if something is.
    pub(super) fn lost(&self) -> Option<String> {
        let (path, _) = self.files.iter().find(|(path, opened)| identity(path) != Some(*opened))?;
        let what = if path.exists() { "was replaced" } else { "was deleted or moved" };
        Some(format!(
            "{} {what} while the store is open; put it back as it was, or stop the gate before its files are touched",
            path.display()
        ))
    }
}

#[cfg(unix)]
fn identity(path: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(path).ok().map(|file| (file.dev(), file.ino()))
}

/// Elsewhere an open file cannot be deleted or replaced.
#[cfg(not(unix))]
fn identity(_path: &Path) -> Option<Identity> {
    None
}
