use super::*;
use clap::CommandFactory;

#[test]
fn no_argument_stands_in_the_way_of_another() {
    Arguments::command().debug_assert();
}

#[test]
fn questions_are_asked_as_documented() {
    for line in [
        "evaluate mtrag mtrag_cloud --knowledge team:01T --limit 5 --mode extractive --details",
        "evaluate answer case.jsonl user.jsonl --case pumps=01J --case fans=01K --user ana --details",
        "evaluate answer global.jsonl --knowledge team:01T --mode extractive --top-k 10",
        "evaluate plan trails.jsonl plan.jsonl --corpus-prefix trade/ --verbose",
        "evaluate --url http://x rcca rcca.jsonl --phrasing question_hard",
        "evaluate trade trade.jsonl --verbose --url http://x --token t",
    ] {
        assert!(Arguments::try_parse_from(line.split(' ')).is_ok(), "{line}");
    }
}
