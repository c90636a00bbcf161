//! Embeddings of the local model, kept in a file.

use std::collections::HashMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use adapters::Bedrock;
use async_trait::async_trait;
use aws_credential_types::Credentials;
use aws_sdk_bedrockruntime::config::{BehaviorVersion, Region};
use aws_sdk_bedrockruntime::{Client, Config};
use model::Result;
use plumbline_tests::Local;
use ports::{Embedder, Purpose};

/// The dimensions of the local model.
const DIMENSIONS: u32 = 384;

/// The local model, asked once for each text.
pub(crate) struct Kept {
    model: Bedrock,
    file: PathBuf,
    known: Mutex<HashMap<String, Vec<f32>>>,
    _service: Local,
}

impl Kept {
    pub(crate) fn new(folder: &Path) -> Kept {
        fs::create_dir_all(folder).unwrap();
        let service = Local::bedrock().unwrap();
        let config = Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(Region::new("us-east-1"))
            .credentials_provider(Credentials::new("test", "test", None, None, "test"))
            .http_client(aws_smithy_http_client::Builder::new().build_http())
            .endpoint_url(&service.url);
        let client = Client::from_conf(config.build());
        let file = folder.join("embeddings.jsonl");
        let lines = fs::read_to_string(&file).unwrap_or_default();
        // The last line of a killed run may be cut short.
        let known = lines.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let model = Bedrock::new(client, "cohere.embed-v4:0", DIMENSIONS).unwrap();
        Kept { model, file, known: Mutex::new(known), _service: service }
    }

    fn known(&self, text: &str) -> Option<Vec<f32>> {
        self.known.lock().unwrap().get(text).cloned()
    }
}

#[async_trait]
impl Embedder for Kept {
    fn space(&self) -> String {
        self.model.space()
    }

    async fn embed(&self, texts: &[String], purpose: Purpose) -> Result<Vec<Vec<f32>>> {
        let new: Vec<String> =
            texts.iter().filter(|text| self.known(text).is_none()).cloned().collect();
        if !new.is_empty() {
            let made = self.model.embed(&new, purpose).await?;
            let mut file = OpenOptions::new().create(true).append(true).open(&self.file).unwrap();
            for pair in new.into_iter().zip(made) {
                writeln!(file, "{}", serde_json::to_string(&pair).unwrap()).unwrap();
                self.known.lock().unwrap().insert(pair.0, pair.1);
            }
        }
        Ok(texts.iter().filter_map(|text| self.known(text)).collect())
    }
}
