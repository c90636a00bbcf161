use super::*;

const FIRST: &str = "From: Ann <ann@example.org>\nTo: ops@example.org\nSubject: Pump 7\nDate: Mon, 2 Mar 2026 09:00:00 +0000\nMessage-ID: <1@x>\n";

fn attached(name: &str, _: &str, bytes: &[u8], _: usize) -> Result<Extract, String> {
    match name {
        "notes.md" => Ok(markdown::extract(&String::from_utf8_lossy(bytes))),
        _ => Err("is an image".into()),
    }
}

fn attachment(name: &str, content: &str) -> String {
    format!(
        "--b\nContent-Type: application/octet-stream\nContent-Disposition: attachment; filename=\"{name}\"\n\n{content}\n"
    )
}

#[test]
fn a_mail_is_read_with_the_attachments_that_are_texts() {
    let attachments = [
        attachment("../../etc/notes.md", "# Cause\n\nThe valve was shut."),
        attachment("a.png", "x"),
    ];
    let mail = format!(
        "{FIRST}MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\n<p>It l=E4uft <b>dry</b>.</p>\n{}--b--\n",
        attachments.concat()
    );
    let Extract { text, cut, stated, left_out, .. } = read(mail.as_bytes(), 0, attached).unwrap();
    assert!(text.starts_with("From: Ann <ann@example.org>\nTo: ops@example.org\nDate: 2026-03-02T09:00:00Z\n\nIt läuft dry."), "{text}");
    assert_eq!(cut.pieces.last().unwrap().section, ["Attachment notes.md"]);
    assert_eq!(stated.title.as_deref(), Some("Pump 7"));
    assert_eq!(stated.author.as_deref(), Some("Ann <ann@example.org>"));
    assert_eq!(stated.time.as_deref(), Some("2026-03-02T09:00:00Z"));
    assert_eq!(left_out.len(), 1, "{left_out:?}");
    assert!(left_out[0].contains("is an image"), "{left_out:?}");
}

#[test]
fn mails_of_a_mailbox_stand_below_their_subjects_and_say_nothing_twice() {
    let reply = "From: Bob <bob@example.org>\nSubject: Re: Pump 7\nDate: Mon, 2 Mar 2026 10:00:00 +0000\nIn-Reply-To: <1@x>\n\n> It is dry.\n> Why?\nThe valve was shut.\n";
    let other = "From: Eve <eve@example.org>\nSubject: Lunch\nDate: Mon, 2 Mar 2026 09:30:00 +0000\n\nNoon?\n";
    let mailbox = format!(
        "From ann Mon Mar  2 09:00:00 2026\n{FIRST}\nIt is dry.\n\nFrom eve Mon Mar  2 09:30:00 2026\n{other}\nFrom bob Mon Mar  2 10:00:00 2026\n{reply}\n"
    );
    let Extract { text, cut, .. } = read(mailbox.as_bytes(), 0, attached).unwrap();
    let sections: Vec<&str> = cut.pieces.iter().map(|piece| piece.section[0].as_str()).collect();
    assert_eq!(sections, ["Pump 7", "Pump 7", "Lunch"]);
    assert_eq!(text.matches("It is dry.").count(), 1, "{text}");
    assert!(text.contains("> Why?\nThe valve was shut."), "{text}");
}

#[test]
fn a_sentence_that_begins_with_from_ends_no_mail() {
    let mailbox = format!(
        "\nFrom ann Mon Mar  2 09:00:00 2026\n{FIRST}\nHello.\n\nFrom the log we see that it ran dry.\nEnd.\n"
    );
    let Extract { text, .. } = read(mailbox.as_bytes(), 0, attached).unwrap();
    assert!(text.contains("From the log we see that it ran dry.\nEnd."), "{text}");
}

#[test]
fn mails_within_mails_end_and_what_is_no_mail_is_refused() {
    let mut mail = format!("{FIRST}\nThe innermost.\n");
    for _ in 0..10 {
        mail = format!(
            "{FIRST}MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: message/rfc822\n\n{mail}\n--b--\n"
        );
    }
    let Extract { left_out, .. } = read(mail.as_bytes(), 0, attached).unwrap();
    assert_eq!(left_out.len(), 1, "{left_out:?}");
    assert!(read(b"pump", 0, attached).unwrap_err().starts_with("is no mail"));
}
