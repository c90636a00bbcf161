//! The check that the table answers.

use async_trait::async_trait;
use model::Result;
use ports::scope::Scope;
use ports::{Contents, Standing};

use super::{Table, corpus};

#[async_trait]
impl Standing for Table {
    fn name(&self) -> String {
        self.name.clone()
    }

    /// One, for what is read: the corpus counter of everyone's knowledge base, there or not.
    async fn contents(&self) -> Result<Option<Contents>> {
        self.batch(corpus::keys(&Scope::Global))
            .await
            .map(|_| Some(Contents { items: 1, differs: Vec::new() }))
    }
}
