#!/usr/bin/env bash
# Builds the reference of the Python package with Sphinx, as HTML; a warning is an error. Needs what scripts/setup.sh bindings installs,
# and the release build.
#
# Usage: scripts/document-python.sh [FOLDER]    default: build/python-docs
set -euo pipefail
cd "$(dirname "$0")/.."

folder=${1:-build/python-docs}
rm -rf "$folder"
STOWAGE_LIBRARY=${STOWAGE_LIBRARY:-$PWD/build/release/capi/libstowage.so} PYTHONPATH=$PWD/bindings/python/src \
  build/python/bin/python -m sphinx --fail-on-warning --keep-going --quiet --builder html bindings/python/docs "$folder"
echo "document-python: $folder/index.html"
