//! What can be read by its address: an answer, a project's trail, a passage.

use std::collections::HashMap;

use lambda::Asking;
use rmcp::model::{JsonObject, ResourceTemplate};
use wire::route::{AnswerRoute, ProjectRoute, Route};

use crate::arguments::{RouteOf, asking as asking_of, bases};

/// An address with names for its parts.
struct Template {
    address: &'static str,
    /// The route that reads it.
    route: RouteOf,
    name: &'static str,
    title: &'static str,
    about: &'static str,
}

const TEMPLATES: [Template; 3] = [
    Template {
        address: "plumbline://answers/{answer_id}",
        route: RouteOf::One(Route::Answer(AnswerRoute::ReadAnswer)),
        name: "answer",
        title: "An answer",
        about: "An answer that was given before, and whether what it cites still stands (`now`: current, stale, contradicted).",
    },
    Template {
        address: "plumbline://projects/{project_id}/trail",
        route: RouteOf::One(Route::Projects(ProjectRoute::ReadTrail)),
        name: "trail",
        title: "A project's trail",
        about: "What was asked and decided for a project, and on what evidence.",
    },
    Template {
        address: "plumbline://passages/{knowledge}/{passage_id}",
        route: RouteOf::EachBase(|base| Route::Answer(AnswerRoute::ReadPassageOf(base))),
        name: "passage",
        title: "A passage",
        about: "A passage that an answer cites; `knowledge` is `global`, `user`, `case:<id>` or `team:<id>`.",
    },
];

/// The templates as the protocol lists them.
pub(crate) fn templates() -> Vec<ResourceTemplate> {
    let listed = TEMPLATES.iter().map(|Template { address, name, title, about, .. }| {
        let template = ResourceTemplate::new(*address, *name);
        template.with_title(*title).with_description(*about).with_mime_type("application/json")
    });
    listed.collect()
}

/// The request of the HTTP API that reads an address; `None` where it fits no template.
pub(crate) fn asking(address: &str) -> Option<Asking> {
    TEMPLATES.iter().find_map(|template| {
        let parts = matched(template.address, address)?;
        let mut arguments: JsonObject =
            parts.into_iter().map(|(name, value)| (name, value.into())).collect();
        let (bases, _) = bases(template.route, &mut arguments).ok()?;
        asking_of(template.route, bases.first()?, arguments).ok()
    })
}

/// The parts of an address by their names in the template.
fn matched(template: &str, address: &str) -> Option<HashMap<String, String>> {
    let (template, address) = (template.split('/'), address.split('/'));
    let mut parts = HashMap::new();
    let (mut names, mut values) = (template, address);
    loop {
        match (names.next(), values.next()) {
            (None, None) => return Some(parts),
            (Some(name), Some(value)) => {
                match name.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
                    Some(name) if !value.is_empty() => {
                        let value =
                            percent_encoding::percent_decode_str(value).decode_utf8().ok()?;
                        parts.insert(name.to_owned(), value.into_owned());
                    }
                    None if name == value => {}
                    _ => return None,
                }
            }
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wire::route::Base;

    #[test]
    fn an_address_is_read_by_its_template() {
        let passage = asking("plumbline://passages/case:01J/0b5a").unwrap();
        assert_eq!(passage.route, Route::Answer(AnswerRoute::ReadPassageOf(Base::Case)));
        assert_eq!(
            (&*passage.parameters["case_id"], &*passage.query["passage_id"]),
            ("01J", "0b5a")
        );
        let encoded = asking("plumbline://passages/team%3AEU%20ops/0b5a").unwrap();
        assert_eq!(encoded.parameters["team_id"], "EU ops");
        let answer = asking("plumbline://answers/01A").unwrap();
        assert_eq!(answer.route, Route::Answer(AnswerRoute::ReadAnswer));
        for unknown in [
            "plumbline://answers/",
            "plumbline://answers/a/b",
            "http://a",
            "plumbline://passages/all/1",
        ] {
            assert!(asking(unknown).is_none(), "{unknown}");
        }
    }
}
