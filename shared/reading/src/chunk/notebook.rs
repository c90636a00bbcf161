//! Jupyter notebooks (nbformat 3 and 4) as Markdown: texts, code, and what it printed.

use serde::Deserialize;

use super::{Extract, markdown};

/// Upper bound for the bytes of one output.
const OUTPUT: usize = 4_000;

#[derive(Deserialize)]
struct Notebook {
    #[serde(default)]
    cells: Vec<Cell>,
    #[serde(default)]
    worksheets: Vec<Worksheet>,
    #[serde(default)]
    metadata: Metadata,
}

/// A sheet of a notebook of version 3, which has its cells.
#[derive(Deserialize)]
struct Worksheet {
    #[serde(default)]
    cells: Vec<Cell>,
}

#[derive(Default, Deserialize)]
struct Metadata {
    #[serde(default)]
    language_info: Option<LanguageInfo>,
}

#[derive(Deserialize)]
struct LanguageInfo {
    #[serde(default)]
    name: String,
}

#[derive(Deserialize)]
struct Cell {
    #[serde(rename = "cell_type")]
    kind: String,
    #[serde(default, alias = "input")]
    source: Lines,
    /// The level of a heading, in version 3.
    level: Option<usize>,
    #[serde(default)]
    outputs: Vec<Output>,
}

#[derive(Deserialize)]
struct Output {
    #[serde(default)]
    text: Lines,
    #[serde(default)]
    data: Data,
    ename: Option<String>,
    evalue: Option<String>,
}

#[derive(Default, Deserialize)]
struct Data {
    #[serde(default, rename = "text/plain")]
    text: Lines,
    #[serde(rename = "image/png")]
    image: Option<serde::de::IgnoredAny>,
}

/// A text, or its lines.
#[derive(Deserialize)]
#[serde(untagged)]
enum Lines {
    One(String),
    Many(Vec<String>),
}

impl Default for Lines {
    fn default() -> Lines {
        Lines::Many(Vec::new())
    }
}

impl Lines {
    fn text(&self) -> String {
        match self {
            Lines::One(text) => text.clone(),
            Lines::Many(lines) => lines.concat(),
        }
    }
}

/// Reads a notebook.
pub(super) fn read(text: &str) -> Result<Extract, String> {
    let notebook: Notebook = serde_json::from_str(text)
        .map_err(|error| format!("is no notebook that can be read: {error}"))?;
    let language = notebook.metadata.language_info.map(|info| info.name).unwrap_or_default();
    let (mut text, mut images, mut cuts) = (String::new(), 0, 0);
    let sheets = notebook.worksheets.into_iter().flat_map(|sheet| sheet.cells);
    for cell in notebook.cells.into_iter().chain(sheets) {
        let source = cell.source.text();
        match cell.kind.as_str() {
            "code" => add_block(&mut text, &language, &source, usize::MAX),
            "heading" => {
                let marks = "#".repeat(cell.level.unwrap_or(1).clamp(1, 6));
                text.extend([&marks, " ", source.trim(), "\n\n"]);
            }
            _ => text.extend([source.trim(), "\n\n"]),
        }
        for output in &cell.outputs {
            images += usize::from(output.data.image.is_some());
            let failure = output.ename.as_deref().zip(output.evalue.as_deref());
            let failure = failure.map(|(name, value)| format!("{name}: {value}"));
            let shown = [output.text.text(), output.data.text.text(), failure.unwrap_or_default()];
            let shown = shown.concat();
            cuts += usize::from(shown.trim_end().len() > OUTPUT);
            add_block(&mut text, "", &shown, OUTPUT);
        }
    }
    let mut extract = markdown::extract(&text);
    if cuts > 0 {
        extract.left_out.push(format!("{cuts} outputs after {OUTPUT} bytes"));
    }
    if images > 0 {
        extract.left_out.push(format!("{images} pictures"));
    }
    Ok(extract)
}

/// Adds at most `most` bytes of a code block.
fn add_block(text: &mut String, language: &str, code: &str, most: usize) {
    let code = code.trim_end();
    if code.is_empty() {
        return;
    }
    let shown = &code[..code.floor_char_boundary(most.min(code.len()))];
    let cut = if shown.len() < code.len() { "\n\u{2026}" } else { "" };
    // A longer fence than any in the code.
    let fence = "`".repeat(longest_fence(shown).max(2) + 1);
    text.extend([&fence, language, "\n", shown, cut, "\n", &fence, "\n\n"]);
}

fn longest_fence(code: &str) -> usize {
    code.split(|c| c != '`').map(str::len).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_code_and_outputs_are_read() {
        let notebook = r##"{"cells": [
            {"cell_type": "markdown", "source": ["# Pump 7\n", "\n", "It ran dry."]},
            {"cell_type": "code", "source": "flow.mean()", "outputs": [
                {"output_type": "execute_result", "data": {"text/plain": ["3.4"], "image/png": "x"}},
                {"output_type": "error", "ename": "KeyError", "evalue": "'flow'"}]}],
            "metadata": {"language_info": {"name": "python"}}, "nbformat": 4}"##;
        let extract = read(notebook).unwrap();
        assert_eq!(extract.cut.title.as_deref(), Some("Pump 7"));
        for part in ["```python\nflow.mean()\n```", "```\n3.4\n```", "KeyError: 'flow'"] {
            assert!(extract.text.contains(part), "{}", extract.text);
        }
        assert_eq!(extract.left_out, ["1 pictures"]);
    }

    #[test]
    fn what_is_no_notebook_is_refused() {
        assert!(read("{\"cells\": 7}").unwrap_err().starts_with("is no notebook"));
    }
}
