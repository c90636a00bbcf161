//! Alerts, below the cases that they belong to.

use async_trait::async_trait;
use aws_sdk_dynamodb::types::{Put, TransactWriteItem};
use jiff::Timestamp;
use model::Result;
use model::document::hexadecimal;
use ports::{AlertGroup, Alerts, Cases, Claim, MessageOf};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use wire::alerts::{Alert, Brief, CaseAlert};
use wire::cases::{Case, CaseStatus};

use super::answer::{packed, unpacked, with_body};
use super::case::{self, key};
use super::write::{Step, built};
use super::{Item, SERVICE, Table, attribute, keyed, number, read, text};

/// The beginnings of the sort keys of alerts, of what was found for them, and of messages.
const ALERT: &str = "ALERT#";
const BRIEF: &str = "BRIEF";
const MESSAGE: &str = "MESSAGE#";

/// The sort key of the item that tells the group of a case.
const GROUP: &str = "GROUP";

/// The most alerts of one transaction, which has 100 items and checks the case, too.
const MOST: usize = 99;

/// The last case of a group.
#[derive(Serialize, Deserialize)]
struct LastCase {
    case_id: String,
}

/// The group of a case, by the key of its item.
#[derive(Serialize, Deserialize)]
struct GroupOf {
    route: String,
    hash: String,
}

impl From<AlertGroup<'_>> for GroupOf {
    fn from(group: AlertGroup<'_>) -> GroupOf {
        GroupOf { route: group.route.into(), hash: hash(group.key) }
    }
}

/// The attribute of a brief's item beside its body.
#[derive(Serialize)]
struct Made {
    alerts: usize,
}

#[async_trait]
impl Alerts for Table {
    async fn case_of_group(&self, group: AlertGroup<'_>) -> Result<Option<String>> {
        let last = self.item(group_key(group)).await?.map(read::<LastCase>).transpose()?;
        Ok(last.map(|last| last.case_id))
    }

    async fn open_alert_case(
        &self,
        group: AlertGroup<'_>,
        case: &Case,
        last: Option<&str>,
    ) -> Result<bool> {
        let item = keyed(group_key(group), &LastCase { case_id: case.case_id.clone() })?;
        let put = Put::builder().table_name(&self.name).set_item(Some(item));
        let put = match last {
            None => put.condition_expression("attribute_not_exists(pk)"),
            Some(last) => put
                .condition_expression("case_id = :last")
                .expression_attribute_values(":last", text(last)),
        };
        let mut items = vec![TransactWriteItem::builder().put(built(put.build())?).build()];
        let of = keyed(key(&case.case_id, GROUP), &GroupOf::from(group))?;
        items.push(self.item_of(Step::New(of))?);
        for step in case::new(case)? {
            items.push(self.item_of(step)?);
        }
        Ok(self.transact(items).await?.is_none())
    }

    async fn alerts(&self, case: &str) -> Result<Vec<CaseAlert>> {
        let items = self.all_below(&case::partition(case), ALERT).await?;
        let alerts = items.iter().map(|item| from_json(&unpacked(item)?));
        let mut alerts: Vec<CaseAlert> = alerts.collect::<Result<_>>()?;
        alerts.sort_by(|a, b| order(a).cmp(&order(b)));
        Ok(alerts)
    }

    async fn note_alerts(&self, case: &str, alerts: &[CaseAlert]) -> Result<bool> {
        for alerts in alerts.chunks(MOST) {
            let check = TransactWriteItem::builder().condition_check(self.is_open(case)?).build();
            let mut items = vec![check];
            for alert in alerts {
                items.push(self.noting(case, alert)?);
            }
            if self.transact(items).await?.is_some() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    async fn brief(&self, case: &str) -> Result<Option<Brief>> {
        let Some(item) = self.item(key(case, BRIEF)).await? else { return Ok(None) };
        // One that another release wrote may have another form: it is made again.
        Ok(from_json(&unpacked(&item)?).ok())
    }

    async fn keep_brief(&self, case: &str, brief: &Brief) -> Result<bool> {
        let made = Made { alerts: brief.alerts };
        let item = with_body(key(case, BRIEF), &made, packed(&json(brief)?)?)?;
        let put = Put::builder()
            .table_name(&self.name)
            .set_item(Some(item))
            .condition_expression("attribute_not_exists(pk) OR alerts <= :alerts")
            .expression_attribute_values(":alerts", number(brief.alerts as u64));
        self.put_while_open(case, put.build()).await
    }

    async fn claim_message(
        &self,
        of: MessageOf<'_>,
        message: &str,
        now: Timestamp,
        since: Timestamp,
    ) -> Result<Claim> {
        let mut item = message_key(of, message);
        item.insert("claimed_at".into(), attribute(&now.as_millisecond())?);
        let put = Put::builder()
            .table_name(&self.name)
            .set_item(Some(item))
            .condition_expression(
                "attribute_not_exists(pk) OR (attribute_not_exists(sent) AND claimed_at < :since)",
            )
            .expression_attribute_values(":since", attribute(&since.as_millisecond())?);
        let (is_taken, is_open) = match of {
            MessageOf::Case(case) => {
                let is_taken = self.put_while_open(case, put.build()).await?;
                let profile = if is_taken { None } else { self.case_profile(case).await? };
                (is_taken, profile.is_some_and(|case| case.status == CaseStatus::Open))
            }
            MessageOf::Project(_) => {
                let put = TransactWriteItem::builder().put(built(put.build())?).build();
                (self.transact(vec![put]).await?.is_none(), true)
            }
        };
        if is_taken {
            return Ok(Claim::Taken);
        }
        let known = self.item(message_key(of, message)).await?;
        let is_held = known.is_some_and(|known| !known.contains_key("sent"));
        Ok(if is_held && is_open { Claim::Held } else { Claim::Over })
    }

    async fn settle_message(&self, of: MessageOf<'_>, message: &str, is_sent: bool) -> Result<()> {
        let key = message_key(of, message);
        if !is_sent {
            return self.delete_item(key).await.map(drop);
        }
        let values = Item::from([(":sent".into(), attribute(&true)?)]);
        let sent = self.change(key, "SET sent = :sent", "attribute_exists(pk)", values)?;
        self.apply(sent).await.map(drop)
    }
}

impl Table {
    /// Deletes all that alerts brought to a case, and its place in the lists of its team and group.
    pub(super) async fn delete_alerts(&self, case: &str) -> Result<()> {
        if let Some(group) = self.item(key(case, GROUP)).await?.map(read::<GroupOf>).transpose()? {
            let last = last_case_key(&group);
            let known = self.item(last.clone()).await?.map(read::<LastCase>).transpose()?;
            if known.is_some_and(|known| known.case_id == case) {
                self.delete_item(last).await?;
            }
        }
        for kind in [ALERT, BRIEF, MESSAGE, GROUP, case::TEAM] {
            let items = self.all_below(&case::partition(case), kind).await?;
            let keys = items.into_iter().map(|mut item| {
                item.retain(|name, _| name == "pk" || name == "sk");
                item
            });
            self.delete_all(keys.collect()).await?;
        }
        Ok(())
    }

    /// Writes an alert in the place of itself as it came once less.
    fn noting(&self, case: &str, alert: &CaseAlert) -> Result<TransactWriteItem> {
        let mut item = alert_key(case, &alert.alert);
        item.insert("count".into(), number(alert.count.into()));
        item.insert(
            "body".into(),
            aws_sdk_dynamodb::types::AttributeValue::B(packed(&json(alert)?)?),
        );
        let put = Put::builder().table_name(&self.name).set_item(Some(item));
        let put = match alert.count {
            1 => put.condition_expression("attribute_not_exists(pk)"),
            count => put
                .condition_expression("#count = :before")
                .expression_attribute_names("#count", "count")
                .expression_attribute_values(":before", number(u64::from(count) - 1)),
        };
        Ok(TransactWriteItem::builder().put(built(put.build())?).build())
    }

    async fn put_while_open(
        &self,
        case: &str,
        put: std::result::Result<Put, aws_sdk_dynamodb::error::BuildError>,
    ) -> Result<bool> {
        let check = TransactWriteItem::builder().condition_check(self.is_open(case)?).build();
        let put = TransactWriteItem::builder().put(built(put)?).build();
        Ok(self.transact(vec![check, put]).await?.is_none())
    }
}

/// The order in which alerts came; those of one request by name.
fn order(alert: &CaseAlert) -> (Timestamp, &str, &str) {
    (alert.first_at, &alert.alert.name, &alert.alert.fingerprint)
}

fn group_key(group: AlertGroup<'_>) -> Item {
    last_case_key(&group.into())
}

fn last_case_key(GroupOf { route, hash }: &GroupOf) -> Item {
    Item::from([
        ("pk".into(), text(format!("ALERTS#{route}"))),
        ("sk".into(), text(format!("GROUP#{hash}"))),
    ])
}

/// An alert is known by its fingerprint and since when it is on.
fn alert_key(case: &str, alert: &Alert) -> Item {
    let since = alert.starts_at.map(|at| at.to_string()).unwrap_or_default();
    key(case, &format!("{ALERT}{}#{since}", hash(&alert.fingerprint)))
}

fn message_key(of: MessageOf<'_>, message: &str) -> Item {
    let sort = format!("{MESSAGE}{message}");
    match of {
        MessageOf::Case(case) => key(case, &sort),
        MessageOf::Project(project) => super::project::key(project, &sort),
    }
}

fn hash(words: &str) -> String {
    hexadecimal(&Sha256::digest(words))
}

fn json(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(|error| model::Error::unavailable(SERVICE, error))
}

fn from_json<T: serde::de::DeserializeOwned>(body: &str) -> Result<T> {
    serde_json::from_str(body).map_err(|error| model::Error::unavailable(SERVICE, error))
}
