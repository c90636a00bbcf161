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
    pub fn of(cosines: &[f32]) -> Option<Usual> {
        Usual::of_scopes(&[(cosines.len() as u64, cosines.to_vec())])
    }

    /// Computes both for several scopes, each with the number of its passages and the cosines with
    /// a sample of them; `None` without cosines. A scope counts by its passages.
    pub fn of_scopes(scopes: &[(u64, Vec<f32>)]) -> Option<Usual> {
        let scopes: Vec<&(u64, Vec<f32>)> = scopes
            .iter()
            .filter(|(passages, cosines)| *passages > 0 && !cosines.is_empty())
            .collect();
        let all: u64 = scopes.iter().map(|(passages, _)| passages).sum();
        if all == 0 {
            return None;
        }
        let over_all = |of: &dyn Fn(f64) -> f64| {
            let shares = scopes.iter().map(|(passages, cosines)| {
                let sum: f64 = cosines.iter().map(|cosine| of(f64::from(*cosine))).sum();
                float(*passages) / float(all) * sum / float(cosines.len() as u64)
            });
            shares.sum::<f64>()
        };
        let mean = over_all(&|cosine| cosine);
        let spread = over_all(&|cosine| (cosine - mean).powi(2)).sqrt();
        let sampled: usize = scopes.iter().map(|(_, cosines)| cosines.len()).sum();
        let is_known = sampled >= LEAST && spread > 1e-6;
        Some(Usual { mean, spread: Some(spread).filter(|_| is_known) })
    }

    /// Returns the number of standard deviations by which a cosine exceeds the mean.
    pub fn z_score(&self, cosine: f32) -> Option<f64> {
        self.spread.map(|spread| (f64::from(cosine) - self.mean) / spread)
    }
}

/// Returns the scalar product. It adds eight sums, which the compiler does at once.
pub fn product(one: &[f32], other: &[f32]) -> f32 {
    let (one, other) = (one.chunks_exact(8), other.chunks_exact(8));
    let rest = one.remainder().iter().zip(other.remainder()).map(|(one, other)| one * other);
    let mut sums = [0.0; 8];
    let rest: f32 = rest.sum();
    for (one, other) in one.zip(other) {
        for ((sum, one), other) in sums.iter_mut().zip(one).zip(other) {
            *sum += one * other;
        }
    }
    sums.iter().sum::<f32>() + rest
}

#[expect(clippy::cast_precision_loss, reason = "numbers of passages are far below 2^53")]
fn float(count: u64) -> f64 {
    count as f64
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

    #[test]
    fn a_scope_counts_by_its_passages_and_not_by_its_sample() {
        let close = |one: Option<Usual>, other: Option<Usual>| {
            let (one, other) = (one.unwrap(), other.unwrap());
            (one.mean - other.mean).abs() < 1e-6
                && (one.spread.unwrap() - other.spread.unwrap()).abs() < 1e-6
        };
        let (low, high) = ([0.1, 0.3].repeat(20), [0.5, 0.9].repeat(20));
        let all = [low.clone(), high.clone(), high.clone(), high.clone()].concat();
        let scopes = [(40, low.clone()), (120, high.clone()), (0, low), (9, Vec::new())];
        assert!(close(Usual::of_scopes(&scopes), Usual::of(&all)));
        assert!(!close(Usual::of_scopes(&[(1, all.clone()), (99, high)]), Usual::of(&all)));
        assert_eq!(Usual::of_scopes(&[(0, Vec::new())]), None);
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
