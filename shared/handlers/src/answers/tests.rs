use std::collections::BTreeSet;
use std::time::SystemTime;

use lambda::Asking;
use ports::question::Stamp;
use ports::scope::Caller;
use wire::route::Base;

use super::*;

const README: &str = include_str!("../../../../README.md");

/// The knowledge bases as they are shipped.
fn shipped() -> KnowledgeBases {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../infra/knowledge");
    let file = |entry: std::io::Result<std::fs::DirEntry>| {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        (name, std::fs::read_to_string(&path).unwrap())
    };
    let files: Vec<_> = std::fs::read_dir(folder).unwrap().map(file).collect();
    KnowledgeBases::parse(&files).unwrap()
}

/// A request of a member of the team `ops`; in its path each id is `ops`.
fn call(route: Route, body: &str) -> Call {
    let parameters = ["case_id", "team_id"].map(|name| (name.to_owned(), "ops".to_owned()));
    let (parameters, body) = (parameters.into(), body.into());
    let asking = Asking { parameters, body, ..Asking::of(route) };
    let caller = Caller {
        sub: "ann".into(),
        groups: vec!["ops".into()],
        scopes: Vec::new(),
        has_key: false,
        admin_group: "admins".into(),
    };
    let stamp = Stamp { id: "01A".into(), time: "2026-11-20T18:00:00Z".parse().unwrap() };
    Call::new(asking, caller, stamp, SystemTime::now())
}

#[test]
fn each_route_of_a_knowledge_base_finds_it() {
    let bases = shipped();
    let name = |base| {
        let scope = call(Route::Answer(AnswerRoute::AnswerFrom(base)), "").scope(base);
        bases.base_of(&scope).unwrap().name.clone()
    };
    assert_eq!(Base::ALL.map(name), ["global", "user", "case", "team"]);
}

#[test]
fn each_knowledge_base_that_the_readme_names_is_there() {
    let is_row =
        |line: &&str| line.ends_with("[answer](docs/answer.md) |") && line.contains("`ask ");
    let row = README.lines().find(is_row).unwrap();
    let names = row.split('`').skip(1).step_by(2).map(|name| name.trim_start_matches("ask "));
    let scope = |name: &str| Scope::parse(name).or_else(|| Scope::parse(&format!("{name}:ann")));
    let bases = shipped();
    let found: BTreeSet<String> =
        names.map(|name| bases.base_of(&scope(name).unwrap()).unwrap().name.clone()).collect();
    assert_eq!(found.into_iter().collect::<Vec<_>>(), ["case", "global", "team", "user"]);
}

#[test]
fn a_request_in_decomposed_letters_is_the_one_in_composed_letters() {
    let route = Route::Answer(AnswerRoute::QueryRecordsOf(Base::Global));
    let read = |body: &str| {
        let request: wire::records::RecordsRequest = call(route, body).json().unwrap();
        serde_json::to_value(request).unwrap()
    };
    let composed =
        "{\"where\": {\"gr\u{f6}\u{df}e\": \"K\u{fc}hler\"}, \"group_by\": [\"gr\u{f6}\u{df}e\"]}";
    let decomposed = "{\"where\": {\"gro\u{308}\u{df}e\": \"Ku\u{308}hler\"}, \"group_by\": [\"gro\u{308}\u{df}e\"]}";
    let escaped = "{\"where\": {\"gro\\u0308\\u00dfe\": \"Ku\\u0308hler\"}, \"group_by\": [\"gro\\u0308\\u00dfe\"]}";
    assert_eq!((read(decomposed), read(escaped)), (read(composed), read(composed)));
    let announced = r#"{"name": "Ru\u0308ckbau.md", "content_type": "text/markdown", "bytes": 7}"#;
    let announced: wire::documents::Announcement = call(route, announced).json().unwrap();
    assert_eq!(announced.name, "R\u{fc}ckbau.md");
}
