#!/usr/bin/env bash
# Compiles the C code that the README shows, and follows its links and those of docs/.
# Usage: readme.sh CC SOURCE_DIR
set -euo pipefail
cc=$1
cd "$2"

code=$(sed -n '/^```c$/,/^```$/{//!p}' README.md)
[[ -n $code ]] || { echo "README.md shows no C code" >&2; exit 1; }
"$cc" -x c -std=c99 -Wall -Wextra -pedantic -Werror -Icapi/include -fsyntax-only - <<<"$code"

broken=0
for page in *.md docs/*.md docs/*/*.md; do
  while read -r link; do
    target=${link%%#*}
    [[ -z $target || $target == http* || -e $(dirname "$page")/$target ]] || { echo "$page: no $target" >&2; broken=1; }
  done < <(grep -o '](\([^)]*\))' "$page" | sed 's/^](//; s/)$//')
done
exit $broken
