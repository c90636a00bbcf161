use super::*;
use crate::evidence::ScoreParts;
use crate::testing::chunks;
use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

fn evidence(fusion: &[f64]) -> Vec<Evidence> {
    let chunk = chunks("# Pump\n\nIt ran dry.\n").swap_remove(0);
    let passage = |fusion: &f64| Evidence::of(chunk.clone(), ScoreParts::new(Vec::new(), *fusion));
    fusion.iter().map(passage).collect()
}

proptest! {
    #[test]
    fn a_boost_changes_the_order_where_it_closes_the_distance(high in 0.1f64..0.9, distance in 0.001f64..0.05) {
        let mut found = evidence(&[high, high - distance]);
        best_first(&mut found);
        prop_assert!(found[0].parts.fusion >= high);
        found[1].parts.boost("any", 0.3);
        let expected = found[1].parts.total > found[0].parts.total;
        best_first(&mut found);
        prop_assert_eq!(found[0].parts.fusion < high, expected);
        prop_assert!(found[0].parts.total >= found[1].parts.total);
        // 0.3 of the gap is more than the distance wherever the gap is wide enough.
        prop_assert!(expected || 0.3 * (1.0 - high + distance) <= distance + 0.001);
    }
}
