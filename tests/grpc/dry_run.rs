//! `dry_run` explains, and does nothing.

use crate::support::*;
use haltgate::gate::Outcome;
use haltgate::proto::v1 as pb;
use pb::{Action, NoticeCode, Rung, Scope, Stage};

fn limited(uses: u32) -> Option<pb::GrantTerms> {
    Some(pb::GrantTerms { max_uses: Some(uses), ..pb::GrantTerms::default() })
}

/// Everything that a dry run could have changed.
async fn observed(gate: &Gate, session: &str) -> String {
    let (grants, denials) = gate.held(session).await;
    let (project, _) = gate.held("").await;
    let records = gate.records(pb::ListDecisionsRequest { page_size: 500, ..Default::default() }).await;
    let head = gate.verify().await;
    format!(
        "{:#?}",
        (
            gate.get(session).await,
            grants,
            denials,
            project,
            records.len(),
            head.head_sequence,
            head.head_hash
        )
    )
}

#[tokio::test]
async fn nothing_is_recorded_stored_counted_rated_asked_or_halted() {
    let gate = Gate::with(
        r#"{ "mode": "auto", "escalate": [{ "type": "shell", "matcher": "glob", "pattern": "git push*" }],
             "deny": [{ "type": "shell", "matcher": "glob", "pattern": "npm publish*" }] }"#,
    )
    .await;
    gate.open(opening("s")).await;
    let grant = pb::AddGrant {
        entry: Some(shell_entry("git fetch")),
        scope: Scope::Session.into(),
        terms: limited(2),
    };
    gate.manage("s", pb::manage_grants_request::Operation::Grant(grant)).await;
    gate.rater.otherwise(Outcome::Destructive);
    gate.decide(shell("s", "rm a")).await;
    let (before, asked) = (observed(&gate, "s").await, gate.rater.count());
    for command in ["git fetch", "git push", "npm publish", "rm b", "rm b", "rm b", FORBIDDEN] {
        let request = in_run("r", dry(shell("s", command)));
        let given = gate.decide(request.clone()).await;
        assert_eq!(
            (given.decision_id.as_str(), given.escalation_id.as_str(), given.halt_id.as_str()),
            ("", "", "")
        );
        assert!(given.explanation.is_some(), "{command}");
        assert!(!given.run_halted);
        let named = gate.decide(named("q", request)).await;
        assert!(!named.replayed, "a dry run remembers no request");
    }
    assert_eq!(observed(&gate, "s").await, before);
    assert_eq!(gate.rater.count(), asked);
}

#[tokio::test]
async fn no_session_is_opened_and_an_empty_one_is_explained_as_just_opened() {
    let gate = Gate::at("write").await;
    for session in ["", "never-opened"] {
        let given = gate.decide(dry(shell(session, "ls"))).await;
        assert_eq!(
            (given.action(), given.stage(), given.rung()),
            (Action::Escalate, Stage::UnratedRung, Rung::Write)
        );
    }
    let all = pb::ListSessionsRequest {
        states: vec![pb::SessionState::Open.into(), pb::SessionState::Closed.into()],
        ..Default::default()
    };
    assert!(gate.sessions(all).await.unwrap().sessions.is_empty());
    gate.try_get("", "never-opened").await.unwrap_err().expect(tonic::Code::NotFound, "SESSION_NOT_FOUND");
}

#[tokio::test]
async fn where_a_rating_would_decide_it_says_so_and_shows_what_follows_without_one() {
    for (rung, action) in [(Rung::Assisted, Action::Escalate), (Rung::Auto, Action::Reject)] {
        let gate = Gate::plain().await;
        gate.open(pb::OpenSessionRequest { rung: rung.into(), ..opening("s") }).await;
        let given = gate.decide(dry(shell("s", "ls"))).await;
        assert_eq!(given.action(), action, "{rung:?}");
        assert!(given.explanation.unwrap().rating_needed);
        assert!(given.notices.iter().any(|notice| notice.code() == NoticeCode::RatingSkipped));
        assert_eq!(gate.rater.count(), 0);
    }
}

#[tokio::test]
async fn the_explanation_shows_steps_segments_and_what_would_be_offered() {
    let gate = Gate::with(
        r#"{ "mode": "manual", "deny": [{ "type": "shell", "matcher": "glob", "pattern": "npm publish*" }] }"#,
    )
    .await;
    let text = "cd pkg && sudo npm publish";
    let given = gate.decide(dry(shell("", text))).await;
    let found = given.explanation.clone().unwrap();
    assert_eq!(given.action(), Action::Reject);
    assert_eq!(found.steps.iter().filter(|step| step.decided).count(), 1);
    let last = found.steps.last().unwrap();
    assert!(last.decided, "the steps end with the one that decided");
    assert!(last.found.contains("npm publish*"), "{last:?}");
    assert_eq!(found.canonical, "");
    assert!(!found.unresolved.is_empty());
    let spelled: Vec<&str> = found.segments.iter().map(|segment| segment.spelling.as_str()).collect();
    assert!(spelled.contains(&"cd pkg") && spelled.contains(&"npm publish"), "{spelled:?}");
    for segment in &found.segments {
        if let (Some(start), Some(end)) = (segment.start, segment.end) {
            let written = text.get(start as usize..end as usize).unwrap();
            assert!(text.contains(written) && !written.is_empty());
        }
    }
    let behind = found.segments.iter().find(|segment| segment.spelling == "npm publish").unwrap();
    assert!(behind.reached.iter().any(|reach| reach.contains("sudo")), "{behind:?}");
    assert!(found.offer.is_none(), "nobody would be asked");

    let asked = gate.decide(dry(shell("", "ls -l"))).await.explanation.unwrap();
    assert_eq!(asked.canonical, "ls -l");
    let offer = asked.offer.unwrap();
    assert_eq!(offer.approve_scopes().collect::<Vec<_>>(), [Scope::Once, Scope::Session, Scope::Always]);
    assert_eq!(offer.reject_scopes().collect::<Vec<_>>(), [Scope::Once, Scope::Session]);
    assert_eq!(
        offer.grant.unwrap().object_text,
        r#"{ "type": "shell", "matcher": "exact", "pattern": "ls -l" }"#
    );

    let unread = gate.decide(dry(shell("", "echo 'open"))).await.explanation.unwrap();
    assert!(unread.unread.is_some(), "an open quote");
    let tool = gate.decide(dry(ask("", tool_call("notify", "")))).await.explanation.unwrap();
    assert!(tool.segments.is_empty() && tool.canonical.is_empty() && tool.unresolved.is_empty());
}
