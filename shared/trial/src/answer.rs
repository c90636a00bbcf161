//! Tests if an answer cites the right passage, and if claims are accepted exactly when they should
//! be.

use answers::tried;
use model::document::Passage;
use ports::Model;

use super::item::{Claims, Find};
use super::{Tried, find, passage};

/// Tries the answer that the model writes.
pub(super) async fn write(model: &dyn Model, item: &Find) -> Tried {
    let texts = item.passages();
    let passages: Vec<Passage> =
        texts.iter().enumerate().map(|(place, text)| passage(place, text)).collect();
    let said = tried::writes(model, &item.question, &passages, item.right).await;
    find::tried(item, said.map(|right| vec![right]))
}

/// Tries the model's verdicts on claims.
pub(super) async fn check(model: &dyn Model, item: &Claims) -> Tried {
    let (said, by_rules) = tried::stands(model, &item.claim, &passage(0, &item.passage)).await;
    let said = said.map(|stands| vec![stands == item.stands]);
    Tried { said, items: 1, rules: u32::from(by_rules == item.stands) }
}
