#!/usr/bin/env bash
# Installs a build into an empty prefix and checks that exactly the promised headers and schemas are there, and the commands.
# Usage: install.sh CMAKE BUILD_DIR SOURCE_DIR PREFIX
set -euo pipefail
cmake=$1 build=$2 source=$3 prefix=$4

rm -rf "$prefix"
"$cmake" --install "$build" --prefix "$prefix" >/dev/null

same() {
  if ! diff <(printf '%s\n' "${@:2}" | sort) <(cd "$prefix/$1" && find . -type f -printf '%P\n' | sort); then
    echo "$1: not what it should hold (< promised, > installed)" >&2
    exit 1
  fi
}
headers=(stowage.h stowage.hpp stowage_wire.h)
libraries=(libstowage)
# Two libraries are optional.
if [[ -e $build/capi/text/libstowage_text.a ]]; then
  headers+=(stowage_text.h stowage_k8s.h)
  libraries+=(libstowage_text libstowage_k8s)
fi
same include "${headers[@]}"
mapfile -t schemas < <(find "$source/capi/schema" -name '*.fbs' -printf '%f\n')
same share/stowage/schema "${schemas[@]}"
for library in "${libraries[@]}"; do
  for file in "$prefix"/lib*/"$library".so "$prefix"/lib*/"$library".a; do
    [[ -e $file ]] || { echo "$file is missing" >&2; exit 1; }
  done
  readelf -d "$prefix"/lib*/"$library".so | grep -q "SONAME.*\[$library\.so\.[0-9]*\]" || { echo "$library: no SONAME" >&2; exit 1; }
done
# Where the commands are built, both are installed.
if [[ -e $build/capi/cli/stowage ]]; then
  for command in stowage stowage-lab; do
    "$prefix/bin/$command" --version >/dev/null || { echo "bin/$command does not run" >&2; exit 1; }
  done
fi
