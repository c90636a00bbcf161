//! Tests if sentences are assigned to the options that they are about.

use super::item::Assign;
use super::{Tried, evidence, find, passage};
use model::document::Passage;
use model::facts::Statement;
use ports::Model;
use workflows::trade::assigned;

/// Tries the model's assignments.
pub(super) async fn assign(model: &dyn Model, assign: &Assign) -> Tried {
    let options: Vec<Vec<String>> =
        assign.options.iter().map(|option| vec![option.clone()]).collect();
    let read = [evidence(document(assign))];
    let question = find::question(&assign.question);
    let said = assigned::assigned(model, &question, &options, &read).await.map(|said| {
        let given = said.into_iter().flatten();
        let right = assign.sentences.iter().zip(given).map(|((_, about), mut given)| {
            given.sort_unstable();
            given == *about
        });
        right.collect()
    });
    let items = u32::try_from(assign.sentences.len()).unwrap_or(u32::MAX);
    Tried { said, items, rules: assign.rules }
}

/// Returns the document, with a statement for each sentence.
fn document(assign: &Assign) -> Passage {
    let (mut text, mut list) = (String::new(), Vec::new());
    let end = |text: &str| u32::try_from(text.len()).unwrap_or(u32::MAX);
    for (sentence, _) in &assign.sentences {
        let begin = end(&text);
        text.push_str(sentence);
        list.push(Statement { quote: (begin, end(&text)), ..Statement::default() });
        text.push(' ');
    }
    let mut passage = passage(0, &text);
    passage.facts.statements.list = list;
    passage
}
