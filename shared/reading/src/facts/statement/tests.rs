use super::*;
use crate::facts::testing::{named, passages};

/// Returns the statements of a document: for each its text, the texts of the places above it, and
/// its side.
fn statements_of(text: &str) -> Vec<(String, Vec<String>, Option<Side>)> {
    let document = passages(text);
    let passages: Vec<&Passage> = document.iter().collect();
    let all = read(&passages).into_iter().zip(&document);
    let of_passage = |(statements, passage): (Statements, &Passage)| {
        let above = |statement: &Statement| {
            let mut texts = Vec::new();
            let mut next = statement.below;
            while let Some(number) = next {
                let (text, below) = statements.place(number, &passage.text);
                texts.push(text.to_owned());
                next = below;
            }
            texts
        };
        let to_tuple = |statement: &Statement| {
            (passage.text[statement.focus()].to_owned(), above(statement), statement.side)
        };
        statements.list.iter().map(to_tuple).collect::<Vec<_>>()
    };
    all.flat_map(of_passage).collect()
}

#[test]
fn items_stand_below_their_label_and_the_items_around_them() {
    let all = statements_of(
        "# ADR\n\nBenefits of EKS:\n\n- upgrades are smoother:\n  - kOps was slow\n- less to run. It is managed.\n",
    );
    let below = |text: &str| all.iter().find(|a| a.0 == text).unwrap().clone();
    assert_eq!(below("kOps was slow").1, ["upgrades are smoother:", "Benefits of EKS:"]);
    assert_eq!(below("kOps was slow").2, Some(Side::For));
    assert_eq!(below("It is managed.").1, ["Benefits of EKS:"]);
    assert_eq!(below("Benefits of EKS:").1, [""; 0]);
}

#[test]
fn a_bare_label_leaves_what_stands_below_it_with_the_label_before() {
    let all = statements_of(
        "# ADR\n\n**Kafka**\n\nPros:\n\n- it is fast\n\nCons:\n\n- it is large\n\nElse nothing is known.\n",
    );
    let of = |text: &str| all.iter().find(|a| a.0 == text).unwrap();
    assert_eq!(
        (of("it is fast").1[0].as_str(), of("it is fast").2),
        ("**Kafka**", Some(Side::For))
    );
    assert_eq!(
        (of("it is large").1[0].as_str(), of("it is large").2),
        ("**Kafka**", Some(Side::Against))
    );
    assert_eq!((of("Else nothing is known.").1.len(), of("Else nothing is known.").2), (0, None));
}

#[test]
fn an_opening_word_takes_a_side() {
    let all = statements_of(
        "# ADR\n\n### Nx\n\n* Good, because it is fast\n* Bad, because it is new\n* Good idea\n",
    );
    let sides: Vec<_> = all.iter().map(|a| a.2).collect();
    assert_eq!(sides, [Some(Side::For), Some(Side::Against), None]);
}

#[test]
fn cells_have_the_heads_of_their_row_and_column_and_their_values() {
    let document = passages(
        "# ADR\n\n| Broker | p99 |\n|---|---|\n| Tidewire | 12 ms |\n| | -- |\n| Halyard | 45 ms at most |\n",
    );
    let passages: Vec<&Passage> = document.iter().collect();
    let statements = read(&passages).swap_remove(0);
    let text = &document[0].text;
    let heads = |statement: &Statement| {
        let (row, column) = statement.heads.unwrap();
        let [row, column] = [row, column].map(|place| statements.place(place, text).0.to_owned());
        (row, column)
    };
    let cells: Vec<_> =
        statements.list.iter().map(|cell| (&text[cell.focus()], heads(cell))).collect();
    assert_eq!(
        cells,
        [
            ("12 ms", ("Tidewire".into(), "p99".into())),
            ("45 ms at most", ("Halyard".into(), "p99".into()))
        ]
    );
    let value = &statements.list[1].values[0];
    assert_eq!(&text[model::facts::range(value.at)], value.quantity.text);
}

#[test]
fn what_stands_above_is_known_in_the_next_passage_of_the_same_section() {
    let item = |n: u32| format!("- reason {n} that takes a few words of room on the page\n");
    let items: Vec<String> = (0..60).map(item).collect();
    let items = items.concat();
    let all = statements_of(&format!("# ADR\n\nBenefits of EKS:\n\n{items}"));
    let last = all.iter().find(|a| a.0.starts_with("reason 59 ")).unwrap();
    assert_eq!(
        (last.1.as_slice(), last.2),
        (["Benefits of EKS:".to_owned()].as_slice(), Some(Side::For))
    );
}

#[test]
fn a_log_has_no_statements() {
    let document = named("app.log", "2026-01-02T03:04:05Z ERROR it failed\n");
    assert!(read(&document.iter().collect::<Vec<_>>()).iter().all(Statements::is_empty));
}
