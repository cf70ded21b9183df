#!/usr/bin/env bash
# Compiles the program that docs/reference/abi.md shows, links it with the shared libraries and runs it. What it says of unplaced replicas is
# what the command says.
# Usage: abi_example.sh CC SOURCE_DIR WORK_DIR LIBRARY TEXT_LIBRARY COMMAND
set -euo pipefail
cc=$1 source=$2 work=$3 library=$4 text_library=$5 command=$6

rm -rf "$work"
mkdir -p "$work"
sed -n '/^```c$/,/^```$/{//!p}' "$source/docs/reference/abi.md" >"$work/program.c"
"$cc" -std=c99 -Wall -Wextra -pedantic -Werror -I"$source/capi/include" "$work/program.c" -o "$work/program" \
  "$text_library" "$library" -Wl,-rpath,"$(dirname "$library"):$(dirname "$text_library")"
"$work/program" "$source/capi/cli/examples/shop.json" >"$work/printed"
head -1 "$work/printed" | grep -qx '5 nodes, at least 6 by the bound capacity' || { head -1 "$work/printed"; exit 1; }
grep -q '^old-1:.* 1 database' "$work/printed" || { cat "$work/printed"; exit 1; }
# Exit code 2 would mean that replicas are unplaced.
"$command" explain "$source/capi/cli/examples/shop.json" --planner ff --nodes 5 >"$work/explained"
grep -q 'what would help' "$work/explained"
diff "$work/explained" <(tail -n "$(wc -l <"$work/explained")" "$work/printed")
[[ $(wc -l <"$work/printed") == $(($(wc -l <"$work/explained") + 6)) ]]
