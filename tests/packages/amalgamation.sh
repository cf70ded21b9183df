#!/usr/bin/env bash
# Writes the amalgamation, compiles it in a folder of its own without warnings and without include paths, and runs on it the
# test of the C functions and the conformance set, whose expected plans are those of the library.
#
# Usage: CC=... CXX=... amalgamation.sh one|parts SOURCE_DIR FOLDER DATA_DIR LEVEL OBJECT...
# The library is compiled as one unit or in parts. DATA_DIR holds the inputs of tests/capi; LEVEL is an option such as -O2; the
# objects make up the conformance test.
set -euo pipefail
units=$1 source=$2 folder=$3 data=$4 level=$5
shift 5
read -ra cxx <<<"$CXX"

rm -rf "$folder"
"$source/scripts/amalgamate.py" "$folder"
cd "$folder"
size=$(cat ./* | wc -c)
echo "amalgamation: $size bytes"
((size < 3300000)) || { echo "amalgamation: not below 3.3 MB" >&2; exit 1; }

sources=(stowage.cpp)
[[ $units == one ]] || sources=(stowage-?.cpp)
for file in "${sources[@]}"; do
  "${cxx[@]}" -std=c++20 "$level" -Wall -Wextra -Werror -c "$file"
done
library=("${sources[@]/%.cpp/.o}")
"$CC" -std=c99 -Wall -Wextra -Werror -I. -I"$source" -c "$source/tests/capi/c_api_test.c"
"${cxx[@]}" c_api_test.o "${library[@]}" -pthread -o c_api_test
./c_api_test "$data"
"${cxx[@]}" "$@" "${library[@]}" -pthread -o conformance_test
./conformance_test --gtest_brief=1
