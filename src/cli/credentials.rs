//! What a command shows a gate to say who calls, and whom it trusts to be that gate.
//!
//! Promises that a token is never an option, since others can read the command lines of this machine, and never part of a
//! message. Knows nothing of what is asked.

use super::failure::Failure;
use crate::client::Options;
use clap::Args;
use std::path::{Path, PathBuf};

/// Holds the token itself.
const TOKEN_VARIABLE: &str = "HALTGATE_TOKEN";

/// Names the file with the token.
const TOKEN_FILE_VARIABLE: &str = "HALTGATE_TOKEN_FILE";

const CA_VARIABLE: &str = "HALTGATE_CA";
const CERTIFICATE_VARIABLE: &str = "HALTGATE_CLIENT_CERT";
const KEY_VARIABLE: &str = "HALTGATE_CLIENT_KEY";

/// The variables that hold credentials, or name their files.
pub(super) const VARIABLES: [&str; 5] =
    [TOKEN_VARIABLE, TOKEN_FILE_VARIABLE, CA_VARIABLE, CERTIFICATE_VARIABLE, KEY_VARIABLE];

/// The longest token or certificate that is read, in bytes.
const MAX_BYTES: u64 = 1 << 20;

// What a command shows. (Documentation here would become the help of the command.)
#[derive(Debug, Clone, Args)]
pub(super) struct Credentials {
    /// The file that holds the token for the gate, and nothing else [default: the token in HALTGATE_TOKEN]
    #[arg(long, value_name = "FILE", env = TOKEN_FILE_VARIABLE, global = true)]
    token_file: Option<PathBuf>,
    /// The authorities (PEM) whose certificates the gate may show, in place of those that the system trusts
    #[arg(long, value_name = "FILE", env = CA_VARIABLE, global = true)]
    ca: Option<PathBuf>,
    /// The certificate (PEM) to show the gate, with its chain
    #[arg(long, value_name = "FILE", env = CERTIFICATE_VARIABLE, global = true, requires = "client_key")]
    client_cert: Option<PathBuf>,
    /// Its key (PEM)
    #[arg(long, value_name = "FILE", env = KEY_VARIABLE, global = true, requires = "client_cert")]
    client_key: Option<PathBuf>,
}

impl Credentials {
    /// Adds them to the options of a connection.
    ///
    /// # Errors
    /// A file cannot be read, or the variable holds no token.
    pub(super) fn over(&self, options: Options) -> Result<Options, Failure> {
        let mut options = options;
        if let Some(token) = self.token()? {
            options = options.token(token);
        }
        if let Some(path) = &self.ca {
            options = options.certificate_authority(read(path, "--ca")?);
        }
        if let (Some(certificate), Some(key)) = (&self.client_cert, &self.client_key) {
            let chain = read(certificate, "--client-cert")?;
            options = options.client_certificate(chain, read(key, "--client-key")?);
        }
        Ok(options)
    }

    /// The token: of the file that is named, or else of the variable.
    fn token(&self) -> Result<Option<String>, Failure> {
        let (text, place) = match (&self.token_file, std::env::var_os(TOKEN_VARIABLE)) {
            (Some(path), _) => {
                let bytes = read(path, "--token-file")?;
                (String::from_utf8(bytes).ok(), format!("the token file {}", path.display()))
            }
            (None, Some(text)) if !text.is_empty() => {
                (text.into_string().ok(), format!("the variable {TOKEN_VARIABLE}"))
            }
            (None, Some(_) | None) => return Ok(None),
        };
        let token = text.as_deref().map(str::trim).unwrap_or_default();
        if token.is_empty() || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Failure::new(format!("{place} holds no token"))
                .advise("put the token there and nothing else, as `haltgate token create` prints it"));
        }
        Ok(Some(token.to_owned()))
    }

    /// The options that show the same, word by word, for commands that run elsewhere. What the environment names is found there by
    /// the other command, too.
    pub(super) fn as_words(&self) -> Vec<String> {
        let files = [
            ("--token-file", TOKEN_FILE_VARIABLE, &self.token_file),
            ("--ca", CA_VARIABLE, &self.ca),
            ("--client-cert", CERTIFICATE_VARIABLE, &self.client_cert),
            ("--client-key", KEY_VARIABLE, &self.client_key),
        ];
        let mut words = Vec::new();
        for (option, variable, path) in files {
            let Some(path) =
                path.as_ref().filter(|path| std::env::var_os(variable).as_deref() != Some(path.as_os_str()))
            else {
                continue;
            };
            // The other command may run in another folder.
            let whole = std::path::absolute(path).unwrap_or_else(|_unknown| path.clone());
            words.extend([option.to_owned(), whole.display().to_string()]);
        }
        words
    }
}

fn read(path: &Path, option: &str) -> Result<Vec<u8>, Failure> {
    let unreadable = |reason: String| {
        Failure::new(format!("the file {} of {option} cannot be read ({reason})", path.display()))
            .advise("name a file that you may read")
    };
    let found = std::fs::metadata(path).map_err(|error| unreadable(error.kind().to_string()))?;
    if !found.is_file() || found.len() > MAX_BYTES {
        return Err(unreadable("it is no file of at most 1 MiB".to_owned()));
    }
    std::fs::read(path).map_err(|error| unreadable(error.kind().to_string()))
}
