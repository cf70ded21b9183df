#!/usr/bin/env bash
# Measures what a plan by ff costs through the C ABI and through each binding, the median in microseconds: the request is
# encoded, the plan made, and decoded. Needs all toolchains.
#
# Usage: scripts/bench-bindings.sh [INSTANCE]...    default: a generated instance of 10 apps
#   SECONDS_EACH   how long each is measured, default 2
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
seconds=${SECONDS_EACH:-2}
work=build/bench-bindings
mkdir -p "$work"

scripts/build-release.sh binding_overhead stowage_cli stowage_shared stowage_test_data >/dev/null
stowage=build/release/capi/cli/stowage
instances=("$@")
if ((!$#)); then
  "$stowage" generate --lras 10 --density 0.1 --graph arbitrary --seed 1 -o "$work/ten.stow" >/dev/null
  instances=("$work/ten.stow")
fi
for home in "${JAVA_HOME:-}" /usr/lib/jvm/*; do
  [[ -n $home ]] && "$home/bin/javac" -version 2>/dev/null | grep -q '^javac 2[5-9]' && export JAVA_HOME=$home && break
done
(cd bindings/go && go test -c -o "$root/$work/go.test" .)
(cd bindings/rust && cargo build --quiet --release --example overhead)
(cd bindings/java && mvn -q -B compile dependency:build-classpath -Dmdep.outputFile=target/path -pl benchmarks -am >/dev/null)
classes=$(cat bindings/java/benchmarks/target/path):bindings/java/benchmarks/target/classes:bindings/java/stowage/target/classes

echo "microseconds per plan, median"
for instance in "${instances[@]}"; do
  echo "$instance"
  printf '  C      %10s\n' "$(build/release/tests/bench/binding_overhead "$instance" build/release/tests/data/ff_request.stowreq "$seconds")"
  STOWAGE_BENCH_INSTANCE=$(realpath "$instance") "$work/go.test" -test.run '^$' -test.bench Plan -test.benchtime "${seconds}s" |
    awk '$1 ~ /^Benchmark/ {
      for (k = 1; k < NF; ++k) if ($(k + 1) == "us/median") break
      sub(".*/", "", $1); sub("-[0-9]+$", "", $1)
      printf "  Go     %10.2f   %s\n", $k, $1
    }'
  printf '  Rust   %10s\n' "$(bindings/rust/target/release/examples/overhead "$instance" "$seconds")"
  "$JAVA_HOME/bin/java" -cp "$classes" org.openjdk.jmh.Main -p file="$(realpath "$instance")" \
    -jvmArgs "--enable-native-access=ALL-UNNAMED -Djava.library.path=$root/build/release/capi" \
    -w 1 -r 1 -wi "$seconds" -i "$seconds" PlanBenchmark 2>/dev/null |
    awk '/^PlanBenchmark.*p0\.50 / {
      for (k = 1; k < NF; ++k) if ($k == "sample") break
      sub("PlanBenchmark.", "", $1); sub(":.*", "", $1)
      printf "  Java   %10.2f   %s\n", $(k + 1), $1
    }'
done
