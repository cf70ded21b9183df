#!/usr/bin/env python3
"""Every path in a code span of a page exists: `core/plan/plan.h`, `core/*/`, `tests/unit/{plan,run}`; from the root or the page."""

import fnmatch
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Words in capitals stand for names of the reader.
PLACEHOLDER = re.compile(r"[A-Z]{2,}|X\.Y\.Z")
PATH = re.compile(r"[\w.{},*/-]+/[\w.{},*/-]*")


def alternatives(path: str) -> list[str]:
    """The paths that braces stand for: a{b,c} is ab and ac."""
    braces = re.search(r"\{([^{}]*)\}", path)
    if braces is None:
        return [path]
    return [one for part in braces[1].split(",") for one in alternatives(path[: braces.start()] + part + path[braces.end() :])]


def paths_in(text: str) -> list[str]:
    """The paths in the code spans of a page, blocks of code left out."""
    text = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    words = [word for span in re.findall(r"`([^`\n]+)`", text) for word in span.split()]
    found = [word.rstrip("/") for word in words if PATH.fullmatch(word) and not PLACEHOLDER.search(word)]
    return [one for path in found for one in alternatives(path)]


class Paths(unittest.TestCase):
    def setUp(self) -> None:
        listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
        self.pages = [name for name in listed if name.endswith(".md")]
        self.known = {*listed, *(str(folder) for name in listed for folder in pathlib.PurePosixPath(name).parents)}
        self.tops = {name.split("/")[0] for name in listed if "/" in name}

    def exists(self, path: str, page: str) -> bool:
        folder = str(pathlib.PurePosixPath(page).parent)
        return any(fnmatch.fnmatchcase(known, one) for one in (path, f"{folder}/{path}") for known in self.known)

    def test_paths_of_pages_exist(self) -> None:
        for page in self.pages:
            for path in paths_in((ROOT / page).read_text(encoding="utf-8")):
                with self.subTest(page=page, path=path):
                    self.assertTrue(path.split("/")[0] not in self.tops or self.exists(path, page))

    def test_reading(self) -> None:
        self.assertEqual(paths_in("`a/b.{h,cpp}`, `x = a/NAME.h` and `c`\n```\na/c\n```\n`stowage -o d/`"), ["a/b.h", "a/b.cpp", "d"])
        self.assertEqual(alternatives("a{b,c}/{d,e}"), ["ab/d", "ab/e", "ac/d", "ac/e"])


if __name__ == "__main__":
    unittest.main()
