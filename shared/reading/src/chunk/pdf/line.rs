//! Lines of a page: words at one height, in segments that blanks or rules part.

use pdf_oxide::elements::PathContent;
use pdf_oxide::geometry::Rect;
use pdf_oxide::layout::Word;
use text::cjk;

/// Upper bound for the rules that are looked at. A page with more is a drawing.
const RULES: usize = 2_000;

/// The blanks that part segments, in sizes of their letters: between words, and beside a number.
const BLANK: f32 = 0.7;
const NUMBER: f32 = 0.4;

/// The most words of a label.
pub(super) const LABEL: usize = 3;

/// Words with narrow blanks between them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Segment {
    words: Vec<String>,
    pub(super) left: f32,
    pub(super) right: f32,
    /// True if a rule stands before it.
    pub(super) is_ruled: bool,
}

impl Segment {
    pub(super) fn text(&self) -> String {
        self.words.join(" ")
    }

    /// Returns the blank that parts `word` from it.
    fn blank(&self, word: &str) -> f32 {
        let is_beside = is_number(word) || self.words.last().is_some_and(|last| is_number(last));
        if is_beside { NUMBER } else { BLANK }
    }

    /// Returns the number of its words.
    fn length(&self) -> usize {
        self.words.iter().map(|word| words_of(word)).sum()
    }

    /// Returns true if it has more words than a label.
    pub(super) fn has_text(&self) -> bool {
        self.length() > LABEL
    }
}

/// Segments at one height, from left to right; one at least.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Line {
    /// Its number from the top of the page.
    pub(super) number: usize,
    pub(super) segments: Vec<Segment>,
    /// The height of its middle, and of its letters.
    pub(super) middle: f32,
    pub(super) size: f32,
    /// What all its words cover.
    pub(super) place: Rect,
}

impl Line {
    pub(super) fn left(&self) -> f32 {
        self.place.x
    }

    pub(super) fn right(&self) -> f32 {
        self.place.x + self.place.width
    }

    /// Leaves out segments with their middle between two places; returns true if any is left.
    pub(super) fn leave_out(&mut self, left: f32, right: f32) -> bool {
        self.segments.retain(|it| {
            let middle = f32::midpoint(it.left, it.right);
            middle <= left || right <= middle
        });
        let (Some(first), Some(last)) = (self.segments.first(), self.segments.last()) else {
            return false;
        };
        self.place.x = first.left;
        self.place.width = last.right - self.place.x;
        true
    }

    /// Returns true for a line of running text: many words, and few blanks between them.
    pub(super) fn is_text(&self) -> bool {
        let segments = self.segments.len();
        let words: usize = self.segments.iter().map(Segment::length).sum();
        let filled: f32 = self.segments.iter().map(|it| it.right - it.left).sum();
        let is_full = segments > 1 && filled > 0.9 * self.place.width;
        words > 12 && words > 6 * segments || words > 5 && words * 2 > segments * 5 && is_full
    }

    fn of(number: usize, mut words: Vec<&Word>, rules: &Rules) -> Option<Line> {
        words.sort_by(|one, other| one.bbox.x.total_cmp(&other.bbox.x));
        let middle = middle(words.first()?);
        let size = words.iter().map(|word| word.avg_font_size).fold(0.0, f32::max);
        let mut segments: Vec<Segment> = Vec::new();
        for word in &words {
            let (left, right) = (word.bbox.x, word.bbox.x + word.bbox.width);
            let Some(text) = without_leader(&word.text) else { continue };
            let is_ruled = segments.last().is_some_and(|last| rules.part(last.right, left, middle));
            match segments.last_mut() {
                Some(last) if !is_ruled && left - last.right < last.blank(text) * size => {
                    last.right = last.right.max(right);
                    last.words.push(text.to_owned());
                }
                _ => segments.push(Segment { words: vec![text.to_owned()], left, right, is_ruled }),
            }
        }
        let place = words.iter().map(|word| word.bbox).reduce(|all, one| all.union(&one))?;
        (!segments.is_empty()).then_some(Line { number, segments, middle, size, place })
    }
}

/// Returns the lines of these words from the top of the page on.
pub(super) fn lines(words: &[Word], rules: &Rules) -> Vec<Line> {
    let mut words: Vec<&Word> =
        words.iter().filter(|word| word.bbox.width >= 0.0 && !is_turned(word)).collect();
    words.sort_by(|one, other| middle(other).total_cmp(&middle(one)));
    let mut lines: Vec<Vec<&Word>> = Vec::new();
    for word in words {
        let is_of = |first: &Word| {
            middle(first) - middle(word) < 0.4 * first.bbox.height.min(word.bbox.height)
        };
        match lines.last_mut() {
            Some(line) if is_of(line[0]) => line.push(word),
            _ => lines.push(vec![word]),
        }
    }
    let mut found = Vec::with_capacity(lines.len());
    for words in lines {
        found.extend(Line::of(found.len(), words, rules));
    }
    found
}

pub(super) fn is_turned(word: &Word) -> bool {
    word.rotation_degrees.abs() > 1.0
}

/// Returns the number of words of a text, at least one.
pub(super) fn words_of(text: &str) -> usize {
    cjk::words(text).count().max(1)
}

fn middle(word: &Word) -> f32 {
    word.bbox.y + word.bbox.height / 2.0
}

/// Returns a word without the dots that lead to the next column, if anything else is left.
fn without_leader(word: &str) -> Option<&str> {
    let word = word.trim();
    let rest = word.trim_end_matches('.');
    let kept = if word.len() - rest.len() > 3 { rest } else { word };
    Some(kept).filter(|kept| !kept.is_empty())
}

/// Returns true for numbers, and for the dashes in their places.
pub(super) fn is_number(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let letters = text.chars().filter(|letter| !letter.is_whitespace()).count();
    digits > 0 && digits * 2 >= letters || matches!(text, "-" | "–" | "—")
}

/// A straight line that is drawn on a page.
#[derive(Debug, Clone, Copy)]
struct Rule {
    /// Its height, or for an upright one its distance from the left.
    at: f32,
    from: f32,
    to: f32,
}

/// The rules of a page: a path that is not thin has the four of the box around it.
#[derive(Debug, Default)]
pub(super) struct Rules {
    level: Vec<Rule>,
    upright: Vec<Rule>,
}

impl Rules {
    pub(super) fn of(paths: &[PathContent]) -> Rules {
        let mut rules = Rules::default();
        for path in paths.iter().filter(|path| path.is_table_primitive()) {
            let Rect { x, y, width, height } = path.rendered_bbox();
            let (level, upright) = (
                |at| Rule { at, from: x, to: x + width },
                |at| Rule { at, from: y, to: y + height },
            );
            match (width < 3.0, height < 3.0) {
                (_, true) => rules.level.push(level(y + height / 2.0)),
                (true, false) => rules.upright.push(upright(x + width / 2.0)),
                (false, false) => {
                    rules.level.extend([level(y), level(y + height)]);
                    rules.upright.extend([upright(x), upright(x + width)]);
                }
            }
        }
        if rules.level.len() + rules.upright.len() > RULES { Rules::default() } else { rules }
    }

    /// Returns true if an upright rule at this height stands between two places.
    pub(super) fn part(&self, left: f32, right: f32, height: f32) -> bool {
        // Letters may touch a rule.
        self.upright.iter().any(|rule| {
            left - 1.0 < rule.at && rule.at < right + 1.0 && rule.from < height && height < rule.to
        })
    }

    /// Returns true if rules between two lines go along half of the width of `place`.
    pub(super) fn lie_between(&self, above: &Line, below: &Line, place: &Rect) -> bool {
        let (left, right) = (place.x, place.x + place.width);
        let mut parts: Vec<(f32, f32)> = self
            .level
            .iter()
            .filter(|rule| below.middle < rule.at && rule.at < above.middle)
            .map(|rule| (rule.from.max(left), rule.to.min(right)))
            .collect();
        parts.sort_by(|one, other| one.0.total_cmp(&other.0));
        let (mut covered, mut end) = (0.0, left);
        for (from, to) in parts {
            covered += (to - from.max(end)).max(0.0);
            end = end.max(to);
        }
        covered * 2.0 > place.width
    }
}
