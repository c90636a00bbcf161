//! Ports in memory, and the contracts that every implementation of a port keeps.

#![expect(
    clippy::unwrap_used,
    clippy::missing_panics_doc,
    clippy::too_many_lines,
    reason = "tests call it, and a contract reads top to bottom"
)]

use proptest::prelude::ProptestConfig;

mod alerts;
mod answers;
mod cases;
mod context;
mod contract;
mod corpus;
mod document_points_contract;
mod documents;
mod documents_contract;
mod embedder;
mod files;
mod index;
mod keys;
mod late_index;
mod life_contract;
mod members;
mod model;
mod projects;
mod requests;
mod sample;
mod storage_quota_contract;
mod tasks;
mod team_contract;
mod trail_contract;
mod trials;
mod usual_contract;

pub use self::model::{FakeModel, chat};
pub use answers::FakeAnswers;
pub use cases::{FakeCases, FakeRemovals, open_case};
pub use context::{FakeContext, caller, project_context, stamp};
pub use contract::index_contract;
pub use corpus::{Corpus, INDEXING, passage, passages, ranking_at};
pub use documents::FakeDocuments;
pub use documents_contract::{documents_contract, record};
pub use embedder::{AwayEmbedder, FakeEmbedder};
pub use files::FakeFiles;
pub use index::FakeIndex;
pub use keys::{FakeKeys, keys_contract};
pub use late_index::{LateIndex, Wait};
pub use life_contract::{cleanup_contract, closing_contract, disposal_contract};
pub use members::FakeMembers;
pub use projects::FakeProjects;
pub use sample::live;
pub use storage_quota_contract::storage_quota_contract;
pub use tasks::FakeTasks;
pub use team_contract::all_cases_contracts;
pub use trail_contract::{projects_contract, trail_contract};
pub use trials::{FakeTrials, trials_contract};

/// Returns a quarter of the usual number of cases, for slow tests.
pub fn quarter() -> ProptestConfig {
    let usual = ProptestConfig::default();
    ProptestConfig { cases: usual.cases / 4, ..usual }
}
