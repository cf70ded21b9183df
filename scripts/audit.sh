#!/usr/bin/env bash
# Asks whether an advisory names a version that this project depends on: first the list of this repository
# (scripts/check-dependencies.py), then each ecosystem's tool with its database. A tool that is missing, or whose database cannot
# be reached, is skipped by name.
#
# Usage: scripts/audit.sh
set -uo pipefail
cd "$(dirname "$0")/.."

found=0
skipped=()
tools=$PWD/build/audit
mkdir -p "$tools"

scripts/check-dependencies.py && echo "audit: licences and the list of advisories: ok" || found=1

# audit NAME UNREACHABLE COMMAND...: UNREACHABLE is what the tool prints where its database cannot be reached.
audit() {
  local name=$1 unreachable=$2 code=0
  shift 2
  command -v "$1" >/dev/null || { skipped+=("$name: there is no $1"); return; }
  "$@" >"$tools/log" 2>&1 || code=$?
  if grep -qE "$unreachable" "$tools/log"; then
    skipped+=("$name: $(grep -m1 -E "$unreachable" "$tools/log")")
  elif ((code == 0)); then
    echo "audit: $name: ok"
  else
    cat "$tools/log"
    echo "audit: $name found something" >&2
    found=1
  fi
}

# The two that are quick to install come into build/audit.
[[ -x $tools/bin/pip-audit ]] || { python3 -m venv "$tools" && "$tools/bin/pip" install --quiet pip-audit; } >/dev/null 2>&1
[[ -x $tools/bin/govulncheck ]] ||
  GOBIN=$tools/bin go install golang.org/x/vuln/cmd/govulncheck@v1.1.4 >/dev/null 2>&1
export PATH=$tools/bin:$PATH

audit "cargo audit" "couldn't fetch advisory database|error loading advisory|failed to fetch" \
  cargo-audit audit --file bindings/rust/Cargo.lock
for folder in wasm web-demo; do
  audit "npm audit in $folder" "audit endpoint returned an error|ENOTFOUND|ECONNREFUSED|ETIMEDOUT" \
    npm --prefix "$folder" audit --package-lock-only
done
for list in bindings/python/requirements*.txt; do
  audit "pip-audit of $(basename "$list")" "could not be audited|ConnectionError|ServiceError|Max retries" \
    pip-audit --no-deps --disable-pip --requirement "$list"
done
for module in bindings/go bindings/go/stowage-k8s; do
  audit "govulncheck in $module" "fetching vulnerabilities|no such host|connection refused|vuln.go.dev" \
    govulncheck -C "$module" -scan module
done

((${#skipped[@]} == 0)) || printf 'audit: SKIPPED %s\n' "${skipped[@]}"
((found == 0)) || { echo "audit: something was found" >&2; exit 1; }
echo "audit: nothing was found"
