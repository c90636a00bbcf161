//! The numbers of a run, and how they differ from an earlier one's.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::question::Outcome;

/// What came of all questions.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Run {
    /// In the order of the questions.
    pub outcomes: Vec<Outcome>,
}

/// The numbers of a run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Score {
    /// Questions that something answers.
    pub answerable: usize,
    /// How many of them have a right passage first.
    pub first: usize,
    /// How many of them have one among the first five.
    pub among_five: usize,
    /// How many of them have one anywhere.
    pub shown: usize,
    /// The mean of 1 / rank of the first right passage; 0 where none is shown.
    pub reciprocal_rank: f64,
    /// Those of them for which the answer says that nothing fits.
    pub wrongly_declined: usize,
    /// Questions that nothing answers.
    pub unanswerable: usize,
    /// How many of them the answer declines.
    pub rightly_declined: usize,
}

impl Run {
    /// Counts what came of the questions.
    #[expect(clippy::cast_precision_loss, reason = "ranks and numbers of questions")]
    pub fn score(&self) -> Score {
        let (answerable, others): (Vec<&Outcome>, Vec<&Outcome>) =
            self.outcomes.iter().partition(|outcome| outcome.is_answerable);
        let ranks: Vec<usize> = answerable.iter().filter_map(|outcome| outcome.rank).collect();
        let within = |most: usize| ranks.iter().filter(|rank| **rank <= most).count();
        let sum: f64 = ranks.iter().map(|rank| 1.0 / *rank as f64).sum();
        Score {
            answerable: answerable.len(),
            first: within(1),
            among_five: within(5),
            shown: ranks.len(),
            reciprocal_rank: sum / answerable.len().max(1) as f64,
            wrongly_declined: answerable.iter().filter(|outcome| outcome.abstains).count(),
            unanswerable: others.len(),
            rightly_declined: others.iter().filter(|outcome| outcome.abstains).count(),
        }
    }
}

impl Score {
    /// Shows the numbers, each with its n.
    pub(super) fn lines(&self) -> Vec<String> {
        let Score { answerable, first, among_five, shown, .. } = self;
        let mut lines = vec![
            format!("right passage first        {first} of {answerable}"),
            format!("right among the first five {among_five} of {answerable}"),
            format!("right anywhere             {shown} of {answerable}"),
            format!("mean reciprocal rank       {:.2}, n {answerable}", self.reciprocal_rank),
            format!("wrongly declined           {} of {answerable}", self.wrongly_declined),
        ];
        if self.unanswerable > 0 {
            let of = self.unanswerable;
            lines.push(format!("rightly declined           {} of {of}", self.rightly_declined));
        }
        lines
    }

    /// Says in what it is worse than an earlier one; `None` where it is as good.
    pub(super) fn worse_than(&self, before: &Score) -> Option<String> {
        let pairs = [
            ("right passages first", self.first, before.first),
            ("right passages among five", self.among_five, before.among_five),
            ("questions rightly declined", self.rightly_declined, before.rightly_declined),
        ];
        let worse = pairs.into_iter().find(|(_, now, then)| now < then);
        worse.map(|(what, now, then)| format!("fewer {what} than before: {now}, not {then}"))
    }
}

/// Lists the questions whose first right passage stands elsewhere than in an earlier run.
pub(super) fn changes(before: &Run, now: &Run) -> Vec<String> {
    let then: HashMap<&str, &Outcome> =
        before.outcomes.iter().map(|outcome| (outcome.question.as_str(), outcome)).collect();
    let shown = |rank: Option<usize>| rank.map_or_else(|| "-".to_owned(), |it| it.to_string());
    let changed = now.outcomes.iter().filter_map(|outcome| {
        let then = then.get(outcome.question.as_str())?;
        (then.rank != outcome.rank).then(|| {
            format!("{} -> {}  {}", shown(then.rank), shown(outcome.rank), outcome.question)
        })
    });
    changed.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(ranks: &[Option<usize>], declined: &[bool]) -> Run {
        let one = |number: usize, is_answerable, rank, abstains| Outcome {
            question: number.to_string(),
            is_answerable,
            rank,
            abstains,
        };
        let found = ranks.iter().enumerate().map(|(number, rank)| one(number, true, *rank, false));
        let others = declined.iter().enumerate();
        let others = others.map(|(number, is)| one(number + ranks.len(), false, None, *is));
        Run { outcomes: found.chain(others).collect() }
    }

    #[test]
    fn a_run_is_counted_and_compared_with_an_earlier_one() {
        let before = run(&[Some(1), Some(4), None], &[true, false]);
        let score = before.score();
        assert_eq!((score.answerable, score.first, score.among_five), (3, 1, 2));
        assert!((score.reciprocal_rank - 1.25 / 3.0).abs() < 1e-9);
        assert_eq!((score.unanswerable, score.rightly_declined), (2, 1));
        assert_eq!(score.worse_than(&score), None);
        let now = run(&[Some(2), Some(1), Some(3)], &[true, true]);
        assert_eq!(now.score().worse_than(&score), None);
        assert_eq!(changes(&before, &now), ["1 -> 2  0", "4 -> 1  1", "- -> 3  2"]);
        let worse = run(&[Some(2), Some(4), None], &[true, false]).score().worse_than(&score);
        assert_eq!(worse.unwrap(), "fewer right passages first than before: 0, not 1");
    }
}
