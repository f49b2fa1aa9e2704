//! From the claims of a token to a caller.
//!
//! Promises that a claim fits a text only where it is that text, or a list that holds it. Knows nothing of signatures.

use super::rejection::Rejection;
use super::token_file::is_caller_name;
use crate::access::{Caller, Via};
use crate::config::{ClaimedCaller, JwtIssuer};
use serde_json::{Map, Value};

/// The claims of a token.
pub(super) type Claims = Map<String, Value>;

/// The caller that claims stand for.
pub(super) fn caller(issuer: &JwtIssuer, claims: &Claims) -> Result<Caller, Rejection> {
    let problem = |problem: String| Rejection::Jwt { issuer: issuer.issuer.clone(), problem };
    let named = claim(claims, &issuer.name_claim).and_then(Value::as_str);
    let named = named.ok_or_else(|| problem(format!("its claim {:?} is no text", issuer.name_claim)))?;
    let name = format!("{}{named}", issuer.name_prefix);
    if named.is_empty() || !is_caller_name(&name) {
        return Err(problem(format!("its claim {:?} is no name", issuer.name_claim)));
    }
    let found = issuer.callers.iter().find(|caller| fits(caller, claims));
    let rights = match found {
        Some(caller) => &caller.rights,
        None => return Err(Rejection::Unmapped { issuer: issuer.issuer.clone(), name }),
    };
    Ok(Caller { name, role: rights.role, projects: rights.projects.clone(), via: Via::Jwt })
}

fn fits(caller: &ClaimedCaller, claims: &Claims) -> bool {
    caller.claims.iter().all(|(name, wanted)| {
        claim(claims, name).is_some_and(|value| wanted.iter().any(|wanted| holds(name, value, wanted)))
    })
}

/// A claim by its name, or, where the name begins with a slash, by its place: `/realm_access/roles`.
fn claim<'c>(claims: &'c Claims, name: &str) -> Option<&'c Value> {
    let Some(place) = name.strip_prefix('/') else { return claims.get(name) };
    let unescaped = |step: &str| step.replace("~1", "/").replace("~0", "~");
    let mut steps = place.split('/').map(unescaped);
    let first = claims.get(&steps.next()?)?;
    steps.try_fold(first, |value, step| value.as_object()?.get(&step))
}

fn holds(name: &str, value: &Value, wanted: &str) -> bool {
    match value {
        // The one claim whose text is a list, with blanks between.
        Value::String(text) if name == "scope" => text.split(' ').any(|word| word == wanted),
        Value::String(text) => text == wanted,
        Value::Bool(truth) => wanted == if *truth { "true" } else { "false" },
        Value::Number(number) => number.to_string() == wanted,
        Value::Array(items) => items.iter().any(|item| item.as_str() == Some(wanted)),
        Value::Null | Value::Object(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::Role;
    use crate::config::{Configuration, Document};
    use serde_json::json;

    fn issuer(callers: &str) -> JwtIssuer {
        let text = format!(
            r#"{{"auth": {{"jwt": [{{"issuer": "i", "audience": "a", "jwks_file": "k", "name_prefix": "staff:", "callers": {callers}}}]}}}}"#
        );
        let document = Document::parse("test", &text).unwrap();
        Configuration::of(&document).unwrap().auth().unwrap().jwt[0].clone()
    }

    fn role(callers: &str, claims: Value) -> Result<Role, Rejection> {
        caller(&issuer(callers), claims.as_object().unwrap()).map(|caller| caller.role)
    }

    #[test]
    fn the_first_caller_whose_claims_all_fit_counts_and_no_other_is_admitted() {
        let callers = r#"[
            {"claims": {"groups": ["gate-admins", "root"], "email_verified": "true"}, "role": "admin", "projects": "*"},
            {"claims": {"/realm_access/roles": "operator"}, "role": "operator", "projects": "*"},
            {"claims": {"scope": "haltgate:ask"}, "role": "agent", "projects": ["web"]},
            {"claims": {"/kubernetes.io/namespace": "ai", "/a~1b": "x"}, "role": "auditor", "projects": "*"}]"#;
        let cases = [
            (json!({"groups": ["staff", "root"], "email_verified": true}), Some(Role::Admin)),
            (json!({"groups": "gate-admins", "email_verified": "true"}), Some(Role::Admin)),
            (json!({"groups": ["root"], "email_verified": false}), None),
            (json!({"groups": ["root"]}), None),
            (json!({"groups": "root gate-admins", "email_verified": true}), None),
            (json!({"groups": [["root"]], "email_verified": true}), None),
            (json!({"realm_access": {"roles": ["operator"]}}), Some(Role::Operator)),
            (json!({"realm_access": {"roles": {"operator": true}}}), None),
            (json!({"scope": "openid haltgate:ask"}), Some(Role::Agent)),
            (json!({"scope": "openid haltgate:ask:not"}), None),
            (json!({"kubernetes.io": {"namespace": "ai"}, "a/b": "x"}), Some(Role::Auditor)),
            (json!({"kubernetes.io": {"namespace": "ai"}}), None),
            (json!({}), None),
        ];
        for (mut claims, expected) in cases {
            claims["sub"] = json!("ana");
            assert_eq!(role(callers, claims.clone()).ok(), expected, "{claims}");
        }
    }

    #[test]
    fn no_token_makes_its_holder_a_caller_without_credentials() {
        let text = r#"{"auth": {"jwt": [{"issuer": "i", "audience": "a", "jwks_file": "k",
            "callers": [{"claims": {}, "role": "agent", "projects": "*"}]}]}}"#;
        let configuration = crate::config::parse("test", text).unwrap();
        let issuer = configuration.auth().unwrap().jwt[0].clone();
        let named = |name: &str| caller(&issuer, json!({ "sub": name }).as_object().unwrap());
        assert!(named("local").is_err());
        assert_eq!(named("locals").unwrap().name, "locals");
    }

    #[test]
    fn a_caller_is_called_what_its_issuer_says_behind_the_prefix_of_the_issuer() {
        let issuer = issuer(r#"[{"claims": {}, "role": "agent", "projects": "*"}]"#);
        let named = |sub: Value| caller(&issuer, json!({ "sub": sub }).as_object().unwrap());
        assert_eq!(named(json!("ana@example.com")).unwrap().name, "staff:ana@example.com");
        for bad in [
            json!(""),
            json!(null),
            json!(7),
            json!("a\nb"),
            json!(" a "),
            json!("a\u{202e}b"),
            json!("x".repeat(200)),
        ] {
            assert!(named(bad.clone()).is_err(), "{bad}");
        }
    }
}
