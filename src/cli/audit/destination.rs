//! Where an export is written to: standard output, a file that appears whole, or one that grows.
//!
//! Promises that files are readable by their owner alone, that a new file is there whole or not at all, that two processes
//! never append to one file at once, and that no file but one of lines is replaced or cut. Knows nothing of records.

use crate::cli::failure::Failure;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// How much is read at once on the way back from the end of a file.
const STEP: u64 = 64 << 10;

/// How a database of SQLite begins: the store itself is one.
const DATABASE: &[u8] = b"SQLite format 3\0";

/// How every line begins.
const LINE: &[u8] = b"{";

/// Where lines go.
pub(super) enum Destination {
    Standard(BufWriter<io::Stdout>),
    New(New),
    Grown(Grown),
}

/// A file that lines are added to.
pub(super) struct Grown {
    writer: BufWriter<File>,
    path: PathBuf,
    /// Where its lines end; what comes behind was cut off in the middle.
    end: u64,
}

/// A file that appears when it is whole.
pub(super) struct New {
    writer: BufWriter<File>,
    partial: PathBuf,
    path: PathBuf,
}

impl Drop for New {
    fn drop(&mut self) {
        // After it was given its name there is none to take away.
        let _gone_already = std::fs::remove_file(&self.partial);
    }
}

fn fault(path: &Path, error: &io::Error) -> Failure {
    Failure::new(format!("{} cannot be written: {error}", path.display()))
}

impl Destination {
    pub(super) fn standard() -> Self {
        Self::Standard(BufWriter::new(io::stdout()))
    }

    /// A file that replaces what has its name once everything was written.
    pub(super) fn new_file(path: &Path) -> Result<Self, Failure> {
        let name = path.file_name().ok_or_else(|| Failure::new("--output must name a file"))?;
        if beginning(path)?.starts_with(DATABASE) {
            return Err(Failure::new(format!("{} is a database, and is not replaced", path.display()))
                .advise("name another file with --output"));
        }
        let mut partial = std::ffi::OsString::from(".");
        partial.push(name);
        partial.push(format!(".{}.partial", std::process::id()));
        let partial = path.with_file_name(partial);
        let file = private().create_new(true).open(&partial).map_err(|error| fault(&partial, &error))?;
        Ok(Self::New(New { writer: BufWriter::new(file), partial, path: path.to_owned() }))
    }

    /// A file that grows, and its last line, if it has one. Nothing of it is changed before [`take_up`](Self::take_up).
    pub(super) fn grown_file(path: &Path) -> Result<(Self, Option<String>), Failure> {
        let failed = |error: io::Error| fault(path, &error);
        let begins = beginning(path)?;
        if !begins.is_empty() && !begins.starts_with(LINE) {
            return Err(Failure::new(format!("{} holds something else than records", path.display()))
                .advise("name another file with --output"));
        }
        let mut file = private().read(true).create(true).truncate(false).open(path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(Failure::new(format!("another process appends to {}", path.display())));
            }
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let end = end_of_lines(&mut file, u64::MAX).map_err(failed)?;
        let last = match end.checked_sub(1) {
            None => None,
            Some(before) => {
                let start = end_of_lines(&mut file, before).map_err(failed)?;
                let mut line = String::new();
                file.seek(SeekFrom::Start(start)).map_err(failed)?;
                Read::by_ref(&mut file).take(end - start).read_to_string(&mut line).map_err(failed)?;
                Some(line.trim_end().to_owned())
            }
        };
        Ok((Self::Grown(Grown { writer: BufWriter::new(file), path: path.to_owned(), end }), last))
    }

    /// Takes away what was cut off in the middle of a line, once it is known that the lines before are records.
    pub(super) fn take_up(&mut self) -> Result<(), Failure> {
        match self {
            Self::Standard(_) | Self::New(_) => Ok(()),
            Self::Grown(Grown { writer, path, end }) => {
                let file = writer.get_mut();
                let taken_up = file.set_len(*end).and_then(|()| file.seek(SeekFrom::Start(*end)));
                taken_up.map(|_end| ()).map_err(|error| fault(path, &error))
            }
        }
    }

    /// Writes a line. Returns whether anybody still reads.
    pub(super) fn line(&mut self, text: &str) -> Result<bool, Failure> {
        let write =
            |writer: &mut dyn Write| writer.write_all(text.as_bytes()).and_then(|()| writer.write_all(b"\n"));
        match self {
            Self::Standard(writer) => heard(write(writer)),
            Self::New(new) => write(&mut new.writer).map(|()| true).map_err(|error| fault(&new.path, &error)),
            Self::Grown(Grown { writer, path, .. }) => {
                write(writer).map(|()| true).map_err(|error| fault(path, &error))
            }
        }
    }

    /// Everything was written: it is on disk, under its name, when this returns.
    pub(super) fn finish(self) -> Result<(), Failure> {
        match self {
            Self::Standard(mut writer) => heard(writer.flush()).map(|_read| ()),
            Self::New(mut new) => {
                let settled = new
                    .writer
                    .flush()
                    .and_then(|()| new.writer.get_ref().sync_all())
                    .and_then(|()| std::fs::rename(&new.partial, &new.path))
                    .and_then(|()| sync_folder(&new.path));
                settled.map_err(|error| fault(&new.path, &error))
            }
            Self::Grown(Grown { mut writer, path, .. }) => {
                let settled = writer.flush().and_then(|()| writer.get_ref().sync_all());
                settled.map_err(|error| fault(&path, &error))
            }
        }
    }
}

/// The first bytes of what is there; none where nothing is.
fn beginning(path: &Path) -> Result<Vec<u8>, Failure> {
    let failed = |error: io::Error| fault(path, &error);
    match std::fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(failed(error)),
        Ok(found) if found.is_file() => {}
        // To replace a device or a pipe would take it away from everybody.
        Ok(_other) => {
            return Err(Failure::new(format!("{} is no plain file", path.display()))
                .advise("leave --output out to write to standard output"));
        }
    }
    let mut beginning = Vec::new();
    let length = u64::try_from(DATABASE.len()).unwrap_or(u64::MAX);
    File::open(path).and_then(|file| file.take(length).read_to_end(&mut beginning)).map_err(failed)?;
    Ok(beginning)
}

fn heard(written: io::Result<()>) -> Result<bool, Failure> {
    match written {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(Failure::new(format!("cannot write the output: {error}"))),
    }
}

/// The place behind the last line feed before `end`; 0 where there is none.
fn end_of_lines(file: &mut File, end: u64) -> io::Result<u64> {
    let mut end = end.min(file.metadata()?.len());
    let mut block = Vec::new();
    while end > 0 {
        let start = end.saturating_sub(STEP);
        block.clear();
        file.seek(SeekFrom::Start(start))?;
        Read::by_ref(file).take(end - start).read_to_end(&mut block)?;
        if let Some(place) = block.iter().rposition(|byte| *byte == b'\n') {
            return Ok(start.saturating_add(u64::try_from(place).unwrap_or(0)).saturating_add(1));
        }
        end = start;
    }
    Ok(0)
}

/// A new name is on disk when its folder is.
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}
