//! The uses of a passage for a planner: a template, a risk, a lesson, a precedent.

/// A use of a passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Good {
    /// A template: a checklist, a procedure, an outline.
    Template,
    /// A risk, with its cost.
    Risk,
    /// A lesson from past work or from a failure.
    Lesson,
    /// A decision that was taken before on such a question.
    Precedent,
}

impl Good {
    /// All uses, in order.
    pub(super) const ALL: [Good; 4] = [Good::Template, Good::Risk, Good::Lesson, Good::Precedent];

    /// Returns the name of the boost for a passage with this use.
    pub(super) fn reason(self) -> &'static str {
        match self {
            Good::Template => "gives something to follow",
            Good::Risk => "names a risk",
            Good::Lesson => "tells a lesson",
            Good::Precedent => "tells what was decided",
        }
    }
}

/// The facets in the order of [`Good`], each with the words to search for.
pub(super) const PROBES: [(&str, &str); 4] = [
    ("templates", "checklist template procedure steps"),
    ("risks", "risks failure modes drawbacks limitations"),
    ("lessons_learned", "lessons learned root cause recommendation"),
    ("precedents", "decision alternatives considered rationale"),
];
