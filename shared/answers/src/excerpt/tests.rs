use super::*;
use testing::passages;

fn of(kind: DocumentType, text: &str) -> Passage {
    let passage = passages("x").pop().unwrap();
    let count = u32::try_from(text.lines().count()).unwrap();
    Passage { document_type: kind, text: text.into(), lines: Some((5, 4 + count)), ..passage }
}

#[test]
fn a_record_has_its_lines_and_each_line_knows_its_record() {
    let passage =
        of(DocumentType::Log, "2026-11-20T10:00:00Z ERROR gone\n  at a.b\n  Caused by: x");
    let excerpts = records(&[&passage]);
    assert_eq!(excerpts.iter().map(|excerpt| excerpt.lines).collect::<Vec<_>>(), [Some((5, 7))]);
    let lines = lines_of(&[&passage]);
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[2].text(), "Caused by: x");
    assert_eq!(lines[2].lines, Some((7, 7)));
    assert!(lines[2].head().ends_with("gone"));
}

#[test]
fn a_setting_knows_the_key_above_it() {
    let passage = of(DocumentType::Config, "pools:\n  - name: a\n    size: 3\nport: 1");
    let excerpts = records(&[&passage]);
    assert_eq!(excerpts[2].text(), "size: 3");
    assert_eq!(excerpts[2].head(), "pools:\n- name: a");
    assert_eq!(excerpts[3].head(), "");
}

#[test]
fn an_item_is_quoted_with_its_settings_and_without_the_next_item() {
    let rules = "rules:\n  - alert: Many\n    annotations:\n      summary: Many run.\n    labels:\n      severity: page\n  - alert: None\n    for: 5m";
    let passage = of(DocumentType::Config, rules);
    let item = with_body(&records(&[&passage])[1]);
    assert!(item.text().starts_with("- alert: Many") && item.text().ends_with("severity: page"));
    assert_eq!(item.lines, Some((6, 10)));
    let hosts = of(DocumentType::Config, "- a.example\n  - b.example\n  - c.example");
    assert_eq!(with_body(&records(&[&hosts])[0]).text(), "- a.example");
    let cut = of(DocumentType::Config, &rules["rules:\n  ".len()..]);
    let item = with_body(&records(&[&cut])[0]);
    assert!(item.text().ends_with("severity: page"), "{}", item.text());
}

#[test]
fn a_paragraph_keeps_the_list_and_the_code_that_it_announces() {
    let text =
        "## Fix\n\nDo this:\n\n1. Stop it.\n2. Start it:\n\n```sh\nctl start\n```\n\nThat is all.";
    let passage = of(DocumentType::Runbook, text);
    let excerpts = paragraphs(&passage);
    assert_eq!(excerpts.len(), 2);
    assert!(
        excerpts[0].text().starts_with("Do this:") && excerpts[0].text().ends_with("start\n```")
    );
    assert_eq!(excerpts[1].text(), "That is all.");
}
