//! A failure as a document describes it, in the document's own words.

use model::document::Passage;
use model::facts::FailureReport;

mod genre;
mod kind;
mod label;
mod line;
mod list;
mod many;
mod one;
mod pick;
mod score;
mod unit;

pub(super) use many::of_entries;

/// Reads the failure report of a whole document from its passages, which are in order; `None` if it
/// reports no failure. One that tells of many failures has no part that is told of all of them.
pub(super) fn read(document: &[&Passage]) -> Option<FailureReport> {
    let is_of_many = || many::entries(document).is_some();
    genre::reports(document)
        .then(|| if is_of_many() { FailureReport::default() } else { one::read(document) })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::facts::testing::named as passages;
    use model::document::DocumentType;
    use model::facts::Fact;

    fn report_of(document: &[Passage]) -> Option<FailureReport> {
        super::read(&document.iter().collect::<Vec<_>>())
    }

    fn read(text: &str) -> FailureReport {
        report_of(&passages("postmortem.md", text)).unwrap_or_default()
    }

    fn texts(facts: &[Fact]) -> Vec<&str> {
        facts.iter().map(|fact| fact.text.as_str()).collect()
    }

    fn text(fact: Option<&Fact>) -> Option<&str> {
        fact.map(|fact| fact.text.as_str())
    }

    #[test]
    fn what_is_not_sure_to_be_the_cause_or_the_end_is_not_told() {
        let report = read(
            "The readers stopped since the spool had moved. We replaced the certificate, and the doors opened.\n",
        );
        assert_eq!((report.root_cause, report.resolution), (None, None));
    }

    #[test]
    fn headed_sections_tell_all_four_fields_with_their_place() {
        let report = read(
            "# Pump\n\n## Symptoms\n\n- Vibration of 7.6 mm/s at the drive end.\n- Smoke rose from the bearing.\n\n\
             ## Root cause\n\nThe spool pulled the pump out of line.\n\n## Contributing factors\n\n1. The trip was bridged.\n\n\
             ## Resolution\n\nThe spool was remade.\n",
        );
        assert_eq!(
            texts(&report.symptoms),
            ["Smoke rose from the bearing.", "Vibration of 7.6 mm/s at the drive end."]
        );
        assert_eq!(
            text(report.root_cause.as_ref()),
            Some("The spool pulled the pump out of line.")
        );
        assert_eq!(texts(&report.contributing_factors), ["The trip was bridged."]);
        assert_eq!(text(report.resolution.as_ref()), Some("The spool was remade."));
        assert_eq!(report.root_cause.unwrap().section.as_deref(), Some("Root cause"));
    }

    #[test]
    fn labelled_lines_and_items_are_read_without_their_labels() {
        let report = read(
            "# Incident\n\n- **Identified**: Users reported that pods were stuck in Pending.\n\n\
             - **Context**:\n  - 2023-09-18 15:12: Incident declared\n  - 15:26: The team found that new nodes had 20 GB of disk\n\n\
             - **Resolution**:\n  - The old node group was restored\n\nRoot cause: the module halved the disk.\n",
        );
        assert_eq!(texts(&report.symptoms), ["Users reported that pods were stuck in Pending."]);
        assert_eq!(text(report.root_cause.as_ref()), Some("the module halved the disk."));
        assert_eq!(text(report.resolution.as_ref()), Some("The old node group was restored"));
    }

    #[test]
    fn words_with_a_rule_below_are_a_heading_and_no_cause() {
        let report = read(
            "Pump\n====\n\nRoot cause analysis\n---\n\n### First\n\nThe spool pulled the pump out of line.\n",
        );
        assert_eq!(
            text(report.root_cause.as_ref()),
            Some("The spool pulled the pump out of line.")
        );
    }

    #[test]
    fn plain_sentences_tell_only_what_their_words_say_outright() {
        let report = read(
            "At noon the readers stopped and nobody could enter. The outage was caused by a certificate that had expired. \
             What made it worse was that the spare had the same one. The issue was resolved by replacing the certificate.\n",
        );
        assert_eq!(texts(&report.symptoms), [""; 0]);
        assert_eq!(
            text(report.root_cause.as_ref()),
            Some("The outage was caused by a certificate that had expired.")
        );
        assert_eq!(texts(&report.contributing_factors), [""; 0]);
        assert_eq!(
            text(report.resolution.as_ref()),
            Some("The issue was resolved by replacing the certificate.")
        );
    }

    #[test]
    fn rows_of_a_timeline_tell_when_and_what_ended_it() {
        let report = read(
            "# Gateway\n\n## Timeline\n\n| Time | Event |\n|---|---|\n| 13:02 | Change merged after one review |\n\
             | 13:05 | Users reported timeouts and 503 errors |\n| 13:24 | Service was restored by a roll back to the former release |\n",
        );
        assert_eq!(
            text(report.resolution.as_ref()),
            Some("Service was restored by a roll back to the former release")
        );
        assert_eq!(report.root_cause, None);
        let times: Vec<&str> = report.timeline.iter().map(|t| t.time.as_str()).collect();
        assert_eq!(times, ["13:02", "13:05", "13:24"]);
        assert_eq!(report.timeline[0].event.text, "Change merged after one review");
    }

    #[test]
    fn what_is_denied_is_neither_symptom_nor_cause_nor_resolution() {
        let report = read(
            "# Pump\n\n## Impact\n\nNo failure was observed in the backup unit. No customer data was lost. Nobody was hurt.\n\n\
             ## Excluded causes\n\nThe leak was not caused by the seal.\n\n## What we tried that did not help\n\nThe pump was restarted.\n\n\
             ## Notes\n\nThe grease was ruled out as the cause of the noise. A restart had no effect.\n",
        );
        let ruled_out = "The grease was ruled out as the cause of the noise.";
        assert_eq!(texts(&report.checked), [ruled_out]);
        let none = Vec::new;
        let rest = FailureReport { checked: none(), impact: none(), ..report };
        assert_eq!(rest, FailureReport::default());
    }

    #[test]
    fn what_was_checked_and_what_was_planned_is_listed() {
        let report = read(
            "# Hub\n\n## Timeline\n\n- 13:02 Users were logged out.\n- 13:10 We checked the session store and found it empty.\n\n\
             ## Follow-up actions\n\n- Alert on the size of the session store.\n",
        );
        assert_eq!(texts(&report.checked), ["We checked the session store and found it empty."]);
        assert_eq!(texts(&report.actions), ["Alert on the size of the session store."]);
    }

    #[test]
    fn a_timeline_has_the_times_of_items_and_of_headings() {
        let report = read(
            "# Hub\n\nNobody was told.\n\n## Impact\n\nUsers were logged out for an hour. No data was lost.\n\n## Timeline\n\n\
             - 2026-11-20 13:02 UTC: Users were logged out. They called.\n- then it was quiet\n\n### 14:10\n\nThe hub was restarted. It held.\n",
        );
        let events: Vec<(&str, &str)> =
            report.timeline.iter().map(|t| (t.time.as_str(), t.event.text.as_str())).collect();
        let expected = [
            ("2026-11-20 13:02 UTC", "Users were logged out."),
            ("14:10", "The hub was restarted."),
        ];
        assert_eq!(events, expected);
        assert_eq!(texts(&report.impact), ["Users were logged out for an hour."]);
    }

    #[test]
    fn a_section_that_was_split_is_read_from_all_its_chunks() {
        let filler =
            "The line was walked from end to end and all readings were written down. ".repeat(16);
        let document = passages(
            "postmortem.md",
            &format!(
                "# Line\n\n## Root cause\n\n{filler}\n\n{filler}\n\nThe valve stuck because its spring was too weak.\n"
            ),
        );
        let cause = report_of(&document).unwrap().root_cause.unwrap();
        assert!(document.len() > 2);
        assert!(cause.text.contains("The valve stuck because its spring was too weak."));
        assert_eq!(cause.position, document.last().unwrap().position);
    }

    #[test]
    fn what_tells_of_no_failure_gives_nothing() {
        let definitions =
            "# Terms\n\nA **root cause** is the deepest cause of a failure that can be removed.\n";
        assert_eq!(report_of(&passages("handbook.md", definitions)), None);
        let settings = passages("retry.yaml", "# errors caused by timeouts\nretry: 3\n");
        assert_eq!(report_of(&settings), None);
        assert_eq!(
            read("# Picnic\n\nWe met at ten and walked along the river.\n"),
            FailureReport::default()
        );
        assert_eq!(report_of(&[]), None);
    }

    #[test]
    fn what_may_happen_is_no_report_and_what_happened_is_one() {
        let guide = "# Pods\n\n## Symptoms\n\nIf the disk is full, pods are evicted. Users may see errors. You should free the disk.\n";
        assert_eq!(report_of(&passages("pods.md", guide)), None);
        let story = |when: &str| {
            let text = format!(
                "# Pods\n\nThe disk was full {when}, and pods were evicted. We had no alert.\n"
            );
            report_of(&passages("pods.md", &text))
        };
        for when in ["on 2026-05-03", "on 3 May", "on May 3rd", "at 12:04"] {
            assert!(story(when).is_some(), "{when}");
        }
        assert_eq!(story("of logs"), None, "what has no day may be told of any");
    }

    #[test]
    fn the_same_thing_said_twice_is_listed_once() {
        let report = read(
            "# Hub\n\n## Symptoms\n\n- Pods were stuck in Pending.\n- Pods were stuck in Pending!\n- Logs were empty.\n",
        );
        assert_eq!(report.symptoms.len(), 2);
    }

    fn line() -> impl Strategy<Value = String> {
        prop_oneof![
            "\\PC{0,40}",
            "#{1,4} (Root cause|Symptoms|Größe|Impact)",
            "\\*\\*(Cause|Résolution|Impact)\\*{0,2}:? ?[a-zé|`. ]{0,30}",
            "\\|[a-zé| :-]{0,30}\\|?",
            "[-*0-9.) >]{0,6}(it failed because|no error|“stuck”|was reverted)[ .:;|é]{0,3}",
            "```",
            "2026-11-20 18:1[0-9][:\\]\\[ é]{0,3}(error)?",
        ]
    }

    proptest! {
        #[test]
        fn every_passage_stands_verbatim_at_its_place(lines in prop::collection::vec(line(), 0..40), end in "\n{1,2}", log in any::<bool>()) {
            let mut document = passages("postmortem.md", &lines.join(&end));
            if log {
                for passage in &mut document {
                    passage.document_type = DocumentType::Log;
                }
            }
            let report = report_of(&document).unwrap_or_default();
            let facts = report.symptoms.iter().chain(&report.root_cause).chain(&report.contributing_factors).chain(&report.resolution)
                .chain(&report.impact).chain(report.timeline.iter().map(|t| &t.event));
            for fact in facts {
                let passage = &document[fact.position as usize];
                let start = fact.start as usize;
                prop_assert_eq!(&passage.text[start..start + fact.text.len()], &fact.text);
                prop_assert!(!fact.text.trim().is_empty() && fact.text.len() <= 600);
            }
            prop_assert!(report.symptoms.len() <= 8 && report.contributing_factors.len() <= 6);
        }
    }
}
