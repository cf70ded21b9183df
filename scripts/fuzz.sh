#!/usr/bin/env bash
# Builds the fuzz targets and runs each of them: first on every input of its committed corpus, then for SECONDS on mutations of
# these. New inputs are kept in build/asan/corpus, failing inputs in build/asan/findings.
#
# Usage: scripts/fuzz.sh [SECONDS] [TARGET...]
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-60}
shift || true
build=build/asan
cmake --preset asan >/dev/null
cmake --build --preset asan --target fuzz_targets
if (($#)); then targets=("$@"); else
  mapfile -t targets < <(find "$build/tests/fuzz" -maxdepth 1 -type f -perm -u+x -name 'fuzz_*' -printf '%f\n' | sort)
fi
((${#targets[@]})) || { echo "fuzz: no targets" >&2; exit 1; }

mkdir -p "$build/findings"
run() {
  local target=$1 found=$build/corpus/$1 committed=tests/fuzz/corpus/$1
  local log=$build/$1.log
  [[ -d $committed ]] || { echo "fuzz: $committed is missing" >&2; return 1; }
  mkdir -p "$found"
  if ! "$build/tests/fuzz/$target" -max_total_time="$seconds" -timeout=60 -rss_limit_mb=4096 -print_final_stats=1 \
    -artifact_prefix="$build/findings/$target-" "$found" "$committed" >"$log" 2>&1; then
    tail -40 "$log" >&2
    echo "fuzz: $target failed" >&2
    return 1
  fi
  echo "fuzz: $target, $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") runs"
}
# One target per processor at a time.
failures=0
running=0
for target in "${targets[@]}"; do
  if ((running == $(nproc))); then
    wait -n || failures=$((failures + 1))
    running=$((running - 1))
  fi
  run "$target" &
  running=$((running + 1))
done
while ((running > 0)); do
  wait -n || failures=$((failures + 1))
  running=$((running - 1))
done
((failures == 0))
