use super::*;
use model::document::{document_id, passage_id};
use testing::{Corpus, FakeMembers, caller};

const SECRET: &str = "hunter2-Zx81";

struct Site {
    corpus: Corpus,
    id: String,
}

impl Site {
    fn new() -> Site {
        let text = format!("# Database\n\nThe password: {SECRET} is for the standby.\n");
        let corpus = pollster::block_on(Corpus::of(&[("db.md", text.as_str())]));
        let document = document_id(&Scope::Global, "db.md");
        Site { corpus, id: passage_id(document, "01A", 0).to_string() }
    }

    fn show(&self, scope: &Scope, reveal: Option<&str>) -> Result<PassageReply> {
        let caller = Caller { groups: vec!["knowledge-admins".into()], ..caller("ann") };
        self.show_to(&caller, scope, reveal)
    }

    fn show_to(
        &self,
        caller: &Caller,
        scope: &Scope,
        reveal: Option<&str>,
    ) -> Result<PassageReply> {
        let services = Services {
            index: &self.corpus.index,
            originals: &self.corpus.index,
            documents: &self.corpus.documents,
            members: &FakeMembers::default(),
        };
        let wanted = Wanted { passage_id: Some(&self.id), reveal, ..Wanted::default() };
        pollster::block_on(show(&services, caller, scope, wanted))
    }
}

#[test]
fn secrets_are_shown_to_those_who_ask_for_them_and_the_hash_is_the_same() {
    let site = Site::new();
    let masked = site.show(&Scope::Global, None).unwrap();
    let open = site.show(&Scope::Global, Some("true")).unwrap();
    assert!(!masked.text.contains(SECRET) && masked.is_masked, "{}", masked.text);
    assert!(open.text.contains(SECRET) && !open.is_masked, "{}", open.text);
    assert_eq!(masked.hash, open.hash);
}

#[test]
fn secrets_of_everyones_knowledge_base_are_shown_to_those_who_fill_it() {
    let (site, anybody) = (Site::new(), caller("eve"));
    assert!(site.show_to(&anybody, &Scope::Global, None).unwrap().is_masked);
    let denied = site.show_to(&anybody, &Scope::Global, Some("true"));
    assert!(matches!(denied, Err(Error::Denied { .. })));
}

#[test]
fn a_passage_of_another_scope_is_not_shown_open_or_masked() {
    let site = Site::new();
    for reveal in [None, Some("true")] {
        let scope = Scope::User("ann".into());
        assert!(matches!(site.show(&scope, reveal), Err(Error::Missing { .. })));
    }
    let odd = site.show(&Scope::Global, Some("yes"));
    assert!(matches!(odd, Err(Error::Malformed { .. })));
}

/// Returns the passage of a file that contains a line.
fn at(corpus: &Corpus, file: &str, line: Option<&str>) -> Result<PassageReply> {
    show_in(corpus, Wanted { file: Some(file), line, ..Wanted::default() })
}

fn show_in(corpus: &Corpus, wanted: Wanted<'_>) -> Result<PassageReply> {
    let services = Services {
        index: &corpus.index,
        originals: &corpus.index,
        documents: &corpus.documents,
        members: &FakeMembers::default(),
    };
    pollster::block_on(show(&services, &caller("ann"), &Scope::Global, wanted))
}

#[test]
fn a_passage_is_found_by_file_and_line_and_leads_to_those_around_it() {
    let section = |number: usize| {
        format!("## Step {number}\n\n{}\n\n", format!("Turn valve {number} slowly. ").repeat(30))
    };
    let text: String = (1..=9).map(section).collect();
    let corpus = pollster::block_on(Corpus::of(&[("valves.md", text.as_str())]));
    let line = |wanted: &str| text.lines().position(|line| line == wanted).unwrap() + 1;
    for number in 1..=9 {
        let at_line = (line(&format!("## Step {number}")) + 1).to_string();
        let found = at(&corpus, "valves.md", Some(&at_line)).unwrap();
        assert!(found.text.contains(&format!("valve {number} ")), "{at_line}: {}", found.text);
        assert_eq!((found.previous.is_some(), found.next.is_some()), (number > 1, number < 9));
    }
    assert!(at(&corpus, "valves.md", None).unwrap().text.contains("valve 1 "));
}

#[test]
fn a_passage_is_found_by_its_page() {
    let page = |number: usize| {
        let text = format!("Turn valve {number} slowly. ").repeat(60);
        format!("## page {number}\n\nFirst.\n\n{text}\n\n### Deeper\n\n{text}\n\n")
    };
    let text: String = (1..=9).filter(|number| *number != 4).map(page).collect();
    let corpus = pollster::block_on(Corpus::of(&[("valves.md", text.as_str())]));
    let at = |page: &str| {
        show_in(&corpus, Wanted { file: Some("valves.md"), page: Some(page), ..Wanted::default() })
    };
    for page in ["1", "2", "9"] {
        let found = at(page).unwrap();
        assert!(found.text.contains("First.") && found.text.contains(&format!("valve {page} ")));
    }
    for page in ["4", "10"] {
        assert!(matches!(at(page), Err(Error::Missing { kind: "page", .. })), "{page}");
    }
    assert!(matches!(at("two"), Err(Error::Malformed { .. })));
}

#[test]
fn a_file_that_is_not_there_is_missing_and_a_line_must_be_a_number() {
    let corpus = pollster::block_on(Corpus::of(&[("a.md", "# A\n\nText.\n")]));
    assert!(matches!(at(&corpus, "b.md", None), Err(Error::Missing { kind: "document", .. })));
    for line in ["0", "-1", "three"] {
        assert!(matches!(at(&corpus, "a.md", Some(line)), Err(Error::Malformed { .. })), "{line}");
    }
}
