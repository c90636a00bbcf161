//! The trail of a project for people to read: as a page, as Markdown, and a decision as a record (MADR).

mod html;
mod madr;
mod markdown;
#[cfg(test)]
mod sample;
mod timeline;

pub use self::html::html;
pub use self::madr::madr;
pub use self::markdown::markdown;
