#!/usr/bin/env bash
# Checks that a program needs libstowage.so exactly if it is linked to the shared library.
# Usage: check-linkage.sh shared|static PROGRAM
set -euo pipefail
needs=static
if readelf -d "$2" | grep -q 'NEEDED.*\[libstowage\.so\.'; then needs=shared; fi
[[ $needs == "$1" ]] || { echo "$2 is linked $needs, not $1" >&2; exit 1; }
