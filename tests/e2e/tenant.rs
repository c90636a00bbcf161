//! Tests that a stranger reaches no case, no document of a user or a team, no answer and no project
//! of others.

use anyhow::{Context, Result, ensure};
use plumbline_tests::{Reply, Stack};
use serde_json::{Value, json};

use crate::Test;
use crate::case::refused;
use crate::knowledge::{bring, open};
use crate::project::{ok, project};

mod known;
mod spelling;
mod way;

use known::{Id, Ids, Known};
use spelling::Spelling;
use way::{QUESTION, Way, tools, ways};

pub(crate) const TESTS: &[(&str, Test)] =
    &[("no try to cross into foreign texts brings a word of them", strange)];

/// A word that occurs only in the foreign documents.
const MARKER: &str = "brassquill";
/// The tries beside those in plain letters, unless `TENANT_TRIES` says otherwise.
const TRIES: usize = 200;
/// The seed, fixed so that all runs make the same tries.
const SEED: u64 = 4_711;

const UNKNOWN_ULID: &str = "01J00000000000000000000000";
const UNKNOWN_UUID: &str = "00000000-0000-4000-8000-000000000000";
/// Ids of nothing, too, where the rest of a request needs one.
const OTHER_ULID: &str = "01J00000000000000000000001";
const OTHER_UUID: &str = "00000000-0000-4000-8000-000000000001";

/// Things that belong to `vera` and the team `keepers`, and to nobody else.
struct Foreign {
    case: String,
    project: String,
    decision: String,
    bases: [String; 3],
    documents: Vec<String>,
    cursors: Vec<String>,
    answers: Vec<String>,
    passages: Vec<String>,
}

impl Foreign {
    fn make(stack: &Stack, owner: &str) -> Result<Foreign> {
        let case = open(stack, "vera")?;
        let project = project(stack, "vera", &json!({"name": "Vault"}))?;
        let decision = json!({"decision": format!("Keep the {MARKER}"), "rationale": "It fits."});
        let decided = ok(stack.call("vera", &format!("POST {project}/decisions"), &decision)?)?;
        let decision = decided["decision_id"].as_str().context("no id")?.to_owned();
        let bases =
            [format!("/v1/cases/{case}"), "/v1/users/me".into(), "/v1/teams/keepers".into()];
        let (mut documents, mut cursors) = (Vec::new(), Vec::new());
        let (mut answers, mut passages) = (Vec::new(), Vec::new());
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
            let passage = &answer["citations"][0]["passage"]["passage_id"];
            passages.push(passage.as_str().context("no passage")?.into());
        }
        ensure!(documents.len() == 6, "{documents:?}");
        let project = project.trim_start_matches("/v1/projects/").into();
        Ok(Foreign { case, project, decision, bases, documents, cursors, answers, passages })
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
    let own = project(stack, "mallory", &json!({"name": "Gate"}))?;
    let text = "# Gate Sheet\n\nThe door of the gate is opened with a badge.\n";
    bring(stack, &stranger, "user", ("gate.md", text))?;
    let foreign = Foreign::make(stack, &owner)?;
    refused(&asked(stack, &stranger, &foreign.bases[0])?, 404, "no case named")?;
    refused(&asked(stack, &stranger, &foreign.bases[2])?, 403, "`keepers`")?;
    let known = known(&foreign, &case, own.trim_start_matches("/v1/projects/"));
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let list = ok(stack.call_as(&stranger, "POST /mcp", &[], &list)?)?;
    let ways: Vec<Way> = ways(&known)?.into_iter().chain(tools(&list)).collect();
    ensure!(ways.len() > 250, "there are {} ways only", ways.len());
    // Each way is tried in plain letters first, and then random ways in random spellings.
    let mut random = fastrand::Rng::with_seed(SEED);
    let plain = ways.iter().map(|way| (way, Spelling::Plain));
    let others = (0..tries()).map(|_| {
        let spelling = Spelling::ALL[random.usize(..Spelling::ALL.len())];
        (&ways[random.usize(..ways.len())], spelling)
    });
    let all: Vec<(&Way, Spelling)> = plain.chain(others).collect();
    for (number, (way, spelling)) in all.iter().enumerate() {
        let foreign = &known.of(way.id).foreign;
        let ids = &foreign[number % foreign.len()];
        attempt(stack, &stranger, (way, *spelling), ids)
            .with_context(|| format!("try {number}"))?;
    }
    eprintln!("tenants: {} tries in {} ways", all.len(), ways.len());
    foreign.is_untouched(stack, &owner)
}

#[expect(clippy::disallowed_methods, reason = "a longer run is asked for by its environment")]
fn tries() -> usize {
    let wanted = std::env::var("TENANT_TRIES").ok();
    wanted.and_then(|wanted| wanted.parse().ok()).unwrap_or(TRIES)
}

/// Returns all ids; `case` and `project` are the stranger's.
fn known(foreign: &Foreign, case: &str, project: &str) -> Known {
    let ids = |id: Id, foreign: &[String], own: &str, unknown: &str| Ids {
        id,
        foreign: foreign.iter().map(|foreign| [foreign.clone(), unknown.into()]).collect(),
        own: own.into(),
    };
    let one = |text: &str| [text.to_owned()];
    let bases = Ids {
        id: Id::Knowledge,
        foreign: vec![
            [format!("case:{}", foreign.case), format!("case:{UNKNOWN_ULID}")],
            [format!("project:{}", foreign.project), format!("project:{UNKNOWN_ULID}")],
            ["team:keepers".into(), "team:nobody".into()],
            ["user:vera".into(), "user:nobody".into()],
        ],
        own: "user".into(),
    };
    let gate =
        model::document::document_id(&ports::scope::Scope::User("mallory".into()), "gate.md");
    Known(vec![
        ids(Id::Case, &one(&foreign.case), case, UNKNOWN_ULID),
        ids(Id::Team, &one("keepers"), "fitters", "nobody"),
        ids(Id::Project, &one(&foreign.project), project, UNKNOWN_ULID),
        ids(Id::Decision, &one(&foreign.decision), OTHER_ULID, UNKNOWN_ULID),
        ids(Id::Document, &foreign.documents, &gate.to_string(), UNKNOWN_UUID),
        ids(Id::Answer, &foreign.answers, OTHER_ULID, UNKNOWN_ULID),
        ids(Id::Passage, &foreign.passages, OTHER_UUID, UNKNOWN_UUID),
        ids(Id::Cursor, &foreign.cursors, "", "bm9ib2R5L25vYm9keQ"),
        bases,
        ids(Id::File, &["vault.md", "shaft.md"].map(String::from), "gate.md", "no.md"),
        ids(Id::Title, &["Vault Sheet", "Shaft Sheet"].map(String::from), "Gate", "No Sheet"),
    ])
}

/// Asks in the same way for something foreign and for something that does not exist. The replies
/// must be equal.
fn attempt(
    stack: &Stack,
    token: &str,
    (way, spelling): (&Way, Spelling),
    [foreign, unknown]: &[String; 2],
) -> Result<()> {
    let ask = |id: &str| {
        let (route, body) = way.asking(&spelling.in_path(id), &spelling.decoded(id));
        let reply = stack.call_as(token, &route, &[], &body)?;
        let line = format!("{route} {body}: {} {}", reply.status, reply.text);
        ensure!(!reply.text.contains(MARKER), "{line}");
        ensure!(reply.status == 200 || (400..500).contains(&reply.status), "{line}");
        anyhow::Ok((spelling.without(id, &without_stamps(&reply)), line))
    };
    let ((foreign, line), (unknown, other)) = (ask(foreign)?, ask(unknown)?);
    ensure!(
        foreign == unknown,
        "what is foreign is told from what is not there:\n{line}\n{other}\n{foreign}\n{unknown}"
    );
    Ok(())
}

/// Returns status, headers and body without the parts that differ between requests.
fn without_stamps(reply: &Reply) -> String {
    let mut body = reply.body.clone();
    drop_stamps(&mut body);
    let text = if body.is_null() { reply.text.clone() } else { body.to_string() };
    format!("{} {:?} {text}", reply.status, reply.headers)
}

fn drop_stamps(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|field, _| !["meta", "instance", "ms"].contains(&field.as_str()));
            fields.values_mut().for_each(drop_stamps);
        }
        Value::Array(all) => all.iter_mut().for_each(drop_stamps),
        _ => {}
    }
}
