//! Plumbline in one process over a folder: the handlers of the HTTP API and of the Model Context
//! Protocol, on a table, an index, files and queues that are kept in one folder.
//!
//! Read [`program`], then [`home`] (the services), [`http`] (requests), [`worker`] (what is done
//! behind them) and [`folder`] (the documents).

mod folder;
mod home;
mod http;
mod index;
mod marks;
mod model;
mod page;
pub mod program;
mod routes;
mod session;
mod settings;
mod state;
mod stdio;
mod store;
mod table;
mod worker;
