//! The costs of an ingest, without one.

use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Context, Result};
use model::format::Format;
use serde::Serialize;

use super::{all_files, media};
use crate::wording::count;

/// The most bytes of a document that a language model reads; four are a token of English.
const READ: usize = 48_000;
const BYTES_OF_TOKEN: f64 = 4.0;

/// The tokens of what the model is told with each document (its rules and the form's schema,
/// reckoned and not measured), and of the form that it fills in: the quotes of the 48 reports of
/// `tests/eval/facts/read.jsonl` have 309 in the mean, the rest is for their ids and five
/// questions.
const TOLD: f64 = 1_500.0;
const WRITTEN: f64 = 700.0;

/// Dollars for a million tokens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Prices {
    read: f64,
    written: f64,
}

impl FromStr for Prices {
    type Err = String;

    fn from_str(text: &str) -> Result<Prices, String> {
        let price = |text: &str| {
            let price = text.trim().parse().ok();
            price.filter(|price: &f64| price.is_finite() && *price >= 0.0)
        };
        let both = text.split_once(',').and_then(|(read, written)| price(read).zip(price(written)));
        let (read, written) = both.ok_or("must be two prices in dollars, such as 0.06,0.24")?;
        Ok(Prices { read, written })
    }
}

/// The documents of some paths, and the part of them that a model would read.
#[derive(Debug, Default, PartialEq, Serialize)]
struct Estimate {
    documents: usize,
    bytes: usize,
    /// Files of no form that is read.
    unread: usize,
    read_by_model: usize,
    tokens_in: f64,
    tokens_out: f64,
    dollars: f64,
}

impl Estimate {
    fn add(&mut self, name: &str, bytes: &[u8]) {
        let Ok(format) = Format::of(name, media::media_type(name, bytes)) else {
            self.unread += 1;
            return;
        };
        self.documents += 1;
        self.bytes += bytes.len();
        // Logs, settings and code are read by rules alone.
        if !matches!(format, Format::Log | Format::Config | Format::Code(_)) {
            self.read_by_model += 1;
            self.tokens_in += TOLD + tokens(bytes.len().min(READ));
            self.tokens_out += WRITTEN;
        }
    }

    fn priced(self, prices: Prices) -> Estimate {
        let micros = self.tokens_in * prices.read + self.tokens_out * prices.written;
        Estimate { dollars: micros / 1e6, ..self }
    }
}

#[expect(clippy::cast_precision_loss, reason = "an estimate of at most 12,000 tokens")]
fn tokens(bytes: usize) -> f64 {
    bytes as f64 / BYTES_OF_TOKEN
}

/// Prints how many documents these paths hold, and what a model that reads them would cost; it
/// sends nothing.
pub(crate) fn run(paths: &[PathBuf], prices: Prices, is_json: bool) -> Result<()> {
    let mut estimate = Estimate::default();
    for (path, name) in all_files(paths)? {
        let bytes = std::fs::read(&path).with_context(|| path.display().to_string())?;
        estimate.add(&name, &bytes);
    }
    let estimate = estimate.priced(prices);
    let text =
        if is_json { serde_json::to_string_pretty(&estimate)? } else { told(&estimate, prices) };
    Ok(console::Term::stdout().write_line(&text)?)
}

fn told(estimate: &Estimate, Prices { read, written }: Prices) -> String {
    let Estimate { documents, bytes, unread, read_by_model, tokens_in, tokens_out, dollars } =
        estimate;
    let unread = match unread {
        0 => String::new(),
        unread => format!("; {} of no form that is read", count(*unread, "file")),
    };
    format!(
        "{}, {bytes} bytes{unread}. Nothing was sent.\n\
         A language model that reads documents at ingest (ReadModel, or ChatModel where that is empty) reads {read_by_model} of them: \
         some {tokens_in:.0} tokens read and {tokens_out:.0} written, {dollars:.2} dollars at {read} and {written} for a million. \
         Without one rules read them.",
        count(*documents, "document")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_read_by_a_model_and_logs_settings_and_code_are_not() {
        let mut estimate = Estimate::default();
        for (name, bytes) in [
            ("a/report.md", vec![b'a'; 4_000]),
            ("guide.txt", vec![b'a'; 100_000]),
            ("app.log", vec![b'a'; 4_000]),
            ("values.yaml", vec![b'a'; 4_000]),
            ("main.rs", vec![b'a'; 4_000]),
            ("image.bin", vec![0, 159]),
        ] {
            estimate.add(name, &bytes);
        }
        let estimate = estimate.priced("1,10".parse().unwrap());
        let expected = Estimate {
            documents: 5,
            bytes: 116_000,
            unread: 1,
            read_by_model: 2,
            tokens_in: 16_000.0,
            tokens_out: 1_400.0,
            dollars: 0.03,
        };
        assert_eq!(estimate, expected);
        let told = told(&estimate, Prices { read: 1.0, written: 10.0 });
        assert!(
            told.starts_with("5 documents, 116000 bytes; 1 file of no form that is read."),
            "{told}"
        );
    }

    #[test]
    fn prices_are_two_numbers() {
        assert_eq!("0.06, 0.24".parse(), Ok(Prices { read: 0.06, written: 0.24 }));
        for text in ["1", "1,", "-1,2", "a,b", "nan,1"] {
            assert!(text.parse::<Prices>().is_err(), "{text}");
        }
    }
}
