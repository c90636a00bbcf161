//! Documents, indexing them again, and cases.

use std::sync::Arc;

use adapters::services::Services;
use adapters::{Table, env};
use corpus::cases::CaseContext;
use corpus::upload::DocumentReply;
use corpus::{cases, catalog, deletion, reindex, removal, upload};
use lambda::{Call, Gate, Response};
use model::Result;
use ports::{Hiding, Indexing, Removals, StorageQuota, Tasks};
use serde::Serialize;
use wire::alerts::AlertCase;
use wire::documents::{ForgettingUser, ReindexReply};
use wire::knowledge::KnowledgeList;
use wire::route::{CaseRoute, DocumentRoute, Route};

use crate::form::Text;
use crate::{Handler, no_such_route};

/// What either kind of route answers.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Reply {
    /// To a request for cases.
    Case(cases::Reply),
    /// To a request for documents.
    Document(DocumentReply),
    /// To a request to index again.
    Reindex(ReindexReply),
    /// To a question for what may be searched.
    Knowledge(KnowledgeList),
    /// To a request to forget a user.
    User(ForgettingUser),
}

/// The services that keep documents and cases.
pub struct Documents {
    table: Table,
    files: Arc<dyn Hiding>,
    removals: Arc<dyn Removals>,
    tasks: Arc<dyn Tasks>,
    indexing: Indexing,
    quota: StorageQuota,
    restore_days: u32,
}

impl Handler for Documents {
    type Reply = Reply;

    fn of(services: &impl Services) -> std::result::Result<Self, lambda::Error> {
        Ok(Documents {
            table: services.table()?,
            files: services.files()?,
            removals: services.removals()?,
            tasks: services.tasks()?,
            indexing: env::indexing()?,
            quota: env::quota()?,
            restore_days: env::number("RESTORE_DAYS")?,
        })
    }

    fn gate(&self) -> std::result::Result<Gate<'_>, lambda::Error> {
        Ok(Gate::new(env::groups()?, env::scopes(), env::rate()?, &self.table))
    }

    async fn handle(&self, call: &Call) -> Result<Response<Reply>> {
        let Call { caller, stamp, .. } = call;
        match call.route {
            Route::Documents(route) => self.document(call, route).await,
            Route::Cases(route) => {
                let (cases, removals) = (&self.table, &*self.removals);
                let context = CaseContext { caller, stamp, cases, removals };
                case(&context, &self.table, call, route).await
            }
            _ => Err(no_such_route(call)),
        }
    }
}

impl Documents {
    async fn document(&self, call: &Call, route: DocumentRoute) -> Result<Response<Reply>> {
        let Call { caller, stamp, .. } = call;
        let id = call.parameter("document_id");
        let reply = match route {
            DocumentRoute::Reindex => {
                let reply = reindex::run(&self.reindex(), caller, &call.json()?, stamp).await?;
                return Ok(Response::Json(Reply::Reindex(reply)));
            }
            DocumentRoute::ListKnowledge => {
                let list = catalog::knowledge(self.catalog(), caller).await?;
                return Ok(Response::Json(Reply::Knowledge(list)));
            }
            DocumentRoute::ListDocumentsOf(base) => {
                let (wanted, scope) = (wanted(call)?, call.scope(base));
                let list = catalog::documents(self.catalog(), caller, &scope, wanted).await?;
                DocumentReply::List(list)
            }
            DocumentRoute::AnnounceDocumentOf(base) => {
                let (services, scope) = (self.upload(), call.scope(base));
                let route = format!("POST {scope}/documents");
                let (body, once) = (call.json()?, call.once(&route));
                let announced =
                    upload::announce(&services, caller, scope, body, &once, stamp).await?;
                DocumentReply::Announced(announced)
            }
            DocumentRoute::ShowDocumentOf(base) => {
                let status = upload::status(&self.upload(), caller, &call.scope(base), id).await?;
                DocumentReply::Status(Box::new(status))
            }
            DocumentRoute::DeleteDocumentOf(base) => {
                let (services, scope) = (self.deletion(), call.scope(base));
                let options = deletion::Options {
                    is_final: call.flag("forever")?,
                    is_confirmed: call.flag("confirm")?,
                };
                let deleting =
                    deletion::delete(&services, caller, scope, id, options, stamp).await?;
                return Ok(Response::Accepted(Reply::Document(DocumentReply::Deleting(deleting))));
            }
            DocumentRoute::RestoreDocumentOf(base) => {
                let (services, scope) = (self.deletion(), call.scope(base));
                let restoring = deletion::restore(&services, caller, &scope, id, stamp).await?;
                let reply = DocumentReply::Restoring(restoring);
                return Ok(Response::Accepted(Reply::Document(reply)));
            }
        };
        Ok(Response::Json(Reply::Document(reply)))
    }

    fn catalog(&self) -> catalog::Services<'_> {
        let table = &self.table;
        let restore_days = self.restore_days;
        catalog::Services { documents: table, members: table, cases: table, restore_days }
    }

    fn deletion(&self) -> deletion::Services<'_> {
        let Documents { table, files, removals, quota, restore_days, .. } = self;
        deletion::Services {
            documents: table,
            files: &**files,
            members: table,
            removals: &**removals,
            deletions: table,
            quota: *quota,
            restore_days: *restore_days,
        }
    }

    fn reindex(&self) -> reindex::Services<'_> {
        let Documents { table, files, tasks, indexing, .. } = self;
        reindex::Services {
            documents: table,
            files: &**files,
            members: table,
            tasks: &**tasks,
            indexing,
        }
    }

    fn upload(&self) -> upload::Services<'_> {
        let Documents { table, files, indexing, quota, .. } = self;
        upload::Services {
            documents: table,
            files: &**files,
            members: table,
            requests: table,
            indexing,
            quota: *quota,
        }
    }
}

fn wanted(call: &Call) -> Result<catalog::Wanted<'_>> {
    Ok(catalog::Wanted {
        words: call.query("words"),
        limit: call.query("limit"),
        cursor: call.query("cursor"),
        is_deleted: call.flag("deleted")?,
    })
}

async fn case(
    context: &CaseContext<'_>,
    table: &Table,
    call: &Call,
    route: CaseRoute,
) -> Result<Response<Reply>> {
    let (id, user) = (call.parameter("case_id"), call.parameter("user"));
    let reply = match route {
        CaseRoute::CreateCase => {
            let route = call.route.to_string();
            let once = call.once(&route);
            cases::Reply::Case(cases::create(context, &once, call.json()?).await?)
        }
        CaseRoute::ListCases => {
            let (limit, cursor) = (call.query("limit"), call.query("cursor"));
            cases::Reply::List(cases::list(context, limit, cursor).await?)
        }
        CaseRoute::ListTeamCases => {
            let (limit, cursor) = (call.query("limit"), call.query("cursor"));
            let team = call.parameter("team_id");
            cases::Reply::OfTeam(cases::of_team(context, table, team, limit, cursor).await?)
        }
        CaseRoute::ShowCaseAlerts => {
            let case = cases::alerts(context, table, id).await?;
            return Ok(with_alerts(case, call));
        }
        CaseRoute::ShowCase => cases::Reply::Members(cases::show(context, id).await?),
        CaseRoute::AddCaseMember => cases::Reply::Members(cases::invite(context, id, user).await?),
        CaseRoute::JoinCase => cases::Reply::Members(cases::join(context, id).await?),
        CaseRoute::RemoveCaseMember => {
            cases::Reply::Members(cases::remove_member(context, id, user).await?)
        }
        CaseRoute::ChangeCaseOwner => {
            cases::Reply::Members(cases::hand_over(context, id, user).await?)
        }
        CaseRoute::CloseCase => {
            let closing = cases::close(context, id).await?;
            return Ok(Response::Accepted(Reply::Case(cases::Reply::Case(closing))));
        }
        CaseRoute::ForgetUser => {
            let forgetting = removal::forget_user(context.removals, context.caller, user).await?;
            return Ok(Response::Accepted(Reply::User(forgetting)));
        }
    };
    Ok(Response::Json(Reply::Case(reply)))
}

/// Replies with a case and its alerts: as a page or Markdown, or as JSON.
fn with_alerts(case: AlertCase, call: &Call) -> Response<Reply> {
    let Some(text) = Text::accepted(call) else {
        return Response::Fitted(Reply::Case(cases::Reply::Alerts(Box::new(case))));
    };
    let view = alerts::view(&case).flagging(&lambda::orders(&case));
    text.titled(&case.case.title, &view)
}
