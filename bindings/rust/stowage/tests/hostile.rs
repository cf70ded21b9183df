//! Bytes of any content, by every function that takes bytes.

mod support;

use std::alloc::{GlobalAlloc, Layout, System};
use std::env;
use std::fmt::Debug;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use stowage::{
    Class, Cluster, CommitMode, ErrorKind, Instance, InstanceBuilder, Limits, Model, NewNode, Operation, Plan, Request, Result,
    Samples, Session, Submission, EACH_NODE,
};
use support::{racks, small};

/// Counts the bytes that Rust asks for.
struct Counting;

static ASKED: AtomicUsize = AtomicUsize::new(0);

// SAFETY: the system's allocator does the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ASKED.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: as the caller's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller's.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

type Read = Box<dyn Fn(&[u8]) -> Result<String>>;

struct Reader {
    name: &'static str,
    bytes: Vec<u8>,
    read: Read,
}

/// All strings of a value are read by its `Debug`, which looks at each character.
fn text(value: impl Debug) -> String {
    format!("{value:?}")
}

fn utf8(of: &str) {
    // A string that is not UTF-8 is undefined behaviour, so that the bytes are looked at.
    assert!(std::str::from_utf8(of.as_bytes()).is_ok(), "{:?}", of.as_bytes());
}

fn look(cluster: &Cluster) {
    let nodes = cluster.nodes.iter().flat_map(|one| [&one.name, &one.class]);
    let running = cluster.running.iter().chain(&cluster.pinned).flat_map(|one| [&one.app, &one.node]);
    let names = cluster.resources.iter().chain(&cluster.classes).chain(cluster.apps.iter().map(|one| &one.name));
    for one in names.chain(nodes).chain(running) {
        utf8(one);
    }
}

fn readers() -> Vec<Reader> {
    let mut empty = InstanceBuilder::new("x");
    empty.resource("cpu", "cores");
    empty.class(Class::new("standard", [8.0]));
    let mut session = Session::open(&empty.bytes().unwrap()).unwrap();
    session
        .apply(&[
            Operation::AddNode(NewNode::new("alpha", "standard")),
            Operation::AddNode(NewNode::new("beta", "standard")),
            Operation::Submit(Submission::new("web", 3, [2.0])),
        ])
        .unwrap();
    let plan = session.plan(&Request::new("ff")).unwrap();
    session.commit(plan.bytes(), CommitMode::Exact).unwrap();
    let more = [Operation::Submit(Submission::new("late", 2, [1.0])), Operation::Cordon { node: "beta".into() }];
    session.apply(&more).unwrap();
    let snapshot = session.snapshot().unwrap();
    let rich = racks().bytes().unwrap();
    let instance = racks().build().unwrap();
    let request = Request::new("ff").node_limit(3).compact(true).survive(EACH_NODE);
    let plan = instance.plan(&request).unwrap().bytes().to_vec();
    let cluster = Cluster::read(&rich).unwrap();
    let samples = Samples {
        resources: vec!["cpu".into()],
        apps: ["a", "b"].map(String::from).to_vec(),
        row_app: vec![0, 0, 1, 1],
        row_amounts: [1.0, 2.0].repeat(2),
        row_value: vec![0.4, 0.9, 0.5, 0.9],
        ..Samples::default()
    };
    let model = Model::learn(&samples).unwrap().save().unwrap();
    let read_cluster = || -> Read {
        Box::new(|bytes| {
            let cluster = Cluster::read(bytes)?;
            look(&cluster);
            Ok(text(cluster))
        })
    };
    let mut all = vec![
        Reader { name: "Cluster::read of a snapshot", bytes: snapshot.clone(), read: read_cluster() },
        Reader { name: "Cluster::read of an instance", bytes: rich.clone(), read: read_cluster() },
        Reader {
            name: "Session::open",
            bytes: snapshot,
            read: Box::new(|bytes| {
                let cluster = Session::open(bytes)?.cluster()?;
                look(&cluster);
                Ok(text(cluster))
            }),
        },
        Reader {
            name: "Plan::read and name",
            bytes: plan.clone(),
            read: Box::new(move |bytes| {
                let mut plan = Plan::read(bytes)?;
                plan.instance = cluster.fingerprint;
                for one in cluster.name(&plan).into_iter().flatten() {
                    utf8(&one.node);
                }
                utf8(&plan.planner);
                plan.notes.iter().for_each(|note| utf8(&note.text));
                Ok(text(plan))
            }),
        },
        Reader { name: "verify", bytes: plan, read: Box::new(move |bytes| instance.verify(bytes).map(text)) },
        Reader { name: "Model::load", bytes: model, read: Box::new(|bytes| Model::load(bytes)?.save().map(text)) },
        Reader { name: "Instance::load", bytes: rich, read: Box::new(|bytes| Instance::load(bytes).map(text)) },
    ];
    #[cfg(feature = "text")]
    {
        let instance = small().bytes().unwrap();
        let operations = stowage::operations_from_json(&instance, br#"[{"op": "remove", "app": "web"}]"#).unwrap();
        let opened = instance.clone();
        all.push(Reader {
            name: "apply_bytes",
            bytes: operations,
            read: Box::new(move |bytes| Session::open(&opened)?.apply_bytes(bytes).map(text)),
        });
        all.push(Reader {
            name: "instance_to_json",
            bytes: instance,
            read: Box::new(|bytes| {
                let json = stowage::instance_to_json(bytes)?;
                utf8(&json);
                Ok(json)
            }),
        });
    }
    all
}

/// Changes some bytes, or a word to one that is likely to matter, or cuts the end.
fn mutated(bytes: &[u8], random: &mut fastrand::Rng) -> Vec<u8> {
    let mut changed = bytes.to_vec();
    for _ in 0..=random.usize(..3) {
        let at = random.usize(..changed.len());
        match random.u32(..8) {
            0..=2 => changed[at] = *random.choice(&[0, 1, 0x7f, 0x80, 0xc3, 0xff]).unwrap(),
            3..=5 => changed[at] = random.u8(..),
            6 => {
                let near = random.u32(..2 * bytes.len() as u32);
                let words = [0, 1, 4, 0xffff_fffc, 0x7fff_ffff, u32::MAX, bytes.len() as u32, near];
                let at = at & !3;
                if let Some(word) = changed.get_mut(at..at + 4) {
                    word.copy_from_slice(&random.choice(&words).unwrap().to_le_bytes());
                }
            }
            _ if random.u32(..4) == 0 => changed.truncate(at.max(1)),
            _ => {}
        }
    }
    changed
}

extern "C" {
    fn clock() -> std::ffi::c_long;
}

/// Processor time of the process.
fn processor() -> Duration {
    // SAFETY: takes nothing. POSIX: a million a second.
    Duration::from_micros(unsafe { clock() }.unsigned_abs())
}

/// `STOWAGE_MUTATIONS` is the number of mutations over all readers; nightly tests set a larger one.
#[test]
fn mutated_bytes_are_read_or_refused() {
    let mut random = fastrand::Rng::with_seed(7);
    let all = readers();
    let each = env::var("STOWAGE_MUTATIONS").map_or(10_000, |asked| asked.parse().unwrap()) / all.len();
    for one in all {
        (one.read)(&one.bytes).unwrap_or_else(|error| panic!("{}: unchanged: {error}", one.name));
        let (mut read, mut refused, mut longest, mut most) = (0, 0, Duration::ZERO, 0);
        for _ in 0..each {
            let bytes = mutated(&one.bytes, &mut random);
            let (start, before) = (processor(), ASKED.load(Ordering::Relaxed));
            match (one.read)(&bytes) {
                Ok(text) => {
                    read += 1;
                    utf8(&text);
                }
                Err(error) => {
                    refused += 1;
                    assert_ne!(error.kind(), ErrorKind::Internal, "{}: {error}: {bytes:?}", one.name);
                }
            }
            let (took, memory) = (processor() - start, ASKED.load(Ordering::Relaxed) - before);
            (longest, most) = (longest.max(took), most.max(memory));
            assert!(took < Duration::from_millis(100) && memory < 50 << 20, "{}: {took:?}, {memory}: {bytes:?}", one.name);
        }
        println!("{}: {read} read, {refused} refused, at most {longest:?} and {most} bytes", one.name);
    }
}

#[test]
fn names_that_are_not_utf8_are_refused() {
    let mut builder = small();
    builder.app(stowage::App::new("web-QQQQ", 3, [2.0, 1.0]));
    let mut bytes = builder.bytes().unwrap();
    let at = bytes.windows(4).position(|window| window == b"QQQQ").unwrap();
    bytes[at] = 0xff;
    for refused in [Cluster::read(&bytes).map(drop), Instance::load(&bytes).map(drop), Session::open(&bytes).map(drop)] {
        assert!(matches!(refused.unwrap_err().kind(), ErrorKind::Malformed | ErrorKind::Invalid));
    }
    let within = Limits { bytes: 8, ..Limits::default() };
    assert_eq!(Instance::load_within(&bytes, &within).unwrap_err().kind(), ErrorKind::LimitExceeded);
}
