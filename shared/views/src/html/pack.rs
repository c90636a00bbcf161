//! The evidence pack of a decision: a page for people that contains the reply of the API for
//! programs.

use std::fmt::Write;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use wire::decisions::{Decided, DecisionReply, DecisionSource};

use super::layout::{STYLE, head, printable};

/// Returns the page of a decision with all of its evidence. `json` is the reply from which the page
/// is made; `plumbline verify` reads it from the page and computes the hash of every source again.
pub fn pack(reply: &DecisionReply, json: &str) -> String {
    let Decided { decision, sources } = &reply.decided;
    // The data cannot close the element around it. Characters that control a terminal are escaped,
    // which does not change the data.
    let data = json.chars().fold(String::with_capacity(json.len()), |mut data, letter| {
        if letter == '<' || letter.is_control() {
            let _ = write!(data, "\\u{:04x}", u32::from(letter));
        } else {
            data.push(letter);
        }
        data
    });
    let document = html! {
        (DOCTYPE)
        html lang="en" {
            (head(&decision.decision, STYLE))
            body {
                header {
                    p.label { "Evidence pack of a decision" }
                    h1 dir="auto" { (decision.decision) }
                    p.meta {
                        (decision.status.name()) ", decided " (decision.decided_at.strftime("%-d %b %Y")) ", recorded "
                        (decision.recorded_at.strftime("%-d %b %Y")) " by " (decision.by) ", " code { (decision.decision_id) }
                        ", version " (decision.version)
                    }
                }
                main {
                    section { h2 { "Why" } blockquote.plain-text dir="auto" { (decision.rationale) } }
                    (alternatives(&decision.alternatives))
                    section { h2 { "Sources" } div.cards { @for source in sources { (card(source)) } }
                        @if sources.is_empty() { p.empty { "It rests on no source." } } }
                    (history(reply))
                }
                footer { p { "plumbline verify FILE computes the hash of every source again and compares this page with the data in it, without any service." } }
                script type="application/json" id="pack" { (PreEscaped(data)) }
            }
        }
    };
    printable(&document.into_string())
}

fn alternatives(alternatives: &[String]) -> Markup {
    html! {
        @if !alternatives.is_empty() {
            section { h2 { "Alternatives" } ul.plain { @for alternative in alternatives { li dir="auto" { (alternative) } } } }
        }
    }
}

fn card(source: &DecisionSource) -> Markup {
    let lines = source.lines.map(|(first, last)| format!(":{first}-{last}")).unwrap_or_default();
    html! {
        article.card {
            header { h3 dir="auto" { (source.title) } span.meta { (format!("relevance {:.2}", source.relevance)) } }
            p.where {
                code { (source.file) (lines) }
                @if let Some(section) = &source.section { ", " (section) }
            }
            blockquote.plain-text dir="auto" { (source.quote) }
            p.meta { "SHA-256 " code { (source.hash) } }
        }
    }
}

/// Returns the moves of the decision, and the decisions before and after it.
fn history(reply: &DecisionReply) -> Markup {
    let decision = &reply.decided.decision;
    html! {
        section {
            h2 { "History" }
            ul.plain {
                @for (step, change) in decision.steps() {
                    li {
                        (change.at.strftime("%-d %b %Y, %H:%M")) " " (step) " by " (change.by)
                        @if let Some(reason) = &change.reason { ": " (reason) }
                    }
                }
                @for review in &decision.needs_review {
                    li { strong { "To review: " } (review.file) " changed, " (review.since.strftime("%-d %b %Y")) }
                }
            }
            @if !reply.line.is_empty() {
                h3 { "In the line of" }
                ol.plain {
                    @for link in &reply.line {
                        li { (link.decision) " " span.meta { (link.status.name()) ", " code { (link.decision_id) } } }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use wire::testing::reply;

    use super::*;

    #[test]
    fn a_pack_holds_the_reply_that_it_was_made_from() {
        let json = serde_json::from_str::<Value>(include_str!(
            "../../../../infra/examples/record_decision.json"
        ))
        .unwrap();
        let page = pack(&reply(json.clone()), &json.to_string());
        let start = page.find("id=\"pack\">").unwrap() + "id=\"pack\">".len();
        let data = &page[start..page[start..].find("</script>").unwrap() + start];
        assert_eq!(serde_json::from_str::<Value>(data).unwrap(), json);
        assert!(page.contains(json["sources"][0]["hash"].as_str().unwrap()));
        assert_eq!(pack(&reply(json), data), page, "its data make it again");
        let hostile = json!({"rationale": "</script><b>"});
        let page = pack(&reply(hostile.clone()), &hostile.to_string());
        assert_eq!(page.matches("</script>").count(), 1);
    }
}
