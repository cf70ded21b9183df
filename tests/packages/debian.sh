#!/usr/bin/env bash
# Makes the Debian source package, compares its files with the committed list, builds it with dpkg-buildpackage where the checkout
# cannot be seen, installs the packages into an empty root, runs the command and a program of C, and removes the packages again.
#
# Usage: debian.sh full
# shellcheck source=support.sh
. "$(dirname "$0")/support.sh"
command -v dpkg-buildpackage >/dev/null || { say "SKIPPED, there is no dpkg-buildpackage: the Debian packages"; exit 77; }

"$checkout/scripts/package.sh" debian "$work/source"
cd "$work"
dpkg-source --extract source/*.dsc tree >/dev/null
(cd tree && dpkg-checkbuilddeps) || { say "SKIPPED, build dependencies are missing: the Debian packages"; exit 77; }
cat >program.c <<'END'
#include <stdio.h>
#include <stowage.h>
int main(void) {
  puts(stowage_version());
  return 0;
}
END

# CMake finds the compiler cache by itself.
build() { (unset CXX; cd tree && dpkg-buildpackage --build=binary --no-sign >"$work/build.log" 2>&1) || { tail -50 build.log; fail "no packages"; }; }
packages() {
  local package
  for package in *.deb; do
    case $package in *-dbgsym_*) continue ;; esac
    dpkg-deb --contents "$package" | awk -v package="${package%%_*}" '!/\/$/ { print package, $6 }'
  done | sed "s/$(dpkg-architecture -qDEB_HOST_MULTIARCH)/TRIPLET/"
}
installed() {
  mkdir -p root/var/lib/dpkg/{updates,info,triggers}
  touch root/var/lib/dpkg/{status,available}
  # Dependencies such as the C library are those of the system.
  local dpkg=(dpkg --root="$work/root" --force-depends --force-not-root --log=/dev/null) libraries
  mapfile -t debs < <(ls ./*.deb | grep -v dbgsym)
  "${dpkg[@]}" --install "${debs[@]}" >install.log 2>&1 || { cat install.log; fail "the packages do not install"; }
  libraries=$work/root/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)
  export LD_LIBRARY_PATH=$libraries
  root/usr/bin/stowage example --output example.json
  root/usr/bin/stowage plan example.json --planner ff | grep -q '^Plan by ff'
  cc -Iroot/usr/include program.c -L"$libraries" -lstowage -o program
  ./program
  "${dpkg[@]}" --purge libstowage-dev stowage libstowage0 >install.log 2>&1 || { cat install.log; fail "the packages do not go"; }
  [[ -z $(find root ! -type d ! -path '*/var/lib/dpkg/*') ]] || fail "files stay behind: $(find root ! -type d)"
}
(
  # The build needs flatc and FlatBuffers.
  needs_flatbuffers=1
  hidden build
)
packages | contents debian
hidden installed
say "the Debian packages work"
