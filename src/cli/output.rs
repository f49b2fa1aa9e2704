//! Writing to the terminal or into a pipe.
//!
//! Promises colour only where a terminal wants it, no fault when the reader goes away, and canonical proto3 JSON.
//! Expects text that is framed or neutralised already.

use super::failure::Failure;
use crate::proto::FILE_DESCRIPTOR_SET;
use prost::Message;
use prost_reflect::{DescriptorPool, DynamicMessage};
use serde::Serialize;
use std::io::{self, ErrorKind, Write};

/// Columns of a terminal that does not say how many it has, and of what is no terminal.
const COLUMNS: usize = 100;

/// The columns of the terminal, if standard output is one.
pub(super) fn terminal_columns() -> Option<usize> {
    terminal_size::terminal_size_of(io::stdout()).map(|(columns, _rows)| usize::from(columns.0))
}

/// The columns to lay text out for.
pub(super) fn columns() -> usize {
    terminal_columns().unwrap_or(COLUMNS)
}

/// Writes text to standard output. Returns whether anybody still reads.
///
/// # Errors
/// The text cannot be written although somebody reads.
pub(super) fn write(text: &str) -> Result<bool, Failure> {
    let mut out = anstream::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(Failure::new(format!("cannot write the output: {error}"))),
    }
}

/// Writes text to standard error. Nobody can be told that this failed.
pub(super) fn complain(text: &str) {
    let _unheard = anstream::stderr().lock().write_all(text.as_bytes());
}

/// Writes a message of the contract as proto3 JSON. `name` is its name in the contract, without the package.
///
/// # Errors
/// It cannot be written.
pub(super) fn write_message(name: &str, message: &impl Message) -> Result<bool, Failure> {
    write_json(&dynamic(name, &message.encode_to_vec())?)
}

/// Writes a message of the contract in proto3 JSON on one line, under a key that says what it is.
///
/// # Errors
/// It cannot be written.
pub(super) fn write_line(key: &str, name: &str, message: &impl Message) -> Result<bool, Failure> {
    let line = std::collections::BTreeMap::from([(key, dynamic(name, &message.encode_to_vec())?)]);
    let text = serde_json::to_string(&line)
        .map_err(|error| Failure::new(format!("cannot write the output as JSON: {error}")))?;
    write(&format!("{text}\n"))
}

/// Writes any value as JSON, ending in a line feed.
///
/// # Errors
/// It cannot be written.
pub(super) fn write_json(value: &impl Serialize) -> Result<bool, Failure> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|error| Failure::new(format!("cannot write the output as JSON: {error}")))?;
    write(&format!("{text}\n"))
}

/// Reads a message of the contract from proto3 JSON.
///
/// # Errors
/// What is wrong with the text.
pub(super) fn read_message<M: Message + Default>(name: &str, text: &str) -> Result<M, Failure> {
    let wrong =
        |error: &dyn std::fmt::Display| Failure::new(format!("this is no {name} in proto3 JSON: {error}"));
    let pool = DescriptorPool::decode(FILE_DESCRIPTOR_SET).map_err(|error| wrong(&error))?;
    let descriptor = pool
        .get_message_by_name(&format!("haltgate.v1.{name}"))
        .ok_or_else(|| wrong(&"the contract has no such message"))?;
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let message =
        DynamicMessage::deserialize(descriptor, &mut deserializer).map_err(|error| wrong(&error))?;
    deserializer.end().map_err(|error| wrong(&error))?;
    message.transcode_to().map_err(|error| wrong(&error))
}

fn dynamic(name: &str, bytes: &[u8]) -> Result<DynamicMessage, Failure> {
    let fault =
        |error: &dyn std::fmt::Display| Failure::new(format!("cannot write a {name} as JSON: {error}"));
    let pool = DescriptorPool::decode(FILE_DESCRIPTOR_SET).map_err(|error| fault(&error))?;
    let descriptor = pool
        .get_message_by_name(&format!("haltgate.v1.{name}"))
        .ok_or_else(|| fault(&"the contract has no such message"))?;
    DynamicMessage::decode(descriptor, bytes).map_err(|error| fault(&error))
}
