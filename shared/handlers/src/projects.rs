//! Projects with their trails, and decisions.

use std::borrow::Cow;
use std::sync::Arc;

use adapters::services::{EmbeddingModel, Other, SearchIndex, Services};
use adapters::{Table, env};
use corpus::beside::Beside;
use decisions::projects;
use decisions::projects::{Page, ProjectContext, Reply};
use lambda::{Call, Gate, Response};
use model::{Error, Result};
use ports::degraded::Partial;
use ports::user::MACHINE;
use ports::{Purpose, Tasks};
use views::trail;
use wire::decisions::DecisionReply;
use wire::route::{DecisionRoute, ProjectRoute, Route};

use crate::form::{HTML, HTML_TEXT, JSON, MARKDOWN, MARKDOWN_TEXT, wants_pack};
use crate::{Handler, no_such_route};

/// The services that keep projects and find their decisions.
pub struct Projects {
    embedding: Arc<dyn EmbeddingModel>,
    index: Arc<dyn SearchIndex>,
    /// The second collection, with its embedding model.
    beside: Option<Other>,
    table: Table,
    tasks: Arc<dyn Tasks>,
}

impl Handler for Projects {
    type Reply = Reply;

    // None of these connects before it is used: a profile or a trail opens the table alone.
    fn of(services: &impl Services) -> Result<Self, lambda::Error> {
        Ok(Projects {
            embedding: services.embedding(Purpose::Question)?,
            index: services.index(Purpose::Question)?,
            beside: services.beside(Purpose::Question)?,
            table: services.table()?,
            tasks: services.tasks()?,
        })
    }

    fn gate(&self) -> Result<Gate<'_>, lambda::Error> {
        Ok(Gate::new(env::groups()?, env::scopes(), env::rate()?, &self.table))
    }

    async fn handle(&self, call: &Call) -> Result<Response<Reply>> {
        let Projects { embedding, index: used, beside, table, tasks } = self;
        let both = beside
            .as_ref()
            .map(|(other, model)| Beside { used: &**used, other: (&**other, &**model) });
        let (embedder, index) =
            (call.meta.embedder(&**embedding, embedding.model()), call.meta.index(&**used));
        let context = ProjectContext {
            caller: &call.caller,
            stamp: &call.stamp,
            projects: table,
            trail: table,
            members: table,
            embedder: &embedder,
            index: &index,
            publisher: both.as_ref().map_or(&**used, |both| both),
            answers: table,
            tasks: &**tasks,
        };
        match call.route {
            Route::Projects(route) => project(&context, call, route).await,
            Route::Decisions(route) => decision(&context, call, route).await,
            _ => Err(no_such_route(call)),
        }
    }
}

/// Returns the name of a member in a path. A path has no place for the slash in that of a route of
/// alerts: `alerts:ROUTE` stands for `alerts/ROUTE`.
fn member(name: &str) -> Cow<'_, str> {
    match name.strip_prefix("alerts:") {
        Some(route) => format!("{MACHINE}{route}").into(),
        None => name.into(),
    }
}

async fn project(
    context: &ProjectContext<'_>,
    call: &Call,
    route: ProjectRoute,
) -> Result<Response<Reply>> {
    let (id, user) = (call.parameter("project_id"), member(call.parameter("user")));
    let user = user.as_ref();
    let page = page(call);
    let reply = match route {
        ProjectRoute::CreateProject => {
            let path = format!("{}?", call.route);
            Reply::Project(projects::create(context, &call.once(&path), call.json()?).await?)
        }
        ProjectRoute::ListProjects => Reply::Projects(projects::list(context, &page).await?),
        ProjectRoute::ShowProject => Reply::ProjectReply(projects::show(context, id).await?),
        ProjectRoute::ChangeProject => {
            Reply::Project(projects::edit(context, id, call.json()?).await?)
        }
        ProjectRoute::AddProjectMember => {
            Reply::Members(projects::invite(context, id, user).await?)
        }
        ProjectRoute::JoinProject => Reply::ProjectReply(projects::join(context, id).await?),
        ProjectRoute::ListInvitations => Reply::Invitations(projects::invitations(context).await?),
        ProjectRoute::RemoveProjectMember => {
            Reply::Members(projects::remove_member(context, id, user).await?)
        }
        ProjectRoute::ChangeProjectOwner => {
            Reply::Members(projects::hand_over(context, id, user).await?)
        }
        ProjectRoute::MoveProject => {
            Reply::Project(projects::move_status(context, id, call.json()?).await?)
        }
        ProjectRoute::NoteQuestion => Reply::Note(projects::note(context, id, call.json()?).await?),
        ProjectRoute::ListQueries => Reply::Queries(projects::queries(context, id, &page).await?),
        ProjectRoute::ListDigests => Reply::Digests(projects::digests(context, id, &page).await?),
        ProjectRoute::ReadTrail => return trail_page(context, call, id, &page).await,
    };
    Ok(Response::Json(reply))
}

async fn decision(
    context: &ProjectContext<'_>,
    call: &Call,
    route: DecisionRoute,
) -> Result<Response<Reply>> {
    let (id, decision) = (call.parameter("project_id"), call.parameter("decision_id"));
    let reply = match route {
        DecisionRoute::RecordDecision => {
            let path = format!("{}?{id}", call.route);
            decided(call, projects::decide(context, id, &call.once(&path), call.json()?).await?)
        }
        DecisionRoute::ListDecisions => {
            Reply::Decisions(projects::decisions(context, id, &page(call)).await?)
        }
        DecisionRoute::FindRelatedDecisions => {
            Reply::Related(projects::related(context, id, call.json()?).await?)
        }
        DecisionRoute::ShowDecision => return one_decision(context, call, id, decision).await,
        DecisionRoute::MoveDecision => {
            decided(call, projects::move_decision(context, id, decision, call.json()?).await?)
        }
        DecisionRoute::ListDecisionsOnDocument => {
            Reply::Resting(projects::resting(context, call.parameter("document_id")).await?)
        }
        DecisionRoute::ReindexDecisions => {
            Reply::Again(projects::index_again(context, &call.json()?).await?)
        }
    };
    Ok(Response::Json(reply))
}

fn page(call: &Call) -> Page<'_> {
    Page { limit: call.query("limit"), cursor: call.query("cursor") }
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
        return Ok(Response::Text(HTML_TEXT, views::html::pack(&reply, &json)));
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
