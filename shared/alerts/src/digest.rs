//! Writes messages about a digest of the project that a route names.

use model::Result;
use ports::Projects;
use ports::scope::RequiredScopes;
use serde_json::json;
use views::wording::count;
use wire::trail::{Digest, DigestLine};

use crate::receive::machine;
use crate::route::{AlertRoute, Event, Form, MessageTo};
use crate::tell::{Message, escaped};

/// The most entries of a list of a digest in a message.
const ENTRIES: usize = 3;

/// Returns the project that a route names, of which its machine becomes a member where the owner
/// invited it: nobody else can accept that for it.
///
/// # Errors
/// Those of the store.
pub async fn joined<'r>(projects: &dyn Projects, route: &'r AlertRoute) -> Result<Option<&'r str>> {
    let Some(project) = &route.project else { return Ok(None) };
    let machine = machine(route, RequiredScopes::default()).sub;
    let is_member = projects.project(project, &machine).await?.is_some();
    let is_joined = is_member || projects.join(project, &machine).await?;
    Ok(is_joined.then_some(project))
}

/// Returns the messages about a digest that a route wants, sent or not.
pub fn digest_messages<'a>(route: &'a AlertRoute, digest: &Digest) -> Vec<Message<'a>> {
    let wants = route.messages.iter().filter(|to| to.events.contains(&Event::Digest));
    let message = |to: &'a MessageTo| {
        let body = match to.to {
            Form::Slack => json!({ "text": slack(digest) }),
            Form::Webhook => json!({
                "type": "project.digest",
                "timestamp": digest.made_at,
                "data": {"route": route.name, "digest": digest},
            }),
        };
        Message { key: format!("digest.{}.{}", digest.period(), to.address), to, body }
    };
    wants.map(message).collect()
}

fn slack(digest: &Digest) -> String {
    let day = |time: jiff::Timestamp| time.strftime("%-d %B %Y").to_string();
    let name = escaped(&digest.name);
    let mut lines = vec![format!("*Digest of {name}, {} to {}*", day(digest.from), day(digest.to))];
    let decisions: [(&str, &[DigestLine]); 5] = [
        ("New decisions", &digest.new_decisions),
        ("Accepted", &digest.accepted),
        ("Rejected", &digest.rejected),
        ("Without a source", &digest.unsupported),
        ("To review, what they rest on changed", &digest.needs_review),
    ];
    for (heading, decisions) in decisions {
        lines.extend(listed(heading, decisions.iter().map(|one| one.decision.as_str())));
    }
    let superseded = digest.superseded.iter().map(|one| one.line.decision.as_str());
    lines.extend(listed("Superseded", superseded));
    let gaps = digest.knowledge_gaps.iter().map(|gap| gap.question.as_str());
    lines.extend(listed("Asked without a result", gaps));
    let asked = count(digest.questions, "question");
    lines.push(format!(
        "{asked} asked. `plumbline project digest {}` shows all.",
        digest.project_id
    ));
    lines.join("\n")
}

/// Returns a line with the first entries of a list, and how many there are.
fn listed<'t>(heading: &str, entries: impl Iterator<Item = &'t str>) -> Option<String> {
    let entries: Vec<&str> = entries.collect();
    let shown: Vec<String> = entries.iter().take(ENTRIES).map(|text| escaped(text)).collect();
    let more = match entries.len().saturating_sub(ENTRIES) {
        0 => String::new(),
        more => format!("; {more} more"),
    };
    (!shown.is_empty()).then(|| format!("{heading}: {}{more}", shown.join("; ")))
}

#[cfg(test)]
mod tests;
