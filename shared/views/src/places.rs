//! The places of a view, in the order in which a reader meets them.

use model::evidence::Place;

use crate::view::{Block, Card, Item, View};

/// Returns the places of a view in the order in which a reader meets them, each once.
pub fn places<'a>(view: &View<'a>) -> Vec<&'a Place> {
    let mut found: Vec<&Place> = Vec::new();
    blocks(&view.blocks, &mut |place: &'a Place| {
        if !found.iter().any(|known| known.passage_id == place.passage_id) {
            found.push(place);
        }
    });
    found
}

fn blocks<'a>(all: &[Block<'a>], meet: &mut impl FnMut(&'a Place)) {
    for block in all {
        match block {
            Block::Verdict(_) | Block::Notice(..) | Block::Remark(_) => {}
            Block::Section(section) => blocks(&section.blocks, meet),
            Block::Cards(all) => all.iter().for_each(|one| card(one, meet)),
            Block::Items(all) => items(all, meet),
            Block::Table(table) => {
                let cells = table.rows.iter().flat_map(|row| &row.cells);
                cells.for_each(|cell| items(&cell.items, meet));
            }
            Block::Claim(claim) => claim.citations.iter().for_each(|cited| meet(cited.place)),
        }
    }
}

fn card<'a>(card: &Card<'a>, meet: &mut impl FnMut(&'a Place)) {
    card.place.into_iter().for_each(&mut *meet);
    card.fields.iter().for_each(|field| items(&field.items, meet));
}

fn items<'a>(all: &[Item<'a>], meet: &mut impl FnMut(&'a Place)) {
    for item in all {
        item.place.into_iter().for_each(&mut *meet);
        item.of.iter().for_each(|reference| meet(reference.place));
    }
}
