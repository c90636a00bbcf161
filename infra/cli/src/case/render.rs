//! Cases for a person to read.

use wire::cases::{Case, CaseList, CaseReply, CaseStatus, Removed};
use wire::projects::Member;

use crate::project::member;
use crate::wording::{count, flat, listed, minute, remark, titled, wrapped};

pub(super) fn list(list: &CaseList, width: usize) -> Vec<String> {
    if list.cases.is_empty() {
        return vec!["You belong to no case; `plumbline case new` opens one.".into()];
    }
    let mut lines: Vec<String> = list.cases.iter().flat_map(|case| head(case, width)).collect();
    if list.cursor.is_some() {
        lines.extend([String::new(), "There are more; --limit shows them.".into()]);
    }
    lines
}

/// A case, and what of it is gone.
pub(super) fn case(case: &Case, width: usize) -> Vec<String> {
    lines(case, &[], width)
}

/// A case, its members, and what of it is gone.
pub(super) fn with_members(reply: &CaseReply, width: usize) -> Vec<String> {
    lines(&reply.case, &reply.members, width)
}

fn lines(case: &Case, members: &[Member], width: usize) -> Vec<String> {
    let mut lines = head(case, width);
    if !members.is_empty() {
        let members: Vec<String> = members.iter().map(member::wording).collect();
        lines.extend(wrapped(&members.join("; "), "    Members  ", "             ", width));
    }
    if case.status != CaseStatus::Open {
        let removed = case.removed.as_ref().map(removed).unwrap_or_default();
        lines.extend(wrapped(&removed, "    Gone     ", "             ", width));
    }
    lines
}

/// Its title and status, and below them its id, and who opened and closed it.
fn head(case: &Case, width: usize) -> Vec<String> {
    let mut facts = vec![
        case.case_id.clone(),
        format!("opened {} by {}", minute(case.created_at), case.created_by),
    ];
    facts.extend(case.team.iter().map(|team| format!("of the team {team}")));
    if let Some(at) = &case.closed_at {
        let by = case.closed_by.as_ref().map(|by| format!(" by {by}")).unwrap_or_default();
        facts.push(format!("closed {}{by}", minute(*at)));
    }
    let mut lines = wrapped(&titled(&flat(&case.title), case.status.name()), "", "  ", width);
    lines.extend(remark(&facts.join(", "), width));
    lines
}

/// Tells as in `3 documents, 40 passages, 3 files and 1 cached answer`.
pub(super) fn removed(removed: &Removed) -> String {
    listed(&[
        count(removed.documents, "document"),
        count(removed.points, "passage"),
        count(removed.files, "file"),
        count(removed.cached, "cached answer"),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};
    use wire::testing::reply;

    fn open() -> Value {
        json!({
            "case_id": "01C", "title": "Pump 7\nstands still", "status": "open", "created_at": "2026-11-20T14:02:03Z",
            "created_by": "ana", "members": [{"user": "ana", "role": "owner"}, {"user": "ben", "role": "member"}],
        })
    }

    #[test]
    fn an_open_case_is_shown_with_its_members() {
        console::set_colors_enabled(false);
        insta::assert_snapshot!(with_members(&reply(open()), 80).join("\n"), @r"
        Pump 7 stands still  open
            01C, opened 2026-11-20 14:02 by ana
            Members  ana (owner); ben (member)
        ");
    }

    #[test]
    fn a_closed_case_tells_what_is_gone() {
        console::set_colors_enabled(false);
        let mut closed = open();
        closed["status"] = json!("closing");
        closed["closed_at"] = json!("2026-11-21T09:00:00Z");
        closed["closed_by"] = json!("ben");
        closed["removed"] = json!({"documents": 3, "points": 40, "files": 3, "cached": 1});
        insta::assert_snapshot!(with_members(&reply(closed), 80).join("\n"), @r"
        Pump 7 stands still  closing
            01C, opened 2026-11-20 14:02 by ana, closed 2026-11-21 09:00 by ben
            Members  ana (owner); ben (member)
            Gone     3 documents, 40 passages, 3 files and 1 cached answer
        ");
    }

    #[test]
    fn cases_are_listed_in_short() {
        console::set_colors_enabled(false);
        let cases = json!({"cases": [open()], "cursor": "c"});
        insta::assert_snapshot!(list(&reply(cases), 80).join("\n"), @r"
        Pump 7 stands still  open
            01C, opened 2026-11-20 14:02 by ana

        There are more; --limit shows them.
        ");
        let none = list(&reply(json!({"cases": []})), 80);
        assert_eq!(none, ["You belong to no case; `plumbline case new` opens one."]);
    }
}
