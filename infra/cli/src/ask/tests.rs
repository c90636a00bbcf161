use super::*;

fn options(project: Option<&str>) -> Options {
    let knowledge = vec!["global".into()];
    let project = project.map(str::to_owned);
    let (queries, filters) = (Vec::new(), Vec::new());
    let terms = Terms { top_k: None, queries, filters, project, json: false, explain: false };
    Options {
        knowledge,
        like: Vec::new(),
        unlike: Vec::new(),
        mode: None,
        all: false,
        html: false,
        out: None,
        open: false,
        terms,
    }
}

#[test]
fn a_project_is_named_only_where_the_caller_names_one() {
    assert_eq!(options(Some("01J")).body("why?", None)["project_id"], "01J");
    assert_eq!(options(None).body("why?", None).get("project_id"), None);
    assert_eq!(options(None).body("why?", None)["knowledge"], json!(["global"]));
    assert_eq!(options(None).terms.body("why?", None).get("knowledge"), None);
}
