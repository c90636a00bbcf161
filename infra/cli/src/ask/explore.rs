//! The options of explore: the aspects that are wanted.

use clap::Args;
use serde_json::{Value, json};

/// The aspects that are wanted of a subject.
#[derive(Debug, Args)]
pub(super) struct Own {
    /// An aspect instead of the standard ones, and the words it is searched with; may be given
    /// several times.
    #[arg(long = "facet", value_name = "NAME[=PROBE]", value_parser = facet)]
    facets: Vec<Value>,
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

impl Own {
    /// Puts the options into the body of a request.
    pub(super) fn put(&self, body: &mut Value) {
        if !self.facets.is_empty() {
            body["facets"] = json!(self.facets);
        }
    }
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
