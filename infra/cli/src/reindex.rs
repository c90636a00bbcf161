//! Documents are indexed again, through the API.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::Args;
use serde_json::json;
use wire::decisions::{ReindexDecisionsReply, ReindexDecisionsRequest};
use wire::documents::{ReindexReply, ReindexRequest};

use crate::api::Api;
use crate::wording::{count, pretty};

/// The time in which a document must come to its end while others are waited for.
const PATIENCE: Duration = Duration::from_mins(10);

/// The pause before documents are counted again.
const PAUSE: Duration = Duration::from_secs(1);

/// Documents to index again.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
pub(crate) struct Wanted {
    /// Whose documents: `global`, `user`, `case:ID`, `team:ID`, or `all` for those who fill
    /// `global`.
    knowledge: String,
    /// Also looks up those in the index that were uploaded before this time, such as
    /// 2026-11-23T03:00:00Z: after the index was lost or restored.
    #[arg(long, value_name = "TIME")]
    announced_before: Option<String>,
    /// Those whose last upload could not be indexed, and no others: after an outage.
    #[arg(long, conflicts_with = "announced_before")]
    failed: bool,
    /// Only counts the documents that would be indexed otherwise now.
    #[arg(long)]
    only_count: bool,
    /// Does not wait until they are indexed.
    #[arg(long)]
    no_wait: bool,
    /// Prints JSON: the counts of documents, and below them those of decisions.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(api: &Api, wanted: &Wanted) -> Result<()> {
    let out = console::Term::stdout();
    let documents = documents(api, wanted, &out)?;
    let is_with_decisions = wanted.knowledge == "all" && !wanted.only_count && !wanted.failed;
    let decisions = if is_with_decisions { Some(decisions(api)?) } else { None };
    if wanted.json {
        let counts = json!({"documents": documents, "decisions": decisions});
        out.write_line(&pretty(&counts)?)?;
    } else if let Some(decisions) = decisions {
        let indexed = count(decisions.indexed, "decision");
        out.write_line(&format!("{indexed} of projects indexed"))?;
    }
    match documents.failed {
        0 => Ok(()),
        failed => bail!("{} not indexed; `plumbline status` tells why", count(failed, "document")),
    }
}

/// Has the documents indexed again and waits for them where that is wanted; gives their last
/// counts.
fn documents(api: &Api, wanted: &Wanted, out: &console::Term) -> Result<ReindexReply> {
    let tell = |counts: &ReindexReply| {
        if wanted.json { Ok(()) } else { out.write_line(&described(counts)) }
    };
    let first = walk(api, wanted, wanted.only_count)?;
    tell(&first)?;
    if wanted.only_count || wanted.no_wait || first.begun + first.waiting == 0 {
        return Ok(first);
    }
    let last = wait(api, wanted, first.begun + first.waiting)?;
    tell(&last)?;
    Ok(last)
}

/// Counts the documents of everybody, without indexing any.
pub(crate) fn counted(api: &Api) -> Result<ReindexReply> {
    let wanted = Wanted {
        knowledge: "all".into(),
        announced_before: None,
        failed: false,
        only_count: true,
        no_wait: true,
        json: true,
    };
    walk(api, &wanted, true)
}

/// Goes through all documents once.
fn walk(api: &Api, wanted: &Wanted, only_count: bool) -> Result<ReindexReply> {
    let mut all = ReindexReply::default();
    let mut cursor = None;
    let is_first = only_count == wanted.only_count;
    let before = wanted.announced_before.clone().filter(|_| is_first);
    loop {
        let request = ReindexRequest {
            knowledge: wanted.knowledge.clone(),
            // Those on their way are counted, and not looked up in the index again.
            announced_before: before.clone(),
            cursor,
            only_count,
            failed: wanted.failed,
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
fn decisions(api: &Api) -> Result<ReindexDecisionsReply> {
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
    if all.changed > 0 {
        bail!("{} changed meanwhile; run it again", count(all.changed, "decision"));
    }
    Ok(all)
}

/// Counts again until nothing is on its way.
fn wait(api: &Api, wanted: &Wanted, begun: u32) -> Result<ReindexReply> {
    let bar = crate::progress::bar(begun as usize, "indexing");
    let (mut least, mut moved) = (begun, Instant::now());
    loop {
        std::thread::park_timeout(PAUSE);
        let now = walk(api, wanted, true)?;
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

fn described(counts: &ReindexReply) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_there_is_is_told() {
        let counts = ReindexReply { current: 3, begun: 2, failed: 1, ..ReindexReply::default() };
        assert_eq!(described(&counts), "3 documents up to date, 2 to be indexed again, 1 failed");
        assert_eq!(described(&ReindexReply::default()), "0 documents up to date");
    }
}
