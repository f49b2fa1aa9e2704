//! The invariants of the decision, each with a test that carries its number: over the live engine and a real store where a
//! session is concerned, over the pure decision where a table is.
//!
//! The numbers are those of the reference behaviour's list of invariants. Where the design differs from it on purpose, the
//! test pins the design and says so.

#[cfg(test)]
mod answers;
#[cfg(test)]
mod attack;
#[cfg(test)]
mod concurrency;
#[cfg(test)]
mod denials;
#[cfg(test)]
mod desk;
#[cfg(test)]
mod differences;
#[cfg(test)]
mod harness;
#[cfg(test)]
mod introspection;
#[cfg(test)]
mod lists;
#[cfg(test)]
mod negotiation;
#[cfg(test)]
mod order;
#[cfg(test)]
mod owners;
#[cfg(test)]
mod recording;
#[cfg(test)]
mod recovery;
#[cfg(test)]
mod session_posture;
#[cfg(test)]
mod sticky;
#[cfg(test)]
mod subjects;
#[cfg(test)]
mod tables;
#[cfg(test)]
mod tenants;
#[cfg(test)]
mod weakening;
