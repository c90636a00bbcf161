use super::*;
use clap::CommandFactory;

fn is_understood(line: &str) -> bool {
    Arguments::try_parse_from(line.split(' ')).is_ok()
}

#[test]
fn no_argument_stands_in_the_way_of_another() {
    Arguments::command().debug_assert();
}

#[test]
fn a_plan_is_asked_for_a_project() {
    assert!(is_understood("plumbline ask plan --project 01J how?"));
    assert!(!is_understood("plumbline ask plan how?"));
    assert!(is_understood("plumbline ask rcca how?"));
}

#[test]
fn a_knowledge_base_is_asked_by_its_name_and_a_workflow_by_its_own() {
    for line in [
        "plumbline ask case:01J why?",
        "plumbline ask user why? --mode extractive --top-k 3 --filter severity=ERROR --json",
        "plumbline ask --mode generative team:01T why? --follow-up-of when? --follow-up-of where?",
        "plumbline ask global why? --conversation said.json --project 01J",
        "plumbline --url http://x ask rcca why?",
        "plumbline ask rcca why? --url http://x",
        "plumbline ask global rcca --url http://x",
        "plumbline answer 01A --json",
    ] {
        assert!(is_understood(line), "{line}");
    }
    for line in [
        "plumbline ask",
        "plumbline ask user why? --conversation said.json --follow-up-of when?",
        "plumbline ask user why? --mode most",
    ] {
        assert!(!is_understood(line), "{line}");
    }
}

#[test]
fn a_question_to_a_knowledge_base_comes_with_its_terms() {
    let line = "plumbline ask --mode generative team:01T why? --top-k 3";
    let Command::Ask(ask) = Arguments::try_parse_from(line.split(' ')).unwrap().command else {
        panic!("{line} asks");
    };
    assert!(ask.workflow.is_none());
    let arguments = format!("{:?} {:?}", ask.question.unwrap(), ask.terms);
    for part in ["\"team:01T\"", "Generative", "\"why?\"", "top_k: Some(3)"] {
        assert!(arguments.contains(part), "{arguments}");
    }
}

#[test]
fn cases_and_documents_are_spoken_to_as_documented() {
    for line in [
        "plumbline case new Pump",
        "plumbline case list --limit 5 --json",
        "plumbline case show 01J",
        "plumbline case add 01J logs app.log.1",
        "plumbline case member 01J add ana",
        "plumbline case join 01J",
        "plumbline case leave 01J --json",
        "plumbline project join 01J",
        "plumbline project leave 01J",
        "plumbline invitations --json",
        "plumbline case close 01J --wait --yes",
        "plumbline ingest logs app.log.1 --knowledge case:01J",
        "plumbline delete logs/app.log --knowledge case:01J --yes",
        "plumbline delete app.log --knowledge user --forever",
        "plumbline restore app.log --knowledge user",
        "plumbline documents --deleted --knowledge user",
    ] {
        assert!(is_understood(line), "{line}");
    }
    for line in ["plumbline case add 01J", "plumbline delete app.log", "plumbline ingest"] {
        assert!(!is_understood(line), "{line}");
    }
}

#[test]
fn projects_are_spoken_to_as_documented() {
    for line in [
        "plumbline project new Pump --domain water --standard API-610 --standard ISO-10816 --constraint cheap",
        "plumbline project list",
        "plumbline project show 01J --json",
        "plumbline project status 01J active --reason begun --version 2",
        "plumbline project edit 01J --name Pump --standard API-610",
        "plumbline project member 01J add ana",
        "plumbline project member 01J remove ana",
        "plumbline project decide 01J Dry --rationale cheaper --alternative Wet --source 6f1c1f5e-2f0f-5c7c-9d59-0c8f7a1e9c01:0.5 --source 6f1c1f5e-2f0f-5c7c-9d59-0c8f7a1e9c02 --yes",
        "plumbline project decide 01J Dry --rationale cheaper --supersedes 01D --decided-at 2026-01-02T03:04:05Z",
        "plumbline project accept 01J 01D",
        "plumbline project reject 01J 01D --reason costs",
        "plumbline project trail 01J --as-of 2026-01-02T03:04:05Z --format html --out trail.html",
        "plumbline project queries 01J",
        "plumbline project digest 01J",
        "plumbline project decision 01J 01D --madr",
    ] {
        assert!(is_understood(line), "{line}");
    }
    for line in [
        "plumbline project status 01J done",
        "plumbline project decide 01J Dry",
        "plumbline project decide 01J Dry --rationale cheaper --source 0b:2",
        "plumbline project decide 01J Dry --rationale cheaper --decided-at yesterday",
    ] {
        assert!(!is_understood(line), "{line}");
    }
}
