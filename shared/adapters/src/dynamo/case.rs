//! Cases and who belongs to them.

use async_trait::async_trait;
use aws_sdk_dynamodb::types::TransactWriteItem;
use jiff::Timestamp;
use model::Result;
use ports::trail::ulid_at;
use ports::{Cases, Guard, Members, Page, Written};
use wire::cases::{Case, CaseStatus, Removed};
use wire::projects::{Invitation, Member, Role};

use super::project::{index_key, member, member_key, text_of};
use super::unfinished::listed;
use super::write::Step;
use super::{Item, Table, attribute, failed, keyed, read, text};

pub(super) const PROFILE: &str = "PROFILE";

#[async_trait]
impl Members for Table {
    async fn case(&self, case: &str, user: &str) -> Result<Option<CaseStatus>> {
        Ok(self.case_of(case, user).await?.map(|(case, _)| case.status))
    }
}

#[async_trait]
impl Cases for Table {
    async fn create_case(&self, case: &Case, guard: Option<&Guard>) -> Result<Written> {
        let profile = keyed(key(&case.case_id, PROFILE), case)?;
        let owner = member(&partition(&case.case_id), &case.created_by, Role::Owner)?;
        self.carry_out(vec![Step::New(profile), Step::New(owner)], guard).await
    }

    async fn case_of(&self, case: &str, user: &str) -> Result<Option<(Case, Role)>> {
        both(self.batch(keys(case, user).into()).await?)
    }

    async fn cases(
        &self,
        user: &str,
        limit: u32,
        after: Option<&str>,
    ) -> Result<Page<Case, String>> {
        let member = format!("USER#{user}");
        let start = after.map(|id| index_key(key(id, &member_key(user)), &member, &partition(id)));
        let query = self.index(&member, limit).set_exclusive_start_key(start);
        let query = query
            .key_condition_expression("gsi1pk = :partition AND begins_with(gsi1sk, :kind)")
            .expression_attribute_values(":kind", text("CASE#"));
        let page = query.send().await.map_err(failed)?;
        let more = page.last_evaluated_key.is_some();
        let ids: Vec<String> = page.items.unwrap_or_default().iter().filter_map(id_of).collect();
        let next = ids.last().filter(|_| more).cloned();
        let profiles = self.batch(ids.iter().map(|id| key(id, PROFILE)).collect()).await?;
        let mut items: Vec<Case> = profiles.into_iter().map(read).collect::<Result<_>>()?;
        items.sort_by(|a, b| a.case_id.cmp(&b.case_id));
        Ok(Page { items, next })
    }

    async fn case_members(&self, case: &str) -> Result<Vec<Member>> {
        self.members_of(&partition(case)).await
    }

    async fn invite_to_case(&self, user: &str, invitation: &Invitation) -> Result<bool> {
        let case = &invitation.id;
        let is_open = TransactWriteItem::builder().condition_check(self.is_open(case)?).build();
        self.invite_to(&partition(case), user, invitation, vec![is_open]).await
    }

    async fn join_case(&self, case: &str, user: &str) -> Result<bool> {
        let is_open = TransactWriteItem::builder().condition_check(self.is_open(case)?).build();
        self.join_to(&partition(case), user, vec![is_open]).await
    }

    async fn remove_case_member(&self, case: &str, user: &str) -> Result<bool> {
        self.let_go(&partition(case), user).await
    }

    async fn hand_over_case(&self, case: &str, from: &str, to: &str) -> Result<bool> {
        let member = |user| key(case, &member_key(user));
        self.hand_over_to(member(from), member(to)).await
    }

    async fn begin_closing(&self, case: &str, by: &str, at: Timestamp) -> Result<bool> {
        let set = "SET #status = :closing, closed_at = :at, closed_by = :by, \
                   gsi1pk = :unfinished, gsi1sk = :place, removed = :none";
        let mut values = Item::from([
            (":open".into(), text(CaseStatus::Open.name())),
            (":closing".into(), text(CaseStatus::Closing.name())),
            (":at".into(), attribute(&at)?),
            (":by".into(), text(by)),
            (":none".into(), attribute(&Removed::default())?),
        ]);
        values.extend(listed(case, &ulid_at(at)));
        self.apply(self.change(key(case, PROFILE), set, "#status = :open", values)?).await
    }

    async fn case_profile(&self, case: &str) -> Result<Option<Case>> {
        self.item(key(case, PROFILE)).await?.map(read).transpose()
    }

    async fn count_removed(&self, case: &str, before: &Removed, now: &Removed) -> Result<bool> {
        let values =
            Item::from([(":before".into(), attribute(before)?), (":now".into(), attribute(now)?)]);
        let set = "SET removed = :now";
        self.apply(self.change(key(case, PROFILE), set, "removed = :before", values)?).await
    }

    async fn end_closing(&self, case: &str) -> Result<()> {
        let values = Item::from([
            (":closing".into(), text(CaseStatus::Closing.name())),
            (":closed".into(), text(CaseStatus::Closed.name())),
        ]);
        let set = "SET #status = :closed REMOVE gsi1pk, gsi1sk";
        self.apply(self.change(key(case, PROFILE), set, "#status = :closing", values)?).await?;
        Ok(())
    }
}

/// Returns the keys of the profile and of `user`'s own item.
pub(super) fn keys(case: &str, user: &str) -> [Item; 2] {
    [key(case, PROFILE), key(case, &member_key(user))]
}

/// Returns how a case stands for the user whose [`keys`] brought `found`; `None` for a stranger.
pub(super) fn standing(found: Vec<Item>) -> Result<Option<CaseStatus>> {
    Ok(both(found)?.map(|(case, _)| case.status))
}

fn both(found: Vec<Item>) -> Result<Option<(Case, Role)>> {
    let (mut case, mut role) = (None, None);
    for item in found {
        if text_of(&item, "sk") == Some(PROFILE) {
            case = Some(read(item)?);
        } else {
            role = Some(read::<Member>(item)?.role);
        }
    }
    Ok(case.zip(role))
}

fn partition(case: &str) -> String {
    format!("CASE#{case}")
}

pub(super) fn key(case: &str, sk: &str) -> Item {
    Item::from([("pk".into(), text(partition(case))), ("sk".into(), text(sk))])
}

pub(super) fn id_of(item: &Item) -> Option<String> {
    text_of(item, "pk")?.strip_prefix("CASE#").map(str::to_owned)
}
