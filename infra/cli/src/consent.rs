//! What is asked before something is done that cannot be undone.

use std::io::{IsTerminal, stdin};

use anyhow::{Context, Result};
use console::Term;

/// Whether somebody at the terminal agrees; where nobody is there to ask, what was ordered is done.
pub(crate) fn is_given(out: &Term, question: &str) -> Result<bool> {
    if !out.is_term() || !stdin().is_terminal() {
        return Ok(true);
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
    fn nothing_but_yes_is_consent() {
        assert!(is_yes("Y\n") && is_yes(" yes "));
        assert!(!is_yes("\n") && !is_yes("no") && !is_yes(""));
    }
}
