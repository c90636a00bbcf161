//! The members of a project or a case, and its owner.

use aws_sdk_dynamodb::operation::delete_item::DeleteItemError;
use aws_sdk_dynamodb::types::TransactWriteItem;
use model::Result;

use super::document::step;
use super::{Item, Table, failed, text};

impl Table {
    /// Makes a member the owner, and the owner a member, both or neither. Returns true if they were
    /// these.
    pub(super) async fn hand_over_to(&self, owner: Item, member: Item) -> Result<bool> {
        let turn = |key: Item, before: &str, after: &str| -> Result<TransactWriteItem> {
            let values =
                [(":before", before), (":after", after)].map(|(name, x)| (name.into(), text(x)));
            let update =
                self.change(key, "SET #role = :after", "#role = :before", values.into())?;
            Ok(step(update))
        };
        let steps = vec![turn(owner, "owner", "member")?, turn(member, "member", "owner")?];
        Ok(self.transact(steps).await?.is_none())
    }

    /// Lets a member go who is not the owner. Returns true if they were one.
    pub(super) async fn delete_member(&self, key: Item) -> Result<bool> {
        let request = self.client.delete_item().table_name(&self.name).set_key(Some(key));
        let request = request
            .condition_expression("#role = :member")
            .expression_attribute_names("#role", "role")
            .expression_attribute_values(":member", text("member"));
        match request.send().await {
            Ok(_) => Ok(true),
            Err(error) => match error.as_service_error() {
                Some(DeleteItemError::ConditionalCheckFailedException(_)) => Ok(false),
                _ => Err(failed(error)),
            },
        }
    }
}
