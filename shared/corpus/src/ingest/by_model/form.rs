//! The form that a model fills in, and the check of its quotes against the document.

use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

use super::quote;
use model::document::Passage;
use model::facts::{Event, Fact, FailureReport, RecordedDecision};

/// The content of the form. All fields are optional: a model leaves out what a document does not
/// say.
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

impl Form {
    /// Returns true if the model reports a failure, even if none of its quotes is valid.
    pub(super) fn has_report(&self) -> bool {
        let Some(report) = &self.report else { return false };
        let Report { symptoms, contributing_factors, impact, checked, denied, actions, .. } =
            report;
        let lists = [symptoms, contributing_factors, impact, checked, denied, actions];
        lists.iter().any(|list| !list.is_empty())
            || report.root_cause.is_some()
            || report.resolution.is_some()
            || !report.timeline.is_empty()
    }
}

/// Deserializes a list; null becomes an empty list.
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

/// The facts whose spans are in the document.
#[derive(Debug, Default)]
pub(super) struct Checked {
    /// The failure report; absent if no span of one is valid.
    pub report: Option<FailureReport>,
    /// The decision; absent if no span of one is valid.
    pub decision: Option<RecordedDecision>,
    /// The number of valid spans.
    pub kept: u32,
    /// The number of invalid spans.
    pub dropped: u32,
}

/// Keeps the spans that occur literally in the passage that the form names, or in another one.
pub(super) fn checked(form: &Form, passages: &[Passage]) -> Checked {
    let mut check = Check { passages, kept: 0, dropped: 0 };
    let report = form.report.as_ref().map(|f| check.report(f));
    let decision = form.decision.as_ref().map(|f| check.decision(f));
    Checked {
        report: report.filter(|report| report.all().next().is_some()),
        decision: decision
            .filter(|decision| decision.chosen.is_some() || decision.options.len() > 1),
        kept: check.kept,
        dropped: check.dropped,
    }
}

struct Check<'a> {
    passages: &'a [Passage],
    kept: u32,
    dropped: u32,
}

impl Check<'_> {
    fn report(&mut self, report: &Report) -> FailureReport {
        FailureReport {
            symptoms: self.facts(&report.symptoms, 8),
            root_cause: report.root_cause.as_ref().and_then(|report| self.fact(report)),
            contributing_factors: self.facts(&report.contributing_factors, 6),
            resolution: report.resolution.as_ref().and_then(|report| self.fact(report)),
            impact: self.facts(&report.impact, 4),
            timeline: report
                .timeline
                .iter()
                .take(20)
                .filter_map(|report| self.event(report))
                .collect(),
            checked: self.facts(&report.checked, 4),
            denied: self.facts(&report.denied, 4),
            actions: self.facts(&report.actions, 6),
        }
    }

    fn decision(&mut self, decision: &Decision) -> RecordedDecision {
        let texts: Vec<&str> = self.passages.iter().map(|passage| passage.text.as_str()).collect();
        let stands = |name: &&String| texts.iter().any(|text| text.contains(name.as_str()));
        let named = decision.options.iter().filter(|name| !name.trim().is_empty());
        let options: Vec<String> = named.filter(stands).take(12).cloned().collect();
        let status = decision.status.as_ref().map(|decision| decision.to_lowercase());
        let is_there = |decision: &String| {
            texts.iter().any(|text| text.to_lowercase().contains(decision.as_str()))
        };
        let status = status
            .filter(is_there)
            .and_then(|decision| serde_json::from_value(decision.into()).ok());
        let chosen = decision.chosen.as_ref().and_then(|decision| self.fact(decision));
        RecordedDecision { chosen, status, options, ..RecordedDecision::default() }
    }

    fn facts(&mut self, quotes: &[Quote], most: usize) -> Vec<Fact> {
        quotes.iter().take(most).filter_map(|quote| self.fact(quote)).collect()
    }

    fn event(&mut self, moment: &Moment) -> Option<Event> {
        let event = self.fact(&moment.event)?;
        let passage = self.passages.iter().find(|passage| passage.position == event.position)?;
        let is_there = |text: &str| text.contains(moment.time.as_str());
        let time = moment.time.trim();
        (!time.is_empty() && (is_there(&passage.text) || is_there(&passage.section)))
            .then(|| Event { time: time.into(), event })
    }

    fn fact(&mut self, quote: &Quote) -> Option<Fact> {
        let text = quote.quote.trim();
        let number = quote.passage.trim().strip_prefix('p').and_then(|rest| rest.parse().ok());
        let named = number.and_then(|number: usize| self.passages.get(number.checked_sub(1)?));
        let place = |passage: &Passage| Some((passage.text.find(text)?, passage.position));
        let found = Some(text)
            .filter(|quote| !quote.is_empty())
            .and_then(|_| named.and_then(place).or_else(|| self.passages.iter().find_map(place)));
        let Some((start, position)) = found else {
            self.dropped += 1;
            return None;
        };
        self.kept += 1;
        let passage = self.passages.iter().find(|passage| passage.position == position)?;
        Some(passage.fact(start..start + text.len()))
    }
}

/// Returns the JSON schema of the form.
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
