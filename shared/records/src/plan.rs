//! A query that is checked and compiled.

use std::collections::{BTreeMap, HashSet};

use wire::records::{Condition, RecordsRequest, Scalar, Select};

use super::Loaded;
use super::by::By;
use super::check::check;
use super::names::{BUILT_IN, Names};
use super::pair::Pair;
use super::shape::Shape;
use super::test::Test;
use super::when::When;
use model::{Error, Result};

/// Upper bound for the columns by which records are grouped.
pub(super) const GROUPS: usize = 4;
const ROWS: u32 = 1_000;
const ROWS_UNASKED: u32 = 20;

/// An order of rows.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Order {
    Value,
    Time,
    Column(String),
}

/// A query that can be run.
#[derive(Debug)]
pub struct Plan {
    pub(super) files: Option<Test>,
    pub(super) instances: Option<Test>,
    pub(super) lines: Option<Test>,
    pub(super) times: Option<When>,
    pub(super) clocks: Option<When>,
    pub(super) templates: Option<HashSet<String>>,
    pub(super) texts: Option<Test>,
    pub(super) columns: Vec<(String, Test)>,
    pub(super) pairs: Vec<Pair>,
    pub(super) by: Vec<(String, By)>,
    pub(super) select: Select,
    pub(super) of: Option<String>,
    /// True if dates of the column are wanted, and not numbers.
    pub(super) of_dates: bool,
    pub(super) percentile: f64,
    pub(super) order: (Order, bool),
    pub(super) limit: usize,
    pub(super) shape: Shape,
}

impl Plan {
    /// Checks a query against the existing columns.
    ///
    /// # Errors
    /// [`Error::Invalid`] with the field: for an unknown column with the most similar names, and
    /// for a bound that is not a value of its column with what the column contains.
    pub fn of(request: &RecordsRequest, loaded: &Loaded) -> Result<Plan> {
        let names = Names::of(loaded);
        let mut plan = Plan::bare(request)?;
        for (name, condition) in &in_columns(request, loaded)?.conditions {
            check(name, condition)?;
            let (pairs, condition) = if BUILT_IN.contains(&name.as_str()) {
                (Vec::new(), Some(condition.clone()))
            } else {
                Pair::split(name, condition, &names)?
            };
            plan.pairs.extend(pairs);
            if let Some(condition) = &condition {
                plan.add(name, condition, &names)?;
            }
        }
        if request.group_by.len() > GROUPS {
            return Err(Error::invalid("group_by", "must have at most 4 columns"));
        }
        for name in &request.group_by {
            plan.by.push((name.clone(), names.group(name)?));
        }
        if plan.select.is_of_numbers() && request.of.is_none() {
            return Err(Error::invalid("of", "must name the column whose numbers are wanted"));
        }
        if let Some(column) = &request.of {
            plan.take(column, &names, "of")?;
        }
        plan.order = order(request, &plan, &names)?;
        if let (Order::Column(name), Select::List) = (&plan.order.0, plan.select) {
            plan.take(&name.clone(), &names, "order")?;
        }
        Ok(plan)
    }

    /// Sets the column whose numbers or dates are wanted.
    fn take(&mut self, column: &str, names: &Names<'_>, field: &'static str) -> Result<()> {
        let column = names.resolve(column, field)?;
        let refused = |reason: String| Err(Error::invalid(field, reason));
        if column == "time" {
            return refused("`time` is for `first` and `last`".into());
        }
        if BUILT_IN.contains(&column.as_str()) {
            return refused(format!("`{column}` has no numbers that can be taken"));
        }
        let of_files = names.named(&column);
        let takes_dates = matches!(self.select, Select::Min | Select::Max | Select::List);
        if takes_dates && !of_files.has_order() {
            return refused(format!("`{column}` {}", of_files.instead_of("numbers or dates")));
        }
        if self.select.is_of_numbers() && !takes_dates && !of_files.has_numbers() {
            return refused(format!("`{column}` {}", of_files.instead_of("numbers")));
        }
        self.of_dates = takes_dates && of_files.has_dates();
        self.of = Some(column);
        Ok(())
    }

    fn bare(request: &RecordsRequest) -> Result<Plan> {
        let percentile = request.percentile.unwrap_or(50.0);
        let wants_percentile = request.select == Select::Percentile;
        if wants_percentile && request.percentile.is_none() || !(0.0..=100.0).contains(&percentile)
        {
            return Err(Error::invalid("percentile", "must be a number from 0 to 100"));
        }
        let limit = request.limit.unwrap_or(ROWS_UNASKED);
        if limit == 0 || limit > ROWS {
            return Err(Error::invalid("limit", "must be from 1 to 1000"));
        }
        Ok(Plan {
            files: None,
            instances: None,
            lines: None,
            times: None,
            clocks: None,
            templates: None,
            texts: None,
            columns: Vec::new(),
            pairs: Vec::new(),
            by: Vec::new(),
            select: request.select,
            of: None,
            of_dates: false,
            percentile,
            order: (Order::Time, false),
            limit: limit as usize,
            shape: Shape::WHOLE,
        })
    }

    fn add(&mut self, name: &str, condition: &Condition, names: &Names<'_>) -> Result<()> {
        let test = || {
            let test = Test::of(condition);
            names.check_bounds(name, &test).map(|()| test)
        };
        match name {
            "file" => self.files = Some(test()?),
            "instance" => self.instances = Some(test()?),
            "line" => self.lines = Some(test()?),
            "time" => self.times = Some(When::of_moments(condition)?),
            "clock" => self.clocks = Some(When::of_clocks(condition)?),
            "template" => self.templates = Some(ids(condition)?),
            "text" => self.texts = Some(Test::of(condition)),
            _ => self.columns.push((name.to_owned(), test()?)),
        }
        Ok(())
    }
}

/// Returns the query with each column under the name that the records use.
///
/// # Errors
/// [`Error::Invalid`] for an unknown column, and for a column with two conditions.
pub fn in_columns(request: &RecordsRequest, loaded: &Loaded) -> Result<RecordsRequest> {
    let names = Names::of(loaded);
    let mut conditions = BTreeMap::new();
    for (name, condition) in &request.conditions {
        let column = names.resolve(name, "where")?;
        if conditions.insert(column.clone(), condition.clone()).is_some() {
            return Err(Error::invalid(format!("where.{column}"), "is there twice"));
        }
    }
    Ok(RecordsRequest { conditions, ..request.clone() })
}

fn ids(condition: &Condition) -> Result<HashSet<String>> {
    match condition {
        Condition::Is(one) => Ok(HashSet::from([one.text()])),
        Condition::AnyOf(all) => Ok(all.iter().map(Scalar::text).collect()),
        Condition::Bounds(_) => {
            Err(Error::invalid("where.template", "must be an id or a list of ids"))
        }
    }
}

fn order(request: &RecordsRequest, plan: &Plan, names: &Names<'_>) -> Result<(Order, bool)> {
    let is_of_time = plan.by.iter().all(|(_, by)| by.is_of_time());
    let Some(text) = &request.order else {
        let is_grouped = !plan.by.is_empty() && !is_of_time;
        return Ok(if is_grouped { (Order::Value, true) } else { (Order::Time, false) });
    };
    let (name, is_descending) = match text.strip_prefix('-') {
        Some(name) => (name, true),
        None => (text.as_str(), false),
    };
    let order = match name {
        "value" | "count" => Order::Value,
        "time" => Order::Time,
        _ if plan.by.iter().any(|(group, _)| group == name) => Order::Column(name.to_owned()),
        _ => {
            let column = names.resolve(name, "order")?;
            let by = plan.by.iter().find(|(_, by)| *by == By::Column(column.clone()));
            match by {
                Some((group, _)) => Order::Column(group.clone()),
                None if plan.by.is_empty() && plan.select == Select::List => Order::Column(column),
                None if plan.by.is_empty() => {
                    let reason = "must be `value` or `time`: only a list is ordered by a column";
                    return Err(Error::invalid("order", reason));
                }
                None => {
                    let reason = "must be `value` or one of the columns in `group_by`";
                    return Err(Error::invalid("order", reason));
                }
            }
        }
    };
    Ok((order, is_descending))
}
