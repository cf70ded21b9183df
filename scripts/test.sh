#!/usr/bin/env bash
# Installs the required packages on a Debian machine, builds everything, and runs all tests.
#
# Usage: scripts/test.sh
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh test
# Where these packages cannot be installed, the tests that need them are skipped with a message below.
for part in web bindings; do scripts/setup.sh "$part" || true; done
scripts/build-release.sh
# The tests of the package and the explorer wait for workers and browsers, so that the bindings' tests run in parallel.
browser() { scripts/test-wasm.sh && scripts/test-web-demo.sh; }
# A process group of its own, which ends together with this script in every case.
set -m
browser >build/test-browser.log 2>&1 &
running=$!
set +m
trap 'kill -- -"$running" 2>/dev/null || true' EXIT
scripts/test-bindings.sh
wait "$running" || { cat build/test-browser.log; exit 1; }
cat build/test-browser.log
ctest --preset release -j "$(nproc)"
