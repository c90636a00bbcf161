//! Filters, from protobuf to the engine; a condition it does not know is refused by name.

use qdrant_client::qdrant::condition::ConditionOneOf;
use qdrant_client::qdrant::r#match::MatchValue as ProtoMatch;
use qdrant_client::qdrant::{
    Condition as ProtoCondition, DatetimeRange, FieldCondition as ProtoField,
    Filter as ProtoFilter, Match as Matching, Range as ProtoRange, Timestamp,
    ValuesCount as ProtoCount,
};
use qdrant_edge::external::ordered_float::OrderedFloat;
use qdrant_edge::{
    Condition, DateTimeWrapper, FieldCondition, Filter, Match, MatchExcept, MatchPhrase,
    MatchTextAny, MinShould, Nested, NestedCondition, Range, ValuesCount,
};
use tonic::Status;

use crate::point::{parse_id, parse_path};
use crate::status::{bad_input, refuse_if, unserved};

/// Reads a filter.
pub(crate) fn parse(filter: ProtoFilter) -> Result<Filter, Status> {
    let min_should = match filter.min_should {
        Some(min_should) => Some(MinShould {
            conditions: conditions(min_should.conditions)?,
            min_count: count(min_should.min_count)?,
        }),
        None => None,
    };
    let some = |list: Vec<Condition>| (!list.is_empty()).then_some(list);
    Ok(Filter {
        should: some(conditions(filter.should)?),
        min_should,
        must: some(conditions(filter.must)?),
        must_not: some(conditions(filter.must_not)?),
    })
}

fn conditions(list: Vec<ProtoCondition>) -> Result<Vec<Condition>, Status> {
    list.into_iter().map(condition).collect()
}

fn condition(condition: ProtoCondition) -> Result<Condition, Status> {
    Ok(match condition.condition_one_of {
        Some(ConditionOneOf::Field(field)) => Condition::Field(self::field(field)?),
        Some(ConditionOneOf::IsEmpty(empty)) => Condition::IsEmpty(parse_path(&empty.key)?.into()),
        Some(ConditionOneOf::IsNull(null)) => Condition::IsNull(parse_path(&null.key)?.into()),
        Some(ConditionOneOf::HasId(ids)) => {
            Condition::HasId(ids.has_id.into_iter().map(parse_id).collect::<Result<_, _>>()?)
        }
        Some(ConditionOneOf::HasVector(vector)) => Condition::HasVector(vector.has_vector.into()),
        Some(ConditionOneOf::Filter(filter)) => Condition::Filter(parse(filter)?),
        Some(ConditionOneOf::Nested(nested)) => Condition::Nested(NestedCondition::new(Nested {
            key: parse_path(&nested.key)?,
            filter: parse(
                nested.filter.ok_or_else(|| bad_input("a nested condition needs a filter"))?,
            )?,
        })),
        Some(ConditionOneOf::Slice(_)) => return Err(unserved("the slice condition")),
        None => return Err(bad_input("a condition of the filter is empty or unknown")),
    })
}

fn field(field: ProtoField) -> Result<FieldCondition, Status> {
    refuse_if(field.geo_bounding_box.is_some(), "the geo_bounding_box condition")?;
    refuse_if(field.geo_radius.is_some(), "the geo_radius condition")?;
    refuse_if(field.geo_polygon.is_some(), "the geo_polygon condition")?;
    let key = parse_path(&field.key)?;
    let mut found = Vec::new();
    if let Some(matching) = field.r#match {
        found.push(FieldCondition::new_match(key.clone(), self::matching(matching)?));
    }
    if let Some(range) = field.range {
        found.push(FieldCondition::new_range(key.clone(), self::range(range)));
    }
    if let Some(range) = field.datetime_range {
        found.push(FieldCondition::new_datetime_range(key.clone(), datetime_range(range)?));
    }
    if let Some(values) = field.values_count {
        found.push(FieldCondition::new_values_count(key.clone(), values_count(values)?));
    }
    if let Some(is_empty) = field.is_empty {
        found.push(FieldCondition::new_is_empty(key.clone(), is_empty));
    }
    if let Some(is_null) = field.is_null {
        found.push(FieldCondition::new_is_null(key, is_null));
    }
    // The engine would look at one of several and pass over the rest.
    match (found.pop(), found.is_empty()) {
        (Some(only), true) => Ok(only),
        (Some(_), false) => {
            Err(bad_input(format!("the condition on `{}` must hold one test", field.key)))
        }
        (None, _) => {
            Err(bad_input(format!("the condition on `{}` tests nothing known", field.key)))
        }
    }
}

fn matching(matching: Matching) -> Result<Match, Status> {
    Ok(match matching.match_value {
        Some(ProtoMatch::Keyword(keyword)) => keyword.into(),
        Some(ProtoMatch::Integer(integer)) => integer.into(),
        Some(ProtoMatch::Boolean(flag)) => flag.into(),
        Some(ProtoMatch::Text(text)) => Match::new_text(&text),
        Some(ProtoMatch::TextAny(text_any)) => Match::TextAny(MatchTextAny { text_any }),
        Some(ProtoMatch::Phrase(phrase)) => Match::Phrase(MatchPhrase { phrase }),
        Some(ProtoMatch::Keywords(list)) => list.strings.into(),
        Some(ProtoMatch::Integers(list)) => list.integers.into(),
        Some(ProtoMatch::ExceptKeywords(list)) => Match::Except(MatchExcept::from(list.strings)),
        Some(ProtoMatch::ExceptIntegers(list)) => Match::Except(MatchExcept::from(list.integers)),
        Some(_) => return Err(unserved("this kind of match")),
        None => return Err(bad_input("a match is empty or unknown")),
    })
}

fn range(range: ProtoRange) -> Range<OrderedFloat<f64>> {
    Range { lt: range.lt, gt: range.gt, gte: range.gte, lte: range.lte }.map(OrderedFloat)
}

fn datetime_range(range: DatetimeRange) -> Result<Range<DateTimeWrapper>, Status> {
    Ok(Range {
        lt: range.lt.map(instant).transpose()?,
        gt: range.gt.map(instant).transpose()?,
        gte: range.gte.map(instant).transpose()?,
        lte: range.lte.map(instant).transpose()?,
    })
}

/// Reads an instant as the engine keeps it, in microseconds.
pub(crate) fn instant(time: Timestamp) -> Result<DateTimeWrapper, Status> {
    time.seconds
        .checked_mul(1_000_000)
        .and_then(|micros| micros.checked_add(i64::from(time.nanos) / 1_000))
        .and_then(DateTimeWrapper::from_timestamp)
        .ok_or_else(|| bad_input(format!("the instant {} s is out of range", time.seconds)))
}

fn values_count(values: ProtoCount) -> Result<ValuesCount, Status> {
    Ok(ValuesCount {
        lt: values.lt.map(count).transpose()?,
        gt: values.gt.map(count).transpose()?,
        gte: values.gte.map(count).transpose()?,
        lte: values.lte.map(count).transpose()?,
    })
}

/// Reads a number of things.
pub(crate) fn count(number: u64) -> Result<usize, Status> {
    usize::try_from(number).map_err(|_| bad_input(format!("{number} is too many")))
}
