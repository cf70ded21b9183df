//! The JSON of random instances, plans and operations, as `tests/faces/write_faces.cpp` has written it.
#![cfg(feature = "text")]

use std::path::PathBuf;

use stowage::{instance_from_json, instance_to_json, operations_from_json, Plan, Session};

#[test]
fn json_has_the_same_bytes_in_every_language() {
    let Some(folder) = std::env::var_os("STOWAGE_FACES_FOLDER").map(PathBuf::from) else {
        eprintln!("SKIPPED: scripts/test-bindings.sh writes the files");
        return;
    };
    let names = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let cases: Vec<String> = names.filter_map(|name| Some(name.strip_suffix("-after.stow")?.to_owned())).collect();
    assert!(!cases.is_empty());
    for k in cases {
        let read = |name: &str| std::fs::read(folder.join(format!("{k}{name}"))).unwrap();
        let same = |name: &str, made: &[u8]| assert!(made == read(name), "{k}{name} differs");
        let instance = read(".stow");
        let json = instance_to_json(&instance).unwrap();
        same(".json", json.as_bytes());
        same("-back.stow", &instance_from_json(json.as_bytes()).unwrap());
        let json = Plan::read(&read("-plan.stow")).unwrap().to_json(&instance).unwrap();
        same("-plan.json", json.as_bytes());
        same("-plan-back.stow", Plan::from_json(&instance, json.as_bytes()).unwrap().bytes());
        let operations = operations_from_json(&instance, &read("-operations.json")).unwrap();
        same("-operations.stow", &operations);
        let mut session = Session::open(&instance).unwrap();
        session.apply_bytes(&operations).unwrap();
        same("-after.stow", &session.snapshot().unwrap());
    }
}
