# Sourced by the tests of single packages. They work in a folder outside of the checkout.
set -euo pipefail
checkout=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
# Packages that compile the same source share its objects.
if command -v ccache >/dev/null; then
  export CXX="ccache ${CXX:-c++}" CCACHE_BASEDIR=$work CCACHE_NOHASHDIR=1
fi
say() { echo "packages: $*"; }
fail() { say "$*" >&2; exit 1; }

# Compares the files of a package, one a line, with the list that is committed. The list is updated by `UPDATE=1`.
contents() { # NAME <FILES
  local list=$checkout/tests/packages/contents/$1.txt
  LC_ALL=C sort >"$work/contents"
  [[ -z ${UPDATE:-} ]] || cp "$work/contents" "$list"
  diff "$list" "$work/contents" || fail "the files of $1 are not those of $list"
}

# Prints the first code block of a language in a README of the bindings.
block() { sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/{//!p;/^\`\`\`\$/q}" "$2"; }

# Runs a shell function where neither the checkout nor flatc nor the headers of FlatBuffers can be seen; with needs_flatbuffers=1, only
# the checkout is hidden. Where the system does not admit namespaces of mounts, it runs as it is.
hidden() { # FUNCTION ARGUMENT...
  local namespace=(unshare --map-root-user --mount)
  "${namespace[@]}" true 2>/dev/null || { say "NOTHING IS HIDDEN, there is no unshare" >&2; namespace=(env); }
  {
    declare -p work
    declare -f
    printf 'set -euo pipefail\n'
    [[ ${namespace[0]} == env ]] || printf '%s\n' "mount -t tmpfs none '$checkout'" \
      "[[ -z \$(ls -A '$checkout') ]] || fail 'the checkout can be seen'"
    [[ ${namespace[0]} == env || -n ${needs_flatbuffers:-} ]] || printf '%s\n' \
      'if [[ -d /usr/include/flatbuffers ]]; then mount -t tmpfs none /usr/include/flatbuffers; fi' \
      'if command -v flatc >/dev/null; then mount --bind /dev/null "$(command -v flatc)"; fi'
    printf 'cd "$work"\n'
    printf '%q ' "$@"
  } >"$work/hidden.sh"
  (cd "$work" && "${namespace[@]}" bash hidden.sh)
}

# Compares what a README's program printed with the README.
printed() { # README
  block text "$1" | diff - "$work/printed" || fail "the program of $1 prints something else"
}
