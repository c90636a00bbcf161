//! A language model that reads decisions at ingest. Its readings were kept as places: `{doc,
//! chosen: [first byte, byte after the last], status, options: [[first byte, byte after the last],
//! ...]}`, without `chosen` if the document records no decision.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use ports::{Completion, Model, Prompt};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
struct Read {
    doc: String,
    chosen: Option<(usize, usize)>,
    status: Option<String>,
    #[serde(default)]
    options: Vec<(usize, usize)>,
}

/// The readings by document. The prompt for a document without one is written into the folder.
pub(crate) struct Reads {
    kept: BTreeMap<String, Read>,
    prompts: Option<PathBuf>,
}

impl Reads {
    pub(crate) fn read(file: &Path, prompts: Option<PathBuf>) -> Reads {
        let text = fs::read_to_string(file).unwrap();
        let lines = text.lines().map(|line| serde_json::from_str::<Read>(line).unwrap());
        Reads { kept: lines.map(|read| (read.doc.clone(), read)).collect(), prompts }
    }

    /// Returns the model that reads this document.
    pub(crate) fn reader(&self, doc: &str, text: &str) -> Reader {
        let quote = |(start, end): (usize, usize)| text[start..end].to_owned();
        let form = self.kept.get(doc).map(|read| {
            let chosen = read.chosen.map(|place| json!({"passage": "p1", "quote": quote(place)}));
            let options: Vec<String> = read.options.iter().map(|place| quote(*place)).collect();
            json!({
                "decision": {"chosen": chosen, "status": read.status, "options": options},
                "questions": [],
            })
        });
        Reader { form, prompt: self.prompts.as_ref().map(|folder| folder.join(doc)) }
    }
}

/// A model that reads one document.
pub(crate) struct Reader {
    form: Option<Value>,
    prompt: Option<PathBuf>,
}

#[async_trait]
impl Model for Reader {
    async fn complete(&self, prompt: &Prompt<'_>) -> model::Result<Completion> {
        if let Some(form) = &self.form {
            return Ok(Completion { content: form.clone(), tokens_in: 0, tokens_out: 0 });
        }
        let schema = prompt.tool.unwrap().schema;
        let asked = json!({"system": prompt.system, "user": prompt.user, "schema": schema});
        fs::write(self.prompt.as_ref().unwrap(), asked.to_string()).unwrap();
        Err(model::Error::unavailable("the language model", "no reading was kept"))
    }
}
