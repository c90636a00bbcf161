//! Removes deleted data: the function, and what a program on one machine does in its place.

use std::sync::Arc;

use adapters::services::{Other, SearchIndex, Services as Home};
use adapters::{Table, env};
use corpus::beside::Beside;
use corpus::removal;
use corpus::removal::{Outcome, REFUSED, Run, Services};
use lambda::Work;
use model::Result;
use ports::{Hiding, Purpose, Removal, Removals, Tasks};

/// The clients of the services.
pub struct Clients {
    index: Arc<dyn SearchIndex>,
    beside: Option<Other>,
    table: Table,
    files: Arc<dyn Hiding>,
    removals: Arc<dyn Removals>,
    tasks: Arc<dyn Tasks>,
    restore_days: u32,
}

impl Clients {
    /// Takes the clients from these services.
    ///
    /// # Errors
    /// Names the setting that is missing or cannot be read.
    pub fn of(services: &impl Home) -> Result<Clients, lambda::Error> {
        Ok(Clients {
            index: services.index(Purpose::Document)?,
            beside: services.beside(Purpose::Document)?,
            table: services.table()?,
            files: services.files()?,
            removals: services.removals()?,
            tasks: services.tasks()?,
            restore_days: env::number("RESTORE_DAYS")?,
        })
    }

    /// Begins a sweep, or removes one thing.
    ///
    /// # Errors
    /// Those of the services.
    pub async fn carry_out(&self, work: Work<Run, Removal>, now: jiff::Timestamp) -> Result<()> {
        let Clients { index, beside, table, .. } = self;
        let both = beside
            .as_ref()
            .map(|(other, model)| Beside { used: &**index, other: (&**other, &**model) });
        let services = Services {
            documents: table,
            files: &*self.files,
            publisher: both.as_ref().map_or(&**index, |both| both),
            cases: table,
            projects: table,
            removals: &*self.removals,
            tasks: &*self.tasks,
            restore_days: self.restore_days,
        };
        match work {
            Work::All(run) => removal::hand_out(services.removals, run).await,
            Work::One(removal) => {
                let of = format!("{removal:?}");
                removal::run(&services, removal, now).await.map(|outcome| log(&of, &outcome))
            }
        }
    }
}

fn log(of: &str, outcome: &Outcome) {
    match outcome {
        Outcome::Refused { .. } => lambda::log_error(&format!("{REFUSED}: {outcome:?}")),
        _ => lambda::log(&format!("removal: {outcome:?}, {of}")),
    }
}
