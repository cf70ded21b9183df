#!/usr/bin/env bash
# Tests what is handed out as source: the amalgamation (docs/how-to-vendor.md). Needs gcc; --nightly also needs clang.
#
# Usage: scripts/test-packages.sh [--nightly]    --nightly: with gcc and with clang, both at -O2
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/build-release.sh stowage_test_data conformance_test
if [[ ${1:-} != --nightly ]]; then
  exec ctest --preset release -L packages
fi
objects=$(find build/release/tests/conformance -name '*.o')
for compilers in "gcc g++" "clang clang++"; do
  read -r CC CXX <<<"$compilers"
  export CC CXX
  # shellcheck disable=SC2086  # one word per object
  tests/packages/amalgamation.sh parts "$PWD" "build/packages/$CXX" "$PWD/build/release/tests/data" -O2 \
    $(realpath $objects) -lgtest_main -lgtest
done
