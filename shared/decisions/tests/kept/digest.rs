use async_trait::async_trait;
use decisions::digest::*;
use jiff::{SignedDuration, Timestamp};
use model::Result;
use pollster::block_on;
use ports::trail::ulid_at;
use ports::{Projects, Task, Trail};
use serde_json::{Value, json};
use testing::{Corpus, FakeContext, FakeTasks};
use wire::trail::{Asked, Digest, DigestLine};

/// A project with work on Friday, 20 November 2026, in the week that ends on Monday the 23rd.
struct Site {
    context: FakeContext,
    corpus: Corpus,
    project: String,
    tasks: FakeTasks,
}

impl Site {
    fn new() -> Site {
        let (mut context, corpus) = (FakeContext::default(), Corpus::default());
        let project = block_on(context.project(&corpus, json!({"name": "Pump"})));
        Site { context, corpus, project, tasks: FakeTasks::default() }
    }

    fn decide(&mut self, new: Value) -> String {
        let decided = block_on(self.context.decide(&self.corpus, &self.project, new));
        decided.unwrap().decision.decision_id
    }

    fn tell(&self, now: &str) -> Outcome {
        let (from, to) = last_period(Length::Week, time(now));
        let job = Job { project_id: self.project.clone(), from, to };
        let projects = &self.context.projects;
        block_on(tell(projects, projects, &self.tasks, &job, time(now))).unwrap()
    }

    fn digests(&self) -> Vec<Digest> {
        block_on(self.context.projects.digests(&self.project, 10, None)).unwrap().items
    }
}

fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

const MONDAY: &str = "2026-11-23T06:00:00Z";

#[test]
fn a_period_ends_at_midnight_whenever_it_is_told() {
    let week = (time("2026-11-16T00:00:00Z"), time("2026-11-23T00:00:00Z"));
    for now in ["2026-11-23T00:00:00Z", MONDAY, "2026-11-29T23:59:59.999Z"] {
        assert_eq!(last_period(Length::Week, time(now)), week, "{now}");
    }
    let day = (time("2026-11-22T00:00:00Z"), time("2026-11-23T00:00:00Z"));
    assert_eq!(last_period(Length::Day, time(MONDAY)), day);
}

#[test]
fn a_digest_tells_the_changes_of_its_period_and_is_told_once() {
    let mut site = Site::new();
    let decision = |name: &str| json!({"decision": name, "rationale": "Because."});
    let old = site.decide(decision("Rubber seals"));
    let mut new = decision("Carbon seals");
    new["supersedes"] = json!(old);
    let new = site.decide(new);
    assert_eq!(site.tell("2026-11-20T18:00:00Z"), Outcome::Quiet, "that week has no part of it");
    assert_eq!(site.tell(MONDAY), Outcome::Written);
    assert_eq!(site.tell("2026-11-24T06:00:00Z"), Outcome::Repeated);
    let digest = site.digests().swap_remove(0);
    let task = Task::Digest { project_id: site.project.clone(), period: digest.period() };
    assert_eq!(site.tasks.take(), [task.clone(), task], "a quiet week is told to nobody");
    let ids = |lines: &[DigestLine]| {
        lines.iter().map(|line| line.decision_id.clone()).collect::<Vec<_>>()
    };
    assert_eq!(ids(&digest.new_decisions), [new.clone(), old.clone()]);
    assert_eq!(ids(&digest.unsupported), [new.clone(), old.clone()]);
    let replaced = &digest.superseded[0];
    assert_eq!((&replaced.line.decision_id, &replaced.by), (&old, &new));
    assert!(
        digest.accepted.is_empty(),
        "what was accepted when it was recorded is new, not accepted later"
    );
    assert_eq!(
        site.tell("2026-11-30T06:00:00Z"),
        Outcome::Quiet,
        "nothing changed in the next week"
    );
    assert_eq!(site.digests().len(), 1);
}

#[test]
fn questions_are_a_gap_when_they_were_asked_again_and_never_answered() {
    let ask = |second: i64, question: &str, answered: bool| {
        let at = time("2026-11-20T18:00:00Z") + SignedDuration::from_secs(second);
        let result = wire::trail::Answered { passage_id: uuid::Uuid::nil(), score: 0.5 };
        Asked {
            query_id: ulid_at(at),
            question: question.into(),
            workflow: "explore".into(),
            results: if answered { vec![result] } else { Vec::new() },
            by: "ann".into(),
            at,
        }
    };
    let questions = [
        ask(1, "Which crane lifts 9 t?", false),
        ask(2, "which cranes lift 9 t", false),
        ask(3, "Who owns the crane?", false),
        ask(4, "What is a seal?", false),
        ask(5, "What is a seal?", true),
    ];
    let site = Site::new();
    let project = block_on(site.context.projects.profile(&site.project)).unwrap().unwrap();
    let period = last_period(Length::Week, time(MONDAY));
    let digest = digest(project, &[], &questions, period, time(MONDAY));
    let gaps: Vec<_> = digest
        .knowledge_gaps
        .iter()
        .map(|knowledge_gap| (knowledge_gap.question.as_str(), knowledge_gap.times))
        .collect();
    assert_eq!(gaps, [("which cranes lift 9 t", 2)]);
    assert_eq!(digest.questions, 5);
}

#[test]
fn a_project_that_ended_is_told_once_more_and_then_left_out() {
    let mut site = Site::new();
    for (to, version) in [("active", 1), ("completed", 2)] {
        site.context.tick();
        let wanted = serde_json::from_value(json!({"to": to, "version": version})).unwrap();
        let project_context = site.context.project_context(&site.corpus);
        block_on(decisions::projects::move_status(&project_context, &site.project, wanted))
            .unwrap();
    }
    let listed =
        |site: &Site| block_on(site.context.projects.active(10, None)).unwrap().items.len();
    assert_eq!(site.tell(MONDAY), Outcome::Written);
    assert_eq!((site.digests()[0].status_moves.len(), listed(&site)), (2, 1));
    assert_eq!((site.tell("2026-11-30T06:00:00Z"), listed(&site)), (Outcome::Quiet, 0));
}

#[test]
fn what_was_only_confirmed_was_not_accepted() {
    let mut site = Site::new();
    let decide = site.decide(json!({"decision": "Rubber seals", "rationale": "Because."}));
    let found = block_on(site.context.projects.decisions_named(&site.project, &[decide])).unwrap();
    let mut decision = found[0].clone();
    decision.recorded_at = time("2026-01-01T00:00:00Z");
    decision.history.push(decision.history[0].clone());
    decision.history[0].at = decision.recorded_at;
    let project = block_on(site.context.projects.profile(&site.project)).unwrap().unwrap();
    let weekly =
        digest(project, &[decision], &[], last_period(Length::Week, time(MONDAY)), time(MONDAY));
    assert!(weekly.is_quiet(), "{weekly:?}");
}

#[test]
fn every_active_project_is_handed_out_once_page_by_page() {
    struct Taken(std::sync::Mutex<Vec<Job>>);
    #[async_trait]
    impl Jobs for Taken {
        async fn send(&self, jobs: &[Job]) -> Result<()> {
            self.0.lock().unwrap().extend_from_slice(jobs);
            Ok(())
        }
    }
    let (mut context, corpus) = (FakeContext::default(), Corpus::default());
    let mut expected = Vec::new();
    for number in 0..250 {
        let name = json!({"name": format!("Project {number}")});
        expected.push(block_on(context.project(&corpus, name)));
    }
    let taken = Taken(std::sync::Mutex::default());
    let run = Run { period: Length::Week };
    let count = block_on(fan_out(&context.projects, &taken, run, time(MONDAY))).unwrap();
    let ids: Vec<String> =
        taken.0.into_inner().unwrap().into_iter().map(|job| job.project_id).collect();
    assert_eq!((count, ids), (250, expected));
}
