//! Documents and how far they have come.

use std::fmt::Write;

use async_trait::async_trait;
use aws_sdk_dynamodb::types::{AttributeValue, ConditionCheck, TransactWriteItem, Update};
use model::object::Upload;
use model::{Error, Result};
use ports::scope::Scope;
use ports::{Charge, Documents, Guard, Live, Page, Record, Status, Tries, Written};
use uuid::Uuid;

use super::unfinished::listed;
use super::write::built;
use super::{
    Item, SERVICE, Table, attribute, case, failed, fields, key, number, partition, read, text,
};

/// Nothing later is live, and the document was neither deleted since nor new since.
const LATEST: &str = "(attribute_not_exists(live) OR live.version <= :version) \
                      AND (attribute_not_exists(deleted) OR deleted < :version) \
                      AND #first <= :version";

/// The attributes of a document that an announcement leaves as they are, or sets by what is there.
const STAY: [&str; 6] = ["live", "deleted", "kept", "is_final", "first", "prior"];

#[async_trait]
impl Documents for Table {
    async fn announce(&self, record: &Record, guard: Option<&Guard>) -> Result<Written> {
        let condition = "attribute_not_exists(version) OR version <= :version";
        let update = self.announcing(record, condition, Item::new())?;
        let check = self.open_case(&record.scope)?;
        // A transaction costs twice as much as the one write.
        if check.is_none() && guard.is_none() {
            return Ok(if self.apply(update).await? { Written::Done } else { Written::Stale });
        }
        self.carry_out_all(std::iter::once(step(update)).chain(check).collect(), guard).await
    }

    async fn announce_within(
        &self,
        record: &Record,
        charge: Charge<'_>,
        guard: Option<&Guard>,
    ) -> Result<Written> {
        self.charge(record, charge, guard).await
    }

    async fn document(&self, scope: &Scope, document: Uuid) -> Result<Option<Record>> {
        self.item(key(scope, document)).await?.map(read).transpose()
    }

    async fn documents(
        &self,
        scope: &Scope,
        limit: u32,
        after: Option<Uuid>,
    ) -> Result<Page<Record>> {
        self.list(scope, "DOCUMENT#", limit, after.map(|id| key(scope, id))).await
    }

    async fn mark(
        &self,
        scope: &Scope,
        document: Uuid,
        version: &str,
        status: &Status,
    ) -> Result<()> {
        let mut values = Item::from([
            (":status".into(), attribute(status)?),
            (":version".into(), text(version)),
        ]);
        let set = match status {
            Status::Waiting | Status::Indexing | Status::Deleting => {
                values.extend(listed(&document.to_string(), version));
                "SET #status = :status, gsi1pk = :unfinished, gsi1sk = :place"
            }
            Status::Indexed | Status::Deleted | Status::Failed { .. } => {
                "SET #status = :status REMOVE gsi1pk, gsi1sk"
            }
        };
        self.apply(self.change(key(scope, document), set, "version = :version", values)?).await?;
        Ok(())
    }

    async fn settle(&self, scope: &Scope, document: Uuid, live: &Live) -> Result<bool> {
        let settled = Item::from([
            (":live".into(), attribute(live)?),
            (":version".into(), text(&live.version)),
        ]);
        let mut values = settled.clone();
        values.insert(":status".into(), attribute(&Status::Indexed)?);
        let update = self.change(
            key(scope, document),
            "SET live = :live, #status = :status REMOVE gsi1pk, gsi1sk",
            &format!("version = :version AND {LATEST}"),
            values,
        )?;
        if self.and_count(scope, step(update)).await? {
            return Ok(true);
        }
        // Another version was announced since: its status is its own.
        let condition = format!("attribute_exists(pk) AND {LATEST}");
        let update = self.change(key(scope, document), "SET live = :live", &condition, settled)?;
        self.and_count(scope, step(update)).await
    }

    async fn touch(&self, scope: &Scope) -> Result<()> {
        self.count_if_there(scope).await
    }

    async fn begin_deletion(
        &self,
        scope: &Scope,
        document: Uuid,
        version: &str,
        is_final: bool,
    ) -> Result<bool> {
        let set = "SET #status = :status, version = :version, deleted = :version, \
                   kept = if_not_exists(live, :none), is_final = :is_final, \
                   gsi1pk = :unfinished, gsi1sk = :place REMOVE live";
        let mut values = listed(&document.to_string(), version);
        values.insert(":none".into(), AttributeValue::Null(true));
        values.insert(":is_final".into(), AttributeValue::Bool(is_final));
        values.insert(":status".into(), attribute(&Status::Deleting)?);
        values.insert(":version".into(), text(version));
        let condition = "attribute_exists(pk) AND version <= :version";
        let update = self.change(key(scope, document), set, condition, values)?;
        self.and_count(scope, step(update)).await
    }

    async fn deleted(&self, scope: &Scope, document: Uuid) -> Result<Option<Record>> {
        self.item(deleted_key(scope, document)).await?.map(read).transpose()
    }
}

#[async_trait]
impl Tries for Table {
    async fn begin(&self, upload: &Upload) -> Result<u32> {
        let one = Item::from([(":one".into(), number(1))]);
        // Without an item the document was deleted meanwhile.
        let Some(changed) = self.applied(self.tries(upload, "ADD #tries :one", one)?).await? else {
            return Ok(1);
        };
        let tries = changed.into_values().next();
        let tries = tries.and_then(|t| t.as_n().ok()?.parse().ok());
        tries
            .ok_or_else(|| Error::unavailable(SERVICE, "it does not tell how many tries there are"))
    }

    async fn end(&self, upload: &Upload) -> Result<()> {
        self.apply(self.tries(upload, "REMOVE #tries", Item::new())?).await.map(drop)
    }
}

impl Table {
    /// Lists items of documents whose sort keys begin with `kind`, by id.
    pub(super) async fn list(
        &self,
        scope: &Scope,
        kind: &str,
        limit: u32,
        after: Option<Item>,
    ) -> Result<Page<Record>> {
        let query = self
            .client
            .query()
            .table_name(&self.name)
            .consistent_read(true)
            .key_condition_expression("pk = :pk AND begins_with(sk, :sk)");
        let query = query
            .expression_attribute_values(":pk", partition(scope))
            .expression_attribute_values(":sk", text(kind));
        let query =
            query.limit(i32::try_from(limit).unwrap_or(i32::MAX)).set_exclusive_start_key(after);
        let page = query.send().await.map_err(failed)?;
        let more = page.last_evaluated_key.is_some();
        let items = page.items.unwrap_or_default();
        let items: Vec<Record> = items.into_iter().map(read).collect::<Result<_>>()?;
        let next = items.last().filter(|_| more).map(|record| record.document_id);
        Ok(Page { items, next })
    }

    /// Makes the change that announces a document, where the condition holds; it may use these
    /// values besides `:version`.
    pub(super) fn announcing(
        &self,
        record: &Record,
        condition: &str,
        values: Item,
    ) -> Result<Update> {
        let mut set = "SET gsi1pk = :unfinished, gsi1sk = :place, \
                       #first = if_not_exists(#first, :version), \
                       #prior = if_not_exists(version, :version)"
            .to_owned();
        let mut all = listed(&record.document_id.to_string(), &record.version);
        for (name, value) in
            fields(record)?.into_iter().filter(|(name, _)| !STAY.contains(&name.as_str()))
        {
            let _ = write!(set, ", #{name} = :{name}");
            all.insert(format!(":{name}"), value);
        }
        all.extend(values);
        self.change(key(&record.scope, record.document_id), &set, condition, all)
    }

    /// Checks that a case is open, where the scope is one.
    pub(super) fn open_case(&self, scope: &Scope) -> Result<Option<TransactWriteItem>> {
        let Scope::Case(id) = scope else { return Ok(None) };
        let check = self.is_open(id)?;
        Ok(Some(TransactWriteItem::builder().condition_check(check).build()))
    }

    /// Makes a change of how many tries of an upload are under way: each upload has an attribute of
    /// its own.
    fn tries(&self, upload: &Upload, expression: &str, values: Item) -> Result<Update> {
        let update = Update::builder()
            .table_name(&self.name)
            .set_key(Some(key(&upload.scope, upload.document_id)))
            .update_expression(expression)
            .condition_expression("attribute_exists(pk)")
            .expression_attribute_names("#tries", format!("tries_{}", upload.version));
        let values = Some(values).filter(|x| !x.is_empty());
        built(update.set_expression_attribute_values(values).build())
    }

    /// Checks that a case is open.
    pub(super) fn is_open(&self, id: &str) -> Result<ConditionCheck> {
        let check = ConditionCheck::builder()
            .table_name(&self.name)
            .set_key(Some(case::key(id, case::PROFILE)))
            .condition_expression("#status = :open")
            .expression_attribute_names("#status", "status")
            .expression_attribute_values(":open", text("open"));
        built(check.build())
    }
}

/// The key of what is remembered of a deleted document.
pub(super) fn deleted_key(scope: &Scope, document: Uuid) -> Item {
    Item::from([
        ("pk".into(), partition(scope)),
        ("sk".into(), text(format!("DELETED#{document}"))),
    ])
}

pub(super) fn step(update: Update) -> TransactWriteItem {
    TransactWriteItem::builder().update(update).build()
}
