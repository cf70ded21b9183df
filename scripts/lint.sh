#!/usr/bin/env bash
# Runs clang-tidy (.clang-tidy) over core/ and capi/.
#
# Usage: scripts/lint.sh [FILE_REGEX]
#   FILE_REGEX   checks the matching sources one by one, with the compile commands of the preset dev; default: checks all
#                sources in the unity builds of the preset asan, which read each header once
set -euo pipefail
cd "$(dirname "$0")/.."
preset=${1:+dev}
preset=${preset:-asan}
# The static libraries have the sources of the shared ones; .clang-tidy names neither capi/highs nor capi/text.
files=${1:-"^$PWD/build/asan/(core|capi)/(?!highs|text|.*_static\\.dir).*Unity"}

cmake --preset "$preset" >/dev/null
cmake --build --preset "$preset" --target stowage_wire_headers >/dev/null
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# The output repeats every command line; print the findings only.
if run-clang-tidy -quiet -p "build/$preset" -j "$(nproc)" "$files" 2>/dev/null | sed 's/\x1b\[[0-9;]*m//g' >"$log"; then
  echo "lint: $(grep -c '^clang-tidy' "$log") units without findings"
else
  grep -v '^clang-tidy' "$log" >&2
  exit 1
fi
