use super::*;

#[test]
fn a_reply_is_read_with_its_comments() {
    let reply = r#"{"issues": [{"key": "OPS-7", "fields": {"summary": "Pump 7 is dry",
        "status": {"name": "Done"}, "issuetype": {"name": "Incident"}, "created": "2026-03-02T09:00:00Z",
        "labels": ["pump", "dry"], "customfield_1": "Root cause: rust", "reporter": {"displayName": "Bob"},
        "description": {"type": "doc", "content": [
            {"type": "paragraph", "content": [{"type": "text", "text": "The valve "}, {"type": "text", "text": "was shut."}]},
            {"type": "paragraph", "content": [{"type": "text", "text": "Opened at 9."}]}]},
        "comment": {"comments": [{"author": {"displayName": "Ann"}, "created": "2026-03-02", "body": "Fixed."}]}}}]}"#;
    let extract = of_json(reply).unwrap();
    assert_eq!(
        extract.text,
        "OPS-7: Pump 7 is dry\ntype: Incident\nstatus: Done\ncreated: 2026-03-02T09:00:00Z\n\
         customfield_1: Root cause: rust\nlabels: pump, dry\nreporter: Bob\n\n\
         The valve was shut.\nOpened at 9.\n\nComment of Ann, 2026-03-02:\nFixed."
    );
    assert!(extract.grids[0].tsv.contains("OPS-7\tPump 7 is dry\tIncident\tDone"));
}

#[test]
fn a_list_in_xml_is_read_with_its_comments() {
    let list = r#"<!-- x --><rss version="0.92"><channel><title>Jira</title><item><title>[OPS-7] Pump</title>
        <key id="1">OPS-7</key><summary>Pump 7 &amp; 8</summary><description>&lt;p&gt;It ran &lt;b&gt;dry&lt;/b&gt;.&lt;/p&gt;</description>
        <status id="3">Done</status><comments><comment author="ann" created="Mon, 2 Mar 2026">&lt;p&gt;Fixed.&lt;/p&gt;</comment></comments>
        </item></channel></rss>"#;
    let extract = of_xml(list).unwrap();
    assert_eq!(
        extract.text,
        "OPS-7: Pump 7 & 8\nstatus: Done\n\nIt ran dry.\n\nComment of ann, Mon, 2 Mar 2026:\nFixed."
    );
}

#[test]
fn other_texts_are_no_issues() {
    assert!(of_json("{\"key\": 1}").is_none());
    assert!(of_xml("<rss><item></item></rss>").is_none());
    assert!(of_xml("<rss><item></rss>").is_none());
}
