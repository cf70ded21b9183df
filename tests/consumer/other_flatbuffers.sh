#!/usr/bin/env bash
# Links the static library into a program with another FlatBuffers: the same headers with larger classes, so that code of the
# library that ran on objects of the program, or the other way round, would break. Without optimization every function of these
# headers is a weak symbol.
# Usage: other_flatbuffers.sh PREFIX WORK_DIR DATA_DIR FLATC, with CXX and PKG_CONFIG in the environment
set -euo pipefail
prefix=$1 work=$2 data=$3 flatc=$4
source=$(dirname "$(readlink -f "$0")")/project

rm -rf "$work"
mkdir -p "$work/include/flatbuffers"
headers=$("$CXX" -E -M -x c++ - <<<'#include <flatbuffers/flatbuffers.h>' | tr ' ' '\n' | grep 'flatbuffers/flatbuffers.h$')
cp "$(dirname "$headers")"/*.h "$work/include/flatbuffers"
sed -i 's/^class Verifier FLATBUFFERS_FINAL_CLASS {/&\n  uint64_t of_another_version_[64] = {};\n/' "$work/include/flatbuffers/verifier.h"
sed -i 's/^class FlatBufferBuilder {/&\n  uint64_t of_another_version_[64] = {};\n/' "$work/include/flatbuffers/flatbuffer_builder.h"
for header in verifier flatbuffer_builder; do
  grep -q of_another_version_ "$work/include/flatbuffers/$header.h" || { echo "$header.h is not changed" >&2; exit 1; }
done
"$flatc" --cpp --scoped-enums -o "$work/include" "$prefix"/share/stowage/schema/instance.fbs

libraries=$(dirname "$(ls "$prefix"/lib*/libstowage.a)")
if nm -C --defined-only "$libraries"/libstowage*.a | grep -E ' [WVu] .*\b(flatbuffers|stowage::wire)::' | head -5 | grep .; then
  echo "a static library defines these weak symbols of FlatBuffers" >&2
  exit 1
fi
export PKG_CONFIG_PATH=$libraries/pkgconfig
read -ra flags <<<"$("$PKG_CONFIG" --static --cflags --libs stowage)"
"$CXX" -std=c++17 -O0 -Wall -Wextra -I"$work/include" "$source/other_flatbuffers.cpp" -o "$work/program" -static "${flags[@]}"
"$work/program" "$data/ff_request.stowreq"
