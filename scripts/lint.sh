#!/usr/bin/env bash
# Runs clang-tidy (.clang-tidy) over core/ and capi/.
#
# Usage: scripts/lint.sh [FILE_REGEX]
#   FILE_REGEX   sources, each by itself, with the compile commands of the preset dev; without it, everything, many files at
#                once as the preset asan compiles them, so that headers are read once
set -euo pipefail
cd "$(dirname "$0")/.."
preset=${1:+dev}
preset=${preset:-asan}
files=${1:-"^$PWD/build/asan/(core|capi)/.*Unity"}

cmake --preset "$preset" >/dev/null
cmake --build --preset "$preset" --target stowage_wire_headers >/dev/null
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# Its output repeats every command line; only what clang-tidy found is worth reading.
if run-clang-tidy -quiet -p "build/$preset" -j "$(nproc)" "$files" 2>/dev/null | sed 's/\x1b\[[0-9;]*m//g' >"$log"; then
  echo "lint: $(grep -c '^clang-tidy' "$log") units without findings"
else
  grep -v '^clang-tidy' "$log" >&2
  exit 1
fi
