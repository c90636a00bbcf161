//! Replies for people and assistants. A report is shown once, as a [`View`]; [`html::page`],
//! [`markdown::document`] and [`tool_text::lines`] draw it, and so does the command line for a
//! terminal. Trails and evidence
//! packs have pages of their own.
//!
//! A page is one HTML file. It fetches no script, no font and no picture, and its policy forbids
//! them. It follows the light or dark mode of the reader's system, and it can be printed.

pub mod answer;
mod escape;
pub mod html;
pub mod markdown;
mod places;
mod report;
pub mod tool_text;
pub mod trail;
mod view;
pub mod wording;

pub use places::places;
pub use report::ReportView;
pub use view::{
    Block, Card, Cell, Cited, Claim, Depth, Field, Interval, Item, Reference, Row, Section, Table,
    View, Words, not_covered, settled,
};
