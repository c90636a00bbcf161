//! Source code: cut along its functions and types if its grammar is known, else at blank lines.

use std::ops::Range;

use tree_sitter::{Node, Parser, Tree};

use model::format::Language;

use super::split::LARGEST;
use super::{Cut, Definition, Piece, pieces};

mod label;

/// Upper bound for the bytes of a text that is parsed. A larger text is machine-made and is cut at
/// blank lines.
const PARSED: usize = 2 << 20;

/// Upper bound for the depth of nested definitions.
const DEPTH: usize = 6;

/// Upper bound for the bytes of a definition that shares a passage with its neighbors.
const SMALL: usize = LARGEST / 4;

/// A definition with its comments and attributes, or the text between two definitions.
struct Unit {
    /// The definitions around it, outermost first.
    within: Vec<String>,
    /// The label of the definition; `None` if it is not a definition.
    label: Option<String>,
    range: Range<usize>,
}

pub(super) fn cut(language: Language, text: &str) -> Cut {
    let Some(tree) = parsed(language, text) else {
        return Cut { pieces: pieces(text, 0..text.len(), &[]), ..Cut::default() };
    };
    let mut units = Vec::new();
    divide(tree.root_node(), 0..text.len(), text, &mut Vec::new(), &mut units);
    let piece = |Unit { within, label, range }: Unit| -> Vec<Piece> {
        let section: Vec<String> = within.into_iter().chain(label).collect();
        pieces(text, range, &section)
    };
    let pieces = joined(units).into_iter().flat_map(piece).collect();
    let mut definitions = Vec::new();
    define(tree.root_node(), text, 0, &mut definitions);
    Cut { title: None, pieces, definitions }
}

fn parsed(language: Language, text: &str) -> Option<Tree> {
    if text.len() > PARSED {
        return None;
    }
    let mut parser = Parser::new();
    parser.set_language(&grammar(language)?).ok()?;
    parser.parse(text, None)
}

/// Lists the definitions among the children of `node`, and the definitions within them.
fn define(node: Node<'_>, text: &str, depth: usize, definitions: &mut Vec<Definition>) {
    for child in node.named_children(&mut node.walk()) {
        definitions.extend(label::definition(child, text));
        if let Some(body) = label::body(child).filter(|_| depth < DEPTH) {
            define(body, text, depth + 1, definitions);
        }
    }
}

fn grammar(language: Language) -> Option<tree_sitter::Language> {
    Some(match language {
        Language::C => tree_sitter_c::LANGUAGE.into(),
        Language::Go => tree_sitter_go::LANGUAGE.into(),
        Language::Java => tree_sitter_java::LANGUAGE.into(),
        Language::JavaScript => tree_sitter_javascript::LANGUAGE.into(),
        Language::Python => tree_sitter_python::LANGUAGE.into(),
        Language::Rust => tree_sitter_rust::LANGUAGE.into(),
        Language::TypeScript => tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
        Language::Tsx => tree_sitter_typescript::LANGUAGE_TSX.into(),
        Language::Other => return None,
    })
}

/// Divides `range`, which covers all of `node`, among the node's children. Each child begins where
/// the one before ends, so that no text is lost.
fn divide(
    node: Node<'_>,
    range: Range<usize>,
    text: &str,
    within: &mut Vec<String>,
    units: &mut Vec<Unit>,
) {
    let starts = starts(node, text);
    let first = starts.first().map_or(range.end, |(start, _)| *start);
    units.push(Unit { within: within.clone(), label: None, range: range.start..first });
    for (number, (start, child)) in starts.iter().enumerate() {
        let end = starts.get(number + 1).map_or(range.end, |(next, _)| *next);
        let label = label::label(*child, text);
        let body = label::body(*child).filter(|_| end - start > LARGEST && within.len() < DEPTH);
        match (label, body) {
            (Some(label), Some(body)) => {
                within.push(label);
                divide(body, *start..end, text, within, units);
                within.pop();
            }
            (label, _) => units.push(Unit { within: within.clone(), label, range: *start..end }),
        }
    }
}

/// Returns the node's children with the start of each, including its comments and attributes.
fn starts<'t>(node: Node<'t>, text: &str) -> Vec<(usize, Node<'t>)> {
    let mut starts = Vec::new();
    let mut pending: Option<Range<usize>> = None;
    for child in node.named_children(&mut node.walk()) {
        let above = pending.take().filter(|above| {
            text.get(above.end..child.start_byte()).is_some_and(|gap| gap.matches('\n').count() < 2)
        });
        let start = above.map_or(child.start_byte(), |above| above.start);
        if label::is_remark(child) {
            pending = Some(start..child.end_byte().max(start));
        } else if text.is_char_boundary(start) {
            starts.push((start, child));
        }
    }
    starts
}

/// Joins small neighbors that have the same parent. Text without a definition is joined only with
/// text of the same kind, unless one of the two is very small.
fn joined(units: Vec<Unit>) -> Vec<Unit> {
    let mut joined: Vec<Unit> = Vec::new();
    for unit in units {
        match joined.last_mut() {
            Some(last) if belong_together(last, &unit) => {
                last.range.end = unit.range.end;
                last.label = match (last.label.take(), unit.label) {
                    (Some(label), Some(next)) => Some(format!("{label}, {next}")),
                    (label, next) => label.or(next),
                };
            }
            _ => joined.push(unit),
        }
    }
    joined
}

fn belong_together(last: &Unit, next: &Unit) -> bool {
    let is_like = last.label.is_none() == next.label.is_none()
        || last.range.len().min(next.range.len()) < SMALL / 4;
    let is_small = last.range.len() + next.range.len() <= LARGEST / 2 && next.range.len() <= SMALL;
    let is_remnant = last.label.is_none()
        && next.label.is_none()
        && last.range.len() + next.range.len() <= LARGEST;
    last.within == next.within && (is_like && is_small || is_remnant)
}

#[cfg(test)]
mod tests;
