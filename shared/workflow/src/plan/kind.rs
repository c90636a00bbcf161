//! What a passage gives to somebody who plans: something to follow, a risk, a lesson, a precedent.

/// What a passage can give.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Good {
    /// Something to follow: a checklist, a procedure, an outline.
    Template,
    /// What can go wrong, and what it costs.
    Risk,
    /// What past work or a failure taught.
    Lesson,
    /// What was decided before in such a matter.
    Precedent,
}

impl Good {
    /// All of them, in order.
    pub(super) const ALL: [Good; 4] = [Good::Template, Good::Risk, Good::Lesson, Good::Precedent];

    /// What a boost says of a passage that serves the facet.
    pub(super) fn reason(self) -> &'static str {
        match self {
            Good::Template => "gives something to follow",
            Good::Risk => "names a risk",
            Good::Lesson => "tells a lesson",
            Good::Precedent => "tells what was decided",
        }
    }
}

/// The facets in the order of [`Good`], each with the words it is searched with.
pub(super) const PROBES: [(&str, &str); 4] = [
    ("templates", "checklist template procedure steps"),
    ("risks", "risks failure modes drawbacks limitations"),
    ("lessons_learned", "lessons learned root cause recommendation"),
    ("precedents", "decision alternatives considered rationale"),
];

/// What to ask people where the documents give nothing of the kind on `subject`.
pub(super) fn suggested_question(good: Good, subject: &str) -> String {
    let subject = subject.trim_end_matches(['?', '.', '!', ' ']);
    match good {
        Good::Template => format!("Who has a checklist or a template for this: {subject}?"),
        Good::Risk => format!("What could go wrong here, and who would see it first: {subject}?"),
        Good::Lesson => {
            format!("Who has done this before, and what would they do otherwise: {subject}?")
        }
        Good::Precedent => format!(
            "Who decided on something like this before, and how did it turn out: {subject}?"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_facet_asks_about_the_subject() {
        for good in Good::ALL {
            let question = suggested_question(good, "Move the search?");
            assert!(question.ends_with(": Move the search?"), "{question}");
        }
    }
}
