//! The ways to name what is foreign, and how an id can be spelled.

use std::fmt::Write;

use serde_json::{Value, json};

use super::{Foreign, UNKNOWN_ULID, UNKNOWN_UUID};

/// What the owner asked before, so that its answer is kept.
pub(super) const QUESTION: &str = "How is the door of the vault opened?";

/// A kind of id: those of what is foreign, one of what is not there, and the ways that name one.
pub(super) struct Target {
    pub foreign: Vec<String>,
    pub unknown: String,
    pub ways: Vec<Way>,
}

/// A request with `{id}` in its route or its body.
pub(super) struct Way {
    route: String,
    body: Value,
}

impl Way {
    /// The request's route and body for this id.
    pub(super) fn asking(&self, id: &str, spelling: Spelling) -> (String, Value) {
        let mut body = self.body.clone();
        fill(&mut body, &spelling.decoded(id));
        (self.route.replace("{id}", &spelling.in_path(id)), body)
    }
}

fn fill(value: &mut Value, id: &str) {
    match value {
        Value::String(text) => *text = text.replace("{id}", id),
        Value::Array(all) => all.iter_mut().for_each(|own| fill(own, id)),
        Value::Object(all) => all.values_mut().for_each(|own| fill(own, id)),
        _ => {}
    }
}

/// How an id is written down.
#[derive(Debug, Clone, Copy)]
pub(super) enum Spelling {
    Plain,
    Lower,
    Upper,
    Encoded,
    EncodedTwice,
    /// Behind this.
    Behind(&'static str),
    /// Before this.
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

    /// As it is meant to arrive.
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

    /// As it stands in a path.
    fn in_path(self, id: &str) -> String {
        match self {
            Spelling::Plain | Spelling::Lower | Spelling::Upper => self.decoded(id),
            Spelling::Encoded => encoded(id),
            Spelling::EncodedTwice => encoded(id).replace('%', "%25"),
            // Dots that climb are sent as they are, and what no path can hold is not.
            Spelling::Behind(before) => format!("{}{id}", before.replace(' ', "%20")),
            Spelling::Before(after) => format!("{id}{}", encoded(after)),
        }
    }

    /// A reply without the id, in any of its forms.
    pub(super) fn without(self, id: &str, reply: &str) -> String {
        let quoted = |text: String| Value::from(text).to_string().trim_matches('"').to_owned();
        // What the gateway leaves of a path that was encoded twice.
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

/// The workflows, asked of this knowledge base beside everyone's.
fn workflows(knowledge: &str) -> Vec<Way> {
    let body = json!({"question": QUESTION, "knowledge": ["global", knowledge]});
    ways(
        &["POST /v1/rcca", "POST /v1/trade", "POST /v1/explore", "POST /v1/custom/safety_analysis"],
        &body,
    )
}

/// What is done with documents below `base`.
fn documents(base: &str) -> Vec<Way> {
    let new = json!({"name": "vault.md", "content_type": "text/markdown", "bytes": 5});
    let mut all = ways(&[&format!("GET {base}/documents")], &Value::Null);
    all.extend(ways(&[&format!("POST {base}/documents")], &new));
    all.extend(ways(&[&format!("POST {base}/answer")], &json!({"question": QUESTION})));
    all.extend(ways(&[&format!("POST {base}/records")], &json!({"select": "list"})));
    all.extend(ways(&[&format!("GET {base}/records")], &Value::Null));
    all
}

/// All kinds of ids; `own` is the stranger's case.
pub(super) fn targets(foreign: &Foreign, own: &str) -> Vec<Target> {
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
        target(&foreign.documents, UNKNOWN_UUID, ids(foreign, own)),
        target(&["vault.md", "shaft.md"].map(String::from), "no.md", filters("name", own)),
        target(
            &["Vault Sheet", "Shaft Sheet"].map(String::from),
            "No Sheet",
            filters("title", own),
        ),
        target(&one(&foreign.project), UNKNOWN_ULID, projects()),
        target(&foreign.answers, UNKNOWN_ULID, vec![ways(&["GET /v1/answers/{id}"], &Value::Null)]),
        target(&foreign.cursors, "bm9ib2R5L25vYm9keQ", cursors(own)),
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

fn ids(foreign: &Foreign, own: &str) -> Vec<Vec<Way>> {
    let own = format!("/v1/cases/{own}");
    let mut bases = vec!["/v1/users/me", "/v1/teams/fitters", "/v1/global", &own];
    bases.extend(foreign.bases.iter().map(String::as_str));
    let of = |method: &'static str| {
        bases.iter().map(|base| format!("{method} {base}/documents/{{id}}")).collect::<Vec<_>>()
    };
    let routes = [of("GET"), of("DELETE")].concat();
    let mut routes: Vec<&str> = routes.iter().map(String::as_str).collect();
    routes.push("GET /v1/documents/{id}/decisions");
    let all = vec![ways(&routes, &Value::Null)];
    all.into_iter().chain(filters("document_id", "x")).collect()
}

/// Questions of the stranger's own documents, narrowed to what is foreign.
fn filters(field: &str, own: &str) -> Vec<Vec<Way>> {
    let filters = json!({ field: ["{id}"] });
    let answer = json!({"question": QUESTION, "filters": filters});
    let rcca = json!({"question": QUESTION, "filters": filters, "knowledge": ["user", "global"]});
    let case = format!("POST /v1/cases/{own}/answer");
    let routes = ["POST /v1/users/me/answer", "POST /v1/global/answer", &case];
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

fn cursors(own: &str) -> Vec<Vec<Way>> {
    let bases = ["/v1/users/me/documents", "/v1/teams/fitters/documents", "/v1/cases"];
    let case = format!("GET /v1/cases/{own}/documents?cursor={{id}}");
    let routes = bases.map(|base| format!("GET {base}?cursor={{id}}"));
    vec![ways(&routes.each_ref().map(String::as_str), &Value::Null), ways(&[&case], &Value::Null)]
}
