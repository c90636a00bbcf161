//! Asks what is known of a subject.

use anyhow::Result;
use clap::Args;
use serde_json::{Value, json};
use wire::explore::ExploreRequest;
use workflows::explore::VIEW;

use super::Options;
use crate::api::Api;

/// A subject and what is wanted of it.
#[derive(Debug, Args)]
pub(crate) struct Question {
    /// The subject, or a question about it.
    #[arg(value_name = "QUESTION")]
    text: String,
    /// An aspect instead of the standard ones, and the words it is searched with; may be given
    /// several times.
    #[arg(long = "facet", value_name = "NAME[=PROBE]", value_parser = facet)]
    facets: Vec<Value>,
    #[command(flatten)]
    options: Options,
}

/// Reads `NAME`, or `NAME=PROBE`, as the API takes it.
fn facet(text: &str) -> Result<Value, String> {
    let (name, probe) = text.split_once('=').unwrap_or((text, ""));
    match (name.trim(), probe.trim()) {
        ("", _) => Err("must be NAME or NAME=PROBE".into()),
        (name, "") => Ok(json!(name)),
        (name, probe) => Ok(json!({"name": name, "probe": probe})),
    }
}

impl Question {
    /// Makes a question of nothing but its text.
    pub(super) fn of(text: &str, options: Options) -> Question {
        Question { text: text.into(), facets: Vec::new(), options }
    }
}

pub(crate) fn ask(api: &Api, question: &Question) -> Result<()> {
    let Question { text, facets, options } = question;
    let mut body = options.body(text, None);
    if !facets.is_empty() {
        body["facets"] = json!(facets);
    }
    options.ask::<ExploreRequest, _>(api, "/v1/explore", body, &VIEW)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_facet_may_have_a_probe() {
        assert_eq!(facet("risks"), Ok(json!("risks")));
        assert_eq!(
            facet("risks = what fails"),
            Ok(json!({"name": "risks", "probe": "what fails"}))
        );
        assert!(facet("=what").is_err());
    }
}
