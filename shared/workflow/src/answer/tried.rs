//! The trial of a language model that writes answers and checks claims, see [`crate::trial`].

use std::sync::LazyLock;

use super::compose::{Draft, Quote, Wording};
use super::knowledge::{KnowledgeBase, KnowledgeBases};
use super::{check, verify, write};
use crate::Result;
use crate::claim;
use crate::document::Chunk;
use crate::ports::Model;
use crate::scope::Scope;
use crate::trial::{Claims, Find, Tried, passage, tried};

/// What the model is told.
pub(crate) const PROMPTS: [&str; 3] = [write::RULES, check::GRADING.rules, FILE];

/// The file of [`base`].
const FILE: &str = include_str!("../../../../infra/knowledge/global.toml");

/// Whether an answer rests on the passage that answers, and on no other, and may stand by the rules.
pub(crate) async fn write(model: &dyn Model, find: &Find) -> Tried {
    let texts = find.passages();
    let chunks: Vec<Chunk> =
        texts.iter().enumerate().map(|(place, text)| passage(place, text)).collect();
    let shown: Vec<&Chunk> = chunks.iter().collect();
    let said = written(model, find, &shown).await;
    tried(find, said.map(|right| vec![right]))
}

async fn written(model: &dyn Model, find: &Find, chunks: &[&Chunk]) -> Result<bool> {
    let answer = write::write(model, base(), &find.question, chunks).await?;
    let of_right = |draft: &Draft<'_>| {
        let cites = |quote: &Quote<'_>| quote.chunk.id == chunks[find.right].id;
        let may_stand = claim::may_stand(&draft.text, &verify::cited(draft, base(), None));
        !draft.quotes.is_empty() && draft.quotes.iter().all(cites) && may_stand
    };
    Ok(!answer.drafts.is_empty() && answer.drafts.iter().all(of_right))
}

/// Whether a claim is let pass that its passage bears, and dropped that it does not.
pub(crate) async fn check(model: &dyn Model, item: &Claims) -> Tried {
    let chunk = passage(0, &item.passage);
    let quote = Quote { chunk: &chunk, range: 0..chunk.text.len(), time: None };
    let draft = Draft {
        text: item.claim.clone(),
        wording: Wording::Model,
        quotes: vec![quote],
        shown: usize::MAX,
    };
    let by_rules = claim::stands(&draft.text, &verify::cited(&draft, base(), None));
    let said = check::checked(model, base(), &[&draft]).await;
    let said = said.map(|stands| vec![stands == [item.stands]]);
    Tried { said, items: 1, rules: u32::from(by_rules == item.stands) }
}

/// The knowledge base whose answers are tried: everyone's, as it is shipped.
#[expect(clippy::expect_used, reason = "the file is compiled in, and tests read it")]
fn base() -> &'static KnowledgeBase {
    static BASES: LazyLock<KnowledgeBases> = LazyLock::new(|| {
        let file = ("global.toml".to_owned(), FILE.to_owned());
        KnowledgeBases::parse(&[file]).expect("infra/knowledge/global.toml has another form")
    });
    BASES.of(&Scope::Global).expect("infra/knowledge/global.toml is of everyone's")
}
