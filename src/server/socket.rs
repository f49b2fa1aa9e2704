//! The Unix socket's file: its rights are the access control.
//!
//! Promises that the socket never has wider rights than asked for, not for a moment, that one of a dead process is replaced and
//! one of a living process is not, and that only the own one is removed. Knows nothing of connections.

use crate::config::{SocketGroup, SocketSettings};
use std::fs::{self, DirBuilder, Metadata, Permissions};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use thiserror::Error;
use tokio::net::{UnixListener, UnixStream};

/// The right of everybody to write, and the bit by which they may still not remove what is not theirs.
const ALL_WRITE: u32 = 0o002;
const STICKY: u32 = 0o1000;

/// The longest list of groups that is searched for a name.
const LONGEST_GROUPS: u64 = 4 << 20;

/// Why the socket is not listened on.
#[derive(Debug, Error)]
pub enum SocketError {
    /// The socket cannot be bound.
    #[error("cannot listen on the socket {path}: {source}")]
    Unusable {
        /// The path.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Another process answers on the socket.
    #[error("another process listens on the socket {path}; stop it, or choose another path")]
    InUse {
        /// The path.
        path: PathBuf,
    },
    /// Whoever may write to its folder could put another socket in its place.
    #[error(
        "the socket {path} is in a folder in which every user of this machine may replace it; choose a folder of the \
         gate's own"
    )]
    Replaceable {
        /// The path.
        path: PathBuf,
    },
    /// The group is not known here.
    #[error(
        "there is no group {name:?} on this machine for the socket; write one of /etc/group, or a number"
    )]
    NoSuchGroup {
        /// The name.
        name: String,
    },
}

/// The socket's file.
#[derive(Debug)]
pub(super) struct SocketFile {
    path: PathBuf,
    /// Which file it is, in case that somebody else puts another in its place.
    identity: (u64, u64),
}

/// Binds the socket.
///
/// # Errors
/// It cannot be bound, or others could take its place.
pub(super) async fn bind(settings: &SocketSettings) -> Result<(UnixListener, SocketFile), SocketError> {
    let path = settings.path.as_path();
    let failed = |source| SocketError::Unusable { path: path.to_owned(), source };
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        Some(_) | None => Path::new("."),
    };
    let rights = fs::metadata(folder).map_err(failed)?.permissions().mode();
    if rights & ALL_WRITE != 0 {
        if rights & STICKY == 0 {
            return Err(SocketError::Replaceable { path: path.to_owned() });
        }
        tracing::warn!(
            socket = %path.display(),
            "every user of this machine may write to the socket's folder: while the gate is stopped, another may take its place"
        );
    }
    if let Ok(found) = fs::symlink_metadata(path) {
        if !found.file_type().is_socket() {
            return Err(failed(io::Error::new(
                io::ErrorKind::AlreadyExists,
                "there is a file that is no socket",
            )));
        }
        if UnixStream::connect(path).await.is_ok() {
            return Err(SocketError::InUse { path: path.to_owned() });
        }
        // Nobody answers: a process that died left it behind, and the new one takes its place in one step.
    }
    let group = settings.group.as_ref().map(group_number).transpose()?;
    // A socket has the rights that the process gives to every file until they are set. Until then it is where nobody else gets.
    let private = Private::create(folder).map_err(failed)?;
    let apart = private.0.join("s");
    let listener = UnixListener::bind(&apart).map_err(failed)?;
    if group.is_some() {
        std::os::unix::fs::chown(&apart, None, group).map_err(failed)?;
    }
    fs::set_permissions(&apart, Permissions::from_mode(settings.mode)).map_err(failed)?;
    let identity = identity(&fs::symlink_metadata(&apart).map_err(failed)?);
    fs::rename(&apart, path).map_err(failed)?;
    Ok((listener, SocketFile { path: path.to_owned(), identity }))
}

fn identity(found: &Metadata) -> (u64, u64) {
    (found.dev(), found.ino())
}

impl SocketFile {
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for SocketFile {
    fn drop(&mut self) {
        let own = fs::symlink_metadata(&self.path).is_ok_and(|found| identity(&found) == self.identity);
        if own && let Err(error) = fs::remove_file(&self.path) {
            tracing::warn!(%error, path = %self.path.display(), "the socket could not be removed");
        }
    }
}

/// A folder that nobody else can enter, until it is dropped. Its name is short, because the path of a socket must be.
struct Private(PathBuf);

impl Private {
    fn create(beside: &Path) -> io::Result<Self> {
        let mut last = io::Error::from(io::ErrorKind::AlreadyExists);
        for _ in 0..16 {
            // Every state of the standard library's is seeded from randomness.
            let name = format!(".hg{:06x}", RandomState::new().hash_one(()) & 0xff_ffff);
            let path = beside.join(name);
            match DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => return Ok(Self(path)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => last = error,
                Err(error) => return Err(error),
            }
        }
        Err(last)
    }
}

impl Drop for Private {
    fn drop(&mut self) {
        // What is left in it when binding failed is only the socket.
        let _gone_already = fs::remove_file(self.0.join("s"));
        if let Err(error) = fs::remove_dir(&self.0) {
            tracing::warn!(%error, path = %self.0.display(), "a folder could not be removed");
        }
    }
}

fn group_number(group: &SocketGroup) -> Result<u32, SocketError> {
    let name = match group {
        SocketGroup::Number(number) => return Ok(*number),
        SocketGroup::Name(name) => name,
    };
    let groups = fs::File::open("/etc/group").and_then(|file| {
        let mut text = String::new();
        io::Read::read_to_string(&mut io::Read::take(file, LONGEST_GROUPS), &mut text).map(|_| text)
    });
    let number = groups.ok().and_then(|groups| {
        groups.lines().find_map(|line| {
            let mut fields = line.split(':');
            (fields.next() == Some(name)).then(|| fields.nth(1)?.parse().ok()).flatten()
        })
    });
    number.ok_or_else(|| SocketError::NoSuchGroup { name: name.clone() })
}
