#!/usr/bin/env bash
# Sets up, builds the command, and plans an example cluster: from nothing, on a Debian machine.
#
# Usage: scripts/demo.sh
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh build
cmake --preset release -B build/demo -DSTOWAGE_BUILD_TESTS=OFF -DSTOWAGE_BUILD_BENCH=OFF >/dev/null
cmake --build build/demo --target stowage_cli
cd build/demo
show() {
  printf '\n$ stowage %s\n' "$*"
  # Exit code 2 says that something is unplaced, which the last plan is there to show.
  capi/cli/stowage "$@" || (($? == 2))
}
show example --output cluster.json
show plan cluster.json --output plan.csv
show verify cluster.json plan.csv
show plan cluster.json --nodes 5 --output tight.csv
show explain cluster.json tight.csv
