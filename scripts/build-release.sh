#!/usr/bin/env bash
# Configures and builds the release preset. A lock admits one build at a time, because scripts that need it may run in parallel.
#
# Usage: scripts/build-release.sh [TARGET...]    default: everything
set -euo pipefail
cd "$(dirname "$0")/.."

mkdir -p build
exec 9>build/release.lock
flock 9
cmake --preset release >/dev/null
cmake --build --preset release ${1:+--target "$@"}
