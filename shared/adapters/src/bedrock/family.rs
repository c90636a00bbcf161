//! Families of embedding models on Bedrock: models of one family are asked and answer in the same
//! form.
//!
//! Forms and limits: "Amazon Titan Embeddings Text", "Cohere Embed v3", "Cohere Embed v4" and
//! "Amazon Nova Multimodal Embeddings" in the Amazon Bedrock User Guide.

use corpus::ingest::MEANING;
use ports::Purpose;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::env::base;

/// A family of models, by the form of their requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    /// `amazon.titan-embed-text-v2:0`.
    Titan2,
    /// `cohere.embed-english-v3`, `cohere.embed-multilingual-v3`.
    Cohere3,
    /// `cohere.embed-v4:0`.
    Cohere4,
    /// `amazon.nova-2-multimodal-embeddings-v1:0`.
    Nova2,
}

/// The beginnings of the ids of each family's models.
const FAMILIES: [(&str, Family); 5] = [
    ("amazon.titan-embed-text-v2", Family::Titan2),
    ("cohere.embed-english-v3", Family::Cohere3),
    ("cohere.embed-multilingual-v3", Family::Cohere3),
    ("cohere.embed-v4", Family::Cohere4),
    ("amazon.nova-2-multimodal-embeddings-v1", Family::Nova2),
];

/// The refusal of a model's id.
pub(super) const KNOWN: &str = "is no embedding model that is known here: amazon.titan-embed-text-v2:0, \
    cohere.embed-english-v3, cohere.embed-multilingual-v3, cohere.embed-v4:0, \
    amazon.nova-2-multimodal-embeddings-v1:0, or an inference profile of one of them such as us.cohere.embed-v4:0";

/// The most texts that Cohere's models take in one call.
const TEXTS: usize = 96;

/// The most characters that Cohere's third models take of one text.
const CHARACTERS: usize = 2_048;

// Else the end of passages would not be embedded.
const _: () = assert!(MEANING <= CHARACTERS);

/// Titan's answer, and each of Nova's.
#[derive(Deserialize)]
struct Single {
    embedding: Vec<f32>,
}

/// `{"embeddings": ..}`.
#[derive(Deserialize)]
struct Several<T> {
    embeddings: T,
}

/// Cohere's embeddings, of the one type that is asked for.
#[derive(Deserialize)]
struct ByType {
    float: Vec<Vec<f32>>,
}

impl Family {
    /// Tells a model's family by its id or its inference profile's id.
    pub(super) fn of(model: &str) -> Option<Family> {
        let id = base(model);
        FAMILIES.iter().find(|(beginning, _)| id.starts_with(beginning)).map(|(_, family)| *family)
    }

    /// The most texts of one call.
    pub(super) fn texts(self) -> usize {
        match self {
            Family::Titan2 | Family::Nova2 => 1,
            Family::Cohere3 | Family::Cohere4 => TEXTS,
        }
    }

    /// Returns what is sent for at most [`Family::texts`] texts. A text that is too long for the
    /// model counts by its beginning.
    pub(super) fn body(self, texts: &[String], purpose: Purpose, dimensions: u32) -> Value {
        let is_question = purpose == Purpose::Question;
        let input_type = if is_question { "search_query" } else { "search_document" };
        let first = texts.first().map_or("", String::as_str);
        match self {
            Family::Titan2 => {
                json!({"inputText": first, "dimensions": dimensions, "normalize": true})
            }
            Family::Cohere3 => {
                let texts: Vec<String> =
                    texts.iter().map(|text| text.chars().take(CHARACTERS).collect()).collect();
                json!({
                    "texts": texts, "input_type": input_type, "embedding_types": ["float"], "truncate": "END",
                })
            }
            Family::Cohere4 => json!({
                "texts": texts, "input_type": input_type, "embedding_types": ["float"], "truncate": "RIGHT",
                "output_dimension": dimensions,
            }),
            Family::Nova2 => json!({
                "schemaVersion": "nova-multimodal-embed-v1",
                "taskType": "SINGLE_EMBEDDING",
                "singleEmbeddingParams": {
                    "embeddingPurpose": if is_question { "TEXT_RETRIEVAL" } else { "GENERIC_INDEX" },
                    "embeddingDimension": dimensions,
                    "text": {"truncationMode": "END", "value": first},
                },
            }),
        }
    }

    /// The vectors in an answer, in order.
    pub(super) fn vectors(self, body: &[u8]) -> serde_json::Result<Vec<Vec<f32>>> {
        Ok(match self {
            Family::Titan2 => vec![serde_json::from_slice::<Single>(body)?.embedding],
            Family::Cohere3 | Family::Cohere4 => {
                serde_json::from_slice::<Several<ByType>>(body)?.embeddings.float
            }
            Family::Nova2 => {
                let answer: Several<Vec<Single>> = serde_json::from_slice(body)?;
                answer.embeddings.into_iter().map(|embedding| embedding.embedding).collect()
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_family_is_told_by_the_id_wherever_the_model_runs() {
        for (model, family) in [
            ("cohere.embed-v4:0", Some(Family::Cohere4)),
            ("global.cohere.embed-v4:0", Some(Family::Cohere4)),
            ("eu.cohere.embed-v4:0", Some(Family::Cohere4)),
            ("cohere.embed-multilingual-v3", Some(Family::Cohere3)),
            ("amazon.titan-embed-text-v2:0", Some(Family::Titan2)),
            ("amazon.nova-2-multimodal-embeddings-v1:0", Some(Family::Nova2)),
            ("amazon.titan-embed-image-v1", None),
            ("cohere.command-r-v1:0", None),
        ] {
            assert_eq!(Family::of(model), family, "{model}");
        }
    }

    #[test]
    fn each_family_is_sent_what_it_takes_and_nothing_else() {
        let texts = ["why".to_owned(), "x".repeat(3_000)];
        let third = Family::Cohere3.body(&texts, Purpose::Question, 1_024);
        assert_eq!(third.get("output_dimension"), None);
        assert_eq!(
            (&third["truncate"], &third["input_type"]),
            (&json!("END"), &json!("search_query"))
        );
        assert_eq!(third["texts"][1].as_str().map(str::len), Some(CHARACTERS));
        let fourth = Family::Cohere4.body(&texts, Purpose::Document, 1_536);
        assert_eq!(
            (&fourth["truncate"], &fourth["output_dimension"]),
            (&json!("RIGHT"), &json!(1_536))
        );
        assert_eq!(fourth["input_type"], "search_document");
        let nova = Family::Nova2.body(&texts[..1], Purpose::Document, 3_072);
        let parameters = &nova["singleEmbeddingParams"];
        assert_eq!(
            (&parameters["embeddingPurpose"], &parameters["text"]["value"]),
            (&json!("GENERIC_INDEX"), &json!("why"))
        );
        assert_eq!(Family::Titan2.body(&texts[..1], Purpose::Question, 256)["inputText"], "why");
    }

    #[test]
    fn the_answers_of_all_families_are_read() {
        let two = vec![vec![0.5], vec![0.25]];
        let one = vec![vec![0.5]];
        let of_cohere = json!({"id": "a", "embeddings": {"float": two}, "texts": []});
        for (family, answer, expected) in [
            (Family::Titan2, json!({"embedding": [0.5], "inputTextTokenCount": 1}), &one),
            (Family::Cohere3, of_cohere.clone(), &two),
            (Family::Cohere4, of_cohere, &two),
            (
                Family::Nova2,
                json!({"embeddings": [{"embeddingType": "TEXT", "embedding": [0.5]}]}),
                &one,
            ),
        ] {
            assert_eq!(&family.vectors(answer.to_string().as_bytes()).unwrap(), expected);
            assert!(family.vectors(b"{}").is_err());
        }
    }
}
