#!/usr/bin/env bash
# Makes the source distribution, compares its files and those of its wheel with the committed lists, and runs the README's program in an
# environment that has nothing but the wheel and what it depends on. pip makes the wheel of the source distribution alone.
#
# Usage: python.sh full
# shellcheck source=support.sh
. "$(dirname "$0")/support.sh"
tools=$checkout/build/wheel-tools/bin
[[ -x $tools/twine ]] || { say "SKIPPED, scripts/setup.sh packages made no build/wheel-tools: the Python package"; exit 77; }

"$checkout/scripts/package.sh" python "$work/package"
tar -tzf "$work"/package/*.tar.gz | cut -d / -f 2- | contents python-sdist
"$tools/twine" check --strict "$work"/package/*
cp "$checkout/bindings/python/README.md" "$work"
python3 -m venv "$work/environment"
# What pip would fetch: the build system and the dependencies.
"$work/environment/bin/pip" download --quiet --disable-pip-version-check --only-binary :all: --dest "$work/fetched" \
  scikit-build-core numpy flatbuffers || { say "SKIPPED, the dependencies cannot be fetched: the Python package"; exit 77; }

wheel() {
  # What pip builds stays in its own folders.
  mkdir temporary
  export TMPDIR=$work/temporary
  # CMake takes the compiler cache as a launcher.
  [[ $CXX != ccache* ]] || { export CMAKE_CXX_COMPILER_LAUNCHER=ccache; unset CXX; }
  environment/bin/pip wheel --quiet --disable-pip-version-check --no-index --find-links fetched --no-deps --wheel-dir wheel package/*.tar.gz
  [[ -z $(ls -A temporary) && ! -e build ]] || fail "the build leaves something behind"
}
program() {
  environment/bin/pip install --quiet --disable-pip-version-check --no-index --find-links fetched wheel/*.whl
  mkdir first
  cd first
  block python "$work/README.md" >first.py
  ../environment/bin/python first.py >"$work/printed"
}
# The command that the image of a worker runs (packaging/worker).
worker() {
  environment/bin/python -c '
import stowage, sys
description = {"stowage": 1, "resources": {"cpu": ""}, "classes": [{"capacity": {"cpu": 2}}], "apps": [{"replicas": 3, "demand": {"cpu": 1}}]}
sys.stdout.buffer.write(stowage.Scenario("s", stowage.Instance.from_dict(description)).task("ff"))' >task
  environment/bin/python -m stowage.worker <task >answer
  head -n 1 answer | grep -q '"status":"optimal","nodes":2,' || fail "the worker does not answer"
}
hidden wheel
unzip -Z1 "$work"/wheel/*.whl | grep -v '/$' | contents python-wheel
"$tools/twine" check --strict "$work"/wheel/*
# The C library is all that the wheel takes from the system, the C++ runtime being in it.
"$tools/auditwheel" show "$work"/wheel/*.whl | tee "$work/audit"
tr '\n' ' ' <"$work/audit" | grep -q 'consistent with the following platform tag: "manylinux_' || fail "the wheel is not consistent with manylinux"
hidden program
hidden worker
printed "$work/README.md"
say "the Python package works"
