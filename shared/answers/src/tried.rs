//! The two parts of answers that the trial of a language model tests: writing an answer, and
//! checking a claim.

use std::sync::LazyLock;

use super::compose::{Draft, Quote, Wording, cited};
use super::knowledge::{KnowledgeBase, KnowledgeBases};
use super::{check, write};
use ask::claim;
use model::Result;
use model::document::Passage;
use ports::Model;
use ports::scope::Scope;

/// The prompts that the model reads. A change of one requires a new trial.
pub const PROMPTS: [&str; 3] = [write::RULES, check::GRADING.rules, FILE];

/// The text of the file for [`base`].
const FILE: &str = include_str!("../../../infra/knowledge/global.toml");

/// Returns true if all claims of an answer by `model` cite only the passage at the place `right`,
/// and the rules accept them.
///
/// # Errors
/// The errors of the model.
pub async fn writes(
    model: &dyn Model,
    question: &str,
    passages: &[Passage],
    right: usize,
) -> Result<bool> {
    let shown: Vec<&Passage> = passages.iter().collect();
    let answer = write::write(model, base(), question, &shown).await?;
    let of_right = |draft: &Draft<'_>| {
        let cites = |quote: &Quote<'_>| quote.passage.id == passages[right].id;
        let may_stand = claim::may_stand(&draft.text, &cited(draft, base(), None));
        !draft.quotes.is_empty() && draft.quotes.iter().all(cites) && may_stand
    };
    Ok(!answer.drafts.is_empty() && answer.drafts.iter().all(of_right))
}

/// Returns the judgements of `model` and of the rules on whether a passage supports a claim.
pub async fn stands(model: &dyn Model, claim: &str, passage: &Passage) -> (Result<bool>, bool) {
    let quote = Quote { passage, range: 0..passage.text.len(), time: None };
    let draft = Draft {
        text: claim.to_owned(),
        wording: Wording::Model,
        quotes: vec![quote],
        shown: usize::MAX,
    };
    let by_rules = claim::stands(&draft.text, &cited(&draft, base(), None));
    let by_model = check::checked(model, base(), &[&draft]).await;
    (by_model.map(|stands| stands == [true]), by_rules)
}

/// Returns the knowledge base for the trial: that of everyone's documents, as shipped.
#[expect(clippy::expect_used, reason = "the file is compiled in, and tests read it")]
fn base() -> &'static KnowledgeBase {
    static BASES: LazyLock<KnowledgeBases> = LazyLock::new(|| {
        let file = ("global.toml".to_owned(), FILE.to_owned());
        KnowledgeBases::parse(&[file]).expect("infra/knowledge/global.toml has another form")
    });
    BASES.base_of(&Scope::Global).expect("infra/knowledge/global.toml is of everyone's")
}
