//! What the policy leaves to agents, however many layers say so.

use super::super::AgentBounds;
use super::{errors, sound};
use crate::gate::Rung;

fn bounds(texts: &[&str], project: &str) -> AgentBounds {
    sound(texts).policy().scope(project).agents.bounds()
}

#[test]
fn nothing_is_left_to_agents_that_nobody_stated() {
    let bounds = bounds(&["{}"], "any");
    assert!(!bounds.commands.contain("review"));
    assert!(bounds.interactive, "humans may be asked");
    for rung in Rung::ALL {
        assert_eq!(bounds.loosest(rung), rung, "the policy's own");
    }
}

#[test]
fn what_a_higher_layer_states_replaces_what_stands_below_and_the_rest_stays() {
    let base =
        r#"{"agents": {"commands": ["review", "deploy"], "interactive": false, "loosest_rung": "auto"}}"#;
    let cases = [
        ("{}", ["review", "deploy"].as_slice(), false, Rung::Auto),
        (r#"{"agents": {}}"#, &["review", "deploy"], false, Rung::Auto),
        (r#"{"agents": {"commands": ["test"]}}"#, &["test"], false, Rung::Auto),
        (r#"{"agents": {"commands": []}}"#, &[], false, Rung::Auto),
        (
            r#"{"agents": {"interactive": true, "loosest_rung": "write"}}"#,
            &["review", "deploy"],
            true,
            Rung::Write,
        ),
    ];
    for (higher, commands, interactive, loosest) in cases {
        let project = format!(r#"{{"projects": {{"shop": {higher}}}}}"#);
        for texts in [[base, higher], [base, project.as_str()]] {
            let bounds = bounds(&texts, "shop");
            for name in ["review", "deploy", "test"] {
                assert_eq!(bounds.commands.contain(name), commands.contains(&name), "{texts:?} {name}");
            }
            assert_eq!(
                (bounds.interactive, bounds.loosest(Rung::Manual)),
                (interactive, loosest),
                "{texts:?}"
            );
        }
        assert_eq!(bounds(&[base, &project], "other"), bounds(&[base], "any"), "another project");
    }
    let every = bounds(&[base, r#"{"agents": {"commands": "*"}}"#], "any");
    assert!(every.commands.contain("anything"));
}

#[test]
fn what_agents_may_ask_for_is_part_of_the_revision_of_its_project_and_is_printed() {
    let plain = sound(&["{}"]);
    let opened = sound(&[r#"{"projects": {"shop": {"agents": {"loosest_rung": "bypass"}}}}"#]);
    assert_ne!(plain.project_revision("shop"), opened.project_revision("shop"));
    assert_eq!(plain.project_revision("other"), opened.project_revision("other"));
    let stated = r#"{"agents": {"commands": ["b", "a"], "interactive": false, "loosest_rung": "write"}}"#;
    let printed = sound(&[stated]).effective().to_string();
    assert!(
        printed.contains(r#""agents":{"commands":["a","b"],"interactive":false,"loosest_rung":"write"}"#),
        "{printed}"
    );
    assert_eq!(
        bounds(&[&printed], "any"),
        bounds(&[stated], "any"),
        "what is printed reads back as the same"
    );
}

#[test]
fn what_is_wrong_in_the_block_is_said_with_its_place() {
    let cases = [
        (r#"{"agents": []}"#, "1:2: agents: must be an object"),
        (r#"{"agents": {"command": ["a"]}}"#, "did you mean `commands`?"),
        (
            r#"{"agents": {"commands": "review"}}"#,
            "must be a list of commands, such as [\"review\"], or \"*\" for all",
        ),
        (r#"{"agents": {"commands": ["*"]}}"#, "stands for all commands only alone"),
        (r#"{"agents": {"commands": ["a", 1]}}"#, "agents.commands[1]: must be the name of a command, not 1"),
        (r#"{"agents": {"interactive": "yes"}}"#, "must be `true` or `false`, not \"yes\""),
        (
            r#"{"agents": {"loosest_rung": "full"}}"#,
            "must be one of \"manual\", \"write\", \"assisted\", \"auto\", \"bypass\"",
        ),
        (r#"{"projects": {"shop": {"agents": {"interactive": 1}}}}"#, "projects.shop.agents.interactive"),
    ];
    for (text, expected) in cases {
        let found = errors(text);
        assert!(found.len() == 1 && found[0].contains(expected), "{text}: {found:?}");
    }
}
