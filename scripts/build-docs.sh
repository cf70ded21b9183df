#!/usr/bin/env bash
# Builds the API reference of each language with the language's own tool (docs/reference/api.md), and the site: the pages of docs/ as
# HTML files that any server can serve, with a search. A warning is an error, and so is a public type, function, method or constant
# without a comment. A part whose tool is missing is skipped with a message.
#
# Usage: scripts/build-docs.sh [site|c|go|rust|java|typescript|python]...    default: all, into build/docs
#   STOWAGE_DOCS   another folder than build/docs
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
out=$(realpath -m "${STOWAGE_DOCS:-build/docs}")
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

skip() { echo "build-docs: SKIPPED, $2: the reference of $1" >&2; skipped=77; }
made() { echo "build-docs: $1"; }
# Shows a log where something is in it.
quiet() { [[ ! -s $1 ]] || { cat "$1" >&2; return 1; }; }

document_c() {
  command -v doxygen >/dev/null || { skip C "there is no doxygen"; return; }
  rm -rf "$out/c"
  { cat capi/docs/Doxyfile; echo "OUTPUT_DIRECTORY = $out/c"; } >"$work/Doxyfile"
  # Fields and enumerators whose names say it all have no comment. Warnings about anything else remain.
  doxygen "$work/Doxyfile" 2>&1 | grep -v -e '(variable) of struct .* is not documented' -e '(enumeration value) .* is not documented' \
    >"$work/c.log" || true
  quiet "$work/c.log"
  [[ -e $out/c/html/stowage_8h.html ]] || { echo "build-docs: doxygen made no page of stowage.h" >&2; return 1; }
  made "$out/c/html/index.html"
}

document_go() {
  command -v go >/dev/null || { skip Go "there is no go"; return; }
  # Neither tool knows build tags: what is only there with stowage_text is made to be there always.
  cp -r bindings/go "$work/go"
  sed -i '/^[/][/]go:build stowage_text$/d' "$work"/go/*.go
  mkdir -p "$out/go"
  (
    cd "$work/go"
    # The rules of revive.toml look at comments only. Generated code is left out.
    if ! go run github.com/mgechev/revive@v1.12.0 -config revive.toml -set_exit_status -exclude ./internal/... ./... >"$work/go.log" 2>&1; then
      grep -q '^[a-z_/]*[.]go:[0-9]' "$work/go.log" || exit 77
      cat "$work/go.log" >&2
      exit 1
    fi
    go doc -all . >"$out/go/stowage.txt"
  ) || { (($? == 77)) && skip Go "the module revive cannot be loaded" && return; return 1; }
  made "$out/go/stowage.txt"
}

document_rust() {
  command -v cargo >/dev/null || { skip Rust "there is no cargo"; return; }
  # The declarations of the raw crate come from stowage.h, which has their comments.
  (
    cd bindings/rust
    RUSTDOCFLAGS="-D warnings" cargo doc --quiet --no-deps --features text
    RUSTDOCFLAGS="-W missing_docs" cargo doc --quiet --no-deps --features text --package stowage-planner
  ) >"$work/rust.all" 2>&1 || { cat "$work/rust.all" >&2; return 1; }
  # Fields and variants whose names say it all have no comment.
  awk '/^warning: /{keep = !/for a (struct field|variant)$|generated [0-9]+ warning/} keep' "$work/rust.all" >"$work/rust.log"
  quiet "$work/rust.log"
  rm -rf "$out/rust"
  cp -r bindings/rust/target/doc "$out/rust"
  made "$out/rust/stowage/index.html"
}

find_jdk() {
  local home
  for home in "${JAVA_HOME:-}" /usr/lib/jvm/*25*; do
    [[ ! $("$home/bin/javadoc" --version 2>/dev/null) =~ \ 25 ]] || { echo "$home"; return; }
  done
}
document_java() {
  local home path
  home=$(find_jdk)
  [[ -n $home ]] || { skip Java "there is no JDK 25"; return; }
  # A checkout's own repository, or the user's; either may be missing.
  path=$(find "$root/build/maven" ~/.m2/repository -name 'flatbuffers-java-2.0.8.jar' 2>/dev/null | head -n 1 || true)
  [[ -n $path ]] || { skip Java "Maven has not fetched flatbuffers-java (scripts/test-bindings.sh java)"; return; }
  rm -rf "$out/java"
  # The first sentence says what parameters and results are; tags repeat it. Everything else that doclint knows is an error.
  "$home/bin/javadoc" -quiet -notimestamp -Xdoclint:all -Xmaxwarns 10000 -d "$out/java" -cp "$path" -sourcepath bindings/java/stowage/src/main/java \
    stowage >"$work/java.all" 2>&1 || { cat "$work/java.all" >&2; return 1; }
  { grep -E ' (warning|error): ' "$work/java.all" || true; } | { grep -v -E 'warning: no @(param|return|throws)' || true; } >"$work/java.log"
  quiet "$work/java.log"
  made "$out/java/index.html"
}

document_typescript() {
  command -v npm >/dev/null && command -v flatc >/dev/null || { skip TypeScript "there is no npm or no flatc"; return; }
  cd "$root/wasm"
  [[ node_modules/.package-lock.json -nt package-lock.json ]] || npm ci --loglevel=error
  # As scripts/build.mjs makes it.
  [[ -d src/wire ]] || flatc --ts --ts-flat-files -o src/wire ../capi/schema/*.fbs
  rm -rf "$out/typescript"
  node node_modules/typedoc/bin/typedoc --out "$out/typescript" --logLevel Warn
  cd "$root"
  made "$out/typescript/index.html"
}

document_python() {
  local python=$root/build/python/bin/python
  [[ -x $python ]] || { skip Python "scripts/setup.sh bindings made no build/python"; return; }
  rm -rf "$out/python"
  STOWAGE_LIBRARY=${STOWAGE_LIBRARY:-$root/build/release/capi/libstowage.so} PYTHONPATH=$root/bindings/python/src \
    "$python" -m sphinx --fail-on-warning --keep-going --quiet --builder html bindings/python/docs "$out/python"
  made "$out/python/index.html"
}

document_site() {
  local python=$root/build/python/bin/python
  [[ -x $python ]] || { echo "build-docs: SKIPPED, scripts/setup.sh bindings made no build/python: the site" >&2; skipped=77; return; }
  rm -rf "$out/site"
  scripts/site.py "$work/site"
  "$python" -m sphinx --fail-on-warning --keep-going --quiet -C -D project=Stowage -D html_title=Stowage -D extensions=myst_parser \
    -D myst_heading_anchors=4 -D html_theme=furo -D html_show_copyright=0 -b html "$work/site" "$out/site"
  made "$out/site/index.html"
}

skipped=0
languages=("$@")
(($#)) || languages=(site c go rust java typescript python)
for language in "${languages[@]}"; do
  [[ $language =~ ^(site|c|go|rust|java|typescript|python)$ ]] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
  "document_$language"
done
# One language that is skipped is a skipped test.
(($# != 1)) || exit "$skipped"
