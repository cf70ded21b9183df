#!/usr/bin/env bash
# Runs the commands in the README's console block and compares their output with the README. Lines with times are left out. Plans
# get a work limit, so that their output does not depend on the speed of the machine or on sanitizers.
# Usage: readme_output.sh STOWAGE SOURCE_DIR WORK_DIR
set -euo pipefail
stowage=$1 source=$2 work=$3

rm -rf "$work"
mkdir -p "$work"
cd "$work"
sed -n '/^```console$/,/^```$/{//!p}' "$source/README.md" >shown
[[ -s shown ]] || { echo "README.md shows no console" >&2; exit 1; }
while read -r dollar name arguments; do
  [[ $dollar == '$' ]] || continue
  printf '$ %s %s\n' "$name" "$arguments"
  [[ $name == stowage ]] || { echo "README.md runs $name" >&2; exit 1; }
  # Exit code 2: something is unplaced.
  read -ra words <<<"$arguments"
  [[ ${words[0]} != plan ]] || words+=(--work 10000000 --option pace=10000000)
  "$stowage" "${words[@]}" 2>&1 || (($? == 2))
done <shown >printed
diff <(grep -v -e "^Read in " -e "^$" shown) <(grep -v -e "^Read in " -e "^$" printed)
