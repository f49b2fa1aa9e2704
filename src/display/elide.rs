//! Which lines of a long text are shown.
//!
//! Promises never to choose more lines than it may, and to choose those around the sites of a command first. Knows
//! line numbers only.

use std::ops::Range;

/// Lines shown before and after a line with a site.
const LINES_AROUND_A_SITE: usize = 2;

/// The ranges of lines to show, ascending and apart, out of `total`, from 0. `site_lines` is ascending.
///
/// Everything, if it fits. Otherwise the head, or, where there are sites, whole windows around their lines from the
/// first one on until one would not fit; a first window that is too long by itself is cut, starting at the site.
pub(super) fn shown_lines(total: usize, limit: usize, site_lines: &[usize]) -> Vec<Range<usize>> {
    let limit = limit.max(1);
    if total <= limit {
        return one(0..total);
    }
    let Some(&first_site) = site_lines.first() else {
        return one(0..limit);
    };
    let mut chosen = Vec::new();
    let mut room = limit;
    for window in windows(total, site_lines) {
        let Some(left) = room.checked_sub(window.len()) else {
            break;
        };
        room = left;
        chosen.push(window);
    }
    if chosen.is_empty() {
        return one(first_site..first_site.saturating_add(limit).min(total));
    }
    chosen
}

/// A single range.
fn one(range: Range<usize>) -> Vec<Range<usize>> {
    std::iter::once(range).collect()
}

/// The windows around the sites, merged where they touch.
fn windows(total: usize, site_lines: &[usize]) -> Vec<Range<usize>> {
    let mut merged: Vec<Range<usize>> = Vec::new();
    for &line in site_lines {
        let start = line.saturating_sub(LINES_AROUND_A_SITE);
        let end = line.saturating_add(LINES_AROUND_A_SITE + 1).min(total);
        match merged.last_mut() {
            Some(last) if start <= last.end => last.end = last.end.max(end),
            Some(_) | None => merged.push(start..end),
        }
    }
    merged
}

/// The ranges that `shown` leaves out of `total`, one before each shown range and one behind the last; some are empty.
pub(super) fn gap_before(shown: &[Range<usize>], position: usize, total: usize) -> Range<usize> {
    let start = position.checked_sub(1).and_then(|before| shown.get(before)).map_or(0, |range| range.end);
    let end = shown.get(position).map_or(total, |range| range.start);
    start..end.max(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What it shows, the number of lines, those with sites, and the ranges to show.
    type Case<'a> = (&'a str, usize, &'a [usize], &'a [(usize, usize)]);

    #[test]
    fn lines_are_chosen_around_sites_and_never_beyond_the_limit() {
        let dense: Vec<usize> = (10..60).collect();
        let cases: [Case; 9] = [
            ("fits whole", 20, &[3, 19], &[(0, 20)]),
            ("no sites: the head", 21, &[], &[(0, 20)]),
            ("one site", 100, &[50], &[(48, 53)]),
            ("at both ends", 100, &[0, 99], &[(0, 3), (97, 100)]),
            ("windows that touch are one", 100, &[10, 15], &[(8, 18)]),
            ("windows that do not touch stay apart", 100, &[10, 16], &[(8, 13), (14, 19)]),
            (
                "whole windows only, earliest first",
                100,
                &[10, 20, 30, 40, 50],
                &[(8, 13), (18, 23), (28, 33), (38, 43)],
            ),
            ("a window that is too long stops the choice", 100, &[4, 12, 16, 20, 24, 28, 99], &[(2, 7)]),
            ("too long a first window is cut from the site on", 100, &dense, &[(10, 30)]),
        ];
        for (name, total, sites, expected) in cases {
            let shown: Vec<(usize, usize)> =
                shown_lines(total, 20, sites).into_iter().map(|range| (range.start, range.end)).collect();
            assert_eq!(shown, expected, "{name}");
        }
    }

    #[test]
    fn the_gaps_and_the_shown_ranges_cover_every_line_once() {
        let shown = shown_lines(100, 20, &[10, 50, 99]);
        let hidden: usize = (0..=shown.len()).map(|position| gap_before(&shown, position, 100).len()).sum();
        let visible: usize = shown.iter().map(Range::len).sum();
        assert_eq!(hidden + visible, 100);
    }
}
