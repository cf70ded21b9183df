//! The conformance set that all bindings share.

mod support;

use std::collections::BTreeMap;

use stowage::{
    Cardinality, CardinalityKind, Commit, CommitMode, GoalKind, Instance, NewNode, Objective, Operation, PlanGoal, Request,
    Rule, Session, SoftPolicy, Submission,
};
use support::{instance_bytes, racks, small, table};

/// FNV-1a of 64 bits.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf29ce484222325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100000001b3))
}

fn request(cells: &[String]) -> Request {
    let number = |cell: usize| cells[cell].parse::<u64>().unwrap();
    let request = Request::new(&cells[1])
        .seed(number(2))
        .work_limit(number(3))
        .threads(number(4) as u32)
        .node_limit(number(5) as u32)
        .ignore_running(cells[6] == "1")
        .move_budget(number(7) as u32)
        .all_or_nothing(cells[9] == "1")
        .compact(cells[10] == "1")
        .fill(cells[13] == "1");
    let request = match cells[11].as_str() {
        "price" => request.soft_price(cells[12].parse().unwrap()),
        "last" => request.soft(SoftPolicy::Last),
        _ => request.soft(SoftPolicy::First),
    };
    let request = match cells[14].as_str() {
        "admitted" => request.objective(Objective::Admitted),
        _ => request.objective(Objective::Nodes),
    };
    let pairs = cells[15].split(',').filter_map(|pair| pair.split_once(':'));
    let request = pairs.fold(request, |request, (app, replicas)| request.keep(app.parse().unwrap(), replicas.parse().unwrap()));
    let request = if cells[16] == "-" { request } else { request.survive(&cells[16]) };
    let request = if cells[17] == "-" { request } else { request.leave_free(&cells[17]) };
    let goals = cells[18].split(',').filter(|cell| *cell != "-");
    let request = goals.fold(request, |request, cell| request.goal(goal(cell)));
    match cells[8].split_once('=') {
        Some((name, value)) => request.option(name, value.parse().unwrap()),
        None => request,
    }
}

/// `WORD:RESOURCE:BESIDE:WEIGHT:TOLERANCE`.
fn goal(cell: &str) -> PlanGoal {
    let parts: Vec<_> = cell.split(':').collect();
    let what = match parts[0] {
        "cost" => GoalKind::Cost,
        "nodes" => GoalKind::Nodes,
        "moves" => GoalKind::Moves,
        "balance" => GoalKind::Balance,
        "evenness" => GoalKind::Evenness,
        "soft-rules" => GoalKind::SoftRules,
        "ucac" => GoalKind::Ucac,
        "worst" => GoalKind::Worst,
        "total" => GoalKind::Total,
        "admitted" => GoalKind::Admitted,
        "traffic" => GoalKind::Traffic,
        word => panic!("{word}"),
    };
    PlanGoal {
        what,
        resource: (parts[1] != "-").then(|| parts[1].parse().unwrap()),
        beside: parts[2] == "1",
        weight: parts[3].parse().unwrap(),
        tolerance: parts[4].parse().unwrap(),
        ..PlanGoal::default()
    }
}

#[test]
fn every_request_on_every_instance() {
    let mut expected: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for row in table("expected.tsv") {
        expected.entry(row[0].clone()).or_default().insert(row[1].clone(), row[2].clone());
    }
    assert!(expected.len() >= 7);
    let requests = table("requests.tsv");
    for (name, outcomes) in &expected {
        let instance = Instance::load(&instance_bytes(name)).unwrap();
        let mut found = BTreeMap::from([("fingerprint".to_owned(), format!("{:016x}", instance.fingerprint()))]);
        for cells in &requests {
            let outcome = match instance.plan(&request(cells)) {
                Ok(plan) => format!("{:016x}", hash(plan.bytes())),
                Err(error) => format!("{} {}", error.kind().name(), error.path()),
            };
            found.insert(cells[0].clone(), outcome);
        }
        assert_eq!(&found, outcomes, "{name}");
    }
    for (name, builder) in [("small", small()), ("racks", racks())] {
        let built = builder.build().unwrap().fingerprint();
        assert_eq!(format!("{built:016x}"), expected[name]["fingerprint"], "{name}");
    }
}

/// A line of session.tsv: a call and its arguments by name.
struct Step<'a>(BTreeMap<&'a str, &'a str>);

/// The parts of a text between separators; none for an empty text.
fn parts(text: &str, separator: char) -> Vec<String> {
    if text.is_empty() {
        return Vec::new();
    }
    text.split(separator).map(str::to_owned).collect()
}

impl Step<'_> {
    fn text(&self, name: &str) -> String {
        self.0.get(name).copied().unwrap_or_default().to_owned()
    }

    fn number(&self, name: &str) -> u32 {
        self.0.get(name).map_or(0, |text| text.parse().unwrap())
    }

    fn floats(&self, name: &str) -> Vec<f64> {
        parts(&self.text(name), ',').iter().map(|value| value.parse().unwrap()).collect()
    }

    fn pairs(&self, name: &str) -> Vec<(String, String)> {
        let pair = |entry: &String| entry.split_once(':').map(|(one, two)| (one.to_owned(), two.to_owned())).unwrap();
        parts(&self.text(name), ',').iter().map(pair).collect()
    }

    fn rule(&self) -> Rule {
        let condition = |text: &String| {
            let part: Vec<&str> = text.split('/').collect();
            Cardinality {
                kind: match part[0] {
                    "replicas" => CardinalityKind::Replicas,
                    "node-sets" => CardinalityKind::NodeSets,
                    "skew" => CardinalityKind::Skew,
                    other => panic!("no such kind: {other}"),
                },
                subject: parts(part[1], '+'),
                target: parts(part[2], '+'),
                min: part[3].parse().unwrap(),
                max: (part[4] != "-").then(|| part[4].parse().unwrap()),
                group: Some(part[5].to_owned()),
                negated: part[6] == "1",
            }
        };
        let conjunctions = parts(&self.text("any-of"), '|');
        Rule {
            name: self.text("name"),
            any_of: conjunctions.iter().map(|one| parts(one, '&').iter().map(condition).collect()).collect(),
            weight: self.0.get("soft").map(|weight| weight.parse().unwrap()),
            operator: self.number("operator") == 1,
        }
    }

    fn operation(&self, call: &str) -> Option<Operation> {
        let (app, node, replicas) = (self.text("app"), self.text("node"), self.number("replicas"));
        Some(match call {
            "submit" => Operation::Submit(Submission {
                app,
                replicas,
                demand: self.floats("demand"),
                priority: self.number("priority") as i32,
                variance: self.floats("variance"),
                support_min: self.floats("support-min"),
                support_max: self.floats("support-max"),
                app_kind: self.0.contains_key("kind").then(|| self.number("kind")),
                tags: parts(&self.text("tags"), ','),
                limits: self.pairs("limits").into_iter().map(|(app, most)| (app, most.parse().unwrap())).collect(),
                ..Submission::default()
            }),
            "scale" => Operation::Scale { app, replicas },
            "remove" => Operation::Remove { app },
            "pin" => Operation::Pin { app, node, replicas },
            "add-node" => Operation::AddNode(NewNode {
                node,
                class: self.text("class"),
                load: self.floats("load"),
                load_variance: self.floats("load-variance"),
                tags: parts(&self.text("tags"), ','),
                sets: self.pairs("sets"),
                ..NewNode::default()
            }),
            "remove-node" => Operation::RemoveNode { node },
            "cordon" => Operation::Cordon { node },
            "uncordon" => Operation::Uncordon { node },
            "drain" => Operation::Drain { node },
            "fail" => Operation::Fail { node },
            "load" => Operation::Load { node, load: self.floats("load"), load_variance: self.floats("load-variance") },
            "add-rule" => Operation::AddRule(self.rule()),
            "remove-rule" => Operation::RemoveRule { name: self.text("name") },
            "traffic" => Operation::Traffic { app, peer: self.text("peer"), amount: self.floats("amount")[0] },
            _ => return None,
        })
    }
}

/// "NoRoom" is "no-room".
fn kebab(name: &str) -> String {
    let word = |(k, letter): (usize, char)| match letter {
        'A'..='Z' if k > 0 => format!("-{}", letter.to_ascii_lowercase()),
        _ => letter.to_ascii_lowercase().to_string(),
    };
    name.chars().enumerate().map(word).collect()
}

fn commit_text(commit: &Commit) -> String {
    let mut text = format!(
        "{} planned={} version={} placed={} moved={} ended={}",
        if commit.committed { "committed" } else { "nothing" },
        commit.planned_version,
        commit.version,
        commit.placed,
        commit.moved,
        commit.ended
    );
    for name in &commit.opened {
        text += &format!(" opened={name}");
    }
    for one in &commit.conflicts {
        let kind = kebab(&format!("{:?}", one.kind));
        text += &format!(" {kind}:{}:{}:{}:{}", one.app, one.node, one.wanted, one.available);
    }
    text
}

#[derive(Default)]
struct Sessions {
    session: Option<Session>,
    pending: Vec<Operation>,
    plan: Vec<u8>,
    snapshot: Vec<u8>,
}

impl Sessions {
    fn call(&mut self, call: &str, step: &Step) -> stowage::Result<String> {
        if call == "open" {
            let instance = step.text("instance");
            let bytes = if instance.is_empty() { self.snapshot.clone() } else { instance_bytes(&instance) };
            self.session = Some(Session::open(&bytes)?);
        }
        let session = self.session.as_mut().unwrap();
        match call {
            "open" => {}
            "apply" => session.apply(&std::mem::take(&mut self.pending))?,
            "instance" => return Ok(format!("{:016x}", session.instance()?.fingerprint())),
            "plan" => {
                let request = Request::new(step.text("planner"))
                    .work_limit(step.number("work").into())
                    .node_limit(step.number("nodes"))
                    .move_budget(step.number("moves"))
                    .all_or_nothing(step.number("whole") == 1);
                self.plan = session.plan(&request)?.bytes().to_vec();
                return Ok(format!("{:016x}", hash(&self.plan)));
            }
            "commit" => {
                let mode = match step.text("mode").as_str() {
                    "exact" => CommitMode::Exact,
                    "whole" => CommitMode::Whole,
                    "fitting" => CommitMode::Fitting,
                    other => panic!("no such mode: {other}"),
                };
                return Ok(commit_text(&session.commit(&self.plan, mode)?));
            }
            "reject" => session.reject(&self.plan)?,
            "snapshot" => {
                self.snapshot = session.snapshot()?;
                return Ok(format!("{:016x}", hash(&self.snapshot)));
            }
            other => panic!("no such call: {other}"),
        }
        Ok(format!("version {}", session.version()))
    }
}

#[test]
fn every_step_of_the_sessions() {
    let expected = table("session-expected.tsv");
    let rows = table("session.tsv");
    assert_eq!(rows.len(), expected.len());
    let mut sessions = Sessions::default();
    for (k, (cells, expected)) in rows.iter().zip(&expected).enumerate() {
        let step = Step(cells[1..].iter().filter_map(|cell| cell.split_once('=')).collect());
        let outcome = match step.operation(&cells[0]) {
            Some(operation) => {
                sessions.pending.push(operation);
                "-".to_owned()
            }
            None => match sessions.call(&cells[0], &step) {
                Ok(outcome) => outcome,
                Err(error) => format!("{} {}", error.kind().name(), error.path()),
            },
        };
        assert_eq!([&cells[0], &outcome], [&expected[0], &expected[1]], "step {}: {cells:?}", k + 1);
    }
}
