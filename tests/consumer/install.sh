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
same include stowage.h stowage.hpp
mapfile -t schemas < <(find "$source/capi/schema" -name '*.fbs' -printf '%f\n')
same share/stowage/schema "${schemas[@]}"
for library in "$prefix"/lib*/libstowage.so "$prefix"/lib*/libstowage.a; do
  [[ -e $library ]] || { echo "$library is missing" >&2; exit 1; }
done
# Where the commands are built, both are installed.
if [[ -e $build/capi/cli/stowage ]]; then
  for command in stowage stowage-lab; do
    "$prefix/bin/$command" --version >/dev/null || { echo "bin/$command does not run" >&2; exit 1; }
  done
fi
readelf -d "$prefix"/lib*/libstowage.so | grep -q 'SONAME.*\[libstowage\.so\.[0-9]*\]' || { echo "no SONAME" >&2; exit 1; }
