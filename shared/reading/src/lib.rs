//! Converts the bytes of a document into records, passages, and the texts by which they are found.
//!
//! Start at [`read()`]. [`records`] reads logs and settings; [`passage`] cuts a text along its
//! structure; `format` tells the format of a file, and `content` extracts its text; `infer` guesses
//! the properties of a document that nobody stated; `facts` reads what the document says, and
//! `stated` what it says of itself; `limit` keeps titles and headings short; `summary` summarizes a
//! long document.

pub mod chunk;
pub mod records;

mod content;
#[cfg(test)]
mod damage;
mod encoding;
mod facts;
mod format;
mod infer;
mod limit;
mod read;
mod stated;
mod summary;

pub use read::read;
