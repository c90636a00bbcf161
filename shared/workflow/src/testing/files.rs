//! Uploaded files in memory.

use std::collections::HashMap;
use std::sync::Mutex;

use async_trait::async_trait;

use crate::Result;
use crate::ports::{Files, Ticket};

/// Files by key.
#[derive(Debug, Default)]
pub struct FakeFiles(Mutex<HashMap<String, Vec<u8>>>);

impl FakeFiles {
    /// Puts a file there.
    pub fn put(&self, key: &str, bytes: &[u8]) {
        self.0.lock().unwrap().insert(key.into(), bytes.to_vec());
    }
}

#[async_trait]
impl Files for FakeFiles {
    async fn read(&self, key: &str) -> Result<Option<Vec<u8>>> {
        Ok(self.0.lock().unwrap().get(key).cloned())
    }

    async fn ticket(&self, key: &str, content_type: &str, bytes: u64) -> Result<Ticket> {
        let headers = vec![
            ("content-length".into(), bytes.to_string()),
            ("content-type".into(), content_type.into()),
        ];
        Ok(Ticket { url: format!("memory:{key}"), headers, expires_in: 900 })
    }
}
