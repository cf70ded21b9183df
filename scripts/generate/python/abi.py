"""Makes the calls of stowage.h and stowage_text.h through ctypes."""

from ..header import CALLBACK, NOTE

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
    out = [f"# {NOTE}", '"""The functions, structs and constants of stowage.h and stowage_text.h, as they are."""', "", "import ctypes",
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
    out += ["", "", "def _declare(library: ctypes.CDLL, name: str, result: Any, *parameters: Any) -> Callable[..., Any]:",
            "    function = getattr(library, name)", "    function.restype = result", "    function.argtypes = parameters",
            "    declared: Callable[..., Any] = function", "    return declared"]  # fmt: skip
    for kind, functions in (("Library", abi["functions"]), ("TextLibrary", abi["text_functions"])):
        header = "stowage.h" if kind == "Library" else "stowage_text.h"
        out += ["", "", f"class {kind}:",
                f'    """The functions of {header} in a loaded library. A call releases the global interpreter lock."""', "",
                "    def __init__(self, library: ctypes.CDLL) -> None:"]  # fmt: skip
        for name, function in functions.items():
            result = "None" if function["returns"] == "void" else ctypes_type(function["returns"], abi)
            parameters = "".join(f",\n            {ctypes_type(p['type'], abi)}" for p in function["parameters"])
            out.append(f'        self.{name} = _declare(\n            library,\n            "{name}",\n            {result}{parameters},\n        )')
    return "\n".join(out + [""])
