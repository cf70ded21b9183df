#!/usr/bin/env bash
# Runs the tests of deadlines, threads and repetition (tests/repeated.txt) many times in a row beside busy processes. Each has to
# pass every time.
#
# Usage: scripts/repeat-tests.sh [TIMES] [BUSY]    default: 20 times, 4 busy processes
set -euo pipefail
cd "$(dirname "$0")/.."

times=${1:-20}
busy=${2:-4}
[[ $times =~ ^[0-9]+$ && $busy =~ ^[0-9]+$ ]] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }

scripts/build-release.sh
processes=()
trap '((${#processes[@]} == 0)) || kill "${processes[@]}" 2>/dev/null || true' EXIT
for ((k = 0; k < busy; ++k)); do
  while :; do :; done &
  processes+=($!)
done
patterns=$(grep -v '^#' tests/repeated.txt | paste -sd '|')
ctest --preset release -j "$(nproc)" -R "$patterns" -E '^(soak|house|packages|bench)' --repeat "until-fail:$times" \
  --no-tests=error
