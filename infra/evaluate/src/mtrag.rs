//! Conversations of MTRAG: checks that the right passages are read for a last turn alone, with the
//! turns before it, and in the form in which a person rewrote it; and that questions without an
//! answer are not answered.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args;
use console::Term;
use indicatif::ProgressBar;
use plumbline::api::{Api, Knowledge};
use plumbline::evaluate::{read_lines, share};
use plumbline::wording::count;
use serde::Deserialize;
use wire::answer::{AnswerReport, Turn};
use wire::common::AnswerMode;
use wire::meta::Reply;

use super::answer::{FileTurn, ask, turns};

/// Conversations whose last turn is asked, and the passages that answer it.
#[derive(Debug, Args)]
pub(crate) struct Conversations {
    /// The folder with `conversations.jsonl` and `qrels.tsv`, and perhaps `unanswerable_etc.jsonl`.
    /// Its passages must have been ingested, each as a document that is named by the passage's id.
    folder: PathBuf,
    /// The knowledge base that holds the passages: `global` or `team:ID`.
    #[arg(long)]
    knowledge: Knowledge,
    /// The most conversations asked, of either kind.
    #[arg(long)]
    limit: Option<usize>,
    /// The mode of the answers; otherwise that of the knowledge base.
    #[arg(long, value_parser = plumbline::ask::mode)]
    mode: Option<AnswerMode>,
    /// Prints every last turn for which a form read fewer of the right passages than the person's.
    #[arg(long)]
    details: bool,
}

/// A conversation up to the turn that is asked.
#[derive(Debug, Deserialize)]
struct Conversation {
    id: String,
    last_turn: String,
    /// The last turn in a form that a stranger would understand.
    rewrite: Option<String>,
    history: Vec<FileTurn>,
    #[serde(default)]
    answerability: Vec<String>,
}

/// The number of passages that are counted.
const READ: u32 = 10;

const FORMS: [&str; 3] =
    ["last turn alone", "last turn with conversation", "rewritten by a person"];

/// The figures of one form.
#[derive(Debug, Default)]
struct Figures {
    asked: usize,
    recall: f64,
    found: usize,
    abstained: usize,
}

pub(crate) fn run(api: &Api, asked: &Conversations) -> Result<()> {
    let out = Term::stdout();
    let limit = asked.limit.unwrap_or(usize::MAX);
    let file = asked.folder.join("qrels.tsv");
    let text = std::fs::read_to_string(&file);
    let right = judgements(&text.with_context(|| format!("{} cannot be read", file.display()))?);
    let mut conversations: Vec<Conversation> =
        read_lines(&asked.folder.join("conversations.jsonl"))?;
    conversations.retain(|conversation| right.contains_key(&conversation.id));
    conversations.truncate(limit);
    if conversations.is_empty() {
        bail!("{} has no conversation whose passages are known", asked.folder.display());
    }
    let mut figures: [Figures; FORMS.len()] = Default::default();
    let bar = ProgressBar::new(conversations.len() as u64);
    for conversation in &conversations {
        let mut recalls = Vec::new();
        for ((question, turns), figures) in conversation.forms().iter().zip(&mut figures) {
            let answer = put(api, asked, question, turns)?;
            recalls.push(figures.add(&answer.report, &right[&conversation.id]));
        }
        if let Some(line) = asked.details.then(|| detail(conversation, &recalls)).flatten() {
            bar.suspend(|| out.write_line(&line))?;
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    rendered_lines(&figures).iter().try_for_each(|line| out.write_line(line))?;
    let others = asked.folder.join("unanswerable_etc.jsonl");
    if others.exists() {
        let mut others: Vec<Conversation> = read_lines(&others)?;
        others.truncate(limit);
        answerability(api, asked, &others)?.iter().try_for_each(|line| out.write_line(line))?;
    }
    Ok(())
}

fn put(
    api: &Api,
    asked: &Conversations,
    question: &str,
    turns: &[Turn],
) -> Result<Reply<AnswerReport>> {
    ask(api, &asked.knowledge, question, turns, asked.mode, Some(READ))
}

impl Conversation {
    fn forms(&self) -> [(&str, Vec<Turn>); FORMS.len()] {
        let rewrite = self.rewrite.as_ref().unwrap_or(&self.last_turn);
        [
            (&self.last_turn, Vec::new()),
            (&self.last_turn, turns(&self.history)),
            (rewrite, Vec::new()),
        ]
    }
}

impl Figures {
    /// Counts the passages read and the answers; returns the share of the right passages that was
    /// read.
    #[expect(clippy::cast_precision_loss, reason = "counts of passages")]
    fn add(&mut self, answer: &AnswerReport, right: &BTreeSet<String>) -> f64 {
        let read: BTreeSet<&str> = answer
            .read
            .iter()
            .take(READ as usize)
            .map(|passage| id(&passage.passage.file))
            .collect();
        let found = right.iter().filter(|id| read.contains(id.as_str())).count();
        let recall = found as f64 / right.len().max(1) as f64;
        self.asked += 1;
        self.recall += recall;
        self.found += usize::from(found > 0);
        self.abstained += usize::from(answer.claims.is_empty());
        recall
    }
}

/// Returns the id of the passage in a document: the document's name without folders and extension.
fn id(name: &str) -> &str {
    let file = name.rsplit('/').next().unwrap_or(name);
    file.rsplit_once('.').map_or(file, |(id, _)| id)
}

/// Parses the passages that answer each question from lines with question, passage and score. The
/// first line contains the column names.
fn judgements(text: &str) -> HashMap<String, BTreeSet<String>> {
    let mut right: HashMap<String, BTreeSet<String>> = HashMap::new();
    for line in text.lines().skip(1) {
        if let [question, passage, score] = line.split('\t').collect::<Vec<_>>()[..]
            && score != "0"
        {
            right.entry(question.into()).or_default().insert(passage.into());
        }
    }
    right
}

fn detail(conversation: &Conversation, recalls: &[f64]) -> Option<String> {
    let (best, others) = recalls.split_last()?;
    let shares: Vec<String> = recalls.iter().map(|recall| format!("{recall:.2}")).collect();
    let is_less = others.iter().any(|recall| recall < best);
    is_less.then(|| format!("{} {}", shares.join(" "), conversation.last_turn))
}

#[expect(clippy::cast_precision_loss, reason = "counts of questions")]
fn rendered_lines(figures: &[Figures]) -> Vec<String> {
    let head = format!("{:<28}  {:>5}  R@{READ}  any in {READ}  abstained", "", "asked");
    let line = |(form, row): (&str, &Figures)| {
        let recall = row.recall / row.asked.max(1) as f64;
        let (found, abstained) = (share(row.found, row.asked), share(row.abstained, row.asked));
        format!("{form:<28}  {:>5}  {recall:.2}  {found:>9}  {abstained:>9}", row.asked)
    };
    let lines = FORMS.into_iter().zip(figures).map(line);
    std::iter::once(head).chain(lines).collect()
}

/// Asks each conversation with its earlier turns, and returns the number of abstentions of each
/// kind.
fn answerability(
    api: &Api,
    asked: &Conversations,
    conversations: &[Conversation],
) -> Result<Vec<String>> {
    let mut kinds: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let bar = ProgressBar::new(conversations.len() as u64);
    for conversation in conversations {
        let answer = put(api, asked, &conversation.last_turn, &turns(&conversation.history))?;
        let kind = conversation.answerability.join(" ").to_lowercase();
        let (abstained, all) = kinds.entry(kind).or_default();
        *abstained += usize::from(answer.report.claims.is_empty());
        *all += 1;
        bar.inc(1);
    }
    bar.finish_and_clear();
    let line = |(kind, (abstained, all)): (&String, &(usize, usize))| {
        let questions = count(*all, "question");
        format!("{kind}: abstained {} of {questions} with conversation", share(*abstained, *all))
    };
    Ok(kinds.iter().map(line).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use wire::answer::Speaker;
    use wire::testing::reply;

    fn conversation() -> Conversation {
        let history = json!([
            {"role": "user", "text": "Which pump?"}, {"role": "agent", "text": "Pump 7."}, {"role": "user", "text": "How hot?"},
        ]);
        let line = json!({"id": "q1", "last_turn": "How hot?", "rewrite": "How hot is pump 7?", "history": history});
        serde_json::from_value(line).unwrap()
    }

    #[test]
    fn a_last_turn_is_asked_in_three_forms() {
        let conversation = conversation();
        let [alone, with, rewritten] = conversation.forms();
        assert_eq!(alone, ("How hot?", Vec::new()));
        let contents: Vec<&str> = with.1.iter().map(|turn| turn.content.as_str()).collect();
        assert_eq!((with.0, contents), ("How hot?", vec!["Which pump?", "Pump 7."]));
        assert_eq!(with.1[1].role, Speaker::Assistant);
        assert_eq!(rewritten, ("How hot is pump 7?", Vec::new()));
    }

    #[test]
    fn passages_count_once_and_among_the_first_ten_only() {
        let mut names = vec!["mt/p1-0-9.md".to_owned(), "mt/p1-0-9.md".into(), "x.md".into()];
        names.extend((0..7).map(|other| format!("o{other}.md")));
        names.push("p2.md".into());
        let passages: Vec<_> =
            names.iter().map(|name| json!({"passage": {"file": name}})).collect();
        let answer: AnswerReport = reply(json!({"knowledge": "global", "read": passages}));
        let right = ["p1-0-9", "p2"].map(String::from).into();
        let mut figures = Figures::default();
        assert!((figures.add(&answer, &right) - 0.5).abs() < f64::EPSILON);
        insta::assert_snapshot!(rendered_lines(&[figures])[..2].join("\n"), @r"
                                      asked  R@10  any in 10  abstained
        last turn alone                   1  0.50       1.00       1.00
        ");
    }

    #[test]
    fn judgements_are_read_but_for_those_that_say_no() {
        let lines = "query-id\tcorpus-id\tscore\nq1\tp1\t1\nq1\tp2\t0\nq1\tp3\t2\n";
        let right = judgements(lines);
        assert_eq!(right["q1"], ["p1", "p3"].map(String::from).into());
    }

    #[test]
    fn only_what_a_person_did_better_is_told() {
        let line = detail(&conversation(), &[0.0, 0.5, 1.0]).unwrap();
        assert_eq!(line, "0.00 0.50 1.00 How hot?");
        assert_eq!(detail(&conversation(), &[1.0, 0.5, 0.5]), None);
    }
}
