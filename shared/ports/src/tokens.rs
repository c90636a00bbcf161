//! The tokens of language models: what they may cost in a day, for each caller and for all.

use async_trait::async_trait;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::{Completion, Model, Prompt};
use model::{Error, Result};

/// The tokens that language models may read and write in a day (UTC).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenBudget {
    /// For one caller; `u64::MAX` for no bound.
    pub caller: u64,
    /// For all callers and jobs; `u64::MAX` for no bound.
    pub all: u64,
}

/// Counts the tokens of a day.
#[async_trait]
pub trait TokenCounter: Send + Sync {
    /// Returns the tokens of the day of `at`, of `caller` and of all. Without a caller, those of
    /// the caller are 0.
    async fn spent(&self, caller: Option<&str>, at: Timestamp) -> Result<[u64; 2]>;

    /// Adds tokens to those of the day of `at`, of `caller` and of all.
    async fn spend(&self, caller: Option<&str>, tokens: u64, at: Timestamp) -> Result<()>;
}

/// A model that stops when the tokens of the day are used up.
pub struct Budgeted<'a, M: ?Sized> {
    /// The model.
    pub model: &'a M,
    /// The counter of tokens.
    pub counter: &'a dyn TokenCounter,
    /// The tokens of a day.
    pub budget: TokenBudget,
    /// The caller for whom the model works; `None` for a job.
    pub caller: Option<&'a str>,
    /// The clock.
    pub now: fn() -> Timestamp,
}

impl<M: ?Sized> Budgeted<'_, M> {
    /// Checks that tokens are left. If they cannot be counted, the model works: what is spent is
    /// bounded by the rate of requests all the same.
    async fn check(&self, now: Timestamp) -> Result<()> {
        let TokenBudget { caller, all } = self.budget;
        let Ok([own, of_all]) = self.counter.spent(self.caller, now).await else {
            return Ok(());
        };
        let reason = match () {
            () if of_all >= all => {
                format!("the {all} tokens of the language model for today are used up")
            }
            () if self.caller.is_some() && own >= caller => {
                format!("your {caller} tokens of the language model for today are used up")
            }
            () => return Ok(()),
        };
        Err(Error::TooMany { reason, retry_after: until_tomorrow(now) })
    }
}

#[async_trait]
impl<M: Model + ?Sized> Model for Budgeted<'_, M> {
    async fn complete(&self, prompt: &Prompt<'_>) -> Result<Completion> {
        if self.budget.caller == u64::MAX && self.budget.all == u64::MAX {
            return self.model.complete(prompt).await;
        }
        self.check((self.now)()).await?;
        let completion = self.model.complete(prompt).await?;
        let tokens = u64::from(completion.tokens_in) + u64::from(completion.tokens_out);
        // The reply is there and paid for: it is given also where it cannot be counted.
        self.counter.spend(self.caller, tokens, (self.now)()).await.ok();
        Ok(completion)
    }
}

fn until_tomorrow(at: Timestamp) -> u64 {
    let today = at.to_zoned(TimeZone::UTC);
    let tomorrow = today.tomorrow().and_then(|next| next.start_of_day());
    let left = tomorrow.map(|next| next.timestamp().as_second() - at.as_second());
    left.ok().and_then(|left| u64::try_from(left).ok()).unwrap_or(86_400)
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use serde_json::json;

    /// Counts for ann and for all; fails where it is away.
    #[derive(Default)]
    struct Counter {
        spent: Mutex<[u64; 2]>,
        is_away: bool,
    }

    #[async_trait]
    impl TokenCounter for Counter {
        async fn spent(&self, caller: Option<&str>, _: Timestamp) -> Result<[u64; 2]> {
            if self.is_away {
                return Err(Error::unavailable("the table", "away"));
            }
            let [own, all] = *self.spent.lock().unwrap();
            Ok([caller.map_or(0, |_| own), all])
        }

        async fn spend(&self, caller: Option<&str>, tokens: u64, _: Timestamp) -> Result<()> {
            let mut spent = self.spent.lock().unwrap();
            spent[0] += caller.map_or(0, |_| tokens);
            spent[1] += tokens;
            Ok(())
        }
    }

    /// A model each of whose replies takes 60 tokens.
    struct Costly;

    #[async_trait]
    impl Model for Costly {
        async fn complete(&self, _: &Prompt<'_>) -> Result<Completion> {
            Ok(Completion { content: json!({}), tokens_in: 50, tokens_out: 10 })
        }
    }

    fn replies(counter: &Counter, budget: TokenBudget, caller: Option<&str>) -> usize {
        let now = || "2026-11-29T18:00:00Z".parse().unwrap();
        let model = Budgeted { model: &Costly, counter, budget, caller, now };
        let prompt = Prompt {
            part: None,
            system: "",
            user: "",
            tool: None,
            max_tokens: 1,
            temperature: 0.0,
        };
        let one = || pollster::block_on(model.complete(&prompt));
        let mut replies = 0;
        loop {
            match one() {
                Ok(_) if replies == 9 => return 9,
                Ok(_) => replies += 1,
                Err(Error::TooMany { retry_after, .. }) => {
                    assert_eq!(retry_after, 6 * 3_600);
                    return replies;
                }
                Err(error) => panic!("{error}"),
            }
        }
    }

    #[test]
    fn a_model_stops_when_the_tokens_of_the_caller_or_of_all_are_used_up() {
        let of = |caller, all| TokenBudget { caller, all };
        let ann = Some("ann");
        assert_eq!(replies(&Counter::default(), of(100, 1_000), ann), 2);
        assert_eq!(replies(&Counter::default(), of(1_000, 100), ann), 2);
        assert_eq!(replies(&Counter::default(), of(0, 100), None), 2, "a job is nobody's");
        assert_eq!(replies(&Counter::default(), of(u64::MAX, u64::MAX), ann), 9);
        let away = Counter { is_away: true, ..Counter::default() };
        assert_eq!(replies(&away, of(100, 100), ann), 9);
    }
}
