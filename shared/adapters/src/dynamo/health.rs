//! The check that the table answers, and can be brought back.

use async_trait::async_trait;
use aws_sdk_dynamodb::types::{PointInTimeRecoveryStatus, TimeToLiveStatus};
use futures_util::future::{join, join3};
use model::Result;
use ports::scope::Scope;
use ports::{Contents, Standing};

use super::{Table, corpus};

#[async_trait]
impl Standing for Table {
    fn name(&self) -> String {
        self.name.clone()
    }

    /// One, for what is read: the corpus counter of everyone's knowledge base, there or not.
    async fn contents(&self) -> Result<Option<Contents>> {
        let lacking = Box::pin(self.lacking());
        let (read, differs) = join(self.batch(corpus::keys(&Scope::Global)), lacking).await;
        read.map(|_| Some(Contents { items: 1, differs, ..Contents::default() }))
    }
}

impl Table {
    /// Returns what the table was made with and has not any more, as after a restore. What cannot
    /// be looked up is not told.
    async fn lacking(&self) -> Vec<String> {
        let (about, backups, expiry) = join3(
            self.client.describe_table().table_name(&self.name).send(),
            self.client.describe_continuous_backups().table_name(&self.name).send(),
            self.client.describe_time_to_live().table_name(&self.name).send(),
        )
        .await;
        let is_protected = about.ok().and_then(|found| found.table?.deletion_protection_enabled);
        let recovery = backups.ok().and_then(|found| {
            found.continuous_backups_description?.point_in_time_recovery_description
        });
        let recovery = recovery.and_then(|found| found.point_in_time_recovery_status);
        let expiry = expiry.ok().and_then(|found| found.time_to_live_description);
        let expiry = expiry.and_then(|found| found.time_to_live_status);
        let has = [
            (is_protected, "it is not protected against deletion"),
            (
                recovery.map(|status| status == PointInTimeRecoveryStatus::Enabled),
                "it cannot be restored to an earlier time",
            ),
            (
                expiry.map(|status| {
                    [TimeToLiveStatus::Enabled, TimeToLiveStatus::Enabling].contains(&status)
                }),
                "its items do not expire",
            ),
        ];
        has.into_iter()
            .filter(|(has, _)| *has == Some(false))
            .map(|(_, lack)| lack.into())
            .collect()
    }
}
