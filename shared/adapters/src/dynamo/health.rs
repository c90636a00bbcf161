//! The check that the table answers.

use async_trait::async_trait;
use model::Result;
use ports::Standing;
use ports::scope::Scope;

use super::{Table, corpus};

#[async_trait]
impl Standing for Table {
    fn name(&self) -> String {
        self.name.clone()
    }

    /// One, for what is read: the corpus counter of everyone's knowledge base, there or not.
    async fn count(&self) -> Result<Option<u64>> {
        self.batch(corpus::keys(&Scope::Global)).await.map(|_| Some(1))
    }
}
