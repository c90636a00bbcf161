//! Questions while the embedding model is away, or documents are of an older reader.

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

#[test]
fn documents_that_an_older_reader_read_are_told() {
    pollster::block_on(async {
        let corpus = Corpus::of(&[("incidents/pump.md", PUMP)]).await;
        let mut points = corpus.index.held();
        for point in &mut points {
            point.passage.facts = Facts::default();
        }
        let ids: Vec<Uuid> = points.iter().map(|point| point.passage.id).collect();
        corpus.index.stage(&Scope::Global, points).await.unwrap();
        let document = corpus.index.held()[0].passage.document_id;
        let version = corpus.index.held()[0].passage.version.clone();
        corpus.index.publish(&Scope::Global, document, &version, &ids).await.unwrap();
        let context = FakeContext::default();
        let ask = Ask::new(context.context(), &FakeEmbedder, &corpus.index);
        let request = serde_json::from_value(json!({"question": "pump trips"})).unwrap();
        let answer = run(&ask, request).await.unwrap();
        assert_eq!(
            (answer.reply.report.results.len(), answer.reply.report.also_read.len()),
            (0, 1)
        );
        assert_eq!(answer.degraded[0].part, "facts");
        assert!(answer.degraded[0].error.to_string().contains("1 of the documents found"));
    });
}
