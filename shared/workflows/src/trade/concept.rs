//! Words and units by which a criterion is recognized.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use matrix::Direction::{self, Max, Min};
use quantity::Dimension;
use text::term::Terms;

/// The criteria for a caller who names none.
pub(super) const TYPES: [&str; 7] = [
    "Performance",
    "Cost",
    "Reliability",
    "Security",
    "Scalability",
    "Maintainability",
    "Usability",
];

/// A property by which options are judged.
struct Concept {
    /// The place of its type in [`TYPES`].
    of: usize,
    /// The words for it. The first ones are its names.
    words: &'static str,
    /// The dimensions of its values.
    measures: &'static [Dimension],
    /// The direction that is better.
    better: Direction,
}

const CONCEPTS: &[Concept] = &[
    Concept {
        of: 0,
        words: "latency|response time|duration|delay|slow|slower|fast|faster|overhead|round trip|performance|benchmark|p50|p95|p99|speed|speed up|query time|build time|startup time",
        measures: &[Dimension::Time, Dimension::Share],
        better: Min,
    },
    Concept {
        of: 0,
        words: "throughput|bandwidth|requests per second|messages per second|events per second|operations per second|qps|rps|tps|iops",
        measures: &[Dimension::Rate, Dimension::Frequency],
        better: Max,
    },
    Concept {
        of: 0,
        words: "memory|size|footprint|ram|disk|storage|bytes|cache usage|cpu|traffic|network usage|write amplification",
        measures: &[Dimension::Size, Dimension::Share, Dimension::Rate],
        better: Min,
    },
    Concept {
        of: 0,
        words: "error|accuracy|precision|relative error|false positive",
        measures: &[Dimension::Share],
        better: Min,
    },
    Concept {
        of: 0,
        words: "mass|weight|capacity|energy density|power|temperature range|range|efficiency|life|cycle life",
        measures: &[
            Dimension::Mass,
            Dimension::Energy,
            Dimension::Power,
            Dimension::Temperature,
            Dimension::Length,
            Dimension::Pressure,
            Dimension::Force,
            Dimension::Voltage,
            Dimension::Current,
        ],
        better: Max,
    },
    Concept {
        of: 1,
        words: "cost|price|pricing|fee|budget|expensive|cheap|cheaper|cheapest|licence|license|spend|spending|bill|billed|billing|paid|free|money",
        measures: &[Dimension::Money],
        better: Min,
    },
    Concept {
        of: 2,
        words: "reliability|reliable|uptime|availability|available|failover|mtbf|mttr|failure|fail|fault|durable|durability|sla|resilient|resilience|outage|lost|loss|recover|recovery|guarantee|best effort|crash|delivery guarantee|redundant|regression",
        measures: &[Dimension::Share, Dimension::Time],
        better: Max,
    },
    Concept {
        of: 3,
        words: "security|secure|encryption|encrypted|encrypt|authentication|authorization|vulnerability|vulnerable|isolation|isolated|attack|permission|credential|tls|iam|audit|super user|access control|secret",
        measures: &[],
        better: Max,
    },
    Concept {
        of: 4,
        words: "scalability|scalable|scale|scaling|limit|quota|horizontally|shard|grow|growth|large scale|concurrent|concurrency|maximum",
        measures: &[Dimension::Count],
        better: Max,
    },
    Concept {
        of: 5,
        words: "maintainability|maintain|maintenance|upgrade|operate|operational|operations|support|managed|complexity|complex|debugging|effort|migration|migrate|compatible|compatibility|deprecated|refactor|testing|backwards compatible|dependency|version|self hosted|hosted|hosting",
        measures: &[Dimension::Time, Dimension::Count],
        better: Max,
    },
    Concept {
        of: 6,
        words: "usability|easy|easier|ease|simple|simpler|learn|learning curve|difficult|friendly|friendliness|developer experience|documentation|intuitive|ergonomic|readable|readability|familiar|user experience|adopt",
        measures: &[],
        better: Max,
    },
    Concept {
        of: 6,
        words: "community|popularity|popular|ranking|ranked|rank|adoption|stars|survey",
        measures: &[Dimension::Rank, Dimension::Count],
        better: Max,
    },
];

/// Words that refer to a time as often as to anything else. They count only for criteria that times
/// measure, and count less.
const WEAK: [&str; 3] = ["takes", "took", "needs"];

/// The signs of one criterion: its words, and the dimensions of its values.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Signs {
    pub words: Vec<&'static str>,
    pub measures: Vec<Dimension>,
}

/// Returns the signs of each of [`TYPES`].
pub(super) fn of_type(number: usize) -> Signs {
    gather(CONCEPTS.iter().filter(|concept| concept.of == number))
}

/// Returns the signs of a criterion by the words of its name; none if the words are unknown.
pub(super) fn of_name(name: &str) -> Signs {
    if let Some(number) = TYPES.iter().position(|known| known.eq_ignore_ascii_case(name)) {
        return of_type(number);
    }
    gather(named(name))
}

/// Returns the better direction for a criterion of this name; `None` if the words are unknown or
/// contradict each other.
pub(super) fn direction(name: &str) -> Option<Direction> {
    let mut ways = named(name).into_iter().map(|concept| concept.better);
    let first = ways.next()?;
    ways.all(|way| way == first).then_some(first)
}

/// The words of all concepts. A mention's number is the place of its concept.
static WORDS: LazyLock<Terms> = LazyLock::new(|| {
    let words = |(place, concept): (usize, &'static Concept)| {
        concept.words.split('|').map(move |word| (place, word))
    };
    Terms::new(CONCEPTS.iter().enumerate().flat_map(words))
});

/// The words of the types, compiled once. A mention's number is the place of its type.
pub(super) static TYPE_WORDS: LazyLock<Terms> = LazyLock::new(|| {
    let names = TYPES.iter().copied().enumerate();
    let words =
        CONCEPTS.iter().flat_map(|concept| concept.words.split('|').map(|word| (concept.of, word)));
    Terms::new(words.chain(names))
});

/// The words of [`WEAK`], compiled once.
pub(super) static WEAK_WORDS: LazyLock<Terms> =
    LazyLock::new(|| Terms::new(WEAK.into_iter().map(|word| (0, word))));

fn named(name: &str) -> Vec<&'static Concept> {
    let places: BTreeSet<usize> = WORDS.find(name).iter().map(|mention| mention.number).collect();
    places.into_iter().map(|place| &CONCEPTS[place]).collect()
}

fn gather<'c>(concepts: impl IntoIterator<Item = &'c Concept>) -> Signs {
    let mut signs = Signs::default();
    for concept in concepts {
        signs.words.extend(concept.words.split('|'));
        signs.measures.extend(concept.measures);
    }
    signs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_is_measured_and_which_way_is_better() {
        assert_eq!(direction("monthly cost"), Some(Min));
        assert_eq!(direction("p99 latency"), Some(Min));
        assert_eq!(direction("Throughput"), Some(Max));
        assert_eq!(direction("beauty"), None);
        assert!(of_name("price").measures.contains(&Dimension::Money));
        assert!(of_name("stack fit").words.is_empty());
    }
}
