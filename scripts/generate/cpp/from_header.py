"""capi/src/from_header.cpp: the C functions that follow from stowage.h. Those without a control call those with one."""

from ..header import NOTE


def status_text(abi: dict) -> list[str]:
    names = [name for name in abi["enums"]["stowage_status"] if not name.endswith(("_INTERNAL", "_END"))]
    return ["const char* stowage_status_text(stowage_status status) {", "  switch (static_cast<int>(status)) {",
            *(f'    case {name}: return "{name}";' for name in names), '    default: return "STOWAGE_INTERNAL";', "  }", "}", ""]  # fmt: skip


def from_header(abi: dict) -> str:
    lines = [f"// {NOTE}", "// clang-format off", '#include "capi/include/stowage.h"', "", 'extern "C" {', "", *status_text(abi)]
    for name, watched in abi["functions"].items():
        if not name.endswith("_watched"):
            continue
        plain = name.removesuffix("_watched")
        function = abi["functions"][plain]
        parameters = ", ".join(f"{one['type']} {one['name']}" for one in function["parameters"])
        given = ", ".join("nullptr" if one["name"] == "control" else one["name"] for one in watched["parameters"])
        lines += [f"{function['returns']} {plain}({parameters}) {{", f"  return {name}({given});", "}", ""]
    return "\n".join([*lines, '}  // extern "C"', ""])
