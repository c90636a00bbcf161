//! Taking points away that belong to nothing.

use async_trait::async_trait;
use model::Result;
use model::evidence::PointKind;
use ports::scope::Scope;
use ports::{IndexCleanup, Page, Trace};
use qdrant_client::qdrant::with_payload_selector::SelectorOptions;
use qdrant_client::qdrant::{
    Condition, Filter, PayloadIncludeSelector, PointId, ScrollPointsBuilder,
};
use uuid::Uuid;

use super::{Qdrant, filter, payload, unless_missing};

#[async_trait]
impl IndexCleanup for Qdrant {
    async fn delete_scope(&self, scope: &Scope) -> Result<u64> {
        let of_scope = Filter::must([Condition::matches("scope", scope.to_string())]);
        let counted = self.count(of_scope.clone()).await?;
        self.delete(of_scope.clone()).await?;
        self.gone(of_scope).await?;
        Ok(counted)
    }

    async fn traces(&self, limit: u32, after: Option<Uuid>) -> Result<Page<Trace>> {
        let conditions = [filter::kind(PointKind::Document), Condition::matches("live", false)];
        let mut wanted = Filter::should(conditions);
        wanted.must_not.push(filter::kind(PointKind::Decision));
        let fields = ["scope", "document_id", "version", "live"].map(str::to_owned);
        let fields = SelectorOptions::Include(PayloadIncludeSelector { fields: fields.into() });
        // A scroll begins with its offset.
        let mut scroll = ScrollPointsBuilder::new(&self.collection)
            .filter(wanted)
            .limit(limit)
            .with_payload(fields)
            .build();
        scroll.offset = after.and_then(next).map(|next| PointId::from(next.to_string()));
        let found = unless_missing(self.client.scroll(scroll).await)?;
        let Some(found) = found else { return Ok(Page { items: Vec::new(), next: None }) };
        let last = found.result.last().and_then(|point| payload::id(point.id.as_ref()?));
        let next = last.filter(|_| found.next_page_offset.is_some());
        let items = found.result.into_iter().filter_map(|point| {
            let id = payload::id(point.id.as_ref()?)?;
            Some(payload::trace(id, point.payload))
        });
        Ok(Page { items: items.collect::<Result<_>>()?, next })
    }
}

fn next(id: Uuid) -> Option<Uuid> {
    id.as_u128().checked_add(1).map(Uuid::from_u128)
}
