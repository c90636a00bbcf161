//! Prepares a search: probes with vectors, project, lookup.

use std::collections::BTreeSet;

use futures_util::future::try_join;
use uuid::Uuid;

use super::{DEPTH, SEARCHES, Search};
use ask::abstain::Lookup;
use ask::strategy;
use ask::strategy::{Probe, Request, Written, queries};
use model::Result;
use ports::WrittenRoute;
use ports::scope::Membership;

/// A search that is ready to be sent.
pub(super) struct Ready {
    pub(super) request: Request,
    pub(super) probes: Vec<(Probe, Vec<f32>)>,
    pub(super) membership: Option<Membership>,
    pub(super) lookup: Lookup,
    pub(super) excluded: BTreeSet<Uuid>,
    pub(super) queries_written: Vec<String>,
    pub(super) route_written: Option<WrittenRoute>,
}

impl Search<'_> {
    /// Embeds what is searched for, and reads the project and the examples of the caller.
    pub(super) async fn ready(&mut self, request: Request) -> Result<Ready> {
        let retriever = self.services.retriever;
        let choices = self.services.sources.choices();
        let written =
            strategy::written(&request, &choices, retriever, self.desk, &mut self.degraded);
        let Written { queries: written, route: route_written } = written.await?;
        // Whether anything fits is decided without what a model thinks of.
        let lookup = Lookup::of(&request.question, &request.queries, &request.filters);
        let queries_written: Vec<String> = written.iter().map(|w| w.as_str().to_owned()).collect();
        let errors = self.asked.errors(&request)?;
        let request = Request { queries: [request.queries, written, errors].concat(), ..request };
        let (mut probes, membership) = self.embedded(&request).await?;
        let request = match &membership {
            Some(membership) => Request { grant: request.grant.with(membership), ..request },
            None => request,
        };
        let excluded = match probes.first_mut() {
            Some((probe, vector)) => {
                let first = (&mut probe.text, vector.as_mut_slice());
                request.examples.applied(retriever.index, &request.grant, first).await?
            }
            None => BTreeSet::new(),
        };
        Ok(Ready { request, probes, membership, lookup, excluded, queries_written, route_written })
    }

    /// Embeds the probes in one call, and reads the project at the same time.
    async fn embedded(
        &self,
        request: &Request,
    ) -> Result<(Vec<(Probe, Vec<f32>)>, Option<Membership>)> {
        let probe = Probe {
            text: request.question.as_str().into(),
            searches: SEARCHES.into(),
            depth: DEPTH,
            query: None,
        };
        let probes = queries::shared(vec![probe], &request.queries);
        let membership = strategy::membership(self.desk, request.project.as_deref());
        let (vectors, membership) =
            try_join(self.services.retriever.embed(&probes), membership).await?;
        Ok((probes.into_iter().zip(vectors).collect(), membership))
    }
}
