#!/usr/bin/env python3
"""Checks four things: every function of the inventory is called in each language as capi/abi/calls.json says, or has a reason there;
all languages know all statuses; every field and enumerator of the schemas has a home in their public interfaces; all parts of the project carry one version.

A field's home is a member with the field's name in a type with the table's name, regardless of case. capi/abi/homes.json names
the exceptions: other types and members, and fields without a home with the reason.

Two other scripts complete this check. generate-bindings.py --check compares the inventory with stowage.h, and the generated code
with both. check-symbols.py compares the inventory with the exports of the library.

Usage: scripts/check-bindings.py [ROOT]
"""

import dataclasses
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from generate import calls, schema  # noqa: E402
from generate.header import OPAQUE  # noqa: E402


@dataclasses.dataclass(frozen=True)
class Language:
    """Patterns of the hand-written code of a language: calls of functions, names of statuses, and declarations of types and their
    public members."""

    files: tuple[str, ...]
    call: str
    status: str
    type: str
    member: str


LANGUAGES = {
    "C++": Language(
        ("capi/include/stowage.hpp",), r"\b(stowage_\w+)[(,]", "", r"\bclass {} ", r"\b{}\("
    ),
    "Go": Language(
        ("bindings/go/*.go", "bindings/go/internal/*/*.go"), r"\bC\.(stowage_\w+)\(", r"\bC\.STOWAGE_{}\b", r"\btype {} struct|\bfunc \(\w+ \*?{}\) ",
        r"\bfunc (?:\(\w+ \*?\w+\) )?{}\(|^\t{} +\w",
    ),
    "Rust": Language(
        ("bindings/rust/stowage/src/**/*.rs",), r"\bsys::(?:text::)?(stowage_\w+)\(", r"\bsys::STOWAGE_{}\b", r"\bimpl {} ", r"\bpub fn {}\b",
    ),
    "Java": Language(
        ("bindings/java/stowage/src/main/java/stowage/*.java",), r"\bStowage(?:Text)?H(?:\.|::)(stowage_\w+)", r"\bStowageH\.STOWAGE_{}\b",
        r"\b(?:class|record|enum) {}\b", r"\bpublic [^=;{{]*\b{}\(",
    ),
    "Python": Language(
        ("bindings/python/src/stowage/*.py", "bindings/python/src/stowage/_*/*.py"), r"\b(?:lib|text\(\))\.(stowage_\w+)",
        r"\b_abi\.STOWAGE_{}\b", r"^class {}\b", r"^(?:    )?def {}\(",
    ),
    # The interface of the module's exports, and what is asked of the second module: the package can call no other function.
    "npm": Language(
        ("wasm/src/*.ts",), r"(?:\n  |\bofText\(')(stowage_\w+)['(]", r"'{}'", r"\bexport (?:class|interface) {}\b",
        r"^ +(?:readonly |async )*{}\??[(:<]|\bexport (?:function|const) {}\b",
    ),
}  # fmt: skip
# The types that programs use, per binding: the files that declare them, and the patterns of type declarations. Python's types are
# made from the schemas, so that every field has a home.
PUBLIC = {
    "Go": ("bindings/go/*.go", r"\btype (\w+) struct", r"\btype (\w+) "),
    "Rust": ("bindings/rust/stowage/src/*.rs", r"\bpub (?:struct|enum) (\w+)", r"\n *(?:pub enum )?(\w+) \{"),
    "Java": ("bindings/java/stowage/src/main/java/stowage/*.java", r"\b(?:record|class|interface) (\w+)", r"\benum (\w+)"),
    "JavaScript": ("wasm/src/*.ts", r"\bexport (?:interface|class|type) (\w+)", r"\btype (\w+) ="),
}
# The file that defines the version, and the files that repeat it.
VERSION = ("CMakeLists.txt", r"project\(stowage VERSION ([\d.]+)")
VERSIONS = (
    ("capi/include/stowage.h", r"STOWAGE_VERSION_MAJOR (\d+)\s(?s:.*?)_MINOR (\d+)\s(?s:.*?)_PATCH (\d+)"),
    ("wasm/package.json", r'"version": "([^"]+)"'),
    ("wasm/README.md", r"/stowage@([\d.]+)/dist"),
    ("bindings/go/README.md", r"stowage\.dev/go@v([\d.]+)"),
    ("scripts/test-bindings.sh", r"stowage\.dev/go@v([\d.]+)"),
    ("bindings/go/stowage-k8s/go.mod", r"stowage\.dev/go v([\d.]+)"),
    ("bindings/rust/Cargo.toml", r'\nversion = "([^"]+)"'),
    ("bindings/rust/stowage/Cargo.toml", r'stowage-sys = \{ version = "([^"]+)"'),
    ("bindings/python/pyproject.toml", r'\nversion = "([^"]+)"'),
    ("bindings/python/src/stowage/__init__.py", r'__version__ = "([^"]+)"'),
    ("packaging/debian/changelog", r"^stowage \(([\d.]+)-"),
    ("packaging/vcpkg/vcpkg.json", r'"version-semver": "([^"]+)"'),
    ("docs/start/install.md", r"\bstowage/([\d.]+)` as a requirement"),
    ("bindings/java/README.md", r"<artifactId>stowage</artifactId>\s*<version>([^<]+)"),
    ("bindings/java/pom.xml", r"<artifactId>stowage-parent</artifactId>\s*<version>([^<]+)"),
    ("bindings/java/stowage/pom.xml", r"<artifactId>stowage-parent</artifactId>\s*<version>([^<]+)"),
    ("bindings/java/examples/pom.xml", r"<artifactId>stowage-parent</artifactId>\s*<version>([^<]+)"),
    ("bindings/java/benchmarks/pom.xml", r"<artifactId>stowage-parent</artifactId>\s*<version>([^<]+)"),
)


def declares(texts: list[str], language: Language, name: str) -> bool:
    """True where a file declares this member of this type, or this function."""
    *type_name, member = re.split(r"::|\.", name)
    patterns = [language.member.format(*[re.escape(member)] * 2)] + [language.type.format(*[one] * 2) for one in type_name]
    return any(all(re.search(pattern, text, flags=re.MULTILINE) for pattern in patterns) for text in texts)


def parity(root: pathlib.Path) -> list[str]:
    abi = json.loads((root / "capi/abi/abi.json").read_text(encoding="utf-8"))
    said = json.loads((root / "capi/abi/calls.json").read_text(encoding="utf-8"))
    functions = set(abi["functions"]) | set(abi["text_functions"])
    # Names of types look like names of functions, and so do the parts of their layouts in Java.
    types = {f"{struct}_{field['name']}" for struct, fields in abi["structs"].items() for field in fields}
    types |= set(abi["structs"]) | set(abi["enums"]) | set(OPAQUE)
    # The one function of stowage_k8s.h, which has a library of its own.
    kubernetes = set((root / "capi/abi/k8s_symbols.txt").read_text(encoding="utf-8").split())
    problems = []
    for file, key in (("symbols.txt", "functions"), ("text_symbols.txt", "text_functions")):
        if sorted(abi[key]) != (root / "capi/abi" / file).read_text(encoding="utf-8").split():
            problems.append(f"capi/abi: {file} and abi.json differ")
    rows = calls.rows(sorted(functions))
    problems += [f"calls.json: does not say how {name} is called" for name in sorted(set(rows) - set(said["functions"]))]
    problems += [f"calls.json: {name} is not in the inventory" for name in sorted(set(said["functions"]) - set(rows))]
    statuses = [name.removeprefix("STOWAGE_") for name in abi["enums"]["stowage_status"] if not name.endswith("_END")]
    for at, name in enumerate(said["languages"]):
        language = LANGUAGES[name]
        texts = [path.read_text(encoding="utf-8") for files in language.files for path in sorted(root.glob(files))]
        text = re.sub(r"^\s*(?://|\*).*$", "", "\n".join(texts), flags=re.MULTILINE)
        called = set(re.findall(language.call, text)) - types - kubernetes
        problems += [f"{name}: calls {function}, which is not in the inventory" for function in sorted(called - functions)]
        for function in sorted(set(rows) & set(said["functions"])):
            how = said["functions"][function][at]
            calls_it = function in called or f"{function}_watched" in called
            if calls_it == (how[1:] in said["absent"] and how[0] == "-"):
                problems.append(f"{name}: {'does not leave out' if calls_it else 'nothing calls'} {function}")
            if not (how[0] == "-" and how[1:] in said["absent"] or how[0] == "~" and how[1:] in said["inside"]):
                problems += [] if declares(texts, language, how) else [f"{name}: {function} has no {how}"]
        for status in statuses:
            # Only C has a name for the status of a successful call.
            if not (name == "npm" and status == "OK") and not re.search(language.status.format(status), text):
                problems.append(f"{name}: does not know the status {status}")
    return problems


def schemas(root: pathlib.Path) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """The fields of each table and struct, and the enumerators of each enum."""
    types = schema.read(root).types.values()
    names = {one.name: [field.name for field in one.fields] for one in types if one.what != "union"}
    return {one.name: names[one.name] for one in types if one.what in ("table", "struct")}, {
        one.name: names[one.name] for one in types if one.what == "enum"
    }


def block(text: str, start: int) -> str:
    """The declaration that begins at `start`: up to the bracket that closes its last body, or to a semicolon outside all brackets."""
    depth = 0
    for at in range(start, len(text)):
        if text[at] in "({[":
            depth += 1
        elif text[at] in ")}]":
            depth -= 1
            # A record's components are followed by its methods, and the first member of a union by further members.
            if depth == 0 and text[at] == "}" and not text.startswith("export type", start) or depth < 0:
                return text[start:at]
        elif text[at] == ";" and depth == 0:
            return text[start:at]
    return text[start:]


def plain(name: str) -> str:
    return name.replace("_", "").replace("-", "").lower()


def declarations(binding: str, text: str) -> dict[str, set[str]]:
    """The words in the declarations of each type and of its methods, normalized by plain()."""
    found = {}
    for match in re.finditer(PUBLIC[binding][1], text):
        body = block(text, match.start())
        if binding == "Java" and match[0].startswith("class"):
            # Of a class, only public members count.
            body = "\n".join(re.findall(r"\bpublic [^;={}]*?\)", body))
        found.setdefault(match[1], []).append(body)
    if binding == "Go":
        for match in re.finditer(r"\bfunc \(\w+ \*?(\w+)\) [A-Z]\w*\([^)]*\)", text):
            found.setdefault(match[1], []).append(match[0])
    if binding == "Rust":
        for match in re.finditer(r"\bimpl (\w+) ", text):
            found.setdefault(match[1], []).extend(re.findall(r"\bpub fn \w+\([^)]*\)", block(text, match.start())))
    return {
        name: {plain(word) for word in re.findall(r"\w+", re.sub(r"'[^'\n]*'", "", "\n".join(bodies)))}
        for name, bodies in found.items()
    }


def homeless(root: pathlib.Path) -> list[str]:
    homes = json.loads((root / "capi/abi/homes.json").read_text(encoding="utf-8"))
    tables, enums = schemas(root)
    excused = {
        (field, binding) for one in homes["without"] for field in one["fields"] for binding in one.get("bindings", PUBLIC)
    }
    known = {f"{name}.{field}" for types in (tables, enums) for name, fields in types.items() for field in fields}
    problems = [f"homes.json: the schemas have no {field}" for field in sorted({one for one, _ in excused} - known)]
    problems += [f"homes.json: the schemas have no {field}" for field in homes["members"] if field not in known]
    problems += [f"homes.json: the schemas have no {name}" for name in homes["types"] if name not in tables]
    for binding, (files, _, enumeration) in PUBLIC.items():
        sources = [path for path in sorted(root.glob(files)) if not path.name.endswith("_test.go")]
        text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
        text = re.sub(r"/\*.*?\*/|(?<!:)//[^\n]*", "", text, flags=re.DOTALL)
        declared = declarations(binding, text)
        for table, fields in tables.items():
            types = homes["types"].get(table, {}).get(binding, [table])
            there = set().union(*(declared.get(name, set()) for name in types))
            for field in fields:
                names = [field, *homes["members"].get(f"{table}.{field}", [])]
                if (f"{table}.{field}", binding) not in excused and not any(plain(name) in there for name in names):
                    problems.append(f"{binding}: {table}.{field} has no home in {' or '.join(types)}")
        enumerated = {match[1]: block(text, match.end()) for match in re.finditer(enumeration, text) if match[1] in enums}
        for enum, names in enums.items():
            if enum in homes["words"].get(binding, []):
                continue
            there = {plain(word) for word in re.findall(r"[\w-]+", enumerated.get(enum, ""))}
            used = set(re.findall(rf"\b{enum}(?:\.|::)?(\w+)", text))
            for name in names:
                if (f"{enum}.{name}", binding) not in excused and plain(name) not in there and name not in used:
                    problems.append(f"{binding}: does not know {enum}.{name}")
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
    problems = parity(root) + homeless(root) + versions(root)
    for problem in problems:
        print(problem, file=sys.stderr)
    if not problems:
        print(f"{', '.join(LANGUAGES)} call all functions or say why not, and have a home for every field of the schemas; all parts have one version")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
