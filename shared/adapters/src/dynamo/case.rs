//! Cases and who belongs to them.

use async_trait::async_trait;
use aws_sdk_dynamodb::types::TransactWriteItem;
use jiff::Timestamp;
use model::Result;
use ports::scope::Caller;
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
    async fn case(&self, case: &str, caller: &Caller) -> Result<Option<CaseStatus>> {
        Ok(self.case_of(case, caller).await?.map(|(case, _)| case.status))
    }
}

#[async_trait]
impl Cases for Table {
    async fn create_case(&self, case: &Case, guard: Option<&Guard>) -> Result<Written> {
        self.carry_out(new(case)?.into(), guard).await
    }

    async fn case_of(&self, case: &str, caller: &Caller) -> Result<Option<(Case, Role)>> {
        both(self.batch(keys(case, caller).into()).await?, caller)
    }

    async fn cases(
        &self,
        user: &str,
        limit: u32,
        after: Option<&str>,
    ) -> Result<Page<Case, String>> {
        let start = |id: &str| key(id, &member_key(user));
        self.listed_cases(&format!("USER#{user}"), start, limit, after).await
    }

    async fn team_cases(
        &self,
        team: &str,
        limit: u32,
        after: Option<&str>,
    ) -> Result<Page<Case, String>> {
        let start = |id: &str| key(id, &team_key(team));
        self.listed_cases(&team_key(team), start, limit, after).await
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

    async fn forget_alerts(&self, case: &str) -> Result<()> {
        self.delete_alerts(case).await
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

impl Table {
    /// Lists the cases of somebody's partition of the index by id, after `after`, whose item there
    /// has the key `start`.
    async fn listed_cases(
        &self,
        of: &str,
        start: impl Fn(&str) -> Item,
        limit: u32,
        after: Option<&str>,
    ) -> Result<Page<Case, String>> {
        let start = after.map(|id| index_key(start(id), of, &partition(id)));
        let query = self.index(of, limit).set_exclusive_start_key(start);
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
}

/// Returns the steps that write a new case: its profile, and the item of the team that it belongs
/// to, or of the owner.
pub(super) fn new(case: &Case) -> Result<[Step; 2]> {
    let id = &case.case_id;
    let owner = match &case.team {
        Some(team) => index_key(key(id, &team_key(team)), &team_key(team), &partition(id)),
        None => member(&partition(id), &case.created_by, Role::Owner)?,
    };
    Ok([Step::New(keyed(key(id, PROFILE), case)?), Step::New(owner)])
}

/// The beginning of the sort keys of teams in cases.
pub(super) const TEAM: &str = "TEAM#";

/// The sort key of a team's item in a case, and the partition of the index that lists its cases,
/// until they are closed.
fn team_key(team: &str) -> String {
    format!("{TEAM}{team}")
}

/// Returns the keys of the profile and of the caller's own item.
pub(super) fn keys(case: &str, caller: &Caller) -> [Item; 2] {
    [key(case, PROFILE), key(case, &member_key(&caller.sub))]
}

/// Returns how a case stands for the caller whose [`keys`] brought `found`; `None` for a stranger.
pub(super) fn standing(found: Vec<Item>, caller: &Caller) -> Result<Option<CaseStatus>> {
    Ok(both(found, caller)?.map(|(case, _)| case.status))
}

fn both(found: Vec<Item>, caller: &Caller) -> Result<Option<(Case, Role)>> {
    let (mut case, mut role) = (None, None);
    for item in found {
        if text_of(&item, "sk") == Some(PROFILE) {
            case = Some(read::<Case>(item)?);
        } else {
            role = Some(read::<Member>(item)?.role);
        }
    }
    let team = case.as_ref().and_then(|case| case.team.as_ref());
    if team.is_some_and(|team| caller.groups.contains(team)) {
        role = Some(Role::Owner);
    }
    Ok(case.zip(role))
}

pub(super) fn partition(case: &str) -> String {
    format!("CASE#{case}")
}

pub(super) fn key(case: &str, sk: &str) -> Item {
    Item::from([("pk".into(), text(partition(case))), ("sk".into(), text(sk))])
}

pub(super) fn id_of(item: &Item) -> Option<String> {
    text_of(item, "pk")?.strip_prefix("CASE#").map(str::to_owned)
}
