//! A language model, and the parts that it does instead of rules.

use wire::trial::ModelPart;

use crate::Model;

/// A language model, and the parts that it does. The rules do the parts that its trial does not
/// assign to it.
#[derive(Clone, Copy)]
pub struct Chat<'a> {
    /// The model.
    pub model: &'a dyn Model,
    /// Its name.
    pub name: &'a str,
    /// The parts that it does.
    pub parts: &'a [ModelPart],
}

impl<'a> Chat<'a> {
    /// Returns the model if it does this part.
    pub fn doing(&self, part: ModelPart) -> Option<&'a dyn Model> {
        self.parts.contains(&part).then_some(self.model)
    }

    /// Returns a key that differs between models, and for one model before and after its trial. A
    /// stored entry is used again only under the same key.
    pub fn key(&self) -> String {
        let parts: Vec<&str> = self.parts.iter().map(|part| part.name()).collect();
        format!("{} {}", self.name, parts.join(" "))
    }
}
