//! The page of a case that alerts opened: what helps, and when which alert was on.

use jiff::Timestamp;
use views::answer::claims;
use views::wording::count;
use views::{Block, Card, Cell, Interval, Item, Row, Table, View, settled};
use wire::alerts::{AlertCase, Brief, CaseAlert, FoundBy, Owner, Runbook};
use workflows::rcca;

/// Shows a case with its alerts, and what was found for them.
pub fn view(case: &AlertCase) -> View<'_> {
    let on = case.alerts.iter().filter(|alert| alert.resolved_at.is_none()).count();
    let team = case.case.team.as_deref().unwrap_or_default();
    let verdict = match case.alerts.len() {
        0 => "No alerts came to this case.".to_owned(),
        alerts => {
            format!("{}, {on} of them on. The case belongs to {team}.", count(alerts, "alert"))
        }
    };
    let mut blocks = vec![Block::Verdict(verdict.into())];
    match &case.brief {
        Some(brief) => blocks.extend(found(brief)),
        None => blocks.push(Block::remark("Nothing was looked for yet.")),
    }
    blocks.extend(timeline(&case.alerts));
    View { kind: "Case of alerts".into(), blocks }
}

fn found(brief: &Brief) -> Vec<Block<'_>> {
    let cards = brief.runbooks.iter().map(runbook).collect();
    let runbooks = Block::section("What to do", "", vec![Block::Cards(cards)]);
    let others: Vec<Card<'_>> =
        brief.runbooks.iter().flat_map(|runbook| &runbook.nearest).map(Card::place).collect();
    let others = Block::section("Other pages that may help", "", vec![Block::Cards(others)]);
    let owner = brief.owner.iter().map(owned);
    let missing = brief.missing.iter().map(|sentence| Item::plain(sentence.as_str())).collect();
    let missing = Block::section("Weak or missing", "", vec![Block::Items(missing)]);
    let past = rcca::VIEW.view(&brief.past, &[]).blocks;
    let judged = brief.is_judged.then(|| Block::remark(JUDGED));
    let claims = brief.answer.iter().flat_map(claims).collect();
    let written = "by a language model, each claim checked against what it cites";
    Block::section("In short", written, claims)
        .into_iter()
        .chain(runbooks)
        .chain(owner)
        .chain(past)
        .chain(judged)
        .chain(settled(&brief.decided))
        .chain(others)
        .chain(missing)
        .collect()
}

const JUDGED: &str = "A language model compared the past failures with these alerts.";

fn runbook(runbook: &Runbook) -> Card<'_> {
    let how = match runbook.found_by {
        FoundBy::Link => "by the alert's address",
        FoundBy::Name => "by the alert's name",
        FoundBy::Likeness => "only the likest",
    };
    Card {
        strength: runbook.strength,
        tags: vec![runbook.alert.as_str().into(), how.into()],
        text: Some(&runbook.text),
        ..Card::place(&runbook.passage)
    }
}

fn owned(owner: &Owner) -> Block<'_> {
    let line = owner.line.map(|line| format!(":{line}")).unwrap_or_default();
    Block::remark(format!("Owned by {}, says {}{line}", owner.owner, owner.file))
}

/// Shows when which alert was on, on one scale for all.
fn timeline(alerts: &[CaseAlert]) -> Option<Block<'_>> {
    let begin = alerts.iter().map(since).min()?;
    let end = alerts.iter().map(until).max()?;
    let row = |alert| row(alert, begin, end);
    let head = ["Alert", "When", "Came", "Severity"].map(Into::into).into();
    let table = Table { head, rows: alerts.iter().map(row).collect() };
    let span = format!("{} to {}", moment(begin), moment(end));
    Block::section("Alerts", span, vec![Block::Table(table)])
}

fn since(alert: &CaseAlert) -> Timestamp {
    alert.alert.starts_at.unwrap_or(alert.first_at)
}

fn until(alert: &CaseAlert) -> Timestamp {
    alert.alert.ends_at.or(alert.resolved_at).unwrap_or(alert.last_at).max(since(alert))
}

fn row(alert: &CaseAlert, begin: Timestamp, end: Timestamp) -> Row<'_> {
    let (from, to) = (since(alert), until(alert));
    let is_over = alert.resolved_at.is_some();
    let rest = if is_over { format!("to {}", moment(to)) } else { "and is on".to_owned() };
    let text = format!("from {} {rest}", moment(from));
    let interval = Interval {
        low: share(from, begin, end),
        high: share(to, begin, end),
        value: share(from, begin, end),
        is_first: !is_over,
        label: text.clone(),
    };
    let times = if alert.count == 1 { "once".to_owned() } else { format!("{} times", alert.count) };
    let cell = |text: String| Cell { text: text.into(), ..Cell::default() };
    Row {
        name: alert.alert.name.as_str().into(),
        remark: alert.alert.summary.clone().unwrap_or_default(),
        cells: vec![
            Cell { interval: Some(interval), ..cell(text) },
            cell(times),
            cell(alert.alert.severity.clone().unwrap_or_default()),
        ],
    }
}

/// Returns where a time stands between two others, `0.0..=1.0`.
fn share(at: Timestamp, begin: Timestamp, end: Timestamp) -> f64 {
    let whole = end.duration_since(begin).as_secs_f64();
    if whole <= 0.0 { 0.0 } else { at.duration_since(begin).as_secs_f64() / whole }
}

fn moment(time: Timestamp) -> String {
    time.strftime("%-d %b %H:%M:%S").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::receive::tests::{alert, stamp};

    #[test]
    fn a_bar_says_when_an_alert_was_on() {
        let at = |number| stamp(number).time;
        let on = |from: i64, to: Option<i64>| {
            let mut alert = alert("PoolExhausted", "a");
            (alert.starts_at, alert.ends_at) = (Some(at(from)), to.map(at));
            let (first_at, last_at) = (at(from), at(40));
            CaseAlert { alert, count: 2, first_at, last_at, resolved_at: to.map(at) }
        };
        let alerts = [on(0, Some(10)), on(20, None)];
        let Some(Block::Section(section)) = timeline(&alerts) else { panic!("no timeline") };
        assert_eq!(section.remark, "20 Nov 18:00:00 to 20 Nov 18:00:40");
        let [Block::Table(table)] = &section.blocks[..] else { panic!("no table") };
        let when = |row: usize| {
            let cell = &table.rows[row].cells[0];
            let Interval { low, high, .. } = cell.interval.as_ref().unwrap();
            (cell.text.as_ref(), (low * 100.0).round(), (high * 100.0).round())
        };
        assert_eq!(when(0), ("from 20 Nov 18:00:00 to 20 Nov 18:00:10", 0.0, 25.0));
        assert_eq!(when(1), ("from 20 Nov 18:00:20 and is on", 50.0, 100.0));
        assert!(timeline(&[]).is_none());
    }
}
