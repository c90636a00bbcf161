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
