//! The data that all crates share.
//!
//! Documents and the data stored about them ([`document`], [`lifecycle`], [`item`], [`object`],
//! [`entry`], [`scope`], [`format`]), their facts ([`facts`]), the results of a search
//! ([`evidence`]), and the content of logs ([`record`], [`level`], [`zone`]). Nothing here does
//! I/O.

pub mod document;
pub mod entry;
pub mod error;
pub mod evidence;
pub mod facts;
pub mod format;
pub mod item;
pub mod level;
pub mod lifecycle;
pub mod object;
pub mod record;
pub mod scope;
pub mod zone;

pub use error::{Error, Result};
