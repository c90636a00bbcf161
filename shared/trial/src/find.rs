//! Tests if the passage that answers a question is ranked first.

use super::Tried;
use super::item::Find;
use ask::rerank::by_model::ByModel;
use ask::written;
use model::Result;
use ports::question::Question;
use ports::{Model, Reranker};
use text::question::QuestionTerms;

/// Tries the words of the question together with the queries that the model writes.
pub(super) async fn queries(model: &dyn Model, find: &Find) -> Tried {
    let said = written::queries_of(model, &question(&find.question)).await;
    let with = |queries: Vec<Question>| {
        let texts = queries.iter().map(Question::as_str).chain([find.question.as_str()]);
        vec![is_first(&shares(find, &texts.collect::<Vec<_>>().join("\n")), find.right)]
    };
    tried(find, said.map(with))
}

/// Tries the grades of the model.
pub(super) async fn grade(model: &dyn Model, find: &Find) -> Tried {
    let texts: Vec<String> = find.passages().into_iter().map(str::to_owned).collect();
    let said = ByModel(model).relevance(&find.question, &texts).await;
    tried(find, said.map(|grades| vec![is_first(&grades, find.right)]))
}

pub(super) fn question(text: &str) -> Question {
    Question::parse(text).unwrap_or_else(|_| unreachable!("a test parses all of them"))
}

/// Returns the result of the model, next to that of the question's words alone.
pub(crate) fn tried(find: &Find, said: Result<Vec<bool>>) -> Tried {
    let rules = u32::from(is_first(&shares(find, &find.question), find.right));
    Tried { said, items: 1, rules }
}

/// Returns the number of the words that each passage contains.
fn shares(find: &Find, words: &str) -> Vec<f64> {
    let asked = QuestionTerms::of(words);
    let shared = |text| f64::from(asked.count_in(text));
    find.passages().into_iter().map(shared).collect()
}

/// Returns true if the passage at this place scores higher than all others.
fn is_first(scores: &[f64], place: usize) -> bool {
    let mut others = scores.iter().enumerate().filter(|(at, _)| *at != place);
    others.all(|(_, score)| *score < scores[place])
}
