//! Programs of storage services, paste services and mail that upload files, as data.
//!
//! Promises one row per program and verb: which words are files, and what a destination beyond this machine looks like.

use super::argument::{Argument, UNKNOWN};
use super::command::Invocation;
use super::credentials::is_credential;
use super::hosts::is_this_machine;
use super::options::Grammar;
use super::sinks::{Input, Sink};
use super::sources::is_file;

/// A way of uploading.
struct Uploader {
    /// The programs.
    programs: &'static [&'static str],
    /// Words that must stand in front, in this order, options apart: alternatives for each.
    verbs: &'static [&'static [&'static str]],
    /// What the last operand holds where it is a destination; `None` where all operands are files.
    destination: Option<&'static [&'static str]>,
    /// Whether operands are files that are sent.
    operands: bool,
    /// Options whose value is a file that is sent.
    options: &'static [&'static str],
    /// Whether its input is sent.
    input: Input,
}

const UPLOADERS: &[Uploader] = &[
    Uploader {
        programs: &["aws"],
        verbs: &[&["s3"], &["cp", "mv", "sync"]],
        destination: Some(&["s3://"]),
        operands: true,
        options: &[],
        input: Input::Sent,
    },
    Uploader {
        programs: &["aws"],
        verbs: &[&["s3api"], &["put-object", "upload-part"]],
        destination: None,
        operands: false,
        options: &["--body"],
        input: Input::Sent,
    },
    Uploader {
        programs: &["gsutil"],
        verbs: &[&["cp", "mv", "rsync"]],
        destination: Some(&["gs://", "s3://"]),
        operands: true,
        options: &[],
        input: Input::Sent,
    },
    Uploader {
        programs: &["gcloud"],
        verbs: &[&["storage"], &["cp", "mv", "rsync"]],
        destination: Some(&["gs://", "s3://"]),
        operands: true,
        options: &[],
        input: Input::Sent,
    },
    Uploader {
        programs: &["gcloud"],
        verbs: &[&["compute"], &["scp"]],
        destination: Some(&[":"]),
        operands: true,
        options: &[],
        input: Input::Ignored,
    },
    Uploader {
        programs: &["az"],
        verbs: &[
            &["storage"],
            &["blob", "file", "fs", "directory"],
            &["upload", "upload-batch", "sync", "file"],
        ],
        destination: None,
        operands: false,
        options: &["--file", "-f", "--source", "-s"],
        input: Input::Sent,
    },
    Uploader {
        programs: &["azcopy"],
        verbs: &[&["copy", "cp", "c", "sync"]],
        destination: Some(&["://"]),
        operands: true,
        options: &[],
        input: Input::Sent,
    },
    Uploader {
        programs: &["rclone"],
        verbs: &[&["copy", "copyto", "move", "moveto", "sync", "bisync", "rcat"]],
        destination: Some(&[":"]),
        operands: true,
        options: &[],
        input: Input::Sent,
    },
    Uploader {
        programs: &["s3cmd", "s4cmd"],
        verbs: &[&["put", "sync", "cp", "mv"]],
        destination: Some(&["s3://"]),
        operands: true,
        options: &[],
        input: Input::Sent,
    },
    Uploader {
        programs: &["s5cmd"],
        verbs: &[&["cp", "mv", "sync", "pipe"]],
        destination: Some(&["s3://"]),
        operands: true,
        options: &[],
        input: Input::Sent,
    },
    Uploader {
        programs: &["mc", "mcli"],
        verbs: &[&["cp", "mv", "mirror", "put", "pipe"]],
        destination: Some(&["/"]),
        operands: true,
        options: &[],
        input: Input::Sent,
    },
    Uploader {
        programs: &["b2"],
        verbs: &[&["upload-file", "upload_file", "sync", "file"]],
        destination: None,
        operands: true,
        options: &[],
        input: Input::Sent,
    },
    Uploader {
        programs: &["oci"],
        verbs: &[&["os"], &["object"], &["put"]],
        destination: None,
        operands: false,
        options: &["--file"],
        input: Input::Sent,
    },
    Uploader {
        programs: &["gh"],
        verbs: &[&["gist"], &["create", "edit"]],
        destination: None,
        operands: true,
        options: &["-a", "--add"],
        input: Input::Sent,
    },
    Uploader {
        programs: &["gh"],
        verbs: &[&["release"], &["upload", "create"]],
        destination: None,
        operands: true,
        options: &["-F", "--notes-file"],
        input: Input::Possible,
    },
    Uploader {
        programs: &["gh"],
        verbs: &[&["issue", "pr"], &["create", "comment", "edit"]],
        destination: None,
        operands: false,
        options: &["-F", "--body-file"],
        input: Input::Possible,
    },
    Uploader {
        programs: &["gh"],
        verbs: &[&["api"]],
        destination: None,
        operands: false,
        options: &["--input"],
        input: Input::Possible,
    },
    Uploader {
        programs: &["glab"],
        verbs: &[&["snippet"], &["create"]],
        destination: None,
        operands: true,
        options: &[],
        input: Input::Sent,
    },
    Uploader {
        programs: &["hub"],
        verbs: &[&["gist"]],
        destination: None,
        operands: true,
        options: &[],
        input: Input::Sent,
    },
    Uploader {
        programs: &["croc", "wormhole", "magic-wormhole", "ffsend", "portal"],
        verbs: &[&["send", "upload"]],
        destination: None,
        operands: true,
        options: &["--file"],
        input: Input::Sent,
    },
    Uploader {
        programs: &[
            "pastebinit",
            "gist",
            "0x0",
            "transfer",
            "haste",
            "wgetpaste",
            "dpaste",
            "nopaste",
            "sprunge",
            "ix",
        ],
        verbs: &[],
        destination: None,
        operands: true,
        options: &["-i"],
        input: Input::Sent,
    },
    Uploader {
        programs: &["mail", "mailx", "s-nail", "mutt", "neomutt", "sendmail", "msmtp", "ssmtp", "swaks"],
        verbs: &[],
        destination: None,
        operands: false,
        options: &["-a", "-A", "--attach", "--body"],
        input: Input::Sent,
    },
    Uploader {
        programs: &["mosquitto_pub"],
        verbs: &[],
        destination: None,
        operands: false,
        options: &["-f", "--file"],
        input: Input::Sent,
    },
];

/// Reads a command as an upload.
pub(super) fn read(command: &Invocation<'_>) -> Option<Sink> {
    UPLOADERS
        .iter()
        .filter(|uploader| uploader.programs.contains(&command.program.as_str()))
        .find_map(|uploader| uploader.read(command))
}

impl Uploader {
    fn read(&self, command: &Invocation<'_>) -> Option<Sink> {
        let mut files: Vec<&Argument> = Vec::new();
        let mut sent: Vec<&Argument> = Vec::new();
        let mut verbs = self.verbs.iter();
        let mut verb = verbs.next();
        let mut arguments = command.arguments().iter().peekable();
        let mut here = false;
        while let Some(argument) = arguments.next() {
            let text = argument.text.as_str();
            if text.starts_with('-') && text.len() > 1 {
                let (name, glued) = text.split_once('=').map_or((text, false), |(name, _)| (name, true));
                let endpoint = matches!(name, "--endpoint-url" | "--endpoint" | "--host");
                let value = if endpoint || self.options.contains(&name) && !glued {
                    arguments.next_if(|_| !glued)
                } else {
                    None
                };
                if endpoint {
                    let url = value.map_or_else(
                        || text.split_once('=').map_or("", |(_, url)| url),
                        |url| url.text.as_str(),
                    );
                    here |= is_this_machine(url);
                } else if let Some(value) = value {
                    sent.push(value);
                }
                continue;
            }
            match verb {
                // Words in front of the verb may be values of global options (`aws --profile x s3 cp`).
                Some(alternatives) if alternatives.contains(&text) => verb = verbs.next(),
                Some(_) => {}
                None if self.operands => files.push(argument),
                None => {}
            }
        }
        if verb.is_some() || here {
            return None;
        }
        if let Some(markers) = self.destination {
            let destination = files.pop()?;
            let beyond = markers.iter().any(|marker| destination.text.contains(marker))
                || destination.text.starts_with(UNKNOWN);
            if !beyond {
                return None;
            }
        }
        let glued = self.glued_values(command);
        let sends_credential = glued
            || files
                .iter()
                .chain(&sent)
                .any(|file| is_file(file) && is_credential(&command.path(&file.units)));
        Some(Sink { sends_credential, input: self.input })
    }

    /// `--body=file` and the like, and `field=@file` of `gh api`.
    fn glued_values(&self, command: &Invocation<'_>) -> bool {
        let parsed = command.parsed(Grammar { short: "F", long: &["--field"] });
        parsed.flags.iter().any(|flag| {
            let Some(value) = flag.value else { return false };
            if self.options.contains(&flag.name.as_str()) {
                return is_credential(&command.path(value));
            }
            let field = matches!(flag.name.as_str(), "-F" | "--field");
            let at = value.iter().position(|unit| unit.character() == '@');
            field
                && at.is_some_and(|at| is_credential(&command.path(value.get(at + 1..).unwrap_or_default())))
        })
    }
}
