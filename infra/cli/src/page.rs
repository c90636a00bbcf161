//! Answers on the terminal, and lists that come in pages.

use std::path::Path;

use anyhow::{Context, Result};
use console::Term;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use wire::fit;

use crate::address::with_query;
use crate::api::Api;
use crate::wording::{pretty, printable};

/// The most that one page of a list is asked for.
const PAGE: usize = 50;

/// Prints the answer as it is, or with `render` for a reader.
pub(crate) fn print<T: DeserializeOwned>(
    answer: Value,
    is_json: bool,
    render: impl Fn(&T, usize) -> Vec<String>,
) -> Result<()> {
    let out = Term::stdout();
    if is_json {
        out.write_line(&pretty(&answer)?)?;
        return Ok(());
    }
    let lines = render(&read(answer)?, width(&out));
    lines.iter().try_for_each(|line| out.write_line(line))?;
    Ok(())
}

/// Reads a reply that is to be shown: no text in it can steer the terminal.
pub(crate) fn read<T: DeserializeOwned>(reply: Value) -> Result<T> {
    let mut reply = fit::restored(reply);
    make_printable(&mut reply);
    serde_json::from_value(reply).context("the reply has another form than expected")
}

/// Sends a question, and reads its reply with the places where their numbers stand.
///
/// # Errors
/// As [`Api::post`], and what the API refused.
pub fn report<T: DeserializeOwned>(api: &Api, path: &str, body: &impl Serialize) -> Result<T> {
    let reply = api.post(path, body)?.map_err(anyhow::Error::from)?;
    Ok(serde_json::from_value(fit::restored(reply))?)
}

fn make_printable(value: &mut Value) {
    match value {
        Value::String(text) => *text = printable(text),
        Value::Object(fields) => fields.values_mut().for_each(make_printable),
        Value::Array(items) => items.iter_mut().for_each(make_printable),
        _ => {}
    }
}

/// Writes a page for a browser into a file.
pub(crate) fn write(file: &Path, page: &str) -> Result<()> {
    std::fs::write(file, page).with_context(|| format!("{} cannot be written", file.display()))
}

/// Opens a page in the browser. Its file stays in the folder for temporary files, because the
/// browser reads it later.
pub(crate) fn open(page: &str) -> Result<()> {
    let file = tempfile::Builder::new().prefix("plumbline-").suffix(".html").tempfile()?;
    let (_, path) = file.keep()?;
    write(&path, page)?;
    let is_open = webbrowser::open(&format!("file://{}", path.display())).is_ok();
    let outcome = if is_open { "Opened" } else { "No browser was found; the page is in" };
    Ok(Term::stdout().write_line(&format!("{outcome} {}", path.display()))?)
}

/// Returns the width of a page there.
pub(crate) fn width(out: &Term) -> usize {
    usize::from(out.size().1).clamp(60, 110)
}

/// The first page of the list at `path` with the items of those after it, at most `limit`; its
/// cursor tells where it goes on.
pub fn list(
    api: &Api,
    path: &str,
    values: &[(&str, Option<&str>)],
    items: &str,
    limit: usize,
) -> Result<Value> {
    gather(items, limit, |cursor, most| {
        let most = most.to_string();
        let mut values = values.to_vec();
        values.extend([("limit", Some(most.as_str())), ("cursor", cursor)]);
        api.get(&with_query(path, &values))
    })
}

fn gather(
    items: &str,
    limit: usize,
    page: impl Fn(Option<&str>, usize) -> Result<Value>,
) -> Result<Value> {
    let mut whole = page(None, limit.min(PAGE))?;
    loop {
        let number = whole[items].as_array().map_or(0, Vec::len);
        let Some(cursor) = whole["cursor"].as_str().filter(|_| number < limit) else {
            return Ok(whole);
        };
        let mut next = page(Some(cursor), (limit - number).min(PAGE))?;
        whole["cursor"] = next["cursor"].take();
        if let (Some(all), Some(more)) = (whole[items].as_array_mut(), next[items].as_array_mut()) {
            all.append(more);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// A list of the numbers below 120, which gives at most 50 at once.
    fn numbers(cursor: Option<&str>, most: usize) -> Result<Value> {
        let start: usize = cursor.unwrap_or("0").parse()?;
        let end = (start + most.min(50)).min(120);
        let cursor = (end < 120).then(|| end.to_string());
        Ok(json!({"of": "all", "numbers": (start..end).collect::<Vec<_>>(), "cursor": cursor}))
    }

    #[test]
    fn a_list_is_followed_up_to_the_limit() {
        for (limit, held, cursor) in
            [(20, 20, json!("20")), (70, 70, json!("70")), (500, 120, Value::Null)]
        {
            let whole = gather("numbers", limit, numbers).unwrap();
            let expected: Vec<usize> = (0..held).collect();
            assert_eq!((&whole["numbers"], &whole["cursor"]), (&json!(expected), &cursor));
            assert_eq!(whole["of"], "all");
        }
    }

    #[test]
    fn what_is_shown_cannot_steer_the_terminal() {
        let gap = json!({"facet": "a\u{1b}]0;b\nd"});
        let gap: wire::common::Gap = read(gap).unwrap();
        assert_eq!(gap.facet, "a\u{fffd}]0;b\nd");
    }

    #[test]
    fn a_list_on_one_page_is_as_it_is() {
        let whole = gather("a", 10, |_, _| Ok(json!({"a": [1]}))).unwrap();
        assert_eq!(whole["a"], json!([1]));
    }
}
