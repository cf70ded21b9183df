#!/usr/bin/env bash
# The share of the lines of core and capi that the unit tests, the property tests, the tests of the C ABI, of the commands and of
# bad input, and a minute of the soak run. Writes it to docs/coverage.tsv and docs/contribute/reliability.md. Builds in build/coverage.
#
# Usage: scripts/coverage.sh [--keep]    --keep: counts what build/coverage has run already, without another build and run
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ ${1-} != --keep ]]; then
  cmake --preset coverage >/dev/null
  cmake --build --preset coverage
  find build/coverage -name '*.gcda' -delete
  # A failing test is reported where it belongs; here, it runs lines.
  ctest --preset coverage -j "$(nproc)" -R '^(unit|property|capi|cli|bad_input)\.' || true
  # The clock of the soak is not that of a build without optimization.
  build/coverage/tests/soak/soak --hours .0167 --seed 1 --late 5000 --files build/coverage || true
fi
scripts/count-coverage.py build/coverage >docs/coverage.tsv
scripts/update-reliability.py
column -t docs/coverage.tsv
