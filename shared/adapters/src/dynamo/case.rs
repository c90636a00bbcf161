//! Cases and who belongs to them.

use async_trait::async_trait;
use aws_sdk_dynamodb::types::{AttributeValue, Put, TransactWriteItem};
use jiff::Timestamp;
use model::{Error, Result};
use ports::trail::ulid_at;
use ports::{Cases, Guard, Members, Page, Written};
use wire::cases::{Case, CaseStatus, Removed};
use wire::projects::{Member, Role};

use super::project::{index_key, member, member_key, of, read_member, read_role};
use super::write::Step;
use super::{Item, SERVICE, Table, UNFINISHED, failed, number, text};

pub(super) const PROFILE: &str = "PROFILE";

#[async_trait]
impl Members for Table {
    async fn case(&self, case: &str, user: &str) -> Result<Option<CaseStatus>> {
        self.profile_and_member(case, user).await?.map(|(item, _)| read_status(&item)).transpose()
    }
}

#[async_trait]
impl Cases for Table {
    async fn create_case(&self, case: &Case, guard: Option<&Guard>) -> Result<Written> {
        let mut profile = key(&case.case_id, PROFILE);
        profile.insert("title".into(), text(&case.title));
        profile.insert("status".into(), text(case.status.name()));
        profile.insert("created_at".into(), text(case.created_at.to_string()));
        profile.insert("created_by".into(), text(&case.created_by));
        let owner = member(&partition(&case.case_id), &case.created_by, Role::Owner);
        self.carry_out(vec![Step::New(profile), Step::New(owner)], guard).await
    }

    async fn case_of(&self, case: &str, user: &str) -> Result<Option<(Case, Role)>> {
        let found = self.profile_and_member(case, user).await?;
        found.map(|(profile, member)| Ok((read(&profile)?, read_role(&member)))).transpose()
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
        let mut items: Vec<Case> = profiles.iter().map(read).collect::<Result<_>>()?;
        items.sort_by(|a, b| a.case_id.cmp(&b.case_id));
        Ok(Page { items, next })
    }

    async fn case_members(&self, case: &str) -> Result<Vec<Member>> {
        let items = self.all_below(&partition(case), "MEMBER#").await?;
        Ok(items.iter().filter_map(read_member).collect())
    }

    async fn admit_to_case(&self, case: &str, user: &str) -> Result<bool> {
        let put = Put::builder()
            .table_name(&self.name)
            .set_item(Some(member(&partition(case), user, Role::Member)))
            .condition_expression("attribute_not_exists(pk)");
        let put = put.build().map_err(|error| Error::unavailable(SERVICE, error))?;
        let steps = vec![
            TransactWriteItem::builder().put(put).build(),
            TransactWriteItem::builder().condition_check(self.is_open(case)?).build(),
        ];
        let last = steps.len() - 1;
        // Who belongs to it already stays what they are: that is no failure.
        Ok(self.transact(steps).await? != Some(last))
    }

    async fn remove_case_member(&self, case: &str, user: &str) -> Result<bool> {
        self.delete_member(key(case, &member_key(user))).await
    }

    async fn hand_over_case(&self, case: &str, from: &str, to: &str) -> Result<bool> {
        self.hand_over_to([from, to].map(|user| key(case, &member_key(user)))).await
    }

    async fn begin_closing(&self, case: &str, by: &str, at: Timestamp) -> Result<bool> {
        let set = "SET #status = :closing, closed_at = :at, closed_by = :by, gsi1pk = :unfinished, gsi1sk = :place, \
                   removed_documents = :none, removed_points = :none, removed_files = :none, removed_cached = :none";
        let values = Item::from([
            (":open".into(), text(CaseStatus::Open.name())),
            (":closing".into(), text(CaseStatus::Closing.name())),
            (":at".into(), text(at.to_string())),
            (":by".into(), text(by)),
            (":unfinished".into(), text(UNFINISHED)),
            (":place".into(), text(format!("{}#{case}", ulid_at(at)))),
            (":none".into(), number(0)),
        ]);
        self.apply(self.change(key(case, PROFILE), set, "#status = :open", values)?).await
    }

    async fn case_profile(&self, case: &str) -> Result<Option<Case>> {
        self.item(key(case, PROFILE)).await?.map(|item| read(&item)).transpose()
    }

    async fn count_removed(&self, case: &str, before: &Removed, now: &Removed) -> Result<bool> {
        let fields = ["documents", "points", "files", "cached"];
        let set = fields.map(|field| format!("removed_{field} = :{field}"));
        let condition = fields.map(|field| format!("removed_{field} = :{field}_before"));
        let mut values = Item::new();
        for (removed, suffix) in [(now, ""), (before, "_before")] {
            let counts = [removed.documents, removed.points, removed.files, removed.cached];
            for (field, count) in fields.into_iter().zip(counts) {
                values.insert(format!(":{field}{suffix}"), number(count));
            }
        }
        let (set, condition) = (format!("SET {}", set.join(", ")), condition.join(" AND "));
        self.apply(self.change(key(case, PROFILE), &set, &condition, values)?).await
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
    /// The profile's item and `user`'s own, in one read.
    async fn profile_and_member(&self, case: &str, user: &str) -> Result<Option<(Item, Item)>> {
        Ok(both(self.batch(keys(case, user).into()).await?))
    }
}

/// The keys of the profile and of `user`'s own item.
pub(super) fn keys(case: &str, user: &str) -> [Item; 2] {
    [key(case, PROFILE), key(case, &member_key(user))]
}

/// How a case stands for the user whose [`keys`] brought `found`; `None` for a stranger.
pub(super) fn standing(found: Vec<Item>) -> Result<Option<CaseStatus>> {
    both(found).map(|(profile, _)| read_status(&profile)).transpose()
}

fn both(found: Vec<Item>) -> Option<(Item, Item)> {
    let (profiles, members): (Vec<Item>, Vec<Item>) =
        found.into_iter().partition(|item| of(item, "sk") == Some(PROFILE));
    profiles.into_iter().next().zip(members.into_iter().next())
}

fn partition(case: &str) -> String {
    format!("CASE#{case}")
}

pub(super) fn key(case: &str, sk: &str) -> Item {
    Item::from([("pk".into(), text(partition(case))), ("sk".into(), text(sk))])
}

pub(super) fn id_of(item: &Item) -> Option<String> {
    of(item, "pk")?.strip_prefix("CASE#").map(str::to_owned)
}

fn read_status(item: &Item) -> Result<CaseStatus> {
    of(item, "status").and_then(CaseStatus::parse).ok_or_else(|| odd("status"))
}

fn read(item: &Item) -> Result<Case> {
    let field = |name: &'static str| of(item, name).ok_or_else(|| odd(name));
    let time = |name: &'static str| field(name)?.parse().map_err(|_| odd(name));
    let status = read_status(item)?;
    Ok(Case {
        case_id: id_of(item).ok_or_else(|| odd("pk"))?,
        title: field("title")?.into(),
        status,
        created_at: time("created_at")?,
        created_by: field("created_by")?.into(),
        closed_at: of(item, "closed_at").map(|_| time("closed_at")).transpose()?,
        closed_by: of(item, "closed_by").map(str::to_owned),
        removed: (status != CaseStatus::Open).then(|| removed(item)),
    })
}

fn removed(item: &Item) -> Removed {
    let count = |name: &str| {
        let count = item.get(name).and_then(|count: &AttributeValue| count.as_n().ok());
        count.and_then(|count| count.parse().ok()).unwrap_or_default()
    };
    Removed {
        documents: count("removed_documents"),
        points: count("removed_points"),
        files: count("removed_files"),
        cached: count("removed_cached"),
    }
}

fn odd(field: &str) -> Error {
    Error::unavailable(SERVICE, format!("a case whose `{field}` cannot be read"))
}
