//! What a plan by `ff` costs through this crate, the median in microseconds: `scripts/bench-bindings.sh`.
//!
//! Usage: cargo run --release --example overhead -- INSTANCE SECONDS

use std::time::{Duration, Instant};

use stowage::{Instance, Request};

/// Median over so much time.
fn measure(instance: &Instance, time: Duration) -> stowage::Result<f64> {
    let end = Instant::now() + time;
    let mut times = Vec::new();
    while Instant::now() < end {
        let start = Instant::now();
        std::hint::black_box(instance.plan(&Request::new("ff"))?);
        times.push(start.elapsed());
    }
    times.sort_unstable();
    Ok(times[times.len() / 2].as_secs_f64() * 1e6)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("an instance")?;
    let seconds = arguments.next().ok_or("a number of seconds")?.parse()?;
    let instance = Instance::load(&std::fs::read(file)?)?;
    measure(&instance, Duration::from_secs_f64(seconds / 4.0))?;
    println!("{:.2}", measure(&instance, Duration::from_secs_f64(seconds))?);
    Ok(())
}
