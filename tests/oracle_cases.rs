//! What a real bash once ran and the analysis then left out. Here without a bash, from what was written down.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test may fail"
)]

#[path = "differential/compare.rs"]
mod compare;
#[path = "differential/ran.rs"]
mod ran;

use compare::missed;
use haltgate::shell::{Dialect, analyze};
use ran::Case;

#[test]
fn every_command_that_bash_ran_from_a_saved_line_is_a_segment_or_the_line_is_opaque() {
    let cases = Case::saved();
    assert!(!cases.is_empty());
    for case in cases {
        let miss = missed(&analyze(&case.command, Dialect::Bash), &case.ran);
        let left_out = miss.map(|miss| (miss.called_single, miss.ran));
        assert_eq!(left_out, None, "{:?}", case.command);
    }
}
