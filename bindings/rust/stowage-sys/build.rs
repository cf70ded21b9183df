//! Provides the library, from the first of these places:
//! - none where docs.rs builds the documentation, which links nothing;
//! - the folder `$STOWAGE_LIB_DIR`, which has a static library;
//! - with the feature `system`, the installed library that pkg-config finds;
//! - the folder `source` of the published crate, which is compiled;
//! - the release build of the checkout that this crate lies in.
//!
//! With the feature `text`, also the library `stowage_text`, of which there is no source in the crate.

use std::env;
use std::path::{Path, PathBuf};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    for name in ["DOCS_RS", "STOWAGE_LIB_DIR"] {
        println!("cargo:rerun-if-env-changed={name}");
    }
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo names the folder of the crate"));
    let source = root.join("source");
    if env::var_os("DOCS_RS").is_some() {
        // Nothing is linked.
    } else if let Some(folder) = env::var_os("STOWAGE_LIB_DIR") {
        link_static(Path::new(&folder), Path::new(&folder));
    } else if cfg!(feature = "system") {
        link_system();
    } else if source.exists() {
        if cfg!(feature = "text") {
            panic!("the feature text needs the feature system or STOWAGE_LIB_DIR: there is no source of stowage_text here");
        }
        compile(&source);
    } else {
        let folder = root.join("../../../build/release/capi");
        link_static(&folder, &folder.join("text"));
    }
}

#[cfg(feature = "system")]
fn link_system() {
    pkg_config::Config::new()
        .atleast_version(env!("CARGO_PKG_VERSION"))
        .probe(if cfg!(feature = "text") { "stowage-text" } else { "stowage" })
        .expect("pkg-config knows no such library of this version");
}

#[cfg(not(feature = "system"))]
fn link_system() {}

/// Compiles the parts of the library. They are optimized in every profile, because a search that is not takes many times as long.
fn compile(source: &Path) {
    println!("cargo:rerun-if-changed={}", source.display());
    let parts: Vec<PathBuf> =
        (1..).map(|part| source.join(format!("stowage-{part}.cpp"))).take_while(|path| path.exists()).collect();
    cc::Build::new()
        .cpp(true)
        .std("c++20")
        .opt_level(2)
        .debug(false)
        .warnings(false)
        .define("NDEBUG", None)
        .define("STOWAGE_STATIC", None)
        // Plans are the same on every platform.
        .flag_if_supported("-ffp-contract=off")
        .flag_if_supported("-fno-math-errno")
        .files(parts)
        .compile("stowage");
}

fn link_static(folder: &Path, text: &Path) {
    // What stands first may use what follows.
    if cfg!(feature = "text") {
        link_archive(text, "stowage_text");
    }
    link_archive(folder, "stowage");
    let apple = env::var("CARGO_CFG_TARGET_VENDOR").is_ok_and(|vendor| vendor == "apple");
    println!("cargo:rustc-link-lib=dylib={}", if apple { "c++" } else { "stdc++" });
}

fn link_archive(folder: &Path, name: &str) {
    let library = folder.join(format!("lib{name}.a"));
    println!("cargo:rerun-if-changed={}", library.display());
    if !library.exists() {
        panic!(
            "there is no {}; set STOWAGE_LIB_DIR, or build it: cmake --preset release && cmake --build --preset release --target \
             stowage_static, and stowage_text_static for the feature text",
            library.display()
        );
    }
    println!("cargo:rustc-link-search=native={}", folder.display());
    println!("cargo:rustc-link-lib=static={name}");
}
