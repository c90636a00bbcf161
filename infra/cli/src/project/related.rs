//! Earlier decisions on the same.

use console::style;
use jiff::Timestamp;
use model::evidence::Strength;
use wire::decisions::{DecisionStatus, Related};

use crate::wording::{day, flat, remark, wrapped};

/// The decisions under a title, best first; nothing where there are none.
pub(crate) fn lines(title: &str, decisions: &[Related], width: usize) -> Vec<String> {
    if decisions.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![String::new(), style(title).bold().to_string()];
    for related in decisions {
        let Related { decision, status, decided_at, strength, .. } = related;
        lines.extend(head(decision, *status, *decided_at, *strength, width));
        lines.extend(remark(&related.decision_id, width));
    }
    lines
}

/// Tells what was decided, how it stands, since when, and how near it is.
pub(crate) fn head(
    decision: &str,
    status: DecisionStatus,
    decided_at: Timestamp,
    likeness: Option<Strength>,
    width: usize,
) -> Vec<String> {
    let standing = style(format!("({}, {})", status.name(), day(decided_at))).dim();
    let likeness = likeness.map(|likeness| format!("  {}", likeness.name())).unwrap_or_default();
    let text = format!("{} {standing}{likeness}", flat(decision));
    wrapped(&text, "  - ", "    ", width)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use wire::testing::reply;

    #[test]
    fn each_decision_is_told_with_how_it_stands() {
        let related = |decision: &str, status: &str, strength: &str| -> Related {
            reply(json!({
                "decision_id": "01D", "decision": decision, "status": status, "decided_at": "2019-06-01T00:00:00Z",
                "strength": strength,
            }))
        };
        let decisions = [
            related("One cluster\nfor everything", "superseded", "strong"),
            related(
                "Ingress controllers of their own for every team and namespace",
                "rejected",
                "weak",
            ),
        ];
        console::set_colors_enabled(false);
        insta::assert_snapshot!(lines("Decided before", &decisions, 60).join("\n"), @r"

        Decided before
          - One cluster for everything (superseded, 2019-06-01)
            strong
            01D
          - Ingress controllers of their own for every team and
            namespace (rejected, 2019-06-01)  weak
            01D
        ");
        assert!(lines("Decided before", &[], 60).is_empty());
    }
}
