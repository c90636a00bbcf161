//! Notes alerts in the case of their group.

use std::cmp::Ordering;

use model::{Error, Result};
use ports::question::Stamp;
use ports::scope::{Caller, RequiredScopes};
use ports::user::MACHINE;
use ports::{AlertGroup, Alerts};
use ulid::Ulid;
use wire::alerts::{Alert, AlertState, CaseAlert, ReceivedGroup};
use wire::cases::{Case, CaseStatus};

use crate::payload::Group;
use crate::route::AlertRoute;

/// The number of tries to note alerts while other requests note some of the same group.
const TRIES: u32 = 8;

/// Upper bound for the alerts of a case. Further ones are counted in the reply and not kept.
const MOST: usize = 1_000;

/// Upper bound for the characters of a case's title.
const TITLE: usize = 200;

/// The alerts of a case after more came.
#[derive(Debug, Clone, PartialEq)]
pub struct Received {
    /// The case.
    pub case: Case,
    /// All of its alerts, in the order in which they came.
    pub alerts: Vec<CaseAlert>,
    /// Those that came, counted.
    pub group: ReceivedGroup,
}

/// Returns the caller that a route is: its machine, which is in the team and nobody else.
pub fn machine(route: &AlertRoute, scopes: RequiredScopes) -> Caller {
    let RequiredScopes { read, write, reveal: _ } = scopes;
    Caller {
        sub: format!("{MACHINE}{}", route.name),
        groups: vec![route.team.clone()],
        scopes: [read, write].into_iter().flatten().collect(),
        has_key: false,
        admin_group: String::new(),
    }
}

/// Notes the alerts of a group in its open case; opens one if there is none and an alert is on.
/// `number` tells the groups of one request apart. Returns `None` for alerts that are over and of
/// no open case.
///
/// # Errors
/// [`Error::Unavailable`] if other requests noted alerts of the group again and again.
pub async fn receive(
    store: &dyn Alerts,
    route: &AlertRoute,
    group: &Group,
    number: u32,
    stamp: &Stamp,
) -> Result<Option<Received>> {
    for _ in 0..TRIES {
        let key = AlertGroup { route: &route.name, key: &group.key };
        let last = store.case_of_group(key).await?;
        let open = match &last {
            Some(last) => store.case_profile(last).await?,
            None => None,
        };
        // A route may belong to another team since.
        let is_own = |case: &Case| case.team.as_deref() == Some(&route.team);
        let open = open.filter(|case| case.status == CaseStatus::Open && is_own(case));
        let is_new = open.is_none();
        let case = match open {
            Some(case) => case,
            None if group.alerts.iter().all(|alert| alert.state == AlertState::Resolved) => {
                return Ok(None);
            }
            None => {
                let case = opened(route, group, number, stamp)?;
                if !store.open_alert_case(key, &case, last.as_deref()).await? {
                    continue;
                }
                case
            }
        };
        let mut alerts = store.alerts(&case.case_id).await?;
        let (changes, left_out) = changes(&alerts, group, stamp);
        if !store.note_alerts(&case.case_id, &changes).await? {
            continue;
        }
        let group = ReceivedGroup { left_out, ..counted(&case, is_new, &changes) };
        merge(&mut alerts, changes);
        return Ok(Some(Received { case, alerts, group }));
    }
    Err(Error::unavailable("the table", "other requests noted alerts of the group again and again"))
}

fn opened(route: &AlertRoute, group: &Group, number: u32, stamp: &Stamp) -> Result<Case> {
    let id = Ulid::from_string(&stamp.id).ok().map(|id| Ulid(id.0 + u128::from(number)));
    let id = id.ok_or_else(|| Error::unavailable("the clock", "the id of a request is no ULID"))?;
    Ok(Case {
        case_id: id.to_string(),
        title: title(&group.alerts),
        team: Some(route.team.clone()),
        status: CaseStatus::Open,
        created_at: stamp.time,
        created_by: machine(route, RequiredScopes::default()).sub,
        closed_at: None,
        closed_by: None,
        removed: None,
    })
}

/// Returns the name and the summary of the first alert that is on.
fn title(alerts: &[Alert]) -> String {
    let first = alerts.iter().find(|alert| alert.state == AlertState::Firing);
    let Some(alert) = first else { return String::new() };
    let summary = alert.summary.as_ref().filter(|summary| **summary != alert.name);
    let title = match summary {
        Some(summary) => format!("{}: {summary}", alert.name),
        None => alert.name.clone(),
    };
    let line = title.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(TITLE).collect()
}

/// Returns the alerts of a case that change, those that came, each once more; and how many it has
/// no room for.
fn changes(known: &[CaseAlert], group: &Group, stamp: &Stamp) -> (Vec<CaseAlert>, usize) {
    let (mut changes, mut left_out): (Vec<CaseAlert>, usize) = (Vec::new(), 0);
    for alert in &group.alerts {
        let is_same = |known: &&CaseAlert| {
            let known = &known.alert;
            known.fingerprint == alert.fingerprint && known.starts_at == alert.starts_at
        };
        let before: Vec<&CaseAlert> = match known.iter().find(is_same) {
            Some(same) => vec![same],
            None if alert.state == AlertState::Resolved => {
                known.iter().filter(|known| is_ended(known, alert)).collect()
            }
            None => Vec::new(),
        };
        let added = changes.iter().filter(|change| change.count == 1).count();
        if !before.is_empty() {
            changes.extend(before.into_iter().map(|before| again(before, alert, stamp)));
        } else if alert.state == AlertState::Firing && known.len() + added < MOST {
            changes.push(CaseAlert {
                alert: alert.clone(),
                count: 1,
                first_at: stamp.time,
                last_at: stamp.time,
                resolved_at: None,
            });
        } else if alert.state == AlertState::Firing {
            left_out += 1;
        }
    }
    let mut once: Vec<CaseAlert> = Vec::new();
    for change in changes {
        if !once.iter().any(|known| is_one(known, &change)) {
            once.push(change);
        }
    }
    (once, left_out)
}

/// Returns true if `end` is the end of a known alert that is on. Of some vendors the end has a time
/// of its own and not that of the beginning; it ends what began before.
fn is_ended(known: &CaseAlert, end: &Alert) -> bool {
    let is_before = match (known.alert.starts_at, end.starts_at) {
        (Some(begin), Some(end)) => begin <= end,
        _ => true,
    };
    known.alert.fingerprint == end.fingerprint && known.resolved_at.is_none() && is_before
}

fn again(before: &CaseAlert, alert: &Alert, stamp: &Stamp) -> CaseAlert {
    let mut after = before.clone();
    after.count = after.count.saturating_add(1);
    after.last_at = after.last_at.max(stamp.time);
    after.alert.told_at = after.alert.told_at.max(alert.told_at);
    let order = alert.told_at.zip(before.alert.told_at).map(|(now, before)| now.cmp(&before));
    if order == Some(Ordering::Less) {
        return after;
    }
    // Without an order, one that has a start and comes after its end was sent before that.
    let may_begin_again = order == Some(Ordering::Greater) || alert.starts_at.is_none();
    if alert.state == AlertState::Resolved {
        after.alert.state = AlertState::Resolved;
        after.alert.ends_at = alert.ends_at.or(after.alert.ends_at);
        after.resolved_at = after.resolved_at.or(Some(stamp.time));
    } else if may_begin_again {
        after.alert.state = AlertState::Firing;
        after.alert.ends_at = None;
        after.resolved_at = None;
    }
    after
}

/// Returns true if both are the same alert.
fn is_one(a: &CaseAlert, b: &CaseAlert) -> bool {
    (&a.alert.fingerprint, a.alert.starts_at) == (&b.alert.fingerprint, b.alert.starts_at)
}

fn counted(case: &Case, is_new: bool, changes: &[CaseAlert]) -> ReceivedGroup {
    let count = |is_it: &dyn Fn(&&CaseAlert) -> bool| changes.iter().filter(is_it).count();
    let is_over = |alert: &&CaseAlert| alert.alert.state == AlertState::Resolved;
    ReceivedGroup {
        case_id: case.case_id.clone(),
        is_new,
        added: count(&|alert| alert.count == 1),
        repeated: count(&|alert| alert.count > 1 && !is_over(alert)),
        resolved: count(&|alert| is_over(alert)),
        left_out: 0,
    }
}

fn merge(alerts: &mut Vec<CaseAlert>, changes: Vec<CaseAlert>) {
    for change in changes {
        match alerts.iter_mut().find(|known| is_one(known, &change)) {
            Some(known) => *known = change,
            None => alerts.push(change),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
