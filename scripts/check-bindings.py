#!/usr/bin/env python3
"""Checks that the WebAssembly package and every binding call all functions of the inventory and know all its statuses, and that
all parts of the project carry one version.

That the inventory is what stowage.h says, and that what is generated from it is up to date, is what generate-bindings.py --check
sees; that the library exports it, check-symbols.py.

Usage: scripts/check-bindings.py [ROOT]
"""

import dataclasses
import json
import pathlib
import re
import sys


@dataclasses.dataclass(frozen=True)
class Binding:
    """How the hand-written code of a binding calls a function, and how it names a status."""

    files: str
    call: str
    status: str


BINDINGS = {
    "Go": Binding("bindings/go/internal/capi/*.go", r"\bC\.(stowage_\w+)\(", r"\bC\.STOWAGE_{}\b"),
    "Rust": Binding("bindings/rust/stowage/src/*.rs", r"\bsys::(stowage_\w+)\(", r"\bsys::STOWAGE_{}\b"),
    "Java": Binding(
        "bindings/java/stowage/src/main/java/stowage/*.java", r"\bStowageH(?:\.|::)(stowage_\w+)", r"\bStowageH\.STOWAGE_{}\b"
    ),
    # The functions that it declares the module to export, which are all that it can call.
    "WebAssembly": Binding("wasm/src/*.ts", r"\n  (stowage_\w+)\(", r"'{}'"),
}
# The one version, and where it stands besides.
VERSION = ("CMakeLists.txt", r"project\(stowage VERSION ([\d.]+)")
VERSIONS = (
    ("capi/include/stowage.h", r"STOWAGE_VERSION_MAJOR (\d+)\s.*_MINOR (\d+)\s.*_PATCH (\d+)"),
    ("wasm/package.json", r'"version": "([^"]+)"'),
    ("bindings/go/README.md", r"stowage\.dev/go@v([\d.]+)"),
    ("scripts/test-bindings.sh", r"stowage\.dev/go@v([\d.]+)"),
    ("bindings/go/stowage-k8s/go.mod", r"stowage\.dev/go v([\d.]+)"),
    ("bindings/rust/Cargo.toml", r'\nversion = "([^"]+)"'),
    ("bindings/rust/stowage/Cargo.toml", r'stowage-sys = \{ version = "([^"]+)"'),
    ("bindings/java/README.md", r"<artifactId>stowage</artifactId>\s*<version>([^<]+)"),
    ("bindings/java/pom.xml", r"<artifactId>stowage-parent</artifactId>\s*<version>([^<]+)"),
    ("bindings/java/stowage/pom.xml", r"<artifactId>stowage-parent</artifactId>\s*<version>([^<]+)"),
    ("bindings/java/examples/pom.xml", r"<artifactId>stowage-parent</artifactId>\s*<version>([^<]+)"),
    ("bindings/java/benchmarks/pom.xml", r"<artifactId>stowage-parent</artifactId>\s*<version>([^<]+)"),
)


def parity(root: pathlib.Path) -> list[str]:
    abi = json.loads((root / "capi/abi/abi.json").read_text(encoding="utf-8"))
    functions = set(abi["functions"])
    # Types are named like functions, and so are the parts of their layouts in Java.
    types = {f"{struct}_{field['name']}" for struct, fields in abi["structs"].items() for field in fields}
    types |= set(abi["structs"]) | set(abi["enums"])
    problems = []
    if sorted(functions) != (root / "capi/abi/symbols.txt").read_text(encoding="utf-8").split():
        problems.append("capi/abi: symbols.txt and abi.json differ")
    statuses = [name.removeprefix("STOWAGE_") for name in abi["enums"]["stowage_status"] if not name.endswith("_END")]
    for name, binding in BINDINGS.items():
        text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(root.glob(binding.files)))
        called = set(re.findall(binding.call, text)) - types
        problems += [f"{name}: nothing calls {function}" for function in sorted(functions - called)]
        problems += [f"{name}: calls {function}, which is not in the inventory" for function in sorted(called - functions)]
        for status in statuses:
            # A call that worked has a name in C alone.
            if not (name == "WebAssembly" and status == "OK") and not re.search(binding.status.format(status), text):
                problems.append(f"{name}: does not know the status {status}")
    return problems


def versions(root: pathlib.Path) -> list[str]:
    def found(file: str, pattern: str) -> str | None:
        match = re.search(pattern, (root / file).read_text(encoding="utf-8"))
        return ".".join(match.groups()) if match else None

    version = found(*VERSION)
    return [
        f"{file}: version {there}, not {version}" for file, pattern in VERSIONS if (there := found(file, pattern)) != version
    ]


def main() -> int:
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent).resolve()
    problems = parity(root) + versions(root)
    for problem in problems:
        print(problem, file=sys.stderr)
    if not problems:
        print(f"{', '.join(BINDINGS)} call all functions; all parts have one version")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
