#!/usr/bin/env bash
# Installs the required packages, builds the library, and runs the tests of the Go, Rust, Java and Python bindings, including
# the conformance set, the race detector (Go), clippy (Rust), mypy and the notebooks (Python), the API reference, and the first
# program of each README in a folder of its own. A binding whose toolchain is missing or too old is skipped with a message.
#
# Usage: scripts/test-bindings.sh [--nightly] [go|rust|java|python]...
#   default: all
#   --nightly   changes bytes 250,000 times in each language, not some thousand times;
#               with Go, also asks the scheduler of Kubernetes itself about plans of stowage-k8s, which takes minutes to compile;
#               with Python, also tests sweeps by Ray, which is large and starts slowly
#   STOWAGE_FACES  the number of random instances whose JSON is compared; default: 25
#   JAVA_HOME   the JDK, if it is version 25 or later; otherwise the script searches /usr/lib/jvm
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
# What is tested is the library of this checkout.
unset STOWAGE_LIBRARY STOWAGE_TEXT_LIBRARY STOWAGE_K8S_LIBRARY
nightly=
if [[ ${1:-} == --nightly ]]; then
  nightly=yes
  shift
fi
mutations=250000
bindings=("$@")
(($#)) || bindings=(go rust java python)

# Where packages cannot be installed, the tests that need them are skipped with a message.
scripts/setup.sh bindings || true

skip() { echo "test-bindings: SKIPPED, $2: the $1 binding and its tests" >&2; }
passed() { echo "test-bindings: $1, $2 tests passed"; }
# True where version $1 is at least version $2.
at_least() { [[ $(printf '%s\n' "$2" "$1" | sort -V | head -n 1) == "$2" ]]; }
# Builds the reference of a language, or the site; a warning is an error.
reference() {
  local code=0
  "$root/scripts/build-docs.sh" "$1" >"$work/documented" 2>&1 || code=$?
  # 77: skipped with a message.
  case $code in 0) ;; 77) cat "$work/documented" >&2 ;; *) cat "$work/documented" >&2; return 1 ;; esac
}
# Prints the first code block of a language in a README.
block() { sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/{//!p;/^\`\`\`\$/q}" "$root/bindings/$2/README.md"; }

work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
# Runs a README's program in a folder of its own and compares its output with the README.
readme() { # BINDING COMMAND...
  local binding=$1
  (cd "$work/$binding" && "${@:2}") >"$work/printed"
  block text "$binding" | diff - "$work/printed" || { echo "test-bindings: bindings/$binding/README.md" >&2; return 1; }
}

test_go() {
  command -v go >/dev/null || { skip Go "there is no go"; return; }
  local version
  version=$(GOTOOLCHAIN=local go env GOVERSION)
  at_least "${version#go}" 1.24 || { skip Go "$version is older than go1.24"; return; }
  local module count=0
  for module in . stowage-k8s; do
    cd "$root/bindings/go/$module"
    local unformatted
    unformatted=$(gofmt -l . | grep -v '^wire/' || true)
    [[ -z $unformatted ]] || { echo "test-bindings: gofmt -w $unformatted" >&2; return 1; }
    # The command needs no JSON.
    local tags=()
    [[ $module != . ]] || tags=(-tags stowage_text)
    go vet "${tags[@]}" ./...
    # -count=1, because go test does not know the library as an input. The command is tested without the race detector: it has
    # no threads of its own, and the Kubernetes types take long to compile with it.
    local race=(-race)
    [[ $module == . ]] || race=()
    go test "${race[@]}" "${tags[@]}" -count=1 -v ./... >"$work/go.log" 2>&1 || { grep -v -e '^=== ' -e '^--- PASS' "$work/go.log" >&2; return 1; }
    count=$((count + $(grep -c '^ *--- PASS' "$work/go.log")))
  done
  cd "$root/bindings/go"
  [[ -z $nightly ]] || STOWAGE_MUTATIONS=$mutations go test -tags stowage_text -count=1 -timeout 60m -run TestReadersOfMutatedBytes . >"$work/go.log" 2>&1 ||
    { cat "$work/go.log" >&2; return 1; }
  cd "$root/bindings/go/stowage-k8s/predicates"
  if [[ -z $nightly ]]; then
    echo "test-bindings: SKIPPED, it takes minutes to compile (scripts/test-bindings.sh --nightly go): the scheduler of Kubernetes on plans of stowage-k8s" >&2
  elif ! go mod download >/dev/null 2>&1; then
    echo "test-bindings: SKIPPED, the modules of Kubernetes cannot be loaded: its scheduler on plans of stowage-k8s" >&2
  else
    go test -count=1 -timeout 60m -v . >"$work/go.log" 2>&1 || { grep -v -e '^=== ' -e '^ *--- PASS' "$work/go.log" >&2; return 1; }
    grep -h SKIPPED "$work/go.log" >&2 || true
    count=$((count + $(grep -c '^ *--- PASS' "$work/go.log")))
  fi
  reference go
  mkdir "$work/go"
  block go go >"$work/go/main.go"
  first() {
    {
      go mod init first
      go mod edit -require stowage.dev/go@v0.1.0 -replace "stowage.dev/go=$root/bindings/go"
      go mod tidy
    } 2>&1 >/dev/null | cat >"$work/go.log"
    go run .
  }
  readme go first
  passed Go $((count + 1))
}

test_rust() {
  command -v cargo >/dev/null || { skip Rust "there is no cargo"; return; }
  local version
  version=$(cargo --version | cut -d ' ' -f 2)
  at_least "$version" 1.85 || { skip Rust "cargo $version is older than 1.85"; return; }
  cd "$root/bindings/rust"
  if cargo fmt --version >/dev/null 2>&1; then cargo fmt --check; else echo "test-bindings: SKIPPED, there is no rustfmt: layout of Rust" >&2; fi
  if cargo clippy --version >/dev/null 2>&1; then
    cargo clippy --quiet --all-targets --features text -- -D warnings
  else
    echo "test-bindings: SKIPPED, there is no clippy: lint of Rust" >&2
  fi
  cargo test --quiet --no-fail-fast --features text >"$work/rust.log" 2>&1 || { cat "$work/rust.log" >&2; return 1; }
  [[ -z $nightly ]] || STOWAGE_MUTATIONS=$mutations cargo test --quiet --release --features text --test hostile >"$work/mutated.log" 2>&1 ||
    { cat "$work/mutated.log" >&2; return 1; }
  cargo run --quiet --example autoscaler >"$work/day" 2>/dev/null
  grep -q '^the day: ' "$work/day"
  reference rust
  mkdir -p "$work/rust/src"
  block rust rust >"$work/rust/src/main.rs"
  first() {
    printf '[package]\nname = "first"\nedition = "2021"\n[dependencies]\nstowage-planner = {path = "%s/bindings/rust/stowage"}\n' "$root" \
      >Cargo.toml
    # Use the tested versions of the dependencies, and the target folder of the other crates.
    cp "$root/bindings/rust/Cargo.lock" .
    CARGO_TARGET_DIR=$root/bindings/rust/target cargo run --quiet
  }
  readme rust first
  passed Rust $(($(sed -n 's/^test result: ok\. \([0-9]*\) passed.*/\1/p' "$work/rust.log" | paste -sd +) + 2))
}

find_jdk() {
  local home version
  for home in "${JAVA_HOME:-}" /usr/lib/jvm/*; do
    [[ -n $home && -x $home/bin/javac ]] || continue
    version=$("$home/bin/javac" -version 2>&1 | cut -d ' ' -f 2)
    at_least "$version" 25 && { echo "$home"; return; }
  done
}

test_java() {
  command -v mvn >/dev/null || { skip Java "there is no mvn"; return; }
  local home
  home=$(find_jdk)
  [[ -n $home ]] || { skip Java "there is no JDK 25 or later, neither as JAVA_HOME nor under /usr/lib/jvm"; return; }
  export JAVA_HOME=$home
  cd "$root/bindings/java"
  # Maven's repository is that of this checkout, so that the program below finds this library and no other checkout's.
  local repository=$root/build/maven
  [[ -d $repository || ! -d ~/.m2/repository ]] || cp -r ~/.m2/repository "$repository"
  rm -rf "$repository/dev/stowage"
  maven() { mvn -q -B "-Dmaven.repo.local=$repository" "$@"; }
  # Runs the tests, and installs the library in the folder where the program below looks for it.
  maven install ${nightly:+-Dstowage.test.mutations=$mutations} >"$work/java.log" 2>&1 || { cat "$work/java.log" >&2; return 1; }
  reference java
  mkdir -p "$work/java/src/main/java"
  block java java >"$work/java/src/main/java/First.java"
  block xml java >"$work/java/pom.xml"
  first() {
    maven compile dependency:build-classpath -Dmdep.outputFile=target/path >"$work/java.log" 2>&1 ||
      { cat "$work/java.log" >&2; return 1; }
    "$JAVA_HOME/bin/java" --enable-native-access=ALL-UNNAMED -Djava.library.path=/nowhere -cp "target/classes:$(cat target/path)" First
  }
  readme java first
  # Without a library, there is no such jar.
  ! maven -DskipTests -pl stowage "-Dstowage.library.folder=$work" package >"$work/java.log" 2>&1 ||
    { echo "test-bindings: mvn made a jar without a library" >&2; return 1; }
  passed Java $(($(cat -- */target/surefire-reports/*.txt | sed -n 's/^Tests run: \([0-9]*\).*/\1/p' | paste -sd +) + 2))
}

test_python() {
  local python=$root/build/python/bin/python
  [[ -x $python ]] || { skip Python "scripts/setup.sh bindings made no build/python"; return; }
  cd "$root/bindings/python"
  # The package takes the libraries that are built already. It is installed, so that the tests see what users get.
  "$python" -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --force-reinstall . \
    -C "cmake.define.STOWAGE_LIBRARY=$root/build/release/capi/libstowage.so" \
    -C "cmake.define.STOWAGE_TEXT_LIBRARY=$root/build/release/capi/text/libstowage_text.so" \
    -C "cmake.define.STOWAGE_K8S_LIBRARY=$root/build/release/capi/k8s/libstowage_k8s.so" >"$work/python.log" 2>&1 ||
    { cat "$work/python.log" >&2; return 1; }
  "$python" -m mypy >"$work/python.log" 2>&1 || { cat "$work/python.log" >&2; return 1; }
  # Beside the environment, so that only nightly tests find it.
  local ray=$root/build/python-ray
  if [[ -n $nightly ]] && ! cmp -s requirements-nightly.txt "$ray/installed.txt"; then
    rm -rf "$ray"
    if "$python" -m pip install --quiet --disable-pip-version-check --only-binary :all: --retries 1 --timeout 20 --target "$ray" \
      -r requirements-nightly.txt >"$work/python.log" 2>&1; then
      cp requirements-nightly.txt "$ray/installed.txt"
    fi
  fi
  STOWAGE_MUTATIONS=${nightly:+250000} PYTHONPATH=${nightly:+$ray} "$python" -m pytest -q -rs -p no:cacheprovider >"$work/python.log" 2>&1 ||
    { cat "$work/python.log" >&2; return 1; }
  sed -n 's/^SKIPPED \[[0-9]*\] \(.*\)/test-bindings: SKIPPED, \1/p' "$work/python.log" >&2
  reference python
  reference site
  mkdir -p "$work/python"
  block python python >"$work/python/first.py"
  readme python "$python" first.py
  passed Python $(($(sed -n 's/^\([0-9]*\) passed.*/\1/p' "$work/python.log") + 1))
}

scripts/build-release.sh stowage_static stowage_shared stowage_text_static stowage_text_shared stowage_k8s_static write_faces
# The JSON of random instances and those of the conformance set, of plans and operations, which each binding writes and reads as well.
export STOWAGE_FACES_FOLDER=$work/faces
build/release/tests/faces/write_faces "$STOWAGE_FACES_FOLDER" "${STOWAGE_FACES:-25}" tests/conformance/instances/*.stow
for binding in "${bindings[@]}"; do
  [[ $binding =~ ^(go|rust|java|python)$ ]] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
  ("test_$binding")
done
