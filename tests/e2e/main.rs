//! Tests the deployed template as its users do: `MiniStack` runs the functions, each within its own
//! role.
//!
//! The tests share one stack and run one after another, because some of them disable a part of it.

#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use libtest_mimic::{Arguments, Failed, Trial};
use plumbline_tests::Stack;
use serde_json::Value;
use std::sync::{Arc, Mutex};

mod access;
mod alerts;
mod answer;
mod budget;
mod case;
mod clients;
mod custom;
mod digest;
mod exact;
mod explore;
mod failing;
mod fault;
mod keys;
mod knowledge;
mod life;
mod login;
mod machine;
mod mode;
mod orders;
mod owner;
mod pages;
mod plan;
mod project;
mod quota;
mod records;
mod reindex;
mod rerank;
mod review;
mod score;
mod search;
mod tenant;
mod trade;

type Test = fn(&Stack) -> anyhow::Result<()>;

fn tests() -> Vec<(&'static str, Test)> {
    [
        answer::TESTS,
        budget::TESTS,
        trade::TESTS,
        exact::TESTS,
        explore::TESTS,
        custom::TESTS,
        access::TESTS,
        alerts::TESTS,
        login::TESTS,
        machine::TESTS,
        keys::TESTS,
        life::TESTS,
        reindex::TESTS,
        case::TESTS,
        clients::TESTS,
        knowledge::TESTS,
        records::TESTS,
        mode::TESTS,
        rerank::TESTS,
        search::TESTS,
        tenant::TESTS,
        project::TESTS,
        orders::TESTS,
        owner::TESTS,
        quota::TESTS,
        pages::TESTS,
        plan::TESTS,
        review::TESTS,
        digest::TESTS,
        failing::TESTS,
        fault::bedrock::TESTS,
        fault::index::TESTS,
        fault::table::TESTS,
        fault::files::TESTS,
        fault::queue::TESTS,
        fault::killed::TESTS,
        fault::token::TESTS,
    ]
    .concat()
}

fn main() {
    let arguments = Arguments::from_args();
    let tests = tests();
    if arguments.list {
        libtest_mimic::run(&arguments, trials(&tests, &Arc::default())).exit();
    }
    let stack: Arc<Mutex<Option<Stack>>> = Arc::default();
    match Stack::up()
        .and_then(|up| up.plumbline("ann", &["ingest", "tests/corpus"]).map(|report| (up, report)))
    {
        Ok((up, report)) => {
            eprintln!("demo corpus: {report}");
            *stack.lock().unwrap() = Some(up);
        }
        Err(error) => {
            eprintln!("the stack does not come up: {error:#}");
            std::process::exit(101);
        }
    }
    let one_by_one = Arguments { test_threads: Some(1), ..arguments };
    let conclusion = libtest_mimic::run(&one_by_one, trials(&tests, &stack));
    drop(stack.lock().unwrap().take());
    conclusion.exit();
}

/// Returns the results of an rcca answer: past failures, then the other passages about the subject.
pub(crate) fn found(answer: &Value) -> Vec<Value> {
    let lists = [&answer["results"], &answer["also_read"]];
    let mut all: Vec<Value> =
        lists.into_iter().filter_map(Value::as_array).flatten().cloned().collect();
    for found in &mut all {
        found["passage_id"] = found["passage"]["passage_id"].clone();
    }
    all
}

fn trials(tests: &[(&'static str, Test)], stack: &Arc<Mutex<Option<Stack>>>) -> Vec<Trial> {
    let trial = |(name, test): &(&'static str, Test)| {
        let (test, stack) = (*test, stack.clone());
        Trial::test(*name, move || {
            let stack = stack.lock().map_err(|_| Failed::from("an earlier test panicked"))?;
            let stack = stack.as_ref().ok_or_else(|| Failed::from("there is no stack"))?;
            test(stack).map_err(|error| Failed::from(format!("{error:#}")))
        })
    };
    tests.iter().map(trial).collect()
}
