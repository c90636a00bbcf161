//! The parts that a chat model does, as its trial says.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use adapters::env;
use ports::Trials;
use wire::trial::ModelPart;

/// The time for which the result of a trial is held.
const HELD: Duration = Duration::from_mins(5);

/// The parts of a model, and since when they are known.
type Known = Option<(Instant, Vec<ModelPart>)>;

/// The parts that the deployment's chat model does.
pub(crate) struct Tried {
    is_waived: bool,
    known: Mutex<Known>,
}

impl Tried {
    /// Knows nothing yet.
    ///
    /// # Errors
    /// Names the setting that cannot be read.
    pub(crate) fn from_env() -> Result<Tried, lambda::Error> {
        Ok(Tried { is_waived: env::is_trial_waived()?, known: Mutex::default() })
    }

    /// Returns true if the model does all parts without a trial.
    pub(crate) fn is_waived(&self) -> bool {
        self.is_waived
    }

    /// The parts that `model` does. While the trial cannot be read it does none.
    pub(crate) async fn parts(&self, model: Option<&str>, trials: &dyn Trials) -> Vec<ModelPart> {
        let Some(model) = model else { return Vec::new() };
        if self.is_waived {
            return ModelPart::ALL.into();
        }
        if let Some(parts) = self.held() {
            return parts;
        }
        let Ok(parts) = trial::parts(trials, model).await else { return Vec::new() };
        if let Ok(mut known) = self.known.lock() {
            *known = Some((Instant::now(), parts.clone()));
        }
        parts
    }

    fn held(&self) -> Option<Vec<ModelPart>> {
        let known = self.known.lock().ok()?;
        known.as_ref().filter(|(since, _)| since.elapsed() < HELD).map(|(_, parts)| parts.clone())
    }
}
