//! A clock and an index that are late on command.

use std::task::Poll;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::future::BoxFuture;

use ports::filter::{Condition, Field, Filters};
use ports::{Clock, Index};
use testing::LateIndex;

/// A clock whose time never passes, or has passed already.
pub(super) struct FakeClock {
    pub(super) is_over: bool,
}

#[async_trait]
impl Clock for FakeClock {
    fn now(&self) -> Duration {
        Duration::ZERO
    }

    async fn wait(&self, _: Duration) {
        if !self.is_over {
            std::future::pending::<()>().await;
        }
    }
}

/// Returns an index that answers one source late: never, or after the given number of polls.
pub(super) fn late<'a>(
    inner: &'a dyn Index,
    source: &'static str,
    polls: Option<usize>,
) -> LateIndex<'a> {
    let wait = move |filters: &Filters| -> BoxFuture<'static, ()> {
        let is_late = filters.0.iter().any(|filter| {
            let Condition::AnyOf(Field::Source, values) = filter else { return false };
            values.iter().any(|value| value == source)
        });
        if is_late { Box::pin(polled(polls)) } else { Box::pin(std::future::ready(())) }
    };
    LateIndex { inner, wait: Box::new(wait), once: None }
}

/// Ends after the given number of polls; never without a number.
async fn polled(polls: Option<usize>) {
    let mut left = polls.unwrap_or(usize::MAX);
    std::future::poll_fn(|context| {
        if left == 0 {
            return Poll::Ready(());
        }
        left -= 1;
        if polls.is_some() {
            context.waker().wake_by_ref();
        }
        Poll::Pending
    })
    .await;
}
