//! Past failures as they are shown: the nearest ones that name no cause, those that name one by
//! their causes, then the others.

use model::evidence::{Place, Quote};
use views::{Block, Card, Depth, Field, Item, Reference, ReportView, Section, Words};
use wire::rcca::{AlsoRead, Cause, Failure, RccaReport};

/// Shows the reports, what was checked then, and what else was read.
pub const VIEW: ReportView<RccaReport> =
    ReportView { kind: |_| "What failed like this before".into(), blocks, is_shown_always: false };

fn blocks(report: &RccaReport) -> Vec<Block<'_>> {
    let causes = report.causes.iter().filter_map(|cause| group(report, cause)).collect();
    let is_under_cause = |failure: &Failure| report.causes.iter().any(|cause| cause.is_of(failure));
    // The cause of another report is not told before the report that is nearest.
    let ahead = report.results.iter().position(is_under_cause).unwrap_or(report.results.len());
    let silent = cards(report, |place, _| place < ahead, None);
    let others = cards(report, |place, failure| place > ahead && !is_under_cause(failure), None);
    // A report that is like the question only weakly may name one, and makes no group.
    let is_named = report.results[..ahead].iter().any(|one| one.report.root_cause.is_some());
    let nearest = match ahead {
        _ if is_named => "The first of these name no cause.",
        1 => "It names no cause.",
        _ => "They name no cause.",
    };
    let checks = report.to_check.iter().map(|check| Item {
        of: vec![Reference::to(&check.result, number(report, &check.result))],
        ..Item::quote(&check.result.file, &check.quote)
    });
    let (nearer, also): (Vec<_>, Vec<_>) =
        report.also_read.iter().map(read).partition(|card| !card.fields.is_empty());
    let nothing = "No report of a failure like this is in the indexed documents.";
    let nothing = report.results.is_empty().then(|| Block::remark(nothing));
    let sections = [
        Block::section("Nearest, not read as reports of failures", "", vec![Block::Cards(nearer)]),
        Block::section("Nearest", nearest, vec![Block::Cards(silent)]),
        Block::section("Causes", "", causes),
        Block::section("Other reports", "", vec![Block::Cards(others)]),
        Block::section(
            "Checked then, and not in the question",
            "",
            vec![Block::Items(checks.collect())],
        ),
        Block::section("Also read: no reports of failures", "", vec![Block::Cards(also)]),
    ];
    nothing.into_iter().chain(sections.into_iter().flatten()).collect()
}

/// What reports no failure, with its words where it is nearer than the failures.
fn read(read: &AlsoRead) -> Card<'_> {
    let words = read.matched.as_ref();
    let words = words
        .map(|quote| Field::quotes("Nearest words", Depth::First, &read.passage.file, [quote]));
    Card {
        strength: read.strength,
        fields: words.into_iter().collect(),
        ..Card::place(&read.passage)
    }
}

/// A cause in the words of its best report, with all reports that name it.
fn group<'a>(report: &'a RccaReport, cause: &'a Cause) -> Option<Block<'a>> {
    let (best, quote) = cause.best(&report.results)?;
    let title = Words::Quoted(&best.passage.file, quote);
    let remark = views::wording::count(cause.support, "report");
    let cards = cards(report, |_, failure| cause.is_of(failure), Some(quote));
    let blocks = vec![Block::Cards(cards)];
    Some(Block::Section(Section { title, remark, depth: Depth::First, blocks }))
}

fn number(report: &RccaReport, place: &Place) -> Option<usize> {
    let is_it = |failure: &Failure| failure.passage.passage_id == place.passage_id;
    report.results.iter().position(is_it).map(|place| place + 1)
}

fn cards<'a>(
    report: &'a RccaReport,
    is_shown: impl Fn(usize, &Failure) -> bool,
    cause: Option<&'a Quote>,
) -> Vec<Card<'a>> {
    let numbered =
        report.results.iter().enumerate().filter(|(place, failure)| is_shown(*place, failure));
    numbered.map(|(place, failure)| card(place + 1, failure, cause)).collect()
}

/// A report with its fields. Its root cause is left out where it is the `cause` above.
fn card<'a>(number: usize, failure: &'a Failure, cause: Option<&'a Quote>) -> Card<'a> {
    let (told, file) = (&failure.report, failure.passage.file.as_str());
    let root_cause = told.root_cause.as_ref().filter(|quote| Some(*quote) != cause);
    let field = |label, depth, quotes: &'a [Quote]| Field::quotes(label, depth, file, quotes);
    // Of all but the first report, one of the two says what it is about.
    let is_said = number > 1 && failure.matched.is_some();
    let symptoms = if is_said { Depth::Full } else { Depth::First };
    let timeline = told
        .timeline
        .iter()
        .map(|event| Item { label: event.time.as_str().into(), ..Item::quote(file, &event.event) });
    let fields = vec![
        field("Nearest words", Depth::First, failure.matched.as_slice()),
        field("Symptoms", symptoms, &told.symptoms),
        Field::quotes("Root cause", Depth::First, file, root_cause),
        field("Factors", Depth::Full, &told.contributing_factors),
        field("Impact", Depth::Full, &told.impact),
        field("Resolution", Depth::First, told.resolution.as_slice()),
        Field { label: "Timeline".into(), items: timeline.collect(), depth: Depth::Folded },
        field("Checked", Depth::Folded, &told.checked),
        field("Ruled out", Depth::Folded, &told.denied),
        field("Actions", Depth::Folded, &told.actions),
    ];
    let is_silent = fields.iter().all(|field| field.items.is_empty()) && cause.is_none();
    Card {
        number: Some(number),
        strength: failure.strength,
        fields,
        text: is_silent.then_some(&failure.text),
        score: Some(&failure.score_parts),
        ..Card::place(&failure.passage)
    }
}
