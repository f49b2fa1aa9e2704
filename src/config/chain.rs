//! Finding the configuration file and reading it with every file that it extends.
//!
//! Promises that a file that was named is never skipped, that only a plainly missing default file means the defaults,
//! and a digest of all that was looked at. Knows nothing of what the files say beyond `extends`.

use super::document::{Document, MAX_FILE_BYTES, item_path};
use super::problem::{Position, Problem};
use super::section::kind;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The files that are looked for where none is named, in this order.
pub const DEFAULT_FILES: [&str; 2] = ["haltgate.jsonc", "haltgate.json"];

/// The key that names the files below a file.
pub(super) const EXTENDS: &str = "extends";

/// How many files may extend one another in a row.
const MAX_CHAIN: usize = 16;

/// How many files one configuration may have.
const MAX_FILES: usize = 64;

/// Everything that was looked at, by path, with a digest of what it held; `None` for what could not be read.
pub(super) type Looked = BTreeMap<PathBuf, Option<[u8; 32]>>;

/// The files of one configuration.
#[derive(Debug, Default)]
pub(super) struct Chain {
    /// The documents, each behind the ones that it extends.
    pub(super) documents: Vec<(PathBuf, Document)>,
    /// The file that the others hang on; `None` where there is none.
    pub(super) root: Option<PathBuf>,
    /// Everything that was looked at.
    pub(super) looked: Looked,
    /// What is wrong.
    pub(super) problems: Vec<Problem>,
}

impl Chain {
    /// Reads the named file, or the first default file of a folder, with all that it extends.
    pub(super) fn read(named: Option<&Path>, folder: &Path) -> Self {
        let mut chain = Self::default();
        match named {
            Some(path) => chain.read_root(path.to_path_buf()),
            None => {
                let present = DEFAULT_FILES.map(|name| folder.join(name)).into_iter().filter(|path| {
                    let there = is_there(path);
                    if !there {
                        chain.looked.insert(path.clone(), None);
                    }
                    there
                });
                let present: Vec<PathBuf> = present.collect();
                if let Some((first, others)) = present.split_first() {
                    chain.read_root(first.clone());
                    for other in others {
                        let message =
                            format!("is not read because {} is there too; remove one", first.display());
                        chain.problems.push(Problem::warning(None, &other.display().to_string(), message));
                        chain.looked.insert(other.clone(), digest(other));
                    }
                }
            }
        }
        chain
    }

    fn read_root(&mut self, path: PathBuf) {
        self.root = Some(path.clone());
        if let Err(message) = self.read_file(&path, &mut Vec::new()) {
            self.problems.push(Problem::error(None, &path.display().to_string(), message));
        }
    }

    /// Reads one file behind those it extends. The error is that the file itself cannot be read.
    fn read_file(&mut self, path: &Path, above: &mut Vec<PathBuf>) -> Result<(), String> {
        let bytes = match read_bounded(path) {
            Ok(bytes) => bytes,
            Err(message) => {
                self.looked.insert(path.to_path_buf(), None);
                return Err(message);
            }
        };
        self.looked.insert(path.to_path_buf(), Some(Sha256::digest(&bytes).into()));
        let name = path.display().to_string();
        let document = match text_of(&name, bytes) {
            Ok(text) => Document::parse(&name, &text),
            Err(problem) => Err(vec![problem]),
        };
        match document {
            Ok(document) => {
                above.push(path.to_path_buf());
                for (at, base) in self.bases(&document) {
                    self.read_base(path, &base, above, &document, &at);
                }
                above.pop();
                self.documents.push((path.to_path_buf(), document));
            }
            Err(problems) => self.problems.extend(problems),
        }
        Ok(())
    }

    fn read_base(
        &mut self,
        path: &Path,
        base: &str,
        above: &mut Vec<PathBuf>,
        document: &Document,
        at: &str,
    ) {
        let base = path.parent().unwrap_or(Path::new("")).join(base);
        let same = |other: &Path| same_file(other, &base);
        let outcome = if above.iter().any(|file| same(file)) {
            let files: Vec<String> = above.iter().map(|file| file.display().to_string()).collect();
            Err(format!("runs in a circle: {} -> {}", files.join(" -> "), base.display()))
        } else if self.documents.iter().any(|(read, _)| same(read)) {
            // Extended on two ways: its entries count once.
            Ok(())
        } else if above.len() >= MAX_CHAIN || self.looked.len() >= MAX_FILES {
            Err(format!("makes a chain of more than {MAX_CHAIN} files or {MAX_FILES} files in all"))
        } else {
            self.read_file(&base, above).map_err(|message| format!("{} {message}", base.display()))
        };
        if let Err(message) = outcome {
            self.problems.push(Problem::error(Some(document.origin(at)), at, message));
        }
    }

    /// The files that a document extends, each with the path of the setting that names it.
    fn bases(&mut self, document: &Document) -> Vec<(String, String)> {
        let Some(value) = document.value().get(EXTENDS) else { return Vec::new() };
        let named: Vec<(String, &Value)> = match value {
            Value::Array(items) => {
                items.iter().enumerate().map(|(index, item)| (item_path(EXTENDS, index), item)).collect()
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => {
                vec![(EXTENDS.to_owned(), value)]
            }
        };
        let mut bases = Vec::new();
        for (at, value) in named {
            match value.as_str().filter(|text| !text.is_empty()) {
                Some(text) => bases.push((at, text.to_owned())),
                None => {
                    let message = format!(
                        "must be the path of a file, or a list of such paths, not {}",
                        if value.is_string() { "an empty string" } else { kind(value) }
                    );
                    self.problems.push(Problem::error(Some(document.origin(&at)), &at, message));
                }
            }
        }
        bases
    }
}

impl Document {
    /// Reads a file that is no configuration, such as a file of policy cases.
    ///
    /// # Errors
    /// That the file cannot be read, or everything that [`Document::parse`] finds.
    pub fn read(path: &Path) -> Result<Self, Vec<Problem>> {
        let name = path.display().to_string();
        let bytes = read_bounded(path).map_err(|message| vec![Problem::error(None, &name, message)])?;
        let text = text_of(&name, bytes).map_err(|problem| vec![problem])?;
        Self::parse(&name, &text)
    }
}

/// Whether something stands at a path, a link to nothing included.
fn is_there(path: &Path) -> bool {
    match fs::symlink_metadata(path) {
        Ok(_) => true,
        Err(error) => error.kind() != io::ErrorKind::NotFound,
    }
}

/// A digest of what a file holds; `None` for what cannot be read.
pub(super) fn digest(path: &Path) -> Option<[u8; 32]> {
    read_bounded(path).ok().map(|bytes| Sha256::digest(&bytes).into())
}

fn same_file(left: &Path, right: &Path) -> bool {
    match (fs::canonicalize(left), fs::canonicalize(right)) {
        (Ok(left), Ok(right)) => left == right,
        (Ok(_), Err(_)) | (Err(_), Ok(_)) | (Err(_), Err(_)) => left == right,
    }
}

fn read_bounded(path: &Path) -> Result<Vec<u8>, String> {
    let cannot = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => "does not exist".to_owned(),
        _ => format!("cannot be read: {error}"),
    };
    // A pipe or a device could keep the reader waiting for ever.
    if !fs::metadata(path).map_err(cannot)?.is_file() {
        return Err("is not a regular file".to_owned());
    }
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MAX_FILE_BYTES.saturating_add(1)).read_to_end(&mut bytes))
        .map_err(cannot)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(format!("is longer than {MAX_FILE_BYTES} bytes; split it with `extends`"));
    }
    Ok(bytes)
}

fn text_of(name: &str, bytes: Vec<u8>) -> Result<String, Problem> {
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.as_bytes().get(..error.utf8_error().valid_up_to()).unwrap_or_default();
        let position = String::from_utf8_lossy(valid)
            .chars()
            .fold(Position::START, |position, character| position.after(character));
        let origin = super::problem::Origin::new(&Arc::from(name), position, "");
        Problem::error(Some(origin), "", "is not UTF-8 from here on; save the file as UTF-8".to_owned())
    })
}
