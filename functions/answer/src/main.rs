//! `POST /v1/{global|users/me|cases/{case_id}|teams/{team_id}}/{answer|records}`, `GET` of the latter and of
//! `passages/{chunk_id}` there, `GET /v1/answers/{answer_id}` and `GET /v1/health`.

use adapters::{Bedrock, Bucket, Converse, Qdrant, Table, env};
use lambda::Call;
use serde::Serialize;
use wire::health::Health;
use wire::passages::Passage;
use wire::records::{ColumnsReply, RecordsReply};
use workflow::answer::{self, KnowledgeBases, Library, Report, Services};
use workflow::mode::AnswerMode;
use workflow::ports::{Embedder, Model, Purpose};
use workflow::scope::Scope;
use workflow::strategy::Writer;
use workflow::{Error, Result, health, passage, records};

/// What each kind of route answers.
#[derive(Serialize)]
#[serde(untagged)]
enum Reply {
    Answer(Box<Report>),
    Records(RecordsReply),
    Columns(ColumnsReply),
    Passage(Passage),
    Health(Health),
}

#[lambda::tokio::main(flavor = "current_thread", crate = "lambda::tokio")]
async fn main() -> Result<(), lambda::Error> {
    let files = adapters::knowledge_files()?;
    let bases = KnowledgeBases::parse(&files).map_err(|trouble| trouble.to_string())?;
    let mode = env::mode()?;
    let pipes = Pipes {
        bedrock: Bedrock::from_env(Purpose::Question)?,
        qdrant: Qdrant::from_env(Purpose::Question)?,
        table: Table::from_env()?,
        converse: Converse::from_env()?,
        queries: Converse::of_queries_from_env()?,
        bucket: Bucket::from_env()?,
    };
    let gate = lambda::Gate::new(env::groups()?, env::rate()?, &pipes.table);
    lambda::serve(gate, async |call: &Call| {
        if call.route == "GET /v1/health" {
            return Ok(Reply::Health(health(call, &pipes).await));
        }
        if call.route.ends_with("/passages/{chunk_id}") {
            return passage(call, &pipes).await.map(Reply::Passage);
        }
        if call.route.ends_with("/records") {
            return records(call, &pipes).await;
        }
        answer(call, &pipes, (&bases, mode)).await.map(|own| Reply::Answer(Box::new(own)))
    })
    .await
}

/// Whose documents a route means that ends in `ending`.
fn scope(call: &Call, ending: &str) -> Result<Scope> {
    let path = call.route.split_once(' ').and_then(|(_, path)| path.strip_suffix(ending));
    let missing = || Error::Missing { kind: "route", name: call.route.clone() };
    path.and_then(|path| call.scope(path)).ok_or_else(missing)
}

async fn records(call: &Call, pipes: &Pipes) -> Result<Reply> {
    let services = records::Services {
        documents: &pipes.table,
        files: &pipes.bucket,
        members: &pipes.table,
        may_go_on: &|| call.has_time(),
    };
    let scope = scope(call, "/records")?;
    if call.route.starts_with("GET ") {
        return records::columns(&services, &call.caller, &scope).await.map(Reply::Columns);
    }
    records::run(&services, &call.caller, &scope, call.json()?).await.map(Reply::Records)
}

async fn health(call: &Call, pipes: &Pipes) -> Health {
    let receipt = &call.receipt;
    let services = health::Services {
        embedder: &receipt.embedder(&pipes.bedrock, pipes.bedrock.model()),
        index: &pipes.qdrant,
        table: &pipes.table,
        chat_model: pipes.converse.as_ref().map(Converse::model),
    };
    health::look(&services, &call.caller).await
}

async fn passage(call: &Call, pipes: &Pipes) -> Result<Passage> {
    let services = passage::Services {
        index: &call.receipt.index(&pipes.qdrant),
        originals: &pipes.qdrant,
        members: &pipes.table,
    };
    let (scope, id) = (scope(call, "/passages/{chunk_id}")?, call.parameter("chunk_id"));
    let reveal = call.query("reveal");
    let shown = passage::show(&services, &call.caller, &scope, (id, reveal)).await?;
    if reveal == Some("true") {
        lambda::audit("a passage was shown with its secrets", call, id);
    }
    Ok(shown)
}

struct Pipes {
    bedrock: Bedrock,
    qdrant: Qdrant,
    table: Table,
    converse: Option<Converse>,
    /// The same model, for which nobody waits as long.
    queries: Option<Converse>,
    bucket: Bucket,
}

async fn answer(
    call: &Call,
    pipes: &Pipes,
    (bases, mode): (&KnowledgeBases, AnswerMode),
) -> Result<Report> {
    let Pipes { bedrock, qdrant, table, converse, queries, bucket } = pipes;
    let receipt = &call.receipt;
    let answers = receipt.answers(table);
    let store = receipt.store(table);
    let desk = call.desk(table, &store);
    if call.route.starts_with("GET ") {
        let index = receipt.index(qdrant);
        let library = Library { index: &index, documents: table };
        let id = call.parameter("answer_id");
        let given = answer::stored(&answers, &library, &desk, id).await?;
        return Ok(receipt.given(given));
    }
    let (embedder, index) = (receipt.embedder(bedrock, bedrock.model()), receipt.index(qdrant));
    let model = converse.as_ref().map(|own| (receipt.model(own, own.model()), own.model()));
    let queries = queries.as_ref().map(|own| (receipt.model(own, own.model()), own.model()));
    let space = bedrock.space();
    let services = Services {
        bases,
        embedder: &embedder,
        embed_model: &space,
        index: &index,
        documents: table,
        answers: &answers,
        model: model.as_ref().map(|(model, name)| (model as &dyn Model, *name)),
        writer: Writer {
            model: queries.as_ref().map(|(model, name)| (model as &dyn Model, *name)),
            kept: table,
            mode,
        },
        files: bucket,
        may_go_on: &|| call.has_time(),
    };
    let given = answer::run(&services, &desk, scope(call, "/answer")?, call.json()?).await?;
    Ok(receipt.given(given))
}
