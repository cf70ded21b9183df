#!/usr/bin/env bash
# Installs the required packages, builds the WebAssembly modules, the npm package and the plan explorer, and runs the explorer's
# tests in Chromium. Uses the output of scripts/test-wasm.sh where it exists.
#
# Usage: scripts/test-web-demo.sh [serve]    serve: serves the explorer at http://localhost:4173 instead of testing it
set -euo pipefail
cd "$(dirname "$0")/.."

tools=(emcc node npm)
if [[ ${1:-} == serve ]]; then
  scripts/setup.sh wasm || true
else
  scripts/setup.sh web || true
  # The headless shell is the same browser without windows, and starts faster.
  CHROMIUM=${CHROMIUM:-$(command -v chromium-headless-shell || command -v chromium || true)}
  export CHROMIUM
  tools+=("${CHROMIUM:-chromium}")
fi
# Where packages cannot be installed, the tests that need them are skipped with a message.
for tool in "${tools[@]}"; do
  command -v "$tool" >/dev/null && continue
  echo "test-web-demo: SKIPPED, there is no $tool: the plan explorer and its tests" >&2
  exit 0
done

# Reinstall only if the lock file has changed since the last installation.
install() { [[ node_modules/.package-lock.json -nt package-lock.json ]] || npm ci --loglevel=error; }

cmake --preset wasm >/dev/null
cmake --build --preset wasm
cd wasm
install
made_of=(src scripts package.json ../capi/schema ../build/wasm/wasm/stowage.wasm ../build/wasm/wasm/stowage-text.wasm ../build/wasm/wasm/stowage-k8s.wasm)
if [[ ! -e dist/stowage-text.wasm ]] ||
  [[ -n $(find "${made_of[@]}" -path src/wire -prune -o -newer dist/stowage-text.wasm -type f -print -quit) ]]; then
  npm run build --loglevel=error
fi
cd ../web-demo
install
if [[ ${1:-} == serve ]]; then
  exec npm start --loglevel=error
fi
npm test --loglevel=error
