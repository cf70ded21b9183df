#!/usr/bin/env bash
# Sets up, builds and passes all tests, from nothing, on a Debian machine.
#
# Usage: scripts/test.sh
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh test
# Where there is no way to install these, what needs them is left out by name below.
for part in web bindings; do scripts/setup.sh "$part" || true; done
cmake --preset release >/dev/null
cmake --build --preset release
scripts/test-wasm.sh
# The explorer's tests wait for a browser most of the time: the bindings' go on beside them.
scripts/test-web-demo.sh >build/test-web-demo.log 2>&1 &
explorer=$!
scripts/test-bindings.sh
wait "$explorer" || { cat build/test-web-demo.log; exit 1; }
cat build/test-web-demo.log
ctest --preset release -j "$(nproc)"
