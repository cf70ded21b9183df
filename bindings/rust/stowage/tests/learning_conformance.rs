//! The learning case of the conformance set that all bindings share.

mod support;

use stowage::{size, Feature, Goal, Model, Question, RecommendationReason, Samples, SizeRule, Usage};
use support::table;

/// "-" is not known.
fn amount(cell: &str) -> f64 {
    if cell == "-" {
        f64::NAN
    } else {
        cell.parse().unwrap()
    }
}

/// The apps of a table, whose first column names them, in the order of their first rows; and the app of each row.
fn apps(rows: &[Vec<String>]) -> (Vec<String>, Vec<u32>) {
    let mut names: Vec<String> = Vec::new();
    let mut of = Vec::new();
    for cells in rows {
        let at = names.iter().position(|name| *name == cells[0]).unwrap_or_else(|| {
            names.push(cells[0].clone());
            names.len() - 1
        });
        of.push(at as u32);
    }
    (names, of)
}

fn resources() -> Vec<String> {
    vec!["cpu".into(), "memory".into()]
}

fn samples(file: &str) -> Samples {
    let rows = table(&format!("learning/{file}"));
    let (names, row_app) = apps(&rows);
    let first: Vec<_> = names.iter().map(|name| rows.iter().find(|cells| cells[0] == *name).unwrap()).collect();
    let word = |cells: &&Vec<String>| if cells[1] == "-" { String::new() } else { cells[1].clone() };
    Samples {
        resources: resources(),
        features: vec![
            Feature::Words { name: "family".into(), words: first.iter().map(word).collect() },
            Feature::Numbers { name: "load".into(), numbers: first.iter().map(|cells| amount(&cells[2])).collect() },
        ],
        apps: names,
        row_app,
        row_amounts: rows.iter().flat_map(|cells| [amount(&cells[3]), amount(&cells[4])]).collect(),
        row_collocation: rows.iter().map(|cells| cells[5].parse().unwrap()).collect(),
        row_value: rows.iter().map(|cells| amount(&cells[6])).collect(),
        ..Samples::default()
    }
}

/// Compares with an expected file: the words of each row exactly, and the numbers after them to 1e-9 of themselves.
fn compare(file: &str, found: &[(Vec<String>, Vec<f64>)]) {
    let expected = table(&format!("learning/{file}"));
    assert_eq!(found.len(), expected.len());
    for ((words, numbers), cells) in found.iter().zip(&expected) {
        assert_eq!(words[..], cells[..words.len()], "{file}");
        assert_eq!(words.len() + numbers.len(), cells.len());
        for (number, cell) in numbers.iter().zip(&cells[words.len()..]) {
            let wanted = amount(cell);
            assert!((number - wanted).abs() <= 1e-9 * wanted.abs(), "{file}, {words:?}: {number} is not {wanted}");
        }
    }
}

#[test]
fn what_a_model_recommends() {
    let model = Model::learn(&samples("profiles.tsv")).unwrap();
    let goal = Goal { confidence: 0.8, ..Goal::new(0.75) };
    let answer = model.recommend(&Question { samples: samples("samples.tsv"), goal, curves: false }).unwrap();
    let configuration = |index: Option<u32>| {
        index.map_or("-".to_owned(), |index| {
            let k = index as usize;
            format!("{}/{}/{}", answer.amounts[2 * k], answer.amounts[2 * k + 1], answer.collocation[k])
        })
    };
    let row = |k: usize| {
        let reason = match answer.reason[k] {
            RecommendationReason::MeetsGoal => "meets-goal",
            RecommendationReason::GoalOutOfReach => "goal-out-of-reach",
            _ => "not-enough-evidence",
        };
        let (choice, next) = (configuration(answer.choice[k]), configuration(answer.next_sample[k]));
        let words = vec![answer.apps[k].clone(), reason.to_owned(), choice, next, answer.samples[k].to_string()];
        (words, vec![answer.probability[k], answer.cost[k]])
    };
    compare("recommended.tsv", &(0..answer.apps.len()).map(row).collect::<Vec<_>>());
}

#[test]
fn sizes_by_usage() {
    let rows = table("learning/usage.tsv");
    let (names, app) = apps(&rows);
    let sizes = size(&Usage {
        apps: names,
        resources: resources(),
        app,
        replica: rows.iter().map(|cells| cells[1].parse().unwrap()).collect(),
        time: rows.iter().map(|cells| amount(&cells[2])).collect(),
        amount: rows.iter().flat_map(|cells| [amount(&cells[3]), amount(&cells[4])]).collect(),
        out_of_memory: rows.iter().map(|cells| cells[5].parse().unwrap()).collect(),
        rules: vec![
            SizeRule { percentile: 0.9, half_life: 43_200.0, margin: 0.1, ..SizeRule::default() },
            SizeRule { percentile: 1.0, window: 14_400.0, bump: 1.25, floor: 1.0, ..SizeRule::default() },
        ],
        periods: 2,
        cycle: 86_400.0,
    })
    .unwrap();
    let row = |k: usize| {
        let (measured, killed) = (sizes.measured[k].to_string(), sizes.killed[k / 2].to_string());
        let words = vec![sizes.apps[k / 2].clone(), sizes.resources[k % 2].clone(), measured, killed];
        let (day, night) = (sizes.demand[2 * k], sizes.demand[2 * k + 1]);
        (words, vec![sizes.size[k], sizes.slack[k], sizes.exceeded[k], day, night])
    };
    compare("sized.tsv", &(0..sizes.size.len()).map(row).collect::<Vec<_>>());
}
