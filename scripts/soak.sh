#!/usr/bin/env bash
# Random instances against references until the time is over (docs/reliability.md): six tenths of it in the release build, two
# tenths under ThreadSanitizer, and two tenths native against the WebAssembly module.
#
# Usage: scripts/soak.sh [HOURS] [--seed S]    HOURS: default .17, ten minutes; S: default the day, such as 20250131
# Findings are printed with the command that repeats them; their instances are written to build/soak.
set -euo pipefail
cd "$(dirname "$0")/.."

hours=.17
seed=$(date -u +%Y%m%d)
while (($#)); do
  case $1 in
    --seed) seed=${2:?--seed needs a number}; shift 2 ;;
    *) hours=$1; shift ;;
  esac
done
[[ $hours =~ ^([0-9]+\.?[0-9]*|\.[0-9]+)$ && $seed =~ ^[0-9]+$ ]] || { sed -n '2,/^$/s/^# //p' "$0" >&2; exit 2; }

files=build/soak
mkdir -p "$files"
part() { awk -v hours="$hours" -v share="$1" 'BEGIN { print hours * share }'; }
failures=0

echo "soak: seed $seed, $hours h"
scripts/build-release.sh soak
build/release/tests/soak/soak --hours "$(part .6)" --seed "$seed" --files "$files" || failures=1

# What the sanitizer looks for needs several threads or is the same code under it; exact search and failing memory do not gain.
cmake --preset tsan >/dev/null
cmake --build --preset tsan --target soak >/dev/null
build/tsan/tests/soak/soak --hours "$(part .2)" --seed "$seed" --files "$files" --only agreement,sessions,parallel,overruns,allocation ||
  failures=1

# The module plans the same instances. A case takes a few seconds on both sides together.
cases=$(awk -v hours="$(part .2)" 'BEGIN { print int(hours * 3600 / 2) + 1 }')
folder=$PWD/$files/wasm
rm -rf "$folder"
mkdir -p "$folder"
build/release/tests/soak/soak --wasm "$folder" --seed "$seed" --cases "$cases"
STOWAGE_SOAK=$folder scripts/test-wasm.sh soak || failures=1

((failures == 0)) || { echo "soak: something was found" >&2; exit 1; }
echo "soak: nothing was found"
