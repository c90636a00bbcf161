//! Tests the reading of quantities.

mod forms;
mod laws;
mod spans;
mod traps;

use super::{Quantity, quantities};

/// Returns the only quantity in a sentence that contains `form`; its text must be all of `form`.
fn only(form: &str) -> Quantity {
    let sentence = format!("We saw {form}, and that was it.");
    let mut found = quantities(&sentence);
    assert_eq!(found.len(), 1, "{form}: {found:?}");
    let quantity = found.remove(0);
    assert_eq!(quantity.text, form);
    quantity
}
