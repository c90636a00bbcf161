//! Tests the digest: one for each project and period, none without changes, and failures among the
//! dead letters.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

use adapters::Table;
use anyhow::{Context, Result, bail, ensure};
use aws_sdk_sqs::types::QueueAttributeName::{
    ApproximateNumberOfMessages, ApproximateNumberOfMessagesNotVisible,
};
use decisions::digest::{Length, last_period};
use decisions::projects;
use decisions::projects::{Once, ProjectContext};
use jiff::{SignedDuration, Timestamp};
use plumbline_tests::{Stack, root};
use ports::Notes;
use ports::question::Stamp;
use ports::scope::Caller;
use ports::trail::ulid_at;
use serde_json::{Value, json};
use testing::{Corpus, FakeMembers, caller, project_context};
use wire::trail::Asked;

use crate::Test;
use crate::fault::drained;
use crate::life::{credentials, sqs};
use crate::project::{ok, project};

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("a week is told once, and only where something changed", one_digest_per_week),
    ("a digest is told once where a route names the project and is invited", told_once),
    ("a digest that fails is among the dead letters by its project's name", failed),
];

/// A user who worked last week, with data in the table of the stack.
struct LastWeek {
    table: Table,
    corpus: Corpus,
    members: FakeMembers,
    caller: Caller,
    begin: Timestamp,
}

pub(crate) fn dynamodb(stack: &Stack) -> Result<aws_sdk_dynamodb::Client> {
    use aws_sdk_dynamodb::config::{BehaviorVersion, Config, Region};
    let config = Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("us-east-1"))
        .credentials_provider(credentials())
        .http_client(aws_smithy_http_client::Builder::new().build_http())
        .endpoint_url(stack.fact("gateway_url")?);
    Ok(aws_sdk_dynamodb::Client::from_conf(config.build()))
}

impl LastWeek {
    fn of(stack: &Stack, sub: &str) -> Result<LastWeek> {
        Ok(LastWeek {
            table: Table::new(dynamodb(stack)?, stack.fact("table")?),
            corpus: Corpus::default(),
            members: FakeMembers::default(),
            caller: caller(sub),
            begin: last_period(Length::Week, Timestamp::now()).0,
        })
    }

    /// Returns a stamp `hours` after the beginning of the week.
    fn stamp(&self, hours: i64) -> Stamp {
        let time = self.begin + SignedDuration::from_hours(hours);
        Stamp { id: ulid_at(time), time }
    }

    fn context<'a>(&'a self, stamp: &'a Stamp) -> ProjectContext<'a> {
        project_context(&self.caller, stamp, &self.table, &self.members, &self.corpus)
    }

    async fn work(&self) -> Result<String> {
        let once = Once { route: "", key: None, body: b"" };
        // This time is before the week.
        let stamp = self.stamp(-5);
        let new = serde_json::from_value(json!({"name": "Worked on last week"}))?;
        let project = projects::create(&self.context(&stamp), &once, new).await?.project_id;
        let decide = async |hours: i64, new: Value| -> Result<String> {
            let stamp = self.stamp(hours);
            let new = serde_json::from_value(new)?;
            let reply = projects::decide(&self.context(&stamp), &project, &once, new).await?;
            Ok(reply.reply.decided.decision.decision_id)
        };
        let old = decide(-4, json!({"decision": "Old one", "rationale": "Then."})).await?;
        decide(30, json!({"decision": "New one", "rationale": "Now.", "supersedes": old})).await?;
        let wanted = serde_json::from_value(json!({"to": "active", "version": 1}))?;
        let stamp = self.stamp(31);
        projects::move_status(&self.context(&stamp), &project, wanted).await?;
        for (hours, question) in [(40, "Which crane lifts 9 t?"), (41, "which cranes lift 9 t")] {
            let stamp = self.stamp(hours);
            let asked = Asked {
                query_id: stamp.id,
                question: question.into(),
                workflow: "explore".into(),
                results: Vec::new(),
                by: self.caller.sub.clone(),
                at: stamp.time,
            };
            self.table.record(&project, &asked).await?;
        }
        Ok(project)
    }
}

fn runtime() -> Result<tokio::runtime::Runtime> {
    Ok(tokio::runtime::Builder::new_current_thread().enable_all().build()?)
}

/// Runs the schedule's event, and waits until the queue is empty again.
fn run(stack: &Stack) -> Result<()> {
    stack.invoke("digest", "tests/events/digest.json")?;
    runtime()?.block_on(async {
        let client = sqs(stack)?;
        let wanted = [ApproximateNumberOfMessages, ApproximateNumberOfMessagesNotVisible];
        let mut pause = tokio::time::interval(std::time::Duration::from_millis(100));
        for _ in 0..600 {
            pause.tick().await;
            let request = client.get_queue_attributes().queue_url(stack.fact("digest_queue_url")?);
            let got = request.set_attribute_names(Some(wanted.to_vec())).send().await?;
            let counts = got.attributes.context("no counts")?;
            if counts.values().all(|count| count == "0") {
                return Ok(());
            }
        }
        bail!("the queue is not empty")
    })
}

fn one_digest_per_week(stack: &Stack) -> Result<()> {
    let busy = runtime()?.block_on(async { LastWeek::of(stack, "dora")?.work().await })?;
    let quiet = project(stack, "dora", &json!({"name": "Begun today"}))?;
    let digests = |path: &str| -> Result<Value> {
        let route = format!("GET {path}/digests");
        Ok(ok(stack.call("dora", &route, &Value::Null)?)?["digests"].clone())
    };
    run(stack)?;
    run(stack)?;
    let written = digests(&format!("/v1/projects/{busy}"))?;
    ensure!(written.as_array().is_some_and(|all| all.len() == 1), "{written}");
    let digest = &written[0];
    ensure!(digest["new_decisions"][0]["decision"] == "New one", "{digest}");
    ensure!(digest["unsupported"][0]["decision"] == "New one", "{digest}");
    ensure!(digest["superseded"][0]["decision"] == "Old one", "{digest}");
    ensure!(digest["superseded"][0]["by"] == digest["new_decisions"][0]["decision_id"], "{digest}");
    ensure!(digest["status_moves"][0]["to"] == "active" && digest["questions"] == 2, "{digest}");
    let gap = &digest["knowledge_gaps"][0];
    ensure!(gap["question"] == "which cranes lift 9 t" && gap["times"] == 2, "{digest}");
    ensure!(digests(&quiet)? == json!([]), "nothing changed last week in what began today");
    let text = stack.plumbline("dora", &["project", "digest", &busy])?;
    ensure!(text.contains("New one") && text.contains("which cranes lift 9 t"), "{text}");
    Ok(())
}

fn failed(stack: &Stack) -> Result<()> {
    let job = json!({"project_id": "01J00000000000000000000000", "from": "2026-11-09T00:00:00Z", "to": "2026-11-16T00:00:00Z"});
    runtime()?.block_on(async {
        let client = sqs(stack)?;
        let (queue, dead) = (stack.fact("digest_queue_url")?, stack.fact("digest_dlq_url")?);
        client.send_message().queue_url(queue).message_body(job.to_string()).send().await?;
        for _ in 0..30 {
            let got = client.receive_message().queue_url(dead).wait_time_seconds(10).send().await?;
            if let Some(message) = got.messages().first() {
                let names = message.body().is_some_and(|body| body.contains("01J0000000"));
                ensure!(names, "{message:?}");
                return Ok(());
            }
        }
        bail!("no dead letter came")
    })
}

/// A server that takes what is sent to it.
fn listening() -> Result<(String, Arc<Mutex<Vec<String>>>)> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = format!("http://{}/hook", listener.local_addr()?);
    let taken: Arc<Mutex<Vec<String>>> = Arc::default();
    let kept = Arc::clone(&taken);
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(std::result::Result::ok) {
            let mut reader = BufReader::new(stream);
            let (mut line, mut length) = (String::new(), 0);
            while reader.read_line(&mut line).is_ok() && line.trim() != "" {
                let header = line.to_lowercase();
                let value = header.strip_prefix("content-length:").map(str::trim);
                length = value.and_then(|value| value.parse().ok()).unwrap_or(length);
                line.clear();
            }
            let mut body = vec![0; length];
            if reader.read_exact(&mut body).is_ok() {
                kept.lock().unwrap().push(String::from_utf8_lossy(&body).into_owned());
                let _ = reader.get_mut().write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
            }
        }
    });
    Ok((address, taken))
}

fn told_once(stack: &Stack) -> Result<()> {
    let mut week = LastWeek::of(stack, "ruth")?;
    // The times make the ids: those of another test's project are taken.
    week.begin += SignedDuration::from_mins(1);
    let project = runtime()?.block_on(week.work())?;
    let (hook, taken) = listening()?;
    let folder = tempfile::tempdir()?;
    let demo = std::fs::read_to_string(root().join("infra/alert_routes/demo.toml"))?;
    std::fs::write(folder.path().join("demo.toml"), demo)?;
    for (route, address) in [("invited", "hook"), ("stranger", "hook.stranger")] {
        let file = format!(
            "vendor = \"generic\"\nteam = \"ops\"\nproject = \"{project}\"\nauth = \"hmac\"\nsecret = \"demo\"\n\
             [[messages]]\nto = \"webhook\"\naddress = \"{address}\"\nkey = \"hook.key\"\nevents = [\"digest\"]\n"
        );
        std::fs::write(folder.path().join(format!("{route}.toml")), file)?;
    }
    let secrets =
        json!({"demo": "demo", "hook": hook, "hook.stranger": hook, "hook.key": "whsec_aG9vaw=="});
    let routes = folder.path().to_string_lossy().into_owned();
    stack.deploy_with(&["--alert-routes", &routes, "--alert-secrets", &secrets.to_string()])?;
    let invited = format!("PUT /v1/projects/{project}/members/alerts:invited");
    ok(stack.call("ruth", &invited, &Value::Null)?)?;
    run(stack)?;
    run(stack)?;
    drained(stack, "task_queue_url")?;
    stack.deploy_with(&[])?;
    let taken = taken.lock().unwrap();
    let [message] = &taken[..] else { bail!("{} messages came", taken.len()) };
    let message: Value = serde_json::from_str(message)?;
    ensure!(
        message["type"] == "project.digest" && message["data"]["route"] == "invited",
        "{message}"
    );
    let digest = &message["data"]["digest"];
    ensure!(digest["project_id"] == *project, "{message}");
    ensure!(digest["new_decisions"][0]["decision"] == "New one", "{message}");
    Ok(())
}
