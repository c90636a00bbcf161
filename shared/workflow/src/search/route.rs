//! Tells the purpose of a question and the sources that it is for, by its likeness to examples of questions for each, and by
//! phrases. `tests/bench/README.md` says how often that is right.

use wire::search::Intent;

use super::source::{SourceConfig, Sources};
use crate::ports::WrittenRoute;

mod cue;

use cue::Cues;

/// The purpose of a question, and the sources to ask.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Route {
    pub(super) intent: Intent,
    /// The fit of each source, `0.0..=1.0`, in the order of the sources.
    pub(super) fits: Vec<f64>,
    /// The places of the sources to ask, best first.
    pub(super) chosen: Vec<usize>,
    /// The distance of the last chosen one to the best of the others; `None` where all that are for unclear questions are asked.
    pub(super) margin: Option<f64>,
    /// The reason, in a sentence.
    pub(super) reason: String,
    /// True if the question does not tell which sources it is for.
    is_vague: bool,
}

/// The weights of likeness, of what a source is worth for the intent, and of each cue up to two, in a logit. They were fitted with
/// the sources' priors on 80 questions, and measured on 80 others.
const LIKENESS: f64 = 1.0;
const AUTHORITY: f64 = 0.75;
const CUE: f64 = 0.75;

/// The weight of a phrase for an intent, in standard deviations of likeness.
const PHRASE: f64 = 1.5;

/// A source is asked from this fit on, and where it fits nearly as well as the best.
const ENOUGH: f64 = 0.7;
const NEARLY: f64 = 0.3;

/// The number of the most like examples that count.
const NEIGHBORS: usize = 2;

/// Routes a question with this embedding; `examples` are those of the sources' examples, in their order.
pub(super) fn route(
    sources: &Sources,
    question: &str,
    vector: &[f32],
    examples: &[Vec<f32>],
) -> Route {
    let all = sources.all();
    let likeness = standardized(examples.iter().map(|example| cosine(vector, example)).collect());
    let tagged: Vec<(usize, Intent, f64)> = all
        .iter()
        .enumerate()
        .flat_map(|(place, source)| source.examples.iter().map(move |(intent, _)| (place, *intent)))
        .zip(likeness)
        .map(|((place, intent), a)| (place, intent, a))
        .collect();
    let cues = Cues::of(question);
    let intents = intents(&tagged, &cues);
    let (intent, _) = intents
        .iter()
        .copied()
        .fold((Intent::Explain, 0.0), |best, intent| if intent.1 > best.1 { intent } else { best });
    let like = |place: usize| nearest(tagged.iter().filter(|t| t.0 == place).map(|t| t.2));
    let likes: Vec<f64> = (0..all.len()).map(like).collect();
    let fit = |place: usize| {
        let source = &all[place];
        let others = likes.iter().enumerate().filter(|(other, _)| *other != place);
        let best_other = others.map(|(_, other)| *other).fold(f64::NEG_INFINITY, f64::max);
        let ahead = if best_other.is_finite() { likes[place] - best_other } else { likes[place] };
        let authority: f64 =
            intents.iter().map(|(intent, share)| share * source.authority(*intent)).sum();
        let logit = LIKENESS * ahead
            + AUTHORITY * authority
            + CUE * cues.of_source(&source.name)
            + source.prior;
        1.0 / (1.0 + (-logit).exp())
    };
    let fits: Vec<f64> = (0..all.len()).map(fit).collect();
    chosen(sources, intent, fits, &cues)
}

fn chosen(sources: &Sources, intent: Intent, fits: Vec<f64>, cues: &Cues) -> Route {
    let mut order: Vec<usize> = (0..fits.len()).collect();
    order.sort_by(|a, b| fits[*b].total_cmp(&fits[*a]));
    if cues.is_vague {
        let is_general = |place: &usize| sources.all()[*place].when_unclear;
        let chosen: Vec<usize> = order.into_iter().filter(is_general).collect();
        let reason = format!(
            "The question does not tell which sources it is for, so {} were asked.",
            names(&chosen, sources.all()).join(", ")
        );
        return Route { intent, fits, chosen, margin: None, reason, is_vague: true };
    }
    let best = order.first().map_or(0.0, |first| fits[*first]);
    let is_asked = |place: &usize| fits[*place] >= ENOUGH || fits[*place] >= best - NEARLY;
    let (chosen, others): (Vec<usize>, Vec<usize>) = order.into_iter().partition(is_asked);
    let least = chosen.last().map_or(0.0, |last| fits[*last]);
    let margin = others.first().map(|next| least - fits[*next]);
    let spoke: Vec<String> = cues.phrases.iter().map(|phrase| format!("\"{phrase}\"")).collect();
    let by = match spoke.as_slice() {
        [] => "by its likeness to questions for them".to_owned(),
        spoke => format!("by its likeness to questions for them, and by {}", spoke.join(", ")),
    };
    let reason = format!(
        "The question is read as one to {}, for {}: {by}.",
        intent.name(),
        names(&chosen, sources.all()).join(", ")
    );
    Route { intent, fits, chosen, margin, reason, is_vague: false }
}

impl Route {
    /// The route that a language model chose; `None` where it chose no source that there is. A question that does not tell which
    /// sources it is for keeps these.
    pub(super) fn by_model(&self, written: &WrittenRoute, sources: &Sources) -> Option<Route> {
        let mut places: Vec<usize> = Vec::new();
        for place in written.sources.iter().filter_map(|name| sources.place(name)) {
            if !places.contains(&place) {
                places.push(place);
            }
        }
        if places.is_empty() {
            return None;
        }
        if self.is_vague {
            return Some(Route { intent: written.intent, ..self.clone() });
        }
        let route = named(places, written.intent, sources.all());
        let names = names(&route.chosen, sources.all());
        let (intent, names) = (written.intent.name(), names.join(", "));
        let reason = format!("A language model read the question as one to {intent}, for {names}.");
        Some(Route { reason, ..route })
    }

    /// Adds the sources that a query is for.
    pub(super) fn add(&mut self, other: &Route, sources: &Sources) {
        let new: Vec<usize> =
            other.chosen.iter().copied().filter(|o| !self.chosen.contains(o)).collect();
        if new.is_empty() {
            return;
        }
        let names = names(&new, sources.all()).join(", ");
        self.reason = format!("{} The queries are for {names}, too.", self.reason);
        for place in new {
            self.fits[place] = self.fits[place].max(other.fits[place]);
            self.chosen.push(place);
        }
    }

    /// Adds a source because of what the asker works on.
    pub(super) fn add_named(&mut self, name: &str, sources: &Sources) {
        if let Some(place) = sources.place(name).filter(|place| !self.chosen.contains(place)) {
            self.reason = format!("{} The errors given are for {name}, too.", self.reason);
            self.chosen.push(place);
        }
    }
}

/// The share of each intent: the softmax of its likeness and phrases.
fn intents(tagged: &[(usize, Intent, f64)], cues: &Cues) -> Vec<(Intent, f64)> {
    let score = |intent: Intent| {
        let like = nearest(tagged.iter().filter(|t| t.1 == intent).map(|t| t.2));
        if like.is_finite() { like + PHRASE * cues.of_intent(intent) } else { f64::NEG_INFINITY }
    };
    let scores = Intent::ALL.map(|(intent, _)| (intent, score(intent)));
    let most = scores.iter().map(|(_, score)| *score).fold(f64::NEG_INFINITY, f64::max);
    let powers = scores.map(|(intent, score)| (intent, (score - most).exp()));
    let sum: f64 = powers.iter().map(|(_, power)| power).sum();
    powers.map(|(intent, power)| (intent, power / sum)).to_vec()
}

/// The mean of the highest of some values; minus infinity of none.
#[expect(clippy::cast_precision_loss, reason = "two")]
fn nearest(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(|a, b| b.total_cmp(a));
    values.truncate(NEIGHBORS);
    if values.is_empty() {
        return f64::NEG_INFINITY;
    }
    values.iter().sum::<f64>() / values.len() as f64
}

/// Cosines in units of their spread above their mean, so that no constant is one model's.
#[expect(clippy::cast_precision_loss, reason = "some hundreds")]
fn standardized(cosines: Vec<f64>) -> Vec<f64> {
    let count = cosines.len().max(1) as f64;
    let mean = cosines.iter().sum::<f64>() / count;
    let spread = (cosines.iter().map(|cosine| (cosine - mean).powi(2)).sum::<f64>() / count).sqrt();
    cosines.into_iter().map(|cosine| (cosine - mean) / spread.max(1e-9)).collect()
}

fn cosine(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
}

/// The sources that a caller names.
pub(super) fn named(places: Vec<usize>, intent: Intent, sources: &[SourceConfig]) -> Route {
    let mut fits = vec![0.0; sources.len()];
    for place in &places {
        fits[*place] = 1.0;
    }
    let reason = format!("The caller named {}.", names(&places, sources).join(", "));
    Route { intent, fits, chosen: places, margin: None, reason, is_vague: false }
}

fn names<'a>(places: &[usize], sources: &'a [SourceConfig]) -> Vec<&'a str> {
    places.iter().map(|place| sources[*place].name.as_str()).collect()
}

#[cfg(test)]
mod tests;
