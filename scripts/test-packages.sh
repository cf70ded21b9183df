#!/usr/bin/env bash
# Tests what is handed out (docs/contribute/packaging.md): the amalgamation and the packages made from it. Each package's README program runs in
# an empty folder where the checkout cannot be seen. Packages whose tools are missing are skipped with a message.
#
# Usage: scripts/test-packages.sh [--nightly [NAME...]]
#   default    the tests that ctest runs too, label packages: the library is compiled once, without optimization
#   --nightly  what compiles the library again, minutes each: amalgamation (parts at -O2 with gcc and with clang), rust, go,
#              python, debian, conan and krew; and java, which makes Javadoc, and npm, which makes the WebAssembly module
#              NAME: some of these; default: all
set -euo pipefail
cd "$(dirname "$0")/.."

amalgamation() {
  scripts/build-release.sh stowage_test_data conformance_test
  local objects compilers
  mapfile -t objects < <(find build/release/tests/conformance -name '*.o' -exec realpath {} +)
  for compilers in "gcc g++" "clang clang++"; do
    (
      read -r CC CXX <<<"$compilers"
      export CC CXX
      tests/packages/amalgamation.sh parts "$PWD" "build/packages/$CXX" "$PWD/build/release/tests/data" -O2 "${objects[@]}" \
        -lgtest_main -lgtest
    )
  done
}
rust() { full rust; }
go() { full go; }
debian() { full debian; }
conan() { full conan; }
krew() { scripts/build-release.sh stowage_static && full krew; }
npm() { full npm; }
python() { full python; }
java() { scripts/build-release.sh stowage_shared && full java; }
full() {
  local code=0
  "tests/packages/$1.sh" full || code=$?
  # 77: skipped with a message.
  ((code == 0 || code == 77)) || exit "$code"
}

if [[ ${1:-} != --nightly ]]; then
  scripts/build-release.sh
  exec ctest --preset release -L packages
fi
shift
# Where packages cannot be installed, the tests that need them are skipped with a message.
scripts/setup.sh packages || true
names=("$@")
(($#)) || names=(amalgamation rust go java npm python debian conan krew)
for name in "${names[@]}"; do
  [[ $name =~ ^(amalgamation|rust|go|java|npm|python|debian|conan|krew)$ ]] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
  "$name"
done
