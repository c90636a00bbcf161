//! Tells headings, fences of code and rows of columns from other lines.

pub(super) fn has_columns(line: &str) -> bool {
    line.trim().contains("   ")
}

pub(super) fn is_fence(line: &str) -> bool {
    ["```", "~~~"].iter().any(|mark| line.trim_start().starts_with(mark))
}

/// Returns true for a heading's own line, and for the rule below a heading.
pub(super) fn is_heading(line: &str) -> bool {
    let line = line.trim();
    let rest = line.trim_start_matches('#');
    (rest.len() < line.len() && (rest.is_empty() || rest.starts_with(' ')))
        || ['=', '-'].iter().any(|mark| line.trim_matches(*mark).is_empty())
}

/// Returns true if a block of prose is a heading by the rule below it.
pub(super) fn is_title(block: &str, rule: &str) -> bool {
    rule.trim().len() > 2 && !rule.contains('#') && !block.trim_end().contains('\n')
}
