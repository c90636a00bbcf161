use super::*;

#[test]
fn formats_are_told_by_the_ending_and_else_by_the_media_type() {
    let of = |name: &str, media: &str| Format::of(name, media).unwrap();
    assert_eq!(of("a/b.MD", ""), Format::Markdown);
    assert_eq!(of("server.log", "text/plain"), Format::Log);
    assert_eq!(of("README", "text/plain; charset=utf-8"), Format::Unknown);
    assert_eq!(of("v1.2/README", "text/markdown"), Format::Markdown);
    assert_eq!(of("notes.rst", ""), Format::Markup(Markup::Rest));
    for name in ["a.conf", "a.INI", "a.properties", "my.cnf", ".env", ".env.local"] {
        assert_eq!(of(name, ""), Format::Config, "{name}");
    }
    assert_eq!(of("src/main.rs", ""), Format::Code(Language::Rust));
    for name in ["deploy.SH", "Dockerfile", "Dockerfile.dev", "api.Dockerfile", "a/Makefile"] {
        assert_eq!(of(name, ""), Format::Code(Language::Other), "{name}");
    }
    assert_eq!(of("a.htm", ""), Format::Html);
    assert_eq!(of("manual", "application/pdf"), Format::Pdf);
    assert_eq!(of("plan.odt", ""), Format::Office);
    assert_eq!(of("pump.dat", "text/plain"), Format::Unknown);
}

#[test]
fn logs_that_were_set_aside_are_logs() {
    for name in [
        "kafka0-server.log.2016-12-19-16",
        "access.log.1",
        "postgres.1",
        "app.log.old",
        "app.old.log.bak",
        "caddy_log.1",
        "caddy_log",
        "app-2026.11.20.log",
        "events.ndjson",
        "catalina.out",
        "httpd.err",
        "var/log/syslog",
    ] {
        assert_eq!(Format::of(name, "text/plain"), Ok(Format::Log), "{name}");
    }
    for name in ["pump.old", "pump.2026-11-20", "catalog.dat"] {
        assert_eq!(Format::of(name, "text/plain"), Ok(Format::Unknown), "{name}");
    }
}

#[test]
fn what_is_not_taken_is_refused_with_what_to_do_instead() {
    let refusals = [
        ("a/bundle.ZIP", "`bundle.ZIP` is an archive: unpack it and upload the files in it"),
        (
            "server.log.1.gz",
            "`server.log.1.gz` is an archive: unpack it and upload the files in it",
        ),
        ("shot.png", "`shot.png` is an image: no text can be read in it; upload the text itself"),
        ("outage.msg", "`outage.msg` is a mail of Outlook: save it as eml"),
        (
            "plan.rtf",
            "`plan.rtf` is an office document of a kind that is not read: save it as docx, xlsx, pptx or PDF",
        ),
    ];
    for (name, refusal) in refusals {
        assert_eq!(Format::of(name, "text/plain"), Err(refusal.to_owned()), "{name}");
    }
}
