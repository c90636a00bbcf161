//! The operations of the HTTP API: one table for the OpenAPI document, the page of it, and the
//! tools of the MCP server.

mod document;
mod growth;
mod operation;
mod routes;
mod schema;

pub use document::document;
pub use growth::breaks;
pub use operation::{Body, Operation, Parameter, Place, Success};
pub use routes::{operation, operations, table};
pub use schema::{Definitions, Purpose, SchemaOf};
