//! Measures the memory that reading takes, with an allocator that counts.
//!
//! Lambda kills a function that takes more memory than it was given, and the person who uploaded
//! the document gets no message. `cargo test --workspace --test memory -- --ignored` measures files
//! of the largest size.

#![expect(clippy::print_stdout, reason = "it prints figures")]

use std::io::Write;
use std::sync::Mutex;

use model::item::Record;
use model::object::LARGEST;
use model::scope::Scope;
use office_oxide::docx::write::DocxWriter;
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Held by the test that measures: all tests share the allocator.
static MEASURING: Mutex<()> = Mutex::new(());

const MIB: usize = 1 << 20;

/// Returns a text of about `size` bytes that repeats the lines that `line` returns for each number.
fn lines(size: usize, line: impl Fn(usize) -> String) -> String {
    let mut text = String::with_capacity(size + 1_000);
    for number in 0.. {
        text.push_str(&line(number));
        if text.len() >= size {
            break;
        }
    }
    text.truncate(text.floor_char_boundary(size));
    text
}

/// The name under which a file is uploaded, and its text.
type File = (&'static str, String);

/// Returns typical files of about `size` bytes.
fn ordinary(size: usize) -> Vec<File> {
    let log = |n: usize| {
        let (minute, second, pump) = (n / 60 % 60, n % 60, n % 7);
        format!(
            "2026-11-20T18:{minute:02}:{second:02}Z ERROR pump-{pump} is at {n} mbar, valve {n} closed\n"
        )
    };
    let guide = |n: usize| {
        let step = "The pump ran at 7 bar until the seal failed. We chose a new one: the old one leaked 3 l/h.";
        format!(
            "## Step {n}\n\n{}\n\n- check valve {n}\n- the filter must hold 5 \u{b5}m\n\n",
            step.repeat(4)
        )
    };
    vec![
        ("ordinary.log", lines(size, log)),
        ("ordinary.md", lines(size, guide)),
        ("ordinary.txt", lines(size, |n| format!("The pump ran dry {n} times. "))),
        ("ordinary.jsonl", lines(size, |n| format!("{{\"a\":{n},\"b\":{{\"c\":[1,2]}}}}\n"))),
        ("ordinary.csv", lines(size, |n| format!("2026-11-20T18:00:00Z,{n},0.25,closed\n"))),
        ("ordinary.yaml", lines(size, |n| format!("key{n}: {n}\n"))),
        ("ordinary.rs", lines(size, |n| format!("fn f{n}() {{ let a = g({n}); h(a, a); }}\n"))),
    ]
}

/// Returns a record with many fields inside one field of this name.
fn named(name: &str) -> String {
    let fields: Vec<String> = (0..110).map(|x| format!("\"{x}\":1")).collect();
    format!("{{\"{name}\":{{{}}}}}\n", fields.join(","))
}

const MAIL: &str = "From: a@b.c\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n";
const CELL: &str = "{\"cell_type\":\"code\",\"source\":\"a\",\"outputs\":[{\"text\":\"b\"}]}";
const ISSUE: &str = "{\"key\":\"A-1\",\"fields\":{\"summary\":\"a\"}}";

/// Returns files that nobody writes by hand: many parts that take memory of their own, in few
/// bytes.
fn hostile(size: usize) -> Vec<File> {
    let words = |n: usize| -> String {
        let words: Vec<String> =
            ('a'..='h').map(|c| format!("{c}{}", n * 7_919 % 99_991)).collect();
        words.join(" ")
    };
    let fields = |n: usize| {
        let fields: Vec<String> = (0..110).map(|x| format!("\"{x}\":{}", n % 10)).collect();
        let fields = fields.join(",");
        format!("{{{fields}}}\n")
    };
    let long = "long ".repeat(size / 20);
    let half = "h".repeat(size / 2);
    let pairs = lines(size / 2 - 20, |n| format!("a{n}: 1, "));
    vec![
        ("heading.md", format!("# {}", lines(size - 2, |n| format!("word{n} ")))),
        ("front.md", format!("---\ntitle: {long}\ntags: [{long}]\n---\n{long}")),
        ("sections.md", lines(size, |_| "# a\n\nb\n\n".into())),
        ("items.md", lines(size, |_| "- a\n".into())),
        ("cells.md", format!("|a|b|\n|-|-|\n{}", lines(size - 20, |n| format!("|{n}|5 bar|\n")))),
        ("quantities.md", lines(size, |_| "1 m ".into())),
        ("page.html", lines(size, |n| format!("<h2>{n}</h2><p>x"))),
        ("short.log", lines(size, |_| "a\n".into())),
        ("levels.log", lines(size, |n| format!("ERROR {n}\n"))),
        ("words.log", lines(size, |n| words(n) + "\n")),
        ("fields.jsonl", lines(size, fields)),
        ("names.jsonl", lines(size, |n| named(&format!("{n}{}", "n".repeat(150))))),
        ("long.jsonl", lines(size, |_| named(&"n".repeat(60_000)))),
        ("section.ini", format!("[{half}]\n{}", lines(size / 2, |_| "a=1\n".into()))),
        ("key.yaml", format!("? {half}\n: {{{pairs}}}\n")),
        ("comment.yaml", format!("# {half}\n{{{pairs}}}\n")),
        ("blank.json", format!("{{{pairs}}}{}", " ".repeat(size / 2))),
        ("numbers.json", format!("[{}0]", lines(size - 3, |_| "1,".into()))),
        ("rows.csv", lines(size, |n| format!("{n},1,2\n"))),
        ("columns.csv", lines(size, |_| "a,".into())),
        ("wide.csv", lines(size, |n| format!("{}\n", format!("{},", n % 10).repeat(200)))),
    ]
}

/// Returns pages, mails and exports that nobody writes.
fn hostile_documents(size: usize) -> Vec<File> {
    vec![
        ("cells.html", format!("<table>{}", lines(size, |n| format!("<tr><td>{n}<td>x")))),
        ("tables.html", lines(size, |_| "<table><tr><td>".into())),
        (
            "spans.html",
            lines(size, |_| {
                "<table><tr><td>a<td colspan=999 rowspan=999>b<tr><td>c</table>".into()
            }),
        ),
        ("mails.mbox", lines(size, |n| format!("From a\nFrom: a@b.c\nSubject: {n}\n\nx\n\n"))),
        (
            "mails.eml",
            format!(
                "{MAIL}{}",
                lines(size, |_| "--b\nContent-Disposition: attachment; filename=a.txt\n\nx\n"
                    .into())
            ),
        ),
        (
            "cells.ipynb",
            format!("{{\"cells\":[{}]}}", CELL.repeat(size / 60).replace("}]}{", "}]},{")),
        ),
        (
            "issues.json",
            format!("{{\"issues\":[{}]}}", ISSUE.repeat(size / 40).replace("}}{", "}},{")),
        ),
        ("heads.rst", lines(size, |_| "a\n---\n".into())),
        ("heads.adoc", lines(size, |_| "== a\n".into())),
    ]
}

/// Returns the peak number of bytes beyond those in use before, and the result of the reading.
fn measured(name: &str, bytes: &[u8]) -> (usize, Result<usize, String>) {
    let record = Record::announced(
        Scope::Global,
        name,
        "text/plain",
        bytes.len() as u64,
        "01M7X2DA600000000000000000",
    );
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let read = reading::read(&record, &record.version, bytes);
    let peak = ALLOCATOR.peak_usage().saturating_sub(before);
    (peak, read.map(|read| read.entries.len()))
}

/// Reads files and returns those that took more memory than allowed, and those that were refused.
fn read(files: Vec<File>) -> (Vec<&'static str>, Vec<&'static str>) {
    let (mut over, mut refused) = (Vec::new(), Vec::new());
    for (name, text) in files {
        let (peak, entries) = measured(name, text.as_bytes());
        let most = 64 * MIB + 12 * text.len();
        let mib = |bytes: usize| bytes.div_ceil(MIB);
        println!(
            "{name:15} {:3} MiB took {:4} of {:4} MiB: {entries:?}",
            mib(text.len()),
            mib(peak),
            mib(most)
        );
        over.extend((peak > most).then_some(name));
        refused.extend(entries.is_err().then_some(name));
    }
    (over, refused)
}

fn check(size: usize) {
    let none: &[&str] = &[];
    assert_eq!(read(ordinary(size)), (none.into(), none.into()), "too much memory, refused");
    for files in [hostile(size), hostile_documents(size)] {
        let (over, _) = read(files);
        assert_eq!(over, none, "too much memory");
    }
}

#[test]
fn a_reading_takes_64_mib_and_twelve_times_its_bytes_at_most() {
    let _measuring = MEASURING.lock();
    check(1_000);
    check(MIB);
}

#[test]
#[ignore = "takes two minutes"]
fn so_does_one_of_4_mib() {
    let _measuring = MEASURING.lock();
    check(4 * MIB);
}

#[test]
fn an_office_document_takes_64_mib_and_thirty_times_its_unpacked_bytes_at_most() {
    let _measuring = MEASURING.lock();
    let mut writer = DocxWriter::new();
    for number in 0..60_000_u32 {
        writer.add_paragraph(&(number * 7_919 % 99_991).to_string());
    }
    let mut bytes = std::io::Cursor::new(Vec::new());
    writer.write_to(&mut bytes).unwrap();
    drop(writer);
    // A paragraph of a number has 38 bytes of XML.
    let unpacked = 60_000 * 38;
    let (peak, read) = measured("paragraphs.docx", &bytes.into_inner());
    println!("paragraphs.docx took {} MiB: {read:?}", peak / MIB);
    assert!(read.is_ok() && peak < 64 * MIB + 30 * unpacked, "{peak}: {read:?}");
}

#[test]
fn a_sheet_takes_64_mib_and_twelve_times_its_unpacked_bytes_at_most() {
    let _measuring = MEASURING.lock();
    let mut content = String::from("<table:table>");
    for number in 0..50_000 {
        let cell = format!("<table:table-cell><text:p>{number}</text:p></table:table-cell>");
        content.extend(["<table:table-row>", &cell, &cell, "</table:table-row>"]);
    }
    content.push_str("</table:table>");
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    archive.start_file("content.xml", zip::write::SimpleFileOptions::default()).unwrap();
    archive.write_all(content.as_bytes()).unwrap();
    let bytes = archive.finish().unwrap().into_inner();
    let (peak, read) = measured("rows.ods", &bytes);
    println!("rows.ods of {} MiB took {} MiB: {read:?}", content.len() / MIB, peak / MIB);
    assert!(read.is_ok() && peak < 64 * MIB + 12 * content.len(), "{peak}: {read:?}");
}

#[test]
#[ignore = "takes two minutes"]
fn so_does_one_of_the_largest_file() {
    check(usize::try_from(LARGEST).unwrap() - 100);
}
