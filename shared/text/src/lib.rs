//! The parts of texts, whatever the texts are about.
//!
//! Texts have one form ([`composed`]), a structure ([`block`], [`sentence`]), words ([`language`],
//! [`abbreviation`], [`cjk`], [`stop`], [`words`]), names ([`name`], [`option`], [`subject`]) and
//! days ([`day`]).
//! Secrets in them are not shown ([`secret`]); orders and hidden letters are ([`order`],
//! [`hidden`]).
//!
//! Three kinds of modules find words: [`term`] finds them by their stems, and [`question`] finds
//! those of a question with it; [`exact`] finds strings as they are; and [`lexicon`] finds the
//! phrases by which documents are read.

pub mod abbreviation;
pub mod block;
pub mod cjk;
pub mod composed;
pub mod day;
pub mod exact;
pub mod hidden;
pub mod language;
pub mod lexicon;
pub mod name;
pub mod option;
pub mod order;
pub mod question;
pub mod secret;
pub mod sentence;
pub mod stop;
pub mod subject;
pub mod term;
pub mod words;
