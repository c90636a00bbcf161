//! The work that is pending of decisions.

use aws_sdk_dynamodb::error::SdkError;
use aws_sdk_dynamodb::operation::delete_item::DeleteItemError;
use aws_sdk_dynamodb::types::AttributeValue;
use model::Result;
use ports::{Pending, Unfinished};
use wire::decisions::Decision;

use super::project::{self, project_of, text_of};
use super::unfinished::listed;
use super::write::Step;
use super::{Item, Table, attribute, failed, text};

/// Begins the key.
const KIND: &str = "PENDING#";

/// Notes what is pending. An older change that is still pending keeps the knowledge bases that it
/// told.
pub(super) fn noted(project: &str, decision: &Decision, pending: &Pending) -> Result<Step> {
    let id = &decision.decision_id;
    let expression = "SET change = :change, scopes = list_append(if_not_exists(scopes, :none), :scopes), \
                      gsi1pk = :unfinished, gsi1sk = :place";
    let mut values = Item::from([
        (":change".into(), text(&pending.change)),
        (":scopes".into(), attribute(&pending.scopes)?),
        (":none".into(), AttributeValue::L(Vec::new())),
    ]);
    values.extend(listed(id, &pending.change));
    Ok(Step::Set { key: key(project, id), expression, values })
}

/// Notes that decisions are pending since a change, where one is told.
pub(super) fn of_change(
    project: &str,
    decisions: &[&Decision],
    change: Option<&str>,
) -> Result<Vec<Step>> {
    let Some(change) = change else { return Ok(Vec::new()) };
    let pending = Pending { change: change.into(), scopes: Vec::new() };
    decisions.iter().map(|decisions| noted(project, decisions, &pending)).collect()
}

pub(super) fn key(project: &str, decision: &str) -> Item {
    project::key(project, &format!("{KIND}{decision}"))
}

/// Returns the decision of which something is pending; `None` where the item says something else.
pub(super) fn unfinished(item: &Item) -> Option<Unfinished> {
    let decision = text_of(item, "sk")?.strip_prefix(KIND)?.to_owned();
    Some(Unfinished::Decision { project: project_of(item)?, decision })
}

impl Table {
    /// Takes the note away unless it is of a change after `change`.
    pub(super) async fn forget_pending(
        &self,
        project: &str,
        decision: &str,
        change: &str,
    ) -> Result<()> {
        let request = self.client.delete_item().table_name(&self.name);
        let request = request.set_key(Some(key(project, decision)));
        let request = request
            .condition_expression("change <= :change")
            .expression_attribute_values(":change", text(change));
        match request.send().await {
            Err(SdkError::ServiceError(error))
                if matches!(error.err(), DeleteItemError::ConditionalCheckFailedException(_)) =>
            {
                Ok(())
            }
            outcome => outcome.map(drop).map_err(failed),
        }
    }
}
