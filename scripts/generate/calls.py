"""Writes the page of functions: how each is called in each language, or why it is not."""

HEAD = """# Functions by language

Each function of the C ABI, and how programs call it. `capi/abi/calls.json` says it, and `scripts/check-bindings.py` holds it against
the code: a function that is called nowhere has its reason here. A function with `_watched` beside it takes a control as well; it has
the same name elsewhere, with one parameter more, or with `_with` or `Context` behind it. Words in italics are explained below.

| function | {} |
|---|{}
"""


def rows(functions: list[str]) -> dict[str, str]:
    """The rows of the table with their labels: a function has one with that which takes a control as well."""
    watched = {name for name in functions if name.endswith("_watched")}
    plain = [name for name in functions if name not in watched]
    return {name: f"`{name}`{', `_watched`' if f'{name}_watched' in watched else ''}" for name in plain}


def cell(text: str) -> str:
    return f"*{text[1:]}*" if text[0] in "-~" else f"`{text}`"


def functions_page(abi: dict, calls: dict) -> str:
    languages = calls["languages"]
    lines = [HEAD.format(" | ".join(languages), "---|" * len(languages))]
    for header, functions in (("stowage.h", abi["functions"]), ("stowage_text.h", abi["text_functions"])):
        for name, label in rows(list(functions)).items():
            there = calls["functions"].get(name, ["-missing"] * len(languages))
            lines.append(f"| {label} | {' | '.join(map(cell, there))} |\n")
    for title, key in (("Called by the package itself", "inside"), ("Not called", "absent")):
        lines.append(f"\n## {title}\n")
        lines += [f"- *{word}*: {why}\n" for word, why in calls[key].items()]
    return "".join(lines)
