//! The trail as Markdown.

use wire::decisions::{Decided, Decision};
use wire::projects::{Move, Project};
use wire::trail::{Asked, TrailEntry, TrailPage};

use super::madr::{code, moved, review, source, title};
use super::timeline::{count, decision_on, periods};
use crate::escape::{block, inline};

/// Returns a page of the trail: the project, what needs review, then questions and decisions,
/// newest first.
pub fn markdown(page: &TrailPage) -> String {
    let mut parts = vec![format!("# {}: decision trail", title(&page.project.name))];
    parts.extend(page.as_of.map(|time| {
        format!(
            "> As the trail stood on {}. What came later is left out.",
            time.strftime("%F %R UTC")
        )
    }));
    parts.push(head(&page.project));
    if !page.needs_review.is_empty() {
        parts.push(format!("## Needs review ({})", page.needs_review.len()));
        parts.extend(page.needs_review.iter().map(to_review));
    }
    parts.push("## Timeline".into());
    if page.entries.is_empty() {
        parts.push("Nothing was asked or decided.".into());
    }
    for period in periods(page) {
        parts.push(format!("### {}", period.title));
        parts.extend(period.entries.into_iter().map(|entry| match entry {
            TrailEntry::Question(asked) => question(asked),
            TrailEntry::Decision(decided) => decision(page, decided),
        }));
    }
    parts.extend(page.cursor.as_deref().map(|cursor| {
        format!("## More\n\nOlder entries follow under the cursor `{}`.", code(cursor))
    }));
    parts.push("All times are in UTC.\n".into());
    parts.join("\n\n")
}

fn head(project: &Project) -> String {
    let mut items = vec![format!("* Status: **{}**", project.status.name())];
    items.extend(project.domain.as_deref().map(|domain| format!("* Domain: {}", inline(domain))));
    items.extend(list("Standards", project.standards.iter().map(|standard| inline(standard))));
    items.extend(list(
        "Constraints",
        project.constraints.iter().map(|constraint| inline(constraint)),
    ));
    items.extend(list("Status moves", project.history.iter().map(step)));
    items.join("\n")
}

fn list(name: &str, items: impl ExactSizeIterator<Item = String>) -> Option<String> {
    if items.len() == 0 {
        return None;
    }
    let items: Vec<String> = items.map(|item| format!("  * {item}")).collect();
    Some(format!("* {name}:\n{}", items.join("\n")))
}

fn step(change: &Move) -> String {
    let reason = change.reason.as_deref().map(inline).filter(|reason| !reason.is_empty());
    format!(
        "{}: {} to {} by {}{}",
        change.at.strftime("%F"),
        change.from.name(),
        change.to.name(),
        inline(&change.by),
        reason.map_or(String::new(), |reason| format!(": {reason}"))
    )
}

fn to_review(decided: &Decided) -> String {
    let decision = &decided.decision;
    let reviews = decision.needs_review.iter().map(|changed| review(changed, &decided.sources));
    let mut parts = vec![format!("### {}\n\n{}", title(&decision.decision), signed(decision))];
    parts.extend(reviews);
    parts.join("\n\n")
}

/// Returns the status, id, time and author of a decision on one line.
fn signed(decision: &Decision) -> String {
    format!(
        "**{}** · decided on {} · recorded by {} · `{}`",
        capitalized(decision.status.name()),
        decision.decided_at.strftime("%F"),
        inline(&decision.by),
        code(&decision.decision_id)
    )
}

fn capitalized(name: &str) -> String {
    let mut letters = name.chars();
    letters
        .next()
        .map_or(String::new(), |first| format!("{}{}", first.to_uppercase(), letters.as_str()))
}

fn question(asked: &Asked) -> String {
    let results = match asked.results.len() {
        0 => "**no result**".into(),
        number => count(number, "result"),
    };
    format!(
        "* Question: {}\n  {} · {} · {results} · {}",
        title(&asked.question),
        asked.at.strftime("%F %R"),
        inline(&asked.workflow),
        inline(&asked.by),
    )
}

fn decision(page: &TrailPage, decided: &Decided) -> String {
    let decision = &decided.decision;
    let mut parts = vec![format!("#### {}", title(&decision.decision)), signed(decision)];
    let neighbors =
        [("Takes the place of", &decision.supersedes), ("Superseded by", &decision.superseded_by)];
    parts.extend(neighbors.into_iter().filter_map(|(relation, id)| {
        let id = id.as_deref()?;
        let name = decision_on(page, id)
            .map_or("(not on this page)".into(), |other| format!("\"{}\"", title(&other.decision)));
        Some(format!("{relation} `{}` {name}.", code(id)))
    }));
    if !decision.needs_review.is_empty() {
        let changed = count(decision.needs_review.len(), "source");
        parts.push(format!("**Needs review:** {changed} changed or went since."));
    }
    parts.push(
        Some(block(&decision.rationale, ""))
            .filter(|text| !text.is_empty())
            .map_or_else(|| "No rationale was recorded.".into(), |text| format!("Why:\n\n{text}")),
    );
    if !decision.alternatives.is_empty() {
        let listed: Vec<_> = decision
            .alternatives
            .iter()
            .map(|alternative| format!("* {}", title(alternative)))
            .collect();
        parts.push(format!("Alternatives:\n\n{}", listed.join("\n")));
    }
    if decision.history.len() > 1 {
        let moves: Vec<_> = decision.steps().map(moved).collect();
        parts.push(format!("History:\n\n{}", moves.join("\n")));
    }
    if decided.sources.is_empty() {
        parts.push("No sources were cited.".into());
    } else {
        parts.push("Sources:".into());
        parts.extend(decided.sources.iter().map(source));
    }
    parts.join("\n\n")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use pulldown_cmark::{Event, Parser, Tag};

    use super::super::sample::{decided, page, question, stale};
    use super::*;

    #[test]
    fn a_trail_is_told_with_what_needs_review_first() {
        let stale = stale("A", Some("Titanium is heavy."));
        let mut page =
            page(vec![question("2026-03-03T10:00:00Z"), TrailEntry::Decision(stale.clone())]);
        page.needs_review.push(stale);
        insta::assert_snapshot!(markdown(&page), @r"
        # Landing gear: decision trail

        * Status: **active**
        * Domain: aerospace
        * Standards:
          * AS9100
          * ECSS-Q-ST-70
        * Constraints:
          * At most 40 kg
        * Status moves:
          * 2026-01-02: planning to active by ada: Funded

        ## Needs review (1)

        ### Use material A

        **Accepted** · decided on 2026-03-01 · recorded by ada · `A`

        * **Materials handbook** no longer says this since 2026-04-01:

          > Titanium is light.
          > It does not rust.

          Nearest text now:

          > Titanium is heavy.

        ## Timeline

        ### Tuesday, 3 March 2026

        * Question: Which metals do not rust?
          2026-03-03 10:00 · explore · 1 result · grace

        ### Sunday, 1 March 2026

        #### Use material A

        **Accepted** · decided on 2026-03-01 · recorded by ada · `A`

        **Needs review:** 1 source changed or went since.

        Why:

        It is light.

        It does not rust.

        Alternatives:

        * Steel
        * Titanium

        Sources:

        * **Materials handbook**, Metals > Light, lines 4-9, relevance 0.90, `https://example.org/materials`

          > Titanium is light.
          > It does not rust.

        All times are in UTC.
        ");
    }

    #[test]
    fn a_question_without_a_result_says_so() {
        let mut asked = super::super::sample::asked("2026-03-03T10:00:00Z");
        asked.results.clear();
        assert!(markdown(&page(vec![TrailEntry::Question(asked)])).contains(" · **no result** · "));
    }

    #[test]
    fn an_empty_trail_the_time_it_is_told_of_and_the_next_page_are_told() {
        let mut page = page(vec![]);
        page.as_of = Some("2026-03-03T10:00:00Z".parse().unwrap());
        page.cursor = Some("a`b".into());
        let rendered = markdown(&page);
        assert!(rendered.contains("> As the trail stood on 2026-03-03 10:00 UTC."));
        assert!(rendered.contains("Nothing was asked or decided."));
        assert!(rendered.contains("under the cursor `a'b`."));
    }

    #[test]
    fn neighbors_in_succession_are_named_where_they_are_on_the_page() {
        let (mut old, mut new) = (decided("A"), decided("B"));
        (old.decision.superseded_by, new.decision.supersedes) =
            (Some("B".into()), Some("A".into()));
        new.decision.superseded_by = Some("C".into());
        let rendered = markdown(&page(vec![TrailEntry::Decision(new), TrailEntry::Decision(old)]));
        assert!(rendered.contains("Takes the place of `A` \"Use material A\"."));
        assert!(rendered.contains("Superseded by `C` (not on this page)."));
    }

    proptest! {
        #[test]
        fn no_text_adds_a_section(text in "([a-z \n]|\\PC|[#*_`<>&;.:'\"!|~=-]|---\n|```|<script>|\n# )*") {
            let mut stale = stale("A", Some(&text));
            let decision = &mut stale.decision;
            (decision.decision, decision.rationale) = (text.clone(), text.clone());
            (decision.by, decision.alternatives) = (text.clone(), vec![text.clone()]);
            stale.sources[0].quote.clone_from(&text);
            let mut asked = super::super::sample::asked("2026-03-03T10:00:00Z");
            (asked.question, asked.workflow) = (text.clone(), text.clone());
            let entries = vec![TrailEntry::Decision(stale.clone()), TrailEntry::Question(asked)];
            let mut page = page(entries);
            page.needs_review.push(stale);
            page.project.name.clone_from(&text);
            page.project.constraints = vec![text];
            let rendered = markdown(&page);
            let events: Vec<_> = Parser::new(&rendered).collect();
            let headings = events.iter().filter(|event| matches!(event, Event::Start(Tag::Heading { .. })));
            prop_assert_eq!(headings.count(), 7);
            prop_assert!(!events.iter().any(|event| matches!(event, Event::Html(_) | Event::InlineHtml(_))));
        }
    }
}
