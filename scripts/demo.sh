#!/usr/bin/env bash
# Installs the required packages on a Debian machine, builds the command, and plans an example cluster.
#
# Usage: scripts/demo.sh [explorer]    explorer: serves the plan explorer at http://localhost:4173 instead
set -euo pipefail
cd "$(dirname "$0")/.."

case ${1:-} in
  '') ;;
  explorer) exec scripts/test-web-demo.sh serve ;;
  *) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
scripts/setup.sh build
cmake --preset release -B build/demo -DSTOWAGE_BUILD_TESTS=OFF -DSTOWAGE_BUILD_BENCH=OFF >/dev/null
cmake --build build/demo --target stowage_cli
cd build/demo
show() {
  printf '\n$ stowage %s\n' "$*"
  # Exit code 2 reports unplaced replicas, which the last plan demonstrates.
  capi/cli/stowage "$@" || (($? == 2))
}
show example --output cluster.json
show plan cluster.json --output plan.csv
show verify cluster.json plan.csv
show plan cluster.json --nodes 5 --output tight.csv
show explain cluster.json tight.csv
