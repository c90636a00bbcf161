//! Probes into evidence: one embedding call, one search call, and one more where whole documents are read.

use std::collections::{BTreeSet, HashMap, HashSet};

use uuid::Uuid;

use wire::trial::ModelPart;

use crate::abstain::{Lookup, Unknown};
use crate::evidence::Evidence;
use crate::fuse::{self, Found, Passages, Ranking};
use crate::literal;
use crate::rerank::by_model::{self, ByModel};
use crate::rerank::{Limits, Rerank};
use crate::strategy::{Probe, Reading, Request, Writer};
use model::document::{Chunk, document_point_id, passage_id};
use model::evidence::{PointKind, ScoreParts};
use model::{Error, Result};
use ports::chat::Chat;
use ports::scope::Grant;
use ports::{Embedder, Index, Model, Purpose, Ranked};

mod plan;

pub use plan::{Plan, language};

/// What was found.
#[derive(Debug, Default)]
pub struct Retrieved {
    /// What answers the probes; in no order but for documents, which come best first.
    pub evidence: Vec<Evidence>,
    /// The project's decisions nearest to the first probe, in no order.
    pub decisions: Vec<Evidence>,
    /// What was looked up and stands nowhere.
    pub unknown: Unknown,
    /// The weights of all rankings together.
    pub weights: f64,
}

/// What is wanted of a retrieval besides what answers its probes.
#[derive(Debug)]
pub struct Retrieval {
    /// How what answers is read.
    pub reading: Reading,
    /// How many documents are read beyond those that are wanted.
    pub spare: usize,
    /// The decisions nearest to the first probe.
    pub decisions: Option<PointKind>,
    /// Names and words, of which those that no passage has are told.
    pub lookup: Lookup,
    /// Documents that are left out.
    pub excluded: BTreeSet<Uuid>,
}

/// Embeds, searches and reads.
pub struct Retriever<'a> {
    /// Embeds the probes.
    pub embedder: &'a dyn Embedder,
    /// Searches and reads.
    pub index: &'a dyn Index,
    /// Reranks the first results.
    pub rerank: Option<Rerank<'a>>,
    /// Writes queries for questions that come without, and grades what was found.
    pub writer: Option<Writer<'a>>,
}

impl<'a> Retriever<'a> {
    /// Without a second look, and without written queries.
    pub fn new(embedder: &'a dyn Embedder, index: &'a dyn Index) -> Retriever<'a> {
        Retriever { embedder, index, rerank: None, writer: None }
    }

    /// Gives each probe its vector, in one call.
    pub async fn embed(&self, probes: &[Probe]) -> Result<Vec<Vec<f32>>> {
        let texts: Vec<String> = probes.iter().map(|probe| probe.text.clone()).collect();
        let vectors = self.embedder.embed(&texts, Purpose::Question).await?;
        if vectors.len() == texts.len() {
            return Ok(vectors);
        }
        Err(Error::unavailable(
            "the embedding model",
            "it gave another number of vectors than of texts",
        ))
    }

    /// Finds what answers `probes`, and what else is wanted, in one call.
    pub async fn retrieve(
        &self,
        probes: Vec<(Probe, Vec<f32>)>,
        request: &Request,
        Retrieval { reading, spare, decisions, mut lookup, excluded }: Retrieval,
    ) -> Result<Retrieved> {
        let language = language(&probes);
        let of_decisions = decisions
            .zip(probes.first())
            .map(|(of, first)| Plan::of_decisions(of, first, language));
        let Plan { mut rankings, mut searches } = of_decisions.unwrap_or_default();
        let plan = Plan::of_probes(&probes, reading == Reading::Passages, language);
        rankings.extend(plan.rankings);
        searches.extend(plan.searches);
        searches.extend(lookup.searches(language));
        let mut found = self.index.search(&request.grant, &request.filters, searches).await?;
        let looked_up = found.split_off(rankings.len().min(found.len()));
        fill(&mut rankings, found, &excluded);
        let mut unknown = lookup.unknown(&looked_up, &rankings);
        let of_documents = rankings.iter().position(|ranking| !ranking.of.is_decision());
        let mut of_documents = rankings.split_off(of_documents.unwrap_or(rankings.len()));
        let weights = of_documents.iter().map(|ranking| ranking.weight).sum();
        let exact = exact_ranking(&lookup, &looked_up, &of_documents, weights, &excluded);
        if exact.is_some() {
            // What stands there whole is known, whatever its parts.
            unknown.words.clear();
        }
        of_documents.extend(exact);
        let weights = of_documents.iter().map(|ranking| ranking.weight).sum();
        let evidence = self.read(&mut of_documents, request, (reading, spare)).await?;
        Ok(Retrieved { evidence, decisions: passages(&mut rankings), unknown, weights })
    }

    /// Finds the decisions nearest to `text`, however they stand; in no order.
    pub async fn decisions(&self, text: &str, request: &Request) -> Result<Vec<Evidence>> {
        let probe = Probe { text: text.into(), searches: Vec::new(), depth: 0, query: None };
        let vectors = self.embed(std::slice::from_ref(&probe)).await?;
        let probes = std::iter::once(probe).zip(vectors).collect();
        let decisions = Some(PointKind::Decision);
        let retrieval = Retrieval {
            reading: Reading::Passages,
            spare: 0,
            decisions,
            lookup: Lookup::default(),
            excluded: BTreeSet::new(),
        };
        Ok(self.retrieve(probes, request, retrieval).await?.decisions)
    }

    /// Has the reranker judge the first results; where there is none, in mode `generative`, the language model. Whether any of it is
    /// relevant.
    pub async fn look_again(
        &self,
        request: &Request,
        (evidence, weights): (&mut [Evidence], f64),
    ) -> Result<bool> {
        let grader = self.judge(request, ModelPart::Grade).map(ByModel);
        let by_model = grader.as_ref().map(|by| Rerank {
            by,
            limits: Limits::default(),
            most: by_model::MOST,
        });
        let Some(rerank) = self.rerank.or(by_model) else { return Ok(true) };
        Ok(rerank.rerank(&request.question, evidence, weights).await?.unwrap_or(true))
    }

    /// The language model, in mode `generative`.
    pub fn chat(&self, request: &Request) -> Option<Chat<'_>> {
        self.writer.as_ref()?.chat_for(request)
    }

    /// The language model that does this part, in mode `generative`.
    pub fn judge(&self, request: &Request, part: ModelPart) -> Option<&dyn Model> {
        self.writer.as_ref()?.judge(request, part)
    }

    /// How many documents are read: more than are shown where a project or a judgement may change their order.
    fn wanted(&self, request: &Request, (reading, spare): (Reading, usize)) -> usize {
        let shown = request.top_k.value() + spare;
        if reading != Reading::Documents {
            return shown;
        }
        let spare = request.project.as_ref().map_or(0, |_| SPARE);
        let by_model = || self.judge(request, ModelPart::Grade).map_or(0, |_| by_model::MOST);
        (shown + spare).max(self.rerank.map_or_else(by_model, |rerank| rerank.most))
    }

    async fn read(
        &self,
        rankings: &mut [Ranking],
        request: &Request,
        (reading, spare): (Reading, usize),
    ) -> Result<Vec<Evidence>> {
        if reading == Reading::Passages {
            return Ok(passages(rankings));
        }
        let mut found = fuse::documents(rankings);
        found.truncate(self.wanted(request, (reading, spare)));
        if found.is_empty() {
            return Ok(Vec::new());
        }
        if reading == Reading::Documents {
            return self.with_facts(found, &request.grant).await;
        }
        let documents: Vec<Uuid> = found.iter().map(|found| found.document_id).collect();
        let chunks = hits_in(rankings, &documents);
        let mut whole =
            by_document(self.index.documents(&request.grant, &documents, &chunks).await?);
        let scores = fuse::passages(rankings);
        let chunks = found.iter().filter_map(|found| whole.remove(&found.document_id)).flatten();
        let allowed = chunks.filter(|chunk| request.filters.allow(chunk));
        Ok(allowed.map(|chunk| passage(chunk, &scores)).collect())
    }

    /// Reads of each document its facts and its best passage; of one whose summary was found best, its first passage.
    async fn with_facts(&self, found: Vec<Found>, grant: &Grant) -> Result<Vec<Evidence>> {
        let ids_of = |hit: &Found| {
            let (document, version) = (hit.document_id, hit.version.as_str());
            [document_point_id(document, version), hit.passage_id, passage_id(document, version, 0)]
        };
        let ids: Vec<[Uuid; 3]> = found.iter().map(ids_of).collect();
        let all: HashSet<Uuid> = ids.iter().flatten().copied().collect();
        let points = self.index.points(grant, &all.into_iter().collect::<Vec<_>>()).await?;
        let mut points: HashMap<Uuid, Chunk> =
            points.into_iter().map(|point| (point.id, point)).collect();
        let evidence = found.into_iter().zip(ids).filter_map(|(hit, [document, best, first])| {
            let point = points.remove(&document)?;
            let best = points.remove(&best).filter(|chunk| !chunk.is_summary());
            let chunk = best.or_else(|| points.remove(&first))?;
            let parts = ScoreParts::new(hit.rankings, hit.fusion);
            Some(Evidence { facts: point.facts, ..Evidence::of(chunk, parts) })
        });
        Ok(evidence.collect())
    }
}

/// The ranking by strings that few documents have as the question has them.
pub fn exact_ranking(
    lookup: &Lookup,
    found: &[Ranked],
    rankings: &[Ranking],
    weights: f64,
    excluded: &BTreeSet<Uuid>,
) -> Option<Ranking> {
    if lookup.literals.is_empty() {
        return None;
    }
    // A search brings no passage that one before it brought.
    let all =
        found.iter().map(|ranked| &ranked.hits).chain(rankings.iter().map(|ranking| &ranking.hits));
    let brought = all.flatten().filter_map(|hit| Some((hit.passage_id, hit.chunk.as_deref()?)));
    let chunks: HashMap<Uuid, &Chunk> =
        brought.filter(|(_, chunk)| !excluded.contains(&chunk.document_id)).collect();
    let (_, ranked) = found.split_at(lookup.count().min(found.len()));
    literal::ranking(&lookup.literals, ranked, &chunks, weights)
}

/// How many documents more are read for a project, whose profile may raise them among those that are wanted.
const SPARE: usize = 5;

/// The passages of `documents` that any search found.
fn hits_in(rankings: &[Ranking], documents: &[Uuid]) -> Vec<Uuid> {
    let passages = rankings.iter().filter(|ranking| ranking.of == PointKind::Passage);
    let hits = passages.flat_map(|ranking| &ranking.hits);
    let hits = hits.filter(|hit| documents.contains(&hit.document_id));
    hits.map(|hit| hit.passage_id).collect::<HashSet<_>>().into_iter().collect()
}

/// Takes the passages that the hits brought, each with its score.
pub fn passages(rankings: &mut [Ranking]) -> Vec<Evidence> {
    let scores = fuse::passages(rankings);
    let hits = rankings.iter_mut().flat_map(|ranking| &mut ranking.hits);
    let chunks: HashMap<Uuid, Chunk> =
        hits.filter_map(|hit| hit.chunk.take()).map(|chunk| (chunk.id, *chunk)).collect();
    let found = chunks.into_values().filter(|chunk| scores.has(chunk.id));
    found.map(|chunk| passage(chunk, &scores)).collect()
}

fn passage(chunk: Chunk, scores: &Passages) -> Evidence {
    let parts = scores.parts(chunk.document_id, chunk.id);
    Evidence::of(chunk, parts)
}

/// Groups chunks by document, in their order; of two versions only the higher one.
pub fn by_document(chunks: Vec<Chunk>) -> HashMap<Uuid, Vec<Chunk>> {
    let mut documents: HashMap<Uuid, Vec<Chunk>> = HashMap::new();
    for chunk in chunks {
        documents.entry(chunk.document_id).or_default().push(chunk);
    }
    for chunks in documents.values_mut() {
        let latest = chunks.iter().map(|chunk| chunk.version.clone()).max().unwrap_or_default();
        let mut seen = HashSet::new();
        chunks.retain(|chunk| chunk.version == latest && seen.insert(chunk.position));
        chunks.sort_by_key(|chunk| chunk.position);
    }
    documents
}

/// Gives each ranking what its search found, without the `excluded` documents.
pub fn fill(rankings: &mut [Ranking], found: Vec<Ranked>, excluded: &BTreeSet<Uuid>) {
    for (ranking, found) in rankings.iter_mut().zip(found) {
        (ranking.hits, ranking.usual) = (found.hits, found.usual);
        let brought = ranking.hits.len();
        ranking.hits.retain(|hit| !excluded.contains(&hit.document_id));
        ranking.depth = ranking.depth.saturating_sub(brought - ranking.hits.len());
    }
}
