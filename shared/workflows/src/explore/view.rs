//! What is known of a subject as it is shown: facet by facet, then terms and gaps.

use model::evidence::Place;
use views::wording::{count, heading};
use views::{Block, Card, Depth, Field, Item, Reference, ReportView, not_covered, settled};
use wire::explore::{DefinedTerm, ExploreReport, FacetReport};

/// Shows the decisions on the subject, its facets with their passages, its terms and the gaps.
pub const VIEW: ReportView<ExploreReport> =
    ReportView { kind: |_| "What is known".into(), blocks, is_shown_always: false };

fn blocks(report: &ExploreReport) -> Vec<Block<'_>> {
    let places: Vec<&Place> = report
        .facets
        .iter()
        .flat_map(|facet| &facet.results)
        .map(|aspect| &aspect.result.passage)
        .collect();
    let nothing = places.is_empty().then(|| Block::remark("No indexed document speaks of this."));
    let mut blocks: Vec<Block<'_>> = settled(&report.decided).into_iter().chain(nothing).collect();
    if !places.is_empty() {
        blocks.extend(report.facets.iter().filter_map(|facet| section(facet, report, &places)));
    }
    let terms = report.terms.iter().map(term).collect();
    blocks.extend(Block::section(
        "Terms that several documents define",
        "",
        vec![Block::Cards(terms)],
    ));
    blocks.extend(not_covered(&report.gaps));
    blocks
}

/// A facet with its passages, and those that stand below another facet.
fn section<'a>(
    facet: &'a FacetReport,
    report: &'a ExploreReport,
    places: &[&'a Place],
) -> Option<Block<'a>> {
    let number = |place: &Place| {
        places.iter().position(|other| other.passage_id == place.passage_id).map(|at| at + 1)
    };
    let cards = facet.results.iter().map(|aspect| {
        let number = number(&aspect.result.passage).unwrap_or_default();
        Card::result(number, &aspect.result).also_in("Also", &aspect.also_in)
    });
    let others = report.facets.iter().filter(|other| other.facet != facet.facet);
    let of: Vec<Reference<'_>> = others
        .flat_map(|other| &other.results)
        .filter(|aspect| aspect.also_in.contains(&facet.facet))
        .map(|aspect| Reference::to(&aspect.result.passage, number(&aspect.result.passage)))
        .collect();
    let elsewhere_count = of.len();
    let elsewhere = (!of.is_empty()).then(|| Item { of, ..Item::plain("Shown elsewhere:") });
    let elsewhere = Block::Items(elsewhere.into_iter().collect());
    let blocks = vec![Block::Cards(cards.collect()), elsewhere];
    let (passages, documents) = (facet.coverage.passages, facet.coverage.documents);
    let shown = facet.results.len() + elsewhere_count;
    let best = if passages > shown { format!(", the best {shown} here") } else { String::new() };
    let coverage =
        format!("{} in {}{best}", count(passages, "passage"), count(documents, "document"));
    Block::section(heading(&facet.facet), coverage, blocks)
}

fn term(term: &DefinedTerm) -> Card<'_> {
    let definitions = term.definitions.iter().map(|definition| Item {
        place: Some(&definition.passage),
        ..Item::quote(&definition.passage.file, &definition.quote)
    });
    let items = definitions.collect();
    let fields = vec![Field { label: "".into(), items, depth: Depth::First }];
    Card { title: term.term.as_str().into(), fields, ..Card::default() }
}
