use model::Error;
use ports::scope::Caller;
use ports::{Members, scope};
use qdrant_client::QdrantError;
use tonic::{Code, Status, metadata::MetadataMap};
use wire::cases::CaseStatus;

use super::*;

struct Nobody;

#[async_trait]
impl Members for Nobody {
    async fn case(&self, _case: &str, _caller: &Caller) -> Result<Option<CaseStatus>> {
        Ok(None)
    }
}

/// Makes a client of an index that is not there.
fn connect(key: &str) -> Result<Qdrant> {
    Qdrant::connect("http://127.0.0.1:1", Some(key.into()), "plumbline", Purpose::Question)
}

/// All that the error and what it came from say of themselves, for people and for programmers.
fn error_text(error: &Error) -> String {
    format!("{} {error:?}", crate::aws::describe(error))
}

#[tokio::test(flavor = "current_thread")]
async fn a_key_with_a_line_end_is_sent_without_it_and_is_in_no_error() {
    let caller = Caller {
        sub: "ann".into(),
        groups: Vec::new(),
        scopes: Vec::new(),
        has_key: false,
        admin_group: "admins".into(),
    };
    let grant = scope::grant(&caller, &[], &Nobody).await.unwrap();
    let qdrant = connect("s3cret\n").unwrap();
    let error = qdrant.search(&grant, &Filters::default(), Vec::new()).await.unwrap_err();
    let text = error_text(&error);
    assert!(!text.contains("s3cret") && !text.contains("Malformed"), "{text}");
}

#[test]
fn a_key_that_no_header_can_carry_is_refused_by_the_settings_name_and_not_quoted() {
    for key in ["s3\ncret", "s3\u{7}cret", "s3 cret", "s3crét"] {
        let text = error_text(&connect(key).err().unwrap());
        assert!(text.contains("QDRANT_API_KEY must be visible ASCII"), "{text}");
        assert!(!text.contains("s3") && !text.contains("cr"), "{text}");
    }
}

#[tokio::test(flavor = "current_thread")]
async fn without_a_key_only_an_index_on_this_machine_is_asked() {
    let connect = |url: &str, key: Option<&str>| {
        Qdrant::connect(url, key.map(str::to_owned), "plumbline", Purpose::Question)
    };
    for key in [None, Some(""), Some(" \n")] {
        let refused = connect("https://qdrant.example:6334", key).err().unwrap();
        assert!(error_text(&refused).contains("QDRANT_API_KEY is missing"), "{key:?}");
        for here in ["http://127.0.0.1:6334", "http://localhost:6334", "http://[::1]:6334"] {
            assert!(connect(here, key).is_ok(), "{here} {key:?}");
        }
    }
    assert!(connect("https://qdrant.example:6334", Some("key\n")).is_ok());
}

#[test]
fn what_comes_back_beside_an_answer_is_not_told() {
    let mut headers = MetadataMap::new();
    headers.insert("api-key", "s3cret".parse().unwrap());
    let status = Status::with_metadata(Code::Unauthenticated, "wrong key", headers);
    let text = error_text(&failed(QdrantError::ResponseError { status }));
    assert!(text.contains("wrong key") && !text.contains("s3cret"), "{text}");
}

#[tokio::test(flavor = "current_thread")]
async fn an_index_that_stays_silent_is_asked_twice_within_six_seconds() {
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", silent.local_addr().unwrap());
    let connections = async {
        let mut open = Vec::new();
        loop {
            open.push(silent.accept().await.unwrap());
            assert!(open.len() <= 2, "a third connection");
        }
    };
    let caller = Caller {
        sub: "ann".into(),
        groups: Vec::new(),
        scopes: Vec::new(),
        has_key: false,
        admin_group: "admins".into(),
    };
    let grant = scope::grant(&caller, &[], &Nobody).await.unwrap();
    let qdrant = Qdrant::connect(&url, None, "plumbline", Purpose::Question).unwrap();
    let search = async { qdrant.passages(&grant, &[Uuid::nil()]).await };
    tokio::select! {
        answer = search => assert!(answer.is_err()),
        () = connections => unreachable!("it listens for ever"),
    }
}
