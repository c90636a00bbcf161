//! Has a language model grade numbered texts, all of them in one call.
//!
//! Zheng and others, Judging LLM-as-a-Judge with MT-Bench and Chatbot Arena, 2023. A grade is one of a few words, so that nothing
//! that a model writes is shown; what follows from it is decided here.

use serde::Deserialize;
use serde_json::json;

use wire::trial::ModelPart;

use crate::ports::{Model, Prompt, Tool};
use crate::{Error, Result};

/// The most tokens that an id and its grade take.
const TOKENS: u32 = 50;

/// How texts are graded.
pub(crate) struct Grading<'a> {
    /// The part of the work that it is.
    pub part: ModelPart,
    /// The meaning of each grade, for the model.
    pub rules: &'a str,
    /// The grades, the lowest first.
    pub grades: &'a [&'a str],
}

/// The most grades of one text.
const MOST: usize = 2;

#[derive(Deserialize)]
struct Form {
    grades: Vec<Graded>,
}

#[derive(Deserialize)]
struct Graded {
    id: String,
    grade: String,
}

impl Grading<'_> {
    /// Has `model` grade what `texts` shows under `ids`. Gives the place of each grade in the order of `ids`; `None` for an id that
    /// the model left out.
    ///
    /// # Errors
    /// [`Error::Unavailable`] where the model fails, leaves the form, or grades nothing.
    pub(crate) async fn of(
        &self,
        texts: &str,
        ids: &[String],
        model: &dyn Model,
    ) -> Result<Vec<Option<usize>>> {
        let all = self.all(texts, ids, model).await?;
        // In doubt it is the lowest.
        Ok(all.into_iter().map(|grades| grades.into_iter().min()).collect())
    }

    /// As [`Grading::of`], with all grades that the model gives a text, at most two.
    ///
    /// # Errors
    /// As [`Grading::of`].
    pub(crate) async fn all(
        &self,
        texts: &str,
        ids: &[String],
        model: &dyn Model,
    ) -> Result<Vec<Vec<usize>>> {
        let graded = json!({
            "type": "object",
            "properties": {"id": {"enum": ids}, "grade": {"enum": self.grades}},
            "required": ["id", "grade"],
        });
        let list = json!({"type": "array", "items": graded, "maxItems": MOST * ids.len()});
        let schema =
            json!({"type": "object", "properties": {"grades": list}, "required": ["grades"]});
        let description = "Gives each text its grade";
        let prompt = Prompt {
            part: Some(self.part),
            system: self.rules,
            user: texts,
            tool: Some(Tool { name: "grades", description, schema: &schema }),
            max_tokens: TOKENS
                .saturating_mul(u32::try_from(MOST * ids.len() + 1).unwrap_or(u32::MAX)),
            temperature: 0.0,
        };
        let unusable = |cause: &'static str| Error::unavailable("the language model", cause);
        // The parser's message would quote it.
        let form: Form = serde_json::from_value(model.complete(&prompt).await?.content)
            .map_err(|_| unusable("it left the form"))?;
        let place = |graded: &Graded| self.grades.iter().position(|grade| *grade == graded.grade);
        let of = |id: &String| -> Vec<usize> {
            let graded = form.grades.iter().filter(|graded| graded.id.trim() == id);
            graded.filter_map(place).take(MOST).collect()
        };
        let places: Vec<Vec<usize>> = ids.iter().map(of).collect();
        if !ids.is_empty() && places.iter().all(Vec::is_empty) {
            return Err(unusable("it graded nothing"));
        }
        Ok(places)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::testing::FakeModel;

    const GRADING: Grading<'_> =
        Grading { part: ModelPart::Grade, rules: "Grade.", grades: &["low", "high"] };

    fn graded(form: Value) -> Result<Vec<Option<usize>>> {
        let ids = ["p1".to_owned(), "p2".to_owned()];
        pollster::block_on(GRADING.of("texts", &ids, &FakeModel::of("grades", form)))
    }

    #[test]
    fn each_text_has_its_own_grade_in_whatever_order_they_come() {
        let form = json!({"grades": [
            {"id": "p2", "grade": "high"}, {"id": "p1", "grade": "low"}, {"id": "p7", "grade": "high"},
        ]});
        assert_eq!(graded(form).unwrap(), [Some(0), Some(1)]);
        let form =
            json!({"grades": [{"id": "p2", "grade": "high"}, {"id": "p1", "grade": "middle"}]});
        assert_eq!(graded(form).unwrap(), [None, Some(1)]);
    }

    #[test]
    fn a_text_may_have_two_grades_and_where_one_is_wanted_the_lowest_counts() {
        let form = json!({"grades": [{"id": "p2", "grade": "high"}, {"id": "p2", "grade": "low"}]});
        assert_eq!(graded(form.clone()).unwrap(), [None, Some(0)]);
        let (ids, model) = (["p2".to_owned()], FakeModel::of("grades", form));
        assert_eq!(pollster::block_on(GRADING.all("texts", &ids, &model)).unwrap(), [[1, 0]]);
    }

    #[test]
    fn a_model_that_grades_nothing_or_leaves_the_form_is_unavailable() {
        for form in [json!({"grades": []}), json!({"grades": "all"}), json!([])] {
            assert!(matches!(graded(form), Err(Error::Unavailable { .. })));
        }
    }
}
