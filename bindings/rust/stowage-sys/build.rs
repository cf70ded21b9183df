//! Tells the linker where the library is: in `$STOWAGE_LIB_DIR`, else in the release build of this crate's source tree. With
//! the feature `system`, pkg-config finds it.

use std::env;
use std::path::PathBuf;

fn main() {
    println!("cargo:rerun-if-env-changed=STOWAGE_LIB_DIR");
    #[cfg(feature = "system")]
    if env::var_os("STOWAGE_LIB_DIR").is_none() {
        pkg_config::Config::new()
            .atleast_version(env!("CARGO_PKG_VERSION"))
            .probe("stowage")
            .expect("pkg-config knows no library stowage of this version");
        return;
    }
    let folder = env::var_os("STOWAGE_LIB_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../build/release/capi"), PathBuf::from);
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
    println!("cargo:rustc-link-lib=dylib=stdc++");
}
