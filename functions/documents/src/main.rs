//! `POST`, `GET /v1/{global|users/me|cases/{case_id}|teams/{team_id}}/documents` and `GET .../{document_id}`.

use adapters::{Bucket, Table};
use lambda::Call;
use workflow::scope::Scope;
use workflow::upload::{self, DocumentReply, Services};
use workflow::{Error, Result};

#[lambda::tokio::main(flavor = "current_thread", crate = "lambda::tokio")]
async fn main() -> Result<(), lambda::Error> {
    let (table, bucket) = (Table::from_env()?, Bucket::from_env()?);
    let services = Services { documents: &table, files: &bucket, members: &table };
    lambda::serve(async |call: &Call| {
        let (method, scope, is_one) = route(call)?;
        match (method, is_one) {
            ("POST", false) => {
                let announced =
                    upload::announce(&services, &call.caller, scope, call.json()?, &call.stamp)
                        .await?;
                Ok(DocumentReply::Announced(announced))
            }
            ("GET", false) => {
                let page = (call.query("limit"), call.query("cursor"));
                upload::list(&services, &call.caller, &scope, page.0, page.1)
                    .await
                    .map(DocumentReply::List)
            }
            ("GET", true) => {
                let document = call.parameter("document_id");
                upload::status(&services, &call.caller, &scope, document)
                    .await
                    .map(DocumentReply::Status)
            }
            _ => Err(Error::Missing { kind: "route", name: call.route.clone() }),
        }
    })
    .await
}

/// The method, whose documents are meant, and whether it is one of them.
fn route(call: &Call) -> Result<(&str, Scope, bool)> {
    let missing = || Error::Missing { kind: "route", name: call.route.clone() };
    let (method, path) = call.route.split_once(' ').ok_or_else(missing)?;
    let (base, one) = path.split_once("/documents").ok_or_else(missing)?;
    let scope = match base {
        "/v1/global" => Scope::Global,
        "/v1/users/me" => Scope::User(call.caller.sub.clone()),
        "/v1/cases/{case_id}" => Scope::Case(call.parameter("case_id").into()),
        "/v1/teams/{team_id}" => Scope::Team(call.parameter("team_id").into()),
        _ => return Err(missing()),
    };
    Ok((method, scope, !one.is_empty()))
}
