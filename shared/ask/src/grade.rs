//! Grades numbered texts by a language model, all in one call.
//!
//! Zheng and others, Judging LLM-as-a-Judge with MT-Bench and Chatbot Arena, 2023. The reply has
//! one integer for each text: it takes few tokens, and small models keep to it. No text that a
//! model writes is shown, and this crate decides what follows from the grades.

use serde_json::{Map, Value, json};

use wire::trial::ModelPart;

use model::{Error, Result};
use ports::{Model, Prompt, Tool};

/// Upper bound for the tokens of the grade of one text.
const TOKENS: u32 = 16;

/// The way texts are graded.
pub struct Grading<'a> {
    /// The part of the work for which the model is called.
    pub part: ModelPart,
    /// The meaning of each grade, as told to the model.
    pub rules: &'a str,
    /// The highest grade. The lowest is 0.
    pub highest: usize,
}

/// Upper bound for the grades of one text.
const MOST: usize = 2;

impl Grading<'_> {
    /// Has `model` grade the texts in `texts`, which are marked with `ids`. Returns the grades in
    /// the order of `ids`; `None` for an id that the model left out.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if the model fails, does not keep to the form, or grades nothing.
    pub async fn grade(
        &self,
        texts: &str,
        ids: &[String],
        model: &dyn Model,
    ) -> Result<Vec<Option<usize>>> {
        let grade = json!({"type": "integer", "minimum": 0, "maximum": self.highest});
        let all = self.asked(texts, ids, &grade, "Gives each text its grade", model).await?;
        // If the model gives several grades, the lowest counts.
        Ok(all.into_iter().map(|grades| grades.into_iter().min()).collect())
    }

    /// Does the same as [`Grading::of`], but returns all grades that the model gives a text, at
    /// most two.
    ///
    /// # Errors
    /// Fails as [`Grading::of`] does.
    pub async fn all(
        &self,
        texts: &str,
        ids: &[String],
        model: &dyn Model,
    ) -> Result<Vec<Vec<usize>>> {
        let grade = json!({"type": "integer", "minimum": 0, "maximum": self.highest});
        let list = json!({"type": "array", "items": grade, "minItems": 1, "maxItems": MOST});
        self.asked(texts, ids, &list, "Gives each text its grade, or its two", model).await
    }

    async fn asked(
        &self,
        texts: &str,
        ids: &[String],
        grade: &Value,
        description: &str,
        model: &dyn Model,
    ) -> Result<Vec<Vec<usize>>> {
        let properties: Map<String, Value> =
            ids.iter().map(|id| (id.clone(), grade.clone())).collect();
        let schema = json!({"type": "object", "properties": properties, "required": ids});
        let prompt = Prompt {
            part: Some(self.part),
            system: self.rules,
            user: texts,
            tool: Some(Tool { name: "grades", description, schema: &schema }),
            max_tokens: TOKENS.saturating_mul(u32::try_from(ids.len() + 1).unwrap_or(u32::MAX)),
            temperature: 0.0,
        };
        let unusable = |cause: &'static str| Error::unavailable("the language model", cause);
        let Value::Object(form) = model.complete(&prompt).await?.content else {
            return Err(unusable("it left the form"));
        };
        let of = |id: &String| form.get(id).map_or_else(Vec::new, |given| self.grades(given));
        let grades: Vec<Vec<usize>> = ids.iter().map(of).collect();
        if !ids.is_empty() && grades.iter().all(Vec::is_empty) {
            return Err(unusable("it graded nothing"));
        }
        Ok(grades)
    }

    /// Returns the first valid grades that the model gave a text.
    fn grades(&self, given: &Value) -> Vec<usize> {
        let list = given.as_array().map_or(std::slice::from_ref(given), Vec::as_slice);
        let grades = list.iter().filter_map(|grade| usize::try_from(grade.as_u64()?).ok());
        grades.filter(|grade| *grade <= self.highest).take(MOST).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::FakeModel;

    const GRADING: Grading<'_> = Grading { part: ModelPart::Grade, rules: "Grade.", highest: 1 };

    fn graded(form: Value) -> Result<Vec<Option<usize>>> {
        let ids = ["p1".to_owned(), "p2".to_owned()];
        pollster::block_on(GRADING.grade("texts", &ids, &FakeModel::of("grades", form)))
    }

    #[test]
    fn each_text_has_its_own_grade_and_what_is_none_is_left_out() {
        assert_eq!(graded(json!({"p2": 1, "p1": 0, "p7": 1})).unwrap(), [Some(0), Some(1)]);
        for none in [json!(2), json!(-1), json!("high"), json!(null), json!([])] {
            assert_eq!(graded(json!({"p2": 1, "p1": none})).unwrap(), [None, Some(1)]);
        }
    }

    #[test]
    fn a_text_may_have_two_grades_and_where_one_is_wanted_the_lowest_counts() {
        let form = json!({"p2": [1, 0]});
        assert_eq!(graded(form.clone()).unwrap(), [None, Some(0)]);
        let (ids, model) = (["p2".to_owned()], FakeModel::of("grades", form));
        assert_eq!(pollster::block_on(GRADING.all("texts", &ids, &model)).unwrap(), [[1, 0]]);
    }

    #[test]
    fn a_model_that_grades_nothing_or_leaves_the_form_is_unavailable() {
        for form in [json!({}), json!({"grades": 1}), json!("all"), json!([1, 1])] {
            assert!(matches!(graded(form), Err(Error::Unavailable { .. })));
        }
    }
}
