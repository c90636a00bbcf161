//! Documents are indexed again, through the API.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::Args;
use wire::decisions::{ReindexDecisionsReply, ReindexDecisionsRequest};
use wire::documents::{ReindexReply, ReindexRequest};

use crate::api::Api;
use crate::wording::count;

/// How long no document may come to its end while others are waited for.
const PATIENCE: Duration = Duration::from_mins(10);

/// How long to wait before documents are counted again.
const PAUSE: Duration = Duration::from_secs(1);

/// Documents to index again.
#[derive(Debug, Args)]
pub(crate) struct Wanted {
    /// Whose documents: `global`, `user`, `case:ID`, `team:ID`, or `all` for those who fill `global`.
    knowledge: String,
    /// Also looks up those in the index that were uploaded before this time, such as 2026-11-23T03:00:00Z: after the index
    /// was lost or restored.
    #[arg(long, value_name = "TIME")]
    announced_before: Option<String>,
    /// Only counts the documents that would be indexed otherwise now.
    #[arg(long)]
    only_count: bool,
    /// Does not wait until they are indexed.
    #[arg(long)]
    no_wait: bool,
}

pub(crate) fn run(api: &Api, wanted: &Wanted) -> Result<()> {
    let out = console::Term::stdout();
    let documents = documents(api, wanted, &out);
    if wanted.knowledge == "all" && !wanted.only_count {
        out.write_line(&decisions(api)?)?;
    }
    documents
}

fn documents(api: &Api, wanted: &Wanted, out: &console::Term) -> Result<()> {
    let before = wanted.announced_before.as_deref();
    let first = walk(api, &wanted.knowledge, before, wanted.only_count)?;
    out.write_line(&told(&first))?;
    if wanted.only_count || wanted.no_wait || first.begun + first.waiting == 0 {
        return fail_on(first.failed);
    }
    let last = wait(api, wanted, first.begun + first.waiting)?;
    out.write_line(&told(&last))?;
    fail_on(last.failed)
}

/// Goes through all documents once.
fn walk(
    api: &Api,
    knowledge: &str,
    announced_before: Option<&str>,
    only_count: bool,
) -> Result<ReindexReply> {
    let mut all = ReindexReply::default();
    let mut cursor = None;
    loop {
        let request = ReindexRequest {
            knowledge: knowledge.to_owned(),
            announced_before: announced_before.map(str::to_owned),
            cursor,
            only_count,
        };
        let page: ReindexReply = api.post("/v1/reindex", &request)?.map_err(anyhow::Error::from)?;
        all.current += page.current;
        all.begun += page.begun;
        all.waiting += page.waiting;
        all.outdated += page.outdated;
        all.failed += page.failed;
        cursor = page.cursor;
        if cursor.is_none() {
            return Ok(all);
        }
    }
}

/// Has the decisions of all projects indexed again.
fn decisions(api: &Api) -> Result<String> {
    let mut all = ReindexDecisionsReply::default();
    loop {
        let request = ReindexDecisionsRequest { cursor: all.cursor.take() };
        let page: ReindexDecisionsReply =
            api.post("/v1/reindex/decisions", &request)?.map_err(anyhow::Error::from)?;
        all.indexed += page.indexed;
        all.changed += page.changed;
        all.cursor = page.cursor;
        if all.cursor.is_none() {
            break;
        }
    }
    let ReindexDecisionsReply { indexed, changed, .. } = all;
    if changed > 0 {
        bail!("{} changed meanwhile; run it again", count(changed, "decision"));
    }
    Ok(format!("{} of projects indexed", count(indexed, "decision")))
}

/// Counts again until nothing is on its way.
fn wait(api: &Api, wanted: &Wanted, begun: u32) -> Result<ReindexReply> {
    let bar = crate::ingest::bar(begun as usize, "indexing");
    let (mut least, mut moved) = (begun, Instant::now());
    loop {
        std::thread::park_timeout(PAUSE);
        let now = walk(api, &wanted.knowledge, None, true)?;
        if now.waiting == 0 {
            bar.finish_and_clear();
            return Ok(now);
        }
        if now.waiting < least {
            (least, moved) = (now.waiting, Instant::now());
        }
        bar.set_position(u64::from(begun.saturating_sub(now.waiting)));
        if moved.elapsed() > PATIENCE {
            bar.finish_and_clear();
            bail!("{} still to be indexed; run it again", count(now.waiting, "document"));
        }
    }
}

fn told(counts: &ReindexReply) -> String {
    let ReindexReply { current, begun, waiting, outdated, failed, .. } = counts;
    let others = [
        (begun, "to be indexed again"),
        (waiting, "on the way"),
        (outdated, "outdated"),
        (failed, "failed"),
    ];
    let others = others.iter().filter(|(number, _)| **number > 0);
    let mut parts = vec![format!("{} up to date", count(current, "document"))];
    parts.extend(others.map(|(number, what)| format!("{number} {what}")));
    parts.join(", ")
}

fn fail_on(failed: u32) -> Result<()> {
    match failed {
        0 => Ok(()),
        _ => bail!("{} not indexed; `plumbline status` tells why", count(failed, "document")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_there_is_is_told() {
        let counts = ReindexReply { current: 3, begun: 2, failed: 1, ..ReindexReply::default() };
        assert_eq!(told(&counts), "3 documents up to date, 2 to be indexed again, 1 failed");
        assert_eq!(told(&ReindexReply::default()), "0 documents up to date");
    }
}
