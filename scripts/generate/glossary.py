"""Makes the page of the glossary from what the command prints of it."""

from .json_format import between
from .schema import ROOT

WORDS = "capi/cli/words.tsv"
PAGE = "docs/understand/words.md"


def glossary() -> dict[str, str]:
    words = [line.split("\t") for line in (ROOT / WORDS).read_text(encoding="utf-8").splitlines()]
    return {PAGE: between(PAGE, "| --- |", "\n", [f"| {word} | {meaning} |" for word, meaning in words])}
