#!/usr/bin/env bash
# Builds the consumers with the flags of pkg-config and runs them. The static ones are fully static, so that the linker cannot
# fall back on a shared library.
# Usage: pkg_config.sh shared|static PREFIX WORK_DIR DATA_DIR EXAMPLE.json, with CC, CXX and PKG_CONFIG in the environment
set -euo pipefail
kind=$1 prefix=$2 work=$3 data=$4 example=$5
source=$(dirname "$(readlink -f "$0")")/project

rm -rf "$work"
mkdir -p "$work"
libraries=$(dirname "$(ls "$prefix"/lib*/libstowage.so)")
export PKG_CONFIG_PATH=$libraries/pkgconfig
options=() link=(-Wl,-rpath,"$libraries")
[[ $kind == shared ]] || { options=(--static) link=(-static); }
read -ra compile_flags <<<"$("$PKG_CONFIG" "${options[@]}" --cflags stowage)"
read -ra link_flags <<<"$("$PKG_CONFIG" "${options[@]}" --libs stowage)"

"$CC" -std=c99 -Wall -Wextra -pedantic -Werror "${compile_flags[@]}" "$source/consumer.c" -o "$work/c" \
  "${link[@]}" "${link_flags[@]}"
"$CXX" -std=c++17 -Wall -Wextra -pedantic -Werror "${compile_flags[@]}" "$source/consumer.cpp" -o "$work/cpp" \
  "${link[@]}" "${link_flags[@]}"
for program in "$work/c" "$work/cpp"; do
  "$program" "$data/small_instance.stow" "$data/ff_request.stowreq"
  "$(dirname "$0")/check-linkage.sh" "$kind" "$program"
done
if [[ -e $libraries/pkgconfig/stowage-text.pc ]]; then
  read -ra text_flags <<<"$("$PKG_CONFIG" "${options[@]}" --cflags --libs stowage-text)"
  "$CC" -std=c99 -Wall -Wextra -pedantic -Werror "$source/text.c" -o "$work/text" "${link[@]}" "${text_flags[@]}"
  "$work/text" "$example" "$data/ff_request.stowreq" | grep -q '"name": "old-1"'
  "$(dirname "$0")/check-linkage.sh" "$kind" "$work/text"
  read -ra k8s_flags <<<"$("$PKG_CONFIG" "${options[@]}" --cflags --libs stowage-k8s)"
  "$CC" -std=c99 -Wall -Wextra -pedantic -Werror "$source/k8s.c" -o "$work/k8s" "${link[@]}" "${k8s_flags[@]}"
  "$work/k8s" | grep -q '^  pod default/web: 1 of 1 replicas'
  "$(dirname "$0")/check-linkage.sh" "$kind" "$work/k8s"
fi
[[ -f $("$PKG_CONFIG" --variable=schemadir stowage)/instance.fbs ]] || { echo "schemadir does not hold the schemas" >&2; exit 1; }
