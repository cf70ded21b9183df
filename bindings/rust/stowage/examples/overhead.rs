//! What a plan by `ff` costs through this crate, in microseconds: `scripts/bench-bindings.sh`.
//!
//! Usage: cargo run --release --example overhead -- INSTANCE SECONDS

use std::time::{Duration, Instant};

use stowage::{Instance, Request};

fn measure(instance: &Instance, time: Duration) -> stowage::Result<f64> {
    let start = Instant::now();
    let mut runs = 0_u32;
    while start.elapsed() < time {
        std::hint::black_box(instance.plan(&Request::new("ff"))?);
        runs += 1;
    }
    Ok(start.elapsed().as_secs_f64() * 1e6 / f64::from(runs))
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
