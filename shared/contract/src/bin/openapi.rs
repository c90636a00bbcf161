//! Prints the OpenAPI document. `make openapi` writes it to infra/openapi.json.

use std::path::Path;

use serde_json::Value;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../infra/examples");
    let document = contract::document(|operation| example(&folder, operation));
    let text = serde_json::to_string_pretty(&document)?;
    #[expect(clippy::print_stdout, reason = "this is what the program is for")]
    {
        println!("{text}");
    }
    Ok(())
}

/// The reply that the demo gave, where one was kept.
fn example(folder: &Path, operation: &str) -> Option<Value> {
    let text = std::fs::read_to_string(folder.join(format!("{operation}.json"))).ok()?;
    serde_json::from_str(&text).ok()
}
