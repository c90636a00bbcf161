//! The author of a record: the text between its time and its message.

use std::borrow::Cow;
use std::sync::LazyLock;

use model::level::severity;
use regex::Regex;

use super::{Cells, add, value};
use crate::chunk::log::pattern;

/// Upper bound for the words between a time and a message.
const WORDS: usize = 8;

/// The prefix that container tools put before each line: `web-1  | `.
static SERVICE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:\x1b\[[0-9;]*[A-Za-z])*(?<service>[A-Za-z][\w.-]{0,60}) *\| ?"));
/// A process: `sshd[12]:`, `sudo:`, `vpxd[45715]`.
static PROCESS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^(?<process>[A-Za-z][\w./-]{0,60})(?:\((?<module>[\w-]+)\))?\[(?<pid>[0-9]+)\]:?$")
});
/// A pod of a deployment, whose name ends in two hashes, or of a stateful set.
static POD: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^(?<service>[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)-[a-f0-9]{6,10}-[a-z0-9]{5}$")
});
/// A logger: `o.a.c.Pool`, `executor.Executor:`, `t.c.Travel2Controller#115`.
static LOGGER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^(?<logger>[A-Za-z_$][\w$]*(?:(?:\.|::)[\w$\[\].]+)+|[A-Za-z][\w.$\[\]]*#[0-9]+):?$")
});
static CLOCK: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]+)?$"));
/// The logger that Log4j writes at the end of a line: `(kafka.server.KafkaServer)`.
static TRAILING: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\((?<logger>[A-Za-z_]\w*(?:\.[\w$]+)+)\)$"));
/// Fields separated by `::`, as in `MainThread::INFO::2011-12-05 07:04:56,101::vdsm::71::vds::(run)
/// message`.
static COLONS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^::(?<process>[\w.]+)::[0-9]+::(?<logger>[\w.]+)::\((?<function>\w+)\) ?")
});

/// The general log of `MySQL`: the connection and the command, separated by tabs.
static COMMAND: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^\t *(?<thread>[0-9]+) (?<command>[A-Z][A-Za-z]+(?: [A-Za-z]+)?)(?:\t|$)")
});

/// What `logcat` of Android writes (`threadtime`): process, thread, level and tag.
static LOGCAT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^ {1,4}(?<pid>[0-9]+) +(?<thread>[0-9]+) [VDIWEFS] (?<logger>[^:\s][^:]{0,60}?) *: ?")
});
/// Fields between bars: `|Step_LSC|30002312|message`.
static BARS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^\|(?<logger>[A-Za-z][^|\s]{0,60})\|(?<pid>[0-9]+)\| ?"));
/// Thread and class in the brackets of `ZooKeeper`: `- INFO  [main:QuorumPeer@774] - message`.
static THREAD_AND_CLASS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^ - [A-Z]+ +\[(?<thread>.{1,200}?):(?<logger>[A-Za-z][\w$.]*)@(?<source_line>[0-9]+)\] - ?",
    )
});
/// Level and component in columns, as Windows' updates log them: `, Info      CBS    message`.
static IN_COLUMNS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^, [A-Z][a-z]+ {2,}(?<logger>[A-Z][\w.-]{0,30}) {2,}"));

/// The text before the time of a record in RFC 5424, and the text after it.
static SYSLOG: LazyLock<[Regex; 2]> = LazyLock::new(|| {
    let data = r#"(?:-|(?:\[(?:[^\]"]|"(?:[^"\\]|\\.)*")*\])+)"#;
    [
        pattern("^<[0-9]{1,3}>[0-9]{1,2} $"),
        pattern(&format!(
            r"^ (?<host>\S+) (?<process>\S+) (?<pid>\S+) (?<msgid>\S+) {data}(?: \x{{feff}}?|$)"
        )),
    ]
});

/// Returns true if a host and a process follow the record's time. Another word before a colon looks
/// the same.
pub(super) fn has_host(text: &str, stamp_at: Option<(usize, usize)>) -> bool {
    let line = text.lines().next().unwrap_or_default();
    let rest = stamp_at.and_then(|(_, end)| line.get(end..)).unwrap_or_default();
    let (word, left) = next_word(rest.trim_start_matches([']', ')', ',', ':', ' ', '\t']));
    is_host(word, left, true)
}

/// Reads the author of a record and its message. `has_hosts` is true if most records of the file
/// state a host after their time.
pub(super) fn read<'t>(
    text: &'t str,
    stamp_at: Option<(usize, usize)>,
    has_hosts: bool,
    cells: &mut Cells<'t>,
) {
    let line = text.lines().next().unwrap_or_default();
    if let Some(parts) = SERVICE.captures(line)
        && let Some(service) = parts.name("service")
        && severity(service.as_str()).is_none()
    {
        add(cells, "service", value(service.as_str()));
    }
    let last = text.lines().next_back().unwrap_or_default();
    if let Some(parts) = TRAILING.captures(line).or_else(|| TRAILING.captures(last)) {
        add(cells, "logger", parts.name("logger").and_then(|name| value(name.as_str())));
    }
    let Some((start, end)) = stamp_at else {
        add(cells, "message", message(text, line));
        return;
    };
    if let Some((thread, _)) = line.get(..start).and_then(|before| before.split_once("::")) {
        add(cells, "thread", value(thread));
    }
    let rest = line.get(end..).unwrap_or_default();
    let is_syslog = line.get(..start).is_some_and(|before| SYSLOG[0].is_match(before));
    let forms = [
        (is_syslog, &SYSLOG[1]),
        (true, &*COMMAND),
        (true, &*COLONS),
        (true, &*LOGCAT),
        (true, &*BARS),
        (true, &*THREAD_AND_CLASS),
        (true, &*IN_COLUMNS),
    ];
    let mut forms = forms.into_iter().filter(|(is_tried, _)| *is_tried);
    if let Some(parts) = forms.find_map(|(_, form)| form.captures(rest)) {
        for name in
            ["host", "process", "pid", "msgid", "thread", "command", "logger", "source_line"]
        {
            add(cells, name, parts.name(name).and_then(|name| value(name.as_str())));
        }
        let tail = parts.get(0).map_or(rest, |all| &rest[all.end()..]);
        add(cells, "message", message(text, tail));
        return;
    }
    let rest = rest.trim_start_matches([']', ')', ',', ':', ' ', '\t']);
    let rest = words(rest, has_hosts, cells);
    add(cells, "message", message(text, rest));
}

/// Returns the message of a record: the rest of its first line, or the next line if that is empty.
fn message<'t>(text: &'t str, rest: &'t str) -> Option<Cow<'t, str>> {
    let rest = rest.trim_start_matches([':', '-', ' ', '\t', '|']);
    value(rest).or_else(|| value(text.lines().nth(1)?))
}

/// Reads the words of a head and returns the rest, which is the message.
fn words<'t>(mut rest: &'t str, has_hosts: bool, cells: &mut Cells<'t>) -> &'t str {
    let mut host = None;
    for place in 0..WORDS {
        let trimmed = rest.trim_start_matches([' ', '\t', '-']);
        let (word, left) = next_word(trimmed);
        if host.is_none() && is_host(word, left, place == 0 && has_hosts) {
            if !PROCESS.is_match(process(left)) {
                add(cells, "host", value(word));
            }
            host = Some(word);
            rest = left;
            continue;
        }
        if word.is_empty() || !take(word, left, cells, &mut host) {
            return trimmed;
        }
        rest = left;
    }
    rest
}

/// Returns true if a word is the host before a process: before `sshd[12]:`, or before `sudo:` at
/// the usual place of a host.
fn is_host(word: &str, left: &str, is_place: bool) -> bool {
    let next = process(left);
    let is_before = PROCESS.is_match(next)
        || is_place && !LOGGER.is_match(word) && next.ends_with(':') && next.len() > 2;
    let is_name = word.starts_with(char::is_alphanumeric)
        && word.ends_with(char::is_alphanumeric)
        && !word.bytes().all(|byte| byte.is_ascii_digit());
    let others = [&*PROCESS, &*POD, &*CLOCK];
    let is_other = severity(word).is_some() || others.iter().any(|other| other.is_match(word));
    is_before && is_name && !is_other
}

/// Returns the word after a possible host.
fn process(left: &str) -> &str {
    next_word(left.trim_start()).0
}

/// Returns the next word and the text after it. A word in brackets may contain spaces.
fn next_word(text: &str) -> (&str, &str) {
    let end = match text.strip_prefix('[').and_then(|inner| inner.find(']')) {
        Some(at) if at < 80 => at + 2,
        _ => text.find([' ', '\t']).unwrap_or(text.len()),
    };
    text.split_at(end)
}

/// Adds the column for `word` and returns true, if the word belongs to the head.
fn take<'t>(
    word: &'t str,
    left: &'t str,
    cells: &mut Cells<'t>,
    host: &mut Option<&'t str>,
) -> bool {
    let bare = word.trim_matches(|c: char| "[]()<>:,".contains(c));
    let is_bracketed = word.starts_with('[');
    if severity(bare).is_some() || CLOCK.is_match(word) || bare.is_empty() {
        return true;
    }
    if let Some(parts) = PROCESS.captures(word) {
        if let Some(host) = host.take() {
            add(cells, "host", value(host));
        }
        add(cells, "process", parts.name("process").and_then(|name| value(name.as_str())));
        add(cells, "module", parts.name("module").and_then(|name| value(name.as_str())));
        add(cells, "pid", parts.name("pid").and_then(|name| value(name.as_str())));
        return !word.ends_with(':') || !left.is_empty();
    }
    if let Some(parts) = POD.captures(word) {
        add(cells, "pod", value(word));
        add(cells, "service", parts.name("service").and_then(|name| value(name.as_str())));
        return true;
    }
    if let Some(parts) = LOGGER.captures(word) {
        let logger = parts.name("logger").map_or("", |name| name.as_str());
        // The source line of a log statement is not part of the logger's name.
        let (logger, line) = logger.split_once('#').unwrap_or((logger, ""));
        add(cells, "logger", value(logger));
        add(cells, "source_line", value(line));
        return true;
    }
    bracketed_or_host(word, bare, is_bracketed, left, cells, host)
}

fn bracketed_or_host<'t>(
    word: &'t str,
    bare: &'t str,
    is_bracketed: bool,
    left: &'t str,
    cells: &mut Cells<'t>,
    host: &mut Option<&'t str>,
) -> bool {
    if let Some((logger, level)) = bare.rsplit_once('.')
        && severity(level).is_some()
    {
        add(cells, "logger", value(logger));
        return true;
    }
    if is_bracketed && word.ends_with(']') {
        let is_number = bare.bytes().all(|byte| byte.is_ascii_digit());
        let name = if is_number {
            "pid"
        } else if bare.contains(['=', '@']) && !LOGGER.is_match(process(left)) {
            return false;
        } else {
            "thread"
        };
        // MySQL writes a code and a subsystem in brackets, too.
        let has_code = cells.iter().any(|(name, cell)| name == "code" && cell.starts_with("MY-"));
        let name = match name {
            "thread" if bare.starts_with("MY-") => "code",
            "thread" if has_code => "logger",
            name => name,
        };
        add(cells, name, value(bare));
        return true;
    }
    // `FarmApplication          : Starting ...`
    let follows_colon = left.trim_start().starts_with(": ");
    if follows_colon && bare.chars().all(|c| c.is_alphanumeric() || "._$-".contains(c)) {
        add(cells, "logger", value(bare));
        return true;
    }
    let is_lone_number = bare.bytes().all(|byte| byte.is_ascii_digit());
    if is_lone_number {
        add(cells, "thread", value(bare));
    }
    let is_process = word.ends_with(':') && host.take().is_some();
    if is_process {
        add(cells, "process", value(bare));
    }
    is_lone_number || is_process
}
