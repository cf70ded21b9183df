#!/usr/bin/env python3
"""Generates the parts of the bindings that follow from stowage.h and the schemas, or checks that they are up to date.

  capi/abi/abi.json                  the inventory: every function, struct, enumerator and constant of stowage.h
  capi/src/check/schema_rows.h       what stowage_check() knows of the schemas
  bindings/go                        copies of stowage.h and stowage_text.h, code of the schemas
  bindings/rust                      declarations of stowage-sys, code of the schemas
  bindings/java                      calls of the C ABI through the foreign function API, code of the schemas
  bindings/python                    calls of the C ABI through ctypes, records of the schemas

Usage: scripts/generate-bindings.py [--check]
"""

import argparse
import filecmp
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from schema_rows import schema_rows  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADER = ROOT / "capi/include/stowage.h"
TEXT_HEADER = ROOT / "capi/include/stowage_text.h"
SYMBOLS = ROOT / "capi/abi/symbols.txt"
# Of the version of the crate flatbuffers, whose code has to fit it; other languages have the code of the flatc of the system.
RUST_FLATC = ROOT / "build/flatc/flatc/bin/flatc"
SCHEMAS = ("instance", "request", "plan", "report", "catalogue", "session", "learning", "derivation")
NOTE = "Made by scripts/generate-bindings.py from stowage.h. Do not edit."
OPAQUE = ("stowage_instance", "stowage_control", "stowage_session", "stowage_model")


# ------------------------------------------------------------------------------------------------------ reading stowage.h


def read_header(text: str) -> dict:
    """The functions, structs, enumerators and constants of a header in the style of stowage.h."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    constants = {}
    for name, value in re.findall(r"^#define (STOWAGE_\w+) (\d+|UINT32_MAX)$", text, flags=re.MULTILINE):
        constants[name] = 2**32 - 1 if value == "UINT32_MAX" else int(value)
    code = re.sub(r"^\s*#.*?(?<!\\)$", "", text, flags=re.MULTILINE | re.DOTALL)
    enums = {}
    for body, name in re.findall(r"typedef enum \w+ \{(.*?)\} (\w+);", code, flags=re.DOTALL):
        enums[name] = {key: int(value) for key, value in re.findall(r"(\w+) = (\d+)", body)}
    known = constants | {key: value for values in enums.values() for key, value in values.items()}
    structs = {}
    for body, name in re.findall(r"typedef struct \w+ \{(.*?)\} (\w+);", code, flags=re.DOTALL):
        structs[name] = []
        for declaration in filter(None, (" ".join(part.split()) for part in body.split(";"))):
            kind, field, count = re.fullmatch(r"(.+?[ *])(\w+)(?:\[(\w+)\])?", declaration).groups()
            entry = {"name": field, "type": kind.strip().replace(" *", "*")}
            if count:
                entry["count"] = known[count] if count in known else int(count)
            structs[name].append(entry)
    functions = {}
    for result, name, parameters in re.findall(r"STOWAGE_API\s+([^;(]*?)(\w+)\s*\(([^)]*)\)", code):
        listed = []
        for parameter in " ".join(parameters.split()).split(","):
            if parameter.strip() != "void":
                kind, label = re.fullmatch(r"(.+?[ *])(\w+)", parameter.strip()).groups()
                listed.append({"name": label, "type": kind.strip().replace(" *", "*")})
        functions[name] = {"returns": " ".join(result.split()).replace(" *", "*"), "parameters": listed}
    return {"constants": constants, "enums": enums, "structs": structs, "functions": dict(sorted(functions.items()))}


# The only callback type, in Rust's notation; the other languages see an address.
CALLBACK = "stowage_solve"
GO_WIRE = f"""\
// {NOTE}

// Package wire has the code that flatc makes of the schemas. Programs need it only for what package stowage has no type for: to
// read the bytes of an instance or a snapshot, by [GetRootAsInstance], or to write them without a builder.
//
// The readers trust the bytes. Read those that the library returned, or that stowage.Check admits; others can make a reader panic or
// return nonsense. Names follow from the schemas, whose fields are only ever added.
package wire
"""
SIZES = {"size_t": 8, "uint64_t": 8, "double": 8, "uint32_t": 4, "char": 1, CALLBACK: 8}


def size_of(kind: str, abi: dict) -> int:
    """Size and alignment of a field's type in bytes, on a 64-bit machine."""
    return 8 if kind.endswith("*") else 4 if kind in abi["enums"] else SIZES[kind]


def layout_of(struct: list, abi: dict) -> tuple[list, int]:
    """Offset of each field, and size of the struct, in bytes on a 64-bit machine."""
    offset, most, offsets = 0, 1, []
    for field in struct:
        size = size_of(field["type"], abi)
        offset = -(-offset // size) * size
        offsets.append(offset)
        offset += size * field.get("count", 1)
        most = max(most, size)
    return offsets, -(-offset // most) * most


# ------------------------------------------------------------------------------------------------------------------ Rust

RUST = {"size_t": "usize", "uint64_t": "u64", "uint32_t": "u32", "uint8_t": "u8", "char": "c_char", "double": "f64",
        "void": "()"}


def rust_type(kind: str) -> str:
    if kind.endswith("*"):
        inner = kind[:-1]
        if inner == "void":
            return "*mut c_void"
        const = inner.startswith("const ")
        return f"*{'const' if const else 'mut'} {rust_type(inner.removeprefix('const '))}"
    return RUST.get(kind, kind)


def rust_bindings(abi: dict) -> str:
    out = [f"// {NOTE}", "use core::ffi::{c_char, c_uint, c_void};", ""]
    for name, value in abi["constants"].items():
        kind = "usize" if name.endswith("_SIZE") else "u32"
        out.append(f"pub const {name}: {kind} = {value};")
    for name, values in abi["enums"].items():
        out += ["", f"pub type {name} = c_uint;"]
        out += [f"pub const {key}: {name} = {value};" for key, value in values.items()]
    for name in OPAQUE:
        out += ["", "#[repr(C)]", f"pub struct {name} {{", "    _opaque: [u8; 0],",
                "    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,", "}"]  # fmt: skip
    out += ["", "/// Solves a program: context, program, control, answer.", f"pub type {CALLBACK} = Option<",
            "    unsafe extern \"C\" fn(*mut c_void, *const stowage_program, *const stowage_control, *mut stowage_answer),",
            ">;"]  # fmt: skip
    for name, fields in abi["structs"].items():
        out += ["", "#[repr(C)]", "#[derive(Clone, Copy, Debug)]", f"pub struct {name} {{"]
        for field in fields:
            kind = rust_type(field["type"])
            if "count" in field:
                kind = f"[{kind}; {field['count']}]"
            out.append(f"    pub {field['name']}: {kind},")
        out.append("}")
    out += ["", 'unsafe extern "C" {']
    for name, function in abi["functions"].items():
        parameters = "".join(f"\n        {p['name']}: {rust_type(p['type'])}," for p in function["parameters"])
        result = "" if function["returns"] == "void" else f" -> {rust_type(function['returns'])}"
        out.append(f"    pub fn {name}({parameters}{chr(10) + '    ' if parameters else ''}){result};")
    out += ["}", ""]
    out += ["/// Size of each struct, and the offset of each of its fields, where pointers have 64 bits.",
            '#[cfg(target_pointer_width = "64")]', "const _: () = {"]  # fmt: skip
    for name, fields in abi["structs"].items():
        offsets, size = layout_of(fields, abi)
        out.append(f"    assert!(core::mem::size_of::<{name}>() == {size});")
        for field, offset in zip(fields, offsets):
            out.append(f"    assert!(core::mem::offset_of!({name}, {field['name']}) == {offset});")
    return "\n".join(out + ["};", ""])


# ------------------------------------------------------------------------------------------------------------------ Java

JAVA = {"size_t": ("long", "JAVA_LONG"), "uint64_t": ("long", "JAVA_LONG"), "uint32_t": ("int", "JAVA_INT"),
        "char": ("byte", "JAVA_BYTE"), "double": ("double", "JAVA_DOUBLE"), CALLBACK: ("MemorySegment", "ADDRESS")}  # fmt: skip


def java_type(kind: str, abi: dict) -> tuple[str, str]:
    """Java carrier type and memory layout of a C type."""
    if kind.endswith("*"):
        return "MemorySegment", "ADDRESS"
    return ("int", "JAVA_INT") if kind in abi["enums"] else JAVA[kind]


def camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def java_bindings(abi: dict) -> str:
    out = [f"// {NOTE}", "package stowage.internal;", "",
           "import static java.lang.foreign.ValueLayout.ADDRESS;", "import static java.lang.foreign.ValueLayout.JAVA_BYTE;",
           "import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;", "import static java.lang.foreign.ValueLayout.JAVA_INT;", "import static java.lang.foreign.ValueLayout.JAVA_LONG;", "",
           "import java.lang.foreign.FunctionDescriptor;", "import java.lang.foreign.Linker;",
           "import java.lang.foreign.MemoryLayout;", "import java.lang.foreign.MemorySegment;",
           "import java.lang.foreign.StructLayout;", "import java.lang.invoke.MethodHandle;", "",
           "/** The functions, structs and constants of {@code stowage.h}, as they are. */", "public final class StowageH {",
           "  private StowageH() {}", "",
           "  private static MethodHandle find(String name, FunctionDescriptor descriptor) {",
           "    return Linker.nativeLinker().downcallHandle(NativeLibrary.find(name), descriptor);", "  }"]  # fmt: skip
    for name, value in abi["constants"].items():
        out += ["", f"  /** {{@code {name}}}. */", f"  public static final int {name} = {value if value < 2**31 else value - 2**32};"]
    for enum, values in abi["enums"].items():
        for name, value in values.items():
            out += ["", f"  /** Of {{@code {enum}}}. */", f"  public static final int {name} = {value};"]
    for name, fields in abi["structs"].items():
        offsets, size = layout_of(fields, abi)
        members, at = [], 0
        for field, offset in zip(fields, offsets):
            if offset > at:
                members.append(f"MemoryLayout.paddingLayout({offset - at})")
            layout = java_type(field["type"], abi)[1]
            count = field.get("count")
            member = f"MemoryLayout.sequenceLayout({count}, {layout})" if count else layout
            members.append(f'{member}.withName("{field["name"]}")')
            at = offset + size_of(field["type"], abi) * (count or 1)
        if size > at:
            members.append(f"MemoryLayout.paddingLayout({size - at})")
        out += ["", f"  /** Layout of {{@code {name}}}, {size} bytes. */", f"  public static final StructLayout {name} =",
                "      MemoryLayout.structLayout(", ",\n".join(f"          {member}" for member in members) + ");"]  # fmt: skip
        for field, offset in zip(fields, offsets):
            out += ["", f"  /** Offset in {{@code {name}}}. */", f"  public static final long {name}_{field['name']} = {offset};"]
    for name, function in abi["functions"].items():
        handle = name.upper() + "_HANDLE"
        layouts = [java_type(p["type"], abi)[1] for p in function["parameters"]]
        void = function["returns"] == "void"
        result, layout = ("void", "") if void else java_type(function["returns"], abi)
        descriptor = f"FunctionDescriptor.{'ofVoid' if void else 'of'}({', '.join(layouts if void else [layout] + layouts)})"
        labels = [camel(p["name"]) for p in function["parameters"]]
        parameters = ", ".join(f"{java_type(p['type'], abi)[0]} {label}" for p, label in zip(function["parameters"], labels))
        call = f"{handle}.invokeExact({', '.join(labels)});"
        out += ["", f"  private static final MethodHandle {handle} =", f'      find("{name}", {descriptor});', "",
                f"  /** Calls {{@code {name}}}. */", f"  public static {result} {name}({parameters}) {{", "    try {",
                f"      {call if void else f'return ({result}) {call}'}", "    } catch (Throwable failure) {",
                "      throw NativeLibrary.refused(failure);", "    }", "  }"]  # fmt: skip
    return "\n".join(out + ["}", ""])


# ---------------------------------------------------------------------------------------------------------------- Python

CTYPES = {"size_t": "c_size_t", "uint64_t": "c_uint64", "uint32_t": "c_uint32", "uint8_t": "c_uint8", "char": "c_char",
          "double": "c_double", CALLBACK: "c_void_p"}  # fmt: skip


def ctypes_type(kind: str, abi: dict) -> str:
    """The ctypes notation of a C type. Handles and bytes are plain addresses, so that any object with bytes can be passed."""
    kind = kind.removeprefix("const ")
    if kind == "char*":
        return "ctypes.c_char_p"
    if kind.endswith("*"):
        inner = kind[:-1]
        if inner.endswith("*"):
            return "ctypes.POINTER(ctypes.c_void_p)"
        return f"ctypes.POINTER({inner})" if inner in abi["structs"] else "ctypes.c_void_p"
    return "ctypes.c_uint32" if kind in abi["enums"] else kind if kind in abi["structs"] else f"ctypes.{CTYPES[kind]}"


def python_calls(abi: dict) -> str:
    out = [f"# {NOTE}", '"""The functions, structs and constants of stowage.h, as they are."""', "", "import ctypes",
           "from collections.abc import Callable", "from typing import Any", ""]  # fmt: skip
    for name, value in abi["constants"].items():
        out.append(f"{name} = {value}")
    for values in abi["enums"].values():
        out += [f"{name} = {value}" for name, value in values.items()]
    for name, fields in abi["structs"].items():
        out += ["", "", f"class {name}(ctypes.Structure):", "    _fields_ = ["]
        for field in fields:
            kind = ctypes_type(field["type"], abi)
            out.append(f'        ("{field["name"]}", {kind}{" * " + str(field["count"]) if "count" in field else ""}),')
        out.append("    ]")
    out += ["", "", "class Library:", '    """The functions of a loaded library. A call releases the global interpreter lock."""', "",
            "    def __init__(self, library: ctypes.CDLL) -> None:",
            "        def declare(name: str, result: Any, *parameters: Any) -> Callable[..., Any]:",
            "            function = getattr(library, name)", "            function.restype = result",
            "            function.argtypes = parameters", "            declared: Callable[..., Any] = function",
            "            return declared", ""]  # fmt: skip
    for name, function in abi["functions"].items():
        result = "None" if function["returns"] == "void" else ctypes_type(function["returns"], abi)
        parameters = "".join(f",\n            {ctypes_type(p['type'], abi)}" for p in function["parameters"])
        out.append(f'        self.{name} = declare(\n            "{name}",\n            {result}{parameters},\n        )')
    return "\n".join(out + [""])


# Types of the schemas: annotation in Python, letter of the module struct, type of NumPy's elements.
SCALARS = {
    "bool": ("bool", "?", "np.bool_"), "ubyte": ("int", "B", "np.uint8"), "uint16": ("int", "H", "np.uint16"),
    "uint32": ("int", "I", "np.uint32"), "int32": ("int", "i", "np.int32"), "uint64": ("int", "Q", "np.uint64"),
    "double": ("float", "d", "np.float64"),
}  # fmt: skip
KEYWORDS = ("not", "from")


def comment(lines: str, indent: str, mark: str = "#: ") -> list[str]:
    return [f"{indent}{mark}{line}" for line in re.findall(r"/// ?(.*)", lines)]


def snake(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).upper()


def python_field(kind: str, required: bool, default: str | None, types: dict) -> tuple[str, str | None, str]:
    """Annotation, default value (None: the field has to be given) and description for the codec, of a field of a table."""
    inner = kind.strip("[]")
    what, _ = types.get(inner, (None, None))
    none = None if required else "None"
    optional = "" if required else " | None"
    if what == "union":
        return inner, None, f'Union({inner}_TYPES)'
    if kind.startswith("["):
        if inner == "string":
            return f"list[str]{optional}", none, "Texts()"
        if what == "table":
            return f"list[{inner}]", None if required else "[]", f"Tables({inner}{', required=True' if required else ''})"
        if what == "struct":
            return f"npt.NDArray[np.void]{optional}", none, f"Column(_{snake(inner)})"
        element = "np.uint8" if what == "enum" else SCALARS[inner][2]
        return f"npt.NDArray[{element}]{optional}", none, f'Column("{element.removeprefix("np.")}")'
    if inner == "string":
        return f"str{optional}", none, "Text()"
    if what == "table":
        return f"{inner}{optional}", none, f"Table({inner})"
    if what == "enum":
        default = f"{inner}.{snake(default)}" if default else f"{inner}(0)"
        return inner, default, f'Scalar("B", {default}, {inner})'
    annotation, letter, _ = SCALARS[inner]
    value = {"true": "True", "false": "False"}.get(default or "", default) or {"bool": "False", "float": "0.0"}.get(annotation, "0")
    value = str(float(value)) if annotation == "float" else value
    return annotation, value, f'Scalar("{letter}", {value}, {annotation})'


def python_table(name: str, body: str, doc: str, types: dict) -> list[str]:
    out = ["", "", f"class {name}(Record):"]
    text = comment(doc, "    ", "")
    out += ['    """' + "\n".join(text).strip() + '"""', ""] if text else [f'    """The table {name} of the schemas."""', ""]
    slot, described, parameters, assigned = 4, [], [], []
    for match in re.finditer(r"((?:\s*///[^\n]*\n)*)\s*(\w+)\s*:\s*([\w\[\]]+)\s*(?:=\s*([-\w.]+))?\s*(\(required\))?;", body):
        documentation, field, kind, default, required = match.groups()
        if types.get(kind, (None,))[0] == "union":
            slot += 2
        annotation, value, codec = python_field(kind, bool(required), default, types)
        label = f"{field}_" if field in KEYWORDS else field
        out += comment(documentation, "    ")
        out.append(f"    {label}: {annotation}")
        described.append(f'    Field("{label}", {slot}, {codec}),')
        slot += 2
        # Dataclasses would do the same, and take as long to import as everything else of the package.
        if value == "[]":
            parameters.append(f"        {label}: {annotation} | None = None,")
            assigned.append(f"        self.{label} = [] if {label} is None else {label}")
        else:
            parameters.append(f"        {label}: {annotation}{'' if value is None else ' = ' + value},")
            assigned.append(f"        self.{label} = {label}")
    out += ["", "    def __init__(", "        self,", "        *,", *parameters, "    ) -> None:", *assigned]
    return out + ["", "", f"{name}.FIELDS = (", *described, ")"]


def python_records() -> str:
    """Records of the schemas: a class per table, a NumPy dtype per struct, an IntEnum per enum; what _wire.py reads and writes."""
    types: dict[str, tuple[str, str]] = {}
    pattern = r"((?:///[^\n]*\n)*)(table|struct|enum|union) (\w+)(?: : \w+)? \{(.*?)\n?\}"
    texts = [re.sub(r"(?<!/)//(?!/)[^\n]*", "", (ROOT / f"capi/schema/{name}.fbs").read_text(encoding="utf-8")) for name in SCHEMAS]
    for text in texts:
        types |= {name: (what, body) for _, what, name, body in re.findall(pattern, text, flags=re.DOTALL)}
    structs = [name for name, (what, _) in types.items() if what == "struct"]
    out = ["# Made by scripts/generate-bindings.py from the schemas. Do not edit.",
           '"""The tables of the schemas (capi/schema) as records. Columns are NumPy arrays; those that were read are views."""', "",
           "from __future__ import annotations", "", "import enum", "from typing import TYPE_CHECKING, Any", "",
           "from ._wire import Column, Field, Record, Scalar, Table, Tables, Text, Texts, Union", "",
           "if TYPE_CHECKING:", "    from typing import TypeAlias", "", "    import numpy as np", "    import numpy.typing as npt", "",
           *(f"    {snake(name)}: np.dtype[np.void]" for name in structs)]  # fmt: skip
    for text in texts:
        for doc, what, name, body in re.findall(pattern, text, flags=re.DOTALL):
            if what == "table":
                out += python_table(name, body, doc, types)
            elif what == "enum":
                out += ["", "", f"class {name}(enum.IntEnum):"]
                about = comment(doc, "    ", "")
                out += ['    """' + "\n".join(about).strip() + '"""', ""] if about else []
                for documentation, key, value in re.findall(r"((?:\s*///[^\n]*\n)*)\s*(\w+) = (\d+)", body):
                    out += [*comment(documentation, "    "), f"    {snake(key)} = {value}"]
            elif what == "struct":
                members = re.findall(r"(\w+):(\w+);", body)
                out += ["", "", *comment(doc, ""), f"_{snake(name)} = ("]
                out += [f'    ("{key}", "{SCALARS[kind][2].removeprefix("np.").rstrip("_")}"),' for key, kind in members] + [")"]
            else:
                names = [one.strip() for one in body.split(",")]
                out += ["", "", f"{name}: TypeAlias = {' | '.join(names)}", f"{name}_TYPES: tuple[type[Record], ...] = ({', '.join(names)})"]
    out += ["", "", "def __getattr__(name: str) -> Any:", '    """The NumPy types of the structs, which are made when they are asked for."""',
            f"    if name not in ({', '.join(repr(snake(name)) for name in structs)}):".replace("'", '"'),
            '        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")',
            '    return Column(globals()["_" + name]).dtype']  # fmt: skip
    return "\n".join(out + [""])


# ------------------------------------------------------------------------------------------------------------- everything


def flatc(language: str, out: pathlib.Path, schemas: pathlib.Path, program: pathlib.Path | str = "flatc") -> None:
    out.mkdir(parents=True, exist_ok=True)
    files = [str(schemas / f"{name}.fbs") for name in SCHEMAS]
    subprocess.run([str(program), f"--{language}", "-o", str(out), *files], check=True)


def generate(root: pathlib.Path, work: pathlib.Path) -> list[pathlib.Path]:
    """Writes the generated files below `root`. Returns, relative to it, the files and the folders that hold generated files only."""
    abi = read_header(HEADER.read_text(encoding="utf-8"))
    made = {
        "capi/abi/abi.json": json.dumps(abi, indent=1) + "\n",
        "capi/src/check/schema_rows.h": schema_rows(SCHEMAS),
        "bindings/go/internal/capi/stowage.h": HEADER.read_text(encoding="utf-8"),
        "bindings/go/internal/text/stowage_text.h": TEXT_HEADER.read_text(encoding="utf-8"),
        "bindings/rust/stowage-sys/src/bindings.rs": rust_bindings(abi),
        "bindings/java/stowage/src/main/java/stowage/internal/StowageH.java": java_bindings(abi),
        "bindings/python/src/stowage/_abi.py": python_calls(abi),
        "bindings/python/src/stowage/records.py": python_records(),
    }
    for name, content in made.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")

    # The table Option is renamed, because Rust's prelude has an Option. Names of tables are not on the wire.
    schemas = work / "schema"
    schemas.mkdir()
    for name in SCHEMAS:
        text = (ROOT / f"capi/schema/{name}.fbs").read_text(encoding="utf-8")
        (schemas / f"{name}.fbs").write_text(re.sub(r"\bOption\b(?=[\]\s{]*[;{])", "RequestOption", text), encoding="utf-8")
    go = root / "bindings/go/wire"
    flatc("go", work / "go", schemas)
    shutil.rmtree(go, ignore_errors=True)
    shutil.move(work / "go/stowage/wire", go)
    (go / "doc.go").write_text(GO_WIRE, encoding="utf-8")
    made_folders = [go]
    if RUST_FLATC.exists():
        rust = root / "bindings/rust/stowage/src/wire"
        shutil.rmtree(rust, ignore_errors=True)
        flatc("rust", rust, schemas, RUST_FLATC)
        made_folders.append(rust)
    java = root / "bindings/java/stowage/src/main/java/stowage/wire"
    flatc("java", work / "java", schemas)
    shutil.rmtree(java, ignore_errors=True)
    shutil.move(work / "java/stowage/wire", java)
    return [pathlib.Path(name) for name in made] + [path.relative_to(root) for path in (*made_folders, java)]


def differences(made: pathlib.Path, committed: pathlib.Path) -> list[str]:
    if not committed.exists():
        return [f"{committed.relative_to(ROOT)}: is missing"]
    if made.is_file():
        same = filecmp.cmp(made, committed, shallow=False)
        return [] if same else [f"{committed.relative_to(ROOT)}: is not what the header and the schemas make"]
    names = sorted({path.name for path in made.iterdir()} | {path.name for path in committed.iterdir()})
    problems = []
    for name in names:
        if not (made / name).exists():
            problems.append(f"{(committed / name).relative_to(ROOT)}: nothing makes it")
        else:
            problems += differences(made / name, committed / name)
    return problems


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with what is committed, change nothing")
    check = parser.parse_args().check
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        if not RUST_FLATC.exists():
            print(f"generate-bindings: {'SKIPPED, ' if check else ''}the Rust code of the schemas is left as it is: it needs the flatc of "
                  "scripts/setup.sh bindings", file=sys.stderr)  # fmt: skip
        if not check:
            generate(ROOT, work)
            return 0 if RUST_FLATC.exists() else 1
        made = work / "made"
        problems = [problem for path in generate(made, work) for problem in differences(made / path, ROOT / path)]
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems:
        print("run scripts/generate-bindings.py", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
