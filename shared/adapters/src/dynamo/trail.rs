//! Questions, decisions with their sources, and digests.

use async_trait::async_trait;
use aws_sdk_dynamodb::types::AttributeValue;
use model::{Error, Result};
use ports::{Guard, Notes, Page, Pending, Resting, Reviews, Span, Trail, Written};
use uuid::Uuid;
use wire::decisions::{Decided, Decision, DecisionSource};
use wire::trail::{Asked, Digest};

use super::project::{key, partition, project_of, text_of};
use super::review::{self, decision_item};
use super::write::Step;
use super::{Item, SERVICE, Table, failed, keyed, pending, read, text};

#[async_trait]
impl Notes for Table {
    async fn record(&self, project: &str, asked: &Asked) -> Result<()> {
        self.put(keyed(key(project, &format!("QUERY#{}", asked.query_id)), asked)?).await
    }
}

#[async_trait]
impl Trail for Table {
    async fn questions(&self, project: &str, span: &Span, limit: u32) -> Result<Vec<Asked>> {
        self.newest(project, "QUERY#", span, limit).await
    }

    async fn decide(
        &self,
        project: &str,
        decided: &Decided,
        pending: &Pending,
        superseded: Option<&Decision>,
        guard: Option<&Guard>,
    ) -> Result<Written> {
        let mut steps = vec![Step::New(decision_item(project, &decided.decision)?)];
        for source in &decided.sources {
            steps.push(Step::New(source_item(project, &decided.decision.decision_id, source)?));
        }
        steps.push(pending::noted(project, &decided.decision, pending)?);
        steps.extend(revisions(project, superseded.as_slice(), Some(&pending.change))?);
        self.carry_out(steps, guard).await
    }

    async fn revise(
        &self,
        project: &str,
        decisions: &[&Decision],
        change: Option<&str>,
    ) -> Result<Written> {
        self.carry_out(revisions(project, decisions, change)?, None).await
    }

    async fn pending(&self, project: &str, decision: &str) -> Result<Option<Pending>> {
        self.item(pending::key(project, decision)).await?.map(read).transpose()
    }

    async fn done(&self, project: &str, decision: &str, change: &str) -> Result<()> {
        self.forget_pending(project, decision, change).await
    }

    async fn decisions_named(&self, project: &str, decisions: &[String]) -> Result<Vec<Decision>> {
        let keys = decisions.iter().map(|id| key(project, &format!("DECISION#{id}"))).collect();
        let items = self.batch(keys).await?;
        self.decisions_of(project, items).await
    }

    async fn decisions(&self, project: &str, span: &Span, limit: u32) -> Result<Vec<Decision>> {
        let items = self.newest_items(project, "DECISION#", span, limit).await?;
        self.decisions_of(project, items).await
    }

    async fn sources(
        &self,
        project: &str,
        first: &str,
        last: &str,
    ) -> Result<Vec<(String, DecisionSource)>> {
        let (low, high) = (format!("SOURCE#{first}#"), format!("SOURCE#{last}#~"));
        let items = self.between(&partition(project), low..=high, true, None, None).await?;
        let source = |item: Item| {
            let decision = decision_of(&item).unwrap_or_default();
            read(item).map(|source| (decision, source))
        };
        items.into_iter().map(source).collect()
    }

    async fn tell(&self, project: &str, digest: &Digest) -> Result<Written> {
        let item = keyed(key(project, &format!("DIGEST#{}", digest.period())), digest)?;
        let written = self.carry_out(vec![Step::New(item)], None).await?;
        Ok(if written == Written::Stale { Written::Repeated } else { written })
    }

    async fn digest(&self, project: &str, period: &str) -> Result<Option<Digest>> {
        self.item(key(project, &format!("DIGEST#{period}"))).await?.map(read).transpose()
    }

    async fn digests(
        &self,
        project: &str,
        limit: u32,
        below: Option<&str>,
    ) -> Result<Page<Digest, String>> {
        let span = Span { above: None, below: below.map(str::to_owned) };
        let mut items: Vec<Digest> = self.newest(project, "DIGEST#", &span, limit + 1).await?;
        let more = items.len() > limit as usize;
        items.truncate(limit as usize);
        let next = items.last().filter(|_| more).map(Digest::period);
        Ok(Page { items, next })
    }
}

#[async_trait]
impl Reviews for Table {
    async fn is_cited(&self, document: Uuid) -> Result<bool> {
        let query = self.index(&format!("DOCUMENT#{document}"), 1);
        let query = query.key_condition_expression("gsi1pk = :partition");
        let page = query.send().await.map_err(failed)?;
        Ok(page.count > 0)
    }

    async fn resting_on(&self, document: Uuid) -> Result<Vec<Resting>> {
        let partition = format!("DOCUMENT#{document}");
        let mut resting = Vec::new();
        let mut start = None;
        loop {
            let query = self.index(&partition, PAGE);
            let query = query.key_condition_expression("gsi1pk = :partition");
            let page = query.set_exclusive_start_key(start).send().await.map_err(failed)?;
            for item in page.items.unwrap_or_default() {
                let place = project_of(&item).zip(decision_of(&item));
                let Some((project, decision)) = place else { continue };
                resting.push(Resting { project, decision, source: read(item)? });
            }
            start = page.last_evaluated_key;
            if start.is_none() {
                return Ok(resting);
            }
        }
    }

    async fn decisions_of_all(
        &self,
        limit: u32,
        after: Option<&str>,
    ) -> Result<Page<(String, Decision), String>> {
        let start = after.map(placed).transpose()?;
        let scan = self
            .client
            .scan()
            .table_name(&self.name)
            .consistent_read(true)
            .filter_expression("begins_with(sk, :decision)")
            .expression_attribute_values(":decision", text("DECISION#"))
            .limit(SCANNED);
        let page = scan.set_exclusive_start_key(start).send().await.map_err(failed)?;
        let found = page.items.unwrap_or_default();
        let mut items = Vec::new();
        let last = match found.get(limit as usize) {
            Some(_) => found.get(limit as usize - 1),
            None => page.last_evaluated_key.as_ref(),
        };
        let next = last.and_then(place);
        for item in found.into_iter().take(limit as usize) {
            let Some(project) = project_of(&item) else { continue };
            items.push((project, read(item)?));
        }
        Ok(Page { items, next })
    }
}

/// The number of items that one call of a scan looks through.
const SCANNED: i32 = 500;

/// Returns the key of an item as a cursor has it: a JSON list, since either part may hold any
/// character.
fn place(item: &Item) -> Option<String> {
    let part = |name| item.get(name).and_then(|i| i.as_s().ok());
    serde_json::to_string(&[part("pk")?, part("sk")?]).ok()
}

fn placed(cursor: &str) -> Result<Item> {
    let refused = |_| Error::Malformed {
        field: "cursor".into(),
        reason: "must be one that this list gave".into(),
    };
    let [pk, sk]: [String; 2] = serde_json::from_str(cursor).map_err(refused)?;
    Ok(Item::from([("pk".to_owned(), text(pk)), ("sk".to_owned(), text(sk))]))
}

/// The most items of a page of the index.
const PAGE: u32 = 500;

fn source_item(project: &str, decision: &str, source: &DecisionSource) -> Result<Item> {
    let key = key(project, &format!("SOURCE#{decision}#{}", source.passage_id));
    let mut item = keyed(key, source)?;
    item.insert("gsi1pk".into(), text(format!("DOCUMENT#{}", source.document_id)));
    item.insert("gsi1sk".into(), text(format!("DECISION#{decision}")));
    Ok(item)
}

/// Puts the decisions in place of the versions below their own, pending where a change is told, and
/// keeps the profile's list of what needs review in step.
fn revisions(project: &str, decisions: &[&Decision], change: Option<&str>) -> Result<Vec<Step>> {
    let mut steps = pending::of_change(project, decisions, change)?;
    let (flagged, cleared): (Vec<&Decision>, Vec<&Decision>) =
        decisions.iter().copied().partition(|decision| !decision.needs_review.is_empty());
    for decision in decisions {
        steps.push(Step::InPlaceOf(decision.version - 1, decision_item(project, decision)?));
        steps.push(review::step(project, decision)?);
    }
    let ids = |of: &[&Decision]| {
        AttributeValue::Ss(of.iter().map(|decision| decision.decision_id.clone()).collect())
    };
    let change = match (flagged.is_empty(), cleared.is_empty()) {
        (true, true) => return Ok(steps),
        (true, false) => ("DELETE needs_review :out", vec![(":out", ids(&cleared))]),
        (false, true) => ("ADD needs_review :in", vec![(":in", ids(&flagged))]),
        (false, false) => return Err(Error::unavailable(SERVICE, "a list changed both ways")),
    };
    let (expression, values) = change;
    steps.push(Step::Change { key: key(project, "PROFILE"), expression, values });
    Ok(steps)
}

/// Returns the decision that a source's key names.
fn decision_of(item: &Item) -> Option<String> {
    text_of(item, "sk")?.strip_prefix("SOURCE#")?.split('#').next().map(str::to_owned)
}
