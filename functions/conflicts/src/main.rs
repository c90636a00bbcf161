//! Finds the conflicts between the documents of a knowledge base. A timer starts it for everyone's
//! documents, and anyone with the right to invoke it may start it for another knowledge base.

use adapters::{ChatModel, ChatUse, Qdrant, Table, env};
use lambda::{Delivery, Work};
use ports::{Budgeted, HiddenFor, Model, Purpose};
use workflows::conflicts;
use workflows::conflicts::Job;

#[lambda::tokio::main(flavor = "current_thread", crate = "lambda::tokio")]
async fn main() -> Result<(), lambda::Error> {
    let (table, qdrant) = (Table::from_env()?, Qdrant::from_env(Purpose::Question)?);
    let model = ChatModel::from_env(ChatUse::Conflicts)?;
    let budget = env::tokens()?;
    let (counter, now) = (&table, lambda::now);
    let model = model
        .as_ref()
        .map(|model| (Budgeted { model, counter, budget, caller: None, now }, model.name()));
    let model = model.as_ref().map(|(model, name)| (model as &dyn Model, *name));
    lambda::serve_work(
        async |work: Work<Job, Job>, now| {
            let (Work::All(job) | Work::One(job)) = work;
            let outcome = conflicts::find(&job.knowledge, &qdrant, &table, model, now).await?;
            lambda::log(&format!("{}: {outcome:?}", job.knowledge));
            Ok(())
        },
        // No queue starts it.
        async |_: &Delivery, _| Ok(()),
        HiddenFor { hold: 120, retry: 30 },
    )
    .await
}
