//! A language model, and the parts that it does in place of rules.

use wire::trial::ModelPart;

use crate::Model;

/// A language model, and the parts that it does. A part that its trial does not give it is done by rules.
#[derive(Clone, Copy)]
pub struct Chat<'a> {
    /// The model.
    pub model: &'a dyn Model,
    /// Its name.
    pub name: &'a str,
    /// What it does.
    pub parts: &'a [ModelPart],
}

impl<'a> Chat<'a> {
    /// The model, where it does this part.
    pub fn doing(&self, part: ModelPart) -> Option<&'a dyn Model> {
        self.parts.contains(&part).then_some(self.model)
    }

    /// Tells models apart, and one model before and after its trial: what was kept is given again for the same one only.
    pub fn key(&self) -> String {
        let parts: Vec<&str> = self.parts.iter().map(|part| part.name()).collect();
        format!("{} {}", self.name, parts.join(" "))
    }
}
