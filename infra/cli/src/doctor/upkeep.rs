//! Troubles that show later: alarms that nobody hears, work that does not end, documents that an
//! older reader read.

use jiff::{SignedDuration, Timestamp};
use wire::documents::ReindexReply;
use wire::health::{CallerIdentity, OverdueWork, Upkeep};
use wire::keys::{Key, KeyList};

use super::Finding;
use crate::api::Api;
use crate::reindex;
use crate::wording::count;

/// Judges the upkeep of the deployment.
pub(super) fn judge(upkeep: &Upkeep) -> Vec<Finding> {
    vec![alarms(upkeep.is_alarmed), work(upkeep.overdue)]
}

/// The time before the end of a key at which a new one is due.
const DUE: SignedDuration = SignedDuration::from_hours(14 * 24);

/// Judges the key of the index by the time until which it is good.
pub(super) fn key(end: Timestamp, now: Timestamp) -> Finding {
    let is_well = end.duration_since(now) > DUE;
    let advice = "docs/operate.md, \"Rotate the key of Qdrant\", replaces it without a gap.";
    let (ends, day) = (if end < now { "ended" } else { "ends" }, end.strftime("%-d %B %Y"));
    let text = format!("of the collection, {ends} on {day}");
    Finding { is_well, of: "key", text, advice: Some(advice).filter(|_| !is_well) }
}

/// The age of a snapshot above which the daily one did not come.
const OLD: SignedDuration = SignedDuration::from_hours(48);

/// The time after its last use for which a program relies on an API key: it may come once a month.
const USED: SignedDuration = SignedDuration::from_hours(32 * 24);

/// Judges the newest snapshot of the collection.
pub(super) fn snapshot(made: Timestamp, now: Timestamp) -> Finding {
    let is_well = now.duration_since(made) <= OLD;
    let advice = "The job that makes one every day stands still: docs/restore.md, \"Snapshots\".";
    let text = format!("the newest is of {}", made.strftime("%-d %B %Y"));
    Finding { is_well, of: "snapshots", text, advice: Some(advice).filter(|_| !is_well) }
}

/// Judges the API keys that programs rely on; for administrators.
pub(super) fn api_keys(api: &Api, caller: &CallerIdentity) -> Option<Finding> {
    if !caller.groups.contains(&caller.admin_group) {
        return None;
    }
    // A key may not list keys.
    let list = api.ask::<KeyList>("/v1/keys").ok()?.ok()?;
    Some(relied_on(&list.keys, Timestamp::now()))
}

/// A key that was used lately and ends soon, or ended, is one that a program relies on.
fn relied_on(keys: &[Key], now: Timestamp) -> Finding {
    let is_used = |key: &&Key| {
        key.revoked_at.is_none() && key.last_used_at.is_some_and(|at| now.duration_since(at) < USED)
    };
    let ending: Vec<String> = keys
        .iter()
        .filter(is_used)
        .filter(|key| key.ends_at.duration_since(now) <= DUE)
        .map(|key| {
            let ends = if key.is_good(now) { "ends" } else { "ended" };
            format!("{} {ends} on {}", key.name, key.ends_at.strftime("%-d %B %Y"))
        })
        .collect();
    let is_well = ending.is_empty();
    let text = if is_well {
        format!(
            "{} good, none of those in use ends within 14 days",
            keys.iter().filter(|key| key.is_good(now)).count()
        )
    } else {
        ending.join("; ")
    };
    let advice =
        "plumbline key new makes another one; give it to the program, then revoke this one.";
    Finding { is_well, of: "API keys", text, advice: Some(advice).filter(|_| !is_well) }
}

/// A stage for trials has no alarms, and is well.
fn alarms(is_alarmed: bool) -> Finding {
    let advice = "Where others rely on this deployment: set AlarmTopic, and deploy.";
    let text = if is_alarmed { "AlarmTopic hears them" } else { "nobody hears them" };
    let advice = Some(advice).filter(|_| !is_alarmed);
    Finding { is_well: true, of: "alarms", text: text.into(), advice }
}

fn work(overdue: Option<OverdueWork>) -> Finding {
    let well = |text: &str| Finding { is_well: true, of: "work", text: text.into(), advice: None };
    let finding =
        |is_well, text, advice| Finding { is_well, of: "work", text, advice: Some(advice) };
    match overdue {
        None => well("the table does not tell"),
        Some(OverdueWork { begun: 0, waiting: 0, .. }) => well("nothing is overdue"),
        Some(OverdueWork { missed_by_the_sweep: missed, .. }) if missed > 0 => finding(
            false,
            format!("{missed} begun more than ten days ago, and not done"),
            "The daily sweep ends or repeats such work. See whether SweepSchedule is ENABLED, and the log of the function removal.",
        ),
        Some(OverdueWork { begun: 0, waiting, .. }) => finding(
            true,
            format!(
                "{} announced more than six hours ago, and did not come",
                count(waiting, "upload")
            ),
            "Many never come. If their files were sent, the ingest stands still: docs/alarms.md, IngestWaits.",
        ),
        Some(OverdueWork { begun, .. }) => finding(
            false,
            format!("{begun} begun more than six hours ago, and not done"),
            "docs/alarms.md: MessagesFail, RemovalWaits and DeadLetters say where to look.",
        ),
    }
}

/// Counts the documents of everybody.
pub(super) fn documents(api: &Api) -> Finding {
    reindex::counted(api).map_or_else(
        |error| Finding {
            is_well: false,
            of: "documents",
            text: format!("{error:#}"),
            advice: Some("They are counted for the group of AdminGroup, with the scopes to read and to write."),
        },
        |counts| counted(&counts),
    )
}

fn counted(counts: &ReindexReply) -> Finding {
    let ReindexReply { current, outdated, waiting, failed, .. } = counts;
    let advice = match (failed, outdated) {
        (0, 0) => None,
        (0, _) => {
            Some("plumbline reindex all reads those again; answers come from them until then.")
        }
        (_, _) => Some(
            "plumbline reindex all --failed reads failed ones again, and plumbline status tells why they failed.",
        ),
    };
    let text = format!(
        "{} as they would be read now, {outdated} by older rules, {waiting} on their way, {failed} failed",
        count(*current, "document"),
    );
    Finding { is_well: *failed == 0, of: "documents", text, advice }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(waiting: u32, begun: u32, missed_by_the_sweep: u32) -> Finding {
        let overdue = Some(OverdueWork { waiting, begun, missed_by_the_sweep });
        judge(&Upkeep { is_alarmed: true, overdue }).remove(1)
    }

    #[test]
    fn work_that_does_not_end_is_told_with_who_should_have_ended_it() {
        assert_eq!(told(0, 0, 0).advice, None);
        let waits = told(1, 0, 0);
        assert!(waits.is_well && waits.text.starts_with("1 upload announced"), "{}", waits.text);
        let late = told(1, 3, 0);
        assert!(!late.is_well && late.text.starts_with("3 begun more than six hours ago"));
        for missed in [told(1, 3, 1), told(1, 0, 1)] {
            assert!(!missed.is_well && missed.advice.unwrap().contains("SweepSchedule"));
        }
        assert!(judge(&Upkeep { is_alarmed: true, overdue: None }).iter().all(|own| own.is_well));
    }

    #[test]
    fn a_key_near_its_end_is_a_fault_with_what_to_do() {
        let end: Timestamp = "2026-12-01T00:00:00Z".parse().unwrap();
        let told = |now: &str| key(end, now.parse().unwrap());
        assert!(told("2026-11-16T00:00:00Z").is_well);
        let due = told("2026-11-18T00:00:00Z");
        assert!(!due.is_well && due.advice.unwrap().contains("Rotate the key"));
        assert_eq!(due.text, "of the collection, ends on 1 December 2026");
        assert_eq!(
            told("2026-12-02T00:00:00Z").text,
            "of the collection, ended on 1 December 2026"
        );
    }

    #[test]
    fn a_snapshot_that_did_not_come_is_a_fault() {
        let made: Timestamp = "2026-11-28T03:00:00Z".parse().unwrap();
        assert!(snapshot(made, "2026-11-30T03:00:00Z".parse().unwrap()).is_well);
        let old = snapshot(made, "2026-11-30T03:00:01Z".parse().unwrap());
        assert!(!old.is_well && old.text.ends_with("28 November 2026"), "{}", old.text);
        assert!(old.advice.unwrap().contains("docs/restore.md"));
    }

    #[test]
    fn an_api_key_in_use_that_ends_soon_is_a_fault_and_one_that_nobody_uses_is_none() {
        let time = |text: &str| text.parse::<Timestamp>().unwrap();
        let key = |ends: &str, used: Option<&str>| Key {
            key_id: "01KEY".into(),
            name: "nightly".into(),
            scopes: Vec::new(),
            groups: Vec::new(),
            made_by: "ann".into(),
            made_at: time("2026-09-01T00:00:00Z"),
            ends_at: time(ends),
            last_used_at: used.map(time),
            revoked_at: None,
        };
        let now = time("2026-11-30T00:00:00Z");
        let soon = key("2026-12-07T00:00:00Z", Some("2026-11-29T00:00:00Z"));
        let ended = key("2026-11-29T12:00:00Z", Some("2026-11-29T00:00:00Z"));
        let told = relied_on(&[soon.clone(), ended], now);
        assert!(!told.is_well);
        assert_eq!(told.text, "nightly ends on 7 December 2026; nightly ended on 29 November 2026");
        let revoked = Key { revoked_at: Some(now), ..soon };
        let later = key("2027-01-07T00:00:00Z", Some("2026-11-29T00:00:00Z"));
        let unused = key("2026-12-07T00:00:00Z", None);
        let told = relied_on(&[revoked, later, unused], now);
        assert!(told.is_well && told.text.starts_with("2 good"), "{}", told.text);
    }

    #[test]
    fn alarms_that_nobody_hears_are_told_and_no_fault() {
        let upkeep = Upkeep { is_alarmed: false, overdue: None };
        let alarms = judge(&upkeep).remove(0);
        assert!(alarms.is_well && alarms.advice.unwrap().contains("AlarmTopic"));
    }

    #[test]
    fn documents_of_an_older_reader_are_told_and_failed_ones_are_a_fault() {
        let counts = |outdated, failed| ReindexReply {
            current: 7,
            outdated,
            failed,
            ..ReindexReply::default()
        };
        assert_eq!(counted(&counts(0, 0)).advice, None);
        let older = counted(&counts(2, 0));
        assert!(older.is_well && older.advice.unwrap().contains("plumbline reindex all"));
        let failed = counted(&counts(2, 1));
        assert!(!failed.is_well && failed.text.ends_with("1 failed"), "{}", failed.text);
    }
}
