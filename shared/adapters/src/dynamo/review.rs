//! Reviews of decisions: an item of its own beside each decision, deflated, so that no decision
//! grows by what happens to its sources. At most 50 sources of a thousand bytes each fit into one.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;
use model::{Error, Result};
use wire::decisions::{Decision, Review};

use super::project::{key, text_of};
use super::write::Step;
use super::{Item, SERVICE, Table, answer, keyed, read};

/// Begins the key.
const KIND: &str = "REVIEWS#";

/// Says in a decision's item that there is another one with what needs review.
const IS_MARKED: &str = "is_marked";

fn reviews(project: &str, decision: &str) -> Item {
    key(project, &format!("{KIND}{decision}"))
}

/// Returns a decision's item, without what needs review of it.
pub(super) fn decision_item(project: &str, decision: &Decision) -> Result<Item> {
    let mut item = keyed(key(project, &format!("DECISION#{}", decision.decision_id)), decision)?;
    item.remove("needs_review");
    let is_marked = !decision.needs_review.is_empty();
    item.insert(IS_MARKED.into(), AttributeValue::Bool(is_marked));
    Ok(item)
}

/// Writes what needs review of a decision, in place of what did.
pub(super) fn step(project: &str, decision: &Decision) -> Result<Step> {
    let key = reviews(project, &decision.decision_id);
    if decision.needs_review.is_empty() {
        return Ok(Step::Gone(key));
    }
    let body = serde_json::to_string(&decision.needs_review);
    let body = body.map_err(|error| Error::unavailable(SERVICE, error))?;
    let values = Item::from([(":body".into(), AttributeValue::B(answer::packed(&body)?))]);
    Ok(Step::Set { key, expression: "SET body = :body", values })
}

impl Table {
    /// Reads decisions of a project from their items, in the same order, each with what needs
    /// review of it.
    pub(super) async fn decisions_of(
        &self,
        project: &str,
        items: Vec<Item>,
    ) -> Result<Vec<Decision>> {
        let is_marked = AttributeValue::Bool(true);
        let marked = items.iter().filter(|item| item.get(IS_MARKED) == Some(&is_marked));
        let keys: Vec<Item> = marked
            .filter_map(|item| Some(reviews(project, text_of(item, "decision_id")?)))
            .collect();
        let mut decisions: Vec<Decision> = items.into_iter().map(read).collect::<Result<_>>()?;
        if keys.is_empty() {
            return Ok(decisions);
        }
        let mut found: HashMap<String, Vec<Review>> = HashMap::new();
        for item in self.batch(keys).await? {
            let id =
                text_of(&item, "sk").and_then(|key| key.strip_prefix(KIND)).unwrap_or_default();
            let body = answer::unpacked(&item)?;
            let reviews =
                serde_json::from_str(&body).map_err(|error| Error::unavailable(SERVICE, error))?;
            found.insert(id.to_owned(), reviews);
        }
        for decision in &mut decisions {
            decision.needs_review = found.remove(&decision.decision_id).unwrap_or_default();
        }
        Ok(decisions)
    }
}
