#!/usr/bin/env bash
# Builds the consumers through find_package and runs them.
# Usage: find_package.sh shared|static PREFIX WORK_DIR DATA_DIR EXAMPLE.json, with CC, CXX and CMAKE in the environment
set -euo pipefail
kind=$1 prefix=$2 work=$3 data=$4 example=$5
source=$(dirname "$(readlink -f "$0")")/project

rm -rf "$work"
for language in C CXX; do
  "$CMAKE" -G Ninja -S "$source" -B "$work/$language" -DCMAKE_PREFIX_PATH="$prefix" -DCONSUMER_KIND="$kind" \
    -DCONSUMER_LANGUAGE="$language" >"$work-$language.log" 2>&1 || { cat "$work-$language.log" >&2; exit 1; }
  "$CMAKE" --build "$work/$language" >"$work-$language.log" 2>&1 || { cat "$work-$language.log" >&2; exit 1; }
  "$work/$language/consumer" "$data/small_instance.stow" "$data/ff_request.stowreq"
  "$(dirname "$0")/check-linkage.sh" "$kind" "$work/$language/consumer"
  if [[ $language == C && -e $prefix/include/stowage_text.h ]]; then
    "$work/C/text" "$example" "$data/ff_request.stowreq" | grep -q '"name": "old-1"'
    "$(dirname "$0")/check-linkage.sh" "$kind" "$work/C/text"
    "$work/C/k8s" | grep -q '^  pod default/web: 1 of 1 replicas'
    "$(dirname "$0")/check-linkage.sh" "$kind" "$work/C/k8s"
  fi
done
