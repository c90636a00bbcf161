//! Groups the records that one statement of a program wrote. It follows Drain (He et al., ICWS
//! 2017) with a fixed depth of two over the words of a message. Words with a digit are masked
//! first. The result depends only on the file.

use std::collections::HashMap;

use model::document::hexadecimal;
use model::level::rank;
use model::record::{Record, Template, VARIABLE};
use sha2::{Digest, Sha256};

/// Upper bound for the words of a message that are compared.
const WORDS: usize = 40;

/// Lower bound for the share of equal words in messages of one statement. Drain's authors use .5
/// for most of their logs.
const ALIKE: f64 = 0.5;

/// Upper bound for the templates of a file; further records have none.
const TEMPLATES: usize = 1_000;

struct Group {
    words: Vec<String>,
    template: Template,
}

/// Assigns each record to its template. The templates are in the order of their first records.
pub(super) fn assign(records: &mut [Record<'_>]) -> Vec<Template> {
    let mut groups: Vec<Group> = Vec::new();
    let mut by_shape: HashMap<(usize, String), Vec<usize>> = HashMap::new();
    let mut exact: HashMap<String, usize> = HashMap::new();
    for (place, record) in records.iter_mut().enumerate() {
        let words = words(record);
        let key = words.join(" ");
        let found = exact.get(&key).copied().or_else(|| {
            let shape = (words.len(), words.first().cloned().unwrap_or_default());
            let near = by_shape.entry(shape).or_default();
            let found = nearest(&groups, near, &words);
            let found = match found {
                Some(found) => found,
                None if groups.len() < TEMPLATES => {
                    near.push(groups.len());
                    let template = Template { first: place as u64, ..Template::default() };
                    groups.push(Group { words: words.clone(), template });
                    groups.len() - 1
                }
                None => return None,
            };
            exact.insert(key, found);
            Some(found)
        });
        let Some(found) = found else { continue };
        let Group { words: pattern, template } = &mut groups[found];
        for (part, word) in pattern.iter_mut().zip(&words) {
            if part != word {
                VARIABLE.clone_into(part);
            }
        }
        template.count += 1;
        template.level = severer(template.level.take(), record.cell("level"));
        record.template = u32::try_from(found).ok();
    }
    groups.into_iter().map(finish).collect()
}

fn finish(group: Group) -> Template {
    let text = group.words.join(" ");
    let hash = hexadecimal(&Sha256::digest(text.as_bytes()));
    Template { id: hash[..12].to_owned(), text, ..group.template }
}

/// Returns the group with the most equal words, if these are enough.
fn nearest(groups: &[Group], near: &[usize], words: &[String]) -> Option<usize> {
    let share = |group: usize| {
        let pattern = &groups[group].words;
        let equal = pattern.iter().zip(words).filter(|(a, b)| a == b && *a != VARIABLE).count();
        let solid = pattern.iter().filter(|word| *word != VARIABLE).count().max(1);
        (
            equal,
            f64::from(u32::try_from(equal).unwrap_or(0))
                / f64::from(u32::try_from(solid).unwrap_or(1)),
        )
    };
    let scored = near.iter().map(|group| (share(*group), *group));
    let best = scored.filter(|((_, share), _)| *share > ALIKE || near.is_empty());
    best.max_by(|a, b| a.0.1.total_cmp(&b.0.1).then(b.1.cmp(&a.1))).map(|(_, group)| group)
}

/// Returns the words of a record's message, with variable words masked.
fn words(record: &Record<'_>) -> Vec<String> {
    let line = record.text.lines().next().unwrap_or_default();
    let request = record.cell("method").zip(record.cell("code"));
    if let Some((method, code)) = request {
        return vec![method.to_owned(), VARIABLE.to_owned(), code.to_owned()];
    }
    let message = record.cell("message").unwrap_or(line);
    let mut words: Vec<String> = Vec::new();
    for word in message.split_whitespace().take(WORDS) {
        let word = mask(word);
        // A list of values counts as one variable, whatever its length.
        if word == VARIABLE && words.last().is_some_and(|last| last == VARIABLE) {
            continue;
        }
        words.push(word);
    }
    words
}

fn mask(word: &str) -> String {
    if let Some((name, _)) = word.split_once('=')
        && !name.is_empty()
        && !name.bytes().any(|byte| byte.is_ascii_digit())
    {
        return format!("{name}={VARIABLE}");
    }
    let has_digit = word.bytes().any(|byte| byte.is_ascii_digit());
    let is_path = word.starts_with('/') && word.len() > 1;
    if has_digit || is_path { VARIABLE.to_owned() } else { word.to_owned() }
}

fn severer(known: Option<String>, new: Option<&str>) -> Option<String> {
    match (known, new) {
        (Some(known), Some(new)) if rank(new) > rank(&known) => Some(new.to_owned()),
        (None, Some(new)) => Some(new.to_owned()),
        (known, _) => known,
    }
}
