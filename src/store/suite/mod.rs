//! What every store promises, as tests that any implementation runs: `store_suite!(constructor)` in its tests, where
//! the constructor returns an empty `Arc<dyn Store>` and whatever must live as long as it does.

pub(super) mod chain;
pub(super) mod changes;
pub(super) mod lists;
pub(super) mod questions;
pub(super) mod retention;

use std::collections::BTreeMap;

use super::audit::RETENTION;
use super::{
    Batch, Change, Committed, Cut, DecisionFilter, GrantRow, NewRecord, Page, Progress, QuestionRow,
    RecordHash, RequestRow, SessionRow, Status, Store, StoreError,
};

macro_rules! store_suite {
    ($constructor:path) => {
        store_suite! { @ $constructor, changes:
            a_batch_is_applied_whole_or_not_at_all
            a_conflict_leaves_its_neighbours_alone
            batches_are_applied_in_the_order_of_submission
            a_thousand_concurrent_batches_are_all_there_without_gaps
            a_limited_grant_is_used_exactly_as_often_as_it_may_be
            an_expired_or_missing_grant_cannot_be_used
            adding_a_grant_keeps_a_usable_one_and_replaces_a_spent_one
            grants_of_the_project_and_of_its_sessions_are_kept_apart
            a_denial_stays_as_it_was_first_given_until_it_is_lifted
            a_request_id_is_taken_once
            a_deleted_session_takes_what_belongs_to_it_along
            rows_of_another_project_are_refused
            each_receiver_of_notifications_keeps_its_own_place_until_it_is_forgotten
            a_closed_store_keeps_what_came_before_and_refuses_the_rest
        }
        store_suite! { @ $constructor, questions:
            the_first_answer_wins_and_the_second_learns_it
            only_one_of_many_concurrent_answers_wins
            a_question_cannot_be_answered_from_another_project
            open_questions_are_listed_oldest_first_by_project_and_session
            the_feed_shows_every_change_once_whatever_the_page
            the_feed_head_wakes_whoever_waits
            a_snapshot_and_the_feed_behind_it_are_everything_once
        }
        store_suite! { @ $constructor, lists:
            pages_of_records_hold_each_row_once
            pages_of_sessions_hold_each_row_once
            records_are_found_by_every_filter
            sessions_are_found_by_every_filter
            wildcards_in_a_search_are_letters
            a_page_of_large_rows_ends_early_but_loses_none
            too_long_a_search_text_is_refused
            open_sessions_and_questions_are_counted
        }
        store_suite! { @ $constructor, chain:
            an_untouched_chain_verifies_to_its_head
            chains_of_projects_are_independent
            a_failed_batch_leaves_no_gap_in_the_chain
            verification_reports_its_progress_and_sees_appends_meanwhile
            a_retention_that_overtakes_a_whole_verification_is_no_tampering
        }
        store_suite! { @ $constructor, retention:
            a_chain_verifies_after_retention_and_goes_on
            retention_never_drops_the_head
            records_are_dropped_with_a_record_that_says_so_or_not_at_all
            what_may_be_dropped_is_the_oldest_part_of_a_chain_without_gaps
            a_cursor_that_retention_overtook_is_told
            retention_keeps_what_still_waits
            settled_questions_and_requests_are_dropped_a_piece_at_a_time_the_oldest_first
            sessions_that_were_closed_long_ago_are_named_and_open_ones_are_not
            a_store_keeps_what_retention_believes_and_its_own_id
            room_that_was_freed_is_used_again
        }
    };
    (@ $constructor:path, $module:ident: $($name:ident)+) => {
        mod $module {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $name() {
                    let (store, _kept) = $constructor();
                    $crate::store::suite::$module::$name(store).await;
                }
            )+
        }
    };
}
pub(in crate::store) use store_suite;

pub(super) const PROJECT: &str = "shop";

pub(super) fn batch(changes: impl IntoIterator<Item = Change>) -> Batch {
    Batch { project: PROJECT.into(), changes: changes.into_iter().collect(), ..Batch::default() }
}

pub(super) fn recording(id: impl Into<String>) -> Batch {
    Batch { project: PROJECT.into(), records: vec![record(id)], ..Batch::default() }
}

pub(super) fn record(id: impl Into<String>) -> NewRecord {
    NewRecord {
        id: id.into(),
        at: 1_000,
        kind: "decision".into(),
        session: Some("s".into()),
        run: Some("r".into()),
        action: Some("APPROVE".into()),
        stage: Some("RATER".into()),
        text: "git status".into(),
        body_json: "{\"command\":\"git status\"}".into(),
    }
}

pub(super) fn session(name: &str, version: u64) -> SessionRow {
    SessionRow {
        project: PROJECT.into(),
        session: name.into(),
        version,
        opened_at: 10,
        updated_at: 20,
        closed_at: None,
        rung: "assisted".into(),
        labels: BTreeMap::new(),
        state_json: "{}".into(),
    }
}

pub(super) fn grant(session: Option<&str>, identity: &str) -> GrantRow {
    GrantRow {
        project: PROJECT.into(),
        session: session.map(str::to_owned),
        identity: identity.into(),
        entry_json: "{}".into(),
        annotations_json: None,
        scope: if session.is_some() { "session" } else { "always" }.into(),
        granted_at: 100,
        granted_by: Some("ada".into()),
        note: None,
        expires_at: None,
        max_uses: None,
        uses: 0,
        last_used_at: None,
    }
}

pub(super) fn question(id: &str) -> QuestionRow {
    QuestionRow {
        id: id.into(),
        project: PROJECT.into(),
        session: "s".into(),
        run: Some("r".into()),
        request_id: format!("request of {id}"),
        status: Status::Open,
        raised_at: 50,
        resolved_at: None,
        body_json: "{}".into(),
        answer_json: None,
    }
}

pub(super) fn request(id: &str) -> RequestRow {
    RequestRow {
        project: PROJECT.into(),
        session: "s".into(),
        request_id: id.into(),
        call_fingerprint: "f".into(),
        decision_id: "d".into(),
        response_json: "{}".into(),
        state: "decided".into(),
        updated_at: 60,
    }
}

/// Drops records up to a sequence, as retention does.
pub(super) async fn pruning(store: &dyn Store, through: u64) -> Batch {
    let filter = DecisionFilter { project: PROJECT.into(), ..DecisionFilter::default() };
    let page = Page { size: 1, after: Some(through - 1), newest_first: false };
    let last = store.decisions(filter, page).await.unwrap().rows.remove(0);
    assert_eq!(last.sequence, through);
    let mut pruning = batch([Change::PruneRecords { through }]);
    pruning.records.push(explaining(through, last.hash));
    pruning
}

/// A record that says what was dropped.
pub(super) fn explaining(through: u64, hash: RecordHash) -> NewRecord {
    let cut = Cut { through, hash: hash.to_string() };
    NewRecord {
        kind: RETENTION.into(),
        body_json: serde_json::to_string(&cut).unwrap(),
        ..record(format!("pruned through {through}"))
    }
}

pub(super) fn quiet() -> Progress {
    std::sync::Arc::new(|_, _| {})
}

/// Submits and waits.
pub(super) async fn write(store: &dyn Store, batch: Batch) -> Result<Committed, StoreError> {
    store.submit(batch).await
}
