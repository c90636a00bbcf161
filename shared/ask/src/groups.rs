//! The searches of one call, grouped by their purpose.

use model::{Error, Result};
use ports::filter::Filters;
use ports::scope::Grant;
use ports::{Index, Ranked, Search};

/// Searches grouped by purpose, or the results of each.
#[derive(Debug, Clone, PartialEq)]
pub struct Groups<T> {
    /// The searches for decisions of the project.
    pub decisions: Vec<T>,
    /// The searches for evidence.
    pub evidence: Vec<T>,
    /// Two searches for each string that is looked up: in passages, and in the titles and names of
    /// documents.
    pub exact: Vec<[T; 2]>,
}

impl<T> Default for Groups<T> {
    fn default() -> Groups<T> {
        Groups { decisions: Vec::new(), evidence: Vec::new(), exact: Vec::new() }
    }
}

impl<T> Groups<T> {
    /// Returns all searches in the order of the groups.
    pub fn all(&self) -> impl Iterator<Item = &T> {
        let singles = [&self.decisions, &self.evidence];
        singles.into_iter().flatten().chain(self.exact.iter().flatten())
    }

    /// Separates the searches for evidence from all others.
    pub fn apart(self) -> (Groups<T>, Groups<T>) {
        let evidence = Groups { evidence: self.evidence, ..Groups::default() };
        (evidence, Groups { evidence: Vec::new(), ..self })
    }

    /// Replaces each item, keeping the order.
    fn map<U>(self, mut by: impl FnMut(T) -> U) -> Groups<U> {
        let mut each = |group: Vec<T>| -> Vec<U> { group.into_iter().map(&mut by).collect() };
        Groups {
            decisions: each(self.decisions),
            evidence: each(self.evidence),
            exact: self.exact.into_iter().map(|pair| pair.map(&mut by)).collect(),
        }
    }
}

impl Groups<Search> {
    /// Sends the searches in one call; sends nothing if there are no searches.
    ///
    /// # Errors
    /// Fails as [`results`] does.
    pub async fn sent(
        self,
        index: &dyn Index,
        grant: &Grant,
        filters: &Filters,
    ) -> Result<Groups<Ranked>> {
        let searches: Vec<Search> = self.all().cloned().collect();
        let mut found = results(index, grant, filters, searches).await?.into_iter();
        Ok(self.map(|_| found.next().unwrap_or_default()))
    }
}

/// Returns the result of each search, in one call; calls nothing without a search.
///
/// # Errors
/// [`Error::Unavailable`] if the index fails or leaves out the result of a search.
pub(crate) async fn results(
    index: &dyn Index,
    grant: &Grant,
    filters: &Filters,
    searches: Vec<Search>,
) -> Result<Vec<Ranked>> {
    if searches.is_empty() {
        return Ok(Vec::new());
    }
    let count = searches.len();
    let found = index.search(grant, filters, searches).await?;
    if found.len() != count {
        let cause = "it answered another number of searches";
        return Err(Error::unavailable("the index", cause));
    }
    Ok(found)
}
