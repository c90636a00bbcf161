//! Tests the files of strategies and of knowledge bases, as operators may change them.

use super::*;
use answers::KnowledgeBases;
use ports::scope::Scope;
use workflows::custom::Strategies;

static STRATEGIES: [&str; 3] = [
    include_str!("../../infra/strategies/operations_readiness.toml"),
    include_str!("../../infra/strategies/requirement_trace.toml"),
    include_str!("../../infra/strategies/safety_analysis.toml"),
];

static BASES: [&str; 4] = [
    include_str!("../../infra/knowledge/case.toml"),
    include_str!("../../infra/knowledge/global.toml"),
    include_str!("../../infra/knowledge/team.toml"),
    include_str!("../../infra/knowledge/user.toml"),
];

fn text(samples: &'static [&'static str]) -> impl Strategy<Value = String> {
    prop_oneof![8 => changed(samples), 1 => any::<String>(), 1 => "[a-z]{1,9} = \\PC{0,40}"]
}

proptest! {
    #[test]
    fn any_strategy_file_is_read_or_refused_by_its_line(text in text(&STRATEGIES)) {
        let lines = text.matches('\n').count() + 1;
        match Strategies::parse(&[("any.toml".to_owned(), text)]) {
            Ok(all) => prop_assert_eq!(&all.all()[0].name, "any"),
            Err(trouble) => {
                prop_assert_eq!(&trouble.file, "any.toml");
                prop_assert!((1..=lines).contains(&trouble.line) && !trouble.reason.is_empty());
            }
        }
    }

    #[test]
    fn any_knowledge_file_is_read_or_refused_by_its_name(text in text(&BASES)) {
        match KnowledgeBases::parse(&[("any.toml".to_owned(), text)]) {
            Ok(all) => {
                let scopes = [
                    Scope::Global, Scope::User("u".into()), Scope::Case("c".into()), Scope::Team("t".into()),
                ];
                let found: Vec<_> = scopes.iter().filter_map(|scope| all.base_of(scope)).collect();
                prop_assert_eq!(found.len(), 1);
                prop_assert!(!found[0].searches.is_empty() && (1..=50).contains(&found[0].sources));
            }
            Err(trouble) => {
                prop_assert_eq!(&trouble.file, "any.toml");
                prop_assert!(!trouble.reason.is_empty());
            }
        }
    }
}
