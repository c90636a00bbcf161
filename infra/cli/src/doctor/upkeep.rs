//! Troubles that show later: alarms that nobody hears, work that does not end, documents that an
//! older reader read.

use jiff::{SignedDuration, Timestamp};
use wire::documents::ReindexReply;
use wire::health::{OverdueWork, Upkeep};

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
