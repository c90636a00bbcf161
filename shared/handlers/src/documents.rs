//! `/v1/cases`, `/v1/reindex`, and `/v1/{global|users/me|cases/{case_id}|teams/{team_id}}/documents`.

use adapters::{Bucket, Queue, Table, env};
use corpus::cases::CaseContext;
use corpus::upload::{DocumentReply, Services};
use corpus::{cases, catalog, reindex, upload};
use lambda::{Call, Gate, Response};
use model::Result;
use ports::once::Once;
use ports::scope::Scope;
use ports::{Indexing, StorageQuota};
use serde::Serialize;
use wire::documents::ReindexReply;
use wire::knowledge::KnowledgeList;

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
}

/// The services that keep documents and cases.
pub struct Documents {
    table: Table,
    bucket: Bucket,
    queue: Queue,
    indexing: Indexing,
    quota: StorageQuota,
}

impl Handler for Documents {
    type Reply = Reply;

    fn from_env() -> std::result::Result<Self, lambda::Error> {
        Ok(Documents {
            table: Table::from_env()?,
            bucket: Bucket::from_env()?,
            queue: Queue::of_removals()?,
            indexing: env::indexing()?,
            quota: env::quota()?,
        })
    }

    fn gate(&self) -> std::result::Result<Gate<'_>, lambda::Error> {
        Ok(Gate::new(env::groups()?, env::rate()?, &self.table))
    }

    async fn handle(&self, call: &Call) -> Result<Response<Reply>> {
        let Documents { table, bucket, queue, indexing, quota } = self;
        if call.route == "POST /v1/reindex" {
            let services =
                reindex::Services { documents: table, files: bucket, members: table, indexing };
            let reply = reindex::run(&services, &call.caller, &call.json()?, &call.stamp).await?;
            return Ok(Response::Json(Reply::Reindex(reply)));
        }
        let catalog = catalog::Services { documents: table, members: table, cases: table };
        if call.route == "GET /v1/knowledge" {
            let list = catalog::knowledge(catalog, &call.caller).await?;
            return Ok(Response::Json(Reply::Knowledge(list)));
        }
        if call.route.starts_with("GET ") && call.route.ends_with("/documents") {
            return documents(catalog, call).await;
        }
        if call.route.contains("/documents") {
            let services = Services {
                documents: table,
                files: bucket,
                members: table,
                requests: table,
                removals: queue,
                indexing,
                quota: *quota,
            };
            return document(&services, call).await;
        }
        let Call { caller, stamp, .. } = call;
        case(&CaseContext { caller, stamp, cases: table, removals: queue }, call).await
    }
}

async fn case(context: &CaseContext<'_>, call: &Call) -> Result<Response<Reply>> {
    let (id, user) = (call.parameter("case_id"), call.parameter("user"));
    let once = Once { route: &call.route, key: call.header("idempotency-key"), body: call.body() };
    let reply = match call.route.as_str() {
        "POST /v1/cases" => cases::Reply::Case(cases::create(context, &once, call.json()?).await?),
        "GET /v1/cases" => {
            let page = (call.query("limit"), call.query("cursor"));
            cases::Reply::List(cases::list(context, page.0, page.1).await?)
        }
        "GET /v1/cases/{case_id}" => cases::Reply::Members(cases::show(context, id).await?),
        "PUT /v1/cases/{case_id}/members/{user}" => {
            cases::Reply::Members(cases::admit(context, id, user).await?)
        }
        "DELETE /v1/cases/{case_id}/members/{user}" => {
            cases::Reply::Members(cases::remove_member(context, id, user).await?)
        }
        "PUT /v1/cases/{case_id}/owner/{user}" => {
            cases::Reply::Members(cases::hand_over(context, id, user).await?)
        }
        "POST /v1/cases/{case_id}/close" => {
            let closing = cases::close(context, id).await?;
            return Ok(Response::Accepted(Reply::Case(cases::Reply::Case(closing))));
        }
        _ => return Err(no_such_route(call)),
    };
    Ok(Response::Json(Reply::Case(reply)))
}

async fn documents(services: catalog::Services<'_>, call: &Call) -> Result<Response<Reply>> {
    let (_, scope, _) = route(call)?;
    let wanted = catalog::Wanted {
        words: call.query("words"),
        limit: call.query("limit"),
        cursor: call.query("cursor"),
    };
    let list = catalog::documents(services, &call.caller, &scope, wanted).await?;
    Ok(Response::Json(Reply::Document(DocumentReply::List(list))))
}

async fn document(services: &Services<'_>, call: &Call) -> Result<Response<Reply>> {
    let Call { caller, stamp, .. } = call;
    let (method, scope, is_one) = route(call)?;
    let id = call.parameter("document_id");
    let reply = match (method, is_one) {
        ("POST", false) => {
            let route = format!("POST {scope}/documents");
            let key = call.header("idempotency-key");
            let once = Once { route: &route, key, body: call.body() };
            let announced =
                upload::announce(services, caller, scope, call.json()?, &once, stamp).await?;
            DocumentReply::Announced(announced)
        }
        ("GET", true) => {
            let status = upload::status(services, caller, &scope, id).await?;
            DocumentReply::Status(Box::new(status))
        }
        ("DELETE", true) => {
            let deleting = upload::delete(services, caller, scope, id, stamp).await?;
            return Ok(Response::Accepted(Reply::Document(DocumentReply::Deleting(deleting))));
        }
        _ => return Err(no_such_route(call)),
    };
    Ok(Response::Json(Reply::Document(reply)))
}

/// The method, whose documents are meant, and whether it is one of them.
fn route(call: &Call) -> Result<(&str, Scope, bool)> {
    let (method, path) = call.route.split_once(' ').ok_or_else(|| no_such_route(call))?;
    let (base, one) = path.split_once("/documents").ok_or_else(|| no_such_route(call))?;
    let scope = call.scope(base).ok_or_else(|| no_such_route(call))?;
    Ok((method, scope, !one.is_empty()))
}
