use super::*;

#[test]
fn an_alternative_may_have_other_names() {
    assert_eq!(alternative("Kafka"), Ok(json!("Kafka")));
    let aliases = json!({"name": "Kafka", "aliases": ["MSK", "Apache Kafka"]});
    assert_eq!(alternative("Kafka=MSK, Apache Kafka"), Ok(aliases));
    assert!(alternative("=MSK").is_err());
}

#[test]
fn a_criterion_says_as_much_as_is_wanted() {
    assert_eq!(criterion("cost"), Ok(json!("cost")));
    assert_eq!(criterion("cost:2"), Ok(json!({"name": "cost", "weight": 2.0})));
    let whole = json!({"name": "cost", "weight": 0.5, "direction": "min", "unit": "USD/mo"});
    assert_eq!(criterion("cost:0.5:min:USD/mo"), Ok(whole));
    assert_eq!(criterion("cost::min"), Ok(json!({"name": "cost", "direction": "min"})));
    for wrong in [":1", "cost:much", "cost:-1", "cost:NaN", "cost:1:less"] {
        assert!(criterion(wrong).is_err(), "{wrong}");
    }
}
