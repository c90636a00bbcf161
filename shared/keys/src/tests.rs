//! Tests who may make a key, and which token opens the API until when.

use async_trait::async_trait;
use pollster::block_on;
use testing::{FakeKeys, caller, stamp};

use super::*;

fn admin() -> Caller {
    let groups = vec!["knowledge-admins".into(), "ops".into()];
    Caller { groups, ..caller("ann") }
}

fn wanted() -> NewKey {
    NewKey {
        name: " nightly ingest ".into(),
        scopes: vec![KeyScope::Write, KeyScope::Write],
        groups: vec!["ops".into()],
        days: 30,
    }
}

fn made(keys: &FakeKeys) -> MadeKey {
    block_on(make(keys, &admin(), &stamp("2026-11-30T10:00:00Z"), wanted())).unwrap()
}

fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn found(keys: &dyn ApiKeys, token: &str, now: &str) -> Option<Key> {
    block_on(find(keys, token, time(now))).unwrap()
}

#[test]
fn a_key_opens_the_api_until_it_ends_and_allows_what_it_was_made_for() {
    let keys = FakeKeys::default();
    let MadeKey { key, token } = made(&keys);
    assert_eq!(key.name, "nightly ingest");
    let key = found(&keys, &token, "2026-12-30T09:59:59Z").unwrap();
    let program = super::caller(&key, "knowledge-admins");
    assert_eq!(program.sub, format!("key-{}", key.key_id));
    assert_eq!(
        (program.groups, program.scopes),
        (vec!["ops".into()], vec!["read".into(), "write".into()])
    );
    assert!(program.has_key);
    assert_eq!(found(&keys, &token, "2026-12-30T10:00:00Z"), None, "it ended");
}

#[test]
fn only_the_whole_token_opens_it_and_no_part_of_it_is_stored() {
    let keys = FakeKeys::default();
    let MadeKey { key, token } = made(&keys);
    let id = &key.key_id;
    let secret = token.strip_prefix(&format!("{PREFIX}{id}_")).unwrap();
    assert_eq!(secret.len(), 43);
    let other = made(&FakeKeys::default()).token;
    assert_ne!(token, other);
    let stored = block_on(keys.api_key(id)).unwrap().unwrap();
    assert!(!format!("{stored:?}").contains(secret));
    for wrong in [
        String::new(),
        PREFIX.into(),
        format!("{PREFIX}{id}"),
        format!("{PREFIX}{id}_"),
        format!("{PREFIX}{id}_{}", &secret[1..]),
        format!("{PREFIX}{id}_{}", stored.hash),
        format!("{PREFIX}01OTHER_{secret}"),
        format!("{id}_{secret}"),
        format!("{token} "),
        "eyJhbGciOiJub25lIn0.e30.".into(),
    ] {
        assert_eq!(found(&keys, &wrong, "2026-12-01T00:00:00Z"), None, "{wrong}");
    }
}

#[test]
fn a_revoked_key_opens_nothing_and_stays_revoked_since_the_first_time() {
    let keys = FakeKeys::default();
    let MadeKey { key, token } = made(&keys);
    let revoke_at = |now: &str| block_on(revoke(&keys, &admin(), &key.key_id, time(now))).unwrap();
    let first = revoke_at("2026-12-01T00:00:00Z").revoked_at;
    assert_eq!(first, Some(time("2026-12-01T00:00:00Z")));
    assert_eq!(revoke_at("2026-12-02T00:00:00Z").revoked_at, first);
    assert_eq!(found(&keys, &token, "2026-12-01T00:00:01Z"), None);
    let missing = block_on(revoke(&keys, &admin(), "01NONE", time("2026-12-01T00:00:00Z")));
    assert!(matches!(missing, Err(Error::Missing { .. })));
}

#[test]
fn a_use_is_noted_once_an_hour() {
    let keys = FakeKeys::default();
    let MadeKey { key, token } = made(&keys);
    let used = |now: &str| {
        found(&keys, &token, now).unwrap();
        block_on(keys.api_key(&key.key_id)).unwrap().unwrap().key.last_used_at
    };
    let first = Some(time("2026-12-01T10:00:00Z"));
    assert_eq!(used("2026-12-01T10:00:00Z"), first);
    assert_eq!(used("2026-12-01T10:59:59Z"), first);
    assert_eq!(used("2026-12-01T11:00:00Z"), Some(time("2026-12-01T11:00:00Z")));
}

#[test]
fn administrators_make_keys_of_their_own_groups_and_a_key_makes_none() {
    let keys = FakeKeys::default();
    let refused = |caller: &Caller, new: NewKey| {
        block_on(make(&keys, caller, &stamp("2026-11-30T10:00:00Z"), new)).unwrap_err()
    };
    let ops = Caller { groups: vec!["ops".into()], ..caller("bob") };
    let with_key = Caller { has_key: true, ..admin() };
    let foreign = NewKey { groups: vec!["finance".into()], ..wanted() };
    for (caller, new, group) in [
        (&ops, wanted(), "knowledge-admins"),
        (&with_key, wanted(), "knowledge-admins"),
        (&admin(), foreign, "finance"),
    ] {
        assert!(matches!(refused(caller, new), Error::Denied { group: needed } if needed == group));
    }
    assert!(block_on(list(&keys, &ops)).is_err() && block_on(list(&keys, &with_key)).is_err());
    let now = time("2026-11-30T10:00:00Z");
    assert!(matches!(block_on(revoke(&keys, &ops, "01NONE", now)), Err(Error::Denied { .. })));
    for (new, field) in [
        (NewKey { name: " ".into(), ..wanted() }, "name"),
        (NewKey { name: "n".repeat(101), ..wanted() }, "name"),
        (NewKey { days: 0, ..wanted() }, "days"),
        (NewKey { days: 367, ..wanted() }, "days"),
        (NewKey { groups: vec!["ops".into(); 21], ..wanted() }, "groups"),
    ] {
        assert!(matches!(refused(&admin(), new), Error::Invalid { field: of, .. } if of == field));
    }
    assert_eq!(block_on(list(&keys, &admin())).unwrap().keys, []);
}

#[test]
fn the_newest_key_is_listed_first_and_there_are_not_too_many() {
    let keys = FakeKeys::default();
    for hour in 0..KEYS {
        let stamp = stamp(&format!("2026-11-{:02}T{:02}:00:00Z", 1 + hour / 24, hour % 24));
        block_on(make(&keys, &admin(), &stamp, wanted())).unwrap();
    }
    let listed = block_on(list(&keys, &admin())).unwrap().keys;
    assert_eq!(listed.len(), KEYS);
    assert!(listed.is_sorted_by(|a, b| a.made_at > b.made_at));
    let more = block_on(make(&keys, &admin(), &stamp("2026-11-30T10:00:00Z"), wanted()));
    assert!(matches!(more, Err(Error::Conflict { .. })));
    let now = time("2026-11-30T10:00:00Z");
    block_on(revoke(&keys, &admin(), &listed[0].key_id, now)).unwrap();
    let more = block_on(make(&keys, &admin(), &stamp("2026-11-30T11:00:00Z"), wanted()));
    assert!(more.is_ok(), "a revoked one takes no place");
}

/// A store that can be read and takes no use.
struct ReadOnly(FakeKeys);

#[async_trait]
impl ApiKeys for ReadOnly {
    async fn add_key(&self, key: &StoredKey) -> Result<()> {
        self.0.add_key(key).await
    }

    async fn api_key(&self, id: &str) -> Result<Option<StoredKey>> {
        self.0.api_key(id).await
    }

    async fn api_keys(&self) -> Result<Vec<StoredKey>> {
        self.0.api_keys().await
    }

    async fn note_key_use(&self, _: &str, _: Timestamp) -> Result<()> {
        Err(Error::unavailable("the table", "it is away"))
    }

    async fn revoke_key(&self, id: &str, at: Timestamp) -> Result<bool> {
        self.0.revoke_key(id, at).await
    }
}

#[test]
fn a_program_is_let_in_where_its_use_cannot_be_noted() {
    let keys = FakeKeys::default();
    let token = made(&keys).token;
    assert!(found(&ReadOnly(keys), &token, "2026-12-01T00:00:00Z").is_some());
}
