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
# Slow builds may reach the deadline before they find a plan of 6 nodes.
head -1 "$work/printed" | grep -Eqx '[67] nodes, at least 6 by the bound capacity' || { head -1 "$work/printed"; exit 1; }
grep -q '^old-1:.* 1 database' "$work/printed" || { cat "$work/printed"; exit 1; }

# Without names, and with a replica that has no place.
cat >"$work/nameless.json" <<'END'
{"stowage": 1, "resources": {"cpu": "cores"}, "classes": [{"capacity": {"cpu": 4}, "count": 2}], "nodes": [{"class": "#0"}],
 "apps": [{"replicas": 3, "demand": {"cpu": 3}}]}
END
"$work/program" "$work/nameless.json" >"$work/printed"
diff <(printf '%s\n' 'node 0: 1 app 0' 'class 0: 1 app 0') <(sed -n 2,3p "$work/printed")
# Exit code 2 would mean that replicas are unplaced.
"$command" explain "$work/nameless.json" >"$work/explained"
grep -q 'to place one more' "$work/explained"
diff "$work/explained" <(tail -n +4 "$work/printed")

# A file that fills the buffer is not read in part.
head -c 1048576 /dev/zero | tr '\0' ' ' >"$work/large.json"
! "$work/program" "$work/large.json" || exit 1
