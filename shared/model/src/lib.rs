//! The data that all crates share.
//!
//! Documents and what is kept of them ([`document`], [`item`], [`object`], [`entry`], [`scope`], [`format`]), what they say
//! ([`facts`]), what a search finds ([`evidence`]), and what logs say ([`record`], [`level`], [`zone`]). Nothing here does I/O.

pub mod document;
pub mod entry;
pub mod error;
pub mod evidence;
pub mod facts;
pub mod format;
pub mod item;
pub mod level;
pub mod object;
pub mod record;
pub mod scope;
pub mod zone;

pub use error::{Error, Result};
