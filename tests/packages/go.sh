#!/usr/bin/env bash
# Packs the Go module as the module proxy does, compares its files with the committed list, and runs the README's program in a
# folder of its own by `go get`.
#
# Usage: go.sh quick PREFIX | full
#   quick   links the library that is installed below PREFIX, by the tag stowage_system
#   full    compiles the packed source; also from `go mod vendor`
# shellcheck source=support.sh
. "$(dirname "$0")/support.sh"
command -v go >/dev/null || { say "SKIPPED, there is no go: the Go module"; exit 77; }
mode=$1
version=v$(sed -n 's/^project(stowage VERSION \([0-9.]*\).*/\1/p' "$checkout/CMakeLists.txt")

module=$work/proxy/stowage.dev/go/@v
mkdir -p "$module"
"$checkout/scripts/package.sh" go "$work/tree"
(cd "$work/tree" && find . -type f | cut -c 3-) | grep -v '^wire/' | contents go-module
cp "$work/tree/go.mod" "$module/$version.mod"
echo "{\"Version\": \"$version\"}" >"$module/$version.info"
echo "$version" >"$module/list"
python3 - "$work/tree" "$module/$version.zip" "stowage.dev/go@$version" <<'END'
import pathlib, sys, zipfile
tree = pathlib.Path(sys.argv[1])
with zipfile.ZipFile(sys.argv[2], "w", zipfile.ZIP_DEFLATED) as packed:
    for file in sorted(tree.rglob("*")):
        if file.is_file():
            packed.write(file, f"{sys.argv[3]}/{file.relative_to(tree)}")
END
cp "$checkout/bindings/go/README.md" "$work"

(cd "$work/tree" && go mod download) || { say "SKIPPED, the dependencies cannot be fetched: the Go module"; exit 77; }
# Modules come from the packed one and from what go has fetched before.
fetched=$(go env GOMODCACHE)/cache/download
export GOFLAGS=-modcacherw GOTOOLCHAIN=local GONOSUMDB='*' GOMODCACHE=$work/modules GOPROXY=file://$work/proxy,file://$fetched
[[ ! $mode == full ]] || export GOCACHE=$work/cache

program() {
  mkdir "$mode"
  cd "$mode"
  go mod init first
  block go "$work/README.md" >main.go
  go get "stowage.dev/go@$version"
  go build "$@"
  ./first >"$work/printed"
}
vendored() {
  mode=vendored
  mkdir vendored
  cd vendored
  cp ../full/* . 2>/dev/null || true
  rm first
  go mod vendor
  # Nothing but the folder is left.
  rm -rf "$GOMODCACHE/stowage.dev"
  go build -mod=vendor
  ./first >"$work/printed"
}
export mode version
if [[ $mode == quick ]]; then
  cp -r "$2" "$work/prefix"
  PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name stowage.pc)") LD_LIBRARY_PATH=$(dirname "$(find "$work/prefix" -name libstowage.so)")
  export PKG_CONFIG_PATH LD_LIBRARY_PATH
  hidden program -tags stowage_system
else
  hidden program
  printed "$work/README.md"
  hidden vendored
fi
printed "$work/README.md"
say "the Go module works"
