#!/usr/bin/env bash
# Rewrites tests/conformance/expected.tsv and session-expected.tsv from the library's present results. Review the difference
# before you keep it.
#
# Usage: scripts/update-conformance.sh
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/build-release.sh conformance_test
STOWAGE_UPDATE_CONFORMANCE=1 build/release/tests/conformance/conformance_test --gtest_brief=1
build/release/tests/conformance/conformance_test --gtest_brief=1
git --no-pager diff --stat -- tests/conformance
