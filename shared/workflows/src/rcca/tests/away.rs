//! Questions while a service is away.

use super::*;
use testing::AwayEmbedder;

#[test]
fn while_the_embedding_model_is_away_words_and_strings_are_searched_and_that_is_told() {
    pollster::block_on(async {
        let corpus = Corpus::of(&[("incidents/pump.md", PUMP), ("incidents/log.md", LOG)]).await;
        let context = FakeContext::default();
        let ask = Ask::new(context.context(), &AwayEmbedder, &corpus.index);
        let told = async |question: &str| {
            let request = serde_json::from_value(json!({"question": question})).unwrap();
            let partial = run(&ask, request).await.unwrap();
            let parts: Vec<String> =
                partial.degraded.iter().map(|missing| missing.part.to_string()).collect();
            assert_eq!(parts, ["search by meaning"]);
            serde_json::to_value(partial.reply).unwrap()
        };
        let report = told("The pump tripped on vibration").await;
        let file = |place: usize| report["results"][place]["passage"]["file"].clone();
        assert_eq!((file(0), file(1)), (json!("incidents/pump.md"), Value::Null), "{report}");
        let foreign = told("Which wool do I knit a winter scarf with?").await;
        assert_eq!(foreign["results"], json!([]), "words decide without nearness: {foreign}");
    });
}
