//! Alerts in memory, below their cases.

use async_trait::async_trait;
use jiff::Timestamp;
use model::Result;
use ports::{AlertGroup, Alerts, Claim, MessageOf};
use wire::alerts::{Brief, CaseAlert};
use wire::cases::{Case, CaseStatus};

use crate::cases::{Entry, FakeCases, Messages};

fn is_open(entry: &Entry) -> bool {
    entry.profile.status == CaseStatus::Open
}

impl FakeCases {
    /// Reads or changes the messages of an open case or of a project.
    fn with_messages<T>(
        &self,
        of: MessageOf<'_>,
        then: impl FnOnce(&mut Messages) -> T,
    ) -> Option<T> {
        match of {
            MessageOf::Project(project) => {
                Some(then(self.of_projects.lock().unwrap().entry(project.into()).or_default()))
            }
            MessageOf::Case(case) => {
                self.with(case, |entry| is_open(entry).then(|| then(&mut entry.messages))).flatten()
            }
        }
    }
}

#[async_trait]
impl Alerts for FakeCases {
    async fn case_of_group(&self, group: AlertGroup<'_>) -> Result<Option<String>> {
        let key = (group.route.to_owned(), group.key.to_owned());
        Ok(self.groups.lock().unwrap().get(&key).cloned())
    }

    async fn open_alert_case(
        &self,
        group: AlertGroup<'_>,
        case: &Case,
        last: Option<&str>,
    ) -> Result<bool> {
        let key = (group.route.to_owned(), group.key.to_owned());
        let mut groups = self.groups.lock().unwrap();
        if groups.get(&key).map(String::as_str) != last || !self.insert(case) {
            return Ok(false);
        }
        groups.insert(key, case.case_id.clone());
        Ok(true)
    }

    async fn alerts(&self, case: &str) -> Result<Vec<CaseAlert>> {
        let alerts = self.with(case, |entry| entry.alerts.values().cloned().collect::<Vec<_>>());
        let mut alerts = alerts.unwrap_or_default();
        alerts.sort_by_key(|alert| (alert.first_at, alert.alert.name.clone()));
        Ok(alerts)
    }

    async fn note_alerts(&self, case: &str, alerts: &[CaseAlert]) -> Result<bool> {
        let noted = self.with(case, |entry| {
            let key = |alert: &CaseAlert| (alert.alert.fingerprint.clone(), alert.alert.starts_at);
            let is_next = |alert: &CaseAlert| {
                entry.alerts.get(&key(alert)).map_or(0, |known| known.count) + 1 == alert.count
            };
            if !is_open(entry) || !alerts.iter().all(is_next) {
                return false;
            }
            entry.alerts.extend(alerts.iter().map(|alert| (key(alert), alert.clone())));
            true
        });
        Ok(noted.unwrap_or_default())
    }

    async fn brief(&self, case: &str) -> Result<Option<Brief>> {
        Ok(self.with(case, |entry| entry.brief.clone()).flatten())
    }

    async fn keep_brief(&self, case: &str, brief: &Brief) -> Result<bool> {
        let kept = self.with(case, |entry| {
            let known = entry.brief.as_ref().map_or(0, |brief| brief.alerts);
            let is_kept = is_open(entry) && known <= brief.alerts;
            if is_kept {
                entry.brief = Some(brief.clone());
            }
            is_kept
        });
        Ok(kept.unwrap_or_default())
    }

    async fn claim_message(
        &self,
        of: MessageOf<'_>,
        message: &str,
        now: Timestamp,
        since: Timestamp,
    ) -> Result<Claim> {
        let claimed = self.with_messages(of, |messages| match messages.get(message) {
            Some(None) => Claim::Over,
            Some(Some(at)) if *at >= since => Claim::Held,
            _ => {
                messages.insert(message.into(), Some(now));
                Claim::Taken
            }
        });
        Ok(claimed.unwrap_or(Claim::Over))
    }

    async fn settle_message(&self, of: MessageOf<'_>, message: &str, is_sent: bool) -> Result<()> {
        self.with_messages(of, |messages| {
            if is_sent {
                messages.insert(message.into(), None);
            } else {
                messages.remove(message);
            }
        });
        Ok(())
    }
}
