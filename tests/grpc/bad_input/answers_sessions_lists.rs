//! The faults of answers, sessions and lists.

use super::*;

pub(super) fn answers(escalation: &str) -> Vec<Case> {
    let with = |change: &dyn Fn(&mut pb::AnswerRequest)| {
        let mut request = answering(escalation, Verdict::Approve, Scope::Once);
        change(&mut request);
        Bad::Answer(request)
    };
    let bounded = || terms(|terms| terms.max_uses = Some(1));
    let mut cases: Vec<Case> = vec![
        (INVALID, "target", with(&|request| request.target = None)),
        (INVALID, "verdict", with(&|request| request.verdict = Verdict::RunAnyway.into())),
        (INVALID, "verdict", with(&|request| request.verdict = Verdict::Stop.into())),
        (INVALID, "scope", with(&|request| request.scope = 9)),
        (LIMIT, "comment", with(&|request| request.comment = "\u{e4}".repeat(4001))),
        (INVALID, "terms", with(&|request| request.terms = bounded())),
        (INVALID, "terms", with(&|request| request.terms = Some(pb::GrantTerms::default()))),
        (
            INVALID,
            "terms",
            with(&|request| {
                request.terms = bounded();
                request.verdict = Verdict::Reject.into();
                request.scope = Scope::Session.into();
            }),
        ),
    ];
    for verdict in [Verdict::Approve, Verdict::Reject] {
        cases.push((
            INVALID,
            "verdict",
            with(&|request| {
                request.target = Some(pb::answer_request::Target::HaltId("h".to_owned()));
                request.verdict = verdict.into();
            }),
        ));
    }
    for (reason, field, terms) in bad_terms() {
        cases.push((
            reason,
            field,
            with(&|request| {
                request.scope = Scope::Session.into();
                request.terms = terms.clone();
            }),
        ));
    }
    cases
}

pub(super) fn labels(count: usize) -> std::collections::HashMap<String, String> {
    (0..count).map(|number| (format!("k{number}"), String::new())).collect()
}

pub(super) fn label(key: &str, value: &str) -> std::collections::HashMap<String, String> {
    std::collections::HashMap::from([(key.to_owned(), value.to_owned())])
}

pub(super) fn sessions() -> Vec<(&'static str, String, Bad)> {
    let mut cases: Vec<(&str, String, Bad)> = Vec::new();
    let tool = |name: &str| pb::ToolDeclaration { registered_name: name.to_owned(), ..Default::default() };
    let many: Vec<pb::ToolDeclaration> = (0..2001).map(|number| tool(&format!("t{number}"))).collect();
    let catalogues = [
        (LIMIT, "tools.tools", many),
        (INVALID, "tools.tools[0].registered_name", vec![tool("")]),
        (LIMIT, "tools.tools[1].registered_name", vec![tool("a"), tool(&long(513))]),
        (INVALID, "tools.tools[1].registered_name", vec![tool("a"), tool("a")]),
    ];
    for (reason, field, tools) in catalogues {
        cases.push((
            reason,
            field.to_owned(),
            Bad::Open(pb::OpenSessionRequest { tools: catalogue(tools.clone()), ..opening("new") }),
        ));
        cases.push((
            reason,
            field.to_owned(),
            Bad::Update(pb::UpdateSessionRequest { tools: catalogue(tools), ..changing("s") }),
        ));
    }
    let long_key = long(257);
    let many: Vec<String> = (0..257).map(|number| format!("k{number}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    for (reason, field, keys) in [
        (LIMIT, "mcp_servers.keys", many),
        (INVALID, "mcp_servers.keys[0]", vec![""]),
        (INVALID, "mcp_servers.keys[1]", vec!["a", "*"]),
        (INVALID, "mcp_servers.keys[2]", vec!["a", "b", "a"]),
        (LIMIT, "mcp_servers.keys[0]", vec![long_key.as_str()]),
    ] {
        cases.push((
            reason,
            field.to_owned(),
            Bad::Open(pb::OpenSessionRequest { mcp_servers: servers(&keys), ..opening("new") }),
        ));
        cases.push((
            reason,
            field.to_owned(),
            Bad::Update(pb::UpdateSessionRequest { mcp_servers: servers(&keys), ..changing("s") }),
        ));
    }
    for (reason, field, messages) in [
        (LIMIT, "user_messages", vec!["m".to_owned(); 51]),
        (LIMIT, "user_messages[1]", vec!["m".to_owned(), "\u{e4}".repeat(4001)]),
    ] {
        cases.push((
            reason,
            field.to_owned(),
            Bad::Open(pb::OpenSessionRequest { user_messages: messages.clone(), ..opening("new") }),
        ));
        cases.push((
            reason,
            field.to_owned(),
            Bad::Update(pb::UpdateSessionRequest { user_messages: messages, ..changing("s") }),
        ));
    }
    for (reason, field, value) in [
        (INVALID, "cwd", "relative".to_owned()),
        (LIMIT, "cwd", format!("/{}", long(4096))),
        (INVALID, "home", "relative".to_owned()),
        (LIMIT, "home", format!("/{}", long(4096))),
    ] {
        let (mut open, mut update) = (opening("new"), changing("s"));
        if field == "cwd" {
            open.cwd.clone_from(&value);
            update.cwd = Some(value);
        } else {
            open.home.clone_from(&value);
            update.home = Some(value);
        }
        cases.push((reason, field.to_owned(), Bad::Open(open)));
        cases.push((reason, field.to_owned(), Bad::Update(update)));
    }
    for rung in [6, -1] {
        cases.push((
            INVALID,
            "rung".to_owned(),
            Bad::Open(pb::OpenSessionRequest { rung, ..opening("new") }),
        ));
        cases.push((
            INVALID,
            "rung".to_owned(),
            Bad::Update(pb::UpdateSessionRequest { rung, ..changing("s") }),
        ));
    }
    for (reason, field, labels) in [
        (LIMIT, "", labels(65)),
        (INVALID, "", label("", "v")),
        (LIMIT, "", label(&long(64), "v")),
        (LIMIT, "[k]", label("k", &long(257))),
    ] {
        let set = pb::LabelChanges { set: labels.clone(), remove: Vec::new() };
        cases.push((
            reason,
            format!("labels{field}"),
            Bad::Open(pb::OpenSessionRequest { labels: labels.clone(), ..opening("new") }),
        ));
        cases.push((
            reason,
            format!("labels{field}"),
            Bad::ListSessions(pb::ListSessionsRequest { labels, ..Default::default() }),
        ));
        cases.push((
            reason,
            format!("labels.set{field}"),
            Bad::Update(pb::UpdateSessionRequest { labels: Some(set), ..changing("s") }),
        ));
    }
    let both = pb::LabelChanges { set: label("k", "v"), remove: vec!["other".to_owned(), "k".to_owned()] };
    cases.push((
        INVALID,
        "labels.remove[1]".to_owned(),
        Bad::Update(pb::UpdateSessionRequest { labels: Some(both), ..changing("s") }),
    ));
    cases.push((
        LIMIT,
        "command".to_owned(),
        Bad::Open(pb::OpenSessionRequest { command: long(129), ..opening("new") }),
    ));
    cases
}

pub(super) fn lists() -> Vec<Case> {
    let decisions = |change: &dyn Fn(&mut pb::ListDecisionsRequest)| {
        let mut request = pb::ListDecisionsRequest::default();
        change(&mut request);
        Bad::ListDecisions(request)
    };
    let verify = |noted_sequence, noted_hash: &str| {
        Bad::Verify(pb::VerifyAuditRequest {
            project: String::new(),
            noted_sequence,
            noted_hash: noted_hash.to_owned(),
        })
    };
    let at = |seconds| Some(prost_types::Timestamp { seconds, nanos: 0 });
    vec![
        (
            INVALID,
            "states[1]",
            Bad::ListSessions(pb::ListSessionsRequest { states: vec![1, 0], ..Default::default() }),
        ),
        (
            INVALID,
            "states[0]",
            Bad::ListSessions(pb::ListSessionsRequest { states: vec![9], ..Default::default() }),
        ),
        (
            INVALID,
            "page_size",
            Bad::ListSessions(pb::ListSessionsRequest { page_size: -1, ..Default::default() }),
        ),
        (
            TOKEN,
            "page_token",
            Bad::ListSessions(pb::ListSessionsRequest {
                page_token: "made up".to_owned(),
                ..Default::default()
            }),
        ),
        (INVALID, "actions[1]", decisions(&|request| request.actions = vec![1, 9])),
        (INVALID, "stages[0]", decisions(&|request| request.stages = vec![99])),
        (LIMIT, "text", decisions(&|request| request.text = long(257))),
        (INVALID, "arrived_from", decisions(&|request| request.arrived_from = at(i64::MAX))),
        (INVALID, "arrived_before", decisions(&|request| request.arrived_before = at(i64::MIN))),
        (
            INVALID,
            "arrived_before",
            decisions(&|request| (request.arrived_from, request.arrived_before) = (at(7), at(7))),
        ),
        (
            INVALID,
            "arrived_before",
            decisions(&|request| (request.arrived_from, request.arrived_before) = (at(7), at(6))),
        ),
        (INVALID, "order", decisions(&|request| request.order = 3)),
        (INVALID, "page_size", decisions(&|request| request.page_size = i32::MIN)),
        (TOKEN, "page_token", decisions(&|request| request.page_token = "made up".to_owned())),
        (TOKEN, "page_token", decisions(&|request| request.page_token = "0011223344556677.31".to_owned())),
        (INVALID, "noted_hash", verify(1, "")),
        (INVALID, "noted_hash", verify(1, &long(64))),
        (INVALID, "noted_hash", verify(1, &"A".repeat(64))),
        (INVALID, "noted_hash", verify(1, &"a".repeat(63))),
        (INVALID, "noted_sequence", verify(0, &"a".repeat(64))),
    ]
}
