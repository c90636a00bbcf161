//! Damaged files that nobody would write: samples of all formats with parts cut out, repeated,
//! replaced or inserted, under their own names or under those of others.

use proptest::prelude::*;
use proptest::sample::Index;

/// The name and the text of a file.
type File = (&'static str, &'static str);

static FILES: [File; 22] = [
    (
        "pump.md",
        "---\ntitle: \"Pump: dry run\"\ndocument_type: postmortem\ntags: [pump, seal]\ntime: 2026-11-20\n---\n# Pump\n\n\
         It ran at 7 bar until the seal failed, which cost USD 1,200.\n\n## Root cause\n\n- The *seal* was worn.\n- [x] Replace it.\n\n\
         ## Timeline\n\n14:02 The pump stopped.\n\n| Part | Age |\n|---|---|\n| Seal | 9 y |\n\n> Note\n\n```\n# no heading\n```\n",
    ),
    (
        "decision.markdown",
        "# 7. Use Tidewire\n\nStatus: accepted, 2026-11-20\n\n## Considered options\n\n1. Tidewire\n2. Halyard\n\n## Decision\n\n\
         We chose Tidewire because it is quick: 12 ms instead of 45 ms.\n\nSetext\n======\n\nThe filter shall hold 5 \u{b5}m.\n",
    ),
    (
        "page.html",
        "<!doctype html><title>Pumps &amp; seals</title><script>if (a < b) { x }</script><nav><li>Up</nav><h1>Pump</h1>\
         <p>It ran <b>dry</b>.<h2>Why <code>seal</code></h2><ul><li>Worn<li>Old</ul><table><tr><th>Part<td>9</table><pre>a  b</pre>",
    ),
    ("notes.txt", "The pump ran dry. It cost 1,200 USD.\n\nWho: ann\n\n- first\n- second\n"),
    (
        "server.log",
        "2026-11-20T18:10:00Z INFO shop.Pay took=3001ms order 7 paid\n2026-11-20 18:10:05,120 ERROR [exec-3] acme.Pay - E1042 gone\n\
         java.sql.SQLException: gone\n\tat a.b.C(C.java:7)\n\u{1b}[31mweb-1  | 2026-11-20T18:10:06Z WARN slow\u{1b}[0m\n",
    ),
    (
        "access.log",
        "10.0.0.9 - ann [20/Nov/2026:18:10:00 +0100] \"GET /a?b=404 HTTP/1.1\" 200 304 \"http://x/\" \"Moz \\\"1\\\"\"\n\
         [pid: 88|app: 0] 10.0.0.1 () {38 vars} [Fri Nov 20 18:10:00 2026] POST /m => generated 47 bytes in 129 msecs (HTTP/1.1 200)\n",
    ),
    (
        "syslog",
        "Nov 20 18:10:00 web-1 sshd[12]: error: too many\n<34>1 2026-11-20T18:10:01.003Z host app 12 ID47 - started\n\
         I1120 18:10:02.000007 7 main.go:1] x\nMain::ERROR::2026-11-20 18:10:00,300::vds::74::vds::(run) no pump\n1795198200.5 tick\n",
    ),
    (
        "events.jsonl",
        "{\"time\":\"2026-11-20T18:10:00Z\",\"level\":\"warn\",\"http\":{\"status\":502},\"tags\":[\"a\",\"b\"]}\n\
         {\"ts\":1795198200,\"severity\":\"error\",\"attributes\":[{\"key\":\"k\",\"value\":{\"stringValue\":\"v\"}}],\"msg\":\"slow\"}\n",
    ),
    (
        "pumps.csv",
        "Name,Flow,Time,Level\n\"P1\nold\",7,2026-11-20T18:10:00Z,warn\nP2,\"8 \"\"m\"\"\",,error\r\n\r\nP3\n",
    ),
    ("pumps.tsv", "name\tflow\nP1\t7 l/h\nP2\t\n"),
    (
        "pump.yaml",
        "# the pump\npump: &p\n  rpm: 30 # slow\n  valves:\n    - name: a\n    - {name: b, open: true}\n  note: |\n    one\n    two\n\
         other: *p\n? [a, b]\n: \"x\\ty\"\n---\nsecond: !tag 1\n",
    ),
    (
        "pump.json",
        "{\n  \"pump\": {\"rpm\": 30, \"hosts\": [\"a\", null, true, 1.5e3]},\n  \"note\": \"a\\u00e9\"\n}\n",
    ),
    ("pump.toml", "# pumps\n[pump]\nrpm = 30\n\n[[pump.valve]]\nname = \"a\"\n"),
    ("pump.ini", "[pump]\n; fast\nrpm = 30\nexport HOST=\"web-1\" # here\npath: /a\n"),
    (
        "pump.rs",
        "//! Pumps.\n\n#[derive(Debug)]\npub struct Pump {\n    rpm: u32,\n}\n\n/// Runs.\nimpl Pump {\n    fn run(&self) -> u32 {\n        \
         let c = '\\'';\n        self.rpm\n    }\n}\n\nmacro_rules! m { ($x:expr) => { $x } }\n",
    ),
    (
        "pump.py",
        "@run\nclass Pump:\n    \"\"\"Pumps.\"\"\"\n    def run(self, *a):\n        return f\"{self.rpm!r}\"\n\nif x:\n    pass\n",
    ),
    (
        "pump.go",
        "package pump\n\n// Run runs.\nfunc (p *Pump) Run() error {\n\treturn nil\n}\n\ntype Pump struct{ rpm int }\n",
    ),
    (
        "Pump.java",
        "package a;\n\n@Bean\npublic class Pump<T> {\n  /** Runs. */\n  void run(int... a) { x = a -> 1; }\n  enum E { A, B }\n}\n",
    ),
    (
        "pump.js",
        "export class Pump {\n  #rpm = 30;\n  run() { return `at ${this.#rpm}`; }\n}\nconst f = async (x) => /a[/]b/g.test(x);\n",
    ),
    (
        "pump.tsx",
        "interface P { rpm?: number }\nexport const A = ({ rpm }: P) => <div a={rpm}>{rpm ?? 0}</div>;\nnamespace N { type T = A<B>; }\n",
    ),
    (
        "pump.c",
        "#include <a.h>\n/* runs */\nstatic int run(struct pump *p) { return p->rpm ? 'a' : L\"b\"[0]; }\n#define M(x) \\\n  (x)\n",
    ),
    ("pump.sql", "-- pumps\nSELECT *\nFROM pump\n\nWHERE rpm > 30;\n"),
];

/// Marks that have a meaning in one format or another.
const MARKS: [&str; 28] = [
    "\n", "\n\n", "\r\n", "\r", "\t", " ", "    ", "# ", "- ", "\"", "'", "`", "```", "{", "}",
    "[", "]", "(", "<", ">", ":", ": ", "|", "---\n", "=", "\\", "\u{e9}", "\u{2028}",
];

/// A change to a text: its place, the number of bytes, its kind, and the bytes that it uses.
type Change = (Index, usize, u8, Vec<u8>);

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let mark = prop::sample::select(&MARKS[..]).prop_map(|mark| mark.as_bytes().to_vec());
    let others = prop_oneof![3 => mark, 1 => prop::collection::vec(any::<u8>(), 0..5)];
    prop::collection::vec((any::<Index>(), 0..40_usize, 0..4_u8, others), 0..8)
}

fn changed(text: &str, changes: Vec<Change>) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for (at, length, how, others) in changes {
        let start = at.index(bytes.len() + 1);
        let range = start..bytes.len().min(start + length);
        let (range, others) = match how {
            0 => (range, Vec::new()),
            1 => (start..start, bytes[range].to_vec()),
            2 => (range, others),
            _ => (start..start, others),
        };
        bytes.splice(range, others);
    }
    bytes
}

/// Returns a file's name and its bytes.
pub(crate) fn file() -> impl Strategy<Value = (&'static str, Vec<u8>)> {
    let sample = || prop::sample::select(&FILES[..]);
    let name = || sample().prop_map(|(name, _)| name);
    let changed_sample =
        (sample(), changes()).prop_map(|((name, text), all)| (name, changed(text, all)));
    let other =
        (name(), sample(), changes()).prop_map(|(name, (_, text), all)| (name, changed(text, all)));
    prop_oneof![
        6 => changed_sample,
        2 => other,
        1 => (name(), any::<String>().prop_map(String::into_bytes)),
        1 => (name(), prop::collection::vec(any::<u8>(), 0..300)),
    ]
}

/// Returns a file's name and its text. The text contains no NUL byte, because such a file is
/// refused.
pub(crate) fn text() -> impl Strategy<Value = (&'static str, String)> {
    file().prop_map(|(name, bytes)| (name, String::from_utf8_lossy(&bytes).replace('\0', "\u{e9}")))
}

/// Returns a quarter of the usual number of cases, for slow tests.
pub(crate) fn quarter() -> ProptestConfig {
    let usual = ProptestConfig::default();
    ProptestConfig { cases: usual.cases / 4, ..usual }
}
