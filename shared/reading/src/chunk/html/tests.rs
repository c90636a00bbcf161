use super::*;

fn outline(html: &str) -> Vec<(String, String)> {
    let Extract { text, cut, .. } = read(html);
    let section_and_text = |piece: &super::super::Piece| {
        (piece.section.join(" > "), text[piece.range.clone()].to_owned())
    };
    cut.pieces.iter().map(section_and_text).collect()
}

#[test]
fn a_page_is_read_along_its_headings_without_what_is_around_it() {
    let html = "<!doctype html><html><head><title>Pumps &amp; seals</title><style>p { color: red }</style>\
        <script>if (a < b) { dry() }</script></head><body><nav><ul><li>Home</ul></nav><div role=navigation>Up<div>x</div></div>\
        <h1>Pump</h1><p>It  ran\n<b>dry</b>.</p><h2>Why <code>seal</code></h2><ul><li>Worn<li>Old</ul>\
        <table><tr><th>Part<th>Age<tr><td>Seal<td>9</table><h2>Fix</h2><pre>a  b\n  c</pre><footer>2026</footer>";
    let page = read(html);
    assert_eq!(page.cut.title.as_deref(), Some("Pump"));
    assert_eq!(
        outline(html),
        [
            (String::new(), "Pump\n\nIt ran dry.".into()),
            (
                "Why seal".into(),
                "Why seal\n\n- Worn\n- Old\n\n| Part | Age |\n|---|---|\n| Seal | 9 |".into()
            ),
            ("Fix".into(), "Fix\n\na  b\n  c".into()),
        ]
    );
    assert_eq!(
        read("<title>Pumps &amp; seals</title>dry").cut.title.as_deref(),
        Some("Pumps & seals")
    );
}

#[test]
fn what_a_script_says_is_no_text_and_a_heading_keeps_its_words_apart() {
    let page = "<script src=a/>if (x) { y }</script><h1>Pump<br>Guide</h1><p>dry";
    assert_eq!(outline(page), [(String::new(), "Pump Guide\n\ndry".into())]);
}

#[test]
fn broken_pages_are_read_however_deep() {
    for html in [
        "<pre><h1>a   </h1>",
        "<pre><h1>a   </h1>é</pre>",
        "",
        "<",
        "<h1>",
        "</h1></p>",
        "<h1>a<h2>b",
        "<nav>x",
        "<pre>a",
        "<title>t",
    ] {
        read(html);
    }
    let deep = "<div>".repeat(200_000) + "dry";
    assert_eq!(outline(&deep), [(String::new(), "dry".into())]);
}

#[test]
fn lists_have_their_numbers_and_what_confluence_leads_by_is_left_out() {
    let html = "<meta name=author content=Ann><meta property=article:modified_time content=2026-03-02>\
        <div id=breadcrumb-section>Space</div><h1>Pump</h1><ol start=3><li><p>Open it</p><ul><li>slowly</ul><li>Close it</ol>\
        <hr id=footer><p>Dry.</p><section id=footer>Atlassian</section>";
    let page = read(html);
    let text = "Pump\n\n3. Open it\n\n  - slowly\n\n4. Close it\n\nDry.";
    assert_eq!(outline(html), [(String::new(), text.to_owned())]);
    assert_eq!(page.stated.author.as_deref(), Some("Ann"));
    assert_eq!(page.stated.time.as_deref(), Some("2026-03-02"));
}
