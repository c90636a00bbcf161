//! Queries of the caller, who understands the question better than a ranking does: other wordings, the terms that are
//! expected, a sentence that the document sought may contain.

use super::Probe;
use model::{Error, Result};
use ports::question::Question;

/// The most queries of one request.
pub(crate) const MOST: usize = 8;

/// Takes queries beside a question, each that differs from it and from those before.
///
/// # Errors
/// [`Error::Invalid`] names the query that is none, and `queries` where there are too many.
pub fn parse(question: &Question, queries: &[String]) -> Result<Vec<Question>> {
    if queries.len() > MOST {
        let reason = format!("must have at most {MOST} queries, not {}", queries.len());
        return Err(Error::invalid("queries", reason));
    }
    let parsed = queries.iter().enumerate().map(|(place, query)| {
        Question::parse(query).map_err(|error| match error {
            Error::Invalid { reason, .. } => Error::invalid(format!("queries[{place}]"), reason),
            other => other,
        })
    });
    let parsed: Vec<Question> = parsed.collect::<Result<_>>()?;
    let mut seen: Vec<Question> = vec![question.clone()];
    // What is said twice is searched once.
    for query in parsed {
        if !seen.contains(&query) {
            seen.push(query);
        }
    }
    Ok(seen.split_off(1))
}

/// The probes of a question, of which the first is the question itself, with a probe of each query behind it. The
/// question and its queries count alike, and together as much as the question alone would.
pub fn shared(mut probes: Vec<Probe>, queries: &[Question]) -> Vec<Probe> {
    let Some(first) = probes.first().cloned().filter(|_| !queries.is_empty()) else {
        return probes;
    };
    let share = share(queries.len());
    let searches: Vec<_> =
        first.searches.iter().map(|(kind, of, weight)| (*kind, *of, weight * share)).collect();
    probes[0].searches.clone_from(&searches);
    let probe = |(place, query): (usize, &Question)| Probe {
        text: query.as_str().into(),
        searches: searches.clone(),
        depth: first.depth,
        query: Some(place),
    };
    let queries: Vec<Probe> = queries.iter().enumerate().map(probe).collect();
    probes.splice(1..1, queries);
    probes
}

/// How much the question counts, and each of so many queries beside it.
#[expect(clippy::cast_precision_loss, reason = "at most eight")]
pub fn share(queries: usize) -> f64 {
    1.0 / (1 + queries) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::evidence::{PointKind, SearchKind};

    fn probe(text: &str) -> Probe {
        let searches = vec![(SearchKind::Dense, PointKind::Passage, 1.0)];
        Probe { text: text.into(), searches, depth: 9, query: None }
    }

    fn read(queries: &[String]) -> Result<Vec<Question>> {
        parse(&Question::parse("why").unwrap(), queries)
    }

    #[test]
    fn queries_stand_behind_the_question_and_share_its_weight() {
        let raw = ["pump trips", "bearing seized", "why ", "pump trips", "a"];
        let queries = read(&raw.map(String::from)).unwrap();
        let probes = shared(vec![probe("why"), probe("why root cause")], &queries);
        let texts: Vec<&str> = probes.iter().map(|probe| probe.text.as_str()).collect();
        assert_eq!(texts, ["why", "pump trips", "bearing seized", "a", "why root cause"]);
        let weights: Vec<f64> = probes.iter().map(|probe| probe.searches[0].2).collect();
        assert_eq!(weights, [0.25, 0.25, 0.25, 0.25, 1.0]);
        assert_eq!((probes[0].query, probes[2].query), (None, Some(1)));
        assert_eq!(shared(vec![probe("why")], &[]), [probe("why")]);
    }

    #[test]
    fn a_bad_query_is_refused_by_its_place() {
        let refused = read(&["good".into(), "  ".into()]).unwrap_err();
        assert!(matches!(refused, Error::Invalid { field, .. } if field == "queries[1]"));
        let many = vec!["a".to_owned(); 9];
        assert!(matches!(read(&many), Err(Error::Invalid { field, .. }) if field == "queries"));
    }
}
