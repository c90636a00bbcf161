//! A case's end.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use console::Term;
use serde_json::{Value, json};
use wire::cases::{Case, CaseStatus};

use super::{Named, render};
use crate::api::Api;
use crate::progress::spinner;
use crate::wording::flat;
use crate::{consent, page};

/// The time in which something more must be gone before the wait is given up.
const PATIENCE: Duration = Duration::from_mins(10);

const BETWEEN_LOOKS: Duration = Duration::from_secs(1);

/// Closes a case; asks first where somebody is there to answer and it was not `agreed` before.
pub(super) fn close(
    api: &Api,
    is_json: bool,
    named: &Named,
    wait: bool,
    agreed: bool,
) -> Result<()> {
    let out = if is_json { Term::stderr() } else { Term::stdout() };
    if !agreed {
        let case: Case = page::read(named.present(api)?)?;
        let question = format!("Delete everything of `{}` for good?", flat(&case.title));
        if case.status == CaseStatus::Open && !consent::is_given(&out, &question)? {
            out.write_line("Nothing was closed.")?;
            return Ok(());
        }
    }
    let path = format!("{}/close", named.path());
    let closing: Value = api.post(&path, &json!({}))?.map_err(anyhow::Error::from)?;
    let last = if wait {
        until_closed(closing, || {
            std::thread::park_timeout(BETWEEN_LOOKS);
            named.present(api)
        })?
    } else {
        closing
    };
    page::print(last, is_json, render::case)
}

/// Looks again and again until the case is closed; gives it as it is then.
fn until_closed(first: Value, look: impl Fn() -> Result<Value>) -> Result<Value> {
    let bar = spinner();
    let mut present = first;
    let mut gone = None;
    let mut moved = Instant::now();
    loop {
        let case: Case = serde_json::from_value(present.clone())?;
        if case.status == CaseStatus::Closed {
            bar.finish_and_clear();
            return Ok(present);
        }
        if case.removed != gone {
            let removed = case.removed.as_ref().map(render::removed).unwrap_or_default();
            bar.set_message(format!("gone so far: {removed}"));
            (gone, moved) = (case.removed, Instant::now());
        }
        if moved.elapsed() > PATIENCE {
            bail!(
                "the case is still {}; `plumbline case show` tells when it is closed",
                case.status.name()
            );
        }
        present = look()?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    fn case(status: &str, documents: usize) -> Value {
        let removed = json!({"documents": documents, "points": 0, "files": 0, "cached": 0});
        json!({
            "case_id": "01C", "title": "T", "status": status, "created_at": "2026-11-20T14:02:03Z", "created_by": "ana",
            "removed": removed,
        })
    }

    #[test]
    fn the_wait_ends_when_the_case_is_closed() {
        let looks = Cell::new(0);
        let look = || {
            looks.set(looks.get() + 1);
            Ok(if looks.get() < 3 { case("closing", looks.get()) } else { case("closed", 3) })
        };
        assert_eq!(until_closed(case("closing", 0), look).unwrap(), case("closed", 3));
        assert_eq!(looks.get(), 3);
    }

    #[test]
    fn a_closed_case_is_not_waited_for() {
        let closed = until_closed(case("closed", 1), || bail!("was looked at again"));
        assert_eq!(closed.unwrap(), case("closed", 1));
    }
}
