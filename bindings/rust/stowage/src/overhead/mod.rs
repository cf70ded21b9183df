//! Measures the overhead of this crate over the C function for a plan by `ff`, for `scripts/bench-bindings.sh`. It is a unit
//! test so that both calls can use the same handle: the memory location of an instance makes more of a difference than a
//! binding.

use std::hint::black_box;
use std::ptr;
use std::time::{Duration, Instant};

use stowage_sys as sys;

use crate::{Instance, Request};

/// The C function alone.
fn bare(instance: &Instance, request: &[u8]) {
    let mut plan = sys::stowage_buffer { data: ptr::null_mut(), size: 0 };
    let (control, error) = (ptr::null_mut(), ptr::null_mut());
    // SAFETY: the handle is alive, all pointers are valid during the calls, or null if null is allowed.
    let status = unsafe { sys::stowage_plan(instance.0.as_ptr(), request.as_ptr(), request.len(), control, &mut plan, error) };
    assert_eq!(status, sys::STOWAGE_OK);
    // SAFETY: filled by the library.
    unsafe { sys::stowage_buffer_free(&mut plan) }
}

fn microseconds(call: impl FnOnce()) -> f64 {
    let start = Instant::now();
    call();
    start.elapsed().as_secs_f64() * 1e6
}

fn median(mut of: Vec<f64>) -> f64 {
    of.sort_unstable_by(f64::total_cmp);
    of[of.len() / 2]
}

/// Plans the instance in `$STOWAGE_BENCH_INSTANCE` for `$STOWAGE_BENCH_SECONDS`, alternating between the C function and
/// `Instance::plan`, so that other load on the machine affects both. Prints the median of each and of the differences.
#[test]
#[ignore = "a measurement"]
fn plan_above_c() {
    let variable = |name: &str| std::env::var(name).expect(name);
    let bytes = std::fs::read(variable("STOWAGE_BENCH_INSTANCE")).expect("an instance");
    let time = Duration::from_secs_f64(variable("STOWAGE_BENCH_SECONDS").parse().expect("a number of seconds"));

    let instance = Instance::load(&bytes).expect("a valid instance");
    let request = Request::new("ff");
    let encoded = request.finished();
    let (mut alone, mut called, mut above) = (Vec::new(), Vec::new(), Vec::new());
    let end = Instant::now() + time;
    while Instant::now() < end {
        let first = microseconds(|| bare(&instance, encoded.finished_data()));
        let second = microseconds(|| drop(black_box(instance.plan(&request).expect("a plan"))));
        alone.push(first);
        called.push(second);
        above.push(second - first);
    }
    println!("\nplan {:.2} us/bare {:.2} us/plan {:.2} us/above", median(alone), median(called), median(above));
}
