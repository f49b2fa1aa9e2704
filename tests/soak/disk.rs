//! The file system that the store lies on: small and its own, so that it can be made full and read-only for a while.
//!
//! A file system cannot become read-only under a process that writes to it (the system refuses with EBUSY), so that part is
//! played with the server away: it must not start, and must say why.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// What fills the disk.
const FILLER: &str = "filler";
/// How long the file system may refuse to become small.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long the store's users are waited for.
const BUSY: Duration = Duration::from_secs(2);

/// What a file system that is made full has left at first, in bytes: it is measured while it is written to.
const LEFT: u64 = 1 << 20;

/// Where the store lies.
#[derive(Debug)]
pub(crate) struct Disk {
    folder: tempfile::TempDir,
    mib: u64,
    /// Why it is no file system of its own, where it is none.
    pub(crate) ordinary: Option<String>,
}

impl Disk {
    /// A file system in memory of that size, where that is allowed; an ordinary folder elsewhere.
    pub(crate) fn new(mib: u64) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let size = format!("size={mib}m,mode=0700");
        let mounted = mount(&["-t", "tmpfs", "-o", &size, "haltgate-soak"], folder.path());
        Self { ordinary: mounted.err(), folder, mib }
    }

    pub(crate) fn store(&self) -> PathBuf {
        self.folder.path().join("gate.db")
    }

    /// Makes the file system as small as what is in it, and takes what is left.
    pub(crate) fn become_full(&self) {
        // Refused where more was written meanwhile; then what is there is looked at again.
        let began = Instant::now();
        while let Err(why) = self.resize(&(self.used() + LEFT).to_string()) {
            assert!(began.elapsed() < PATIENCE, "the file system did not become small: {why}");
        }
        self.fill();
    }

    fn resize(&self, size: &str) -> Result<(), String> {
        mount(&["-o", &format!("remount,size={size}")], self.folder.path())
    }

    /// Takes all the space that is left, and keeps what it has taken before.
    pub(crate) fn fill(&self) {
        let mut file =
            File::options().create(true).append(true).open(self.folder.path().join(FILLER)).unwrap();
        for size in [1 << 20, 4_096, 1] {
            let block = vec![7_u8; size];
            while file.write_all(&block).is_ok() {}
        }
    }

    /// Takes the space away that the store has of its own and would use up first, and would be long about: its write-ahead log is
    /// written over once it is in the database. Whoever reads or writes at this moment keeps some of it.
    pub(crate) fn empty_log(&self) {
        let store = rusqlite::Connection::open(self.store()).unwrap();
        store.busy_timeout(BUSY).unwrap();
        let _kept: bool = store.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0)).unwrap();
    }

    /// Gives the space back.
    pub(crate) fn empty(&self) {
        self.resize(&format!("{}m", self.mib)).unwrap();
        std::fs::remove_file(self.folder.path().join(FILLER)).unwrap();
    }

    pub(crate) fn read_only(&self) {
        mount(&["-o", "remount,ro"], self.folder.path()).unwrap();
    }

    pub(crate) fn writable(&self) {
        mount(&["-o", "remount,rw"], self.folder.path()).unwrap();
    }

    /// How large the store is, in MiB.
    pub(crate) fn used_mib(&self) -> u64 {
        self.used() >> 20
    }

    fn used(&self) -> u64 {
        let files = std::fs::read_dir(self.folder.path()).unwrap();
        files.map(|file| file.unwrap().metadata().map_or(0, |data| data.len())).sum()
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        if self.ordinary.is_none() {
            // Lazily: a process that is just ending may still hold the file.
            let unmounted = Command::new("umount").arg("--lazy").arg(self.folder.path()).status();
            assert!(
                unmounted.is_ok_and(|status| status.success()),
                "the file system could not be taken down"
            );
        }
    }
}

fn mount(options: &[&str], at: &Path) -> Result<(), String> {
    let output = Command::new("mount").args(options).arg(at).output().map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    Err(String::from_utf8_lossy(&output.stderr).trim().to_owned())
}
