//! The members of a project or a case, its owner, and who is invited.

use aws_sdk_dynamodb::operation::delete_item::DeleteItemError;
use aws_sdk_dynamodb::types::{ConditionCheck, Delete, Put, TransactWriteItem};
use model::Result;
use wire::projects::{Invitation, Member, Role};

use super::document::step;
use super::project::{index_key, member, member_key, text_of};
use super::write::built;
use super::{Item, Table, failed, keyed, read, text};

/// The beginning of the sort keys of invitations.
const INVITED: &str = "INVITED#";

/// The most invitations that are listed.
const MOST_INVITATIONS: u32 = 100;

fn below(partition: &str, sk: &str) -> Item {
    Item::from([("pk".into(), text(partition)), ("sk".into(), text(sk))])
}

fn invited_key(partition: &str, user: &str) -> Item {
    below(partition, &format!("{INVITED}{user}"))
}

/// The partition of the index that lists the invitations to a user.
fn invitations_of(user: &str) -> String {
    format!("{INVITED}{user}")
}

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

    /// Invites a user who is no member. Returns true if all of `steps` could be done beside it.
    pub(super) async fn invite_to(
        &self,
        partition: &str,
        user: &str,
        invitation: &Invitation,
        steps: Vec<TransactWriteItem>,
    ) -> Result<bool> {
        let item = keyed(
            index_key(invited_key(partition, user), &invitations_of(user), partition),
            invitation,
        )?;
        let put = Put::builder().table_name(&self.name).set_item(Some(item));
        let member = ConditionCheck::builder()
            .table_name(&self.name)
            .set_key(Some(below(partition, &member_key(user))))
            .condition_expression("attribute_not_exists(pk)");
        let no_member = TransactWriteItem::builder().condition_check(built(member.build())?);
        let put = TransactWriteItem::builder().put(built(put.build())?);
        let mut all = vec![put.build(), no_member.build()];
        let own = all.len();
        all.extend(steps);
        // A member stays what they are: that is no failure.
        Ok(self.transact(all).await?.is_none_or(|failed| failed < own))
    }

    /// Makes an invited user a member, where all of `steps` can be done beside it. Returns true if
    /// it is done.
    pub(super) async fn join_to(
        &self,
        partition: &str,
        user: &str,
        steps: Vec<TransactWriteItem>,
    ) -> Result<bool> {
        let invitation = Delete::builder()
            .table_name(&self.name)
            .set_key(Some(invited_key(partition, user)))
            .condition_expression("attribute_exists(pk)");
        let member = Put::builder()
            .table_name(&self.name)
            .set_item(Some(member(partition, user, Role::Member)?))
            .condition_expression("attribute_not_exists(pk)");
        let mut all = vec![
            TransactWriteItem::builder().delete(built(invitation.build())?).build(),
            TransactWriteItem::builder().put(built(member.build())?).build(),
        ];
        all.extend(steps);
        Ok(self.transact(all).await?.is_none())
    }

    /// Lists the members, and then those who are invited.
    pub(super) async fn members_of(&self, partition: &str) -> Result<Vec<Member>> {
        let members = self.all_below(partition, "MEMBER#").await?;
        let mut members: Vec<Member> = members.into_iter().map(read).collect::<Result<_>>()?;
        for item in self.all_below(partition, INVITED).await? {
            let user = text_of(&item, "sk").and_then(|sk| sk.strip_prefix(INVITED));
            members.extend(user.map(|user| Member { user: user.into(), role: Role::Invited }));
        }
        Ok(members)
    }

    /// Lists the invitations to a user.
    pub(super) async fn invitations_to(&self, user: &str) -> Result<Vec<Invitation>> {
        let query = self.index(&invitations_of(user), MOST_INVITATIONS);
        let query = query.key_condition_expression("gsi1pk = :partition");
        let page = query.send().await.map_err(failed)?;
        page.items.unwrap_or_default().into_iter().map(read).collect()
    }

    /// Lets a member go who is not the owner, or takes an invitation back. Returns true if there
    /// was one of them.
    pub(super) async fn let_go(&self, partition: &str, user: &str) -> Result<bool> {
        Ok(self.delete_member(below(partition, &member_key(user))).await?
            || self.delete_item(invited_key(partition, user)).await?)
    }

    /// Lets a member go who is not the owner. Returns true if they were one.
    async fn delete_member(&self, key: Item) -> Result<bool> {
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
