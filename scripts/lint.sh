#!/usr/bin/env bash
# Runs clang-tidy (.clang-tidy) over core/, capi/ and tests/ with the compile commands of a configured and built tree.
#
# Usage: scripts/lint.sh [BUILD_DIR] [FILE_REGEX]
#   BUILD_DIR    default build/release
#   FILE_REGEX   which sources; default: the project's own under core/ and capi/
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build/release}
files=${2:-"^$PWD/(core|capi)/"}

[[ -f $build/compile_commands.json ]] || { echo "lint: $build is not configured" >&2; exit 1; }
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# Its output repeats every command line; only what clang-tidy found is worth reading.
if run-clang-tidy -quiet -p "$build" -j "$(nproc)" "$files" 2>/dev/null | sed 's/\x1b\[[0-9;]*m//g' >"$log"; then
  echo "lint: $(grep -c '^clang-tidy' "$log") files without findings"
else
  grep -v '^clang-tidy' "$log" >&2
  exit 1
fi
