//! Finds the runbook of an alert: by its address, by its name, or as the likest.

use ask::Ask;
use ask::evidence::Evidence;
use ask::plan::{Keep, Plan, Probe, Way};
use ask::question::Asked;
use ask::rank;
use model::Result;
use model::document::{DocumentType, Passage, file_name};
use model::evidence::Place;
use model::evidence::PointKind::{Document, Passage as Passages};
use model::evidence::SearchKind::{Bm25, Dense};
use ports::question::Question;
use ports::scope::Grant;
use wire::alerts::{FoundBy, Runbook};

use crate::question::{Asking, question};

/// The ways to search for what an alert says, and for its name, which stands in the title or file
/// name of a runbook of its own.
const WAYS: [Way; 4] =
    [(Dense, Document, 0.7), (Bm25, Document, 0.5), (Dense, Passages, 1.0), (Bm25, Passages, 0.5)];
const NAME_WAYS: [Way; 2] = [(Bm25, Document, 0.5), (Bm25, Passages, 0.25)];

/// Upper bounds for the hits of a search, and for the documents that are read beyond the five that
/// are shown, because reports and decisions are among them.
const DEPTH: usize = 40;
const SPARE: usize = 20;

/// Upper bound for the runbooks that are named beside the best one.
const NEAREST: usize = 4;

/// Returns the runbook of an alert; `None` where nothing is as like it as that.
///
/// # Errors
/// The errors of the index.
pub(crate) async fn find(
    ask: &Ask<'_>,
    grant: &Grant,
    asking: &Asking,
) -> Result<Option<(Runbook, Passage)>> {
    let Some(asked) = question(&asking.text) else { return Ok(None) };
    let mut asked = Asked::of(asked, grant.clone());
    let mut found = ask.search(plan(&asked.question, asking), &mut asked).await?;
    rank::order(&asked, &mut found);
    let mut candidates: Vec<Evidence> = found.evidence.into_iter().filter(may_be_one).collect();
    let stated = stated(&candidates, asking);
    let by = stated.map_or(FoundBy::Likeness, |(_, by)| by);
    if let Some((place, _)) = stated {
        candidates[..=place].rotate_right(1);
    }
    let mut candidates = candidates.into_iter();
    let Some(best) = candidates.next() else { return Ok(None) };
    let nearest = candidates.take(NEAREST).map(|found| Place::of(&found.passage));
    let runbook = Runbook {
        alert: asking.name.clone(),
        found_by: by,
        strength: best.parts.strength,
        passage: Place::of(&best.passage),
        text: best.passage.text.clone(),
        nearest: nearest.collect(),
    };
    Ok(Some((runbook, best.passage)))
}

fn plan(asked: &Question, asking: &Asking) -> Plan {
    let probe = |text: &str, ways: &[Way]| Probe {
        text: text.to_owned(),
        ways: ways.into(),
        depth: DEPTH,
        query: None,
    };
    let mut probes = vec![probe(asked.as_str(), &WAYS)];
    let slug = asking.runbook_url.as_deref().and_then(last_part);
    let names = [Some(asking.name.as_str()), slug];
    probes.extend(names.into_iter().flatten().map(|name| probe(name, &NAME_WAYS)));
    Plan::of_probes(probes).keeping(Keep::Documents { spare: SPARE })
}

/// Returns true for a document that may say what to do: not for reports of failures, decisions,
/// code, logs and settings.
fn may_be_one(found: &Evidence) -> bool {
    match found.passage.document_type {
        DocumentType::Runbook => true,
        DocumentType::Postmortem
        | DocumentType::Decision
        | DocumentType::Proposal
        | DocumentType::Log
        | DocumentType::Config
        | DocumentType::Code => false,
        _ => found.facts.report.is_none() && found.facts.decision.is_none(),
    }
}

/// Returns the place of the document that an alert names itself, and how: by its address, else by
/// the last part of its address where no other document has that name, else by the alert's name.
fn stated(candidates: &[Evidence], asking: &Asking) -> Option<(usize, FoundBy)> {
    let url = asking.runbook_url.as_deref();
    let has_address = |found: &Evidence| url.is_some() && found.passage.uri.as_deref() == url;
    let by_address = candidates.iter().position(has_address);
    let of_part = || {
        let part = url.and_then(last_part)?;
        let mut named = candidates.iter().enumerate().filter(|(_, found)| is_named(found, part));
        let (place, _) = named.next()?;
        named.next().is_none().then_some(place)
    };
    let by_name = || candidates.iter().position(|found| is_named(found, &asking.name));
    let by_link = by_address.or_else(of_part).map(|place| (place, FoundBy::Link));
    by_link.or_else(|| by_name().map(|place| (place, FoundBy::Name)))
}

fn is_named(found: &Evidence, name: &str) -> bool {
    let Passage { uri, name: file, title, .. } = &found.passage;
    let names = [uri.as_deref().and_then(last_part), Some(stem(file_name(file))), Some(title)];
    names.into_iter().flatten().any(|known| is_same(known, name))
}

/// Returns true if two names have the same letters and digits.
fn is_same(a: &str, b: &str) -> bool {
    let letters = |text: &str| {
        text.chars()
            .filter(|c| c.is_alphanumeric())
            .flat_map(char::to_lowercase)
            .collect::<String>()
    };
    let a = letters(a);
    !a.is_empty() && a == letters(b)
}

/// Returns the last part of an address, which names what it leads to: its fragment, or else the
/// last part of its path without the ending.
fn last_part(url: &str) -> Option<&str> {
    let (path, fragment) = url.split_once('#').unwrap_or((url, ""));
    let path = path.split('?').next().unwrap_or_default().trim_end_matches('/');
    let part = if fragment.is_empty() { stem(path.rsplit('/').next()?) } else { fragment };
    Some(part).filter(|part| !part.is_empty())
}

fn stem(file: &str) -> &str {
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_leads_to_its_last_part() {
        let parts = [
            (
                "https://runbooks.example/runbooks/kubernetes/kubepodcrashlooping",
                "kubepodcrashlooping",
            ),
            ("https://wiki.example/Ops/Disk-Full.html?version=3", "Disk-Full"),
            ("https://wiki.example/ops/", "ops"),
            (
                "https://github.com/example/books/blob/main/ops.md#alert-name-disk-full",
                "alert-name-disk-full",
            ),
        ];
        for (url, part) in parts {
            assert_eq!(last_part(url), Some(part));
        }
        assert_eq!(last_part(""), None);
    }

    #[test]
    fn names_are_the_same_by_their_letters_and_digits() {
        assert!(is_same("KubePodCrashLooping", "Kube Pod crash-looping"));
        assert!(!is_same("KubePodCrashLooping", "KubePodNotReady"));
        assert!(!is_same("---", "..."), "names without any are the same as none");
    }
}
