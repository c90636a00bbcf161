//! A decision, recorded after a look at what was decided on the same before.

use anyhow::Result;
use clap::Args;
use console::Term;
use jiff::Timestamp;
use serde_json::Value;
use ulid::Ulid;
use wire::decisions::{DecisionStatus, NewDecision, NewRelated, Reference, RelatedList};

use super::{Named, decision, related};
use crate::api::Api;
use crate::{consent, page};

/// A decision to be recorded.
#[derive(Debug, Args)]
pub(super) struct Draft {
    #[command(flatten)]
    named: Named,
    /// What is chosen.
    decision: String,
    /// Why.
    #[arg(long)]
    rationale: String,
    /// What it is chosen from; may be given several times.
    #[arg(long = "alternative", value_name = "ALTERNATIVE")]
    alternatives: Vec<String>,
    /// A passage that it rests on and how much, from 0 to 1 (1 where it is left out); may be given
    /// several times.
    #[arg(long = "source", value_name = "CHUNK_ID[:RELEVANCE]", value_parser = source)]
    sources: Vec<Reference>,
    /// How it stands.
    #[arg(long, value_name = "proposed|accepted|rejected", value_parser = status)]
    status: Option<DecisionStatus>,
    /// The accepted decision whose place it takes.
    #[arg(long, value_name = "DECISION_ID")]
    supersedes: Option<String>,
    /// When it was decided, where that was not now: `2026-05-31T09:00:00Z`.
    #[arg(long, value_name = "TIME", value_parser = super::trail::time)]
    decided_at: Option<Timestamp>,
    /// Where the sources are: `global`, `user`, `case:ID`, `team:ID`; may be given several times.
    #[arg(long)]
    knowledge: Vec<String>,
    /// A kept answer that cites the sources, so that they can be quoted while the index is away;
    /// may be given several times.
    #[arg(long = "answer", value_name = "ANSWER_ID")]
    answers: Vec<String>,
    /// Lets all members of the project read what is quoted of your own documents, of a case or of
    /// a team.
    #[arg(long)]
    share: bool,
    /// Saves it without asking, whatever was decided before.
    #[arg(long)]
    yes: bool,
    /// Names this record: sent again with the same key it is not recorded twice.
    #[arg(long, value_name = "KEY")]
    idempotency_key: Option<String>,
}

/// The number of earlier decisions that are looked at.
const BEFORE: u32 = 5;

/// Reads `CHUNK_ID[:RELEVANCE]`.
fn source(text: &str) -> Result<Reference, String> {
    let (passage, relevance) = text.split_once(':').unwrap_or((text, "1"));
    let passage_id = passage.trim().parse().map_err(|_| "must begin with the UUID of a passage")?;
    let relevance: Option<f64> = relevance.trim().parse().ok();
    let relevance = relevance.filter(|relevance| (0.0..=1.0).contains(relevance));
    let relevance = relevance.ok_or("the relevance must be a number from 0 to 1")?;
    Ok(Reference { passage_id, relevance })
}

fn status(text: &str) -> Result<DecisionStatus, String> {
    let status = DecisionStatus::parse(text).filter(|number| *number != DecisionStatus::Superseded);
    status.ok_or_else(|| "must be proposed, accepted or rejected".into())
}

impl Draft {
    fn request(&self) -> NewDecision {
        NewDecision {
            decision: self.decision.clone(),
            alternatives: self.alternatives.clone(),
            rationale: self.rationale.clone(),
            sources: self.sources.clone(),
            status: self.status,
            supersedes: self.supersedes.clone(),
            decided_at: self.decided_at,
            knowledge: self.knowledge.clone(),
            answers: self.answers.clone(),
            share: self.share,
        }
    }
}

pub(super) fn decide(api: &Api, is_json: bool, draft: &Draft) -> Result<()> {
    let path = format!("{}/decisions", draft.named.path());
    let related = NewRelated {
        decision: draft.decision.clone(),
        rationale: Some(draft.rationale.clone()),
        top_k: Some(BEFORE),
    };
    let before = api.post::<Value>(&format!("{path}/related"), &related)?;
    // What is told on the way must not stand between the lines of a JSON document.
    let out = if is_json { Term::stderr() } else { Term::stdout() };
    let is_wanted = match before {
        Ok(before) => is_to_be_saved(&out, &page::read(before)?, draft.yes)?,
        Err(away) if away.status == 503 => {
            let reason = &away.reason;
            out.write_line(&format!("What was decided before cannot be looked for: {reason}"))?;
            draft.yes || consent::is_given(&out, "Save it all the same?")?
        }
        Err(refusal) => return Err(refusal.into()),
    };
    if !is_wanted {
        out.write_line("Nothing was saved.")?;
        return Ok(());
    }
    let key = draft.idempotency_key.clone().unwrap_or_else(|| Ulid::generate().to_string());
    let decided = api.post_once(&path, &draft.request(), &key)?.map_err(anyhow::Error::from)?;
    page::print(decided, is_json, decision::lines)
}

/// Shows what was decided before, and asks where somebody is there to answer.
fn is_to_be_saved(out: &Term, before: &RelatedList, is_agreed: bool) -> Result<bool> {
    let lines = related::lines("Decided before", &before.decisions, page::width(out));
    if lines.is_empty() {
        return Ok(true);
    }
    lines.iter().skip(1).try_for_each(|line| out.write_line(line))?;
    out.write_line("")?;
    Ok(is_agreed || consent::is_given(out, "Save it all the same?")?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wire::testing::id;

    #[test]
    fn a_source_may_tell_its_relevance() {
        let id = id("c");
        let relevance = |text: &str| source(&format!("{id}{text}")).map(|source| source.relevance);
        assert_eq!(relevance(""), Ok(1.0));
        assert_eq!(relevance(":0.25"), Ok(0.25));
        assert!(relevance(":1.5").is_err() && relevance(":").is_err());
        assert!(source(":0.5").is_err() && source("0b-1").is_err());
    }

    #[test]
    fn no_decision_is_superseded_from_the_first() {
        assert_eq!(status("proposed"), Ok(DecisionStatus::Proposed));
        assert!(status("superseded").is_err());
    }

    #[test]
    fn where_nothing_was_decided_before_nobody_is_asked() {
        let before = RelatedList { decisions: Vec::new() };
        assert!(is_to_be_saved(&Term::stdout(), &before, false).unwrap());
    }
}
