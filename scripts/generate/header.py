"""Reads stowage.h: what the declarations of every language are made of."""

import re

NOTE = "Made by scripts/generate-bindings.py from stowage.h. Do not edit."
TEXT_NOTE = NOTE.replace("stowage.h", "stowage_text.h")
OPAQUE = ("stowage_instance", "stowage_control", "stowage_session", "stowage_model")
# The only callback type, in Rust's notation; the other languages see an address.
CALLBACK = "stowage_solve"
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
    for result, name, parameters in re.findall(r"STOWAGE_(?:TEXT_)?API\s+([^;(]*?)(\w+)\s*\(([^)]*)\)", code):
        listed = []
        for parameter in " ".join(parameters.split()).split(","):
            if parameter.strip() != "void":
                kind, label = re.fullmatch(r"(.+?[ *])(\w+)", parameter.strip()).groups()
                listed.append({"name": label, "type": kind.strip().replace(" *", "*")})
        functions[name] = {"returns": " ".join(result.split()).replace(" *", "*"), "parameters": listed}
    return {"constants": constants, "enums": enums, "structs": structs, "functions": dict(sorted(functions.items()))}
