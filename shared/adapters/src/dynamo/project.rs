//! Profiles, members, and requests that were carried out already.

use async_trait::async_trait;
use aws_sdk_dynamodb::types::{AttributeValue, KeysAndAttributes};
use jiff::Timestamp;
use model::{Error, Result};
use ports::{Guard, Kept, Page, Profiles, Projects, Requests, Written};
use serde::Deserialize;
use wire::projects::{Invitation, Member, Project, Role};

use super::write::{self, Step, built, wait};
use super::{Item, SERVICE, Table, attribute, failed, keyed, number, read, text};

/// The partition of projects that are planning or active.
const ACTIVE: &str = "ACTIVE";

/// The most keys of one `BatchGetItem`.
const BATCH: usize = 100;

/// The most times that a batch is asked for what it left out.
const PATIENCE: u32 = 5;

impl Table {
    /// Reads items by their keys, in no order; those that are not there are left out.
    pub(super) async fn batch(&self, keys: Vec<Item>) -> Result<Vec<Item>> {
        let mut found = Vec::new();
        for keys in keys.chunks(BATCH) {
            let mut keys = keys.to_vec();
            for attempt in 1..=PATIENCE {
                let wanted =
                    KeysAndAttributes::builder().set_keys(Some(keys)).consistent_read(true);
                let request = self.client.batch_get_item();
                let request = request.request_items(&self.name, built(wanted.build())?);
                let got = request.send().await.map_err(failed)?;
                found.extend(got.responses.unwrap_or_default().into_values().flatten());
                let left = got.unprocessed_keys.unwrap_or_default().remove(&self.name);
                keys = left.map(|left| left.keys).unwrap_or_default();
                if keys.is_empty() {
                    break;
                }
                wait(attempt).await;
            }
            if !keys.is_empty() {
                return Err(Error::unavailable(SERVICE, "it left out keys again and again"));
            }
        }
        Ok(found)
    }
}

#[async_trait]
impl Profiles for Table {
    async fn project(&self, project: &str, user: &str) -> Result<Option<(Project, Role)>> {
        let keys = vec![key(project, "PROFILE"), key(project, &member_key(user))];
        let (mut profile, mut role) = (None, None);
        for item in self.batch(keys).await? {
            if text_of(&item, "sk") == Some("PROFILE") {
                profile = Some(read_profile(item)?);
            } else {
                role = Some(read::<Member>(item)?.role);
            }
        }
        Ok(profile.zip(role))
    }
}

#[async_trait]
impl Projects for Table {
    async fn profile(&self, project: &str) -> Result<Option<Project>> {
        self.item(key(project, "PROFILE")).await?.map(read_profile).transpose()
    }

    async fn create(
        &self,
        project: &Project,
        owner: &str,
        guard: Option<&Guard>,
    ) -> Result<Written> {
        let id = &project.project_id;
        let mut profile = key(id, "PROFILE");
        profile.insert("project".into(), without_reviews(project)?);
        profile.insert("version".into(), number(project.version));
        profile.insert("gsi1pk".into(), text(ACTIVE));
        profile.insert("gsi1sk".into(), text(partition(id)));
        let owner = member(&partition(id), owner, Role::Owner)?;
        let steps = vec![Step::New(profile), Step::New(owner)];
        self.carry_out(steps, guard).await
    }

    async fn update(&self, project: &Project) -> Result<Written> {
        let id = &project.project_id;
        let set = "SET #project = :project, version = :version";
        let values = Item::from([
            (":project".into(), without_reviews(project)?),
            (":version".into(), number(project.version)),
            (":before".into(), number(project.version - 1)),
        ]);
        let update = self.change(key(id, "PROFILE"), set, "version = :before", values)?;
        Ok(if self.apply(update).await? { Written::Done } else { Written::Stale })
    }

    async fn projects(
        &self,
        user: &str,
        limit: u32,
        after: Option<&str>,
    ) -> Result<Page<Project, String>> {
        let member = format!("USER#{user}");
        let start = after.map(|id| index_key(key(id, &member_key(user)), &member, &partition(id)));
        let query = self.index(&member, limit).set_exclusive_start_key(start);
        let query = query
            .key_condition_expression("gsi1pk = :partition AND begins_with(gsi1sk, :kind)")
            .expression_attribute_values(":kind", text("PROJECT#"));
        let page = query.send().await.map_err(failed)?;
        let more = page.last_evaluated_key.is_some();
        let ids: Vec<String> =
            page.items.unwrap_or_default().iter().filter_map(project_of).collect();
        let next = ids.last().filter(|_| more).cloned();
        let profiles = self.batch(ids.iter().map(|id| key(id, "PROFILE")).collect()).await?;
        let mut items: Vec<Project> =
            profiles.into_iter().map(read_profile).collect::<Result<_>>()?;
        items.sort_by(|a, b| a.project_id.cmp(&b.project_id));
        Ok(Page { items, next })
    }

    async fn members(&self, project: &str) -> Result<Vec<Member>> {
        self.members_of(&partition(project)).await
    }

    async fn invite(&self, user: &str, invitation: &Invitation) -> Result<()> {
        self.invite_to(&partition(&invitation.id), user, invitation, Vec::new()).await.map(drop)
    }

    async fn join(&self, project: &str, user: &str) -> Result<bool> {
        self.join_to(&partition(project), user, Vec::new()).await
    }

    async fn invitations(&self, user: &str) -> Result<Vec<Invitation>> {
        self.invitations_to(user).await
    }

    async fn remove_member(&self, project: &str, user: &str) -> Result<bool> {
        self.let_go(&partition(project), user).await
    }

    async fn hand_over(&self, project: &str, from: &str, to: &str) -> Result<bool> {
        let member = |user| key(project, &member_key(user));
        self.hand_over_to(member(from), member(to)).await
    }

    async fn active(&self, limit: u32, after: Option<&str>) -> Result<Page<String, String>> {
        let start = after.map(|id| index_key(key(id, "PROFILE"), ACTIVE, &partition(id)));
        let query = self.index(ACTIVE, limit).set_exclusive_start_key(start);
        let query = query.key_condition_expression("gsi1pk = :partition");
        let page = query.send().await.map_err(failed)?;
        let more = page.last_evaluated_key.is_some();
        let items: Vec<String> =
            page.items.unwrap_or_default().iter().filter_map(project_of).collect();
        let next = items.last().filter(|_| more).cloned();
        Ok(Page { items, next })
    }

    async fn archive(&self, project: &str) -> Result<()> {
        let set = "REMOVE gsi1pk, gsi1sk";
        let profile = key(project, "PROFILE");
        self.apply(self.change(profile, set, "attribute_exists(pk)", Item::new())?).await?;
        Ok(())
    }

    async fn erase(&self, project: &str) -> Result<()> {
        let all = " ".to_owned()..="\u{10FFFF}".to_owned();
        let mut keys = self.between(&partition(project), all, true, None, None).await?;
        for item in &mut keys {
            item.retain(|name, _| name == "pk" || name == "sk");
        }
        self.delete_with_kept(keys).await
    }
}

#[async_trait]
impl Requests for Table {
    async fn kept(&self, user: &str, key: &str, now: Timestamp) -> Result<Option<Kept>> {
        self.unexpired(write::guard_key(user, key), now).await?.map(read).transpose()
    }
}

pub(super) fn partition(project: &str) -> String {
    format!("PROJECT#{project}")
}

pub(super) fn key(project: &str, sk: &str) -> Item {
    Item::from([("pk".into(), text(partition(project))), ("sk".into(), text(sk))])
}

pub(super) fn member_key(user: &str) -> String {
    format!("MEMBER#{user}")
}

/// Returns the key of an item in the index.
pub(super) fn index_key(mut key: Item, partition: &str, sort: &str) -> Item {
    key.insert("gsi1pk".into(), text(partition));
    key.insert("gsi1sk".into(), text(sort));
    key
}

/// Returns somebody's item among those of what they belong to.
pub(super) fn member(partition: &str, user: &str, role: Role) -> Result<Item> {
    let key = Item::from([("pk".into(), text(partition)), ("sk".into(), text(member_key(user)))]);
    let key = index_key(key, &format!("USER#{user}"), partition);
    keyed(key, &Member { user: user.to_owned(), role })
}

pub(super) fn text_of<'i>(item: &'i Item, field: &str) -> Option<&'i str> {
    item.get(field)?.as_s().ok().map(String::as_str)
}

pub(super) fn project_of(item: &Item) -> Option<String> {
    text_of(item, "pk")?.strip_prefix("PROJECT#").map(str::to_owned)
}

/// A profile's item. What needs review is kept beside the project: the one is changed without the
/// other.
#[derive(Deserialize)]
struct Profile {
    project: Project,
    #[serde(default)]
    needs_review: Vec<String>,
}

fn without_reviews(project: &Project) -> Result<AttributeValue> {
    attribute(&Project { needs_review: Vec::new(), ..project.clone() })
}

fn read_profile(item: Item) -> Result<Project> {
    let Profile { project, needs_review } = read(item)?;
    Ok(Project { needs_review, ..project })
}
