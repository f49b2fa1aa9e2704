//! Output written to disks, and to the switch through which the kernel takes commands.
//!
//! Promises to look at every redirection that writes, of simple and of compound commands.

use super::Check;
use super::argument::Argument;
use super::command::Invocation;
use super::devices::{is_block_device, is_kernel_trigger};
use super::disks::writes_harmless_letter;
use super::paths::{Origin, Path};
use crate::shell::tree::{Redirect, RedirectOperator};

/// What the redirections of a command write over.
pub(super) fn check(command: &Invocation<'_>) -> Option<Check> {
    let found = find(&command.segment.redirects, &command.origin)?;
    (found != Check::Shutdown || !writes_harmless_letter(command)).then_some(found)
}

/// What the redirections of a compound command write over.
pub(super) fn of_group(redirects: &[Redirect], origin: &Origin) -> Option<Check> {
    find(redirects, origin)
}

fn find(redirects: &[Redirect], origin: &Origin) -> Option<Check> {
    redirects.iter().filter(|redirect| writes(redirect.operator)).find_map(|redirect| {
        let path = Path::resolve(&Argument::new(&redirect.target, false).units, origin);
        if is_block_device(&path) {
            return Some(Check::DiskWrite);
        }
        is_kernel_trigger(&path).then_some(Check::Shutdown)
    })
}

/// Whether an operator opens its target for writing.
pub(super) fn writes(operator: RedirectOperator) -> bool {
    match operator {
        RedirectOperator::Write
        | RedirectOperator::Append
        | RedirectOperator::Clobber
        | RedirectOperator::ReadWrite
        | RedirectOperator::WriteBoth
        | RedirectOperator::AppendBoth
        | RedirectOperator::DuplicateOutput => true,
        RedirectOperator::Read
        | RedirectOperator::DuplicateInput
        | RedirectOperator::HereDocument
        | RedirectOperator::HereDocumentStripped
        | RedirectOperator::HereString => false,
    }
}
