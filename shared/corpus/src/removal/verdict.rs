//! Decides which uploads of a page may be removed, and when none of them may.

use std::collections::BTreeSet;

use jiff::{SignedDuration, Timestamp};

use model::object::{Upload, announced};

/// The age at which an upload without a record is removed. The record itself may be lost: a
/// restored table has no records of later announcements.
const AGE: SignedDuration = SignedDuration::from_hours(30 * 24);

/// The limits for uploads of a page without a record: their number, and their share, one in so
/// many. If both are exceeded, the table has lost records.
const MOST: usize = 20;
const ONE_IN: usize = 50;

/// The decision about a page.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict<'a> {
    /// These uploads are removed.
    Take(BTreeSet<&'a Upload>),
    /// No upload is removed.
    Refuse {
        /// The number of uploads without a record.
        missing: usize,
    },
}

/// Judges the uploads of a page. Each comes with a flag that is true if its document's record says
/// that it is over; `None` if there is no record. An upload with many points counts once.
pub(super) fn judge<'a>(
    uploads: impl Iterator<Item = (&'a Upload, Option<bool>)>,
    now: Timestamp,
) -> Verdict<'a> {
    let (mut all, mut over, mut missing) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for (upload, is_over) in uploads {
        all.insert(upload);
        match is_over {
            None => missing.insert(upload),
            Some(true) => over.insert(upload),
            Some(false) => false,
        };
    }
    if missing.len() > MOST && missing.len() * ONE_IN > all.len() {
        return Verdict::Refuse { missing: missing.len() };
    }
    over.extend(missing.into_iter().filter(|upload| is_old(&upload.version, now)));
    Verdict::Take(over)
}

/// Returns true if an upload without a record is old enough to be removed. A version that is not a
/// ULID has no time, and stays.
fn is_old(version: &str, now: Timestamp) -> bool {
    let since = announced(version);
    since > Timestamp::UNIX_EPOCH && since <= now - AGE
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use ports::scope::Scope;
    use ports::trail::ulid_at;
    use testing::stamp;

    const NOW: &str = "2026-11-20T18:00:00Z";

    fn before(age: SignedDuration) -> String {
        ulid_at(stamp(NOW).time - age)
    }

    /// Returns `count` uploads of the same age.
    fn uploads(count: usize, version: &str) -> Vec<Upload> {
        let upload = |number: usize| Upload {
            scope: Scope::Global,
            document_id: Uuid::from_u128(number as u128),
            version: version.into(),
        };
        (0..count).map(upload).collect()
    }

    /// Returns the number of uploads that are removed of a page on which the first ones have no
    /// record and the others are needed.
    fn taken(uploads: &[Upload], missing: usize) -> Option<usize> {
        let one = |(number, upload)| (upload, (number >= missing).then_some(false));
        match judge(uploads.iter().enumerate().map(one), stamp(NOW).time) {
            Verdict::Take(uploads) => Some(uploads.len()),
            Verdict::Refuse { missing: counted } => {
                assert_eq!(counted, missing);
                None
            }
        }
    }

    #[test]
    fn a_page_is_refused_above_twenty_missing_records_that_are_above_two_percent() {
        let old = before(AGE);
        for (of, missing, expected) in [
            (20, 20, Some(20)),
            (21, 21, None),
            (1_000, 20, Some(20)),
            (1_000, 21, None),
            (1_050, 21, Some(21)),
            (1_049, 21, None),
        ] {
            assert_eq!(taken(&uploads(of, &old), missing), expected, "{missing} of {of}");
        }
    }

    #[test]
    fn a_young_upload_without_a_record_stays_and_counts_all_the_same() {
        let young = before(AGE - SignedDuration::from_secs(1));
        assert_eq!(taken(&uploads(20, &young), 20), Some(0));
        assert_eq!(taken(&uploads(21, &young), 21), None);
    }

    #[test]
    fn an_upload_whose_version_tells_no_time_stays() {
        for version in ["", "01A", "7ZZZZZZZZZZZZZZZZZZZZZZZZZ"] {
            assert_eq!(taken(&uploads(1, version), 1), Some(0), "{version}");
        }
    }

    #[test]
    fn an_upload_with_many_points_counts_once() {
        let (uploads, now) = (uploads(1, &before(AGE)), stamp(NOW).time);
        let verdict = judge(std::iter::repeat_n((&uploads[0], None), 100), now);
        assert_eq!(verdict, Verdict::Take(BTreeSet::from([&uploads[0]])));
    }

    #[test]
    fn what_a_record_says_is_over_goes_whatever_its_age_and_however_much_it_is() {
        let uploads = uploads(30, &before(SignedDuration::from_secs(1)));
        let verdict = judge(uploads.iter().map(|upload| (upload, Some(true))), stamp(NOW).time);
        assert_eq!(verdict, Verdict::Take(uploads.iter().collect()));
    }
}
