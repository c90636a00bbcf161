//! Records a trail as a project, decision by decision, through the API.

use std::collections::HashMap;
use std::fmt::Write;

use anyhow::Result;
use plumbline::address::part;
use plumbline::api::{Api, Refusal};
use plumbline::evaluate::names_document;
use plumbline::page;
use plumbline::wording::count;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use wire::decisions::{Decided, DecisionList};
use wire::explore::ExploreReport;
use wire::projects::{Project, ProjectList};

use super::trail::{Step, Trail};

use self::passage::Passage;

mod passage;

/// The number of passages that are requested for each facet.
const PASSAGES: u32 = 5;

/// The outcome of recording a trail.
#[derive(Debug, Default)]
pub(super) struct Replayed {
    pub(super) name: String,
    pub(super) project_id: String,
    /// The decision's id and its expected status, by document.
    pub(super) decisions: HashMap<String, (String, &'static str)>,
    pub(super) recorded: usize,
    pub(super) known: usize,
    /// The differences between the file and what could be recorded, with the reasons.
    pub(super) notes: Vec<String>,
}

impl Replayed {
    /// Returns the decision that was recorded from the document, and its expected status.
    pub(super) fn decision(&self, doc: &str) -> Option<(&str, &'static str)> {
        self.decisions.get(doc).map(|(decision_id, standing)| (decision_id.as_str(), *standing))
    }

    pub(super) fn render(&self) -> Vec<String> {
        let recorded = count(self.recorded, "decision");
        let head = format!("{}: {recorded} recorded, {} known", self.name, self.known);
        [head].into_iter().chain(self.notes.iter().map(|note| format!("  {note}"))).collect()
    }
}

/// Records the decisions that do not exist yet. An existing project with that name is used again.
pub(super) fn replay(api: &Api, trail: &Trail, prefix: &str) -> Result<Replayed> {
    let (steps, notes) = trail.steps()?;
    let project_id = project(api, trail)?;
    let path = format!("/v1/projects/{}/decisions", part(&project_id));
    let present = page::list(api, &path, &[], "decisions", usize::MAX)?;
    let present: DecisionList = serde_json::from_value(present)?;
    let mut replayed =
        Replayed { name: trail.project.clone(), project_id, notes, ..Replayed::default() };
    for step in &steps {
        let known = present.decisions.iter().find(|decided| is_recorded_as(decided, step));
        let decision_id = match known {
            Some(decided) => {
                replayed.known += 1;
                decided.decision.decision_id.clone()
            }
            None => match record(api, &path, step, prefix, &mut replayed)? {
                Ok(decision_id) => {
                    replayed.recorded += 1;
                    decision_id
                }
                Err(refusal) => {
                    replayed.notes.push(format!("refused: {}, {}", step.doc, refusal.reason));
                    continue;
                }
            },
        };
        replayed.decisions.insert(step.doc.into(), (decision_id, step.standing));
    }
    Ok(replayed)
}

/// Returns the id of the project with that name, and creates it if necessary.
fn project(api: &Api, trail: &Trail) -> Result<String> {
    let list = page::list(api, "/v1/projects", &[], "projects", usize::MAX)?;
    let list: ProjectList = serde_json::from_value(list)?;
    if let Some(project) = list.projects.into_iter().find(|known| known.name == trail.project) {
        return Ok(project.project_id);
    }
    let mut body = json!({"name": trail.project});
    if let Some(description) = &trail.description {
        body["domain"] = json!(description);
    }
    let created: Project = api
        .post_once("/v1/projects", &body, &key(&[&trail.project]))?
        .map_err(anyhow::Error::from)?;
    Ok(created.project_id)
}

/// Records the decision with the text of its document. The inner result is the refusal of the API.
fn record(
    api: &Api,
    path: &str,
    step: &Step,
    prefix: &str,
    replayed: &mut Replayed,
) -> Result<Result<String, Refusal>> {
    let passages = passages(api, step, prefix)?;
    if passages.is_empty() {
        replayed.notes.push(format!("without sources: {}", step.doc));
    }
    let superseded = step.supersedes.and_then(|doc| replayed.decisions.get(doc));
    let superseded = superseded.map(|(decision_id, _)| decision_id.clone());
    if let (Some(doc), None) = (step.supersedes, &superseded) {
        replayed.notes.push(format!("stays accepted, for it is not recorded: {doc}"));
    }
    let body = body(step, &passages, superseded.as_deref());
    let recorded: Result<Decided, Refusal> =
        api.post_once(path, &body, &key(&[&replayed.name, step.doc]))?;
    Ok(recorded.map(|decided| decided.decision.decision_id))
}

/// Returns the passages of the decision's document, best first.
fn passages(api: &Api, step: &Step, prefix: &str) -> Result<Vec<Passage>> {
    let name = step.doc.strip_prefix(prefix).unwrap_or(step.doc);
    let body = json!({"question": step.title, "top_k": PASSAGES, "filters": {"name": name}, "max_bytes": wire::fit::MOST});
    let answer: ExploreReport = plumbline::page::report(api, "/v1/explore", &body)?;
    Ok(passage::ranked(answer))
}

fn body(step: &Step, passages: &[Passage], supersedes: Option<&str>) -> Value {
    let rationale = passage::rationale(passages).unwrap_or_else(|| format!("See {}.", step.doc));
    let sources: Vec<Value> = passage::sources(passages)
        .iter()
        .map(|passage| json!({"passage_id": passage.id, "relevance": passage.score}))
        .collect();
    let mut body = json!({
        "decision": step.title, "alternatives": [], "rationale": rationale, "sources": sources, "status": step.status,
    });
    if let Some(time) = &step.decided_at {
        body["decided_at"] = json!(time);
    }
    if let Some(decision_id) = supersedes {
        body["supersedes"] = json!(decision_id);
    }
    body
}

/// Returns true if the decision was recorded from the step's document. Titles are not unique, so
/// the sources decide, else the day.
fn is_recorded_as(decided: &Decided, step: &Step) -> bool {
    let is_from = if decided.sources.is_empty() {
        let day = decided.decision.decided_at.strftime("%Y-%m-%d").to_string();
        step.decided_at.as_ref().is_none_or(|time| time.get(..10) == Some(day.as_str()))
    } else {
        decided.sources.iter().any(|source| names_document(&source.file, step.doc))
    };
    decided.decision.decision == step.title && is_from
}

/// Returns a key that is the same in every run.
fn key(parts: &[&str]) -> String {
    let hash = Sha256::digest(parts.join("\n"));
    hash.iter().take(16).fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use wire::testing::{id, reply};

    fn step() -> Step<'static> {
        Step {
            doc: "trade/moj-adr-036-multi.md",
            title: "36. Multi-cluster",
            decided_at: Some("2022-09-16T00:00:00Z".into()),
            status: "accepted",
            standing: "accepted",
            supersedes: Some("trade/moj-adr-021-multi.md"),
        }
    }

    fn decided(title: &str, day: &str, names: &[&str]) -> Decided {
        let source = |name: &&str| json!({"passage_id": "c", "relevance": 0.5, "file": name, "title": "T", "quote": "q"});
        let sources: Vec<_> = names.iter().map(source).collect();
        reply(json!({
            "decision_id": "1", "decision": title, "rationale": "r", "status": "accepted", "decided_at": format!("{day}T00:00:00Z"),
            "recorded_at": "2026-11-20T00:00:00Z", "by": "ana", "version": 1, "sources": sources,
        }))
    }

    #[test]
    fn a_decision_is_recorded_with_what_its_document_says() {
        let passage = Passage {
            id: id("c"),
            section: "36 > Decision".into(),
            content: "We will adopt a multi-cluster approach for all workloads.".into(),
            score: 0.75,
        };
        insta::assert_json_snapshot!(body(&step(), &[passage], Some("01D")), @r#"
        {
          "alternatives": [],
          "decided_at": "2022-09-16T00:00:00Z",
          "decision": "36. Multi-cluster",
          "rationale": "We will adopt a multi-cluster approach for all workloads.",
          "sources": [
            {
              "passage_id": "053c2e8b-78a1-5f96-8978-21f95cdc89ed",
              "relevance": 0.75
            }
          ],
          "status": "accepted",
          "supersedes": "01D"
        }
        "#);
        let bare = Step { decided_at: None, ..step() };
        insta::assert_json_snapshot!(body(&bare, &[], None), @r#"
        {
          "alternatives": [],
          "decision": "36. Multi-cluster",
          "rationale": "See trade/moj-adr-036-multi.md.",
          "sources": [],
          "status": "accepted"
        }
        "#);
    }

    #[test]
    fn a_decision_is_known_by_its_title_and_its_document_or_its_day() {
        let is_known = |title: &str, day: &str, names: &[&str]| {
            is_recorded_as(&decided(title, day, names), &step())
        };
        assert!(is_known("36. Multi-cluster", "2000-01-01", &["moj-adr-036-multi.md"]));
        assert!(is_known("36. Multi-cluster", "2022-09-16", &[]));
        assert!(!is_known("36. Multi-cluster", "2022-09-16", &["moj-adr-021-multi.md"]));
        assert!(!is_known("36. Multi-cluster", "2021-05-11", &[]));
        assert!(!is_known("21. Multi-cluster", "2022-09-16", &["moj-adr-036-multi.md"]));
    }

    #[test]
    fn a_key_depends_on_every_part_and_on_nothing_else() {
        assert_eq!(key(&["a", "b"]), key(&["a", "b"]));
        assert_ne!(key(&["a", "b"]), key(&["a", "c"]));
        assert_ne!(key(&["ab"]), key(&["a", "b"]));
    }

    #[test]
    fn what_became_of_a_trail_is_told() {
        let replayed = Replayed {
            name: "hosting".into(),
            recorded: 1,
            known: 2,
            notes: vec!["without sources: a.md".into()],
            ..Replayed::default()
        };
        insta::assert_snapshot!(replayed.render().join("\n"), @r"
        hosting: 1 decision recorded, 2 known
          without sources: a.md
        ");
    }
}
