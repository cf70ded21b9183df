#!/usr/bin/env bash
# Sets up, builds and passes all tests, from nothing, on a Debian machine.
#
# Usage: scripts/test.sh
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh test
cmake --preset release >/dev/null
cmake --build --preset release
scripts/test-wasm.sh
scripts/test-web-demo.sh
scripts/test-bindings.sh
ctest --preset release -j "$(nproc)"
