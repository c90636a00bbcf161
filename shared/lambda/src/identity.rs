//! Identifies the caller: the program whose key the gateway found good; or the subject that the
//! gateway found, and the groups and scopes that the token itself lists.
//!
//! The gateway passes a claim that is a list as `"[a b]"`, where one name with a space looks like
//! two names. Groups and scopes are therefore read from the token, whose signature the gateway has
//! checked.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use ports::scope::{Caller, GroupSettings};
use serde_json::{Map, Value};

use crate::event::Event;

/// Returns the caller; `None` if the gateway found no subject, or let an ID token pass.
pub(crate) fn caller(event: &Event, settings: &GroupSettings) -> Option<Caller> {
    if let Some(keyed) = event.request_context.keyed() {
        return keyed.caller(&settings.admins);
    }
    let claims = event.request_context.claims()?;
    let sub = subject(claims)?;
    let token = match token(event) {
        Some(token) if subject(&token) == Some(sub) => token,
        // A token of another subject says nothing about this caller.
        Some(_) => Map::from_iter([("sub".into(), sub.into())]),
        None => {
            let certain =
                |(name, claim): &(&String, &Value)| *name != &settings.claim || is_certain(claim);
            claims
                .iter()
                .filter(certain)
                .map(|(name, claim)| (name.clone(), claim.clone()))
                .collect()
        }
    };
    (!is_id_token(claims)).then(|| caller_of(&token, settings)).flatten()
}

/// Returns the caller of a token that was checked; `None` if it has no subject, or is an ID token,
/// which tells a client who signed in and opens no service.
pub fn caller_of(claims: &Map<String, Value>, settings: &GroupSettings) -> Option<Caller> {
    let sub = subject(claims).filter(|_| !is_id_token(claims))?;
    let mut groups = claims.get(&settings.claim).map(names).unwrap_or_default();
    // `scope` is a text with blanks (RFC 8693, 4.2), also in Entra's `scp`; in Okta's it is a list.
    let scopes = ["scope", "scp"].into_iter().filter_map(|name| claims.get(name)).flat_map(names);
    let scopes =
        scopes.flat_map(|text| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
    let scopes: Vec<String> = scopes.collect();
    if let Some(prefix) = &settings.scope_prefix {
        let named = scopes.iter().filter_map(|scope| scope.strip_prefix(prefix.as_str()));
        groups.extend(named.filter(|group| !group.is_empty()).map(str::to_owned));
    }
    let admin_group = settings.admins.clone();
    Some(Caller { sub: sub.into(), groups, scopes, has_key: false, admin_group })
}

fn subject(claims: &Map<String, Value>) -> Option<&str> {
    claims.get("sub")?.as_str().filter(|sub| !sub.is_empty())
}

/// Returns true for the claims of an ID token. Cognito tells the kind of a token in `token_use`,
/// Keycloak in `typ`; of others, such as Entra's, ID tokens alone have `nonce` and hashes (OpenID
/// Connect Core 1.0, 2 and 3.1.3.6).
fn is_id_token(claims: &Map<String, Value>) -> bool {
    let kind = |name: &str| claims.get(name).and_then(Value::as_str);
    match (kind("token_use"), kind("typ")) {
        (Some("access"), _) | (None, Some("Bearer")) => false,
        (Some(_), _) | (None, Some("ID")) => true,
        _ => ["nonce", "at_hash", "c_hash"].iter().any(|name| claims.contains_key(*name)),
    }
}

/// Returns the content of the token. `None` if there is no readable token, or more than one,
/// because the gateway has checked only one of them.
fn token(event: &Event) -> Option<Map<String, Value>> {
    let headers = event.headers.iter().flatten();
    let header = headers.filter(|(name, _)| name.eq_ignore_ascii_case("authorization"));
    let [(_, value)] = header.collect::<Vec<_>>()[..] else { return None };
    let token = match value.trim().split_once(' ') {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => token.trim_start(),
        _ => value.trim(),
    };
    // Several headers arrive as one, joined by commas. Two tokens have more than three parts.
    let [_, payload, _] = token.split('.').collect::<Vec<_>>()[..] else { return None };
    serde_json::from_slice(&BASE64_URL_SAFE_NO_PAD.decode(payload).ok()?).ok()
}

/// Returns true if a claim is certainly unchanged from the token: a list, or one name without a
/// mark of a flattened list.
fn is_certain(claim: &Value) -> bool {
    let is_open = |sign: char| sign.is_whitespace() || "[],".contains(sign);
    claim.as_str().is_none_or(|name| !name.contains(is_open))
}

/// Returns the names in a list, or the single name, whatever characters they contain.
fn names(claim: &Value) -> Vec<String> {
    let names = claim.as_array().map_or(std::slice::from_ref(claim), Vec::as_slice);
    let names = names.iter().filter_map(Value::as_str).filter(|name| !name.is_empty());
    names.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use serde_json::json;

    fn settings(claim: &str, admins: &str) -> GroupSettings {
        GroupSettings { claim: claim.into(), admins: admins.into(), scope_prefix: None }
    }

    #[test]
    fn a_scope_names_a_group_only_where_it_begins_as_the_deployment_says() {
        let claims = json!({"sub": "ci", "groups": ["ops"], "scope": "plumbline/read plumbline/group-keepers plumbline/group-"});
        let groups = |prefix: Option<&str>| {
            let prefix = prefix.map(str::to_owned);
            let settings = GroupSettings { scope_prefix: prefix, ..settings("groups", "keepers") };
            caller_of(claims.as_object().unwrap(), &settings).unwrap().groups
        };
        assert_eq!(groups(None), ["ops"]);
        assert_eq!(groups(Some("plumbline/group-")), ["ops", "keepers"]);
        assert_eq!(groups(Some("other/")), ["ops"]);
    }

    fn is_admin(caller: &Caller) -> bool {
        caller.groups.contains(&caller.admin_group)
    }

    fn bearer(payload: &Value) -> String {
        format!("Bearer e30.{}.c2lnbmVk", BASE64_URL_SAFE_NO_PAD.encode(payload.to_string()))
    }

    /// Returns the caller of an event with these headers and claims, with the default settings.
    fn asked(headers: &Value, claims: &Value) -> Caller {
        let event = json!({"headers": headers, "requestContext": {"authorizer": {"jwt": {"claims": claims}}}});
        let event = serde_json::from_value(event).unwrap();
        caller(&event, &settings("groups", "knowledge-admins")).unwrap()
    }

    /// Returns the caller with these groups in the token, and this flattened form from the gateway.
    fn of_token(groups: &Value, flat: &str) -> Caller {
        let token = bearer(&json!({"sub": "ann", "groups": groups}));
        asked(&json!({ "authorization": token }), &json!({"sub": "ann", "groups": flat}))
    }

    fn without_token(groups: &Value) -> Vec<String> {
        asked(&json!({}), &json!({"sub": "ann", "groups": groups})).groups
    }

    #[test]
    fn a_name_with_a_blank_is_one_group_and_makes_no_admin() {
        let caller = of_token(&json!(["EU knowledge-admins"]), "[EU knowledge-admins]");
        assert_eq!(caller.groups, ["EU knowledge-admins"]);
        assert!(!is_admin(&caller));
        let caller = of_token(&json!(["EU", "knowledge-admins"]), "[EU knowledge-admins]");
        assert!(is_admin(&caller));
    }

    #[test]
    fn a_name_with_a_comma_or_brackets_is_one_group() {
        assert_eq!(of_token(&json!(["Ops, keepers"]), "[Ops, keepers]").groups, ["Ops, keepers"]);
        assert_eq!(of_token(&json!("[a, b]"), "[a, b]").groups, ["[a, b]"]);
    }

    #[test]
    fn an_id_token_lets_nobody_in() {
        let by = |claims: Value| {
            let mut claims = claims;
            claims["sub"] = json!("ann");
            let token = bearer(&claims);
            let event = json!({"headers": {"authorization": token}, "requestContext": {"authorizer": {"jwt": {"claims": claims}}}});
            caller(&serde_json::from_value(event).unwrap(), &settings("groups", "admins"))
        };
        for claims in [
            json!({"token_use": "id"}),
            json!({"typ": "ID"}),
            json!({"nonce": "n"}),
            json!({"at_hash": "h"}),
        ] {
            assert_eq!(by(claims.clone()), None, "{claims}");
        }
        let access = [
            json!({}),
            json!({"token_use": "access"}),
            json!({"typ": "Bearer", "nonce": "early Keycloak writes it"}),
        ];
        for claims in access {
            assert!(by(claims.clone()).is_some(), "{claims}");
        }
    }

    #[test]
    fn scopes_are_words_of_a_text_or_a_list() {
        for claims in [
            json!({"scope": "openid plumbline/read"}),
            json!({"scp": "openid plumbline/read"}),
            json!({"scp": ["openid", "plumbline/read"]}),
        ] {
            let Value::Object(mut claims) = claims else { unreachable!() };
            claims.insert("sub".into(), json!("ann"));
            let caller = caller_of(&claims, &settings("groups", "admins")).unwrap();
            assert_eq!(caller.scopes, ["openid", "plumbline/read"]);
        }
    }

    #[test]
    fn what_is_no_name_is_no_group() {
        assert_eq!(of_token(&json!(["a", 7, "", null, ["b"]]), "[a 7 b]").groups, ["a"]);
        for nothing in [json!(null), json!({"a": "b"}), json!(true), json!([])] {
            assert!(of_token(&nothing, "a").groups.is_empty(), "{nothing}");
        }
    }

    #[test]
    fn the_claim_and_the_admins_are_settings() {
        let token = bearer(&json!({"sub": "ann", "groups": ["x"], "cognito:groups": ["6f1a-77"]}));
        let claims = json!({"sub": "ann", "groups": "[x]", "cognito:groups": "[6f1a-77]"});
        let event = json!({"headers": {"authorization": token}, "requestContext": {"authorizer": {"jwt": {"claims": claims}}}});
        let event: Event = serde_json::from_value(event).unwrap();
        let of = |claim, admins| caller(&event, &settings(claim, admins)).unwrap();
        assert_eq!(of("cognito:groups", "knowledge-admins").groups, ["6f1a-77"]);
        assert!(is_admin(&of("cognito:groups", "6f1a-77")));
        assert!(!is_admin(&of("cognito:groups", "knowledge-admins")));
        assert!(!is_admin(&of("groups", "6f1a-77")));
    }

    #[test]
    fn a_token_comes_with_or_without_its_scheme() {
        let claims = json!({"sub": "ann", "groups": "[a]"});
        let token = bearer(&json!({"sub": "ann", "groups": ["a"]}));
        let bare = token.trim_start_matches("Bearer ");
        for (name, value) in [
            ("Authorization", token.clone()),
            ("authorization", format!(" bearer  {bare} ")),
            ("authorization", bare.to_owned()),
        ] {
            assert_eq!(asked(&json!({ name: value }), &claims).groups, ["a"], "{name}: {value}");
        }
    }

    #[test]
    fn a_token_of_somebody_else_gives_no_groups() {
        for token in [json!({"sub": "bob", "groups": ["a"]}), json!({"groups": ["a"]})] {
            let headers = json!({ "authorization": bearer(&token) });
            assert!(asked(&headers, &json!({"sub": "ann", "groups": "a"})).groups.is_empty());
        }
    }

    #[test]
    fn of_two_tokens_none_is_read() {
        let token = bearer(&json!({"sub": "ann", "groups": ["knowledge-admins"]}));
        let other = bearer(&json!({"sub": "ann", "groups": ["a"]}));
        for headers in [
            json!({"authorization": format!("{token},{other}")}),
            json!({"authorization": format!("{other}, {token}")}),
            json!({"authorization": token, "Authorization": other}),
        ] {
            assert!(asked(&headers, &json!({"sub": "ann", "groups": "[a]"})).groups.is_empty());
        }
    }

    #[test]
    fn without_a_token_what_may_be_a_list_made_flat_is_no_group() {
        assert_eq!(without_token(&json!(["a b", "c"])), ["a b", "c"]);
        assert_eq!(without_token(&json!("a")), ["a"]);
        for flat in ["[a]", "[a b]", "a b", "a,b", "a\tb", ""] {
            assert!(without_token(&json!(flat)).is_empty(), "{flat}");
        }
        let unreadable = json!({"authorization": "Bearer e30.e30"});
        assert!(asked(&unreadable, &json!({"sub": "ann", "groups": "[a]"})).groups.is_empty());
    }

    #[test]
    fn sample_events_with_a_token_are_of_an_admin() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/events");
        let mut admins = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            if !text.contains("\"authorizer\"") {
                continue;
            }
            let event: Event = serde_json::from_str(&text).unwrap();
            let caller = caller(&event, &settings("groups", "knowledge-admins"));
            assert!(caller.is_some_and(|caller| is_admin(&caller)), "{}", path.display());
            admins += 1;
        }
        assert!(admins > 0);
    }
}
