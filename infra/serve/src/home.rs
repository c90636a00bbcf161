//! The services of this program.

use std::path::Path;
use std::sync::Arc;

use adapters::Table;
use adapters::services::{
    Configuration, EmbeddingModel, Other, Reranking, SearchIndex, Services, Trouble,
};
use anyhow::{Context, Result, anyhow};
use ports::{Hiding, Purpose, Removals, Tasks};
use ring::hmac;
use ring::rand::SystemRandom;

use crate::index::LocalIndex;
use crate::marks::Marks;
use crate::model::LocalModel;
use crate::state::State;
use crate::store::Store;
use crate::store::files::Uploads;
use crate::store::queue::Queues;
use crate::table;

/// The configuration files that this program carries.
macro_rules! carried {
    ($($folder:literal: $($name:literal),+;)+) => {
        &[$($((
            $folder,
            concat!($name, ".toml"),
            include_str!(concat!("../../", $folder, "/", $name, ".toml")),
        ),)+)+]
    };
}

const CARRIED: &[(&str, &str, &str)] = carried! {
    "knowledge": "case", "global", "team", "user";
    "sources": "code", "docs", "forum", "guide", "runtime", "textbook";
    "strategies": "operations_readiness", "requirement_trace", "safety_analysis";
};

/// The services, all in this process.
pub(crate) struct Home {
    table: Table,
    pub(crate) database: dynoxide::Database,
    index: LocalIndex,
    embedding: Arc<LocalModel>,
    pub(crate) uploads: Uploads,
    pub(crate) queues: Queues,
    pub(crate) marks: Marks,
    /// The files of routes of alerts, each its name and its text.
    alert_routes: Vec<(String, String)>,
}

impl Home {
    /// Opens what is kept in a folder, with the embedding model of another and these routes of
    /// alerts.
    ///
    /// # Errors
    /// Says which file cannot be read, and why.
    pub(crate) fn open(
        state: &State,
        model: &Path,
        alert_routes: Vec<(String, String)>,
    ) -> Result<Home> {
        let path = state.file("table.db");
        let opened = table::open(&path).map_err(|error| anyhow!("{}: {error}", path.display()));
        let (table, database) = opened?;
        let path = state.file("store.db");
        let store = Store::open(&path).with_context(|| path.display().to_string())?;
        let store = Arc::new(store);
        let key = hmac::Key::generate(hmac::HMAC_SHA256, &SystemRandom::new());
        let key = key.map_err(|_| anyhow!("this machine gives no random numbers"))?;
        Ok(Home {
            table,
            database,
            alert_routes,
            index: LocalIndex::open(Arc::clone(&store)).map_err(|error| described(&error))?,
            embedding: Arc::new(LocalModel::load(model)?),
            uploads: Uploads::new(Arc::clone(&store), key),
            marks: Marks(Arc::clone(&store)),
            queues: Queues::open(store).map_err(|error| described(&error))?,
        })
    }
}

/// The error with its cause, which callers over HTTP do not learn.
fn described(error: &model::Error) -> anyhow::Error {
    match std::error::Error::source(error) {
        Some(cause) => anyhow!("{error}: {cause}"),
        None => anyhow!("{error}"),
    }
}

impl Services for Home {
    fn embedding(&self, _: Purpose) -> Result<Arc<dyn EmbeddingModel>, Trouble> {
        Ok(Arc::clone(&self.embedding) as _)
    }

    fn index(&self, _: Purpose) -> Result<Arc<dyn SearchIndex>, Trouble> {
        Ok(Arc::new(self.index.clone()))
    }

    fn beside(&self, _: Purpose) -> Result<Option<Other>, Trouble> {
        Ok(None)
    }

    fn table(&self) -> Result<Table, Trouble> {
        Ok(self.table.clone())
    }

    fn files(&self) -> Result<Arc<dyn Hiding>, Trouble> {
        Ok(Arc::new(self.uploads.clone()))
    }

    fn tasks(&self) -> Result<Arc<dyn Tasks>, Trouble> {
        Ok(Arc::new(self.queues.clone()))
    }

    fn removals(&self) -> Result<Arc<dyn Removals>, Trouble> {
        Ok(Arc::new(self.queues.clone()))
    }

    fn reranking(&self) -> Result<Option<Reranking>, Trouble> {
        Ok(None)
    }

    fn configuration(&self, kind: Configuration) -> Result<Vec<(String, String)>, Trouble> {
        match kind {
            Configuration::Alerts => return Ok(alerts::Vendors::carried()),
            Configuration::AlertRoutes => return Ok(self.alert_routes.clone()),
            Configuration::Strategies | Configuration::Knowledge | Configuration::Sources => {}
        }
        let of_kind = CARRIED.iter().filter(|(folder, ..)| *folder == kind.folder());
        Ok(of_kind.map(|(_, name, text)| ((*name).to_owned(), (*text).to_owned())).collect())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn all_configuration_files_are_carried() {
        let infra = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        for kind in [
            Configuration::Alerts,
            Configuration::Knowledge,
            Configuration::Sources,
            Configuration::Strategies,
        ] {
            let files = std::fs::read_dir(infra.join(kind.folder())).unwrap();
            let files = files.map(|file| file.unwrap().file_name().into_string().unwrap());
            let of_kind = CARRIED.iter().filter(|(folder, ..)| *folder == kind.folder());
            let vendors = alerts::Vendors::carried().into_iter().map(|(name, _)| name);
            let vendors = vendors.filter(|_| kind == Configuration::Alerts);
            let carried = of_kind.map(|(_, name, _)| (*name).to_owned()).chain(vendors);
            assert_eq!(files.collect::<BTreeSet<_>>(), carried.collect());
        }
    }
}
