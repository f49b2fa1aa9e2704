//! A terminal with somebody at the keyboard.

use crate::gate::Served;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// How long something may take that is sure to happen.
const PATIENCE: Duration = Duration::from_secs(60);

/// Longer than keys are held back for what comes on screen by itself.
const READING: Duration = Duration::from_secs(1);

/// A terminal of its own, which is ended with the value.
pub(crate) struct Terminal {
    socket: String,
    /// Where what its shell writes aside is kept.
    folder: PathBuf,
}

/// Whether there is a tmux to play the terminal. A machine that must have one, and has none, fails.
pub(crate) fn is_there() -> bool {
    let there = Command::new("tmux").arg("-V").output().is_ok_and(|output| output.status.success());
    if !there {
        assert!(
            std::env::var("CI").as_deref() != Ok("true"),
            "tmux is not installed, which these tests need"
        );
        eprintln!("skipped: tmux is not installed, so nobody can sit before a terminal");
    }
    there
}

impl Terminal {
    /// A terminal of this size in which the binary watches that server.
    pub(crate) fn watching(served: &Served, (columns, rows): (u16, u16), options: &str) -> Self {
        let binary = env!("CARGO_BIN_EXE_haltgate");
        let line = format!("'{binary}' watch {options}; echo \"left with $?\"; exec cat");
        Self::running(served, (columns, rows), &["sh", "-c", &line])
    }

    /// A terminal in which a command runs.
    pub(crate) fn running(served: &Served, (columns, rows): (u16, u16), command: &[&str]) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let terminal = Self {
            socket: format!("haltgate-{}-{number}", std::process::id()),
            folder: served.folder.path().to_owned(),
        };
        let size = ["-x".to_owned(), columns.to_string(), "-y".to_owned(), rows.to_string()];
        let mut tmux = terminal.tmux();
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("HALTGATE_")) {
            tmux.env_remove(name);
        }
        tmux.env_remove("NO_COLOR").env("LC_ALL", "C.UTF-8").env("HALTGATE_SERVER", &served.address);
        tmux.current_dir(&terminal.folder).args(["new-session", "-d"]).args(size).args(command);
        checked(tmux.output().unwrap());
        terminal
    }

    fn tmux(&self) -> Command {
        let mut tmux = Command::new("tmux");
        tmux.args(["-u", "-f", "/dev/null", "-L", &self.socket]);
        tmux
    }

    fn ask(&self, arguments: &[&str]) -> String {
        checked(self.tmux().args(arguments).output().unwrap())
    }

    /// What stands on the screen.
    pub(crate) fn screen(&self) -> String {
        self.ask(&["capture-pane", "-p"])
    }

    /// Waits until the screen is as it should be and drawn to its end, and returns it.
    pub(crate) fn wait_for(&self, what: impl Fn(&str) -> bool) -> String {
        let until = Instant::now() + PATIENCE;
        let mut before = String::new();
        loop {
            let screen = self.screen();
            if screen == before && what(&screen) {
                return screen;
            }
            before.clone_from(&screen);
            assert!(Instant::now() < until, "this does not become what it should be:\n{screen}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Waits until the screen says this.
    pub(crate) fn wait_to_read(&self, words: &str) -> String {
        self.wait_for(|screen| screen.contains(words))
    }

    /// Waits until the screen says this, and as long as it takes to read it.
    pub(crate) fn read(&self, words: &str) -> String {
        let screen = self.wait_to_read(words);
        std::thread::sleep(READING);
        screen
    }

    /// Presses one key, by tmux's name for it.
    pub(crate) fn press(&self, key: &str) {
        self.ask(&["send-keys", key]);
    }

    /// Types letter by letter.
    pub(crate) fn types(&self, text: &str) {
        for character in text.chars() {
            // To tmux a bare semicolon ends a command.
            let key = if character == ';' { r"\;".to_owned() } else { character.to_string() };
            self.ask(&["send-keys", "-l", "--", &key]);
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    /// Pastes, as a terminal does that says so or as one that does not.
    pub(crate) fn paste(&self, text: &str, says_so: bool) {
        self.ask(&["set-buffer", "--", text]);
        self.ask(if says_so { &["paste-buffer", "-p", "-r"] } else { &["paste-buffer", "-r"] });
    }

    pub(crate) fn resize(&self, columns: u16, rows: u16) {
        self.ask(&["resize-window", "-x", &columns.to_string(), "-y", &rows.to_string()]);
    }

    /// What tmux knows of the terminal's state.
    pub(crate) fn state(&self, format: &str) -> String {
        self.ask(&["display-message", "-p", format]).trim_end().to_owned()
    }

    /// Sends a signal to what the terminal's first process has started.
    pub(crate) fn signal_child(&self, signal: &str) {
        let parent = self.state("#{pane_pid}");
        let children = std::fs::read_to_string(format!("/proc/{parent}/task/{parent}/children")).unwrap();
        let child = children.split_whitespace().next().unwrap_or_else(|| panic!("{parent} has no child"));
        assert!(Command::new("kill").args(["-s", signal, child]).status().unwrap().success());
    }

    /// Waits until the terminal is as it was before: its own screen, a cursor, lines and echo.
    pub(crate) fn wait_until_given_back(&self) {
        self.wait_for(|_| self.state("#{alternate_on} #{cursor_flag}") == "0 1");
        let device = self.state("#{pane_tty}");
        let settings = checked(Command::new("stty").args(["-a", "-F", &device]).output().unwrap());
        for setting in ["icanon", "echo", "isig", "icrnl", "opost"] {
            let on = settings.split([' ', ';', '\n']).any(|word| word == setting);
            assert!(on, "{setting} is not on: {settings}");
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // The session may have ended by itself.
        let _ended = self.tmux().arg("kill-server").output();
    }
}

fn checked(output: Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}
