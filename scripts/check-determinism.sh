#!/usr/bin/env bash
# Checks that every planner gives the same plans when compiled at -O0 and -O3, with 1 and 2 threads, on generated workloads and
# on the tests' small instance. The preset release serves as gcc -O3, the preset tsan as gcc -O0. The tests of the WebAssembly
# module compare gcc with clang on the conformance set.
#
# Usage: scripts/check-determinism.sh [--clang]    --clang: builds by clang, -O0 and -O3, too
set -euo pipefail
cd "$(dirname "$0")/.."

with_clang=0
[[ ${1-} != --clang ]] || with_clang=1
release=build/release
work=build/determinism
mkdir -p "$work"
scripts/build-release.sh plan_digests stowage_cli stowage_test_data
stowage=$release/capi/cli/stowage

# Builds without optimization plan small instances with a low work limit. Optimized builds also plan more and larger ones.
rm -f "$work"/*.stow "$work"/*.txt
generated() { # PREFIX APPS DENSITY APPS_OVER_TIME DENSITY_OVER_TIME
  for graph in arbitrary normal threshold; do
    "$stowage" generate --lras "$2" --density "$3" --graph $graph --seed 1 -o "$work/$1-$graph.stow"
  done
  "$stowage" generate --lras "$4" --density "$5" --graph arbitrary --profile --seed 2 -o "$work/$1-profile.stow"
}
generated small 120 0.05 20 0.2
generated large 250 0.03 100 0.05

digests_of() {
  local program=$2/tests/determinism/plan_digests
  "$program" 50000 "$work"/small-*.stow "$release"/tests/data/small_instance.stow >"$work/$1.txt"
  [[ $1 != *-O3 ]] || ((with_clang == 0)) || "$program" 2000000 "$work"/large-*.stow >"$work/$1.large.txt"
}
# NAME BUILD_FOLDER CMAKE_ARGUMENT...
variant() {
  cmake "${@:3}" >"$work/$1.log" && cmake --build "$2" --target plan_digests >>"$work/$1.log" 2>&1 && digests_of "$1" "$2" && return
  tail -n 40 "$work/$1.log" >&2
  return 1
}
by_clang() {
  variant "clang$1" "$work/clang$1" -G Ninja -S . -B "$work/clang$1" -DCMAKE_BUILD_TYPE=Debug \
    -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ \
    -DCMAKE_C_FLAGS_DEBUG="$1 -DNDEBUG" -DCMAKE_CXX_FLAGS_DEBUG="$1 -DNDEBUG" \
    -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=10 -DSTOWAGE_BUILD_CLI=OFF
}
# In parallel, because each of them uses only one processor for part of its time.
variants=("variant gcc-O0 build/tsan --preset tsan")
names=(gcc-O0)
if ((with_clang)); then
  variants+=("by_clang -O3" "by_clang -O0")
  names+=(clang-O3 clang-O0)
fi
running=()
for one in "${variants[@]}"; do
  # shellcheck disable=SC2086 # words
  $one &
  running+=($!)
done
digests_of gcc-O3 "$release"
failures=0
for k in "${!variants[@]}"; do
  name=${names[$k]}
  wait "${running[$k]}" || { echo "$name could not be built or run" >&2; failures=1; continue; }
  for digests in "$work/$name".*txt; do
    diff -u "$work/gcc-O3${digests#"$work/$name"}" "$digests" || { echo "$name plans otherwise than gcc-O3" >&2; failures=1; }
  done
done
((failures == 0)) || exit 1
more=
((with_clang == 0)) || more=", $(wc -l <"$work/gcc-O3.large.txt") larger ones in both with -O3"
echo "check-determinism: $(wc -l <"$work/gcc-O3.txt") plans are the same in all $((${#names[@]} + 1)) builds$more"
