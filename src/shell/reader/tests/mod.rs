//! What the reader promises as a whole: the corpus of cases, and hostile input. Its files have their own tests.

mod corpus;
mod hostile;
pub(super) mod walk;
