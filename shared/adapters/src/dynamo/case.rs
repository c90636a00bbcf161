//! Cases and who belongs to them.

use async_trait::async_trait;
use workflow::case::CaseStatus;
use workflow::ports::Members;
use workflow::{Error, Result};

use super::project::of;
use super::{Item, SERVICE, Table, text};

const PROFILE: &str = "PROFILE";

#[async_trait]
impl Members for Table {
    async fn case(&self, case: &str, user: &str) -> Result<Option<CaseStatus>> {
        let keys = vec![key(case, PROFILE), key(case, &format!("MEMBER#{user}"))];
        let found = self.batch(keys).await?;
        let (profiles, members): (Vec<Item>, Vec<Item>) =
            found.into_iter().partition(|item| of(item, "sk") == Some(PROFILE));
        let status = profiles.first().map(read_status).transpose()?;
        Ok(status.filter(|_| !members.is_empty()))
    }
}

fn key(case: &str, sk: &str) -> Item {
    Item::from([("pk".into(), text(format!("CASE#{case}"))), ("sk".into(), text(sk))])
}

fn read_status(item: &Item) -> Result<CaseStatus> {
    let status = of(item, "status").and_then(CaseStatus::parse);
    status.ok_or_else(|| Error::unavailable(SERVICE, "a case whose `status` cannot be read"))
}
