//! Questions, and their answers for a person to read.

use anyhow::Result;
use clap::Args;
use console::Term;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::answer;
use crate::api::Api;

mod citation;
pub(crate) mod custom;
pub(crate) mod explore;
pub(crate) mod rcca;
mod result;
mod table;
pub(crate) mod trade;

/// Where to look, and how the answer is shown.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// How many results, 1 to 50; otherwise 5, for trade 10, for explore 3 per facet.
    #[arg(long)]
    top_k: Option<u32>,
    /// Where to look: `global`, `user`, `case:ID`, `team:ID`; may be given several times.
    #[arg(long, default_value = "global")]
    knowledge: Vec<String>,
    /// What a passage must satisfy, as FIELD=VALUE; may be given several times.
    #[arg(long = "filter", value_name = "FIELD=VALUE", value_parser = filter)]
    filters: Vec<(String, String)>,
    /// Prints the API's answer as it is.
    #[arg(long)]
    json: bool,
}

/// How many results are asked for where the caller does not say, unless the workflow knows better.
const RESULTS: u32 = 5;

fn filter(text: &str) -> Result<(String, String), String> {
    let (field, value) = text.split_once('=').ok_or("must be FIELD=VALUE")?;
    Ok((field.into(), value.into()))
}

impl Options {
    /// What every workflow is asked with.
    fn body(&self, question: &str, top_k: Option<u32>) -> Value {
        let mut filters: Map<String, Value> = Map::new();
        for (field, value) in &self.filters {
            let line = value.parse::<u32>().ok().filter(|_| field == "line");
            let value = line.map_or_else(|| json!(value), |line| json!(line));
            filters.insert(field.clone(), value);
        }
        let mut body =
            json!({"question": question, "knowledge": self.knowledge, "filters": filters});
        if let Some(top_k) = self.top_k.or(top_k) {
            body["top_k"] = json!(top_k);
        }
        body
    }

    /// Prints the answer as it is, or as `shown` for a reader.
    fn print<T: DeserializeOwned>(
        &self,
        answer: Value,
        shown: impl Fn(&T, usize) -> Vec<String>,
    ) -> Result<()> {
        let out = Term::stdout();
        if self.json {
            out.write_line(&serde_json::to_string_pretty(&answer)?)?;
            return Ok(());
        }
        let width = usize::from(out.size().1).clamp(60, 110);
        let lines = shown(&answer::read(answer)?, width);
        lines.iter().try_for_each(|line| out.write_line(line))?;
        Ok(())
    }
}

fn post(api: &Api, path: &str, body: &Value) -> Result<Value> {
    api.post(path, body)?.map_err(anyhow::Error::from)
}
