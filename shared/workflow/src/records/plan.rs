//! A query that was checked and compiled.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use wire::records::{Condition, ConditionForm, RecordsRequest, Scalar, Select};

use super::Loaded;
use super::test::Test;
use super::when::When;
use crate::{Error, Result};

/// Columns that every record has, besides its own.
pub(super) const BUILT_IN: [&str; 7] =
    ["file", "instance", "line", "time", "clock", "template", "text"];

/// Columns that may be asked for even where no record has them.
const OF_LOGS: [&str; 2] = ["level", "code"];

/// Parts of time that records are grouped by, with their length in microseconds.
const BUCKETS: [(&str, i64); 3] =
    [("minute", 60_000_000), ("hour", 3_600_000_000), ("day", 86_400_000_000)];

/// Other names that people use for columns.
const ALIASES: [(&str, &str); 16] = [
    ("status", "code"),
    ("status_code", "code"),
    ("ip", "client"),
    ("client_ip", "client"),
    ("url", "path"),
    ("uri", "path"),
    ("user_agent", "agent"),
    ("size", "bytes"),
    ("severity", "level"),
    ("broker", "instance"),
    ("node", "instance"),
    ("msg", "message"),
    ("trace_id", "id"),
    ("latency", "duration"),
    ("setting", "key"),
    ("name", "key"),
];

/// The most columns that records are grouped by.
pub(super) const GROUPS: usize = 4;
/// The most values of a condition.
const VALUES: usize = 200;

const ROWS: u32 = 1_000;
const ROWS_UNASKED: u32 = 20;

/// A way to group records.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum By {
    File,
    Instance,
    Template,
    Column(String),
    /// Parts of time, with their length in microseconds.
    Bucket(&'static str, i64),
}

/// An order of rows.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Order {
    Value,
    Time,
    Column(String),
}

/// A query that can be carried out.
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
    pub(super) by: Vec<(String, By)>,
    pub(super) select: Select,
    pub(super) of: Option<String>,
    pub(super) percentile: f64,
    pub(super) order: (Order, bool),
    pub(super) limit: usize,
}

impl Plan {
    /// Checks a query against the columns that exist.
    ///
    /// # Errors
    /// [`Error::Invalid`] names the field, and for an unknown column those that exist.
    pub fn of(request: &RecordsRequest, loaded: &Loaded) -> Result<Plan> {
        let names = Names::of(loaded);
        let mut plan = Plan::bare(request)?;
        for (name, condition) in &in_columns(request, loaded)?.conditions {
            check_values(name, condition)?;
            plan.add(name, condition)?;
        }
        if request.group_by.len() > GROUPS {
            return Err(Error::invalid("group_by", "must have at most 4 columns"));
        }
        for name in &request.group_by {
            plan.by.push((name.clone(), names.group(name)?));
        }
        plan.of = request.of.as_ref().map(|column| names.resolve(column, "of")).transpose()?;
        if plan.select.is_of_numbers() && plan.of.is_none() {
            return Err(Error::invalid("of", "must name the column whose numbers are wanted"));
        }
        plan.order = order(request, &plan, &names)?;
        if let (Order::Column(name), Select::List) = (&plan.order.0, plan.select) {
            plan.of = Some(name.clone());
        }
        Ok(plan)
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
            by: Vec::new(),
            select: request.select,
            of: None,
            percentile,
            order: (Order::Time, false),
            limit: limit as usize,
        })
    }

    fn add(&mut self, name: &str, condition: &Condition) -> Result<()> {
        if let Condition::Bounds(ConditionForm { gte, gt, lte, lt, all, .. }) = condition {
            let has_bounds = gte.is_some() || gt.is_some() || lte.is_some() || lt.is_some();
            if matches!(name, "time" | "clock") && !all.is_empty() {
                return Err(Error::invalid(format!("where.{name}"), "takes no `all`"));
            }
            if name == "text" && has_bounds {
                return Err(Error::invalid("where.text", "takes no bounds"));
            }
        }
        match name {
            "file" => self.files = Some(Test::of(condition)),
            "instance" => self.instances = Some(Test::of(condition)),
            "line" => self.lines = Some(Test::of(condition)),
            "time" => self.times = Some(When::of_moments(condition)?),
            "clock" => self.clocks = Some(When::of_clocks(condition)?),
            "template" => self.templates = Some(ids(condition)?),
            "text" => self.texts = Some(Test::of(condition)),
            _ => self.columns.push((name.to_owned(), Test::of(condition))),
        }
        Ok(())
    }
}

/// Returns the query with each column under the name that the records have for it.
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

fn check_values(name: &str, condition: &Condition) -> Result<()> {
    let field = || format!("where.{name}");
    let count = match condition {
        Condition::Is(_) => 1,
        Condition::AnyOf(all) if all.is_empty() => {
            return Err(Error::invalid(field(), "must have a value"));
        }
        Condition::AnyOf(all) => all.len(),
        Condition::Bounds(form) => form.not.len() + form.all.len(),
    };
    let is_fit = count <= VALUES;
    let refused = || Error::invalid(field(), "must have at most 200 values");
    is_fit.then_some(()).ok_or_else(refused)
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
    let is_of_time = plan.by.iter().all(|(_, by)| matches!(by, By::Bucket(..)));
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
                None if plan.by.is_empty() => Order::Column(column),
                None => {
                    let reason = "must be `value` or one of the columns in `group_by`";
                    return Err(Error::invalid("order", reason));
                }
            }
        }
    };
    Ok((order, is_descending))
}

/// The names of the columns that exist.
struct Names<'l>(BTreeSet<&'l str>);

impl<'l> Names<'l> {
    fn of(loaded: &'l Loaded) -> Names<'l> {
        let heads = loaded.documents.iter().flat_map(|recorded| &recorded.file.header.columns);
        Names(heads.map(|head| head.name.as_str()).collect())
    }

    /// Returns the column that a name means.
    fn resolve(&self, name: &str, field: &'static str) -> Result<String> {
        let name = name.trim().to_lowercase();
        let is_known = |name: &str| {
            BUILT_IN.contains(&name) || OF_LOGS.contains(&name) || self.0.contains(name)
        };
        if is_known(&name) {
            return Ok(name);
        }
        let alias = ALIASES.iter().find(|(alias, column)| *alias == name && is_known(column));
        if let Some((_, column)) = alias {
            return Ok((*column).to_owned());
        }
        let all: Vec<&str> = BUILT_IN.into_iter().chain(self.0.iter().copied()).collect();
        let reason = format!("there is no column `{name}`; there are {}", all.join(", "));
        Err(Error::invalid(field, reason))
    }

    fn group(&self, name: &str) -> Result<By> {
        if let Some((bucket, length)) = BUCKETS.iter().find(|(bucket, _)| *bucket == name) {
            return Ok(By::Bucket(bucket, *length));
        }
        Ok(match self.resolve(name, "group_by")?.as_str() {
            "file" => By::File,
            "instance" => By::Instance,
            "template" => By::Template,
            "time" | "clock" | "line" | "text" => {
                let reason = format!(
                    "records cannot be grouped by `{name}`; by minute, hour or day they can"
                );
                return Err(Error::invalid("group_by", reason));
            }
            column => By::Column(column.to_owned()),
        })
    }
}
