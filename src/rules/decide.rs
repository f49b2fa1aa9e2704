//! The order of the three lists: deny, then escalate, then allow, over every layer of each.
//!
//! Promises that the order of writing, of entries and of layers, never changes the outcome. Knows nothing of rungs, floors
//! and humans.

use super::entry::{Entry, ListKind};
use super::list::RuleList;
use super::matching::{Basis, Found, Notice, Prepared};
use super::target::Target;

/// The rule lists that apply to a call, each kind in layers (declared, added at run time, persisted). A list acts by its
/// own kind: one that is put on another side does not change sides.
#[derive(Debug, Clone, Copy, Default)]
pub struct Layered<'a> {
    /// What is refused.
    pub deny: &'a [&'a RuleList],
    /// What a human must see.
    pub escalate: &'a [&'a RuleList],
    /// What may pass.
    pub allow: &'a [&'a RuleList],
}

/// The entry that rules a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ruled<'a> {
    /// The kind of list it stands in.
    pub list: ListKind,
    /// Which layer of that kind, by its place in [`Layered`].
    pub layer: usize,
    /// The entry.
    pub entry: &'a Entry,
    /// Its place in its list.
    pub index: usize,
    /// How sure the match is.
    pub basis: Basis,
    /// Whether the call is rated all the same; only an allow entry ever says so.
    pub rate: bool,
}

/// What the rules say of a call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ruling<'a> {
    /// The entry that rules it; none leaves it to the rung.
    pub ruled: Option<Ruled<'a>>,
    /// Patterns that could not be decided on the way.
    pub notices: Vec<Notice>,
}

/// Looks a call up in all lists.
#[must_use]
pub fn decide<'a>(lists: &Layered<'a>, target: &Target<'_>) -> Ruling<'a> {
    let prepared = Prepared::new(target);
    let mut notices = Vec::new();
    for kind in [ListKind::Deny, ListKind::Escalate, ListKind::Allow] {
        let ruled = find_in_layers(lists, kind, &prepared, &mut notices);
        if ruled.is_some() {
            return Ruling { ruled, notices };
        }
    }
    Ruling { ruled: None, notices }
}

/// The earliest layer that matches for certain, else the earliest that may. An allow entry whose match is not rated comes
/// before one whose match is, whatever their layers.
fn find_in_layers<'a>(
    lists: &Layered<'a>,
    kind: ListKind,
    prepared: &Prepared<'_>,
    notices: &mut Vec<Notice>,
) -> Option<Ruled<'a>> {
    let (mut rated, mut doubtful) = (None, None);
    let sides: [&'a [&'a RuleList]; 3] = [lists.deny, lists.escalate, lists.allow];
    for (layer, list) in sides.into_iter().flat_map(|side| side.iter().copied().enumerate()) {
        if list.kind() != kind {
            continue;
        }
        let Found::Match { entry, index, basis } = list.find_prepared(prepared, notices) else { continue };
        let rate = match kind {
            ListKind::Deny | ListKind::Escalate => false,
            ListKind::Allow => entry.rates(),
        };
        let certain = basis == Basis::Decided;
        let ruled = Ruled { list: kind, layer, entry, index, basis, rate };
        match (certain, rate) {
            (true, false) => return Some(ruled),
            (true, true) => rated = rated.or(Some(ruled)),
            (false, _) => doubtful = doubtful.or(Some(ruled)),
        }
    }
    rated.or(doubtful)
}
