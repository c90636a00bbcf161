//! Aspects of a subject, and the passages that are listed under each.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use uuid::Uuid;
use wire::common::{Coverage, Gap};
use wire::explore::{FacetRequest, NamedFacet};

use crate::evidence::Evidence;
use model::evidence::ScoreParts;
use model::{Error, Result};

/// Upper bound for the facets of one question.
pub const MOST: usize = 20;

/// Upper bound for the characters of a facet's name.
const LONGEST_NAME: usize = 60;

/// Upper bound for the characters of a facet's probe.
const LONGEST_PROBE: usize = 200;

/// An aspect of a subject.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facet {
    /// The name.
    pub name: String,
    /// The text that is searched together with the question.
    pub probe: String,
}

impl Facet {
    /// Reports that nothing was found for this facet.
    pub fn gap(&self) -> Gap {
        Gap { facet: self.name.clone() }
    }
}

/// Parses the caller's facets.
///
/// # Errors
/// [`Error::Invalid`] for a wrong entry, which is named `facets[n]`.
pub fn parse(wishes: &[FacetRequest]) -> Result<Vec<Facet>> {
    if wishes.is_empty() || wishes.len() > MOST {
        return Err(Error::invalid("facets", format!("must have 1 to {MOST} entries")));
    }
    let mut seen = HashSet::new();
    let mut facets = Vec::new();
    for (place, wish) in wishes.iter().enumerate() {
        let facet =
            facet(wish).map_err(|reason| Error::invalid(format!("facets[{place}]"), reason))?;
        if !seen.insert(facet.name.to_lowercase()) {
            let reason = format!("names `{}` a second time", facet.name);
            return Err(Error::invalid(format!("facets[{place}]"), reason));
        }
        facets.push(facet);
    }
    Ok(facets)
}

fn facet(wish: &FacetRequest) -> Result<Facet, String> {
    let (name, probe) = match wish {
        FacetRequest::Name(name) => (name.trim(), name.replace('_', " ")),
        FacetRequest::Probe(NamedFacet { name, probe }) => (name.trim(), probe.trim().to_owned()),
    };
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '_' | '-');
    if name.is_empty() || name.chars().count() > LONGEST_NAME || !name.chars().all(is_plain) {
        return Err(format!(
            "must have a name of 1 to {LONGEST_NAME} letters, digits, blanks, `_` and `-`"
        ));
    }
    if !probe.contains(char::is_alphanumeric) || probe.chars().count() > LONGEST_PROBE {
        return Err(format!("must have a probe with words, of at most {LONGEST_PROBE} characters"));
    }
    Ok(Facet { name: name.into(), probe: probe.trim().into() })
}

/// The divisor for the usual places of a facet that one document may fill before other documents
/// have had their turn: a half, rounded up.
const SHARE_OF_ONE: usize = 2;

/// The number of passages that a facet lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Places {
    /// The number of places that are open to passages that do not serve the facet well.
    pub usual: usize,
    /// The number of places that are open to passages that serve it well; at least `usual`.
    pub well: usize,
}

impl Places {
    /// Gives all passages the same number of places, however well they serve the facet.
    pub fn of(most: usize) -> Places {
        Places { usual: most, well: most }
    }
}

/// A facet that a passage serves.
#[derive(Debug, Clone, PartialEq)]
pub struct Serving {
    /// The place of the facet in the list of facets.
    pub facet: usize,
    /// The passage's score for that facet.
    pub parts: ScoreParts,
    /// True if the passage serves the facet well.
    pub is_well: bool,
}

/// A passage under the facet that it serves best.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    /// The place of the facet in the list of facets.
    pub facet: usize,
    /// The passage; its score includes the boosts of that facet.
    pub evidence: Evidence,
    /// The places of the other facets that it serves.
    pub also_in: Vec<usize>,
}

/// Lists each passage once, the best of each facet first. A passage that serves several facets is
/// listed where its score is highest and a place is free.
///
/// `serves` returns the facets that a passage serves.
pub fn list(
    evidence: Vec<Evidence>,
    facets: usize,
    places: Places,
    serves: impl Fn(&Evidence) -> Vec<Serving>,
) -> (Vec<Listed>, Vec<Coverage>) {
    let mut scored = Vec::new();
    let mut passages: Vec<Option<Evidence>> = Vec::new();
    let mut documents: Vec<HashSet<Uuid>> = vec![HashSet::new(); facets];
    let mut coverage = vec![Coverage::default(); facets];
    let mut also: HashMap<usize, Vec<usize>> = HashMap::new();
    for evidence in evidence {
        for serving in serves(&evidence) {
            also.entry(passages.len()).or_default().push(serving.facet);
            documents[serving.facet].insert(evidence.passage.document_id);
            coverage[serving.facet].passages += 1;
            scored.push((serving, passages.len()));
        }
        passages.push(Some(evidence));
    }
    for (coverage, documents) in coverage.iter_mut().zip(&documents) {
        coverage.documents = documents.len();
    }
    // Ties are ordered by facet, then by passage, so that the order is the same in each run.
    scored.sort_by(|(a, first), (b, second)| {
        let by_score = b.parts.total.total_cmp(&a.parts.total);
        by_score.then_with(|| (a.facet, first).cmp(&(b.facet, second)))
    });
    let mut count = vec![0; facets];
    let mut taken: HashMap<(usize, Uuid), usize> = HashMap::new();
    let mut listed = Vec::new();
    // The first round gives places to several documents, the second fills the rest.
    for limit in [places.usual.div_ceil(SHARE_OF_ONE), places.well] {
        for (Serving { facet, parts, is_well }, place) in &scored {
            let Some(document) =
                passages[*place].as_ref().map(|passage| passage.passage.document_id)
            else {
                continue;
            };
            let taken = taken.entry((*facet, document)).or_default();
            let most = if *is_well { places.well } else { places.usual };
            if count[*facet] >= most || *taken >= limit {
                continue;
            }
            let Some(evidence) = passages[*place].take() else { continue };
            count[*facet] += 1;
            *taken += 1;
            let also_in = also[place].iter().copied().filter(|also| also != facet).collect();
            let evidence = Evidence { parts: parts.clone(), ..evidence };
            listed.push(Listed { facet: *facet, evidence, also_in });
        }
    }
    listed.sort_by_key(|listed| (listed.facet, Reverse(thousandths(listed.evidence.parts.total))));
    (listed, coverage)
}

/// Converts a score to thousandths, because scores have three decimals.
#[expect(clippy::cast_possible_truncation, reason = "a score is within 0..=1")]
fn thousandths(score: f64) -> i64 {
    (score * 1_000.0).round() as i64
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::passages;

    /// Returns passages with their fused scores. Those with the same letter belong to one document.
    fn evidence(of: &[(char, f64)]) -> Vec<Evidence> {
        let passage = passages("# Pump\n\nIt ran dry.\n").swap_remove(0);
        let passage = |(place, (letter, fused)): (u128, &(char, f64))| {
            let mut passage = passage.clone();
            passage.id = Uuid::from_u128(place);
            passage.document_id = Uuid::from_u128(u128::from(u32::from(*letter)));
            Evidence::of(passage, ScoreParts::new(Vec::new(), *fused))
        };
        (0..).zip(of).map(passage).collect()
    }

    fn serving(facet: usize, parts: &ScoreParts) -> Serving {
        Serving { facet, parts: parts.clone(), is_well: false }
    }

    fn places(listed: &[Listed]) -> Vec<(usize, u128)> {
        listed.iter().map(|l| (l.facet, l.evidence.passage.id.as_u128())).collect()
    }

    #[test]
    fn one_document_leaves_room_for_others_and_fills_what_they_leave() {
        let serves = |evidence: &Evidence| vec![serving(0, &evidence.parts)];
        let several = evidence(&[('a', 0.9), ('a', 0.8), ('a', 0.7), ('b', 0.1)]);
        assert_eq!(places(&list(several, 1, Places::of(3), serves).0), [(0, 0), (0, 1), (0, 3)]);
        let alone = evidence(&[('a', 0.9), ('a', 0.8), ('a', 0.7)]);
        assert_eq!(places(&list(alone, 1, Places::of(3), serves).0), [(0, 0), (0, 1), (0, 2)]);
    }

    #[test]
    fn what_serves_a_facet_well_is_listed_beyond_the_usual_places() {
        let serves = |evidence: &Evidence| {
            let is_well = evidence.parts.fusion < 0.8;
            vec![Serving { is_well, ..serving(0, &evidence.parts) }]
        };
        let passages = evidence(&[('a', 0.9), ('a', 0.8), ('a', 0.7), ('a', 0.6), ('b', 0.5)]);
        let listed = |places| list(passages.clone(), 1, places, serves).0;
        assert_eq!(places(&listed(Places { usual: 1, well: 3 })), [(0, 0), (0, 2), (0, 4)]);
        assert_eq!(places(&listed(Places { usual: 1, well: 9 })).len(), 4);
    }

    #[test]
    fn a_passage_is_listed_where_its_score_is_highest_and_tagged_with_the_rest() {
        let serves = |evidence: &Evidence| {
            let mut second = evidence.parts.clone();
            second.boost("any", 0.3);
            vec![serving(0, &evidence.parts), serving(1, &second)]
        };
        let of_two = evidence(&[('a', 0.5), ('b', 0.4)]);
        let (listed, coverage) = list(of_two, 2, Places::of(1), serves);
        assert_eq!(places(&listed), [(0, 1), (1, 0)]);
        assert_eq!(
            (listed[0].also_in.as_slice(), listed[1].also_in.as_slice()),
            (&[1][..], &[0][..])
        );
        assert_eq!(coverage, [Coverage { passages: 2, documents: 2 }; 2]);
    }

    #[test]
    fn a_passage_that_serves_one_facet_well_and_another_partly_is_listed_under_the_first() {
        let serves = |evidence: &Evidence| {
            let well = Serving { is_well: true, ..serving(0, &evidence.parts) };
            vec![well, serving(1, &ScoreParts::new(Vec::new(), 0.1))]
        };
        let of_three = evidence(&[('a', 0.9), ('b', 0.8), ('c', 0.7)]);
        let listed = list(of_three, 2, Places { usual: 1, well: 3 }, serves).0;
        assert_eq!(places(&listed), [(0, 0), (0, 1), (0, 2)]);
    }

    fn refusal(wishes: serde_json::Value) -> String {
        parse(&serde_json::from_value::<Vec<FacetRequest>>(wishes).unwrap())
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn a_bad_facet_is_refused_by_its_place() {
        use serde_json::json;
        assert_eq!(refusal(json!([])), "invalid `facets`: must have 1 to 20 entries");
        assert_eq!(refusal(json!(vec!["a"; 1_000])), "invalid `facets`: must have 1 to 20 entries");
        assert!(
            refusal(json!(["costs", "<b>risks</b>"]))
                .starts_with("invalid `facets[1]`: must have a name")
        );
        assert!(refusal(json!([" "])).starts_with("invalid `facets[0]`"));
        assert!(refusal(json!([{"name": "a", "probe": "?!"}])).contains("a probe with words"));
        assert_eq!(
            refusal(json!(["Costs", "costs"])),
            "invalid `facets[1]`: names `costs` a second time"
        );
    }
}
