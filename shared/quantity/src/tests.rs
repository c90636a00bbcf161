//! What the reading of quantities promises.

mod forms;
mod laws;
mod spans;
mod traps;

use super::{Quantity, quantities};

/// The one quantity in a sentence with `form` in it, which must be all of `form`.
fn only(form: &str) -> Quantity {
    let sentence = format!("We saw {form}, and that was it.");
    let mut found = quantities(&sentence);
    assert_eq!(found.len(), 1, "{form}: {found:?}");
    let quantity = found.remove(0);
    assert_eq!(quantity.text, form);
    quantity
}
