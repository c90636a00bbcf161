use super::*;
use ports::question::Question;
use testing::passages;

/// Returns the results of the searches for a literal in documents with these texts.
fn found(texts: &[&str]) -> Vec<[Ranked; 2]> {
    let hit = |text: &&str| {
        let passage = passages(text).swap_remove(0);
        let id = Uuid::new_v5(&Uuid::NAMESPACE_OID, text.as_bytes());
        Hit {
            passage_id: id,
            document_id: id,
            version: "01A".into(),
            raw: 3.0,
            passage: Some(Box::new(passage)),
        }
    };
    let hits = texts.iter().map(hit).collect();
    vec![[Ranked { hits, usual: None }, Ranked::default()]]
}

fn weight(question: &str, documents: &[&str]) -> Option<(usize, f64)> {
    let literals = Lookup::exact(&Question::parse(question).unwrap()).literals;
    let found = found(documents);
    let hits = found.iter().flatten().flat_map(|ranked| &ranked.hits);
    let passages = hits.filter_map(|hit| Some((hit.passage_id, hit.passage.as_deref()?))).collect();
    let ranking = ranking(&literals, &found, &passages, 4.0)?;
    Some((ranking.hits.len(), ranking.weight))
}

#[test]
fn what_stands_whole_in_few_documents_counts_as_much_as_it_is_of_the_question() {
    let whole = "# Pump\n\nError AB-12 was told.\n";
    let parts = "# Pump\n\nError AB was told 12 times, or AB-123.\n";
    assert_eq!(weight("AB-12", &[whole, parts]), Some((1, 4.0)), "as much as all others");
    let (_, long) =
        weight("Since noon the pumps stop, valves hang and AB-12 is told?", &[whole]).unwrap();
    assert!(long < 2.0, "{long}");
    assert_eq!(weight("AB-12", &[parts]), None);
}

#[test]
fn a_day_is_found_however_a_document_writes_it() {
    let days = ["# A\n\nOn September 3, 2024 it broke.\n", "# B\n\n2024-09-03: it broke.\n"];
    let other = "# C\n\nOn 13 September 2024 it broke.\n";
    let asked = "What broke on the 3rd of September 2024?";
    assert_eq!(weight(asked, &[days[0], days[1], other]).map(|(count, _)| count), Some(2));
    assert_eq!(weight(asked, &[other]), None);
    let as_asked = "# A\n\nOn the 3rd of September 2024 it broke.\n";
    assert_eq!(weight(asked, &[as_asked]).map(|(count, _)| count), Some(1));
}

#[test]
fn what_stands_in_many_documents_tells_none_of_them() {
    let many = ["# A\n\nAB-12.\n", "# B\n\nAB-12.\n", "# C\n\nAB-12.\n", "# D\n\nAB-12.\n"];
    assert_eq!(weight("AB-12", &many), None);
    assert_eq!(weight("AB-12", &many[1..]), Some((3, 4.0)));
}

#[test]
fn a_string_is_found_in_capitals_over_a_line_break_and_in_a_title() {
    let finds = |literal: &str, text: &str| has(&passages(text)[0], &Exact::of(literal));
    assert!(finds("no space left", "# Disk\n\nIt said: NO SPACE\nleft on it.\n"));
    assert!(finds("übergröße am ende", "# Disk\n\nÜBERGRÖSSE, no: Übergröße am Ende.\n"));
    assert!(finds("übergröße", "# Übergröße\n\nText.\n"), "no word of it is ASCII");
    assert!(finds("ab-12", "# AB-12\n\nIt broke.\n"), "in the title alone");
    assert!(!finds("no space left", "# Disk\n\nNo space was left.\n"));
    assert!(!finds("ab-12", "# Pump\n\nAB-123 broke.\n"));
}
