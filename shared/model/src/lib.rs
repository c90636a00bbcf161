//! The words that all crates share.
//!
//! Documents and what is kept of them ([`document`], [`item`], [`object`], [`entry`], [`scope`], [`format`]), what they say
//! ([`facts`], [`option`]), what a search finds ([`evidence`]), the structure of a text ([`block`], [`sentence`],
//! [`term`]), the languages of texts, their phrases and their stop words ([`language`], [`lexicon`], [`stop`]), what logs say
//! ([`record`], [`level`], [`zone`]), and the one form of all texts ([`composed`]). Nothing here does I/O.

pub mod block;
pub mod composed;
pub mod document;
pub mod entry;
pub mod error;
pub mod evidence;
pub mod facts;
pub mod format;
pub mod item;
pub mod language;
pub mod level;
pub mod lexicon;
pub mod object;
pub mod option;
pub mod record;
pub mod scope;
pub mod secret;
pub mod sentence;
pub mod stop;
pub mod term;
pub mod zone;

pub use error::{Error, Result};
