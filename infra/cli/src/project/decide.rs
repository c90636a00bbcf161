//! A decision, recorded after a look at what was decided on the same before.

use anyhow::Result;
use clap::Args;
use console::Term;
use serde::Deserialize;
use serde_json::{Value, json};
use ulid::Ulid;

use super::{Named, decision, related};
use crate::answer;
use crate::answer::project::Related;
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
    /// A passage that it rests on and how much, from 0 to 1 (1 where it is left out); may be given several times.
    #[arg(long = "source", value_name = "CHUNK_ID[:RELEVANCE]", value_parser = source)]
    sources: Vec<Value>,
    /// How it stands.
    #[arg(long, value_parser = ["proposed", "accepted", "rejected"])]
    status: Option<String>,
    /// The accepted decision whose place it takes.
    #[arg(long, value_name = "DECISION_ID")]
    supersedes: Option<String>,
    /// When it was decided, where that was not now: `2026-05-31T09:00:00Z`.
    #[arg(long, value_name = "TIME", value_parser = super::trail::time)]
    decided_at: Option<String>,
    /// Where the sources are: `global`, `user`, `case:ID`, `team:ID`; may be given several times.
    #[arg(long)]
    knowledge: Vec<String>,
    /// A kept answer that cites the sources, so that they can be quoted while the index is away; may be given several times.
    #[arg(long = "answer", value_name = "ANSWER_ID")]
    answers: Vec<String>,
    /// Saves it without asking, whatever was decided before.
    #[arg(long)]
    yes: bool,
    /// Names this record: sent again with the same key it is not recorded twice.
    #[arg(long, value_name = "KEY")]
    idempotency_key: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Before {
    decisions: Vec<Related>,
}

/// How many earlier decisions are looked at.
const BEFORE: u32 = 5;

/// `CHUNK_ID[:RELEVANCE]` as the API takes it.
fn source(text: &str) -> Result<Value, String> {
    let (chunk, relevance) = text.split_once(':').unwrap_or((text, "1"));
    let relevance: Option<f64> = relevance.trim().parse().ok();
    let relevance = relevance.filter(|relevance| (0.0..=1.0).contains(relevance));
    match (chunk.trim(), relevance) {
        ("", _) => Err("must begin with a chunk's id".into()),
        (_, None) => Err("the relevance must be a number from 0 to 1".into()),
        (chunk, Some(relevance)) => Ok(json!({"chunk_id": chunk, "relevance": relevance})),
    }
}

impl Draft {
    /// The decision as the API takes it; what is not given is left out.
    fn body(&self) -> Value {
        let mut body = json!({
            "decision": self.decision, "rationale": self.rationale, "alternatives": self.alternatives, "sources": self.sources,
        });
        let given = [
            ("status", &self.status),
            ("supersedes", &self.supersedes),
            ("decided_at", &self.decided_at),
        ];
        for (name, value) in given {
            if let Some(value) = value {
                body[name] = json!(value);
            }
        }
        for (name, values) in [("knowledge", &self.knowledge), ("answers", &self.answers)] {
            if !values.is_empty() {
                body[name] = json!(values);
            }
        }
        body
    }
}

pub(super) fn decide(api: &Api, is_json: bool, draft: &Draft) -> Result<()> {
    let path = format!("{}/decisions", draft.named.path());
    let body = json!({"decision": draft.decision, "rationale": draft.rationale, "top_k": BEFORE});
    let before = api.post::<Value>(&format!("{path}/related"), &body)?;
    // What is told on the way must not stand between the lines of a JSON document.
    let out = if is_json { Term::stderr() } else { Term::stdout() };
    let is_wanted = match before {
        Ok(before) => is_to_be_saved(&out, &answer::read_printable(before)?, draft.yes)?,
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
    let decided = api.post_once(&path, &draft.body(), &key)?.map_err(anyhow::Error::from)?;
    page::print(decided, is_json, decision::lines)
}

/// Shows what was decided before, and asks where somebody is there to answer.
fn is_to_be_saved(out: &Term, before: &Before, is_agreed: bool) -> Result<bool> {
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

    #[test]
    fn a_source_may_tell_its_relevance() {
        assert_eq!(source("0b-1"), Ok(json!({"chunk_id": "0b-1", "relevance": 1.0})));
        assert_eq!(source("0b-1:0.25"), Ok(json!({"chunk_id": "0b-1", "relevance": 0.25})));
        assert!(source("0b-1:1.5").is_err());
        assert!(source("0b-1:").is_err());
        assert!(source(":0.5").is_err());
    }

    #[test]
    fn only_what_is_given_is_sent() {
        let mut draft = Draft {
            named: Named { project: "01J".into() },
            decision: "Dry pumps".into(),
            rationale: "They need no seal.".into(),
            alternatives: vec!["Wet pumps".into()],
            sources: vec![json!({"chunk_id": "c", "relevance": 1.0})],
            status: None,
            supersedes: None,
            decided_at: None,
            knowledge: Vec::new(),
            answers: Vec::new(),
            yes: false,
            idempotency_key: None,
        };
        let plain = json!({
            "decision": "Dry pumps", "rationale": "They need no seal.", "alternatives": ["Wet pumps"],
            "sources": [{"chunk_id": "c", "relevance": 1.0}],
        });
        assert_eq!(draft.body(), plain);
        draft.status = Some("proposed".into());
        draft.knowledge = vec!["user".into()];
        let (status, knowledge) = (&draft.body()["status"], &draft.body()["knowledge"]);
        assert_eq!((status, knowledge), (&json!("proposed"), &json!(["user"])));
    }

    #[test]
    fn where_nothing_was_decided_before_nobody_is_asked() {
        let before = Before { decisions: Vec::new() };
        assert!(is_to_be_saved(&Term::stdout(), &before, false).unwrap());
    }
}
