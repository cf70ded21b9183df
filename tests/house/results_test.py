"""scripts/update-results.py: the page is what the releases' files make, and what became worse is named."""

import csv
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
COLUMNS = ("class", "planner", "instances", "proven", "gap", "worst_gap", "seconds")


class UpdateResults(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "scripts").mkdir()
        (self.root / "docs/results").mkdir(parents=True)
        (self.root / "docs/research").mkdir()
        shutil.copy(ROOT / "scripts/update-results.py", self.root / "scripts")
        self.page = self.root / "docs/research/results.md"
        self.page.write_text("before\n<!-- results: begin -->\n<!-- results: end -->\nafter\n", encoding="utf-8")

    def release(self, version: str, *rows: tuple[str, ...]) -> None:
        with (self.root / f"docs/results/{version}.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([COLUMNS, *rows])

    def run_script(self, *arguments: str) -> int:
        command = [sys.executable, "-B", self.root / "scripts/update-results.py", *arguments]
        return subprocess.run(command, check=False, capture_output=True).returncode

    def test_committed_page(self) -> None:
        done = subprocess.run([sys.executable, "-B", ROOT / "scripts/update-results.py", "--check"], check=False)
        self.assertEqual(done.returncode, 0)

    def test_first_release(self) -> None:
        self.release("0.9.0", ("a", "auto", "2", "1", "0.01", "0.02", "1"))
        self.assertEqual(self.run_script("--check"), 1)
        self.assertEqual(self.run_script(), 0)
        self.assertEqual(self.run_script("--check"), 0)
        text = self.page.read_text(encoding="utf-8")
        self.assertIn("| a | auto | 2 | 1 | 1.00 % | 2.00 % | 1 s |", text)
        self.assertIn("0.9.0 is the first release", text)
        self.assertTrue(text.startswith("before\n") and text.endswith("after\n"))

    def test_what_became_worse(self) -> None:
        before = [(name, "auto", "1", "", "0.01", "0.01", "0.01") for name in ("gap", "time", "same", "better", "gone")]
        self.release("0.9.0", *before)
        self.release(
            "0.10.0",  # newer than 0.9.0
            ("gap", "auto", "1", "", "0.0106", "0.0106", "0.01"),
            ("time", "auto", "1", "", "0.01", "0.01", "0.0151"),
            ("same", "auto", "1", "", "0.0104", "0.0104", "0.0149"),
            ("better", "auto", "1", "", "0.001", "0.001", "0.001"),
            ("new", "auto", "1", "", "0.5", "0.5", "9"),
        )
        self.assertEqual(self.run_script(), 0)
        text = self.page.read_text(encoding="utf-8")
        worse = [line for line in text.splitlines() if line.startswith("- ")]
        self.assertEqual(
            worse,
            [
                "- gap, auto: the gap is 1.06 %, and was 1.00 %.",
                "- gone, auto: is no longer measured.",
                "- time, auto: it takes 15.1 ms, and took 10 ms.",
            ],
        )


if __name__ == "__main__":
    unittest.main()
