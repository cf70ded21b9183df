#!/usr/bin/env bash
# Checks that the same plans come out of gcc and clang, at -O0 and -O3, with 1 and 2 threads: every planner, on generated
# workloads and on the small instance of the tests. The release preset stands for gcc -O3.
#
# Usage: scripts/check-determinism.sh
set -euo pipefail
cd "$(dirname "$0")/.."

release=build/release
work=build/determinism
mkdir -p "$work"
scripts/build-release.sh plan_digests stowage_cli stowage_test_data
stowage=$release/capi/cli/stowage

for graph in arbitrary normal threshold; do
  "$stowage" generate --lras 250 --density 0.03 --graph $graph --seed 1 -o "$work/$graph.stow"
done
"$stowage" generate --lras 100 --density 0.05 --graph arbitrary --profile --seed 2 -o "$work/profile.stow"
instances=("$work"/*.stow "$release"/tests/data/small_instance.stow)

digests_of() { "$2/tests/determinism/plan_digests" "${instances[@]}" >"$work/$1.txt"; }
# NAME CC CXX OPTIMIZATION
variant() {
  cmake -G Ninja -S . -B "$work/$1" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_COMPILER="$2" -DCMAKE_CXX_COMPILER="$3" \
    -DCMAKE_C_FLAGS_DEBUG="$4 -DNDEBUG" -DCMAKE_CXX_FLAGS_DEBUG="$4 -DNDEBUG" \
    -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=10 -DSTOWAGE_BUILD_CLI=OFF >"$work/$1.log" &&
    cmake --build "$work/$1" --target plan_digests >>"$work/$1.log" 2>&1 && digests_of "$1" "$work/$1" && return
  tail -n 40 "$work/$1.log" >&2
  return 1
}
# Side by side: each has stretches that keep one processor busy.
variants=("gcc-O0 gcc g++ -O0" "clang-O3 clang clang++ -O3" "clang-O0 clang clang++ -O0")
running=()
for one in "${variants[@]}"; do
  # shellcheck disable=SC2086 # words
  variant $one &
  running+=($!)
done
digests_of gcc-O3 "$release"
failures=0
for k in "${!variants[@]}"; do
  name=${variants[$k]%% *}
  wait "${running[$k]}" || { echo "$name could not be built or run" >&2; failures=1; continue; }
  diff -u "$work/gcc-O3.txt" "$work/$name.txt" || { echo "$name plans otherwise than gcc-O3" >&2; failures=1; }
done
((failures == 0)) || exit 1
echo "check-determinism: $(wc -l <"$work/gcc-O3.txt") plans are the same in all 4 builds"
