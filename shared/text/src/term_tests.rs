use super::*;
use proptest::prelude::*;

fn found<'t>(names: &[&str], text: &'t str) -> Vec<(usize, &'t str)> {
    let terms = Terms::proper(names.iter().copied().enumerate(), []);
    terms.find(text).iter().map(|found| (found.number, &text[found.start..found.end])).collect()
}

#[test]
fn names_are_whole_words() {
    assert_eq!(found(&["Go"], "Golang is good, MongoDB too; we go on. Go 1.13"), [(0, "Go")]);
    assert_eq!(found(&["Golang", "Go"], "Golang or Go"), [(0, "Golang"), (1, "Go")]);
    assert_eq!(found(&["Java"], "JavaScript"), []);
}

#[test]
fn a_short_name_must_be_written_as_it_is_and_a_short_word_need_not() {
    assert_eq!(found(&["A", "IT"], "a part of it; A or IT"), [(0, "A"), (1, "IT")]);
    assert_eq!(found(&["C++", "C#", "C"], "C, C# and C++: 3 c"), [(2, "C"), (1, "C#"), (0, "C++")]);
    assert!(Terms::new([(0, "Log")]).are_in("a log"));
}

#[test]
fn names_in_other_letters_are_found() {
    assert_eq!(
        found(&["Ökostrom", "Яндекс"], "Ökostrom, Яндекс"),
        [(0, "Ökostrom"), (1, "Яндекс")]
    );
}

#[test]
fn endings_do_not_matter() {
    assert_eq!(found(&["Postgres"], "PostgreSQL, POSTGRES"), [(0, "PostgreSQL"), (0, "POSTGRES")]);
    assert_eq!(
        found(&["DocumentDB"], "documents in documentdb, or Document DB"),
        [(0, "documentdb"), (0, "Document")]
    );
    assert_eq!(found(&["PostgreSQL"], "postgres"), [(0, "postgres")]);
    assert_eq!(found(&["MongoDB"], "Mongo is used"), [(0, "Mongo")]);
    assert_eq!(found(&["managed nodes"], "a managed node group"), [(0, "managed node")]);
    assert_eq!(found(&["retry policy"], "retry policies"), [(0, "retry policies")]);
    assert_eq!(found(&["Abyed"], "as Abyed."), [(0, "Abyed")]);
}

#[test]
fn marks_and_line_breaks_may_stand_within_a_name() {
    assert_eq!(found(&["base2"], "base-2, `base 2`, base 20"), [(0, "base-2"), (0, "base 2")]);
    assert_eq!(
        found(&["page cache hints"], "**page\n  cache** hint"),
        [(0, "page\n  cache** hint")]
    );
    assert_eq!(found(&["direct I/O"], "Direct I/O"), [(0, "Direct I/O")]);
}

#[test]
fn the_longest_name_counts() {
    let names = ["Endpoints", "100 Endpoints per EndpointSlice"];
    assert_eq!(
        found(&names, "with 100 Endpoints per EndpointSlice"),
        [(1, "100 Endpoints per EndpointSlice")]
    );
}

proptest! {
    #[test]
    fn a_name_is_found_where_it_stands_alone_and_nothing_is_found_within_a_word(name in "[A-Z][a-z]{2,9}", other in "[a-z]{1,5}") {
        let alone = format!("{other}: {name}.");
        prop_assert!(found(&[&name], &alone).iter().any(|(_, f)| *f == name));
        let inside = format!("{other}{name}");
        let at_end = found(&[&name], &inside).iter().any(|(_, f)| f.len() < inside.len());
        prop_assert!(!at_end);
    }

    #[test]
    fn any_text_can_be_searched_for_any_name(name in "\\PC{0,12}", text in "\\PC{0,80}") {
        for mention in Terms::new([(0, name.as_str())]).find(&text) {
            prop_assert!(text.get(mention.start..mention.end).is_some());
        }
    }
}

#[test]
fn words_of_other_languages_are_found_by_their_own_stems() {
    let german = Terms::in_language([(0, "Störungen"), (1, "ausfällt")], Language::German);
    let found: Vec<usize> =
        german.find("Die Störung: sie ausfällt.").iter().map(|found| found.number).collect();
    assert_eq!(found, [0, 1]);
    let russian = Terms::in_language([(0, "насос")], Language::Russian);
    assert!(russian.are_in("Насосы стоят."));
}
