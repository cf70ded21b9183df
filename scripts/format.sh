#!/usr/bin/env bash
# Checks that every C and C++ file of the work tree, tracked or new, is formatted according to .clang-format.
#
# Usage: scripts/format.sh [--fix]
set -euo pipefail
cd "$(dirname "$0")/.."

mapfile -d '' files < <(git ls-files -z --cached --others --exclude-standard -- '*.c' '*.h' '*.cpp' '*.hpp' '*.inl' |
  xargs -0 -r sh -c 'for file; do [ -e "$file" ] && printf "%s\0" "$file"; done' sh)
((${#files[@]})) || { echo "format: no files" >&2; exit 1; }
if [[ ${1:-} == --fix ]]; then
  clang-format -i "${files[@]}"
else
  clang-format --dry-run --Werror "${files[@]}"
  echo "format: ${#files[@]} files are as they should be"
fi
