"""How Sphinx makes the reference of the Python package: scripts/build-docs.sh."""

import re

import stowage

project = "Stowage for Python"
version = release = stowage.__version__
extensions = ["sphinx.ext.autodoc"]
html_theme = "alabaster"
html_theme_options = {"page_width": "1100px", "fixed_sidebar": True}
html_show_copyright = False
html_show_sphinx = False
# Single backticks in docstrings stand for code.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_default_options = {"exclude-members": "FIELDS"}
python_maximum_signature_line_length = 100
# `Instance` in an annotation is the class of the package; the record of that name is always called records.Instance.
suppress_warnings = ["ref.python"]

# A line of a list of parameters in a docstring: a name, two spaces or more, and what it is.
_PARAMETER = re.compile(r"(\w+(?:, \w+)*) {2,}(\S.*)")


def as_definitions(app: object, what: str, name: str, obj: object, options: object, lines: list[str]) -> None:
    """Makes definition lists of the lists of parameters in docstrings."""
    made: list[str] = []
    inside = False
    for line in lines:
        if match := _PARAMETER.fullmatch(line):
            made += [f"`{match[1]}`", f"    {match[2]}"]
            inside = True
        elif inside and line.startswith(" "):
            made.append(f"    {line.strip()}")
        else:
            inside = False
            made.append(line)
    lines[:] = made


def setup(app: object) -> None:
    app.connect("autodoc-process-docstring", as_definitions)  # type: ignore[attr-defined]
