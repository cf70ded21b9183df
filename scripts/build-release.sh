#!/usr/bin/env bash
# Configures and builds the release preset; one at a time, as scripts that need it may run side by side.
#
# Usage: scripts/build-release.sh [TARGET...]    default: everything
set -euo pipefail
cd "$(dirname "$0")/.."

mkdir -p build
exec 9>build/release.lock
flock 9
cmake --preset release >/dev/null
cmake --build --preset release ${1:+--target "$@"}
