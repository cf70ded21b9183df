#!/usr/bin/env bash
# Packs the crates, compares their files with the committed lists, and runs the README's program in a project that has nothing but
# the packed crates and what cargo has fetched before.
#
# Usage: rust.sh quick LIBRARY_FOLDER | full
#   quick   links the static library of LIBRARY_FOLDER
#   full    compiles the packed source; cargo verifies both crates
# shellcheck source=support.sh
. "$(dirname "$0")/support.sh"
command -v cargo >/dev/null || { say "SKIPPED, there is no cargo: the crates"; exit 77; }

"$checkout/scripts/package.sh" rust "$work/package"
for crate in stowage-planner-sys stowage-planner; do
  tar -tzf "$work/package/$crate"-[0-9]*.crate | cut -d / -f 2- | contents "$crate"
done
[[ $1 != quick ]] || cp "$2/libstowage.a" "$work"
cp "$checkout/bindings/rust/README.md" "$checkout/bindings/rust/Cargo.lock" "$work"

cargo fetch --quiet --locked --manifest-path "$work/package/Cargo.toml" ||
  { say "SKIPPED, the dependencies cannot be fetched: the crates"; exit 77; }
mkdir "$work/crates"
for crate in "$work"/package/*.crate; do tar -xzf "$crate" -C "$work/crates"; done

verify() {
  cd package
  cargo package --workspace --offline --quiet
}
# docs.rs builds the documentation where nothing can be linked.
documentation() {
  cd crates/stowage-planner-sys-*/
  DOCS_RS=1 RUSTDOCFLAGS=-Dwarnings cargo doc --quiet --offline --target-dir "$work/documentation"
}
program() {
  mkdir -p first/src
  cd first
  cp "$work/Cargo.lock" .
  block rust "$work/README.md" >src/main.rs
  # The packed crates stand for what the registry will have.
  local crate
  {
    printf '[package]\nname = "first"\nedition = "2021"\n[dependencies]\nstowage-planner = "*"\n[patch.crates-io]\n'
    for crate in ../crates/*; do printf '%s = {path = "%s"}\n' "$(basename "${crate%-*}")" "$crate"; done
  } >Cargo.toml
  cargo run --quiet --offline >"$work/printed"
}
if [[ $1 == quick ]]; then
  STOWAGE_LIB_DIR=$work hidden program
else
  hidden documentation
  hidden verify
  hidden program
fi
printed "$work/README.md"
say "the crates work"
