//! A real bash in a root of its own, which is asked what it would run.
//!
//! Promises that nothing of the machine can be reached: the root holds bash, its libraries and stubs, the process runs as an
//! unprivileged user without network, with limits on processes, memory, time and file size, and all of it dies with the
//! sandbox. Knows nothing of how the answers are judged.

use std::collections::VecDeque;
use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use crate::ran::Ran;

const RECORDER: &str = include_str!("recorder.sh");
/// Programs that scripts name by their path. A stub writes down that it was called.
const STUBS: [&str; 14] = [
    "/bin/rm",
    "/bin/sh",
    "/bin/bash",
    "/bin/ls",
    "/bin/cat",
    "/bin/echo",
    "/usr/bin/env",
    "/usr/bin/git",
    "/usr/bin/curl",
    "/usr/bin/sudo",
    "/usr/bin/xargs",
    "/usr/bin/find",
    "/usr/bin/python3",
    "/usr/local/bin/node",
];
/// The name of bash in its own root: one that no line says, so that none runs it past the recorder.
const SHELL: &str = "shell-of-the-oracle";
/// What a program with a path is.
const STUB: &str = "#!/shell-of-the-oracle\ncommand_not_found_handle \"$0\" \"$@\"\n";
/// The user and group that bash runs as. No account has it, and each bash that is started has its own: the limit on processes
/// is one for all processes of a user, and those of the bash before may still be ending.
const FIRST_USER: usize = 1_700_000_000;
const USERS_OF_A_WORKER: usize = 1_000_000;
/// How long one line may take, all runs together.
const PATIENCE: Duration = Duration::from_millis(1_200);
/// Lines that are with bash at the same time.
const WINDOW: usize = 16;
/// Files that lines have made are removed after so many lines.
const LINES_BETWEEN_CLEANING: usize = 500;

/// A line and what is asked about it, besides what it runs when most builtins are off.
#[derive(Debug, Clone)]
pub(crate) struct Question {
    pub(crate) line: String,
    /// Whether it is valid.
    pub(crate) validity: bool,
    /// What it runs with the builtins at work.
    pub(crate) evaluating: bool,
}

impl Question {
    /// Asks for everything.
    pub(crate) fn all(line: impl Into<String>) -> Self {
        Self { line: line.into(), validity: true, evaluating: true }
    }
}

/// What bash did with a line.
#[derive(Debug, Clone, Default)]
pub(crate) struct Answer {
    /// Whether bash reads the line without a syntax error; `None` where it was not asked.
    pub(crate) valid: Option<bool>,
    /// Whether it did not come to an end in time.
    pub(crate) late: bool,
    /// What it ran.
    pub(crate) ran: Ran,
}

/// Why there is no sandbox on this machine.
#[derive(Debug)]
pub(crate) struct Unavailable(pub(crate) String);

impl Unavailable {
    fn new(what: &str, error: &io::Error) -> Self {
        Self(format!("{what}: {error}"))
    }
}

/// The folder that bash sees as its root.
pub(crate) struct Root {
    folder: tempfile::TempDir,
}

impl Root {
    /// Puts bash, what it is linked with, the recorder and the stubs into a new folder.
    pub(crate) fn new() -> Result<Self, Unavailable> {
        if !cfg!(target_os = "linux") {
            return Err(Unavailable("chroot and namespaces are used, which only Linux has".into()));
        }
        let folder = tempfile::tempdir().map_err(|error| Unavailable::new("no temporary folder", &error))?;
        let root = Self { folder };
        root.fill().map_err(|error| Unavailable::new("bash and its libraries cannot be copied", &error))?;
        Ok(root)
    }

    fn path(&self, inside: &str) -> PathBuf {
        self.folder.path().join(inside.trim_start_matches('/'))
    }

    fn fill(&self) -> io::Result<()> {
        let bash = program("bash").ok_or_else(|| io::Error::other("there is no bash on the PATH"))?;
        for folder in ["run", "w", "dev", "home/u", "tmp"] {
            fs::create_dir_all(self.path(folder))?;
        }
        fs::set_permissions(self.folder.path(), fs::Permissions::from_mode(0o755))?;
        for open in ["w", "tmp", "home/u"] {
            fs::set_permissions(self.path(open), fs::Permissions::from_mode(0o777))?;
        }
        copy(&bash, &self.path(SHELL))?;
        for library in libraries(&bash)? {
            copy(Path::new(&library), &self.path(&library))?;
        }
        let locale = Path::new("/usr/lib/locale/C.utf8");
        if locale.is_dir() {
            copy_tree(locale, &self.path("usr/lib/locale/C.utf8"))?;
        }
        for shell in ["bash", "sh"] {
            symlink(Path::new("..").join(SHELL), self.path("run").join(shell))?;
        }
        for stub in STUBS {
            let path = self.path(stub);
            fs::create_dir_all(path.parent().unwrap_or(Path::new("/")))?;
            fs::write(&path, STUB)?;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
        }
        let null = self.path("dev/null");
        let made = Command::new("mknod")
            .arg(&null)
            .args(["-m", "666", "c", "1", "3"])
            .stderr(Stdio::null())
            .status();
        if !made.is_ok_and(|status| status.success()) {
            fs::write(&null, "")?;
            fs::set_permissions(&null, fs::Permissions::from_mode(0o666))?;
        }
        fs::write(self.path("recorder"), RECORDER)
    }

    /// Removes what lines have left behind.
    fn clean(&self) {
        for folder in ["w", "tmp", "home/u"] {
            for entry in fs::read_dir(self.path(folder)).into_iter().flatten().flatten() {
                // What cannot be removed stays; it does no more than match a pattern.
                let removed = fs::remove_file(entry.path()).or_else(|_| fs::remove_dir_all(entry.path()));
                drop(removed);
            }
        }
    }
}

/// The path of a program, where a user of this machine has it.
fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let system = ["/usr/sbin", "/sbin", "/usr/bin", "/bin"].map(PathBuf::from);
    std::env::split_paths(&path).chain(system).map(|folder| folder.join(name)).find(|file| file.is_file())
}

fn libraries(program: &Path) -> io::Result<Vec<String>> {
    let output = Command::new("ldd").arg(program).output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(text.split_whitespace().filter(|word| word.starts_with('/')).map(str::to_owned).collect())
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to.parent().unwrap_or(Path::new("/")))?;
    fs::copy(from, to).map(drop)
}

fn copy_tree(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_tree(&entry.path(), &target)?;
        } else {
            copy(&entry.path(), &target)?;
        }
    }
    Ok(())
}

/// One long-lived bash.
pub(crate) struct Sandbox<'r> {
    root: &'r Root,
    user: usize,
    running: Running,
    lines: usize,
}

struct Running {
    child: Child,
    input: ChildStdin,
    answers: Receiver<Answer>,
}

impl Drop for Running {
    fn drop(&mut self) {
        // The process is the first of its process namespace: all others end with it.
        let ended = self.child.kill().and_then(|()| self.child.wait());
        drop(ended);
    }
}

impl<'r> Sandbox<'r> {
    /// Starts a bash for the worker with this number, and makes sure that it answers.
    pub(crate) fn start(root: &'r Root, worker: usize) -> Result<Self, Unavailable> {
        let user = FIRST_USER + worker * USERS_OF_A_WORKER;
        let running = spawn(root, user)?;
        let mut sandbox = Self { root, user, running, lines: 0 };
        let probe = sandbox.ask(&[Question::all("probe \"a b\" '' %s; /bin/rm x")])?;
        let expected = vec![vec!["/bin/rm", "x"], vec!["probe", "a b", "", "%s"]];
        match probe.as_slice() {
            [answer] if answer.valid == Some(true) && answer.ran.plain == expected => Ok(sandbox),
            _ => Err(Unavailable(format!("bash does not run in its own root here; it answered {probe:?}"))),
        }
    }

    /// What bash does with each of the lines.
    pub(crate) fn ask(&mut self, questions: &[Question]) -> Result<Vec<Answer>, Unavailable> {
        let mut answers = Vec::with_capacity(questions.len());
        let mut waiting: VecDeque<&Question> = VecDeque::new();
        let mut next = questions.iter();
        while answers.len() < questions.len() {
            while waiting.len() < WINDOW
                && let Some(question) = next.next()
            {
                self.send(question);
                waiting.push_back(question);
            }
            match self.running.answers.recv_timeout(PATIENCE) {
                Ok(answer) => answers.push(answer),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    answers.push(Answer { late: true, ..Answer::default() });
                    self.user += 1;
                    self.running = spawn(self.root, self.user)?;
                    for question in waiting.iter().skip(1) {
                        self.send(question);
                    }
                }
            }
            waiting.pop_front();
            self.lines += 1;
            if self.lines.is_multiple_of(LINES_BETWEEN_CLEANING) {
                self.root.clean();
            }
        }
        Ok(answers)
    }

    fn send(&mut self, question: &Question) {
        let wanted =
            [if question.validity { b'v' } else { b'-' }, if question.evaluating { b'e' } else { b'-' }];
        let input = &mut self.running.input;
        let sent = input
            .write_all(&wanted)
            .and_then(|()| input.write_all(question.line.as_bytes()))
            .and_then(|()| input.write_all(b"\0"));
        // Where bash has died the answer does not come either, and that is seen.
        drop(sent);
    }
}

fn spawn(root: &Root, user: usize) -> Result<Running, Unavailable> {
    let find =
        |name: &str| program(name).ok_or_else(|| Unavailable(format!("the program {name} is not there")));
    let mut command = Command::new(find("unshare")?);
    command
        .args(["--net", "--ipc", "--pid", "--fork", "--kill-child"])
        .arg(find("prlimit")?)
        .args(["--nproc=96", "--fsize=1048576", "--as=536870912", "--core=0", "--nofile=256"])
        .arg(find("chroot")?)
        .arg(format!("--userspec={user}:{user}"))
        .arg(root.folder.path())
        .args(["/shell-of-the-oracle", "--norc", "--noprofile", "-c", "cd /w; . /recorder"])
        .env_clear()
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = command.spawn().map_err(|error| Unavailable::new("unshare cannot be started", &error))?;
    let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(Unavailable("the pipes to bash are not there".into()));
    };
    let (sender, answers) = channel();
    thread::spawn(move || receive(BufReader::new(output), &sender));
    Ok(Running { child, input, answers })
}

fn receive(mut output: impl BufRead, answers: &Sender<Answer>) {
    let mut field = || {
        let mut bytes = Vec::new();
        output.read_until(0, &mut bytes).ok().filter(|_| bytes.pop() == Some(0))?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    };
    while let (Some(status), Some(first), Some(second), Some(third)) = (field(), field(), field(), field()) {
        let mut plain = records(&first);
        plain.extend(records(&second));
        let distinct = |mut list: Vec<Vec<String>>| {
            list.sort();
            list.dedup();
            list
        };
        let answer = Answer {
            valid: (status != "-").then(|| status == "0"),
            late: false,
            ran: Ran { plain: distinct(plain), evaluating: distinct(records(&third)) },
        };
        if answers.send(answer).is_err() {
            return;
        }
    }
}

/// The argument vectors of a report. A report that was cut, or written into by two at once, is left out from there on.
fn records(report: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let mut rest = report;
    while let Some(record) = rest.strip_prefix('\u{1e}') {
        let Some((words, behind)) = record.split_once('\u{1e}') else { break };
        let words = words.strip_suffix('\u{1f}').unwrap_or(words);
        // A newline is written as the group separator.
        found.push(words.split('\u{1f}').map(|word| word.replace('\u{1d}', "\n")).collect());
        rest = behind.trim_start_matches('\n');
    }
    found
}
