//! `/v1/projects`, `POST /v1/reindex/decisions` and `GET /v1/documents/{document_id}/decisions`.

use adapters::{Bedrock, Qdrant, Queue, Table, env};
use corpus::beside::Beside;
use decisions::projects;
use decisions::projects::{Once, Page, ProjectContext, Reply};
use lambda::{Call, Gate, Response};
use model::{Error, Result};
use pages::trail;
use ports::Purpose;
use ports::degraded::Partial;
use wire::decisions::DecisionReply;
use wire::projects::MemberList;

use crate::form::{HTML, HTML_TEXT, JSON, MARKDOWN, MARKDOWN_TEXT, wants_pack};
use crate::{Handler, no_such_route};

/// The services that keep projects and find their decisions.
pub struct Projects {
    bedrock: Bedrock,
    qdrant: Qdrant,
    /// The second collection, with its embedding model.
    beside: Option<(Qdrant, Bedrock)>,
    table: Table,
    tasks: Queue,
}

impl Handler for Projects {
    type Reply = Reply;

    // None of these connects before it is used: a profile or a trail opens the table alone.
    fn from_env() -> Result<Self, lambda::Error> {
        Ok(Projects {
            bedrock: Bedrock::from_env(Purpose::Question)?,
            qdrant: Qdrant::from_env(Purpose::Question)?,
            beside: Qdrant::beside_from_env(Purpose::Question)?,
            table: Table::from_env()?,
            tasks: Queue::of_ingest()?,
        })
    }

    fn gate(&self) -> Result<Gate<'_>, lambda::Error> {
        Ok(Gate::new(env::groups()?, env::rate()?, &self.table))
    }

    async fn handle(&self, call: &Call) -> Result<Response<Reply>> {
        let Projects { bedrock, qdrant, beside, table, tasks } = self;
        let both =
            beside.as_ref().map(|(other, model)| Beside { used: qdrant, other: (other, model) });
        let (embedder, index) =
            (call.meta.embedder(bedrock, bedrock.model()), call.meta.index(qdrant));
        let context = ProjectContext {
            caller: &call.caller,
            stamp: &call.stamp,
            projects: table,
            trail: table,
            members: table,
            embedder: &embedder,
            index: &index,
            publisher: both.as_ref().map_or(qdrant, |both| both),
            answers: table,
            tasks,
        };
        answer(&context, call).await
    }
}

async fn answer(context: &ProjectContext<'_>, call: &Call) -> Result<Response<Reply>> {
    let id = call.parameter("project_id");
    let decision = call.parameter("decision_id");
    let page = Page { limit: call.query("limit"), cursor: call.query("cursor") };
    let route = call.route.replace("/v1/projects", "");
    if call.route == "POST /v1/reindex/decisions" {
        let reply = projects::index_again(context, &call.json()?).await?;
        return Ok(Response::Json(Reply::Again(reply)));
    }
    if route.ends_with("/{user}") {
        return member(context, call, id).await.map(|a| Response::Json(Reply::Members(a)));
    }
    let path = format!("{}?{id}", call.route);
    let once = Once { route: &path, key: call.header("idempotency-key"), body: call.body() };
    let reply = match route.as_str() {
        "POST " => Reply::Project(projects::create(context, &once, call.json()?).await?),
        "GET " => Reply::Projects(projects::list(context, &page).await?),
        "GET /{project_id}" => Reply::ProjectReply(projects::show(context, id).await?),
        "PATCH /{project_id}" => Reply::Project(projects::edit(context, id, call.json()?).await?),
        "POST /{project_id}/status" => {
            Reply::Project(projects::move_status(context, id, call.json()?).await?)
        }
        "GET /{project_id}/queries" => Reply::Queries(projects::queries(context, id, &page).await?),
        "GET /{project_id}/digests" => Reply::Digests(projects::digests(context, id, &page).await?),
        "POST /{project_id}/decisions/related" => {
            Reply::Related(projects::related(context, id, call.json()?).await?)
        }
        "POST /{project_id}/decisions" => {
            decided(call, projects::decide(context, id, &once, call.json()?).await?)
        }
        "GET /{project_id}/decisions" => {
            Reply::Decisions(projects::decisions(context, id, &page).await?)
        }
        "POST /{project_id}/decisions/{decision_id}/status" => {
            decided(call, projects::move_decision(context, id, decision, call.json()?).await?)
        }
        "GET /{project_id}/decisions/{decision_id}" => {
            return one_decision(context, call, id, decision).await;
        }
        "GET /{project_id}/trail" => return trail_page(context, call, id, &page).await,
        "GET /v1/documents/{document_id}/decisions" => {
            Reply::Resting(projects::resting(context, call.parameter("document_id")).await?)
        }
        _ => return Err(no_such_route(call)),
    };
    Ok(Response::Json(reply))
}

async fn member(context: &ProjectContext<'_>, call: &Call, id: &str) -> Result<MemberList> {
    let user = call.parameter("user");
    match call.route.as_str() {
        "PUT /v1/projects/{project_id}/members/{user}" => projects::admit(context, id, user).await,
        "DELETE /v1/projects/{project_id}/members/{user}" => {
            projects::remove_member(context, id, user).await
        }
        "PUT /v1/projects/{project_id}/owner/{user}" => {
            projects::hand_over(context, id, user).await
        }
        _ => Err(no_such_route(call)),
    }
}

fn decided(call: &Call, reply: Partial<DecisionReply>) -> Reply {
    Reply::Decision(call.meta.noting(reply))
}

async fn one_decision(
    context: &ProjectContext<'_>,
    call: &Call,
    project: &str,
    id: &str,
) -> Result<Response<Reply>> {
    let is_pack = wants_pack(call)?;
    let reply = projects::decision(context, project, id).await?;
    if is_pack {
        let json = serde_json::to_string(&reply)
            .map_err(|error| Error::unavailable("the decision", error))?;
        return Ok(Response::Text(HTML_TEXT, pages::pack(&reply, &json)));
    }
    Ok(match call.accepts(&[MARKDOWN, JSON]) {
        Some(MARKDOWN) => Response::Text(MARKDOWN_TEXT, trail::madr(&reply.decided, &reply.line)),
        _ => Response::Json(Reply::Decision(reply)),
    })
}

async fn trail_page(
    context: &ProjectContext<'_>,
    call: &Call,
    project: &str,
    page: &Page<'_>,
) -> Result<Response<Reply>> {
    let entries = projects::trail(context, project, page, call.query("as_of")).await?;
    Ok(match call.accepts(&[HTML, MARKDOWN, JSON]) {
        Some(HTML) => Response::Text(HTML_TEXT, trail::html(&entries)),
        Some(MARKDOWN) => Response::Text(MARKDOWN_TEXT, trail::markdown(&entries)),
        _ => Response::Json(Reply::Trail(entries)),
    })
}
