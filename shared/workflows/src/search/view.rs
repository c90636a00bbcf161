//! The finds of a search as they are shown: conflicts, results, and the sources that were asked.

use views::wording::count;
use views::{
    Block, Card, Cell, Depth, Field, Item, Reference, ReportView, Row, Section, Table, Words,
};
use wire::search::{
    AskedWhen, Conflict, ConflictKind, RelatedResult, Routing, SearchReport, SearchResult,
};

/// The most conflicts that short forms show.
const CONFLICTS: usize = 3;

/// Shows the sources that were asked, where results disagree, and the results.
pub const VIEW: ReportView<SearchReport> =
    ReportView { kind: |_| "Search".into(), blocks, is_shown_always: false };

fn blocks(report: &SearchReport) -> Vec<Block<'_>> {
    let results = report.results.iter().enumerate();
    let results = results.map(|(place, result)| card(place + 1, result, &report.results));
    let nothing = "Nothing like this is in the indexed documents.";
    let nothing = report.results.is_empty().then(|| Block::remark(nothing));
    let conflicts = report.conflicts.iter().enumerate().map(|(place, conflict)| {
        let depth = if place < CONFLICTS { Depth::First } else { Depth::Full };
        Card { depth, ..disagreement(conflict) }
    });
    let title = count(report.results.len(), "result");
    let later = later(&report.routing).map(Block::remark);
    [Block::remark(report.routing.reason.as_str())]
        .into_iter()
        .chain(later)
        .chain(nothing)
        .chain(Block::section("They disagree", "", vec![Block::Cards(conflicts.collect())]))
        .chain(Block::section(title, "", vec![Block::Cards(results.collect())]))
        .chain([sources(&report.routing)])
        .collect()
}

/// Names the sources that were asked later.
fn later(routing: &Routing) -> Option<String> {
    let later = routing.sources.iter().filter(|source| source.asked == AskedWhen::Later);
    let later: Vec<&str> = later.map(|source| source.name.as_str()).collect();
    let names = later.join(", ");
    (!later.is_empty()).then(|| format!("These did not suffice, so {names} were asked, too."))
}

/// Lists the sources, and the number of their results.
fn sources(routing: &Routing) -> Block<'_> {
    let row = |source: &'_ wire::search::RoutedSource| {
        let asked = match source.asked {
            AskedWhen::First => "at once",
            AskedWhen::Later => "later",
            AskedWhen::No => "no",
        };
        let found = source.found.map(|found| found.to_string()).unwrap_or_default();
        let cells = [asked.to_owned(), found];
        cells.map(|text| Cell { text: text.into(), ..Cell::default() })
    };
    let rows = routing.sources.iter().map(|source| Row {
        name: source.name.as_str().into(),
        remark: String::new(),
        cells: row(source).into(),
    });
    let head = ["Source", "Asked", "Found"].map(Into::into).into();
    let blocks = vec![Block::Table(Table { head, rows: rows.collect() })];
    let (title, remark) = (Words::Plain("Sources".into()), String::new());
    Block::Section(Section { title, remark, depth: Depth::Full, blocks })
}

/// Shows all sides of a conflict, without preferring one.
pub fn disagreement(conflict: &Conflict) -> Card<'_> {
    let kind = match conflict.kind {
        ConflictKind::Quantity => "values",
        ConflictKind::Version => "versions",
        ConflictKind::Negation => "yes and no",
    };
    let sides = conflict.sides.iter().map(|side| {
        let marks = [
            side.is_newest.then_some("newest"),
            side.has_most_authority.then_some("most authority"),
        ];
        let marks: Vec<&str> = marks.into_iter().flatten().collect();
        let words = Words::Verbatim(&side.passage.file, &side.statement);
        Item {
            label: side.value.as_str().into(),
            remark: marks.join(", "),
            place: Some(&side.passage),
            ..Item::of(words)
        }
    });
    let sides = Field { label: "".into(), items: sides.collect(), depth: Depth::First };
    let title = conflict.subject.as_str().into();
    Card { title, tags: vec![kind.into()], fields: vec![sides], ..Card::default() }
}

fn card<'a>(number: usize, result: &'a SearchResult, all: &'a [SearchResult]) -> Card<'a> {
    let SearchResult { result, sources, symbols, also_at, related } = result;
    let symbols: Vec<String> = symbols
        .iter()
        .map(|symbol| format!("{} {}:{}", symbol.kind, symbol.name, symbol.line))
        .collect();
    let places: Vec<&str> = also_at.iter().map(|place| place.file.as_str()).collect();
    let remarks = [
        (!symbols.is_empty()).then(|| format!("Defines {}", symbols.join(", "))),
        (!places.is_empty()).then(|| format!("The same in {}", places.join(", "))),
    ];
    let other = |related: &'a RelatedResult| {
        let is_it =
            |other: &SearchResult| other.result.passage.passage_id == related.result.passage_id;
        let number = all.iter().position(is_it).map(|place| place + 1);
        Reference { words: Some(related.by.join(", ")), ..Reference::to(&related.result, number) }
    };
    let others: Vec<Reference<'_>> = related.iter().map(other).collect();
    Card {
        tags: sources.iter().map(|source| source.as_str().into()).collect(),
        remarks: remarks.into_iter().flatten().collect(),
        related: (!others.is_empty()).then_some(("See also", others)),
        ..Card::result(number, result)
    }
}
