use super::*;
use crate::{FakeCases, FakeDocuments, FakeIndex, alerts_contract, team_cases_contract};

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
    pollster::block_on(cases_contract(&FakeCases::default()));
    pollster::block_on(team_cases_contract(&FakeCases::default()));
    pollster::block_on(alerts_contract(&FakeCases::default()));
}
