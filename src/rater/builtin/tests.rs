//! The judgements.
