#!/usr/bin/env bash
# Sets up, builds the WebAssembly module and the npm package, and passes the package's tests. What it is compared with is the
# native command of the release build, which is built here where it is missing or out of date.
#
# Usage: scripts/test-wasm.sh [TEST...]    such as: worker differential; default: all
set -euo pipefail
cd "$(dirname "$0")/.."

# Where there is no way to install them, what needs them is left out by name.
scripts/setup.sh wasm || true
for tool in emcc node npm; do
  command -v "$tool" >/dev/null && continue
  echo "test-wasm: SKIPPED, there is no $tool: the WebAssembly module, the npm package and their tests" >&2
  exit 0
done

scripts/build-release.sh stowage_cli
cmake --preset wasm >/dev/null
cmake --build --preset wasm
cd wasm
# What is installed already is as the lock file says, unless that has changed since.
[[ node_modules/.package-lock.json -nt package-lock.json ]] || npm ci --loglevel=error
npm test --loglevel=error -- "$@"
