//! The trail of a project for people: as a page, as Markdown, and each decision as a record (MADR).

mod html;
mod madr;
mod markdown;
#[cfg(test)]
mod sample;
mod timeline;

pub use self::html::html;
pub use self::madr::madr;
pub use self::markdown::markdown;
