//! Tests follow-up questions that a language model rewrites.

use super::*;
use ports::Model;

/// A model that rewrites each question to this text and fills in no form.
struct Rewriter(&'static str);

#[async_trait]
impl Model for Rewriter {
    async fn complete(&self, prompt: &Prompt<'_>) -> Result<Completion> {
        if prompt.tool.is_some() {
            return Err(Error::unavailable("the language model", "it only rewrites"));
        }
        assert!(prompt.user.contains("user: How many ERROR entries are there?"));
        Ok(Completion { content: json!(self.0), tokens_in: 7, tokens_out: 3 })
    }
}

fn rewritten(question: &str, text: &'static str, mode: &str) -> Option<String> {
    let request = json!({"question": question, "mode": mode, "conversation": [
        {"role": "user", "content": "How many ERROR entries are there?"},
        {"role": "assistant", "content": "3."},
    ]});
    let given = evidence().ask_with(&case(), request, Some(&Rewriter(text))).unwrap();
    given.report.rewritten_question
}

#[test]
fn a_model_tells_whether_a_question_leans_on_the_conversation() {
    let question = "Which code occurs most often in the application's log?";
    let whole = "Which code do most ERROR entries have?";
    assert_eq!(rewritten(question, whole, "extractive"), None, "the rules see nothing to rewrite");
    assert_eq!(rewritten(question, whole, "generative").as_deref(), Some(whole));
}

#[test]
fn a_model_that_gives_a_question_as_it_is_leaves_it_so() {
    let question = "The code of most of them?";
    assert!(rewritten(question, question, "extractive").is_some(), "the rules rewrite it");
    assert_eq!(rewritten(question, question, "generative"), None);
}

#[test]
fn while_the_embedding_model_is_away_words_are_searched_and_nothing_of_it_is_cached() {
    let site = evidence();
    let ask = |question: &str| {
        let request = json!({"question": question});
        site.ask_by(&testing::AwayEmbedder, &user(), request, None).unwrap()
    };
    for _ in 0..2 {
        let given = ask("Why does the payment queue grow faster than workers empty it?");
        let parts: Vec<&str> = given.degraded.iter().map(|missing| &*missing.part).collect();
        assert_eq!(parts, ["search by meaning"]);
        assert_eq!(given.report.citations[0].passage.file, "queue.md", "{:?}", given.report);
    }
    let foreign = ask("Which wool do I knit a winter scarf with?").report;
    assert!(foreign.abstained.is_some(), "{foreign:?}");
}
