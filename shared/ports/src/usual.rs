//! The usual similarity of a question to the passages that its caller may read.
//!
//! A cosine alone says little: its usual value differs between questions, and far more between
//! embedding models. A cosine is therefore compared with those of the same question with a fixed
//! random sample of the passages.

pub use model::evidence::{NEAR, RATHER_NEAR};

/// Upper bound for the passages of a sample.
pub const SAMPLE: usize = 256;

/// Lower bound for the passages from which a spread is computed.
const LEAST: usize = 30;

/// The statistics of a question's cosines with a sample of the passages.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Usual {
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation, above 0; `None` if there are too few passages.
    pub spread: Option<f64>,
}

impl Usual {
    /// Computes both; `None` without cosines.
    #[expect(clippy::cast_precision_loss, reason = "at most the size of a sample")]
    pub fn of(cosines: &[f32]) -> Option<Usual> {
        if cosines.is_empty() {
            return None;
        }
        let count = cosines.len() as f64;
        let mean = cosines.iter().map(|cosine| f64::from(*cosine)).sum::<f64>() / count;
        let squares = cosines.iter().map(|cosine| (f64::from(*cosine) - mean).powi(2)).sum::<f64>();
        let spread = (squares / count).sqrt();
        let is_known = cosines.len() >= LEAST && spread > 1e-6;
        Some(Usual { mean, spread: Some(spread).filter(|_| is_known) })
    }

    /// Returns the number of standard deviations by which a cosine exceeds the mean.
    pub fn z_score(&self, cosine: f32) -> Option<f64> {
        self.spread.map(|spread| (f64::from(cosine) - self.mean) / spread)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn few_passages_tell_a_mean_and_no_spread() {
        assert_eq!(Usual::of(&[]), None);
        let few = Usual::of(&[0.1, 0.3]).unwrap();
        assert!((few.mean - 0.2).abs() < 1e-6);
        assert_eq!((few.spread, few.z_score(0.9)), (None, None));
        assert_eq!(Usual::of(&[0.5; 40]).unwrap().spread, None);
    }

    proptest! {
        /// A constant that is added to all vectors shifts and squeezes all cosines in the same way.
        #[test]
        fn shifted_and_squeezed_cosines_have_the_same_z_scores(
            // Whole thousandths: proptest 1.12 now and then panics on a range of floats around
            // zero.
            cosines in prop::collection::vec(-200i16..900, 30..256),
            cosine in 0i16..1000,
            constant in 0.5f32..2.0,
        ) {
            let cosines: Vec<f32> = cosines.iter().map(|cosine| f32::from(*cosine) / 1000.0).collect();
            let cosine = f32::from(cosine) / 1000.0;
            let shift = |value: f32| (value + constant * constant) / (1.0 + constant * constant);
            let (Some(usual), Some(shifted)) = (
                Usual::of(&cosines).and_then(|o| o.z_score(cosine)),
                Usual::of(&cosines.iter().map(|cosine| shift(*cosine)).collect::<Vec<_>>())
                    .and_then(|o| o.z_score(shift(cosine))),
            ) else { return Ok(()) };
            prop_assert!((usual - shifted).abs() < 0.01 * (1.0 + usual.abs()));
        }
    }
}
