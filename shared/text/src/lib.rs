//! What texts are made of, without knowing what they are texts of.
//!
//! Their one form ([`composed`]), their structure ([`block`], [`sentence`]), their words
//! ([`language`], [`stop`], [`words`]), what they name ([`name`], [`option`], [`subject`]), and what
//! no text may show ([`secret`]). Three things find words: [`term`] by their stems, and with it
//! [`question`] those of a question; [`exact`] strings as they are; [`lexicon`] the phrases by which
//! documents are read.

pub mod block;
pub mod composed;
pub mod exact;
pub mod language;
pub mod lexicon;
pub mod name;
pub mod option;
pub mod question;
pub mod secret;
pub mod sentence;
pub mod stop;
pub mod subject;
pub mod term;
pub mod words;
