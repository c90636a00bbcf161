//! What removals ask of the index in memory.

use async_trait::async_trait;
use uuid::Uuid;

use super::{FakeIndex, upload};
use model::Result;
use model::evidence::PointKind;
use ports::scope::Scope;
use ports::{IndexCleanup, Page, Trace};

#[async_trait]
impl IndexCleanup for FakeIndex {
    async fn delete_scope(&self, scope: &Scope) -> Result<u64> {
        let mut points = self.0.lock().unwrap();
        let before = points.len();
        points.retain(|_, (held, _, _)| held != scope);
        Ok((before - points.len()) as u64)
    }

    async fn traces(&self, limit: u32, after: Option<Uuid>) -> Result<Page<Trace>> {
        let points = self.0.lock().unwrap();
        let mut traces: Vec<(Uuid, Trace)> = points
            .iter()
            .filter(|(id, (_, live, point))| {
                after.is_none_or(|after| **id > after)
                    && !point.kind.is_decision()
                    && (!live || point.kind == PointKind::Document)
            })
            .map(|(id, (scope, live, point))| {
                (*id, Trace { point: *id, of: upload(scope, point), is_live: *live })
            })
            .collect();
        traces.sort_by_key(|(id, _)| *id);
        let more = traces.len() > limit as usize;
        traces.truncate(limit as usize);
        let next = traces.last().filter(|_| more).map(|(id, _)| *id);
        Ok(Page { items: traces.into_iter().map(|(_, trace)| trace).collect(), next })
    }
}
