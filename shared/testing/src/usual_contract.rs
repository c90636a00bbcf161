//! The contract of the usual cosines that dense searches report.

use super::contract::{dense, words};
use ports::Index;
use ports::filter::Filters;
use ports::scope::Grant;

/// Checks that a dense search reports the cosines of the passages that the caller may read,
/// whatever the filters are, and that a search by words reports none.
pub(super) async fn usual(index: &impl Index, granted: &Grant, stranger: &Grant) {
    let none = serde_json::json!({"document_type": "runbook"});
    let none = Filters::parse(none.as_object().unwrap()).unwrap();
    for filters in [Filters::default(), none] {
        let searches = vec![dense(0), words("seals"), dense(1), dense(5)];
        let found = index.search(granted, &filters, searches).await.unwrap();
        let means: Vec<Option<f64>> =
            found.iter().map(|hit| hit.usual.map(|usual| usual.mean)).collect();
        let [Some(first), None, Some(second), Some(far)] = means[..] else { panic!("{means:?}") };
        // One of two passages lies in each of the first two directions.
        assert!((first - second).abs() < 1e-3 && first > 0.4 && far < 0.3, "{means:?}");
    }
    let found = index.search(stranger, &Filters::default(), vec![dense(0)]).await.unwrap();
    assert_eq!(found[0].usual, None, "nothing is told of what may not be read");
}
