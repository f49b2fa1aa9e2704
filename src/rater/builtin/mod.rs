//! The rater that is built in: what a command does to which objects, and what that amounts to.
//!
//! Promises a judgement for every text, by its effects alone: safe only where every command is known and harmless, and a
//! reason that names the effect and its object. Pure: the analysis, the working folder and home are all it looks at. Knows
//! nothing of rules, rungs or sessions.

mod call;
mod deception;
mod effects;
mod findings;
mod flows;
mod handed;
mod hosts;
mod judge;
mod landmarks;
mod listings;
mod objects;
mod overlooked;
mod particulars;
mod place;
mod practice;
mod programs;
mod pushes;
mod redirects;
mod rules;
mod showing;
mod supply;
mod telltale;
#[cfg(test)]
mod tests;
mod tool_variables;
mod tools;
mod values;
mod variables;
mod wandering;
mod weakened;

pub(crate) use judge::{judge, judge_past_hardline};
pub(crate) use tools::judge_tool;
