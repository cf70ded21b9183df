#!/usr/bin/env bash
# Random instances against references until the time is over (docs/contribute/reliability.md): six tenths of it in a build with the
# assertions of the library and of the standard library, two tenths under ThreadSanitizer, and two tenths native against the
# WebAssembly module. Goes on from its record, tests/soak/record.tsv: a run takes the next seed, and appends its counts.
#
# Usage: scripts/soak.sh [HOURS | --nightly] [--seed S] [--only-native]
#   HOURS          default .17, ten minutes; --nightly: 10
#   --seed         default: the one after the largest in the record
#   --only-native  all of the time in the build with assertions
# Findings are printed with the command that repeats them; their instances are written to build/soak-found.
set -euo pipefail
cd "$(dirname "$0")/.."

record=tests/soak/record.tsv
hours=.17
seed=$(($(cut -f 3 "$record" | sort -n | tail -n 1) + 1))
native_share=.6
while (($#)); do
  case $1 in
    --seed) seed=${2:?--seed needs a number}; shift 2 ;;
    --nightly) hours=10; shift ;;
    --only-native) native_share=1; shift ;;
    *) hours=$1; shift ;;
  esac
done
[[ $hours =~ ^([0-9]+\.?[0-9]*|\.[0-9]+)$ && $seed =~ ^[0-9]+$ ]] || { sed -n '2,/^$/s/^# //p' "$0" >&2; exit 2; }

files=build/soak-found
mkdir -p "$files"
part() { awk -v hours="$hours" -v share="$1" 'BEGIN { print hours * share }'; }
failures=0

echo "soak: seed $seed, $hours h"
cmake --preset soak >/dev/null
cmake --build --preset soak >/dev/null
build/soak/tests/soak/soak --hours "$(part "$native_share")" --seed "$seed" --files "$files" --record "$record" \
  --build assertions || failures=1

if [[ $native_share != 1 ]]; then
  # Exact search and the comparison of planners run on one thread, where the sanitizer has nothing to look for.
  cmake --preset tsan >/dev/null
  cmake --build --preset tsan --target soak >/dev/null
  build/tsan/tests/soak/soak --hours "$(part .2)" --seed "$seed" --files "$files" --record "$record" --build threads \
    --only sessions,parallel,overruns,allocation || failures=1

  # The module plans the same instances. A case takes a few seconds on both sides together.
  cases=$(awk -v hours="$(part .2)" 'BEGIN { print int(hours * 3600 / 2) + 1 }')
  folder=$PWD/$files/wasm
  rm -rf "$folder"
  mkdir -p "$folder"
  build/soak/tests/soak/soak --wasm "$folder" --seed "$seed" --cases "$cases"
  STOWAGE_SOAK=$folder scripts/test-wasm.sh soak || failures=1
fi

scripts/update-reliability.py
((failures == 0)) || { echo "soak: something was found" >&2; exit 1; }
echo "soak: nothing was found"
