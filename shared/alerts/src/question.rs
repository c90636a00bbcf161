//! The questions that are asked for alerts.

use heck::ToTitleCase;
use ports::question::Question;
use text::order;
use wire::alerts::{Alert, CaseAlert};

/// The alerts of a case that are one question: those of one name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Asking {
    /// The name of the alerts.
    pub name: String,
    /// The name in words.
    pub words: String,
    /// The text to search for: the name in words, and the texts of the first alert of that name.
    pub text: String,
    /// The address of its runbook.
    pub runbook_url: Option<String>,
}

/// Upper bound for the names of a case that are asked for.
pub(crate) const NAMES: usize = 3;

/// Returns what is asked for the alerts of a case, one for each of the first names that came.
pub(crate) fn askings(alerts: &[CaseAlert]) -> Vec<Asking> {
    let mut askings: Vec<Asking> = Vec::new();
    for CaseAlert { alert, .. } in alerts {
        if askings.len() < NAMES && askings.iter().all(|asking| asking.name != alert.name) {
            askings.push(Asking::of(alert));
        }
    }
    askings
}

/// Returns what is asked without the texts that read like orders, for a language model: alerts are
/// data. The name stands for such a text, unless it reads like one, too.
pub(crate) fn without_orders(askings: Vec<Asking>) -> Vec<Asking> {
    let harmless = |asking: Asking| {
        let texts = [asking.text.clone(), asking.words.clone()];
        let text = texts.into_iter().find(|text| !order::is_order(text))?;
        Some(Asking { text, ..asking })
    };
    askings.into_iter().filter_map(harmless).collect()
}

/// Returns one question for all of them; `None` for alerts that say nothing.
pub(crate) fn of_all(askings: &[Asking]) -> Option<Question> {
    let texts: Vec<&str> = askings.iter().map(|asking| asking.text.as_str()).collect();
    question(&texts.join("\n"))
}

/// Returns a text as a question, cut to its longest; `None` for an empty one.
pub(crate) fn question(text: &str) -> Option<Question> {
    let is_kept = |c: &char| (!c.is_control() || *c == '\n') && *c != char::REPLACEMENT_CHARACTER;
    let text: String = text.chars().filter(is_kept).take(Question::LIMIT).collect();
    Question::parse(&text).ok()
}

impl Asking {
    fn of(alert: &Alert) -> Asking {
        let words = words(&alert.name);
        let mut lines = vec![words.as_str()];
        for text in [&alert.summary, &alert.description].into_iter().flatten() {
            let is_said =
                |line: &&str| line.trim() == text.trim() || alert.name.trim() == text.trim();
            if !lines.iter().any(is_said) {
                lines.push(text);
            }
        }
        Asking {
            text: lines.join("\n"),
            name: alert.name.clone(),
            runbook_url: alert.runbook_url.clone(),
            words,
        }
    }
}

/// Returns a name in words: `KubePodCrashLooping` as `Kube Pod Crash Looping`. One that has blanks
/// is in words already.
fn words(name: &str) -> String {
    if name.contains(char::is_whitespace) { name.to_owned() } else { name.to_title_case() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::receive::tests::alert;

    fn case_alert(name: &str, summary: &str) -> CaseAlert {
        let at = "2026-11-20T18:00:00Z".parse().unwrap();
        let alert = Alert { summary: Some(summary.into()), ..alert(name, "f") };
        CaseAlert { alert, count: 1, first_at: at, last_at: at, resolved_at: None }
    }

    #[test]
    fn a_name_is_asked_in_words_and_each_once() {
        let alerts = [
            case_alert("KubeAPIDown", "The API is gone."),
            case_alert("KubeAPIDown", "The API of another zone is gone."),
            case_alert("High latency on web-01", "High latency on web-01"),
        ];
        let askings = askings(&alerts);
        let texts: Vec<&str> = askings.iter().map(|asking| asking.text.as_str()).collect();
        assert_eq!(texts, ["Kube Api Down\nThe API is gone.", "High latency on web-01"]);
        let all = of_all(&askings).unwrap();
        assert_eq!(all.as_str(), "Kube Api Down\nThe API is gone.\nHigh latency on web-01");
    }

    #[test]
    fn what_no_question_may_have_is_left_out_and_the_rest_is_asked() {
        let asked =
            question(&format!("pool\u{0} exhausted\u{fffd} {}", "x".repeat(3_000))).unwrap();
        assert!(asked.as_str().starts_with("pool exhausted "));
        assert_eq!(asked.as_str().chars().count(), Question::LIMIT);
        assert_eq!(question(" \u{0} "), None);
    }
}
