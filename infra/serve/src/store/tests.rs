use std::sync::Arc;

use lambda::LAST_RECEIVE;
use model::object::Upload;
use ports::scope::Scope;
use ports::{Files, Hiding, Removal, Removals, Task, Tasks};
use ring::hmac;
use ring::rand::SystemRandom;
use uuid::Uuid;

use super::files::Uploads;
use super::queue::{Content, Queues, Taken};
use super::*;

fn store(folder: &tempfile::TempDir) -> Arc<Store> {
    Arc::new(Store::open(&folder.path().join("store.db")).unwrap())
}

fn uploads(store: &Arc<Store>) -> Uploads {
    let key = hmac::Key::generate(hmac::HMAC_SHA256, &SystemRandom::new()).unwrap();
    let uploads = Uploads::new(Arc::clone(store), key);
    uploads.listening_at("http://127.0.0.1:7600".into());
    uploads
}

fn upload() -> Upload {
    let (scope, document_id) = (Scope::Team("a b/c".into()), Uuid::from_u128(7));
    Upload { scope, document_id, version: "01A".into() }
}

#[test]
fn a_file_of_another_version_is_refused_and_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    for (version, told) in [(VERSION + 1, "a later version"), (VERSION - 1, "an earlier version")] {
        let file = folder.path().join(format!("{version}.db"));
        let store = Store::open(&file).unwrap();
        store.connection().pragma_update(None, "user_version", version).unwrap();
        let refused = Store::open(&file).err().unwrap();
        assert!(refused.to_string().contains(told), "{refused}");
        let read = store.connection().pragma_query_value(None, "user_version", |row| row.get(0));
        assert_eq!(read, Ok(version));
    }
}

#[tokio::test(flavor = "current_thread")]
async fn what_is_hidden_is_not_present_until_its_mark_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    let files = uploads(&store(&folder));
    for key in ["a/1", "a/2", "b/1"] {
        files.write(key, b"x".to_vec()).await.unwrap();
    }
    files.hide(&["a/1".into()]).await.unwrap();
    let present = async |prefix| files.present(prefix, None).await.unwrap().items;
    assert_eq!((present("a/").await, present("").await.len()), (vec!["a/2".into()], 2));
    assert_eq!(files.read("a/1").await.unwrap(), None);
    assert!(files.copy_hidden("a/1", "a/3").await.unwrap());
    assert!(!files.copy("a/1", "a/4").await.unwrap());
    let versions = files.list("a/1", None).await.unwrap().items;
    assert_eq!(versions.len(), 2, "the version and the mark");
    let rest = files.list("a/", Some(&versions[1])).await.unwrap().items;
    assert_eq!(rest.iter().map(|file| file.key.as_str()).collect::<Vec<_>>(), ["a/2", "a/3"]);
    files.delete_versions(&versions[1..]).await.unwrap();
    assert_eq!(files.read("a/1").await.unwrap(), Some(b"x".to_vec()));
}

#[tokio::test(flavor = "current_thread")]
async fn a_file_is_sent_once_to_the_address_that_was_signed_for_it_and_to_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(&folder);
    let (files, queues) = (uploads(&store), Queues::open(Arc::clone(&store)).unwrap());
    let ticket = files.ticket(&upload().key(), "text/plain; a=b", 3).await.unwrap();
    let (path, query) =
        ticket.url.strip_prefix("http://127.0.0.1:7600").unwrap().split_once('?').unwrap();
    let now = jiff::Timestamp::now();
    let signed = files.signed(path, query, now).unwrap();
    assert_eq!((signed.content_type.as_str(), signed.bytes), ("text/plain; a=b", 3));
    let later = now + jiff::SignedDuration::from_mins(16);
    assert_eq!(files.signed(path, query, later), None);
    assert_eq!(files.signed(&path.replace("01A", "01B"), query, now), None);
    assert_eq!(files.signed(path, &query.replace("bytes=3", "bytes=4"), now), None);
    assert_eq!(uploads(&store).signed(path, query, now), None, "the key is another process's");
    assert!(files.receive(&signed, b"abc").unwrap());
    assert!(!files.receive(&signed, b"def").unwrap(), "it was sent already");
    assert_eq!(files.read(&upload().key()).await.unwrap(), Some(b"abc".to_vec()));
    assert_eq!(queues.take().unwrap().unwrap().content, Content::Upload(upload()));
    assert_eq!(queues.take().unwrap(), None);
}

#[tokio::test(flavor = "current_thread")]
async fn a_message_waits_until_its_work_is_done_also_where_the_process_ends_before() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(&folder);
    let queues = Queues::open(Arc::clone(&store)).unwrap();
    let removal = Removal::Case { case_id: "01C".into() };
    Removals::send(&queues, std::slice::from_ref(&removal)).await.unwrap();
    Tasks::send(&queues, &[Task::Configure {}]).await.unwrap();
    let first = queues.take().unwrap().unwrap();
    assert_eq!((first.receives, &first.content), (1, &Content::Removal(removal.clone())));
    let second = queues.take().unwrap().unwrap();
    assert_eq!(queues.take().unwrap(), None, "both are taken");
    assert!(!queues.are_empty().unwrap());
    queues.done(&second).unwrap();
    // Another process finds what was not done.
    let again = Queues::open(store).unwrap();
    let found = again.take().unwrap().unwrap();
    assert_eq!((found.receives, found.content), (2, Content::Removal(removal)));
    assert_eq!(again.take().unwrap(), None);
}

#[tokio::test(flavor = "current_thread")]
async fn a_message_that_fails_comes_back_later_and_is_given_up_after_its_last_try() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(&folder);
    let mut queues = Queues::open(Arc::clone(&store)).unwrap();
    Tasks::send(&queues, &[Task::Configure {}]).await.unwrap();
    let fail = |queues: &Queues, taken: &Taken| {
        queues.failed(taken, &model::Error::unavailable("the index", "down")).unwrap();
    };
    for number in 1..=LAST_RECEIVE {
        let taken = queues.take().unwrap().unwrap();
        assert_eq!(taken.receives, number);
        fail(&queues, &taken);
        assert_eq!(queues.take().unwrap(), None, "it waits for a while");
        queues = Queues::open(Arc::clone(&store)).unwrap();
    }
    assert_eq!(queues.take().unwrap(), None, "it was given up");
    assert!(queues.are_empty().unwrap());
}
