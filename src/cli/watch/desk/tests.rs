//! What whoever watches can rely on, key by key.

use super::*;
use proptest::prelude::*;

/// Long enough for a key to count.
const REST: Duration = Duration::from_secs(1);

/// A desk, and the time as it goes by there.
struct Sitting {
    desk: Desk,
    now: Duration,
}

fn entry() -> Option<pb::RenderedEntry> {
    Some(pb::RenderedEntry { object_text: "{ entry }".to_owned(), ..pb::RenderedEntry::default() })
}

fn full_offer() -> pb::AnswerOffer {
    let scopes = |scopes: &[pb::Scope]| scopes.iter().map(|&scope| scope.into()).collect();
    pb::AnswerOffer {
        approve_scopes: scopes(&[pb::Scope::Once, pb::Scope::Session, pb::Scope::Always]),
        reject_scopes: scopes(&[pb::Scope::Once, pb::Scope::Session]),
        grant: entry(),
        denial: entry(),
    }
}

fn offering(id: &str, offer: Option<pb::AnswerOffer>) -> pb::Escalation {
    pb::Escalation {
        escalation_id: id.to_owned(),
        state: pb::EscalationState::Open.into(),
        offer,
        ..pb::Escalation::default()
    }
}

fn question(id: &str) -> pb::Escalation {
    offering(id, Some(full_offer()))
}

fn answered(id: &str) -> pb::Escalation {
    pb::Escalation { state: pb::EscalationState::Rejected.into(), ..question(id) }
}

fn halt(id: &str) -> pb::AttackHalt {
    pb::AttackHalt {
        halt_id: id.to_owned(),
        state: pb::AttackHaltState::Open.into(),
        ..pb::AttackHalt::default()
    }
}

impl Sitting {
    fn with(may_answer: bool) -> Self {
        Self { desk: Desk::new(may_answer, true), now: REST }
    }

    fn new() -> Self {
        Self::with(true)
    }

    /// With these questions, on screen for as long as it takes.
    fn asked(questions: impl IntoIterator<Item = pb::Escalation>) -> Self {
        let mut sitting = Self::new();
        for question in questions {
            sitting.desk.escalation(Happening::Raised(question));
        }
        sitting.rest();
        sitting
    }

    fn halted() -> Self {
        let mut sitting = Self::asked([question("q")]);
        sitting.desk.halt(Happening::Raised(halt("h")));
        sitting.rest();
        sitting
    }

    fn draw(&mut self) {
        self.desk.drawn(self.now, Room { page: 10, furthest: 100 });
    }

    /// The screen is drawn, and nobody touches a key for a while.
    fn rest(&mut self) {
        self.draw();
        self.now += REST;
    }

    fn key(&mut self, key: Key) -> Vec<Deed> {
        let deeds = self.desk.key(key, self.now);
        self.draw();
        deeds
    }

    /// Types as a person does.
    fn types(&mut self, text: &str) -> Vec<Deed> {
        let mut deeds = Vec::new();
        for character in text.chars() {
            self.now += Duration::from_millis(80);
            deeds.extend(self.key(if character == '\n' { Key::Enter } else { Key::Character(character) }));
        }
        deeds
    }

    /// What was answered, in words.
    fn said(deeds: &[Deed]) -> Vec<String> {
        let word = |answer: &Answer| {
            let id = match &answer.target {
                Target::Escalation(id) | Target::Halt(id) => id,
            };
            let comment =
                if answer.comment.is_empty() { String::new() } else { format!(" '{}'", answer.comment) };
            format!("{:?} {:?} {id}{comment}", answer.verdict, answer.scope)
        };
        deeds
            .iter()
            .filter_map(|deed| match deed {
                Deed::Send(answer) => Some(word(answer)),
                Deed::Ring | Deed::Retry | Deed::Leave => None,
            })
            .collect()
    }
}

#[test]
fn each_key_gives_its_answer_and_only_what_is_on_offer_is_answered() {
    let only = |approve: &[pb::Scope], reject: &[pb::Scope]| pb::AnswerOffer {
        approve_scopes: approve.iter().map(|&scope| scope.into()).collect(),
        reject_scopes: reject.iter().map(|&scope| scope.into()).collect(),
        ..pb::AnswerOffer::default()
    };
    let once = only(&[pb::Scope::Once], &[pb::Scope::Once]);
    // Scopes without the entry that they would store are no offer.
    let hollow = pb::AnswerOffer { grant: None, denial: None, ..full_offer() };
    let cases: [(&str, Option<pb::AnswerOffer>, &str); 4] = [
        (
            "all",
            Some(full_offer()),
            "o Approve Once, s Approve Session, a Approve Always, n Reject Once, d Reject Session",
        ),
        ("once", Some(once), "o Approve Once, n Reject Once"),
        ("without entries", Some(hollow), "o Approve Once, n Reject Once"),
        ("no offer", None, "n Reject Once"),
    ];
    for (name, offer, expected) in cases {
        let mut answers = Vec::new();
        for key in (' '..='~').chain(['é']) {
            let mut sitting = Sitting::asked([offering("q", offer.clone())]);
            let given = Sitting::said(&sitting.key(Key::Character(key)));
            if !key.is_ascii_uppercase() {
                answers
                    .extend(given.into_iter().map(|said| format!("{key} {}", said.trim_end_matches(" q"))));
            }
        }
        let mut wanted: Vec<&str> = expected.split(", ").collect();
        wanted.sort_unstable();
        answers.sort_unstable();
        assert_eq!(answers, wanted, "{name}");
        for key in [Key::Enter, Key::Escape, Key::Backspace, Key::Tab, Key::Up, Key::PageDown] {
            let mut sitting = Sitting::asked([offering("q", offer.clone())]);
            assert_eq!(sitting.key(key), [], "{name} {key:?}");
        }
    }
}

#[test]
fn an_item_that_came_by_itself_is_not_answered_by_a_key_meant_for_the_one_before() {
    let mut sitting = Sitting::asked([question("first"), question("second")]);
    assert_eq!(Sitting::said(&sitting.key(Key::Character('o'))), ["Approve Once first"]);
    let answer = sitting.desk.sending.clone().unwrap();
    let accepted = Outcome::Accepted(Subject::Escalation(Arc::new(answered("first"))));
    sitting.desk.replied(&answer, accepted);
    // Not drawn yet: whatever comes was typed at the first one.
    assert_eq!(sitting.desk.key(Key::Character('o'), sitting.now), []);
    sitting.draw();
    // A key that is held down comes again and again, and never counts.
    for _ in 0..100 {
        sitting.now += Duration::from_millis(30);
        assert_eq!(sitting.key(Key::Character('o')), []);
    }
    sitting.rest();
    assert_eq!(Sitting::said(&sitting.key(Key::Character('n'))), ["Reject Once second"]);
}

#[test]
fn an_item_that_a_person_chose_is_answered_at_once() {
    let mut sitting = Sitting::asked([question("first"), question("second")]);
    sitting.key(Key::Character('j'));
    assert_eq!(Sitting::said(&sitting.key(Key::Character('d'))), ["Reject Session second"]);
}

#[test]
fn moving_stays_within_the_list() {
    let mut sitting = Sitting::asked([question("a"), question("b"), question("c")]);
    let at = |sitting: &Sitting| sitting.desk.selected().unwrap().id().to_owned();
    for (key, expected) in [
        (Key::Up, "a"),
        (Key::Character('j'), "b"),
        (Key::Down, "c"),
        (Key::Down, "c"),
        (Key::Character('k'), "b"),
    ] {
        sitting.key(key);
        assert_eq!(at(&sitting), expected);
    }
    // What arrives later changes nothing in front.
    sitting.desk.escalation(Happening::Raised(question("d")));
    assert_eq!(at(&sitting), "b");
}

#[test]
fn one_answer_at_a_time() {
    let mut sitting = Sitting::asked([question("q")]);
    assert_eq!(Sitting::said(&sitting.key(Key::Character('o'))), ["Approve Once q"]);
    assert_eq!(sitting.key(Key::Character('n')), []);
    let answer = sitting.desk.sending.clone().unwrap();
    sitting.desk.replied(&answer, Outcome::Failed("no gate".to_owned()));
    assert!(sitting.desk.said.as_ref().unwrap().1.contains("no gate"));
    assert_eq!(Sitting::said(&sitting.key(Key::Character('o'))), ["Approve Once q"], "the same again");
}

#[test]
fn a_lost_race_is_told_and_the_item_is_gone() {
    let mut sitting = Sitting::asked([question("q")]);
    sitting.key(Key::Character('o'));
    let answer = sitting.desk.sending.clone().unwrap();
    sitting.desk.replied(&answer, Outcome::TooLate("rejected by ann".to_owned()));
    assert_eq!(sitting.desk.said, Some((Tone::Trouble, "rejected by ann".to_owned())));
    assert!(sitting.desk.waiting().is_empty());
}

#[test]
fn what_is_settled_elsewhere_leaves_with_a_word_of_who_and_how() {
    let mut sitting = Sitting::asked([question("q")]);
    let answer = pb::HumanAnswer {
        answered_by: "ann\u{202e}".to_owned(),
        scope: pb::Scope::Session.into(),
        ..pb::HumanAnswer::default()
    };
    let settled = pb::Escalation { answer: Some(answer), ..answered("q") };
    sitting.desk.escalation(Happening::Answered(settled.clone()));
    assert_eq!(sitting.desk.said.as_ref().unwrap().1, r"Rejected (session) by ann\u202e: ");
    assert!(sitting.desk.selected().is_none());
    assert_eq!(sitting.desk.lately.front(), Some(&Subject::Escalation(Arc::new(settled))));
    let expired = pb::Escalation { state: pb::EscalationState::Expired.into(), ..question("r") };
    sitting.desk.escalation(Happening::Expired(expired));
    assert!(sitting.desk.said.as_ref().unwrap().1.starts_with("Expired, counts as rejected"));
}

#[test]
fn an_answer_from_here_is_told_once_whichever_says_so_first() {
    for feed_first in [true, false] {
        let mut sitting = Sitting::asked([question("q")]);
        sitting.key(Key::Character('n'));
        let answer = sitting.desk.sending.clone().unwrap();
        let reply = Outcome::Accepted(Subject::Escalation(Arc::new(answered("q"))));
        if feed_first {
            sitting.desk.escalation(Happening::Answered(answered("q")));
            sitting.desk.replied(&answer, reply);
        } else {
            sitting.desk.replied(&answer, reply);
            sitting.desk.escalation(Happening::Answered(answered("q")));
        }
        assert_eq!(sitting.desk.lately.len(), 1);
    }
}

#[test]
fn a_feed_that_begins_anew_takes_away_what_it_does_not_name() {
    let mut sitting = Sitting::asked([question("a"), question("b")]);
    sitting.desk.escalations_connected(true);
    assert_eq!(sitting.desk.waiting().len(), 2, "it stays until the snapshot is whole");
    sitting.desk.escalation(Happening::Raised(question("b")));
    sitting.desk.escalation(Happening::Raised(question("c")));
    sitting.desk.escalation(Happening::SnapshotEnd(2));
    let left: Vec<String> = sitting.desk.waiting().iter().map(|item| item.id().to_owned()).collect();
    assert_eq!(left, ["b", "c"]);
    assert!(sitting.desk.said.as_ref().unwrap().1.starts_with("Settled while the connection was down"));
    sitting.desk.escalations_connected(false);
    sitting.desk.escalation(Happening::Heartbeat);
    assert_eq!(sitting.desk.waiting().len(), 2, "behind a cursor nothing is taken away");
}

#[test]
fn only_the_exact_phrase_lets_a_halted_command_run() {
    for typed in ["run anyway", "RUN ANYWAY", "  run anyway "] {
        let mut sitting = Sitting::halted();
        assert_eq!(Sitting::said(&sitting.types(typed)), [""; 0], "not before Enter");
        assert_eq!(Sitting::said(&sitting.types("\n")), ["RunAnyway Once h"], "{typed}");
    }
    for typed in
        ["", "run", "runanyway", "run  anyway", "run anyway!", "please run anyway", "y", "o", "a", "yes"]
    {
        let mut sitting = Sitting::halted();
        assert_eq!(Sitting::said(&sitting.types(&format!("{typed}\n"))), ["Stop Once h"], "{typed}");
    }
    let mut sitting = Sitting::halted();
    sitting.types("run anywaz");
    sitting.key(Key::Backspace);
    assert_eq!(Sitting::said(&sitting.types("y\n")), ["RunAnyway Once h"]);
    let mut sitting = Sitting::halted();
    sitting.types("run any");
    assert_eq!(Sitting::said(&sitting.key(Key::Escape)), ["Stop Once h"]);
}

#[test]
fn a_phrase_that_is_pasted_is_dropped_with_or_without_brackets() {
    let mut sitting = Sitting::halted();
    sitting.desk.pasted("run anyway\n");
    assert_eq!(sitting.desk.banner.as_ref().unwrap().dropped, Some(Dropped::Pasted));
    assert_eq!(sitting.desk.banner.as_ref().unwrap().phrase.text(), "");
    // A terminal that knows no brackets delivers it as keys, faster than anybody types.
    for character in "run anyway".chars() {
        sitting.now += Duration::from_millis(1);
        sitting.key(Key::Character(character));
    }
    sitting.now += REST;
    assert_eq!(sitting.key(Key::Enter), []);
    assert_eq!(sitting.desk.banner.as_ref().unwrap().dropped, Some(Dropped::Pasted));
    assert_eq!(Sitting::said(&sitting.types("run anyway\n")), ["RunAnyway Once h"]);
}

#[test]
fn keys_typed_before_a_banner_could_be_read_do_not_answer_it() {
    let mut sitting = Sitting::asked([question("q")]);
    sitting.key(Key::Character('c'));
    sitting.types("use npm");
    sitting.desk.halt(Happening::Raised(halt("h")));
    // The sentence goes on, over the banner: neither its letters nor its Enter count, however long it is.
    assert_eq!(sitting.types(" ci instead, please\n"), []);
    assert_eq!(sitting.types("run anyway\n"), []);
    assert_eq!(sitting.desk.banner.as_ref().unwrap().dropped, Some(Dropped::Early));
    assert_eq!(sitting.desk.banner.as_ref().unwrap().phrase.text(), "");
    sitting.rest();
    assert_eq!(Sitting::said(&sitting.types("no\n")), ["Stop Once h"]);
    let answer = sitting.desk.sending.clone().unwrap();
    let stopped = pb::AttackHalt { state: pb::AttackHaltState::Stopped.into(), ..halt("h") };
    sitting.desk.replied(&answer, Outcome::Accepted(Subject::Halt(Arc::new(stopped))));
    // The comment is there again, as it was.
    assert_eq!(sitting.desk.cover, Cover::Comment("use npm".to_owned()));
    assert_eq!(Sitting::said(&sitting.types(" ci\n")), ["Reject Once q 'use npm ci'"]);
}

#[test]
fn a_halt_in_front_has_the_keyboard_and_an_answered_one_gives_it_back_with_a_guard() {
    let mut sitting = Sitting::halted();
    assert_eq!(sitting.types("onsad"), [], "they are letters of the phrase");
    sitting.desk.halt(Happening::Withdrawn(pb::AttackHalt {
        state: pb::AttackHaltState::Withdrawn.into(),
        ..halt("h")
    }));
    assert!(sitting.desk.banner.is_none());
    assert_eq!(sitting.types("onsad"), [], "they were typed at the banner");
    sitting.rest();
    assert_eq!(Sitting::said(&sitting.types("o")), ["Approve Once q"]);
}

#[test]
fn halts_come_one_after_the_other_and_what_was_typed_for_one_is_not_taken_for_the_next() {
    let mut sitting = Sitting::halted();
    sitting.desk.halt(Happening::Raised(halt("later")));
    assert_eq!(sitting.desk.banner.as_ref().unwrap().id, "h", "the one in front stays");
    sitting.types("run anywa");
    sitting.desk.halt(Happening::Answered(pb::AttackHalt {
        state: pb::AttackHaltState::Stopped.into(),
        ..halt("h")
    }));
    assert_eq!(sitting.types("y\n"), []);
    let banner = sitting.desk.banner.as_ref().unwrap();
    assert_eq!((banner.id.as_str(), banner.phrase.text()), ("later", ""));
}

#[test]
fn an_answer_to_a_halt_that_did_not_get_through_can_only_be_sent_again() {
    let mut sitting = Sitting::halted();
    sitting.types("no\n");
    let answer = sitting.desk.sending.clone().unwrap();
    sitting.desk.replied(&answer, Outcome::Failed("no gate".to_owned()));
    sitting.rest();
    assert_eq!(Sitting::said(&sitting.types("run anyway\n")), ["Stop Once h"]);
}

#[test]
fn a_halt_that_nobody_is_asked_about_is_told_and_takes_nothing_over() {
    let mut sitting = Sitting::asked([question("q")]);
    let unattended = pb::AttackHalt { state: pb::AttackHaltState::Unattended.into(), ..halt("h") };
    assert_eq!(sitting.desk.halt(Happening::Raised(unattended)), [Deed::Ring]);
    assert!(sitting.desk.banner.is_none());
    assert!(sitting.desk.said.as_ref().unwrap().1.starts_with("Halted, nobody who may answer"));
}

#[test]
fn a_halt_rings_always_and_a_question_unless_told_otherwise() {
    for (ring_for_questions, expected) in [(true, vec![Deed::Ring]), (false, Vec::new())] {
        let mut desk = Desk::new(true, ring_for_questions);
        assert_eq!(desk.escalation(Happening::Raised(question("q"))), expected);
        assert_eq!(desk.escalation(Happening::Raised(question("q"))), [], "told again");
        assert_eq!(desk.halt(Happening::Raised(halt("h"))), [Deed::Ring]);
        assert_eq!(desk.halt(Happening::Heartbeat), []);
    }
}

#[test]
fn whoever_only_observes_answers_nothing_and_sees_halts_in_the_list() {
    let mut sitting = Sitting::with(false);
    sitting.desk.escalation(Happening::Raised(question("q")));
    sitting.desk.halt(Happening::Raised(halt("h")));
    sitting.rest();
    assert!(sitting.desk.banner.is_none());
    assert_eq!(sitting.desk.waiting().len(), 2);
    assert_eq!(sitting.types("osandc"), []);
    assert_eq!(sitting.types("jrun anyway\n"), [Deed::Retry], "r connects again");
    assert_eq!(sitting.key(Key::Leave), [Deed::Leave]);
}

#[test]
fn leaving_a_halted_run_is_asked_about_once() {
    for leave in [Key::Leave, Key::Character('q')] {
        let mut sitting = Sitting::halted();
        assert_eq!(sitting.key(leave), []);
        assert_eq!(sitting.desk.cover, Cover::Leaving);
        assert_eq!(sitting.key(Key::Enter), [], "it stays");
        assert_eq!(sitting.desk.cover, Cover::None);
        sitting.rest();
        sitting.key(leave);
        assert_eq!(sitting.key(Key::Character('y')), [Deed::Leave]);
        let mut sitting = Sitting::halted();
        sitting.key(leave);
        assert_eq!(sitting.key(Key::Leave), [Deed::Leave], "Ctrl+C twice leaves");
    }
    assert_eq!(Sitting::asked([question("q")]).types("q"), [Deed::Leave], "questions go on waiting");
}

#[test]
fn a_comment_is_typed_or_pasted_and_goes_with_a_rejection_alone() {
    let mut sitting = Sitting::asked([question("q")]);
    sitting.types("c");
    sitting.types("no: o s a ");
    sitting.desk.pasted("use\nnpm ci");
    assert_eq!(Sitting::said(&sitting.types("\n")), ["Reject Once q 'no: o s a use npm ci'"]);
    let mut sitting = Sitting::asked([question("q")]);
    sitting.types("cabc");
    assert_eq!(sitting.key(Key::Escape), []);
    assert_eq!(sitting.desk.cover, Cover::None);
    sitting.types("c");
    sitting.desk.pasted(&"é".repeat(10_000));
    let [said] = Sitting::said(&sitting.types("\n")).try_into().unwrap();
    assert_eq!(said.chars().count(), "Reject Once q ''".len() + LONGEST_COMMENT);
    let mut sitting = Sitting::asked([question("q")]);
    sitting.desk.pasted("o");
    assert_eq!(sitting.desk.sending, None);
}

#[derive(Debug, Clone)]
enum Step {
    Key(Key),
    Paste(String),
    Pass(u16),
    Draw,
    Question(u8),
    Halt(u8),
    Settle(u8),
    SettleHalt(u8),
    Reply(u8),
}

fn step() -> impl Strategy<Value = Step> {
    let key = prop_oneof![
        6 => prop::char::range(' ', '~').prop_map(Key::Character),
        4 => prop::sample::select("run anywosadcjk".chars().collect::<Vec<_>>()).prop_map(Key::Character),
        3 => prop::sample::select(vec![Key::Enter, Key::Escape, Key::Backspace, Key::Tab, Key::Up, Key::Down, Key::PageDown, Key::Leave]),
    ];
    prop_oneof![
        8 => key.prop_map(Step::Key),
        1 => prop::sample::select(vec!["run anyway", "run anyway\n", "o"]).prop_map(|text| Step::Paste(text.to_owned())),
        3 => (0_u16..1_500).prop_map(Step::Pass),
        3 => Just(Step::Draw),
        2 => (0_u8..4).prop_map(Step::Question),
        1 => (0_u8..3).prop_map(Step::Halt),
        1 => (0_u8..4).prop_map(Step::Settle),
        1 => (0_u8..3).prop_map(Step::SettleHalt),
        2 => (0_u8..3).prop_map(Step::Reply),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever is typed and whatever happens: an answer is to something open that stood in front, that was drawn, and
    /// after which nothing else came in front; a command runs only behind the phrase, typed whole for this very halt.
    #[test]
    fn nothing_is_answered_that_did_not_stand_in_front(steps in prop::collection::vec(step(), 0..120)) {
        let mut sitting = Sitting::new();
        // What was typed for the halt in front since it was drawn and left alone.
        let mut drawn: Option<String> = None;
        for step in steps {
            let banner = sitting.desk.banner.as_ref().map(|banner| banner.id.clone());
            let front = banner.clone().or_else(|| sitting.desk.selected().map(|item| item.id().to_owned()));
            let phrase = sitting.desk.banner.as_ref().map(|banner| banner.phrase.text().to_owned());
            let given = sitting.desk.banner.as_ref().and_then(|banner| banner.given);
            let deeds = match step {
                Step::Key(key) => sitting.desk.key(key, sitting.now),
                Step::Paste(text) => { sitting.desk.pasted(&text); Vec::new() }
                Step::Pass(time) => { sitting.now += Duration::from_millis(time.into()); Vec::new() }
                Step::Draw => { sitting.draw(); drawn = front.clone(); Vec::new() }
                Step::Question(id) => sitting.desk.escalation(Happening::Raised(question(&format!("q{id}")))),
                Step::Halt(id) => sitting.desk.halt(Happening::Raised(halt(&format!("h{id}")))),
                Step::Settle(id) => sitting.desk.escalation(Happening::Answered(answered(&format!("q{id}")))),
                Step::SettleHalt(id) => sitting.desk.halt(Happening::Answered(pb::AttackHalt { state: pb::AttackHaltState::Stopped.into(), ..halt(&format!("h{id}")) })),
                Step::Reply(how) => {
                    if let Some(answer) = sitting.desk.sending.clone() {
                        let outcome = match (how, &answer.target) {
                            (0, Target::Escalation(id)) => Outcome::Accepted(Subject::Escalation(Arc::new(answered(id)))),
                            (0, Target::Halt(id)) => Outcome::Accepted(Subject::Halt(Arc::new(halt(id)))),
                            (1, _) => Outcome::TooLate("late".to_owned()),
                            (_, _) => Outcome::Failed("gone".to_owned()),
                        };
                        sitting.desk.replied(&answer, outcome);
                    }
                    Vec::new()
                }
            };
            for deed in deeds {
                let Deed::Send(answer) = deed else { continue };
                match &answer.target {
                    Target::Halt(id) => {
                        prop_assert_eq!(Some(id), banner.as_ref());
                        prop_assert_eq!(Some(id), drawn.as_ref(), "it was on screen");
                        if answer.verdict == pb::Verdict::RunAnyway {
                            prop_assert!(given == Some(pb::Verdict::RunAnyway) || phrase.as_deref().is_some_and(crate::display::is_run_anyway));
                        }
                    }
                    Target::Escalation(id) => {
                        prop_assert!(banner.is_none());
                        prop_assert_eq!(Some(id), front.as_ref());
                    }
                }
            }
            if sitting.desk.banner.as_ref().map(|banner| &banner.id) != banner.as_ref() {
                drawn = None;
            }
        }
    }
}
