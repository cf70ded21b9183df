//! Models that learn and recommend, sizes by usage, and what both refuse.

use stowage::{
    size, ErrorKind, Feature, Goal, Limits, Measure, Model, Question, RecommendationReason, Samples, SizeRule, Sizes, Usage,
};

/// Four apps measured with two configurations: tests/data/profiles.json.
fn profiles() -> Samples {
    Samples {
        resources: vec!["cpu".into()],
        apps: ["a", "b", "c", "d"].map(String::from).to_vec(),
        row_app: vec![0, 0, 1, 1, 2, 2, 3, 3],
        row_amounts: [1.0, 2.0].repeat(4),
        row_value: vec![0.4, 0.9, 0.5, 0.9, 0.45, 0.95, 0.5, 0.92],
        ..Samples::default()
    }
}

/// An app of which one configuration is measured.
fn fresh() -> Samples {
    Samples {
        resources: vec!["cpu".into()],
        apps: vec!["new".into()],
        row_app: vec![0],
        row_amounts: vec![1.0],
        row_value: vec![0.45],
        ..Samples::default()
    }
}

fn about(samples: Samples, goal: Goal) -> Question {
    Question { samples, goal, curves: false }
}

fn history() -> Usage {
    Usage {
        apps: vec!["web".into()],
        resources: vec!["cpu".into()],
        app: vec![0; 4],
        time: vec![0.0, 60.0, 120.0, 180.0],
        amount: vec![1.0, 2.0, 3.0, 4.0],
        rules: vec![SizeRule::default()],
        ..Usage::default()
    }
}

#[track_caller]
fn refused<T: std::fmt::Debug>(kind: ErrorKind, path: &str, result: stowage::Result<T>) {
    let error = result.unwrap_err();
    assert_eq!((error.kind(), error.path()), (kind, path), "{error}");
}

#[test]
fn every_property_of_a_question_reaches_the_library() {
    let features = vec![
        Feature::Words { name: "family".into(), words: ["x", "x", "y", ""].map(String::from).to_vec() },
        Feature::Numbers { name: "load".into(), numbers: vec![1.0, 2.0, f64::NAN, 4.0] },
    ];
    let model = Model::learn(&Samples { features, ..profiles() }).unwrap();
    let asked = model.recommend(&about(Samples { asked: vec![2.0], ..fresh() }, Goal::new(0.8))).unwrap();
    assert_eq!((asked.saving_asked, asked.samples), (vec![0.0], vec![1]));
    assert!(asked.curve_mean.is_empty());
    let dear = model.recommend(&about(fresh(), Goal { cost: vec![3.0], ..Goal::new(0.8) })).unwrap();
    assert_eq!(dear.cost, [6.0]);
    let sure = model.recommend(&about(fresh(), Goal { confidence: 0.99, ..Goal::new(1.0) })).unwrap();
    assert_ne!(sure.reason, [RecommendationReason::MeetsGoal]);
    assert_eq!((sure.choice, sure.cost), (vec![None], vec![0.0]));
    refused(ErrorKind::Invalid, "asked[0]", model.recommend(&about(fresh(), Goal { keep_asked: true, ..Goal::new(0.8) })));

    let latencies = Samples {
        measure: Measure::Latency,
        resources: vec!["cpu".into()],
        apps: vec!["a".into(), "b".into()],
        row_app: vec![0, 0, 1, 1],
        row_amounts: [1.0, 2.0].repeat(2),
        row_collocation: vec![1, 2, 1, 2],
        row_value: vec![90.0, 30.0, 80.0, 40.0],
        ..Samples::default()
    };
    let measured = Samples { measure: Measure::Latency, row_value: vec![85.0], ..fresh() };
    let answer = Model::learn(&latencies).unwrap().recommend(&about(measured, Goal::new(50.0))).unwrap();
    assert_eq!(answer.collocation, [1, 2]);
}

#[test]
fn bad_samples_goals_and_usage_are_refused() {
    let mut samples = profiles();
    samples.row_amounts[3] = -1.0;
    refused(ErrorKind::Invalid, "rows[3].amounts[0]", Model::learn(&samples));
    samples = profiles();
    samples.row_app[7] = u32::MAX;
    refused(ErrorKind::Invalid, "rows[7].app", Model::learn(&samples));
    let model = Model::learn(&profiles()).unwrap();
    refused(ErrorKind::Invalid, "goal", model.recommend(&about(fresh(), Goal::new(f64::NAN))));
    let limits = Limits { apps: 1, ..Limits::default() };
    refused(ErrorKind::LimitExceeded, "apps", Model::load_within(&model.save().unwrap(), &limits));

    let mut usage = history();
    usage.amount[2] = -3.0;
    refused(ErrorKind::Invalid, "amount[2]", size(&usage));
    refused(ErrorKind::Invalid, "replica", size(&Usage { replica: vec![0, 1, 0], ..history() }));
    let rules = vec![SizeRule { bump: 0.5, ..SizeRule::default() }];
    refused(ErrorKind::Invalid, "rules[0].bump", size(&Usage { rules, ..history() }));
}

/// Sizes of two replicas, one of which is killed at the end.
fn sized(rule: SizeRule) -> Sizes {
    size(&Usage { replica: vec![0, 1, 0, 1], out_of_memory: vec![0, 0, 0, 1], rules: vec![rule], ..history() }).unwrap()
}

#[test]
fn sizes_follow_from_usage_and_rules() {
    let sizes = size(&Usage { periods: 2, cycle: 0.0, ..history() }).unwrap();
    assert_eq!((sizes.periods, sizes.size, sizes.demand), (2, vec![4.0], vec![2.0, 4.0]));
    assert_eq!((sizes.first, sizes.last, sizes.measured, sizes.killed), (vec![0.0], vec![180.0], vec![4], vec![0]));
    assert!(sizes.variance.is_empty());

    let largest = || SizeRule { percentile: 1.0, ..SizeRule::default() };
    let median = || SizeRule { percentile: 0.5, ..SizeRule::default() };
    assert_eq!(sized(largest()).killed, [1]);
    assert_eq!(sized(SizeRule { margin: 0.5, ..largest() }).size, [6.0]);
    assert_eq!(sized(SizeRule { ceiling: 3.5, ..largest() }).size, [3.5]);
    assert_eq!(sized(SizeRule { floor: 5.0, ..largest() }).size, [5.0]);
    assert_eq!(sized(SizeRule { bump: 2.0, ..largest() }).size, [8.0]);
    assert_eq!(sized(median()).size, [2.0]);
    assert_eq!(sized(SizeRule { window: 3600.0, ..median() }).size, [3.0]);
    assert_eq!(sized(SizeRule { half_life: 60.0, ..median() }).size, [4.0]);
    // The variance of 1, 2, 3 and 4.
    assert_eq!(sized(SizeRule { uncertain: true, ..largest() }).variance, [1.25]);
}
