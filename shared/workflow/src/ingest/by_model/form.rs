//! The form that a model fills in, and which of its quotes stand in the document.

use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

use super::quote;
use crate::document::Chunk;
use crate::facts::{Event, Fact, FailureReport, RecordedDecision};

/// What a model takes down. All of it is optional: a model leaves out what a document does not say.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Form {
    report: Option<Report>,
    decision: Option<Decision>,
    /// Questions that the document answers.
    #[serde(deserialize_with = "list")]
    pub questions: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Report {
    #[serde(deserialize_with = "list")]
    symptoms: Vec<Quote>,
    root_cause: Option<Quote>,
    #[serde(deserialize_with = "list")]
    contributing_factors: Vec<Quote>,
    resolution: Option<Quote>,
    #[serde(deserialize_with = "list")]
    impact: Vec<Quote>,
    #[serde(deserialize_with = "list")]
    timeline: Vec<Moment>,
    #[serde(deserialize_with = "list")]
    checked: Vec<Quote>,
    #[serde(deserialize_with = "list")]
    denied: Vec<Quote>,
    #[serde(deserialize_with = "list")]
    actions: Vec<Quote>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Decision {
    chosen: Option<Quote>,
    status: Option<String>,
    #[serde(deserialize_with = "list")]
    options: Vec<String>,
}

/// A list; an empty one where the model writes null.
fn list<'de, D: Deserializer<'de>, T: Deserialize<'de>>(form: D) -> Result<Vec<T>, D::Error> {
    Ok(Option::deserialize(form)?.unwrap_or_default())
}

#[derive(Debug, Deserialize)]
struct Quote {
    passage: String,
    quote: String,
}

#[derive(Debug, Deserialize)]
struct Moment {
    time: String,
    #[serde(flatten)]
    event: Quote,
}

/// The facts whose spans stand in the document.
#[derive(Debug, Default)]
pub(super) struct Checked {
    /// Absent where nothing of one holds.
    pub report: Option<FailureReport>,
    /// Absent where nothing of one holds.
    pub decision: Option<RecordedDecision>,
    /// The spans that stand there.
    pub kept: u32,
    /// The spans that do not.
    pub dropped: u32,
}

/// Keeps the spans that stand literally in the passage that they name, or in another one.
pub(super) fn checked(form: &Form, passages: &[Chunk]) -> Checked {
    let mut check = Check { passages, kept: 0, dropped: 0 };
    let report = form.report.as_ref().map(|own| check.report(own));
    let decision = form.decision.as_ref().map(|own| check.decision(own));
    Checked {
        report: report.filter(|own| own.all().next().is_some()),
        decision: decision.filter(|own| own.chosen.is_some() || own.options.len() > 1),
        kept: check.kept,
        dropped: check.dropped,
    }
}

struct Check<'a> {
    passages: &'a [Chunk],
    kept: u32,
    dropped: u32,
}

impl Check<'_> {
    fn report(&mut self, own: &Report) -> FailureReport {
        FailureReport {
            symptoms: self.facts(&own.symptoms, 8),
            root_cause: own.root_cause.as_ref().and_then(|own| self.fact(own)),
            contributing_factors: self.facts(&own.contributing_factors, 6),
            resolution: own.resolution.as_ref().and_then(|own| self.fact(own)),
            impact: self.facts(&own.impact, 4),
            timeline: own.timeline.iter().take(20).filter_map(|own| self.event(own)).collect(),
            checked: self.facts(&own.checked, 4),
            denied: self.facts(&own.denied, 4),
            actions: self.facts(&own.actions, 6),
        }
    }

    fn decision(&mut self, own: &Decision) -> RecordedDecision {
        let texts: Vec<&str> = self.passages.iter().map(|own| own.text.as_str()).collect();
        let stands = |name: &&String| texts.iter().any(|text| text.contains(name.as_str()));
        let named = own.options.iter().filter(|name| !name.trim().is_empty());
        let options: Vec<String> = named.filter(stands).take(12).cloned().collect();
        let status = own.status.as_ref().map(|own| own.to_lowercase());
        let is_there =
            |own: &String| texts.iter().any(|text| text.to_lowercase().contains(own.as_str()));
        let status =
            status.filter(is_there).and_then(|own| serde_json::from_value(own.into()).ok());
        let chosen = own.chosen.as_ref().and_then(|own| self.fact(own));
        RecordedDecision { chosen, status, options, ..RecordedDecision::default() }
    }

    fn facts(&mut self, quotes: &[Quote], most: usize) -> Vec<Fact> {
        quotes.iter().take(most).filter_map(|own| self.fact(own)).collect()
    }

    fn event(&mut self, own: &Moment) -> Option<Event> {
        let event = self.fact(&own.event)?;
        let passage = self.passages.iter().find(|chunk| chunk.position == event.position)?;
        let is_there = |text: &str| text.contains(own.time.as_str());
        let time = own.time.trim();
        (!time.is_empty() && (is_there(&passage.text) || is_there(&passage.section)))
            .then(|| Event { time: time.into(), event })
    }

    fn fact(&mut self, own: &Quote) -> Option<Fact> {
        let text = own.quote.trim();
        let number = own.passage.trim().strip_prefix('p').and_then(|own| own.parse().ok());
        let named = number.and_then(|own: usize| self.passages.get(own.checked_sub(1)?));
        let place = |chunk: &Chunk| Some((chunk.text.find(text)?, chunk.position));
        let found = Some(text)
            .filter(|own| !own.is_empty())
            .and_then(|_| named.and_then(place).or_else(|| self.passages.iter().find_map(place)));
        let Some((start, position)) = found else {
            self.dropped += 1;
            return None;
        };
        self.kept += 1;
        let chunk = self.passages.iter().find(|own| own.position == position)?;
        let section = Some(chunk.section.clone()).filter(|own| !own.is_empty());
        let start = u32::try_from(start).unwrap_or(u32::MAX);
        Some(Fact { text: text.into(), position, start, section })
    }
}

/// The JSON schema of the form.
pub(super) fn schema() -> Value {
    let quotes =
        |description: &str| json!({"type": "array", "maxItems": 8, "items": quote(description)});
    let mut event = quote("An event");
    event["properties"]["time"] =
        json!({"type": "string", "description": "Its time, copied exactly"});
    event["required"] = json!(["time", "passage", "quote"]);
    json!({
        "type": "object",
        "properties": {
            "report": {"type": "object", "properties": {
                "symptoms": quotes("An observation: behavior, an error message"),
                "root_cause": quote("The cause that the report names"),
                "contributing_factors": quotes("A circumstance that helped it to happen or made it worse"),
                "resolution": quote("The measure that ended it"),
                "impact": quotes("Harm that it did"),
                "timeline": {"type": "array", "maxItems": 20, "items": event},
                "checked": quotes("An examination on the way to the cause"),
                "denied": quotes("Harm or a cause that was not the case"),
                "actions": quotes("A measure planned afterwards"),
            }},
            "decision": {"type": "object", "properties": {
                "chosen": quote("The sentence that says what was chosen"),
                "status": {"type": "string", "enum": ["accepted", "proposed", "rejected", "superseded"]},
                "options": {"type": "array", "items": {"type": "string"}, "description": "The options' names, copied exactly"},
            }},
            "questions": {"type": "array", "maxItems": 5, "items": {"type": "string"}},
        },
        "required": ["questions"],
    })
}
