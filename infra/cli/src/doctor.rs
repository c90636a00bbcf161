//! `plumbline doctor`: what of a deployment works, and what to do about what does not.

use anyhow::{Result, bail};
use clap::Args;
use jiff::Timestamp;
use serde::Serialize;
use wire::health::{Health, ServiceHealth, ServiceState};

use crate::api::{self, Api, Refusal};
use crate::session::Session;
use crate::wording::{pretty, printable};

mod certificate;
mod trial;
mod upkeep;

/// The state of one thing.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct Finding {
    is_well: bool,
    of: &'static str,
    #[serde(rename = "told")]
    text: String,
    /// The advice where it is not well.
    advice: Option<&'static str>,
}

/// What to check.
#[derive(Debug, Args)]
pub(crate) struct Wanted {
    /// Tries the language model in each of its parts, which takes some minutes and a few cents. For
    /// administrators.
    #[arg(long)]
    model: bool,
    /// Counts the documents that an older reader read, that wait and that failed. For
    /// administrators.
    #[arg(long)]
    documents: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Checks one thing after the other; fails where one is not well.
pub(crate) fn run(url: &str, token: &str, wanted: &Wanted) -> Result<()> {
    let terminal = console::Term::stdout();
    let is_json = wanted.json;
    if wanted.model {
        trial::wait(&Api::new(url, token)?)?;
    }
    let mut findings = findings(url, token)?;
    // Without an address or a token nothing else answers, either.
    if let (true, Ok(api)) = (wanted.documents, Api::new(url, token)) {
        findings.push(upkeep::documents(&api));
    }
    if is_json {
        terminal.write_line(&pretty(&serde_json::to_value(&findings)?)?)?;
    }
    for finding in findings.iter().filter(|_| !is_json) {
        let mark = if finding.is_well { "ok   " } else { "wrong" };
        terminal.write_line(&printable(&format!("{mark}  {:<15} {}", finding.of, finding.text)))?;
        if let Some(advice) = finding.advice {
            terminal.write_line(&format!("                       {advice}"))?;
        }
    }
    match findings.iter().filter(|finding| !finding.is_well).count() {
        0 => Ok(()),
        1 => bail!("one thing is wrong"),
        more => bail!("{more} things are wrong"),
    }
}

fn findings(url: &str, token: &str) -> Result<Vec<Finding>> {
    let kept = || if token.is_empty() { Session::kept() } else { Ok(None) };
    let address = kept()?.map_or_else(|| url.to_owned(), |kept| kept.url);
    let mut findings = vec![reach(if url.is_empty() { &address } else { url })];
    if !findings[0].is_well {
        return Ok(findings);
    }
    let api = match Api::new(url, token) {
        Ok(api) => api,
        Err(error) => return Ok([findings, vec![bad_token(format!("{error:#}"))]].concat()),
    };
    match api.ask::<Health>("/v1/health") {
        Ok(Ok(health)) => {
            // It may just have been renewed.
            let minutes = kept()?.map(|kept| kept.minutes_left());
            findings.extend(certificate::found(&address, Timestamp::now()));
            findings.extend(judge(&health, minutes));
            findings.extend(upkeep::api_keys(&api, &health.caller));
        }
        // The gateway refuses a key that ended or was revoked by 403.
        Ok(Err(Refusal { status: 401 | 403, reason })) => findings.push(bad_token(reason)),
        Ok(Err(refusal)) => findings.push(silent(refusal.reason)),
        Err(error) => findings.push(silent(format!("{error:#}"))),
    }
    Ok(findings)
}

fn bad_token(text: String) -> Finding {
    let advice = "Sign in with plumbline login. The token's issuer and audience must be the template's JwtIssuer and JwtAudience. An API key goes to the output KeyUrl, which refuses one that ended or was revoked.";
    Finding { is_well: false, of: "token", text, advice: Some(advice) }
}

fn silent(text: String) -> Finding {
    let advice = "The log of the function answer says why it does not start, or does not answer.";
    Finding { is_well: false, of: "function", text, advice: Some(advice) }
}

/// Tells whether the API is at the address: it refuses whom it does not know.
fn reach(address: &str) -> Finding {
    let advice = "Give the output ApiUrl of the API's stack as --url or PLUMBLINE_URL.";
    let (is_well, text) = match api::status_without_token(address) {
        _ if address.is_empty() => (false, "no address is known".into()),
        Ok(401) => (true, format!("{address} answers")),
        Ok(status) => (false, format!("{address} answers a stranger with {status}, not 401")),
        Err(error) => (false, format!("{error:#}")),
    };
    Finding { is_well, of: "address", text, advice: Some(advice).filter(|_| !is_well) }
}

fn judge(health: &Health, minutes: Option<i64>) -> Vec<Finding> {
    let seen = &health.caller;
    let well = |of, text| Finding { is_well: true, of, text, advice: None };
    let until = minutes.map_or(String::new(), |left| format!(", good for {left} min"));
    let groups = match seen.groups.as_slice() {
        [] => "none".to_owned(),
        groups => groups.join(", "),
    };
    let may = if seen.groups.contains(&seen.admin_group) { "may" } else { "may not" };
    let admin = format!("{groups}; {may} fill everyone's knowledge base (`{}`)", seen.admin_group);
    let mut findings = vec![well("token", format!("of {}{until}", seen.sub))];
    findings.push(Finding {
        advice: seen.groups.is_empty().then_some(
            "Where you should have some: GroupsClaim names the claim of the access token that lists them.",
        ),
        ..well("groups", admin)
    });
    let reindexed = "It is used as it is; `plumbline reindex all` changes it.";
    let restored = "docs/restore.md, \"Put a backup in the place of the table\", sets what a restore does not bring along.";
    findings.push(part("model", &health.embedding, "", "EmbedModel: ask for access to it in the Bedrock console, in this region; where the model is to be had by a profile only, name that (us., eu., global.)."));
    findings.push(part("collection", &health.index, reindexed, "QdrantUrl must be reachable from the internet by gRPC (port 6334, https://), and the secret must hold its key; then deploy with the version of that secret as QdrantKeyVersion."));
    let now = Timestamp::now();
    findings.extend(health.index.key_ends_at.map(|end| upkeep::key(end, now)));
    findings.extend(health.index.snapshot_at.map(|made| upkeep::snapshot(made, now)));
    findings.push(part(
        "table",
        &health.table,
        restored,
        "Deploy the data stack first; DataStack names it.",
    ));
    findings.extend(health.upkeep.iter().flat_map(upkeep::judge));
    findings.push(trial::chat_model(health.chat_model.as_ref()));
    findings.extend(health.chat_model.iter().flat_map(trial::parts));
    findings
}

/// `differs` says what to do where it differs from what would be made now, `fails` where it fails.
fn part(
    of: &'static str,
    part: &ServiceHealth,
    differs: &'static str,
    fails: &'static str,
) -> Finding {
    let is_well = part.state != ServiceState::Failing;
    let text = match (part.state, part.points, &part.reason) {
        (ServiceState::Ok, Some(points), _) => format!("{}, {points} points", part.name),
        (ServiceState::Ok, None, _) => part.name.clone(),
        (ServiceState::Empty, ..) => {
            format!("{} is not there yet: the first document creates it", part.name)
        }
        (ServiceState::Failing, _, Some(reason)) => format!("{} fails: {reason}", part.name),
        (ServiceState::Failing, _, None) => {
            format!("{} fails; members of the admin group are told why", part.name)
        }
    };
    let advice = match (is_well, part.differs.as_slice()) {
        (false, _) => Some(fails),
        (true, []) => None,
        (true, _) => Some(differs),
    };
    let text = [&[text], part.differs.as_slice()].concat().join("; ");
    Finding { is_well, of, text, advice }
}

#[cfg(test)]
mod tests {
    use wire::health::CallerIdentity;

    use super::*;

    fn health(state: ServiceState, reason: Option<&str>) -> Health {
        let ok = |name: &str, points| ServiceHealth {
            name: name.into(),
            state: ServiceState::Ok,
            reason: None,
            points,
            differs: Vec::new(),
            key_ends_at: None,
            snapshot_at: None,
        };
        Health {
            caller: CallerIdentity {
                sub: "ann".into(),
                groups: vec!["ops".into()],
                admin_group: "keepers".into(),
            },
            embedding: ServiceHealth {
                state,
                reason: reason.map(Into::into),
                ..ok("cohere.embed-v4:0/1024", None)
            },
            index: ok("plumbline", Some(42)),
            table: ok("plumbline-data", None),
            chat_model: None,
            upkeep: None,
        }
    }

    #[test]
    fn what_fails_is_told_with_what_to_do() {
        let findings =
            judge(&health(ServiceState::Failing, Some("AccessDeniedException")), Some(9));
        let wrong: Vec<_> = findings.iter().filter(|finding| !finding.is_well).collect();
        assert_eq!(wrong.len(), 1);
        assert_eq!(wrong[0].text, "cohere.embed-v4:0/1024 fails: AccessDeniedException");
        assert!(wrong[0].advice.unwrap().contains("Bedrock console"));
        assert_eq!(findings[0].text, "of ann, good for 9 min");
        assert!(findings[1].text.contains("ops; may not fill"), "{}", findings[1].text);
    }

    #[test]
    fn a_collection_of_other_settings_is_no_fault_and_told_with_what_to_do() {
        let mut health = health(ServiceState::Ok, None);
        health.index.differs = vec!["quantization is none and not int8".into()];
        let all = judge(&health, None);
        assert!(all.iter().all(|a| a.is_well));
        assert_eq!(all[3].text, "plumbline, 42 points; quantization is none and not int8");
        assert!(all[3].advice.unwrap().contains("plumbline reindex all"));
    }

    #[test]
    fn a_table_that_was_restored_without_its_settings_is_told_with_what_to_do() {
        let mut health = health(ServiceState::Ok, None);
        health.table.differs = vec!["it cannot be restored to an earlier time".into()];
        let all = judge(&health, None);
        assert!(
            all[4].text.ends_with("it cannot be restored to an earlier time"),
            "{}",
            all[4].text
        );
        assert!(all[4].advice.unwrap().contains("docs/restore.md"));
    }

    #[test]
    fn a_collection_that_is_to_come_is_no_fault() {
        let all = judge(&health(ServiceState::Empty, None), None);
        assert!(all.iter().all(|a| a.is_well));
        assert!(all[..5].iter().all(|a| a.advice.is_none()));
        assert!(all[3].text.contains("42 points"), "{}", all[3].text);
    }
}
