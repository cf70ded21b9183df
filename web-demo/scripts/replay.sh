#!/usr/bin/env bash
# Writes what the command `stowage replay` says of the traces that test/replay.test.mjs replays in the page.
#
# Usage: scripts/replay.sh STOWAGE
set -euo pipefail
stowage=$(realpath "$1")
cd "$(dirname "$0")/../test/replay"
docs=../../../docs/replay

# The example that the page begins with: the first 60 arrivals of the week.
few() {
  head -1 "$docs/week.csv"
  tail -n +2 "$docs/week.csv" | sort -s -t, -k2,2n | head -60
}
# replay NAME CLUSTER OPTION...: a trace on standard input. Exit code 2 says that some replicas did not run.
replay() {
  "$stowage" replay "$2" - --csv "$1.plans.csv" --summary json "${@:3}" >"$1.summary.json" || [[ $? == 2 ]]
}
few | replay few-auto "$docs/cluster.json" --interval 15m --moves 4
few | replay few-bf "$docs/cluster.json" --interval 2h --planner bf
replay small-auto small.json --interval 15m <small.csv
