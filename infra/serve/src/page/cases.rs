//! The pages of cases that alerts opened.

use lambda::{Asking, Call};
use model::Result;
use views::Item;
use views::html::{AskPage, ask_page};
use wire::alerts::{AlertCase, TeamCase, TeamCases};
use wire::fit;
use wire::meta::Reply;
use wire::route::{CaseRoute, Route};

use super::{Asked, CASE_PAGE, Pages, read};

impl<C: Fn(Asking) -> Call> Pages<'_, C> {
    /// The open cases of the teams, each with its page.
    pub(super) async fn open_cases(&self) -> Result<Vec<Item<'static>>> {
        let mut items = Vec::new();
        for team in self.teams {
            let mut asking = Asking::of(Route::Cases(CaseRoute::ListTeamCases));
            asking.parameters.insert("team_id".into(), team.clone());
            let list: TeamCases = read(fit::restored(self.reply(asking).await?))?;
            items.extend(list.cases.into_iter().map(
                |TeamCase { case, alerts, firing, .. }| {
                    let page = CASE_PAGE.replace("{case_id}", &case.case_id);
                    let remark = format!("{alerts} alerts, {firing} on, {}{page}", self.address);
                    Item { remark, ..Item::plain(case.title) }
                },
            ));
        }
        Ok(items)
    }

    /// The page of a case that alerts opened.
    pub(super) async fn case(&self, id: &str) -> Result<String> {
        let mut asking = Asking::of(Route::Cases(CaseRoute::ShowCaseAlerts));
        asking.parameters.insert("case_id".into(), id.into());
        asking.query.insert("max_bytes".into(), fit::MOST.to_string());
        let mut reply = fit::restored(self.reply(asking).await?);
        self.link(&mut reply);
        let Reply { report, meta, .. } = read::<Reply<AlertCase>>(reply)?;
        let view = alerts::view(&report).flagging(&meta.flagged);
        Ok(ask_page(&AskPage { heading: &report.case.title, ..Asked::NOTHING.ask_page() }, &view))
    }
}
