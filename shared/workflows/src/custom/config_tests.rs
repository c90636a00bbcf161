use super::*;

const GOOD: &str = "description = \"Finds\"\nquery_expansion = [\"more\"]\n";

fn trouble(text: &str) -> String {
    let files = [("find_it.toml".to_owned(), text.to_owned())];
    Strategies::parse(&files).unwrap_err().to_string()
}

fn with(more: &str) -> String {
    trouble(&format!("{GOOD}{more}"))
}

#[test]
fn the_least_that_a_file_must_say_is_enough() {
    let files = [("b.toml".to_owned(), GOOD.to_owned()), ("a.toml".to_owned(), GOOD.to_owned())];
    let strategies = Strategies::parse(&files).unwrap();
    let names: Vec<&str> = strategies.all().iter().map(|config| config.name.as_str()).collect();
    assert_eq!(names, ["a", "b"]);
}

#[test]
fn unknown_and_missing_keys_are_refused_by_file_line_and_field() {
    assert!(
        with("colour = 1\n").starts_with("find_it.toml:3: `colour` cannot be read: unknown field")
    );
    assert!(
        trouble("description = \"x\"\n")
            .contains("`query_expansion` cannot be read: missing field")
    );
    assert!(with("facets = [1]\n").starts_with("find_it.toml:3: `facets` cannot be read"));
    assert!(
        with("[[boosts]]\nname = \"a\"\nshare = 0.1\nwords = [\"b\"]\nextra = 1\n")
            .starts_with("find_it.toml:7: `extra`")
    );
    assert!(with("facets = \n").starts_with("find_it.toml:3: `facets` cannot be read"));
}

#[test]
fn empty_lists_and_blank_words_are_refused() {
    assert_eq!(
        trouble("description = \"x\"\nquery_expansion = []\n"),
        "find_it.toml:2: `query_expansion` must have 1 to 20 entries"
    );
    assert_eq!(with("facets = []\n"), "find_it.toml:3: `facets` must have 1 to 20 entries");
    assert_eq!(
        with("output_fields = []\n"),
        "find_it.toml:3: `output_fields` must have 1 to 20 entries"
    );
    assert!(
        with("output_fields = [\" \"]\n")
            .starts_with("find_it.toml:3: `output_fields` must have words")
    );
    assert!(with("output_fields = [\"a\", \"a\"]\n").ends_with("`output_fields` has `a` twice"));
    assert!(
        trouble("description = \" \"\nquery_expansion = [\"a\"]\n")
            .starts_with("find_it.toml:1: `description`")
    );
}

#[test]
fn filters_are_those_of_every_workflow() {
    assert!(
        with("[filters]\ncolour = \"red\"\n")
            .starts_with("find_it.toml:4: `filters.colour` is no field to filter on")
    );
    assert!(
        with("[filters]\ndocument_type = [\"novel\"]\n")
            .starts_with("find_it.toml:4: `filters.document_type`")
    );
}

#[test]
fn patterns_that_are_wrong_or_could_run_away_are_refused() {
    let pattern = |pattern: &str| {
        with(&format!("output_fields = [{{ name = \"id\", pattern = '{pattern}' }}]\n"))
    };
    assert!(
        pattern("HAZ-(")
            .starts_with("find_it.toml:3: `output_fields` has a pattern that cannot be read")
    );
    assert!(pattern("(a+)+").contains("repeats without end what repeats without end"));
    assert!(pattern("(a{900}){900}").contains("too large"));
    assert!(pattern("x*").contains("fits an empty text"));
}

#[test]
fn boosts_stay_within_their_bounds() {
    let boost = |share: &str| {
        with(&format!("[[boosts]]\nname = \"a\"\nwords = [\"b\"]\nshare = {share}\n"))
    };
    for share in ["0.0", "0.31", "-0.1", "nan"] {
        assert!(
            boost(share).starts_with("find_it.toml:3: `boosts.share` must be above 0"),
            "{share}"
        );
    }
}

#[test]
fn a_files_name_is_a_name() {
    let files = [("Find It.toml".to_owned(), GOOD.to_owned())];
    assert!(
        Strategies::parse(&files).unwrap_err().to_string().starts_with("Find It.toml:1: `name`")
    );
}
