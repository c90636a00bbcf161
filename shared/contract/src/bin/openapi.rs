//! Writes infra/openapi.json and infra/routes.json: `make openapi`.

use std::path::Path;

use serde_json::Value;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let infra = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../infra");
    let document = contract::document(|operation| example(&infra, operation));
    std::fs::write(infra.join("openapi.json"), serde_json::to_string_pretty(&document)? + "\n")?;
    std::fs::write(infra.join("routes.json"), contract::table())?;
    Ok(())
}

/// The reply that the demo gave, where one was kept.
fn example(infra: &Path, operation: &str) -> Option<Value> {
    let text = std::fs::read_to_string(infra.join(format!("examples/{operation}.json"))).ok()?;
    serde_json::from_str(&text).ok()
}
