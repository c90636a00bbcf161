//! Parses the caller's queries. The caller understands the question better than a ranking does, and
//! sends other wordings, expected terms, or a sentence that the wanted document may contain.

use model::{Error, Result};
use ports::question::Question;

/// Upper bound for the queries of one request.
const MOST: usize = 8;

/// Parses the queries beside a question. A query that repeats the question or an earlier query is
/// left out.
///
/// # Errors
/// [`Error::Invalid`] for an invalid query, with its place, and for too many queries.
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
    let mut seen: Vec<Question> = vec![question.clone()];
    for query in parsed.collect::<Result<Vec<Question>>>()? {
        // A repeated query is searched once.
        if !seen.contains(&query) {
            seen.push(query);
        }
    }
    Ok(seen.split_off(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(texts: &[String]) -> Result<Vec<Question>> {
        parse(&Question::parse("why").unwrap(), texts)
    }

    #[test]
    fn what_is_said_twice_is_searched_once() {
        let raw = ["pump trips", "bearing seized", "why ", "pump trips", "a"];
        let queries = read(&raw.map(String::from)).unwrap();
        let texts: Vec<&str> = queries.iter().map(Question::as_str).collect();
        assert_eq!(texts, ["pump trips", "bearing seized", "a"]);
    }

    #[test]
    fn a_bad_query_is_refused_by_its_place() {
        let refused = read(&["good".into(), "  ".into()]).unwrap_err();
        assert!(matches!(refused, Error::Invalid { field, .. } if field == "queries[1]"));
        let many = vec!["a".to_owned(); 9];
        assert!(matches!(read(&many), Err(Error::Invalid { field, .. }) if field == "queries"));
    }
}
