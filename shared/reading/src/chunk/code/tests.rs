use super::*;

fn outline(language: Language, text: &str) -> Vec<(String, String)> {
    let cut = cut(language, text).pieces;
    let section_and_text =
        |piece: &Piece| (piece.section.join(" > "), text[piece.range.clone()].to_owned());
    cut.iter().map(section_and_text).collect()
}

fn sections(language: Language, text: &str) -> Vec<String> {
    outline(language, text).into_iter().map(|(section, _)| section).collect()
}

/// Returns statements that make a body too large to share a passage.
fn long(statement: &str) -> String {
    format!("{statement}\n").repeat(300 / statement.len() + 1)
}

#[test]
fn a_function_is_a_passage_with_its_comment_and_its_type_above_it() {
    let body = long("    let pressure = valve.open();");
    let text = format!(
        "//! Pumps.\n\nuse std::fmt;\n\n/// A pump.\nstruct Pump;\n\nimpl Pump {{\n    /// Runs dry.\n    #[must_use]\n    fn run(&self) {{\n{body}    }}\n\n    fn stop(&self) {{\n{body}    }}\n\n    fn idle(&self) {{\n{body}{body}    }}\n}}\n\nimpl fmt::Debug for Pump {{}}\n"
    );
    let outline = outline(Language::Rust, &text);
    let sections: Vec<&str> = outline.iter().map(|(section, _)| section.as_str()).collect();
    assert_eq!(
        sections,
        [
            "struct Pump",
            "impl Pump",
            "impl Pump > fn run",
            "impl Pump > fn stop",
            "impl Pump > fn idle",
            "impl fmt::Debug for Pump"
        ]
    );
    assert!(
        outline[2].1.starts_with("/// Runs dry.\n    #[must_use]\n    fn run"),
        "{}",
        outline[2].1
    );
}

#[test]
fn a_class_that_is_too_large_is_cut_along_its_methods() {
    let python = format!(
        "import os\n\n@cached\ndef pump(a):\n{}\nclass Valve(Part):\n    def open(self):\n{}\n    def shut(self):\n{}\n",
        long("    run(a)"),
        long("        self.turn()"),
        long("        self.turn_all()").repeat(3),
    );
    let expected =
        ["", "def pump", "class Valve", "class Valve > def open", "class Valve > def shut"];
    let sections = sections(Language::Python, &python);
    assert!(
        expected.iter().all(|section| sections.contains(&(*section).to_owned())),
        "{sections:?}"
    );
}

#[test]
fn each_language_names_what_it_defines() {
    for (language, text, section) in [
        (
            Language::Go,
            format!("package p\nfunc (s *Pump) Run(a int) {{\n{}}}\n", long("  s.open()")),
            "func (s *Pump) Run",
        ),
        (
            Language::Go,
            format!("package p\nfunc Run(a int) {{\n{}}}\n", long("  open()")),
            "func Run",
        ),
        (
            Language::Java,
            format!(
                "class Pump {{\n  void run() {{\n{}  }}\n}}\n",
                long("    this.open();").repeat(4)
            ),
            "class Pump > run",
        ),
        (
            Language::C,
            format!("#include <a.h>\nstatic int *run(int a) {{\n{}}}\n", long("  open();")),
            "run",
        ),
        (
            Language::JavaScript,
            format!("export function run(a) {{\n{}}}\n", long("  open();")),
            "function run",
        ),
        (
            Language::TypeScript,
            format!(
                "interface A {{ a: number }}\nexport const run = (a: number) => {{\n{}}};\n",
                long("  open();")
            ),
            "const run",
        ),
        (
            Language::Tsx,
            format!(
                "class Pump extends Part {{\n  run() {{\n{}  }}\n}}\n",
                long("    return <p>dry</p>;").repeat(4)
            ),
            "class Pump > run",
        ),
    ] {
        let sections = sections(language, &text);
        assert!(sections.contains(&section.to_owned()), "{section} is not in {sections:?}");
    }
}

#[test]
fn small_neighbors_share_a_passage() {
    let text = "def a():\n    pass\n\ndef b():\n    pass\n";
    assert_eq!(sections(Language::Python, text), ["def a, def b"]);
}

#[test]
fn what_has_no_grammar_or_no_sense_is_cut_at_blank_lines() {
    let text = format!("{}\n\n{}", "run pump\n".repeat(80), "stop pump\n".repeat(80));
    let other = outline(Language::Other, &text);
    assert!(other.iter().all(|(section, text)| section.is_empty() && text.len() <= LARGEST));
    for broken in ["}}}} fn (((", "fn pump(", "\u{0}\u{1}", "é ü ♥"] {
        assert!(!cut(Language::Rust, broken).pieces.is_empty(), "{broken:?}");
    }
}

#[test]
fn nesting_however_deep_is_cut() {
    let text = "mod a { ".repeat(20_000) + &"}".repeat(20_000);
    assert!(cut(Language::Rust, &text).pieces.len() > 100);
}

#[test]
fn definitions_are_listed_by_name_with_those_within_them() {
    let names = |language, text: &str| -> Vec<(String, &str, usize)> {
        let line = |start: usize| text[..start].matches('\n').count() + 1;
        let all = cut(language, text).definitions.into_iter();
        all.map(|all| (all.name, all.kind, line(all.start))).collect()
    };
    let rust = "/// Limits.\n#[derive(Debug)]\npub struct Limiter;\n\nimpl Limiter {\n    /// Takes one.\n    pub fn take(&self) {}\n}\n";
    assert_eq!(
        names(Language::Rust, rust),
        [("Limiter".into(), "struct", 3), ("take".into(), "fn", 7)]
    );
    let python = "class Pump:\n    @property\n    def head(self):\n        return 1\n";
    assert_eq!(
        names(Language::Python, python),
        [("Pump".into(), "class", 1), ("head".into(), "def", 3)]
    );
    let c = "static int *open_port(const char *name)\n{\n    return 0;\n}\n";
    assert_eq!(names(Language::C, c), [("open_port".into(), "def", 1)]);
    let go = "func (s *Server) Listen() error { return nil }\n";
    assert_eq!(names(Language::Go, go), [("Listen".into(), "", 1)]);
}
