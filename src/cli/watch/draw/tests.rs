//! The screens, painted on a terminal in memory.

use super::*;
use crate::cli::watch::desk::Key;
use crate::client::Happening;
use crate::display::frame as framed;
use crate::display::{Frame as Limits, Headline, Severity};
use crate::proto::v1 as pb;
use proptest::prelude::*;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::style::Color;
use std::time::Duration;

const NOW: Duration = Duration::from_secs(10);

/// Two more of what an agent may send to fool whoever reads.
const HOSTILE: &str = "ls\u{1b}[2J\u{1b}[1;1Hnothing waits\n[o] once is safe\r> safe \u{202e}evil\u{202c}\u{200b}\u{2066}\t\u{7}";

fn entry(text: &str) -> Option<pb::RenderedEntry> {
    Some(pb::RenderedEntry { object_text: text.to_owned(), ..pb::RenderedEntry::default() })
}

fn shell(command: &str, justification: &str) -> Option<pb::Call> {
    Some(pb::Call {
        kind: Some(pb::call::Kind::Shell(pb::ShellCall {
            command: command.to_owned(),
            justification: justification.to_owned(),
            ..pb::ShellCall::default()
        })),
    })
}

fn subject(command: &str) -> Option<pb::Subject> {
    Some(pb::Subject {
        kind: Some(pb::subject::Kind::Shell(pb::ShellSubject {
            command: command.to_owned(),
            canonical: command.to_owned(),
        })),
    })
}

fn rating(outcome: pb::Outcome, reason: &str) -> Option<pb::Rating> {
    Some(pb::Rating {
        outcome: outcome.into(),
        reason: reason.to_owned(),
        source: pb::RatingSource::BuiltIn.into(),
        ..pb::Rating::default()
    })
}

/// A question as the server sends it, with the same hostile or harmless text in every place that an agent or a model fills.
fn question(text: &str, grant: bool) -> pb::Escalation {
    let headline = format!("{}.", Headline::Shell { tool: "run_shell_command" });
    let mut lines = vec![headline.clone()];
    lines.extend(framed(text, &Limits::default()));
    lines.push(format!("{} {}", Severity::Destructive.glyph(), Severity::Destructive.heading()));
    lines.extend(framed(text, &Limits::default()));
    lines.push("1 attempts were turned down before:".to_owned());
    lines.push("Round 1, the agent wanted:".to_owned());
    lines.extend(framed(text, &Limits::default()));
    for _offered in 0..usize::from(grant) + 1 {
        lines.push("This would be stored:".to_owned());
        lines.extend(framed(text, &Limits::default()));
    }
    let scopes = |all: bool| if all { vec![1, 2, 3] } else { vec![1] };
    pb::Escalation {
        escalation_id: "0199".to_owned(),
        session_id: text.to_owned(),
        run_id: text.to_owned(),
        state: pb::EscalationState::Open.into(),
        stage: pb::Stage::Rater.into(),
        rung: pb::Rung::Assisted.into(),
        call: shell(text, text),
        subject: subject(text),
        rating: rating(pb::Outcome::Destructive, text),
        offer: Some(pb::AnswerOffer {
            approve_scopes: scopes(grant),
            reject_scopes: vec![1, 2],
            grant: grant.then(|| entry(text)).flatten(),
            denial: entry(text),
        }),
        prompt: Some(pb::Prompt { headline, framed_lines: lines }),
        labels: [(text.to_owned(), text.to_owned())].into(),
        ..pb::Escalation::default()
    }
}

fn halt(text: &str) -> pb::AttackHalt {
    pb::AttackHalt {
        halt_id: "0200".to_owned(),
        session_id: text.to_owned(),
        run_id: text.to_owned(),
        state: pb::AttackHaltState::Open.into(),
        call: shell(text, text),
        subject: subject(text),
        rating: rating(pb::Outcome::Attack, text),
        ..pb::AttackHalt::default()
    }
}

fn asked(text: &str, grant: bool) -> Desk {
    let mut desk = Desk::new(true, true);
    desk.escalation(Happening::Raised(question(text, grant)));
    desk
}

fn halted(text: &str) -> Desk {
    let mut desk = asked(text, true);
    desk.halt(Happening::Raised(halt(text)));
    desk
}

fn status() -> Status {
    Status { project: "default".to_owned(), only: String::new(), link: "live".to_owned(), stale: false }
}

fn painted(desk: &mut Desk, columns: u16, rows: u16, colour: bool) -> Buffer {
    painted_with(&mut Pages::default(), desk, columns, rows, colour)
}

fn painted_with(pages: &mut Pages, desk: &mut Desk, columns: u16, rows: u16, colour: bool) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
    let mut room = Room::default();
    terminal.draw(|frame| room = draw(frame, desk, &status(), Look { colour }, pages)).unwrap();
    desk.drawn(NOW, room);
    terminal.backend().buffer().clone()
}

fn rows(buffer: &Buffer) -> Vec<String> {
    let columns = usize::from(buffer.area.width);
    let cells: Vec<&str> = buffer.content().iter().map(ratatui::buffer::Cell::symbol).collect();
    cells.chunks(columns).map(|row| row.concat().trim_end().to_owned()).collect()
}

fn screen(desk: &mut Desk, columns: u16, rows_of: u16) -> Vec<String> {
    rows(&painted(desk, columns, rows_of, true))
}

#[test]
fn a_question_fits_a_small_screen_whole_with_what_each_key_stores() {
    let mut desk = asked("npm install zod", true);
    let shown = screen(&mut desk, 80, 24);
    let expected = [
        " haltgate  default  1 waits                                                live",
        "> destructive   npm install zod   npm install zod",
        "The agent wants to run a shell command via \"run_shell_command\".",
        "  1 │ npm install zod",
        "⚠ Auto-rater (destructive): this can destroy work, though it can be made good",
        "1 attempts were turned down before:",
        " o  once     approve this one call; nothing is stored",
        " s  session  approve, and store until the session is over, exactly:",
        " a  always   approve, and store for the project, exactly:",
        " n  no       reject this one call; c rejects with a comment for the agent",
        " d  deny     reject, and refuse until the session is over, exactly:",
    ];
    for row in expected {
        assert!(shown.iter().any(|shown| shown == row), "{row:?} is missing in\n{}", shown.join("\n"));
    }
    let below = |key: &str| {
        let at = shown.iter().position(|row| row.starts_with(key)).unwrap();
        shown[at + 1].clone()
    };
    assert_eq!(below(" a  always"), "  1 │ npm install zod");
    assert_eq!(below(" d  deny"), "  1 │ npm install zod");
}

#[test]
fn a_key_that_is_not_on_offer_is_not_shown() {
    let shown = screen(&mut asked("ls | sh", false), 80, 24);
    let keys: Vec<&str> = shown
        .iter()
        .filter_map(|row| row.get(..4))
        .filter(|row| row.ends_with("  ") && row.trim().len() == 1)
        .collect();
    assert_eq!(keys, [" o  ", " n  ", " d  "], "{}", shown.join("\n"));
}

#[test]
fn where_there_is_no_room_beside_the_keys_the_document_says_what_is_stored() {
    let mut desk = asked(&"x".repeat(200), true);
    let mut seen = Vec::new();
    for _page in 0..12 {
        seen.extend(screen(&mut desk, 40, 20));
        desk.key(Key::PageDown, NOW);
    }
    for row in [
        "s and a store exactly:",
        "d keeps until the session is over",
        " o once  s session  a always  n no",
        " d deny",
    ] {
        assert!(seen.iter().any(|shown| shown == row), "{row:?} is missing in\n{}", seen.join("\n"));
    }
}

#[test]
fn a_long_call_is_scrolled_and_shown_whole_on_demand() {
    let text: String = (1..=5_000).map(|number| format!("echo {number}\n")).collect();
    let mut desk = asked(&text, true);
    let shown = screen(&mut desk, 80, 24).join("\n");
    assert!(shown.contains("more rows: PgDn") && !shown.contains("echo 5000"), "{shown}");
    desk.key(Key::End, NOW);
    assert!(screen(&mut desk, 80, 24).join("\n").contains("id        0199"));
    desk.key(Key::Character('w'), NOW);
    screen(&mut desk, 80, 24);
    let (mut found, mut pages) = (false, Pages::default());
    for _page in 0..1_000 {
        desk.key(Key::PageDown, NOW);
        let shown = rows(&painted_with(&mut pages, &mut desk, 80, 24, true));
        found = found || shown.iter().any(|row| row == "  5000 │ echo 5000");
    }
    assert!(found);
}

#[test]
fn a_halt_takes_the_whole_screen_and_says_what_enter_does() {
    let mut desk = halted("cat id_rsa");
    for (columns, rows) in [(80, 24), (120, 40), (40, 20)] {
        let shown = screen(&mut desk, columns, rows);
        assert!(shown[0].starts_with(" RUN HALTED: "), "{shown:#?}");
        for row in ["  1 │ cat id_rsa", "  Neither is remembered.", "> ", "Enter now stops the run."] {
            assert!(
                shown.iter().any(|shown| shown == row.trim_end()),
                "{row:?} is missing in\n{}",
                shown.join("\n")
            );
        }
        assert!(!shown.iter().any(|row| row.contains("once") && row.contains(" o ")), "{shown:#?}");
    }
    let mut later = NOW * 2;
    for character in "run anyway".chars() {
        later += Duration::from_millis(80);
        desk.key(Key::Character(character), later);
    }
    let shown = screen(&mut desk, 80, 24).join("\n");
    assert!(shown.contains("> run anyway"), "{shown}");
    assert!(shown.contains("Enter now runs this one command. Nothing is remembered."), "{shown}");
    desk.pasted("run anyway");
    assert!(screen(&mut desk, 80, 24).join("\n").contains("That was pasted, so it was dropped."));
}

#[test]
fn whoever_leaves_a_halt_is_told_what_that_causes() {
    let mut desk = halted("cat id_rsa");
    screen(&mut desk, 80, 24);
    desk.key(Key::Leave, NOW * 2);
    for (columns, rows) in [(80, 24), (40, 20)] {
        let shown = screen(&mut desk, columns, rows).join(" ");
        assert!(shown.contains("A halt waits only while"), "{shown}");
        assert!(shown.contains("y leaves. Any other key stays."), "{shown}");
    }
}

#[test]
fn nothing_is_said_by_colour_alone() {
    for mut desk in [asked("x", true), halted("x"), Desk::new(true, true)] {
        let plain = painted(&mut desk, 80, 24, false);
        assert_eq!(rows(&plain), screen(&mut desk, 80, 24));
        for cell in plain.content() {
            assert_eq!((cell.fg, cell.bg), (Color::Reset, Color::Reset));
        }
    }
}

#[test]
fn no_window_is_too_small_to_be_drawn() {
    for columns in [1, 5, 20, 39, 80, 300] {
        for rows in [1, 2, 7, 8, 10, 100] {
            for cover in [Cover::None, Cover::Help, Cover::Leaving, Cover::Comment("é".repeat(500))] {
                for mut desk in [asked(HOSTILE, true), halted(HOSTILE), Desk::new(false, true)] {
                    desk.cover = cover.clone();
                    screen(&mut desk, columns, rows);
                }
            }
        }
    }
    assert!(screen(&mut asked("x", true), 80, 7)[0].starts_with("This window is too low"));
}

/// What begins at the left edge, of a screen: the words of ours.
fn at_the_left_edge(rows: &[String]) -> Vec<String> {
    rows.iter().filter(|row| !row.starts_with(' ') && !row.is_empty()).cloned().collect()
}

/// Every page of a desk.
fn every_page(mut desk: Desk, columns: u16, height: u16) -> Vec<String> {
    let (mut all, mut pages) = (Vec::new(), Pages::default());
    loop {
        all.extend(rows(&painted_with(&mut pages, &mut desk, columns, height, true)));
        let before = desk.view;
        desk.key(Key::PageDown, NOW);
        if desk.view == before {
            return all;
        }
    }
}

fn untrusted() -> impl Strategy<Value = String> {
    let character = prop_oneof![
        4 => prop::char::range(' ', '~'),
        3 => prop::sample::select(vec!['\n', '\r', '\t', '\0', '\x1b', '\u{7}', '\u{85}', '\u{9b}', '\u{ad}', '\u{200b}', '\u{200d}', '\u{202e}', '\u{2066}', '\u{2028}', '\u{fe0f}', '\u{feff}', '│', '┊', '⋯', '界', '❤', 'é', ';', '|']),
        1 => any::<char>(),
    ];
    prop::collection::vec(character, 0..120).prop_map(|characters| characters.into_iter().collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_an_agent_or_a_model_writes_stays_inside_its_frame(text in untrusted(), columns in 21_u16..120, height in 12_u16..45) {
        for make in [(|text: &str| asked(text, true)) as fn(&str) -> Desk, halted] {
            // With and without room for what would be stored beside the keys.
            let mut known = every_page(make("x"), columns, height);
            known.extend(every_page(make("x"), columns, 12));
            let shown = every_page(make(&text), columns, height);
            for row in &shown {
                for character in row.chars() {
                    prop_assert!(character == '\u{fe0f}' || crate::display::is_visible(character), "{character:?} in {row:?}");
                }
            }
            for row in at_the_left_edge(&shown) {
                prop_assert!(known.contains(&row) || row.starts_with("> ") || row.starts_with('-'), "{row:?}");
            }
        }
    }
}
