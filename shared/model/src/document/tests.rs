use super::*;

#[test]
fn every_kind_reads_back_from_its_name_and_is_named_alike_in_json() {
    for (kind, name) in DocumentType::ALL {
        assert_eq!(DocumentType::parse(name), Some(kind));
        assert_eq!(serde_json::to_value(kind).unwrap(), name);
    }
    for (origin, name) in Origin::ALL {
        assert_eq!(Origin::parse(name), Some(origin));
        assert_eq!(serde_json::to_value(origin).unwrap(), name);
    }
}

#[test]
fn ids_are_the_same_tomorrow_and_apart_for_other_scopes_versions_and_places() {
    let document = document_id(&Scope::Global, "pump.md");
    assert_eq!(document.to_string(), "df7b9e3d-25ce-5ebb-b1f0-05c57a66b525");
    assert_eq!(
        passage_id(document, "01JD000000", 3).to_string(),
        "8df2b9b4-f310-866b-92f1-cf488e6115b5"
    );
    let [composed, decomposed] = ["caf\u{e9}.md", "cafe\u{301}.md"];
    assert_eq!(document_id(&Scope::Global, composed), document_id(&Scope::Global, decomposed));
    assert_ne!(document, document_id(&Scope::User("global".into()), "pump.md"));
    assert_ne!(passage_id(document, "01JD000000", 3), passage_id(document, "01JD000000", 4));
    assert_ne!(passage_id(document, "01JD000000", 3), passage_id(document, "01JD000001", 3));
}

#[test]
fn points_have_the_same_order_in_every_version_of_a_document() {
    let document = document_id(&Scope::Global, "pump.md");
    let order = |version: &str| -> Vec<u32> {
        let mut positions: Vec<u32> = (0..100).collect();
        positions.sort_by_key(|position| passage_id(document, version, *position));
        positions
    };
    assert_eq!(order("01JD000000"), order("01JD000001"));
    assert!(!order("01JD000000").is_sorted(), "the lowest are a random sample");
}
