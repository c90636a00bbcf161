use testing::{
    all_cases_contracts, closing_contract, disposal_contract, documents_contract, keys_contract,
    projects_contract, storage_quota_contract, trail_contract, trials_contract,
};

use super::*;

/// Returns a table of its own for each contract.
fn table(folder: &tempfile::TempDir, name: &str) -> Table {
    open(&folder.path().join(name)).unwrap().0
}

#[tokio::test(flavor = "current_thread")]
async fn the_table_keeps_its_contracts() {
    let folder = tempfile::tempdir().unwrap();
    documents_contract(&table(&folder, "documents")).await;
    storage_quota_contract(&table(&folder, "quota")).await;
    disposal_contract(&table(&folder, "disposal")).await;
    all_cases_contracts(&table(&folder, "cases")).await;
    closing_contract(&table(&folder, "closing")).await;
    projects_contract(&table(&folder, "projects")).await;
    trail_contract(&table(&folder, "trail")).await;
    trials_contract(&table(&folder, "trials")).await;
    keys_contract(&table(&folder, "keys")).await;
}

#[tokio::test(flavor = "current_thread")]
async fn what_is_written_is_there_when_the_file_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let record = testing::record("a.md", "01A");
    let scope = record.scope.clone();
    ports::Documents::announce(&table(&folder, "one"), &record, None).await.unwrap();
    let again = table(&folder, "one");
    let found = ports::Documents::document(&again, &scope, record.document_id).await.unwrap();
    assert_eq!(found.map(|found| found.version), Some("01A".into()));
}

#[tokio::test(flavor = "current_thread")]
async fn a_table_lacks_nothing_that_a_deployed_one_has() {
    let folder = tempfile::tempdir().unwrap();
    let contents = ports::Standing::contents(&table(&folder, "one")).await.unwrap().unwrap();
    assert_eq!(contents.differs, Vec::<String>::new());
}

/// After a way back to an earlier release, items of the later one are there.
#[tokio::test(flavor = "current_thread")]
async fn an_item_of_a_later_release_is_read_and_what_only_that_knows_stays() {
    let folder = tempfile::tempdir().unwrap();
    let (table, database) = open(&folder.path().join("one")).unwrap();
    let record = testing::record("a.md", "01A");
    ports::Documents::announce(&table, &record, None).await.unwrap();
    let key = json!({"pk": {"S": "SCOPE#global"}, "sk": {"S": format!("DOCUMENT#{}", record.document_id)}});
    let later = json!({
        "TableName": NAME, "Key": key, "UpdateExpression": "SET later = :later",
        "ExpressionAttributeValues": {":later": {"M": {"what": {"S": "is not known yet"}}}},
    });
    database.update_item(serde_json::from_value(later).unwrap()).unwrap();
    let read = async || {
        let found = ports::Documents::document(&table, &record.scope, record.document_id).await;
        found.unwrap().unwrap()
    };
    assert_eq!(read().await.version, "01A");
    let live = testing::live("01A", &record);
    assert!(
        ports::Documents::settle(&table, &record.scope, record.document_id, &live).await.unwrap()
    );
    assert_eq!(read().await.live.map(|live| live.version), Some("01A".into()));
    let got = json!({"TableName": NAME, "Key": key});
    let got = database.get_item(serde_json::from_value(got).unwrap()).unwrap();
    let got = serde_json::to_value(&got).unwrap();
    assert_eq!(got["Item"]["later"]["M"]["what"]["S"], "is not known yet", "{got}");
}
