#!/usr/bin/env bash
# Makes the packages that are handed out, from this checkout, without a network (docs/contribute/packaging.md).
#
# Usage: scripts/package.sh NAME [FOLDER]    FOLDER: empty or new; default build/packages/NAME, which is replaced
#   source  the library as a few C++ files (docs/cookbook/vendor.md), with a build for CMake, and the schemas
#   rust    the crates stowage-planner-sys and stowage-planner, and the workspace that `cargo publish --workspace` takes
#   go      the tree of the Go module
#   java    a Maven repository: jars of classes, library, sources and Javadoc. Needs JAVA_HOME and the release build; may ask Maven
#           Central for plugins
#   npm     the tarball of the npm package. Needs Emscripten and Node.js; may ask the npm registry for what builds it
#           STOWAGE_WASM: a folder with the modules, built already
#   python  the source distribution, for pip. Needs what scripts/setup.sh packages installs
#   conan   a recipe of Conan with the source, for `conan create FOLDER`
#   vcpkg   a port with the source, for `vcpkg install stowage --overlay-ports=FOLDER`
#   debian  the Debian source package, for dpkg-buildpackage. Needs dpkg-dev
#   krew    the kubectl plugin for the platform of this machine, and krew's manifest with the checksums of all archives. Needs Go and
#           the release build; may ask the Go module proxy
#           STOWAGE_ARCHIVES: a folder with the archives that other machines have made of the same version
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD

project_version() { sed -n 's/^project(stowage VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt"; }

make_source() {
  scripts/amalgamate.py "$1"
  cp packaging/source/CMakeLists.txt "$1"
  mkdir "$1/schema"
  cp capi/schema/*.fbs "$1/schema"
}

# Copies the files of a folder that git knows, or would add.
copy() { # FROM TO PATHSPEC...
  (cd "$1" && git ls-files -z --cached --others --exclude-standard -- "${@:3}" | tar -c --null --no-recursion -T -) |
    tar -x -C "$2"
}
# The parts of the library, for packages that compile them.
parts() { # FOLDER [--text]
  local work
  work=$(mktemp -d)
  scripts/amalgamate.py "$work" "${@:2}"
  cp "$work"/stowage-?.cpp "$work/stowage-internal.h" "$work/stowage.h" "$1"
  [[ $# == 1 ]] || cp -r "$work/stowage-text.cpp" "$work/stowage_text.h" "$work/stowage.hpp" "$work/nlohmann" "$1"
  rm -r "$work"
}

make_rust() {
  copy bindings/rust "$1" . ':!*/tests/*'
  mkdir "$1/stowage-sys/source"
  parts "$1/stowage-sys/source"
  for crate in stowage-sys stowage; do cp LICENSE "$1/$crate/"; done
  # Verification compiles everything again; `cargo package --workspace` in the folder does it.
  (cd "$1" && cargo package --workspace --offline --no-verify --allow-dirty --quiet --target-dir "$1/target")
  mv "$1"/target/package/*.crate "$1"
  rm -r "$1/target"
}

# A Go module is what its tag holds, so that the tag's tree is this one, and not the checkout's.
make_go() {
  copy bindings/go "$1" . ':!stowage-k8s' ':!*_test.go'
  cp LICENSE "$1"
  local part capi=$1/internal/capi
  rm "$capi/link_checkout.go"
  cp packaging/go/link_source.go "$capi"
  # The source of stowage_text is not in the module.
  cp packaging/go/link_text.go "$1/internal/text/link_source.go"
  rm "$1/internal/text/link_checkout.go"
  parts "$capi"
  cmp "$capi/stowage.h" bindings/go/internal/capi/stowage.h
  for part in "$capi"/*.cpp; do
    printf '//go:build !stowage_system\n\n' | cat - "$part" >"$part.new"
    mv "$part.new" "$part"
  done
}

make_java() {
  (cd bindings/java && mvn -q -B -Prelease -DskipTests -pl stowage -am deploy "-DaltDeploymentRepository=packages::file://$1") >&2
}

make_npm() {
  if [[ -z ${STOWAGE_WASM:-} ]]; then
    cmake --preset wasm >/dev/null
    cmake --build --preset wasm >&2
  fi
  cd wasm
  [[ node_modules/.package-lock.json -nt package-lock.json ]] || npm ci --prefer-offline --no-audit --no-fund --loglevel=error >&2
  npm pack --loglevel=error --pack-destination "$1" >&2
}

make_krew() {
  local system machine archive name options=() work
  work=$(mktemp -d)
  system=$(go env GOOS)
  machine=$(go env GOARCH)
  # On Linux, the binary needs no library of the system, so that one serves all distributions.
  [[ $system != linux ]] || options=(-tags netgo,osusergo -ldflags '-s -w -linkmode external -extldflags -static')
  (cd bindings/go/stowage-k8s && go build -trimpath -buildvcs=false "${options[@]}" -o "$work/kubectl-stowage" .)
  cp LICENSE "$work"
  tar -c --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -C "$work" LICENSE kubectl-stowage |
    gzip -n >"$1/kubectl-stowage-$system-$machine.tar.gz"
  rm -r "$work"
  for archive in "${STOWAGE_ARCHIVES:-/nowhere}"/kubectl-stowage-*-*.tar.gz; do
    [[ ! -e $archive || -e $1/${archive##*/} ]] || cp "$archive" "$1"
  done
  {
    sed "s/VERSION/$(project_version)/" packaging/krew/stowage.yaml
    for archive in "$1"/*.tar.gz; do
      name=${archive##*/kubectl-stowage-}
      name=${name%.tar.gz}
      cat <<END
    - selector:
        matchLabels: {os: ${name%-*}, arch: ${name#*-}}
      uri: https://stowage.dev/releases/v$(project_version)/${archive##*/}
      sha256: "$(sha256sum "$archive" | cut -d ' ' -f 1)"
      bin: kubectl-stowage
      files:
        - {from: kubectl-stowage, to: .}
        - {from: LICENSE, to: .}
END
    done
  } >"$1/stowage.yaml"
}

make_python() {
  local tree=$1/tree
  mkdir "$tree" "$tree/source"
  copy bindings/python "$tree" . ':!tests' ':!docs' ':!benchmarks' ':!requirements*.txt'
  cp LICENSE "$tree"
  # In the checkout, what is built goes to its folder build.
  sed -i '/^build-dir = /d' "$tree/pyproject.toml"
  parts "$tree/source" --text
  cp packaging/source/CMakeLists.txt "$tree/source"
  build/wheel-tools/bin/python -m build --sdist --no-isolation --outdir "$1" "$tree" >&2
  rm -r "$tree"
}

make_debian() {
  local version tree
  version=$(project_version)
  tree=$1/stowage-$version
  mkdir "$tree"
  copy . "$tree" core capi cmake CMakeLists.txt CMakePresets.json LICENSE README.md CHANGELOG.md
  tar -czf "$1/stowage_$version.orig.tar.gz" --sort=name --owner=0 --group=0 --numeric-owner -C "$1" "stowage-$version"
  cp -r packaging/debian "$tree"
  (cd "$1" && dpkg-source --build "stowage-$version" >&2)
  rm -r "$tree"
}

make_conan() {
  make_source "$1"
  cp -r packaging/conan/. "$1"
}

make_vcpkg() {
  mkdir "$1/stowage" "$1/stowage/source"
  make_source "$1/stowage/source"
  cp packaging/vcpkg/* "$1/stowage"
}

name=${1:-}
declare -F "make_$name" >/dev/null || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
folder=${2:-build/packages/$name}
[[ $# -gt 1 ]] || rm -rf "$folder"
mkdir -p "$folder"
folder=$(realpath "$folder")
[[ -z $(ls -A "$folder") ]] || { echo "package: $folder is not empty" >&2; exit 2; }
"make_$name" "$folder"
