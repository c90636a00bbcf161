//! The replies of several knowledge bases to one call.

use serde_json::{Map, Value, json};
use wire::fit::{self, Form};
use wire::problem::Problem;

use crate::text;

/// What a knowledge base replied.
pub(crate) struct Told {
    /// The knowledge base.
    pub(crate) base: String,
    pub(crate) reply: Result<Value, Problem>,
}

/// A tool's result: its text and its structured content, each within the budget.
pub(crate) struct Forms {
    pub(crate) text: String,
    pub(crate) structured: Value,
}

/// One reply in both forms.
fn one(tool: &str, reply: Value, question: &str, most: usize) -> Forms {
    let text = text::drawn(tool, &reply, question, most);
    Forms { text, structured: fit::fitted(reply, Form { explain: true, max_bytes: most }) }
}

/// The replies in both forms: those that have something first, with an equal share of the budget
/// each. What was not asked for by name (`is_named`) and has nothing is left out beside others;
/// there is at least one.
///
/// # Errors
/// The first problem, where no knowledge base replied.
pub(crate) fn all(
    tool: &str,
    mut told: Vec<Told>,
    question: &str,
    is_named: bool,
    most: usize,
) -> Result<Forms, Box<Problem>> {
    told.sort_by_key(|told| told.reply.as_ref().map_or(2, |reply| u8::from(is_empty(reply))));
    let has_one =
        told.first().is_some_and(|told| matches!(&told.reply, Ok(reply) if !is_empty(reply)));
    if !is_named && has_one {
        told.retain(|told| !matches!(&told.reply, Ok(reply) if is_empty(reply)));
    }
    if told.len() == 1 || told.iter().all(|told| told.reply.is_err()) {
        let reply = told.swap_remove(0).reply.map_err(Box::new)?;
        return Ok(one(tool, reply, question, most));
    }
    let rest = told.split_off((most / (fit::LEAST + AROUND)).clamp(1, told.len()));
    let share = ((most - AROUND) / told.len()).saturating_sub(AROUND);
    let (mut texts, mut replies) = (Vec::new(), Vec::new());
    for Told { base, reply } in told {
        match reply {
            Ok(reply) => {
                let forms = one(tool, reply, question, share);
                texts.push(format!("In {base}:\n{}", forms.text));
                replies.push(named(base, forms.structured));
            }
            Err(problem) => {
                texts.push(format!("In {base}: {}", problem.detail));
                replies.push(json!({"knowledge": base, "problem": problem.detail}));
            }
        }
    }
    let mut structured = json!({ "replies": replies });
    if !rest.is_empty() {
        let bases: Vec<String> = rest.into_iter().map(|told| told.base).collect();
        texts.push(format!("No room for: {}. Ask them alone.", bases.join(", ")));
        structured["no_room_for"] = bases.into();
    }
    Ok(Forms { text: texts.join("\n"), structured })
}

/// The bytes that a heading in the text, or the list in the structured content, takes at most
/// around a reply.
const AROUND: usize = 80;

fn named(base: String, reply: Value) -> Value {
    let mut all = Map::from_iter([("knowledge".to_owned(), Value::String(base))]);
    if let Value::Object(fields) = reply {
        all.extend(fields.into_iter().filter(|(name, _)| name != "knowledge"));
    }
    Value::Object(all)
}

/// True for an abstention without claims, a query over no records, and a list of nothing.
fn is_empty(reply: &Value) -> bool {
    let is_none = |list: &str| reply[list].as_array().is_some_and(Vec::is_empty);
    let has_no_records = reply["totals"]["of"] == 0;
    is_none("claims") && reply["abstained"].is_object() || has_no_records || is_none("documents")
}

#[cfg(test)]
mod tests {
    use wire::answer::AnswerReport;
    use wire::meta::Reply;

    use super::*;

    fn answer(text: &str) -> Value {
        let given = json!({"claims": [{"text": text, "citations": []}]});
        json!(wire::testing::reply::<Reply<AnswerReport>>(given))
    }

    fn nothing() -> Value {
        let given = json!({"abstained": {"reason": "no_evidence"}});
        json!(wire::testing::reply::<Reply<AnswerReport>>(given))
    }

    fn told(base: &str, reply: Value) -> Told {
        Told { base: base.into(), reply: Ok(reply) }
    }

    fn of(told: Vec<Told>, is_named: bool) -> Forms {
        all("answer_question", told, "why?", is_named, 2_000).unwrap()
    }

    #[test]
    fn what_answers_comes_first_and_an_unasked_base_without_an_answer_is_silent() {
        let both = of(vec![told("global", nothing()), told("user", answer("So."))], true);
        assert!(both.text.starts_with("In user:\nSo."), "{}", both.text);
        assert_eq!(both.structured["replies"][1]["knowledge"], "global");
        let one = of(vec![told("global", nothing()), told("user", answer("So."))], false);
        assert!(one.text.starts_with("So."), "{}", one.text);
    }

    #[test]
    fn a_forbidden_base_is_told_beside_the_permitted_one() {
        let problem = json!({"type": "about:blank", "title": "Forbidden", "status": 403, "code": "forbidden", "instance": "01J", "detail": "this needs the group `ops`"});
        let problem: Problem = serde_json::from_value(problem).unwrap();
        let forbidden = Told { base: "team:ops".into(), reply: Err(problem.clone()) };
        let forms = of(vec![forbidden, told("global", answer("So."))], true);
        assert!(forms.text.ends_with("In team:ops: this needs the group `ops`"), "{}", forms.text);
        let alone = Told { base: "team:ops".into(), reply: Err(problem) };
        assert!(all("answer_question", vec![alone], "why?", true, 2_000).is_err());
    }

    #[test]
    fn all_replies_together_keep_the_budget() {
        let long = || answer(&"A sentence of some words. ".repeat(200));
        let bases = ["global", "user", "case:01ARZ3NDEKTSV4RRFFQ69G5FAV", "team:ops", "team:net"];
        for most in [500, 700, 1_200, 2_000, 4_000] {
            let all = bases.map(|base| told(base, long())).into();
            let forms = super::all("answer_question", all, "why?", true, most).unwrap();
            assert!(forms.text.len() <= most, "{} of {most}: {}", forms.text.len(), forms.text);
            let bytes = forms.structured.to_string().len();
            assert!(bytes <= most, "{bytes} of {most}: {}", forms.structured);
        }
    }

    #[test]
    fn a_base_that_failed_is_told_also_where_it_was_not_asked_for_by_name() {
        let problem = json!({"type": "about:blank", "title": "Away", "status": 503, "code": "unavailable", "instance": "01J", "detail": "the index did not answer"});
        let away =
            Told { base: "user".into(), reply: Err(serde_json::from_value(problem).unwrap()) };
        let forms = of(vec![told("global", answer("So.")), away], false);
        assert!(forms.text.ends_with("In user: the index did not answer"), "{}", forms.text);
    }
}
