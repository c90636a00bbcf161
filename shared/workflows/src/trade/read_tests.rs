use super::*;
use crate::trade::wanted::Alternative;
use model::evidence::ScoreParts;
use testing::passages;

/// Returns the focus of each statement with its alternatives: those that it names, or else the one
/// above it.
fn read(text: &str) -> Vec<(String, Vec<usize>)> {
    let evidence: Vec<Evidence> = passages(text)
        .into_iter()
        .map(|passage| Evidence::of(passage, ScoreParts::new(Vec::new(), 0.0)))
        .collect();
    let alternatives = ["Bazel", "Nx"].map(|name| Alternative { names: vec![name.into()] });
    let names = Names::new(&alternatives, &evidence);
    let with = |statement: &Statement| {
        let numbers = statement.named.iter().map(|mention| mention.number);
        if statement.named.is_empty() {
            statement.under.into_iter().collect()
        } else {
            numbers.collect()
        }
    };
    let statements = statements(&evidence, &names, &Assignments::new());
    let focus = |statement: &Statement| {
        evidence[statement.passage].passage.text[statement.focus.clone()].to_owned()
    };
    statements.iter().map(|statement| (focus(statement), with(statement))).collect()
}

fn alternatives_of(text: &str, focus: &str) -> Vec<usize> {
    let statements = read(text);
    statements
        .iter()
        .find(|(statement, _)| statement.contains(focus))
        .unwrap_or_else(|| panic!("{focus} in {statements:?}"))
        .1
        .clone()
}

#[test]
fn a_sentence_that_names_both_stands_with_both_and_the_next_goes_on_with_the_one_before() {
    let text =
        "# Tools\n\nBazel and Nx were tried. Bazel is fast. It needs 2 GB. Others are slow.\n";
    assert_eq!(alternatives_of(text, "tried"), [0, 1]);
    assert_eq!(alternatives_of(text, "2 GB"), [0]);
}

#[test]
fn headings_labels_and_outer_items_name_what_stands_below_them() {
    let text = "# Tools\n\n## Nx\n\nIt takes 5 s.\n\n**Bazel**\n\n- takes 9 s\n\n## Other\n\n- Nx:\n  - builds in 7 s\n- Unrelated 3 s\n";
    assert_eq!(alternatives_of(text, "5 s"), [1]);
    assert_eq!(alternatives_of(text, "9 s"), [0]);
    assert_eq!(alternatives_of(text, "7 s"), [1]);
    assert_eq!(alternatives_of(text, "3 s"), [0; 0]);
}

#[test]
fn a_cell_stands_with_its_row_or_its_column() {
    let rows = "# T\n\n| Tool | build time |\n|---|---|\n| Nx | 5 s |\n| Bazel | 9 s |\n";
    assert_eq!((alternatives_of(rows, "5 s"), alternatives_of(rows, "9 s")), (vec![1], vec![0]));
    let columns = "# T\n\n| | Bazel | Nx |\n|---|---|---|\n| build time | 9 s | 5 s |\n";
    assert_eq!(
        (alternatives_of(columns, "5 s"), alternatives_of(columns, "9 s")),
        (vec![1], vec![0])
    );
}

#[test]
fn a_table_that_was_split_keeps_its_head() {
    let filler = "| other | nothing worth telling of it at all in this row |\n".repeat(40);
    let text = format!("# T\n\n| Tool | build time |\n|---|---|\n{filler}| Nx | 5 s |\n");
    assert_eq!(alternatives_of(&text, "5 s"), [1]);
}

#[test]
fn an_argument_is_about_what_it_is_listed_for_unless_it_begins_with_another() {
    let text = "# Builds\n\nBenefits of Nx:\n\n- less to run, compared to Bazel. And fewer risks.\n- Bazel upgrades were slow.\n- it replaces Bazel\n";
    assert_eq!(alternatives_of(text, "less to run"), [1]);
    assert_eq!(alternatives_of(text, "fewer risks"), [1]);
    assert_eq!(alternatives_of(text, "were slow"), [0]);
    assert_eq!(alternatives_of(text, "replaces"), [1]);
}
