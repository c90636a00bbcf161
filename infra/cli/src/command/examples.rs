//! Examples below the help of each command.

use clap::Command;

/// The examples, each below the help of the command with the name.
const EXAMPLES: [(&str, &[&str]); 27] = [
    ("serve", &["plumbline serve ~/postmortems", "plumbline serve ~/notes --port 7601"]),
    ("mcp", &["plumbline mcp ~/postmortems"]),
    ("ingest", &["plumbline ingest ~/postmortems", "plumbline ingest ~/src/gauge --source code"]),
    (
        "ask",
        &[
            "plumbline ask rcca 'requests hang'",
            "plumbline ask 'Halyard or Tidewire for order events?'",
            "plumbline ask case:ID 'What failed first between 18:10 and 18:20?'",
            "plumbline ask user 'How do I restart the pump?' --mode extractive",
            "plumbline ask global 'And on a Sunday?' --follow-up-of 'Who is on call?'",
        ],
    ),
    ("answer", &["plumbline answer ANSWER_ID --check"]),
    (
        "alert",
        &["plumbline alert test payments payload.json", "plumbline alert list --team payments"],
    ),
    ("case", &["plumbline case new 'Checkout is down'", "plumbline case close ID"]),
    ("project", &["plumbline project list", "plumbline project trail ID"]),
    ("invitations", &["plumbline invitations"]),
    ("delete", &["plumbline delete --knowledge global runbooks/old.md"]),
    ("forget-user", &["plumbline forget-user SUB"]),
    ("restore", &["plumbline restore --knowledge global runbooks/old.md"]),
    ("reindex", &["plumbline reindex global", "plumbline reindex all --failed"]),
    ("login", &["plumbline login --url URL --issuer ISSUER --client-id ID"]),
    ("token", &["plumbline token --issuer ISSUER --client-id ID"]),
    (
        "key",
        &[
            "plumbline key new 'nightly ingest' --scope write --group knowledge-admins",
            "plumbline key list",
            "plumbline key revoke ID",
        ],
    ),
    ("logout", &["plumbline logout"]),
    ("doctor", &["plumbline doctor", "plumbline doctor --documents --json"]),
    ("knowledge", &["plumbline knowledge"]),
    ("documents", &["plumbline documents runbook"]),
    ("conflicts", &["plumbline conflicts --knowledge team:ID"]),
    (
        "evaluate",
        &[
            "plumbline evaluate questions.jsonl --out monday.json",
            "plumbline evaluate questions.jsonl --against monday.json",
        ],
    ),
    ("passage", &["plumbline passage global PASSAGE_ID"]),
    ("verify", &["plumbline verify pack.html"]),
    ("completions", &["plumbline completions bash"]),
    ("man", &["plumbline man ~/.local/share/man/man1"]),
    (
        "status",
        &["plumbline status --knowledge user", "plumbline status pumps/plan.xlsx --explain"],
    ),
];

/// Returns the command line with the examples below the help of its commands.
pub(super) fn with_all(command: Command) -> Command {
    EXAMPLES.iter().fold(command, |command, (name, examples)| {
        let text = format!("Examples:\n  {}", examples.join("\n  "));
        command.mut_subcommand(name, |one| one.after_help(text))
    })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::super::Arguments;
    use super::*;

    /// Splits a line as a shell does that knows single quotes.
    fn words(line: &str) -> Vec<String> {
        let parts = line.split('\'').enumerate();
        let words = parts.flat_map(|(number, part)| match number % 2 {
            0 => part.split_whitespace().map(str::to_owned).collect(),
            _ => vec![part.to_owned()],
        });
        words.collect()
    }

    #[test]
    fn each_command_has_examples_that_it_understands() {
        let command = with_all(Arguments::command());
        for one in command.get_subcommands() {
            let name = one.get_name();
            assert!(one.get_after_help().is_some(), "{name} has no example");
            let of_name = EXAMPLES.iter().filter(|(known, _)| *known == name);
            for example in of_name.flat_map(|(_, examples)| *examples) {
                let line = words(example);
                assert!(command.clone().try_get_matches_from(&line).is_ok(), "{example}");
                assert_eq!(line[1], name);
            }
        }
    }
}
