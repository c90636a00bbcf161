//! Checks the alternatives and criteria of a request.

use super::concept;
use matrix::{self, Direction};
use model::{Error, Result};
use quantity::{self, Unit};
use text::term::stems;
use wire::trade::{AlternativeRequest, CriterionRequest, NamedAlternative, WeighedCriterion};

/// Upper bound for the alternatives of one study.
const MOST_ALTERNATIVES: usize = 50;

/// Upper bound for the criteria of one study. With 50 alternatives and the question, all probes fit
/// into one embedding call of 96 texts.
const MOST_CRITERIA: usize = 45;

/// Upper bound for the characters of a name.
const LONGEST: usize = 100;

/// An option with all its names, the main one first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Alternative {
    pub names: Vec<String>,
}

/// A checked criterion.
#[derive(Debug, Clone)]
pub(crate) struct Criterion {
    pub name: String,
    pub unit: Option<Unit>,
    pub decides: Option<matrix::Criterion>,
}

impl Criterion {
    /// Creates a criterion that has no part in a decision.
    pub(super) fn named(name: &str) -> Criterion {
        Criterion { name: name.into(), unit: None, decides: None }
    }
}

/// Checks the caller's alternatives.
pub(crate) fn alternatives(wishes: &[AlternativeRequest]) -> Result<Vec<Alternative>> {
    if wishes.is_empty() || wishes.len() > MOST_ALTERNATIVES {
        return Err(Error::invalid(
            "alternatives",
            format!("must have 1 to {MOST_ALTERNATIVES} entries"),
        ));
    }
    let mut seen: Vec<(Vec<String>, String)> = Vec::new();
    let mut all = Vec::new();
    for (place, wish) in wishes.iter().enumerate() {
        let field = format!("alternatives[{place}]");
        let (first, aliases) = match wish {
            AlternativeRequest::Name(name) => (name, &[][..]),
            AlternativeRequest::NamedAlternative(NamedAlternative { name, aliases }) => {
                (name, aliases.as_slice())
            }
        };
        if aliases.len() > 10 {
            return Err(Error::invalid(format!("{field}.aliases"), "must have at most 10 entries"));
        }
        let mut names = Vec::new();
        for name in std::iter::once(first).chain(aliases) {
            let name = checked(&field, name)?;
            let stems = stems(&name);
            if let Some((_, other)) = seen.iter().find(|(others, _)| *others == stems) {
                return Err(Error::invalid(field, format!("`{name}` is the same as `{other}`")));
            }
            seen.push((stems, name.clone()));
            names.push(name);
        }
        all.push(Alternative { names });
    }
    Ok(all)
}

/// Checks the caller's criteria.
pub(super) fn criteria(wishes: &[CriterionRequest]) -> Result<Vec<Criterion>> {
    if wishes.is_empty() || wishes.len() > MOST_CRITERIA {
        return Err(Error::invalid("criteria", format!("must have 1 to {MOST_CRITERIA} entries")));
    }
    let mut all: Vec<Criterion> = Vec::new();
    for (place, wish) in wishes.iter().enumerate() {
        let field = format!("criteria[{place}]");
        let criterion = match wish {
            CriterionRequest::Name(name) => Criterion::named(&checked(&field, name)?),
            CriterionRequest::WeighedCriterion(wish) => weighed(&field, wish)?,
        };
        if all.iter().any(|other| other.name.eq_ignore_ascii_case(&criterion.name)) {
            return Err(Error::invalid(field, format!("names `{}` a second time", criterion.name)));
        }
        all.push(criterion);
    }
    check_weights(&all)?;
    Ok(all)
}

fn checked(field: &str, name: &str) -> Result<String> {
    let name = name.trim();
    let is_name = name.contains(char::is_alphanumeric)
        && name.chars().count() <= LONGEST
        && !name.contains(char::is_control);
    if !is_name {
        let wanted = "must be a name of 1 to 100 characters with a letter or digit";
        return Err(Error::invalid(field.to_owned(), wanted));
    }
    Ok(name.into())
}

fn weighed(field: &str, wish: &WeighedCriterion) -> Result<Criterion> {
    let refuse =
        |part: &str, reason: String| Err(Error::invalid(format!("{field}.{part}"), reason));
    let name = checked(&format!("{field}.name"), &wish.name)?;
    let unit = match &wish.unit {
        None => None,
        Some(text) => match quantity::unit(text) {
            None => return refuse("unit", format!("`{text}` is no unit that is known")),
            known => known,
        },
    };
    if let Some((low, high)) = wish.range
        && !(low.is_finite() && high.is_finite() && low < high)
    {
        return refuse("range", "must be two numbers, the smaller first".into());
    }
    let Some(weight) = wish.weight else {
        return Ok(Criterion { name, unit, decides: None });
    };
    if !(weight.is_finite() && weight >= 0.0) {
        return refuse("weight", "must be a number of 0 or more".into());
    }
    let wished = match wish.direction.as_deref() {
        None => concept::direction(&name),
        Some("max") => Some(Direction::Max),
        Some("min") => Some(Direction::Min),
        Some(_) => return refuse("direction", "must be `max` or `min`".into()),
    };
    let Some(direction) = wished else {
        return refuse(
            "direction",
            "must be `max` or `min`: the name does not say which is better".into(),
        );
    };
    let decides = matrix::Criterion { name: name.clone(), weight, direction, range: wish.range };
    Ok(Criterion { name, unit, decides: Some(decides) })
}

/// Checks that either all criteria have a weight or none, and that the sum of the weights is above
/// 0.
fn check_weights(criteria: &[Criterion]) -> Result<()> {
    let weights: Vec<Option<f64>> = criteria
        .iter()
        .map(|criterion| criterion.decides.as_ref().map(|decides| decides.weight))
        .collect();
    if weights.iter().all(Option::is_none) {
        return Ok(());
    }
    if let Some(place) = weights.iter().position(Option::is_none) {
        let reason = "must be given, because other criteria have one";
        return Err(Error::invalid(format!("criteria[{place}].weight"), reason));
    }
    if weights.iter().flatten().sum::<f64>() <= 0.0 {
        return Err(Error::invalid("criteria", "must have a weight above 0"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn refused(wishes: Value) -> String {
        alternatives(&serde_json::from_value::<Vec<_>>(wishes).unwrap()).unwrap_err().to_string()
    }

    fn refused_criteria(wishes: Value) -> String {
        criteria(&serde_json::from_value::<Vec<_>>(wishes).unwrap()).unwrap_err().to_string()
    }

    #[test]
    fn alternatives_are_refused_by_their_place() {
        assert_eq!(refused(json!([])), "invalid `alternatives`: must have 1 to 50 entries");
        let many: Vec<String> = (0..51).map(|number| format!("option {number}")).collect();
        assert_eq!(refused(json!(many)), "invalid `alternatives`: must have 1 to 50 entries");
        assert_eq!(
            refused(json!(["Kafka", "kafka"])),
            "invalid `alternatives[1]`: `kafka` is the same as `Kafka`"
        );
        assert!(
            refused(json!(["Postgres", {"name": "PG", "aliases": ["PostgreSQL"]}]))
                .contains("`PostgreSQL` is the same as `Postgres`")
        );
        assert!(refused(json!(["?"])).starts_with("invalid `alternatives[0]`: must be a name"));
    }

    #[test]
    fn names_within_names_are_different_alternatives() {
        let wishes = serde_json::from_value::<Vec<_>>(json!(["Go", "Golang", "MongoDB"])).unwrap();
        assert_eq!(alternatives(&wishes).unwrap().len(), 3);
    }

    #[test]
    fn criteria_are_refused_by_their_place_and_part() {
        assert_eq!(
            refused_criteria(json!([""])),
            "invalid `criteria[0]`: must be a name of 1 to 100 characters with a letter or digit"
        );
        assert_eq!(
            refused_criteria(json!([{"name": "cost", "weight": -1}])),
            "invalid `criteria[0].weight`: must be a number of 0 or more"
        );
        assert_eq!(
            refused_criteria(json!([{"name": "cost", "weight": 0}])),
            "invalid `criteria`: must have a weight above 0"
        );
        assert!(
            refused_criteria(json!([{"name": "cost", "weight": 1}, "latency"]))
                .starts_with("invalid `criteria[1].weight`: must be given")
        );
        assert!(
            refused_criteria(json!([{"name": "beauty", "weight": 1}]))
                .starts_with("invalid `criteria[0].direction`")
        );
        assert!(
            refused_criteria(json!([{"name": "cost", "unit": "bananas"}]))
                .starts_with("invalid `criteria[0].unit`: `bananas`")
        );
        assert!(
            refused_criteria(json!([{"name": "cost", "weight": 1, "range": [5, 5]}]))
                .starts_with("invalid `criteria[0].range`")
        );
        assert!(refused_criteria(json!(["Cost", "cost"])).ends_with("names `cost` a second time"));
    }
}
