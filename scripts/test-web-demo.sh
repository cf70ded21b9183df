#!/usr/bin/env bash
# Sets up, builds the WebAssembly module, the npm package and the plan explorer, and passes the explorer's tests in Chromium. What
# scripts/test-wasm.sh has built is taken as it is.
#
# Usage: scripts/test-web-demo.sh [serve]    serve: no tests, but the explorer at http://localhost:4173
set -euo pipefail
cd "$(dirname "$0")/.."

tools=(emcc node npm)
if [[ ${1:-} == serve ]]; then
  scripts/setup.sh wasm || true
else
  scripts/setup.sh web || true
  # The shell is the same browser without its windows, and starts faster.
  CHROMIUM=${CHROMIUM:-$(command -v chromium-headless-shell || command -v chromium || true)}
  export CHROMIUM
  tools+=("${CHROMIUM:-chromium}")
fi
# Where there is no way to install them, what needs them is left out by name.
for tool in "${tools[@]}"; do
  command -v "$tool" >/dev/null && continue
  echo "test-web-demo: SKIPPED, there is no $tool: the plan explorer and its tests" >&2
  exit 0
done

# What is installed already is as the lock file says, unless that has changed since.
install() { [[ node_modules/.package-lock.json -nt package-lock.json ]] || npm ci --loglevel=error; }

cmake --preset wasm >/dev/null
cmake --build --preset wasm
cd wasm
install
made_of=(src scripts package.json ../capi/schema ../build/wasm/wasm/stowage.wasm)
if [[ ! -e dist/stowage.wasm ]] ||
  [[ -n $(find "${made_of[@]}" -path src/wire -prune -o -newer dist/stowage.wasm -type f -print -quit) ]]; then
  npm run build --loglevel=error
fi
cd ../web-demo
install
if [[ ${1:-} == serve ]]; then
  exec npm start --loglevel=error
fi
npm test --loglevel=error
