//! The question before something is done that cannot be undone.

use std::io::{IsTerminal, stdin};

use anyhow::{Context, Result, bail};
use console::Term;

/// Returns true if somebody at the terminal agrees; fails where nobody is there to ask.
pub(crate) fn is_given(out: &Term, question: &str) -> Result<bool> {
    if !out.is_term() || !stdin().is_terminal() {
        bail!("{question} Nobody is at a terminal to say so: add --yes");
    }
    out.write_str(&format!("{question} [y/N] "))?;
    let mut answer = String::new();
    stdin().read_line(&mut answer).context("the answer cannot be read")?;
    Ok(is_yes(&answer))
}

fn is_yes(answer: &str) -> bool {
    matches!(answer.trim().to_lowercase().as_str(), "y" | "yes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_nobody_can_be_asked_nothing_is_done() {
        let (reading, _writing) = std::io::pipe().unwrap();
        let out = Term::read_write_pair(reading, tempfile::tempfile().unwrap());
        let refused = is_given(&out, "Delete it?").unwrap_err().to_string();
        assert_eq!(refused, "Delete it? Nobody is at a terminal to say so: add --yes");
    }

    #[test]
    fn nothing_but_yes_is_consent() {
        assert!(is_yes("Y\n") && is_yes(" yes "));
        assert!(!is_yes("\n") && !is_yes("no") && !is_yes(""));
    }
}
