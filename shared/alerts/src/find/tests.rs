use pollster::block_on;
use ports::Embedder;
use testing::{AwayEmbedder, Corpus, FakeContext, FakeEmbedder};
use wire::alerts::Alert;

use super::*;
use crate::receive::tests::{alert, route, stamp};

const RUNBOOK: &str =
    "---\nowner: Ann\n---\n# Pool exhausted\n\n## Mitigation\n\nTake a thread dump of the pool.\n";
const OTHER: &str = "---\nowner: Bob\n---\n# Certificate expired\n\n## Mitigation\n\nRenew the certificate of the mailer.\n";
const REPORT: &str = "# The pool was exhausted\n\n## Root cause\n\nA request of the pool held a connection.\n\n## Resolution\n\nThe pool was enlarged.\n";
const DECISION: &str = "# Size of the pool\n\nStatus: accepted\n\n## Decision\n\nThe pool has 50 connections, so that it is never exhausted.\n";
const OWNERS: &str = "service,owner\nmailer,Team Mail\ncheckout,Team Payments\n";

fn fired(alert: Alert) -> CaseAlert {
    let at = stamp(0).time;
    CaseAlert { alert, count: 1, first_at: at, last_at: at, resolved_at: None }
}

/// Looks for what helps with one alert in everyone's documents.
fn found(documents: &[(&str, &str)], alert: Alert, embedder: &dyn Embedder) -> Brief {
    let route = route("owners = \"owners.csv\"");
    block_on(async {
        let corpus = Corpus::of(documents).await;
        let caller = crate::machine(&route, ports::scope::RequiredScopes::default());
        let context = FakeContext { caller, ..FakeContext::default() };
        let records = records::Services {
            documents: &corpus.documents,
            files: &corpus.files,
            members: &corpus.cases,
            chat: None,
            may_go_on: &|| true,
        };
        let ask = Ask::new(context.context(), embedder, &corpus.index);
        let services = Services { ask, records, projects: &context.projects };
        find(&services, &route, &[fired(alert)]).await.unwrap()
    })
}

fn pool() -> Alert {
    let summary = Some("The pool is exhausted.".into());
    Alert { summary, ..alert("PoolExhausted", "a") }
}

fn owner(brief: &Brief) -> Option<(&str, Option<u32>)> {
    brief.owner.as_ref().map(|owner| (owner.owner.as_str(), owner.line))
}

#[test]
fn a_brief_has_the_runbook_past_failures_decisions_and_the_owner() {
    let documents = [
        ("runbooks/PoolExhausted.md", RUNBOOK),
        ("runbooks/mailer.md", OTHER),
        ("reports/pool.md", REPORT),
        ("adr/pool.md", DECISION),
        ("owners.csv", OWNERS),
    ];
    let brief = found(&documents, pool(), &FakeEmbedder);
    let [runbook] = &brief.runbooks[..] else { panic!("{brief:?}") };
    assert_eq!(
        (runbook.found_by, &*runbook.passage.file),
        (FoundBy::Name, "runbooks/PoolExhausted.md")
    );
    let nearest: Vec<&str> = runbook.nearest.iter().map(|place| &*place.file).collect();
    assert_eq!(nearest, ["runbooks/mailer.md"], "no reports and decisions");
    let past: Vec<&str> = brief.past.report.results.iter().map(|one| &*one.passage.file).collect();
    assert_eq!(past, ["reports/pool.md"]);
    let decided: Vec<&str> = brief.decided.iter().map(|one| &*one.passage.file).collect();
    assert_eq!(decided, ["adr/pool.md"]);
    assert_eq!(owner(&brief), Some(("Ann", None)), "no alert names a service");
    assert_eq!(brief.missing, [""; 0]);
    assert!(!is_due(Some(&brief), &[fired(pool())]));
    assert!(is_due(Some(&brief), &[fired(pool()), fired(alert("CertificateExpired", "b"))]));

    let service = Some("checkout".into());
    let brief = found(&documents, Alert { service, ..pool() }, &FakeEmbedder);
    assert_eq!(owner(&brief), Some(("Team Payments", Some(3))));
}

#[test]
fn the_owner_of_a_page_that_is_only_like_it_is_not_taken() {
    let documents = [("runbooks/mailer.md", OTHER)];
    let summary = Some("The certificate of the mailer is expired.".into());
    let brief = found(&documents, Alert { summary, ..alert("TlsBroken", "a") }, &FakeEmbedder);
    assert_eq!(brief.runbooks[0].found_by, FoundBy::Likeness);
    assert_eq!(brief.owner, None);
    let all = brief.missing.join(" ");
    for missing in ["TlsBroken is only the likest", "No past failure", "No document says who owns"]
    {
        assert!(all.contains(missing), "{missing}: {all}");
    }
}

#[test]
fn an_address_leads_to_its_document_unless_two_have_its_name() {
    let linked = |documents: &[(&str, &str)]| {
        let runbook_url = Some("https://books.example/ops/mailer".into());
        let brief = found(documents, Alert { runbook_url, ..pool() }, &FakeEmbedder);
        (
            brief.runbooks[0].found_by,
            brief.runbooks[0].passage.file.clone(),
            brief.missing.join(" "),
        )
    };
    let one = [("runbooks/PoolExhausted.md", RUNBOOK), ("runbooks/mailer.md", OTHER)];
    let (by, file, missing) = linked(&one);
    assert_eq!((by, &*file), (FoundBy::Link, "runbooks/mailer.md"));
    assert!(!missing.contains("is not among the documents"), "{missing}");
    let [pool, mailer] = one;
    let (by, file, missing) = linked(&[pool, mailer, ("old/mailer.md", OTHER)]);
    assert_eq!((by, &*file), (FoundBy::Name, "runbooks/PoolExhausted.md"));
    assert!(missing.contains("https://books.example/ops/mailer is not among"), "{missing}");
}

#[test]
fn a_brief_that_a_service_left_incomplete_is_made_again() {
    let brief = found(&[("PoolExhausted.md", RUNBOOK)], pool(), &AwayEmbedder);
    assert_eq!(brief.runbooks[0].found_by, FoundBy::Name, "words alone find it");
    assert!(brief.missing[0].starts_with("Past failures lack"), "{:?}", brief.missing);
    assert!(is_due(Some(&brief), &[fired(pool())]));
    assert!(is_due(None, &[fired(pool())]));
}
