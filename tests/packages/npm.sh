#!/usr/bin/env bash
# Packs the npm package from a clean copy of the checkout, compares its files with the committed list, and runs the README's program in
# an empty folder.
#
# Usage: npm.sh full    STOWAGE_WASM: a folder with the modules, built already; default: the copy builds them
# shellcheck source=support.sh
. "$(dirname "$0")/support.sh"
for tool in emcc npm; do
  command -v "$tool" >/dev/null || { say "SKIPPED, there is no $tool: the npm package"; exit 77; }
done

mkdir "$work/clone"
(cd "$checkout" && git ls-files -z --cached --others --exclude-standard |
  { xargs -0 ls -d 2>/dev/null || true; } | tar -cT -) | tar -x -C "$work/clone"
"$work/clone/scripts/package.sh" npm "$work/package"
rm -rf "$work/clone"
tar -tzf "$work"/package/*.tgz | cut -d / -f 2- | contents npm
cp "$checkout/wasm/README.md" "$work"

program() {
  mkdir first
  cd first
  npm init --yes >/dev/null
  npm install --offline --no-audit --no-fund --loglevel=error ../package/*.tgz >/dev/null
  block js "$work/README.md" >first.mjs
  node first.mjs >"$work/printed"
}
hidden program
printed "$work/README.md"
say "the npm package works"
