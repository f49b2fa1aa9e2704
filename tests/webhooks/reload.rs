//! Receivers that come and go while the server runs.

use super::support::*;
use crate::gate::run_in;
use crate::server::Reply;
use serde_json::json;

#[tokio::test]
async fn receivers_come_and_go_with_the_file_and_the_others_are_not_disturbed() {
    let (first, second) = (receiver().await, receiver().await);
    let served = serve(&json!({ "first": { "url": url(&first) } }));
    raise(&served, "one");
    first.arrived(1).await;
    let both = json!({ "first": { "url": url(&first) }, "second": { "url": url(&second) } });
    write_policy(served.folder.path(), &both);
    until("the second is known", || served.log().contains("webhook=\"second\"")).await;
    raise(&served, "two");
    first.arrived(2).await;
    second.arrived(1).await;
    assert_eq!(all_said(&second), ["escalation.raised two"], "what happened before is none of its business");
    write_policy(served.folder.path(), &json!({ "second": { "url": url(&second) } }));
    until("the change is in force", || served.log().matches("the configuration changed").count() == 2).await;
    raise(&served, "three");
    second.arrived(2).await;
    assert_eq!(all_said(&first), ["escalation.raised one", "escalation.raised two"]);
}

#[tokio::test]
async fn a_receiver_whose_secret_is_not_there_is_refused_and_the_others_stay() {
    let receiver = receiver().await;
    let served = serve(&json!({ "pager": { "url": url(&receiver) } }));
    let bad = json!({
        "pager": { "url": url(&receiver) },
        "other": { "url": url(&receiver), "secret_file": "nowhere" },
        "short": { "url": url(&receiver), "secret_file": "short" },
    });
    std::fs::write(served.folder.path().join("short"), "0123456789").unwrap();
    write_policy(served.folder.path(), &bad);
    until("the change is refused", || served.log().contains("the old policy stays")).await;
    for expected in ["notifications.webhooks.other.secret_file", "cannot be read", "shorter than 16 bytes"] {
        assert!(served.log().contains(expected), "{expected}: {}", served.log());
    }
    raise(&served, "one");
    receiver.arrived(1).await;
    let folder = served.kill();
    let refused = run_in(folder.path(), &["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(refused.code, 2, "{refused:?}");
    assert!(refused.err.contains("notifications.webhooks.other.secret_file"), "{}", refused.err);
    let checked = run_in(folder.path(), &["check"]);
    assert_eq!(checked.code, 0, "{checked:?}");
    assert!(checked.out.contains("a gate would not start here"), "{}", checked.out);
}

#[tokio::test]
async fn a_receiver_that_says_it_is_gone_is_left_alone_until_its_settings_change() {
    let (gone, other) = (receiver().await, receiver().await);
    gone.otherwise(Reply::status(410));
    let settings = |timeout: &str| json!({ "gone": { "url": url(&gone), "timeout": timeout }, "other": { "url": url(&other) } });
    let served = serve(&settings("10s"));
    raise(&served, "one");
    until("the pause is logged", || served.log().contains("the receiver answered 410")).await;
    for command in ["two", "three"] {
        raise(&served, command);
    }
    other.arrived(3).await;
    assert_eq!(gone.count(), 1);
    gone.otherwise(taken());
    write_policy(served.folder.path(), &settings("11s"));
    gone.arrived(4).await;
    let told: Vec<String> = once(&gone).iter().map(said).collect();
    assert_eq!(told, ["one", "two", "three"].map(|command| format!("escalation.raised {command}")));
}
