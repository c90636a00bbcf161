//! Bytes of a document into records, passages, and the texts that they are found by.
//!
//! Start at [`read()`]. [`records`] reads logs and settings; [`chunk`] cuts a text along its structure; `content` takes the text out of a file; `infer` guesses
//! what nobody said of a document; `facts` reads what it says; `limit` keeps titles and headings short; `summary` sums up a long one.

pub mod chunk;
pub mod records;

mod content;
#[cfg(test)]
mod damage;
mod facts;
mod infer;
mod limit;
mod read;
mod summary;

pub use read::read;
