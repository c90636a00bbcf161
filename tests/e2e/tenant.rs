//! Tests that a stranger reaches no case, no document of a user or a team, no answer and no project
//! of others.

use anyhow::{Context, Result, ensure};
use plumbline_tests::{Reply, Stack};
use serde_json::{Value, json};

use crate::Test;
use crate::case::refused;
use crate::knowledge::{bring, open};
use crate::project::{ok, project};

mod way;

use way::{QUESTION, Spelling, Target, Way, targets};

pub(crate) const TESTS: &[(&str, Test)] =
    &[("of 300 tries to cross into foreign documents none brings a word of them", strange)];

/// A word that occurs only in the foreign documents.
const MARKER: &str = "brassquill";
const TRIES: usize = 300;
/// The seed, fixed so that all runs make the same tries.
const SEED: u64 = 4_711;

const UNKNOWN_ULID: &str = "01J00000000000000000000000";
const UNKNOWN_UUID: &str = "00000000-0000-4000-8000-000000000000";

/// Things that belong to `vera` and the team `keepers`, and to nobody else.
struct Foreign {
    case: String,
    project: String,
    bases: [String; 3],
    documents: Vec<String>,
    cursors: Vec<String>,
    answers: Vec<String>,
}

impl Foreign {
    fn make(stack: &Stack, owner: &str) -> Result<Foreign> {
        let case = open(stack, "vera")?;
        let project = project(stack, "vera", &json!({"name": "Vault"}))?;
        let decision = json!({"decision": format!("Keep the {MARKER}"), "rationale": "It fits."});
        ok(stack.call("vera", &format!("POST {project}/decisions"), &decision)?)?;
        let bases =
            [format!("/v1/cases/{case}"), "/v1/users/me".into(), "/v1/teams/keepers".into()];
        let (mut documents, mut cursors, mut answers) = (Vec::new(), Vec::new(), Vec::new());
        let knowledge = [format!("case:{case}"), "user".into(), "team:keepers".into()];
        for (base, knowledge) in bases.iter().zip(knowledge) {
            for (name, what) in [("vault.md", "Vault"), ("shaft.md", "Shaft")] {
                let text = format!(
                    "# {what} Sheet\n\nThe door of the {} is opened with a {MARKER}.\n",
                    what.to_lowercase()
                );
                bring(stack, owner, &knowledge, (name, &text))?;
            }
            let route = format!("GET {base}/documents?limit=1");
            let page = ok(stack.call_as(owner, &route, &[], &Value::Null)?)?;
            cursors.push(page["cursor"].as_str().context("no cursor")?.into());
            let route = format!("GET {base}/documents");
            let list = ok(stack.call_as(owner, &route, &[], &Value::Null)?)?;
            let ids = list["documents"].as_array().into_iter().flatten();
            documents.extend(
                ids.filter_map(|document| document["document_id"].as_str().map(str::to_owned)),
            );
            let answer = ok(asked(stack, owner, base)?)?;
            ensure!(answer["claims"].to_string().contains(MARKER), "{answer}");
            answers.push(answer["meta"]["answer_id"].as_str().context("no id")?.into());
        }
        ensure!(documents.len() == 6, "{documents:?}");
        let project = project.trim_start_matches("/v1/projects/").into();
        Ok(Foreign { case, project, bases, documents, cursors, answers })
    }

    /// Checks that the owner finds everything unchanged.
    fn is_untouched(&self, stack: &Stack, owner: &str) -> Result<()> {
        for base in &self.bases {
            let list = stack.call_as(owner, &format!("GET {base}/documents"), &[], &Value::Null)?;
            let list = ok(list)?;
            let documents = list["documents"].as_array().context("no documents")?;
            ensure!(documents.len() == 2, "{list}");
            ensure!(documents.iter().all(|document| document["status"] == "indexed"), "{list}");
            let answer = ok(asked(stack, owner, base)?)?;
            ensure!(answer["meta"]["cache"] == "hit", "{answer}");
        }
        let case = stack.call("vera", &format!("GET /v1/cases/{}", self.case), &Value::Null)?;
        let case = ok(case)?;
        let members = json!([{"user": "vera", "role": "owner"}]);
        ensure!(case["status"] == "open" && case["members"] == members, "{case}");
        Ok(())
    }
}

/// Asks the question whose answer is stored for the owner.
fn asked(stack: &Stack, token: &str, base: &str) -> Result<Reply> {
    stack.call_as(token, &format!("POST {base}/answer"), &[], &json!({"question": QUESTION}))
}

fn strange(stack: &Stack) -> Result<()> {
    let owner = stack.token("sub=vera&groups=keepers")?;
    let stranger = stack.token("sub=mallory&groups=fitters")?;
    let case = open(stack, "mallory")?;
    let text = "# Gate Sheet\n\nThe door of the gate is opened with a badge.\n";
    bring(stack, &stranger, "user", ("gate.md", text))?;
    let foreign = Foreign::make(stack, &owner)?;
    refused(&asked(stack, &stranger, &foreign.bases[0])?, 404, "no case named")?;
    refused(&asked(stack, &stranger, &foreign.bases[2])?, 403, "`keepers`")?;
    let targets = targets(&foreign, &case);
    // Each way is tried in plain letters first, and then random ways in random spellings.
    let plain = targets.iter().flat_map(|target| {
        let ways = target.ways.iter().zip(target.foreign.iter().cycle());
        ways.map(move |(way, id)| Try { target, way, spelling: Spelling::Plain, id })
    });
    let plain: Vec<Try<'_>> = plain.collect();
    let mut random = fastrand::Rng::with_seed(SEED);
    let others = (plain.len()..TRIES).map(|number| {
        let target = &targets[number % targets.len()];
        let way = &target.ways[random.usize(..target.ways.len())];
        let spelling = Spelling::ALL[random.usize(..Spelling::ALL.len())];
        let id = &target.foreign[random.usize(..target.foreign.len())];
        Try { target, way, spelling, id }
    });
    let others: Vec<Try<'_>> = others.collect();
    for (number, one) in plain.iter().chain(&others).enumerate() {
        attempt(stack, &stranger, one).with_context(|| format!("try {number}"))?;
    }
    foreign.is_untouched(stack, &owner)
}

/// One request for something foreign.
struct Try<'t> {
    target: &'t Target,
    way: &'t Way,
    spelling: Spelling,
    id: &'t str,
}

/// Asks in the same way for something foreign and for something that does not exist. The replies
/// must be equal.
fn attempt(stack: &Stack, token: &str, one: &Try<'_>) -> Result<()> {
    let Try { target, way, spelling, id: foreign } = *one;
    let ask = |id: &str| {
        let (route, body) = way.asking(id, spelling);
        let reply = stack.call_as(token, &route, &[], &body)?;
        let line = format!("{route} {body}: {} {}", reply.status, reply.text);
        ensure!(!reply.text.contains(MARKER), "{line}");
        ensure!(reply.status == 200 || (400..500).contains(&reply.status), "{line}");
        anyhow::Ok((spelling.without(id, &without_stamps(&reply)), line))
    };
    let ((foreign, line), (unknown, other)) = (ask(foreign)?, ask(&target.unknown)?);
    ensure!(foreign == unknown, "what is foreign is told from what is not there:\n{line}\n{other}");
    Ok(())
}

/// Returns the reply without the parts that differ between requests.
fn without_stamps(reply: &Reply) -> String {
    let mut body = reply.body.clone();
    if let Some(body) = body.as_object_mut() {
        body.retain(|field, _| field != "meta" && field != "instance");
    }
    let text = if body.is_null() { reply.text.clone() } else { body.to_string() };
    format!("{} {text}", reply.status)
}
