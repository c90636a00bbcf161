use super::*;
use lopdf::{Object, Stream, dictionary};
use proptest::prelude::*;

mod hard;
mod tables;

/// Returns a PDF whose pages show these lines.
fn pdf(pages: &[&str]) -> Vec<u8> {
    let line = |text: &&str| match *text {
        "" => String::new(),
        text => format!("BT /F1 12 Tf 50 700 Td ({text}) Tj ET"),
    };
    drawn(&pages.iter().map(line).collect::<Vec<_>>())
}

/// Returns a PDF with the operators of these pages.
fn drawn(pages: &[String]) -> Vec<u8> {
    let mut document = Document::with_version("1.5");
    let tree = document.new_object_id();
    let font = document.add_object(dictionary! {
        "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Helvetica", "Encoding" => "MacRomanEncoding",
    });
    let resources = document.add_object(dictionary! { "Font" => dictionary! { "F1" => font } });
    let mut kids: Vec<Object> = Vec::new();
    for operators in pages {
        let content = Stream::new(dictionary! {}, operators.as_bytes().to_vec());
        let content = document.add_object(content);
        let page = dictionary! {
            "Type" => "Page", "Parent" => tree, "Contents" => content, "Resources" => resources,
        };
        kids.push(document.add_object(page).into());
    }
    let count = i64::try_from(kids.len()).unwrap();
    let pages = dictionary! { "Type" => "Pages", "Kids" => kids, "Count" => count };
    document.objects.insert(tree, Object::Dictionary(pages));
    let catalog = document.add_object(dictionary! { "Type" => "Catalog", "Pages" => tree });
    document.trailer.set("Root", catalog);
    let mut bytes = Vec::new();
    document.save_to(&mut bytes).unwrap();
    bytes
}

#[test]
fn each_page_is_a_section() {
    let Extract { text, cut, .. } =
        read(&pdf(&["The seal wore out.", "", "It was replaced."])).unwrap();
    let section_and_text = |piece: &super::super::Piece| {
        (piece.section.join(""), text[piece.range.clone()].to_owned())
    };
    assert_eq!(
        cut.pieces.iter().map(section_and_text).collect::<Vec<_>>(),
        [
            ("page 1".to_owned(), "The seal wore out.".to_owned()),
            ("page 3".to_owned(), "It was replaced.".to_owned())
        ]
    );
}

#[test]
fn letters_that_a_printer_joined_are_apart() {
    let Extract { text, .. } = read(&pdf(&["A speci\\336cation."])).unwrap();
    assert_eq!(text.trim(), "A specification.");
}

#[test]
fn pages_that_share_their_content_count_each() {
    let mut document = Document::load_mem(&pdf(&[""; 40])).unwrap();
    let content = document.add_object(Stream::new(dictionary! {}, b"0 0 m ".repeat(PAGE / 6)));
    for id in document.get_pages().into_values() {
        let page = document.get_dictionary_mut(id).unwrap();
        page.set("Contents", content);
    }
    let mut bytes = Vec::new();
    document.save_to(&mut bytes).unwrap();
    assert!(read(&bytes).unwrap_err().starts_with("grows to more than"));
}

#[test]
fn what_cannot_be_read_says_why() {
    let reason = |bytes: &[u8]| read(bytes).unwrap_err();
    assert!(reason(&pdf(&["", ""])).starts_with("holds no text, only images"));
    assert!(reason(b"%PDF-1.5\nnothing").starts_with("is no PDF that can be read"));
    assert!(reason(b"").starts_with("is no PDF that can be read"));
    let mut encrypted = Document::load_mem(&pdf(&["secret"])).unwrap();
    let id = Object::string_literal("0123456789abcdef");
    encrypted.trailer.set("ID", vec![id.clone(), id]);
    let version = lopdf::EncryptionVersion::V2 {
        document: &encrypted,
        owner_password: "owner",
        user_password: "user",
        key_length: 128,
        permissions: lopdf::Permissions::all(),
    };
    let state = lopdf::EncryptionState::try_from(version).unwrap();
    encrypted.encrypt(&state).unwrap();
    let mut bytes = Vec::new();
    encrypted.save_to(&mut bytes).unwrap();
    assert_eq!(reason(&bytes), ENCRYPTED);
}

proptest! {
    #[test]
    fn a_damaged_file_is_refused_or_read_and_nothing_else(
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
        end in any::<prop::sample::Index>(),
        is_cut in any::<bool>(),
    ) {
        let mut bytes = pdf(&["The seal wore out.", "It was replaced."]);
        for (at, byte) in damage {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if is_cut {
            bytes.truncate(end.index(bytes.len()));
        }
        let _ = read(&bytes);
    }
}

#[test]
fn asterisks_of_a_page_stay_and_its_file_says_who_wrote_it() {
    let mut document = Document::load_mem(&pdf(&["X = 2*pi*f*L ohms"])).unwrap();
    let text = |text: &str| Object::string_literal(text);
    let information = document.add_object(dictionary! {
        "Title" => text("Pump manual"), "Author" => text("Ann"), "ModDate" => text("D:20260503120000Z"),
    });
    document.trailer.set("Info", information);
    let mut bytes = Vec::new();
    document.save_to(&mut bytes).unwrap();
    let Extract { text, stated, .. } = read(&bytes).unwrap();
    assert_eq!(text.trim(), "X = 2*pi*f*L ohms");
    assert_eq!(stated.title.as_deref(), Some("Pump manual"));
    assert_eq!(
        (stated.author.as_deref(), stated.time.as_deref()),
        (Some("Ann"), Some("2026-05-03"))
    );
}
