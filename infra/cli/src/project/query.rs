//! The questions that were asked for a project.

use anyhow::Result;
use wire::trail::{Asked, QueryList};

use super::Listed;
use crate::api::Api;
use crate::page;
use crate::wording::{count, flat, minute, remark, titled, wrapped};

pub(super) fn list(api: &Api, is_json: bool, listed: &Listed) -> Result<()> {
    let path = format!("{}/queries", listed.named.path());
    page::print(page::list(api, &path, &[], "queries", listed.limit)?, is_json, render)
}

fn render(list: &QueryList, width: usize) -> Vec<String> {
    if list.queries.is_empty() {
        return vec!["Nothing was asked for this project yet.".into()];
    }
    let mut lines: Vec<String> =
        list.queries.iter().flat_map(|asked| asked_lines(asked, width)).collect();
    if list.cursor.is_some() {
        lines.extend([String::new(), "There are older ones; --limit shows them.".into()]);
    }
    lines
}

/// Tells when it was asked, what, and how much was found.
pub(super) fn asked_lines(asked: &Asked, width: usize) -> Vec<String> {
    let mut lines = vec![titled(&minute(asked.at), &format!("question, {}", asked.workflow))];
    lines.extend(wrapped(&flat(&asked.question), "    ", "    ", width));
    let found = match asked.results.len() {
        0 => "nothing found".into(),
        results => count(results, "result"),
    };
    lines.extend(remark(&format!("{found}, by {}, {}", asked.by, asked.query_id), width));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use wire::testing::reply;

    #[test]
    fn questions_are_told_with_how_much_was_found() {
        let asked = |question: &str, results: &[f64]| {
            let results: Vec<_> =
                results.iter().map(|score| json!({"passage_id": "c", "score": score})).collect();
            json!({"query_id": "01Q", "question": question, "workflow": "explore", "results": results, "by": "ana", "at": "2026-11-20T14:02:03Z"})
        };
        let list = json!({"queries": [asked("One cluster\nor several?", &[0.8125, 0.5]), asked("Why?", &[])]});
        console::set_colors_enabled(false);
        insta::assert_snapshot!(render(&reply(list), 72).join("\n"), @r"
        2026-11-20 14:02  question, explore
            One cluster or several?
            2 results, by ana, 01Q
        2026-11-20 14:02  question, explore
            Why?
            nothing found, by ana, 01Q
        ");
    }
}
