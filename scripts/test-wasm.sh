#!/usr/bin/env bash
# Installs the required packages, builds the WebAssembly modules and the npm package, runs the package's tests and builds its
# reference. Tests compare with the native command of the release build, which is built here if it is missing or out of date.
#
# Usage: scripts/test-wasm.sh [TEST...]    such as: worker differential; default: all
#   STOWAGE_FACES  the number of random instances whose JSON is compared; default: 25
set -euo pipefail
cd "$(dirname "$0")/.."

# Where packages cannot be installed, the tests that need them are skipped with a message.
scripts/setup.sh wasm || true
for tool in emcc node npm; do
  command -v "$tool" >/dev/null && continue
  echo "test-wasm: SKIPPED, there is no $tool: the WebAssembly modules, the npm package and their tests" >&2
  exit 0
done

scripts/build-release.sh stowage_cli write_faces
export STOWAGE_FACES_FOLDER=$PWD/build/wasm-faces
rm -rf "$STOWAGE_FACES_FOLDER"
build/release/tests/faces/write_faces "$STOWAGE_FACES_FOLDER" "${STOWAGE_FACES:-25}" tests/conformance/instances/*.stow
cmake --preset wasm >/dev/null
cmake --build --preset wasm
cd wasm
# Reinstall only if the lock file has changed since the last installation.
[[ node_modules/.package-lock.json -nt package-lock.json ]] || npm ci --loglevel=error
npm test --loglevel=error -- "$@"
../scripts/build-docs.sh typescript
