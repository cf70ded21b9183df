#!/usr/bin/env python3
"""scripts/build-docs.sh c makes a page of each header, and refuses a public thing without a comment. Skipped (77) without Doxygen."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARTS = ("scripts/build-docs.sh", "capi/docs", "capi/include")


class BuildDocs(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for part in PARTS:
            source, target = ROOT / part, self.root / part
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copytree(source, target) if source.is_dir() else shutil.copy(source, target)

    def build(self) -> subprocess.CompletedProcess[str]:
        environment = {name: value for name, value in os.environ.items() if name != "STOWAGE_DOCS"}
        command = [self.root / "scripts/build-docs.sh", "c"]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    def change(self, header: str, old: str, new: str) -> None:
        path = self.root / "capi/include" / header
        text = path.read_text(encoding="utf-8")
        self.assertEqual(text.count(old), 1, old)
        path.write_text(text.replace(old, new), encoding="utf-8")

    def test_pages(self) -> None:
        done = self.build()
        self.assertEqual(done.returncode, 0, done.stderr)
        html = self.root / "build/docs/c/html"
        for page in ("stowage_8h", "stowage__text_8h", "stowage__wire_8h"):
            self.assertTrue((html / f"{page}.html").exists(), page)
        text = (html / "stowage_8h.html").read_text(encoding="utf-8")
        # Lists of parameters and of statuses are read as such.
        self.assertIn('<td class="paramname">report</td>', text)
        self.assertIn('<dl class="section return">', text)

    def refused(self, word: str) -> None:
        done = self.build()
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn(word, done.stderr)

    def test_function_without_a_comment(self) -> None:
        self.change("stowage.h", "/* Free a session. NULL is allowed. Instances that it returned stay valid. */", "")
        self.refused("stowage_session_free")

    def test_macro_without_a_comment(self) -> None:
        self.change("stowage_wire.h", "/* The default request: planner auto, one thread. */\n", "")
        self.refused("STOWAGE_REQUEST_INIT")

    def test_parameter_that_there_is_not(self) -> None:
        self.change("stowage_text.h", " *   report, report_size what", " *   report, report_sise what")
        self.refused("report_sise")


if __name__ == "__main__":
    if shutil.which("doxygen") is None:
        print("SKIPPED, there is no doxygen: the reference of the C headers")
        sys.exit(77)
    unittest.main()
