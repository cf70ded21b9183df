#!/usr/bin/env bash
# Rewrites the expected results in tests/conformance (expected.tsv, session-expected.tsv, learning/recommended.tsv and
# learning/sized.tsv) from the library's present ones. Review the difference before you keep it.
#
# Usage: scripts/update-conformance.sh
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/build-release.sh conformance_test
STOWAGE_UPDATE_CONFORMANCE=1 build/release/tests/conformance/conformance_test --gtest_brief=1
build/release/tests/conformance/conformance_test --gtest_brief=1
git --no-pager diff --stat -- tests/conformance
