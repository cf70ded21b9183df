#!/usr/bin/env bash
# Whether the command writes and reads the JSON of the C functions: `stowage convert` for instances and plans, `stowage session` for
# operations.
#
# Usage: command.sh WRITE_FACES STOWAGE FOLDER [FILE.stow]...    $STOWAGE_FACES: the number of random instances
set -euo pipefail

write_faces=$1
stowage=$2
folder=$3
shift 3
rm -rf "$folder"
"$write_faces" "$folder" "${STOWAGE_FACES:-25}" "$@"
cd "$folder"
made=$folder/made
mkdir "$made"
failures=0
same() { cmp "$1" "$2" || failures=$((failures + 1)); }
for back in *-back.stow; do
  [[ $back != *-plan-back.stow ]] || continue
  k=${back%-back.stow}
  "$stowage" convert "$k.stow" "$made/it.json" 2>"$made/log"
  same "$k.json" "$made/it.json"
  "$stowage" convert "$k.json" "$made/it.stow" 2>"$made/log"
  same "$back" "$made/it.stow"
  "$stowage" convert --instance "$k.stow" "$k-plan.stow" "$made/it.json"
  same "$k-plan.json" "$made/it.json"
  "$stowage" convert --instance "$k.stow" "$k-plan.json" "$made/it.stow"
  same "$k-plan-back.stow" "$made/it.stow"
  # A script has a command per line; all of them are one batch.
  operations=$(tr -d '\n' <"$k-operations.json")
  [[ $operations != "["* ]] || operations="{\"op\": \"batch\", \"operations\": $operations}"
  "$stowage" session "$k.stow" - -o "$made/it.stow" >"$made/log" <<<"$operations"
  same "$k-after.stow" "$made/it.stow"
done
cases=$(find . -maxdepth 1 -name '*-after.stow' | wc -l)
echo "faces: $cases instances, plans and lists of operations by the command, $failures files differ"
((failures == 0 && cases > 0))
