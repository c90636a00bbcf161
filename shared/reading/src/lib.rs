//! Converts the bytes of a document into records, passages, and the texts by which they are found.
//!
//! Start at [`read()`]. [`records`] reads logs and settings; [`passage`] cuts a text along its
//! structure; `content` extracts the text of a file; `infer` guesses the properties of a document
//! that nobody stated; `facts` reads what the document says; `limit` keeps titles and headings
//! short; `summary` summarizes a long document.

pub mod chunk;
pub mod records;

mod content;
#[cfg(test)]
mod damage;
mod encoding;
mod facts;
mod infer;
mod limit;
mod read;
mod summary;

pub use read::read;
