//! The ways to name a foreign thing, and the spellings of an id.

use std::fmt::Write;

use serde_json::{Value, json};

use super::{Foreign, UNKNOWN_ULID, UNKNOWN_UUID};

/// The question that the owner has asked before, so that its answer is stored.
pub(super) const QUESTION: &str = "How is the door of the vault opened?";

/// A kind of id: the ids of foreign things, an id of nothing, and the requests that contain an id.
pub(super) struct Target {
    pub foreign: Vec<String>,
    pub unknown: String,
    pub ways: Vec<Way>,
}

/// A request with `{id}` in its route or in its body.
pub(super) struct Way {
    route: String,
    body: Value,
}

impl Way {
    /// Returns the request's route and body for this id.
    pub(super) fn asking(&self, id: &str, spelling: Spelling) -> (String, Value) {
        let mut body = self.body.clone();
        fill(&mut body, &spelling.decoded(id));
        (self.route.replace("{id}", &spelling.in_path(id)), body)
    }
}

fn fill(value: &mut Value, id: &str) {
    match value {
        Value::String(text) => *text = text.replace("{id}", id),
        Value::Array(all) => all.iter_mut().for_each(|part| fill(part, id)),
        Value::Object(all) => all.values_mut().for_each(|part| fill(part, id)),
        _ => {}
    }
}

/// A way to spell an id.
#[derive(Debug, Clone, Copy)]
pub(super) enum Spelling {
    Plain,
    Lower,
    Upper,
    Encoded,
    EncodedTwice,
    /// After this prefix.
    Behind(&'static str),
    /// Before this suffix.
    Before(&'static str),
}

impl Spelling {
    pub(super) const ALL: [Spelling; 13] = [
        Spelling::Lower,
        Spelling::Upper,
        Spelling::Encoded,
        Spelling::EncodedTwice,
        Spelling::Behind("user:"),
        Spelling::Behind("case:"),
        Spelling::Behind("team:"),
        Spelling::Behind("x/../"),
        Spelling::Behind("../"),
        Spelling::Behind(" "),
        Spelling::Before("\0"),
        Spelling::Before("/"),
        Spelling::Before("#"),
    ];

    /// Returns the id as it should arrive.
    fn decoded(self, id: &str) -> String {
        match self {
            Spelling::Plain | Spelling::Encoded => id.into(),
            Spelling::Lower => id.to_lowercase(),
            Spelling::Upper => id.to_uppercase(),
            Spelling::EncodedTwice => encoded(id),
            Spelling::Behind(before) => format!("{before}{id}"),
            Spelling::Before(after) => format!("{id}{after}"),
        }
    }

    /// Returns the id as spelled in a path.
    fn in_path(self, id: &str) -> String {
        match self {
            Spelling::Plain | Spelling::Lower | Spelling::Upper => self.decoded(id),
            Spelling::Encoded => encoded(id),
            Spelling::EncodedTwice => encoded(id).replace('%', "%25"),
            // Dots that lead upward are sent unchanged; characters that are invalid in a path are
            // encoded.
            Spelling::Behind(before) => format!("{}{id}", before.replace(' ', "%20")),
            Spelling::Before(after) => format!("{id}{}", encoded(after)),
        }
    }

    /// Removes the id, in any of its forms, from a reply.
    pub(super) fn without(self, id: &str, reply: &str) -> String {
        let quoted = |text: String| Value::from(text).to_string().trim_matches('"').to_owned();
        // The gateway decodes a path that is encoded twice to this form.
        let half = encoded(id).replace('%', "%25");
        let forms = [self.in_path(id), half, quoted(self.decoded(id)), id.to_owned()];
        forms.iter().fold(reply.to_owned(), |reply, form| reply.replace(form, "ID"))
    }
}

fn encoded(text: &str) -> String {
    text.bytes().fold(String::new(), |mut encoded, byte| {
        let _ = write!(encoded, "%{byte:02X}");
        encoded
    })
}

fn ways(routes: &[&str], body: &Value) -> Vec<Way> {
    let way = |route: &&str| Way { route: (*route).into(), body: body.clone() };
    routes.iter().map(way).collect()
}

/// Returns requests to the workflows that name this knowledge base besides everyone's.
fn workflows(knowledge: &str) -> Vec<Way> {
    let body = json!({"question": QUESTION, "knowledge": ["global", knowledge]});
    ways(
        &["POST /v1/rcca", "POST /v1/trade", "POST /v1/explore", "POST /v1/custom/safety_analysis"],
        &body,
    )
}

/// Returns the requests for documents below `base`.
fn documents(base: &str) -> Vec<Way> {
    let new = json!({"name": "vault.md", "content_type": "text/markdown", "bytes": 5});
    let mut all = ways(&[&format!("GET {base}/documents")], &Value::Null);
    all.extend(ways(&[&format!("POST {base}/documents")], &new));
    all.extend(ways(&[&format!("POST {base}/answer")], &json!({"question": QUESTION})));
    all.extend(ways(&[&format!("POST {base}/records")], &json!({"select": "list"})));
    all.extend(ways(&[&format!("GET {base}/records")], &Value::Null));
    all
}

/// Returns all kinds of ids; `case` is the stranger's case.
pub(super) fn targets(foreign: &Foreign, case: &str) -> Vec<Target> {
    let target = |foreign: &[String], unknown: &str, ways: Vec<Vec<Way>>| Target {
        foreign: foreign.to_vec(),
        unknown: unknown.into(),
        ways: ways.into_iter().flatten().collect(),
    };
    let one = |id: &str| [id.to_owned()];
    vec![
        target(&one(&foreign.case), UNKNOWN_ULID, cases(foreign)),
        target(&one("vera"), "nobody", vec![documents("/v1/users/{id}"), workflows("user:{id}")]),
        target(
            &one("keepers"),
            "nobody",
            vec![documents("/v1/teams/{id}"), workflows("team:{id}")],
        ),
        target(&foreign.documents, UNKNOWN_UUID, ids(foreign, case)),
        target(&["vault.md", "shaft.md"].map(String::from), "no.md", filters("name", case)),
        target(
            &["Vault Sheet", "Shaft Sheet"].map(String::from),
            "No Sheet",
            filters("title", case),
        ),
        target(&one(&foreign.project), UNKNOWN_ULID, projects()),
        target(&foreign.answers, UNKNOWN_ULID, vec![ways(&["GET /v1/answers/{id}"], &Value::Null)]),
        target(&foreign.cursors, "bm9ib2R5L25vYm9keQ", cursors(case)),
    ]
}

fn cases(foreign: &Foreign) -> Vec<Vec<Way>> {
    let document = format!("/v1/cases/{{id}}/documents/{}", foreign.documents[0]);
    let routes = [
        "GET /v1/cases/{id}",
        "POST /v1/cases/{id}/close",
        "PUT /v1/cases/{id}/members/mallory",
        "DELETE /v1/cases/{id}/members/vera",
        &format!("GET {document}"),
        &format!("DELETE {document}"),
    ];
    vec![ways(&routes, &Value::Null), documents("/v1/cases/{id}"), workflows("case:{id}")]
}

fn ids(foreign: &Foreign, case: &str) -> Vec<Vec<Way>> {
    let case_base = format!("/v1/cases/{case}");
    let mut bases = vec!["/v1/users/me", "/v1/teams/fitters", "/v1/global", &case_base];
    bases.extend(foreign.bases.iter().map(String::as_str));
    let on_each_base = |method: &'static str| {
        bases.iter().map(|base| format!("{method} {base}/documents/{{id}}")).collect::<Vec<_>>()
    };
    let routes = [on_each_base("GET"), on_each_base("DELETE")].concat();
    let mut routes: Vec<&str> = routes.iter().map(String::as_str).collect();
    routes.push("GET /v1/documents/{id}/decisions");
    let all = vec![ways(&routes, &Value::Null)];
    all.into_iter().chain(filters("document_id", "x")).collect()
}

/// Returns questions about the stranger's documents with a filter for foreign ones.
fn filters(field: &str, case: &str) -> Vec<Vec<Way>> {
    let filters = json!({ field: ["{id}"] });
    let answer = json!({"question": QUESTION, "filters": filters});
    let rcca = json!({"question": QUESTION, "filters": filters, "knowledge": ["user", "global"]});
    let case_route = format!("POST /v1/cases/{case}/answer");
    let routes = ["POST /v1/users/me/answer", "POST /v1/global/answer", &case_route];
    let team = ["POST /v1/teams/fitters/answer"];
    vec![ways(&routes, &answer), ways(&team, &answer), ways(&["POST /v1/rcca"], &rcca)]
}

fn projects() -> Vec<Vec<Way>> {
    let routes = ["", "/trail", "/decisions", "/queries", "/digests"]
        .map(|part| format!("GET /v1/projects/{{id}}{part}"));
    let asked = json!({"question": QUESTION, "project_id": "{id}"});
    let asking = ["POST /v1/users/me/answer", "POST /v1/rcca", "POST /v1/plan"];
    vec![ways(&routes.each_ref().map(String::as_str), &Value::Null), ways(&asking, &asked)]
}

fn cursors(case: &str) -> Vec<Vec<Way>> {
    let bases = ["/v1/users/me/documents", "/v1/teams/fitters/documents", "/v1/cases"];
    let case_route = format!("GET /v1/cases/{case}/documents?cursor={{id}}");
    let routes = bases.map(|base| format!("GET {base}?cursor={{id}}"));
    vec![
        ways(&routes.each_ref().map(String::as_str), &Value::Null),
        ways(&[&case_route], &Value::Null),
    ]
}
