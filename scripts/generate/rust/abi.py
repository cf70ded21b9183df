"""Makes the declarations of stowage-sys."""

from ..header import CALLBACK, NOTE, OPAQUE, TEXT_NOTE, layout_of

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


def rust_functions(functions: dict) -> list[str]:
    out = ['unsafe extern "C" {']
    for name, function in functions.items():
        parameters = "".join(f"\n        {p['name']}: {rust_type(p['type'])}," for p in function["parameters"])
        result = "" if function["returns"] == "void" else f" -> {rust_type(function['returns'])}"
        out.append(f"    pub fn {name}({parameters}{chr(10) + '    ' if parameters else ''}){result};")
    return [*out, "}"]


def rust_text(abi: dict) -> str:
    out = [f"// {TEXT_NOTE}", "//! The raw functions of `stowage_text.h`, with the feature `text`.", "", "use core::ffi::c_char;", "",
           "use crate::{stowage_buffer, stowage_error, stowage_limits, stowage_status};", ""]  # fmt: skip
    return "\n".join([*out, *rust_functions(abi["text_functions"]), ""])


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
    out += ["", *rust_functions(abi["functions"]), ""]
    out += ["/// Size of each struct, and the offset of each of its fields, where pointers have 64 bits.",
            '#[cfg(target_pointer_width = "64")]', "const _: () = {"]  # fmt: skip
    for name, fields in abi["structs"].items():
        offsets, size = layout_of(fields, abi)
        out.append(f"    assert!(core::mem::size_of::<{name}>() == {size});")
        for field, offset in zip(fields, offsets):
            out.append(f"    assert!(core::mem::offset_of!({name}, {field['name']}) == {offset});")
    return "\n".join(out + ["};", ""])
