use super::*;
use model::evidence::ScoreParts;

fn names(alternatives: &[&str], text: &str) -> (Names, Vec<Evidence>) {
    let passages = testing::passages(text).into_iter();
    let parts = || ScoreParts::new(Vec::new(), 0.5);
    let evidence: Vec<Evidence> = passages.map(|passage| Evidence::of(passage, parts())).collect();
    let alternatives: Vec<Alternative> =
        alternatives.iter().map(|name| Alternative { names: vec![(*name).into()] }).collect();
    (Names::new(&alternatives, &evidence), evidence)
}

/// Returns the alternatives that a sentence of the text names.
fn within(alternatives: &[&str], text: &str, sentence: &str) -> Vec<usize> {
    let (names, _) = names(alternatives, &format!("# Notes\n\n{text}\n\n{sentence}\n"));
    let found = names.find(sentence);
    found.within(&(0..sentence.len())).iter().map(|mention| mention.number).collect()
}

/// Returns the alternative that a heading over the text is about.
fn above(alternatives: &[&str], text: &str, heading: &str) -> Option<usize> {
    let (names, _) = names(alternatives, &format!("# Notes\n\n{text}\n"));
    names.above(&names.find(heading), &(0..heading.len()))
}

#[test]
fn a_sentence_names_an_alternative_by_its_whole_name_in_any_spelling() {
    let text = "We run things. They are managed. Nothing is hosted by us.";
    let both = ["self-hosted ELK", "Amazon OpenSearch"];
    assert_eq!(within(&both, text, "Self hosted ELK needs two people."), [0]);
    assert_eq!(within(&both, text, "ELK needs two people."), [0; 0]);
    assert_eq!(within(&["cluster autoscaler"], text, "The Cluster Auto Scaler is old."), [0]);
    assert_eq!(within(&["AWS single sign-on", "SAML login"], text, "SSO is easy."), [0]);
}

#[test]
fn a_heading_is_about_an_alternative_by_the_rarest_part_of_its_name() {
    let text = "We run things. They are managed. Nothing is hosted by us.";
    let both = ["self-hosted ELK", "Amazon OpenSearch"];
    assert_eq!(above(&both, text, "ELK"), Some(0));
    assert_eq!(above(&both, text, "Nothing is hosted here"), None);
}

#[test]
fn a_part_that_belongs_to_another_name_names_nothing() {
    let text = "Corvid MQ keeps them. With Corvid MQ they are gone. An MQ is a queue.";
    assert_eq!(above(&["Rabbit MQ", "Kafka"], text, "Corvid MQ"), None);
    assert_eq!(above(&["Corvid MQ 9", "Kafka"], text, "Corvid MQ"), Some(0));
}

#[test]
fn what_alternatives_share_names_none_of_them() {
    let both = ["EKS Fargate", "EKS managed nodes"];
    let text = "EKS runs it all. Fargate costs more. Managed nodes need patches.";
    assert_eq!(above(&both, text, "EKS"), None);
    assert_eq!(above(&both, text, "Fargate"), Some(0));
}

#[test]
fn a_heading_is_about_an_alternative_by_most_of_its_words() {
    let both = ["vendor intrinsics with architecture types", "intrinsics with portable types"];
    let (names, _) = names(
        &both,
        "# RFC\n\n## Portable types\n\nThey are portable. All intrinsics are unsafe types.\n\n## Vendor\n\nThe architecture of a vendor.\n",
    );
    let above = |heading: &str| names.above(&names.find(heading), &(0..heading.len()));
    assert_eq!(above("Alternative: portable types"), Some(1));
    assert_eq!(above("Types"), None);
}
