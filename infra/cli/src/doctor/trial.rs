//! The language model of a deployment: its trial, and what the trial gives it to do.

use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use serde_json::json;
use wire::health::Health;
use wire::trial::{ChatModelHealth, ModelPart, PartTrial, TrialReply};

use super::Finding;
use crate::api::Api;
use crate::progress;

/// The longest time of a trial: the ingest gives it fifteen minutes, and may be busy with documents
/// before.
const PATIENCE: Duration = Duration::from_mins(40);

/// The pause before looking again.
const PAUSE: Duration = Duration::from_secs(5);

/// Begins a trial of the model and waits for all of its parts.
pub(super) fn wait(api: &Api) -> Result<()> {
    let begun: TrialReply = match api.post("/v1/health/trial", &json!({}))? {
        Ok(begun) => begun,
        Err(refusal) => bail!("{}", refusal.reason),
    };
    let spinner = progress::spinner();
    let until = Instant::now() + PATIENCE;
    loop {
        // A look that fails is one of many.
        let health = api.get::<Health>("/v1/health").ok();
        let parts = health.and_then(|health| health.chat_model).map(|model| model.parts);
        let parts = parts.unwrap_or_default();
        let is_new =
            |part: &&PartTrial| part.at >= begun.begins_at && begun.parts.contains(&part.part);
        let tried = parts.iter().filter(is_new).count();
        if tried >= begun.parts.len() {
            spinner.finish_and_clear();
            return Ok(());
        }
        spinner.set_message(format!("{} is tried: {tried} of {}", begun.name, begun.parts.len()));
        if Instant::now() > until {
            bail!(
                "the trial of {} does not end; the log of the function ingest tells why",
                begun.name
            );
        }
        thread::sleep(PAUSE);
    }
}

/// The model, and what is given up where there is none or where it was not tried.
pub(super) fn chat_model(model: Option<&ChatModelHealth>) -> Finding {
    let (text, advice) = match model {
        None => (
            "none: rules do all, and show less (ChatModel)".to_owned(),
            Some("docs/limits.md says what is given up without one."),
        ),
        Some(model) if model.is_trial_waived => {
            (format!("{} does all parts, untried (ModelTrial)", model.name), None)
        }
        Some(model) if model.parts.len() < ModelPart::ALL.len() => (
            format!(
                "{}: {} of {} parts tried",
                model.name,
                model.parts.len(),
                ModelPart::ALL.len()
            ),
            Some("Rules do what was not tried. plumbline doctor --model tries it."),
        ),
        Some(model) => (model.name.clone(), None),
    };
    Finding { is_well: true, of: "chat model", text, advice }
}

/// Each part that was tried. A model that is not good enough is no fault of the deployment; one
/// that cannot be asked is.
pub(super) fn parts(model: &ChatModelHealth) -> Vec<Finding> {
    let parts =
        ModelPart::ALL.iter().filter_map(|part| model.parts.iter().find(|p| p.part == *part));
    parts.map(finding).collect()
}

fn finding(trial: &PartTrial) -> Finding {
    let PartTrial { items, right, rules, forms: (kept, asked), .. } = *trial;
    let by = if trial.serves { "by the model" } else { "by rules" };
    let failure = trial.failure.as_ref().map(|failure| format!("; last failure: {failure}"));
    let text = format!(
        "{by}: {right} of {items} right, rules {rules}; {kept} of {asked} forms kept{}",
        failure.unwrap_or_default()
    );
    let is_well = kept > 0;
    let advice = "Look at ChatModel, at ChatUrl with its key, and whether it answers within five seconds; then plumbline doctor --model.";
    Finding { is_well, of: name(trial.part), text, advice: Some(advice).filter(|_| !is_well) }
}

fn name(part: ModelPart) -> &'static str {
    match part {
        ModelPart::Queries => "- queries",
        ModelPart::Grade => "- grading",
        ModelPart::Sort => "- facets",
        ModelPart::Assign => "- options",
        ModelPart::Write => "- answers",
        ModelPart::Check => "- checking",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trial(part: ModelPart, right: u32, kept: u32) -> PartTrial {
        PartTrial {
            part,
            at: "2026-11-26T20:00:00Z".parse().unwrap(),
            items: 20,
            right,
            rules: 9,
            forms: (kept, 20),
            serves: right > 9,
            failure: (kept < 20).then(|| "401 from the server".to_owned()),
        }
    }

    fn model(parts: Vec<PartTrial>) -> ChatModelHealth {
        ChatModelHealth { name: "small".into(), is_trial_waived: false, parts }
    }

    #[test]
    fn each_part_says_who_does_it_and_a_model_that_cannot_be_asked_is_a_fault() {
        let model = model(vec![trial(ModelPart::Check, 0, 0), trial(ModelPart::Grade, 17, 20)]);
        let findings = parts(&model);
        assert_eq!(findings[0].text, "by the model: 17 of 20 right, rules 9; 20 of 20 forms kept");
        assert!(findings[0].is_well && !findings[1].is_well);
        assert!(findings[1].text.ends_with("last failure: 401 from the server"));
        assert!(findings[1].advice.unwrap().contains("ChatUrl"));
    }

    #[test]
    fn what_was_not_tried_is_told_with_what_to_do() {
        let told = |model: Option<&ChatModelHealth>| {
            let finding = chat_model(model);
            format!("{} {}", finding.text, finding.advice.unwrap_or_default())
        };
        assert!(told(None).contains("docs/limits.md"));
        let some = model(vec![trial(ModelPart::Grade, 17, 20)]);
        assert!(told(Some(&some)).contains("small: 1 of 6 parts tried"));
        assert!(told(Some(&some)).contains("plumbline doctor --model"));
        let waived = ChatModelHealth { is_trial_waived: true, ..some };
        assert!(told(Some(&waived)).contains("ModelTrial"));
    }
}
