#!/usr/bin/env python3
"""Makes the source of the site from the pages: what scripts/build-docs.sh site gives to Sphinx.

Usage: site.py FOLDER    FOLDER: is made; holds the pages of docs/, their pictures and tables, and the READMEs of the languages

The parts of docs/index.md, and their links in this order, are the contents of the site. A link to a file that the site does not hold
becomes its text.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Pages that stand elsewhere: under which name the site has them.
ELSEWHERE = {
    "bindings/go/README.md": "languages/go.md",
    "bindings/rust/README.md": "languages/rust.md",
    "bindings/java/README.md": "languages/java.md",
    "bindings/python/README.md": "languages/python.md",
    "wasm/README.md": "languages/npm.md",
    "bindings/go/stowage-k8s/README.md": "languages/kubernetes.md",
    "web-demo/README.md": "languages/explorer.md",
    "CHANGELOG.md": "changelog.md",
}
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s#]*)(#[^)\s]*)?\)")


def held() -> dict[str, str]:
    """Where the site has a file of the repository."""
    listed = ["git", "-C", str(ROOT), "ls-files", "--cached", "--others", "--exclude-standard", "docs"]
    files = subprocess.run(listed, check=True, capture_output=True, text=True).stdout.splitlines()
    return {file: file.removeprefix("docs/") for file in files if (ROOT / file).is_file()} | ELSEWHERE


def linked(text: str, page: str, site: dict[str, str]) -> str:
    """The text of a page with its links as they are on the site."""

    def link(match: re.Match[str]) -> str:
        picture, words, target, anchor = match.groups(default="")
        if not target or re.match(r"[a-z]+:", target):
            return match[0]
        file = os.path.normpath(os.path.join(os.path.dirname(page), target))
        if file not in site:
            return "" if picture else words
        return f"{picture}[{words}]({os.path.relpath(site[file], os.path.dirname(site[page]) or '.')}{anchor})"

    return LINK.sub(link, text)


def contents(index: str) -> str:
    """The pages of each part of the index, as Sphinx wants to know them."""
    lines = []
    for part in re.split(r"^## ", index, flags=re.MULTILINE)[1:]:
        pages = list(dict.fromkeys(match[3] for match in LINK.finditer(part) if match[3].endswith(".md")))
        lines += ["", "```{toctree}", ":hidden:", f":caption: {part.splitlines()[0]}", "", *pages, "```"]
    return "\n".join([*lines, "", "```{toctree}", ":hidden:", ":caption: Languages", "", *ELSEWHERE.values(), "```", ""])


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    out = pathlib.Path(sys.argv[1])
    site = held()
    for file, name in site.items():
        target = out / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if not file.endswith(".md"):
            shutil.copy(ROOT / file, target)
            continue
        text = linked((ROOT / file).read_text(encoding="utf-8"), file, site)
        target.write_text(text + contents(text) if name == "index.md" else text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
