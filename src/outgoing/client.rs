//! The way out: one client for one kind of receiver.

use crate::cryptography;
use crate::display::one_line;
use reqwest::{Client, redirect, retry};
use std::time::Duration;

/// How long a connection may take to come about; the time limit of the request may be shorter.
const CONNECT: Duration = Duration::from_secs(10);

/// A client for an address on this machine (`here`), or for HTTPS anywhere else.
///
/// # Errors
/// TLS cannot be set up on this machine.
pub(crate) fn client(here: bool) -> Result<Client, reqwest::Error> {
    cryptography::install();
    let builder = Client::builder()
        .user_agent(concat!("haltgate/", env!("CARGO_PKG_VERSION")))
        .redirect(redirect::Policy::none())
        .retry(retry::never())
        .referer(false)
        .connect_timeout(CONNECT);
    // Behind a proxy of the environment a plain request to this machine would leave it.
    if here { builder.no_proxy() } else { builder.https_only(true) }.build()
}

/// Why a request failed, by the innermost cause: what is around it says only that there was one, and holds the address.
pub(crate) fn why(error: reqwest::Error) -> String {
    if error.is_timeout() && !error.is_connect() {
        return "no answer in time".to_owned();
    }
    let error = error.without_url();
    let mut innermost: &dyn std::error::Error = &error;
    // Causes are a handful; a ring of them would have no end.
    for _ in 0..16 {
        match innermost.source() {
            Some(source) => innermost = source,
            None => break,
        }
    }
    one_line(&innermost.to_string()).chars().take(200).collect()
}
