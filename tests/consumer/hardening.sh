#!/usr/bin/env bash
# Checks by readelf that the installed library and commands carry the protections of cmake/hardening.cmake.
# Usage: hardening.sh PREFIX
set -euo pipefail
failures=0
expect() { # FILE WHAT PATTERN READELF_OPTION...
  local file=$1 what=$2 pattern=$3
  shift 3
  if readelf -W "$@" "$file" 2>/dev/null | grep -E "$pattern" >/dev/null; then return; fi
  echo "$file: no $what" >&2
  failures=$((failures + 1))
}
for file in "$1"/lib*/libstowage*.so "$1"/bin/*; do
  expect "$file" "read-only relocations" 'GNU_RELRO' -l
  expect "$file" "binding at start" 'BIND_NOW|FLAGS.*NOW' -d
  expect "$file" "stack without execution" 'GNU_STACK +0x0+ 0x0+ 0x0+ 0x0+ 0x0+ RW ' -l
  expect "$file" "canary on the stack" '__stack_chk_fail' --dyn-syms
  expect "$file" "checked library call" '__[a-z]+_chk' --dyn-syms
  expect "$file" "random load address" 'Type: +DYN' -h
done
# The mark of the whole file needs a C runtime with marks too; those of the library's functions are in its code.
case $(uname -m) in
  x86_64) mark=endbr64 ;;
  aarch64) mark='bti|paciasp' ;;
  *) mark=. ;;
esac
objdump -d --disassemble=stowage_plan "$1"/lib*/libstowage.so | grep -E "$mark" >/dev/null || { echo "stowage_plan has no $mark" >&2; exit 1; }
((failures == 0))
