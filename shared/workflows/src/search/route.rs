//! Chooses the sources of a search: those that the caller names, or those that a language model
//! chose, or all.

use wire::search::Intent;

use super::context::Context;
use super::source::{SourceConfig, Sources};
use ports::WrittenRoute;

/// The sources to search, and the intent of the question if a language model stated it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Route {
    pub(super) intent: Option<Intent>,
    /// The places of the sources to search, best first.
    pub(super) chosen: Vec<usize>,
    /// The reason for the choice, in a sentence.
    pub(super) reason: String,
}

impl Route {
    /// Returns the sources that the caller names, or those that a language model chose, or all.
    pub(super) fn of(
        context: &Context,
        written: Option<&WrittenRoute>,
        sources: &Sources,
    ) -> Route {
        if let Some(named) = &context.sources {
            let intent = written.map(|written| written.intent);
            return Route::named(named.clone(), intent, sources.all());
        }
        let by_model = written.and_then(|written| Route::by_model(written, sources));
        let mut route = by_model.unwrap_or_else(|| Route::all(sources));
        if !context.errors.is_empty() {
            route.add_named("runtime", sources);
        }
        route
    }

    /// Returns all sources, because rules chose the right ones for only 44 of 100 questions.
    pub(super) fn all(sources: &Sources) -> Route {
        let reason = "All sources were asked: nobody chose among them.".into();
        Route { intent: None, chosen: (0..sources.all().len()).collect(), reason }
    }

    /// Returns the sources that a caller names.
    pub(super) fn named(
        places: Vec<usize>,
        intent: Option<Intent>,
        sources: &[SourceConfig],
    ) -> Route {
        let reason = format!("The caller named {}.", names(&places, sources).join(", "));
        Route { intent, chosen: places, reason }
    }

    /// Returns the sources that a language model chose; `None` if it chose no existing source.
    pub(super) fn by_model(written: &WrittenRoute, sources: &Sources) -> Option<Route> {
        let mut chosen: Vec<usize> = Vec::new();
        for place in written.sources.iter().filter_map(|name| sources.place(name)) {
            if !chosen.contains(&place) {
                chosen.push(place);
            }
        }
        if chosen.is_empty() {
            return None;
        }
        let (intent, names) = (written.intent, names(&chosen, sources.all()).join(", "));
        let of = intent.name();
        let reason = format!("A language model read the question as one to {of}, for {names}.");
        Some(Route { intent: Some(intent), chosen, reason })
    }

    /// Adds a source because of the asker's context.
    pub(super) fn add_named(&mut self, name: &str, sources: &Sources) {
        if let Some(place) = sources.place(name).filter(|place| !self.chosen.contains(place)) {
            self.reason = format!("{} The errors given are for {name}, too.", self.reason);
            self.chosen.push(place);
        }
    }
}

fn names<'a>(places: &[usize], sources: &'a [SourceConfig]) -> Vec<&'a str> {
    places.iter().map(|place| sources[*place].name.as_str()).collect()
}

#[cfg(test)]
mod tests;
