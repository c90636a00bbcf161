//! Ingests uploaded documents, and carries out tasks: the function, and what a program on one
//! machine does in its place.

use std::sync::Arc;
use std::time::Duration;

use adapters::services::{EmbeddingModel, Other, SearchIndex, Services as Home};
use adapters::{ChatModel, ChatUse, Table, env};
use async_trait::async_trait;
use corpus::beside::Beside;
use corpus::ingest::{Reader, Reading, Services};
use corpus::watch::Watcher;
use decisions::projects::Indexer;
use ports::{Budgeted, Hiding, Indexing, Model, Purpose, Record, Tasks, TokenBudget};

mod alerts;
mod work;

use alerts::{Stores, Telling};
pub use work::Work;
use work::{Tested, Trial};

/// The clients of the services.
pub struct Clients {
    embedding: Arc<dyn EmbeddingModel>,
    index: Arc<dyn SearchIndex>,
    beside: Option<Other>,
    table: Table,
    files: Arc<dyn Hiding>,
    tasks: Arc<dyn Tasks>,
    indexing: Indexing,
    read_model: Option<ChatModel>,
    tokens: TokenBudget,
    chat_model: Option<Tested>,
    /// Or the reason why no case of alerts can be told: documents are ingested all the same.
    telling: Result<Telling, String>,
}

impl Clients {
    /// Takes the clients from these services.
    ///
    /// # Errors
    /// Names the setting that is missing or cannot be read.
    pub fn of(services: &impl Home) -> Result<Clients, lambda::Error> {
        Ok(Clients {
            embedding: services.embedding(Purpose::Document)?,
            index: services.index(Purpose::Document)?,
            beside: services.beside(Purpose::Document)?,
            table: services.table()?,
            files: services.files()?,
            tasks: services.tasks()?,
            indexing: env::indexing()?,
            read_model: ChatModel::from_env(ChatUse::Documents)?,
            tokens: env::tokens()?,
            chat_model: Tested::from_env()?,
            telling: Telling::of(services).map_err(|error| error.to_string()),
        })
    }

    /// Runs `run`, which does the work that messages ask for.
    pub async fn working<T>(&self, run: impl AsyncFnOnce(&Work<'_>) -> T) -> T {
        let Clients { embedding, index, beside, table, .. } = self;
        let (embedder, index) = (&**embedding, &**index);
        // The model that reads documents does so while tokens of the day are left.
        let (budget, now) = (self.tokens, lambda::now);
        let budgeted = self.read_model.as_ref();
        let budgeted =
            budgeted.map(|model| Budgeted { model, counter: table, budget, caller: None, now });
        let both = beside
            .as_ref()
            .map(|(other, model)| Beside { used: index, other: (&**other, &**model) });
        let services = Services {
            documents: table,
            files: &*self.files,
            cases: table,
            embedder,
            publisher: both.as_ref().map_or(index, |both| both),
            indexing: &self.indexing,
            reviews: table,
            tasks: &*self.tasks,
            tries: table,
            reader: &OnAnotherThread,
            model: budgeted.as_ref().map(|reader| reader as &dyn Model),
        };
        let publisher = services.publisher;
        let work = Work {
            services,
            indexer: Indexer { trail: table, embedder, index, publisher },
            watcher: Watcher { reviews: table, index, cases: table },
            trial: Trial { table, model: self.chat_model.as_ref() },
            telling: (
                &self.telling,
                Stores {
                    table,
                    files: &*self.files,
                    indexing: &self.indexing,
                    index,
                    embedder,
                    model: self.chat_model.as_ref(),
                },
            ),
            used: index,
            beside: beside.as_ref().map(|(other, _)| &**other),
        };
        run(&work).await
    }

    /// Starts the trial of a chat model that was never tried. If the trial cannot be started,
    /// documents are ingested all the same.
    ///
    /// # Errors
    /// Names the setting that cannot be read.
    pub async fn begin_trial(&self) -> Result<(), lambda::Error> {
        if env::is_trial_waived()? {
            return Ok(());
        }
        let model = self.chat_model.as_ref().map(|model| model.questions.name());
        let services = trial::Services { trials: &self.table, tasks: &*self.tasks, model };
        if let Err(error) = trial::begin_where_untried(&services, lambda::now()).await {
            lambda::log(&format!("trial: not begun: {error}"));
        }
        Ok(())
    }
}

/// Upper bound for the time in which a document is read. The largest that are taken need a fraction
/// of it.
const LONGEST: Duration = Duration::from_mins(5);

/// Reads on a thread of its own, since reading may take minutes: meanwhile the message is held, and
/// a document that takes too long is refused. Its thread ends with it, or with this environment.
struct OnAnotherThread;

#[async_trait]
impl Reader for OnAnotherThread {
    async fn read(
        &self,
        record: &Record,
        version: &str,
        bytes: Vec<u8>,
    ) -> Result<Reading, String> {
        let (record, version) = (record.clone(), version.to_owned());
        let reading = move || reading::read(&record, &version, &bytes);
        within(LONGEST, reading).await
    }
}

/// Runs `reading` on a thread of its own for this long at most.
async fn within<T: Send + 'static>(
    longest: Duration,
    reading: impl FnOnce() -> Result<T, String> + Send + 'static,
) -> Result<T, String> {
    let read = lambda::tokio::task::spawn_blocking(reading);
    let Ok(read) = lambda::tokio::time::timeout(longest, read).await else {
        let minutes = longest.as_secs() / 60;
        return Err(format!("takes more than {minutes} minutes to read: split it"));
    };
    read.unwrap_or_else(|_| Err("the reader stopped at it: it has an error".into()))
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn a_document_that_takes_too_long_to_read_is_refused_with_the_reason() {
        let runtime = lambda::tokio::runtime::Builder::new_current_thread().enable_time().build();
        let runtime = runtime.unwrap();
        let (end, ended) = channel::<()>();
        let endless = move || {
            ended.recv().ok();
            Ok(())
        };
        let read = runtime.block_on(within(Duration::ZERO, endless));
        assert_eq!(read, Err("takes more than 0 minutes to read: split it".into()));
        drop(end);
        assert_eq!(runtime.block_on(within(LONGEST, || Ok(7))), Ok(7));
        let stops: fn() -> Result<(), String> = || panic!("an error of the reader");
        let read = runtime.block_on(within(LONGEST, stops));
        assert_eq!(read, Err("the reader stopped at it: it has an error".into()));
    }
}
