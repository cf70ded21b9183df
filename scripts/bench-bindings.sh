#!/usr/bin/env bash
# Measures the overhead of each binding over the C function for a plan by ff: encoding the request and decoding the plan. Each
# language alternates between both calls in one process and with the same handle. Prints medians in microseconds: of the C
# function as the binding's raw layer calls it, of the binding's own call, and of their differences; the latter also in per cent
# of the C function. Needs all toolchains.
#
# Usage: scripts/bench-bindings.sh [INSTANCE]...    default: a generated instance of 10 apps
#   SECONDS_EACH   how long each is measured, default 5
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
seconds=${SECONDS_EACH:-5}
work=build/bench-bindings
mkdir -p "$work"

scripts/build-release.sh stowage_cli stowage_shared stowage_static >/dev/null
stowage=build/release/capi/cli/stowage
instances=("$@")
if ((!$#)); then
  "$stowage" generate --lras 10 --density 0.1 --graph arbitrary --seed 1 -o "$work/ten.stow" >/dev/null
  instances=("$work/ten.stow")
fi
for home in "${JAVA_HOME:-}" /usr/lib/jvm/*; do
  [[ -n $home ]] && "$home/bin/javac" -version 2>/dev/null | grep -q '^javac 2[5-9]' && export JAVA_HOME=$home && break
done
scripts/setup.sh bindings
(cd bindings/go && go test -c -o "$root/$work/go.test" .)
(cd bindings/rust && cargo test --quiet --release --package stowage-planner --lib --no-run)
(cd bindings/java && mvn -q -B compile dependency:build-classpath -Dmdep.outputFile=target/path -pl benchmarks -am >/dev/null)
classes=$(cat bindings/java/benchmarks/target/path):bindings/java/benchmarks/target/classes:bindings/java/stowage/target/classes

# Turns lines with "NUMBER us/bare", "NUMBER us/plan" and "NUMBER us/above" into rows of a table. Other lines stay as they are.
rows() {
  awk -v language="$1" '!/us\/bare/ { print "  " $0; next } {
    for (k = 2; k <= NF; ++k) of[$k] = $(k - 1)
    name = $1; sub(".*/", "", name); sub("-[0-9]+$", "", name)
    printf "  %-6s%12.2f%12.2f%12.2f%9.2f %%   %s\n", language, of["us/bare"], of["us/plan"], of["us/above"],
      100 * of["us/above"] / of["us/bare"], name
  }'
}

for instance in "${instances[@]}"; do
  export STOWAGE_BENCH_INSTANCE
  STOWAGE_BENCH_INSTANCE=$(realpath "$instance")
  echo "$instance"
  printf '  %-6s%12s%12s%12s\n' "" "C alone" call above
  "$work/go.test" -test.run '^$' -test.bench Plan -test.benchtime "${seconds}s" | grep us/above | rows Go
  (cd bindings/rust && STOWAGE_BENCH_SECONDS=$seconds cargo test --quiet --release --package stowage-planner --lib -- \
    --ignored --nocapture plan_above_c) | grep us/above | rows Rust
  "$JAVA_HOME/bin/java" --enable-native-access=ALL-UNNAMED -Djava.library.path=build/release/capi -cp "$classes" \
    stowage.Overhead "$instance" "$seconds" | rows Java
  STOWAGE_LIBRARY=$root/build/release/capi/libstowage.so STOWAGE_TEXT_LIBRARY=$root/build/release/capi/text/libstowage_text.so PYTHONPATH=bindings/python/src build/python/bin/python \
    bindings/python/benchmarks/overhead.py "$instance" "$seconds" | rows Python
done
