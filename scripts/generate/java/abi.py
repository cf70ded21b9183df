"""Makes the calls of stowage.h through the foreign function API of Java."""

from ..header import CALLBACK, NOTE, TEXT_NOTE, layout_of, size_of
from ..words import camel

JAVA = {"size_t": ("long", "JAVA_LONG"), "uint64_t": ("long", "JAVA_LONG"), "uint32_t": ("int", "JAVA_INT"),
        "char": ("byte", "JAVA_BYTE"), "double": ("double", "JAVA_DOUBLE"), CALLBACK: ("MemorySegment", "ADDRESS")}  # fmt: skip


def java_type(kind: str, abi: dict) -> tuple[str, str]:
    """Java carrier type and memory layout of a C type."""
    if kind.endswith("*"):
        return "MemorySegment", "ADDRESS"
    return ("int", "JAVA_INT") if kind in abi["enums"] else JAVA[kind]


def java_calls(functions: dict, abi: dict) -> list[str]:
    """A method for each function, which the method find() of the class looks up."""
    out = []
    for name, function in functions.items():
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
    return out


def java_text(abi: dict) -> str:
    out = [f"// {TEXT_NOTE}", "package stowage.internal;", "",
           "import static java.lang.foreign.ValueLayout.ADDRESS;", "import static java.lang.foreign.ValueLayout.JAVA_INT;",
           "import static java.lang.foreign.ValueLayout.JAVA_LONG;", "", "import java.lang.foreign.FunctionDescriptor;",
           "import java.lang.foreign.Linker;", "import java.lang.foreign.MemorySegment;", "import java.lang.invoke.MethodHandle;", "",
           "/** The functions of {@code stowage_text.h}, as they are. */", "public final class StowageTextH {",
           "  private StowageTextH() {}", "", "  private static MethodHandle find(String name, FunctionDescriptor descriptor) {",
           "    return Linker.nativeLinker().downcallHandle(TextLibrary.find(name), descriptor);", "  }"]  # fmt: skip
    return "\n".join(out + java_calls(abi["text_functions"], abi) + ["}", ""])


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
    return "\n".join(out + java_calls(abi["functions"], abi) + ["}", ""])
