#!/usr/bin/env bash
# Makes the recipe of Conan with its source, compares its files with the committed list, and has Conan build the package and the
# program in test_package where the checkout cannot be seen.
#
# Usage: conan.sh full
# shellcheck source=support.sh
. "$(dirname "$0")/support.sh"
conan=$checkout/build/conan/bin/conan
[[ -x $conan ]] || { say "SKIPPED, scripts/setup.sh packages made no build/conan: the recipe of Conan"; exit 77; }

"$checkout/scripts/package.sh" conan "$work/recipe"
(cd "$work/recipe" && find . -type f | cut -c 3-) | contents conan
# The checkout is hidden, and Conan with it.
cp -r "$checkout/build/conan" "$work/conan"
export CONAN_HOME=$work/home
create() {
  # CMake finds the compiler itself.
  unset CXX
  local conan=(conan/bin/python -m conans.conan)
  "${conan[@]}" profile detect
  "${conan[@]}" create recipe --settings compiler.cppstd=20
}
hidden create >"$work/log" 2>&1 || { tail -50 "$work/log"; fail "conan create"; }
grep -q '^stowage .*: a catalogue of [0-9]* bytes' "$work/log" || fail "the program of test_package did not run"
say "the recipe of Conan works"
