use super::*;
use crate::{FakeCases, FakeDocuments, FakeIndex, all_cases_contracts};

#[test]
fn the_fake_documents_keep_the_contract() {
    pollster::block_on(disposal_contract(&FakeDocuments::default()));
}

#[test]
fn the_fake_index_keeps_the_contract() {
    pollster::block_on(cleanup_contract(&FakeIndex::default()));
}

#[test]
fn the_fake_cases_keep_the_contract() {
    pollster::block_on(all_cases_contracts(&FakeCases::default()));
}
