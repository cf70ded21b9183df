//! Provides the library, from the first of these places:
//! - none where docs.rs builds the documentation, which links nothing;
//! - the folder `$STOWAGE_LIB_DIR`, which has a static library;
//! - with the feature `system`, the installed library that pkg-config finds;
//! - the folder `source` of the published crate, which is compiled;
//! - the release build of the checkout that this crate lies in.

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
        link_static(Path::new(&folder));
    } else if cfg!(feature = "system") {
        link_system();
    } else if source.exists() {
        compile(&source);
    } else {
        link_static(&root.join("../../../build/release/capi"));
    }
}

#[cfg(feature = "system")]
fn link_system() {
    pkg_config::Config::new()
        .atleast_version(env!("CARGO_PKG_VERSION"))
        .probe("stowage")
        .expect("pkg-config knows no library stowage of this version");
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

fn link_static(folder: &Path) {
    let library = folder.join("libstowage.a");
    println!("cargo:rerun-if-changed={}", library.display());
    if !library.exists() {
        panic!(
            "there is no {}; set STOWAGE_LIB_DIR, or build it: cmake --preset release && cmake --build --preset release --target \
             stowage_static",
            library.display()
        );
    }
    println!("cargo:rustc-link-search=native={}", folder.display());
    println!("cargo:rustc-link-lib=static=stowage");
    let apple = env::var("CARGO_CFG_TARGET_VENDOR").is_ok_and(|vendor| vendor == "apple");
    println!("cargo:rustc-link-lib=dylib={}", if apple { "c++" } else { "stdc++" });
}
