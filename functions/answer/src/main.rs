//! `POST /v1/{global|users/me|cases/{case_id}|teams/{team_id}}/answer` and `GET /v1/answers/{answer_id}`.

use adapters::{Bedrock, Converse, Qdrant, Table, env};
use lambda::Call;
use workflow::answer::{self, Effort, KnowledgeBases, Report, Services};
use workflow::ports::{Model, Purpose};
use workflow::{Error, Result};

#[lambda::tokio::main(flavor = "current_thread", crate = "lambda::tokio")]
async fn main() -> Result<(), lambda::Error> {
    let files = adapters::knowledge_files()?;
    let bases = KnowledgeBases::parse(&files).map_err(|trouble| trouble.to_string())?;
    let effort = match env::optional("EFFORT").as_deref() {
        Some("standard") => Effort::Standard,
        Some("minimal") | None => Effort::Minimal,
        Some(other) => return Err(format!("EFFORT is `{other}`, not minimal or standard").into()),
    };
    let pipes = Pipes {
        bedrock: Bedrock::from_env(Purpose::Question)?,
        qdrant: Qdrant::from_env(Purpose::Question)?,
        table: Table::from_env()?,
        converse: Converse::from_env()?,
    };
    lambda::serve(async |call: &Call| answer(call, &pipes, (&bases, effort)).await).await
}

struct Pipes {
    bedrock: Bedrock,
    qdrant: Qdrant,
    table: Table,
    converse: Option<Converse>,
}

async fn answer(
    call: &Call,
    pipes: &Pipes,
    (bases, effort): (&KnowledgeBases, Effort),
) -> Result<Report> {
    let Pipes { bedrock, qdrant, table, converse } = pipes;
    let receipt = &call.receipt;
    let answers = receipt.answers(table);
    let store = receipt.store(table);
    let desk = call.desk(table, &store);
    if call.route.starts_with("GET ") {
        let given = answer::stored(&answers, &desk, call.parameter("answer_id")).await?;
        return Ok(receipt.given(given));
    }
    let (embedder, index) = (receipt.embedder(bedrock, bedrock.model()), receipt.index(qdrant));
    let model = converse.as_ref().map(|own| (receipt.model(own, own.model()), own.model()));
    let space = bedrock.space();
    let services = Services {
        bases,
        embedder: &embedder,
        embed_model: &space,
        index: &index,
        documents: table,
        answers: &answers,
        model: model.as_ref().map(|(model, name)| (model as &dyn Model, *name)),
        effort,
    };
    let path = call.route.strip_prefix("POST ").and_then(|path| path.strip_suffix("/answer"));
    let missing = || Error::Missing { kind: "route", name: call.route.clone() };
    let scope = path.and_then(|path| call.scope(path)).ok_or_else(missing)?;
    let given = answer::run(&services, &desk, scope, call.json()?).await?;
    Ok(receipt.given(given))
}
