#!/usr/bin/env bash
# Sets up, builds and passes all tests, from nothing, on a Debian machine.
#
# Usage: scripts/test.sh
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh test
# Where there is no way to install these, what needs them is left out by name below.
for part in web bindings; do scripts/setup.sh "$part" || true; done
scripts/build-release.sh
# The package's and the explorer's tests wait for their workers and browsers: the bindings' go on beside them.
browser() { scripts/test-wasm.sh && scripts/test-web-demo.sh; }
# A group of processes of their own, which ends with this script however that ends.
set -m
browser >build/test-browser.log 2>&1 &
running=$!
set +m
trap 'kill -- -"$running" 2>/dev/null || true' EXIT
scripts/test-bindings.sh
wait "$running" || { cat build/test-browser.log; exit 1; }
cat build/test-browser.log
ctest --preset release -j "$(nproc)"
