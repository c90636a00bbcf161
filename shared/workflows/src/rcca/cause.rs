//! Finds causes that several failures share.

use std::collections::{HashMap, HashSet};

use rust_stemmers::{Algorithm, Stemmer};
use wire::rcca::{Cause, Failure};

use model::evidence::{Quote, Strength};
use text::sentence::sentences;
use text::stop::{Texts, is_common_in};

/// Lower bound for the likeness of two causes that count as one. Among the 16 causes of the demo
/// corpus the four equal pairs have .58 to 1.00 and all others 0. Among 277 causes of real reports,
/// pairs below .5 are different things in similar words.
const ALIKE: f64 = 0.5;

/// Lower bound for the common stems. Fewer may be common by chance.
const LEAST_SHARED: usize = 4;

/// The number of first results whose causes are listed. Further results only support them.
const FIRST: usize = 3;

/// Groups the root causes of the results. Only causes of the first results are listed, the one with
/// the most support first; ties keep the order of the results. A result that resembles the question
/// only weakly adds no cause, unless the best one is weak, too.
pub(super) fn group(results: &[Failure]) -> Vec<Cause> {
    let is_weak = |result: &Failure| result.strength == Some(Strength::Weak);
    let is_best_weak = results.first().is_some_and(is_weak);
    let names = |place: usize| place < FIRST && (is_best_weak || !is_weak(&results[place]));
    let causes = results.iter().enumerate().filter_map(|(place, result)| {
        Some((names(place), (result, result.report.root_cause.as_ref()?)))
    });
    let (names, root_causes): (Vec<bool>, Vec<(&Failure, &Quote)>) = causes.unzip();
    let texts: Vec<&str> = root_causes.iter().map(|(_, passage)| passage.text.as_str()).collect();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let likeness = Likeness::of(&texts);
    for (number, names) in names.into_iter().enumerate() {
        // Causes are compared with the first one of a group only, so that likeness does not creep
        // from one cause to the next.
        match groups.iter_mut().find(|group| likeness.between(group[0], number) >= ALIKE) {
            Some(group) => group.push(number),
            None if names => groups.push(vec![number]),
            None => {}
        }
    }
    let mut causes: Vec<Cause> = groups.iter().map(|group| shared(group, &root_causes)).collect();
    causes.sort_by_key(|cause| std::cmp::Reverse(cause.support));
    causes
}

fn shared(group: &[usize], root_causes: &[(&Failure, &Quote)]) -> Cause {
    let documents: HashSet<_> =
        group.iter().map(|number| root_causes[*number].0.passage.document_id).collect();
    Cause {
        results: group.iter().map(|number| root_causes[*number].0.passage.clone()).collect(),
        support: documents.len(),
    }
}

/// The common words of causes, as stems weighted by rarity.
struct Likeness {
    /// The sentences of each cause. A sentence has its stems with their weights, ordered by the
    /// stems' numbers.
    causes: Vec<Vec<Vec<(usize, f64)>>>,
}

impl Likeness {
    fn of(texts: &[&str]) -> Likeness {
        let stemmer = Stemmer::create(Algorithm::English);
        let mut numbers: HashMap<String, usize> = HashMap::new();
        let mut causes: Vec<Vec<Vec<usize>>> = Vec::new();
        for text in texts {
            let of_text = sentences(text)
                .map(|sentence| stems(&text[sentence], &stemmer, &mut numbers))
                .collect();
            causes.push(of_text);
        }
        let mut spread = vec![0.0; numbers.len()];
        for sentences in &causes {
            for stem in sentences.iter().flatten().collect::<HashSet<_>>() {
                spread[*stem] += 1.0;
            }
        }
        let count = f64::from(u32::try_from(texts.len()).unwrap_or(u32::MAX));
        let weight = |stem: usize| (stem, (1.0 + count / spread[stem]).ln());
        let weighed = |sentence: Vec<usize>| sentence.into_iter().map(weight).collect();
        Likeness {
            causes: causes
                .into_iter()
                .map(|sentences| sentences.into_iter().map(weighed).collect())
                .collect(),
        }
    }

    /// Returns the likeness of the two most similar sentences, `0.0..=1.0`, because one sentence
    /// states the cause and the others give details.
    fn between(&self, one: usize, other: usize) -> f64 {
        // The same words are the same cause, even if they are few.
        if self.causes[one] == self.causes[other]
            && self.causes[one].iter().any(|cause| !cause.is_empty())
        {
            return 1.0;
        }
        let pairs = self.causes[one]
            .iter()
            .flat_map(|mine| self.causes[other].iter().map(move |theirs| overlap(mine, theirs)));
        pairs.fold(0.0, f64::max)
    }
}

/// Returns the different stems of a sentence as sorted numbers.
fn stems(sentence: &str, stemmer: &Stemmer, numbers: &mut HashMap<String, usize>) -> Vec<usize> {
    let mut stems: Vec<usize> = sentence
        .to_lowercase()
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.len() > 1 && !is_common_in(word, Texts::Causes))
        .map(|word| {
            let next = numbers.len();
            *numbers.entry(stemmer.stem(word).into_owned()).or_insert(next)
        })
        .collect();
    stems.sort_unstable();
    stems.dedup();
    stems
}

/// Returns the weight of the stems that two sentences share, divided by the weight of the lighter
/// one.
fn overlap(one: &[(usize, f64)], other: &[(usize, f64)]) -> f64 {
    let weight = |stems: &[(usize, f64)]| stems.iter().map(|(_, weight)| weight).sum::<f64>();
    let shared: Vec<f64> = one
        .iter()
        .filter(|(stem, _)| other.binary_search_by_key(stem, |(o, _)| *o).is_ok())
        .map(|(_, weight)| *weight)
        .collect();
    if shared.len() < LEAST_SHARED {
        0.0
    } else {
        shared.iter().sum::<f64>() / weight(one).min(weight(other))
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::super::fields;
    use super::*;
    use model::document::{DocumentType, Origin};
    use model::evidence::{Place, ScoreParts};
    use model::facts::{Fact, FailureReport};
    use wire::rcca::FailureFields;

    /// Returns a result whose passage and document have the number `id`.
    fn failure(id: u128, cause: &str) -> Failure {
        let passage_id = Uuid::from_u128(id);
        let root_cause = Quote { text: cause.into(), line: None, section: None };
        Failure {
            passage: Place {
                passage_id,
                knowledge: None,
                document_id: passage_id,
                file: String::new(),
                title: String::new(),
                section: None,
                document_type: DocumentType::Postmortem,
                source: Origin::Docs,
                uri: None,
                edition: None,
                lifecycle: None,
                lines: None,
                time: None,
            },
            text: String::new(),
            matched: None,
            score: 0.5,
            strength: None,
            score_parts: ScoreParts::new(Vec::new(), 0.5),
            report: FailureFields { root_cause: Some(root_cause), ..FailureFields::default() },
        }
    }

    fn groups(causes: &[&str]) -> Vec<Vec<u128>> {
        let results: Vec<Failure> =
            (0..).zip(causes).map(|(id, cause)| failure(id, cause)).collect();
        group(&results)
            .into_iter()
            .map(|cause| cause.results.iter().map(|result| result.passage_id.as_u128()).collect())
            .collect()
    }

    const POOL: &str = "The connection pool was exhausted because every request held a database connection while it waited \
        for a slow remote call. The call to the fraud vendor lies between statement and commit.";
    const UPLOADS: &str = "The connection pool was exhausted because each upload request held a database connection while it \
        waited for a slow remote call, the virus scan of the attached document.";
    const CHAIN: &str = "The intermediate certificate in the broker's chain file had expired, because its renewal was a manual \
        task with one owner and nothing monitored its expiry date.";
    const BADGES: &str = "The root cause was that the access server's certificate had expired, since its renewal was a manual \
        task with a single owner and nothing monitored its expiry date.";
    const ANTENNA: &str = "High-cycle fatigue: the bracket's first natural frequency (121 Hz) lay on a resonance of the panel \
        (118 Hz), and the vibration started a crack at a sharp inside corner that acted as a stress raiser.";
    const TAPPING: &str = "High-cycle fatigue: the natural frequency of the unbraced tapping (49 Hz) lay on a resonance with twice \
        the new running speed (49.6 Hz), and the vibration started a crack at the weld toe that acted as a stress raiser.";
    const DOSES: &str = "A number was written without its unit and read in another unit, and no range check stopped it. Hence a \
        factor of 60.";
    const TIMEOUTS: &str = "A number was written without its unit and read in another unit, and no range check stopped it. \
        `upstream_timeout: 30` meant 30 s to its author.";
    const STALE: &str = "The Java runtime cached the database's address forever, so that the name was resolved once at start and \
        the DNS change of the failover was never seen.";
    const RETRIES: &str = "Retries were stacked in three layers, each with up to 4 attempts and no budget or backoff, so that one \
        slow shard multiplied the load by up to 64.";

    #[test]
    fn causes_that_say_the_same_are_one_and_others_stay_apart() {
        let causes =
            [POOL, CHAIN, STALE, ANTENNA, DOSES, UPLOADS, RETRIES, TAPPING, BADGES, TIMEOUTS];
        assert_eq!(groups(&causes), [vec![0, 5], vec![1, 8], vec![2]]);
        assert_eq!(groups(&causes[3..]), [vec![0, 4], vec![1, 6], vec![2]]);
    }

    #[test]
    fn two_results_alone_are_grouped_as_among_many() {
        for pair in [[POOL, UPLOADS], [CHAIN, BADGES], [ANTENNA, TAPPING], [DOSES, TIMEOUTS]] {
            assert_eq!(groups(&pair), [[0, 1]]);
        }
        assert_eq!(groups(&[POOL, STALE]), [[0], [1]]);
    }

    #[test]
    fn a_weakly_like_result_names_no_cause_beside_better_ones() {
        let of = |id: u128, cause: &str, strength: Strength| {
            let mut result = failure(id, cause);
            result.strength = Some(strength);
            result
        };
        let (fair, weak) = (Strength::Fair, Strength::Weak);
        let texts = |results: &[Failure]| -> Vec<String> {
            {
                let quotes = |cause: Cause| cause.best(results).unwrap().1.text.clone();
                group(results).into_iter().map(quotes).collect()
            }
        };
        assert_eq!(
            texts(&[of(1, POOL, fair), of(2, STALE, weak), of(3, CHAIN, fair)]),
            [POOL, CHAIN]
        );
        assert_eq!(texts(&[of(1, POOL, weak), of(2, STALE, weak)]), [POOL, STALE]);
        let supported = group(&[of(1, POOL, fair), of(2, UPLOADS, weak)]);
        assert_eq!((supported.len(), supported[0].support), (1, 2));
    }

    #[test]
    fn the_best_result_speaks_for_its_group_and_a_document_supports_it_once() {
        let mut again = failure(2, POOL);
        again.passage.document_id = Uuid::from_u128(1);
        let results = [failure(1, UPLOADS), again, failure(3, POOL)];
        let causes = group(&results);
        let quote = causes[0].best(&results).unwrap().1;
        assert_eq!(
            (quote.text.as_str(), causes[0].results.len(), causes[0].support),
            (UPLOADS, 3, 2)
        );
    }

    #[test]
    fn causes_are_those_of_the_first_results_and_others_only_support_them() {
        assert_eq!(groups(&[POOL, CHAIN, STALE, ANTENNA, UPLOADS]), [vec![0, 4], vec![1], vec![2]]);
    }

    #[test]
    fn the_same_short_sentence_is_one_cause() {
        let causes = ["The timer had stopped.", "The timer had stopped!", "The timer had burnt."];
        assert_eq!(groups(&causes), [vec![0, 1], vec![2]]);
    }

    #[test]
    fn a_failure_without_a_root_cause_takes_no_part() {
        let mut silent = failure(1, "");
        silent.report.root_cause = None;
        assert_eq!(group(&[silent]), []);
        assert_eq!(groups(&["", ""]), [[0], [1]]);
    }

    #[test]
    fn a_sentence_that_tells_cause_and_resolution_is_shown_once() {
        let fact = |text: &str| Fact {
            text: text.into(),
            position: 0,
            start: 0,
            section: None,
            line: None,
        };
        let cause = Some(fact("The leaking seal was the cause and was replaced."));
        let (root_cause, resolution) = (cause.clone(), cause);
        let report = FailureReport { root_cause, resolution, ..FailureReport::default() };
        assert!(fields(&report).root_cause.is_some() && fields(&report).resolution.is_none());
        let resolution = Some(fact("A new seal was built in."));
        assert!(fields(&FailureReport { resolution, ..report }).resolution.is_some());
    }
}
