//! The changes between two times.

use std::collections::HashMap;

use jiff::{SignedDuration, Timestamp};
use wire::decisions::{Decision, DecisionStatus};
use wire::projects::Project;
use wire::trail::{Asked, Digest, DigestLine, KnowledgeGap, ReplacedDecision};

use text::question::telling;
use text::term::stem;

/// Returns the changes from the first time of `period` up to, but not including, the second.
pub fn digest(
    project: Project,
    decisions: &[Decision],
    questions: &[Asked],
    period: (Timestamp, Timestamp),
    made_at: Timestamp,
) -> Digest {
    let (from, to) = period;
    let is_in = |at: Timestamp| from <= at && at < to;
    let tick = SignedDuration::from_millis(1);
    let then: Vec<Decision> =
        decisions.iter().filter_map(|decision| decision.clone().as_of(to - tick)).collect();
    let new: Vec<&Decision> = then.iter().filter(|x| is_in(x.recorded_at)).collect();
    let decided = |to: DecisionStatus| {
        let by_move = |decision: &&Decision| {
            decision
                .history
                .windows(2)
                .any(|pair| pair[0].to != to && pair[1].to == to && is_in(pair[1].at))
        };
        then.iter().filter(by_move).map(line).collect::<Vec<_>>()
    };
    let superseded = then.iter().filter(|x| {
        x.history.iter().any(|change| change.to == DecisionStatus::Superseded && is_in(change.at))
    });
    let replaced = |decision: &Decision| {
        Some(ReplacedDecision { line: line(decision), by: decision.superseded_by.clone()? })
    };
    let flagged =
        |decision: &&Decision| decision.needs_review.iter().any(|review| is_in(review.since));
    let moves = project.history.iter().filter(|change| is_in(change.at));
    let mut digest = Digest {
        accepted: decided(DecisionStatus::Accepted),
        rejected: decided(DecisionStatus::Rejected),
        superseded: superseded.filter_map(replaced).collect(),
        unsupported: new.iter().filter(|n| n.source_count == 0).map(|n| line(n)).collect(),
        new_decisions: new.into_iter().map(line).collect(),
        needs_review: decisions.iter().filter(flagged).map(line).collect(),
        knowledge_gaps: gaps(questions),
        status_moves: moves.cloned().collect(),
        questions: questions.len(),
        project_id: project.project_id,
        name: project.name,
        from,
        to,
        made_at,
        left_out: 0,
    };
    shorten(&mut digest);
    digest
}

/// Cuts each list to [`Digest::MOST`] entries, so that the digest fits into an item, and counts the
/// entries left out.
fn shorten(digest: &mut Digest) {
    let Digest { new_decisions, accepted, rejected, superseded, unsupported, .. } = digest;
    let mut left_out = cut(superseded) + cut(&mut digest.needs_review);
    for list in [new_decisions, accepted, rejected, unsupported] {
        left_out += cut(list);
    }
    digest.left_out = left_out + cut(&mut digest.knowledge_gaps);
}

/// Returns the number of entries that are cut off.
fn cut<T>(list: &mut Vec<T>) -> usize {
    let left_out = list.len().saturating_sub(Digest::MOST);
    list.truncate(Digest::MOST);
    left_out
}

fn line(decision: &Decision) -> DigestLine {
    DigestLine {
        decision_id: decision.decision_id.clone(),
        decision: decision.decision.chars().take(Digest::LONGEST).collect(),
        status: decision.status,
    }
}

/// Returns the questions that were asked at least twice and found nothing. Questions with the same
/// significant words, in any order and form, count as the same.
fn gaps(questions: &[Asked]) -> Vec<KnowledgeGap> {
    let mut same: HashMap<Vec<String>, Vec<&Asked>> = HashMap::new();
    for asked in questions {
        let mut words: Vec<String> = telling(&asked.question).into_iter().map(stem).collect();
        words.sort_unstable();
        if !words.is_empty() {
            same.entry(words).or_default().push(asked);
        }
    }
    let unanswered = same
        .into_values()
        .filter(|group| group.len() >= 2 && group.iter().all(|asked| asked.results.is_empty()));
    let gap = |askeds: Vec<&Asked>| {
        let last = askeds.iter().max_by_key(|asked| &asked.query_id)?;
        Some(KnowledgeGap {
            question: last.question.clone(),
            times: askeds.len(),
            last_asked: last.at,
        })
    };
    let mut gaps: Vec<KnowledgeGap> = unanswered.filter_map(gap).collect();
    gaps.sort_by(|a, b| {
        b.times
            .cmp(&a.times)
            .then_with(|| b.last_asked.cmp(&a.last_asked))
            .then_with(|| a.question.cmp(&b.question))
    });
    gaps
}
