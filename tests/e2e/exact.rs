//! Tests questions with identifiers and lines that few documents contain exactly.

use anyhow::{Context, Result, ensure};
use plumbline_tests::Stack;
use serde_json::{Value, json};

use crate::Test;
use crate::project::ok;

pub(crate) const TESTS: &[(&str, Test)] =
    &[("a pasted identifier or line brings the document that has it first", pasted)];

fn pasted(stack: &Stack) -> Result<()> {
    for (question, document) in [
        ("Has anybody seen certificate_expired before?", "turbine-telemetry-certificate.md"),
        ("What happened with hikari_active?", "checkout-pool-exhaustion.md"),
        (
            "What happened in postmortems/gateway-timeout-config-push.md?",
            "gateway-timeout-config-push.md",
        ),
    ] {
        let answer = ok(stack.rcca("ann", &json!({ "question": question }))?)?;
        let first = &answer["results"][0];
        let name = first["passage"]["file"].as_str().context("nothing was found")?;
        ensure!(name.ends_with(document), "{question}: {name}");
        let rankings = first["score_parts"]["rankings"].as_array().context("no rankings")?;
        let exact: Vec<&Value> =
            rankings.iter().filter(|ranking| ranking["retriever"] == "exact").collect();
        ensure!(exact.len() == 1 && exact[0]["score"] == 1.0, "{question}: {first}");
    }
    let plain = json!({"question": "Devices are refused by the broker with a TLS alert. What could it be?"});
    let plain = ok(stack.rcca("ann", &plain)?)?;
    ensure!(!plain["results"].to_string().contains("\"exact\""), "{plain}");
    Ok(())
}
