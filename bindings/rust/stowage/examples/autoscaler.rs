//! An autoscaler over a synthetic day. Every quarter of an hour apps change their replicas, some come and some go. The cluster
//! is then planned again from where its replicas run, with a small budget of moves. Nodes that the plan leaves empty are
//! returned, and nodes that it opens are ordered.
//!
//! Usage: cargo run --release --example autoscaler [SEED]

use std::collections::HashMap;
use std::f64::consts::TAU;
use std::time::{Duration, Instant};

use stowage::{App, Class, Instance, InstanceBuilder, Node, Plan, Request, Result};

const APPS: usize = 40;
const STEPS: usize = 96;
const PRICE_PER_HOUR: f64 = 0.38;
const MOVES: u32 = 12;

/// An app of the synthetic day: its replicas over the clock, and the time in which it exists.
struct Service {
    demand: [f64; 2],
    base: f64,
    swing: f64,
    peak: f64,
    from: usize,
    until: usize,
}

impl Service {
    fn random(random: &mut fastrand::Rng) -> Self {
        let cpu = [0.5, 1.0, 2.0, 4.0][random.usize(0..4)];
        let stays = random.f64() < 0.7;
        let from = if stays { 0 } else { random.usize(0..STEPS / 2) };
        Self {
            demand: [cpu, cpu * (1.0 + random.f64() * 5.0).round()],
            base: 2.0 + random.f64() * 6.0,
            swing: random.f64() * 6.0,
            peak: 8.0 + random.f64() * 12.0,
            from,
            until: if stays { STEPS } else { from + STEPS / 4 },
        }
    }

    fn replicas(&self, step: usize) -> u32 {
        if step < self.from || step >= self.until {
            return 0;
        }
        let hour = step as f64 * 24.0 / STEPS as f64;
        (self.base + self.swing * (0.5 + 0.5 * ((hour - self.peak) / 24.0 * TAU).cos())).round() as u32
    }
}

/// Nodes by name, and what runs on them: (node, app) -> replicas.
#[derive(Default)]
struct Cluster {
    nodes: Vec<u64>,
    running: HashMap<(u64, usize), u32>,
    ordered: u64,
}

impl Cluster {
    /// Removes superfluous replicas, from the nodes that run the most.
    fn scale_down(&mut self, app: usize, wanted: u32) {
        let mut there: Vec<_> =
            self.running.iter().filter(|((_, of), _)| *of == app).map(|(key, count)| (*count, *key)).collect();
        let mut surplus = there.iter().map(|(count, _)| count).sum::<u32>().saturating_sub(wanted);
        there.sort_unstable();
        while let (Some((count, key)), true) = (there.pop(), surplus > 0) {
            let taken = count.min(surplus);
            surplus -= taken;
            if taken == count {
                self.running.remove(&key);
            } else {
                self.running.insert(key, count - taken);
            }
        }
    }

    fn instance(&self, services: &[Service], step: usize) -> Result<Instance> {
        let mut builder = InstanceBuilder::new("a step of the day");
        builder.resource("cpu", "cores");
        builder.resource("memory", "GiB");
        let class = builder.class(Class { price: Some(PRICE_PER_HOUR), ..Class::new("m16", [16.0, 64.0]) });
        for service in services {
            builder.app(App::new("", service.replicas(step), service.demand));
        }
        for app in 0..services.len() as u32 {
            builder.limit(app, app, 3); // at most three replicas per node
        }
        for &name in &self.nodes {
            let node = builder.node(Node { name: format!("node-{name}"), class, ..Node::default() });
            let mut here: Vec<_> = self.running.iter().filter(|((on, _), _)| *on == name).collect();
            here.sort_unstable();
            for (&(_, app), &count) in here {
                builder.running(app as u32, node, count);
            }
        }
        builder.build()
    }

    /// Carries out the plan. Returns the numbers of nodes that were ordered and returned.
    fn follow(&mut self, plan: &Plan) -> (u64, usize) {
        let before = self.nodes.len();
        let ordered_before = self.ordered;
        let mut kept = 0;
        let nodes: Vec<u64> = plan
            .nodes
            .iter()
            .map(|node| match node.listed {
                Some(listed) => {
                    kept += 1;
                    self.nodes[listed as usize]
                }
                None => {
                    self.ordered += 1;
                    self.ordered
                }
            })
            .collect();
        self.running = plan.placements.iter().map(|one| ((nodes[one.node as usize], one.app as usize), one.replicas)).collect();
        self.nodes = nodes;
        (self.ordered - ordered_before, before - kept)
    }
}

fn main() -> Result<()> {
    let seed = std::env::args().nth(1).and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let mut random = fastrand::Rng::with_seed(seed);
    let services: Vec<_> = (0..APPS).map(|_| Service::random(&mut random)).collect();
    let mut cluster = Cluster::default();
    let (mut moves, mut node_steps, mut bound_steps, mut most, mut longest) = (0, 0, 0.0, 0, Duration::ZERO);
    for step in 0..STEPS {
        for (app, service) in services.iter().enumerate() {
            cluster.scale_down(app, service.replicas(step));
        }
        let instance = cluster.instance(&services, step)?;
        let request = Request::new("auto").work_limit(200_000).move_budget(MOVES);
        let start = Instant::now();
        let plan = instance.plan(&request)?;
        longest = longest.max(start.elapsed());
        assert!(plan.unplaced.is_empty() && instance.verify(plan.bytes())?.ok);
        let (ordered, given_back) = cluster.follow(&plan);
        moves += plan.moves;
        node_steps += cluster.nodes.len();
        bound_steps += plan.node_bound.as_ref().map_or(0.0, |bound| bound.value);
        most = most.max(cluster.nodes.len());
        if step % 12 == 0 {
            println!(
                "{:02}:{:02}  {:4} replicas on {:2} nodes, {ordered:2} ordered, {given_back:2} given back, {:2} moves",
                step * 24 / STEPS,
                step * 1440 / STEPS % 60,
                plan.placements.iter().map(|one| one.replicas).sum::<u32>(),
                cluster.nodes.len(),
                plan.moves
            );
        }
    }
    let hours = |steps: f64| steps * 24.0 / STEPS as f64;
    println!(
        "the day: {:.0} node hours for {:.2}, at least {:.0}; with the most nodes, {most}, all day: {:.0}; {moves} moves",
        hours(node_steps as f64),
        hours(node_steps as f64) * PRICE_PER_HOUR,
        hours(bound_steps),
        hours((most * STEPS) as f64),
    );
    eprintln!("longest plan: {longest:?}");
    Ok(())
}
