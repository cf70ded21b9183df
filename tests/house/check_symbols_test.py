"""scripts/check-symbols.py finds a function that is missing in the header, in the inventory or in the library."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).parents[2] / "scripts" / "check-symbols.py"
HEADER = """
#define STOWAGE_API
/* STOWAGE_API int stowage_in_a_comment(void); */
STOWAGE_API const char* stowage_a(void);
STOWAGE_API int stowage_b(const unsigned char* bytes,
                          int size);
"""


class CheckSymbols(unittest.TestCase):
    def run_script(self, inventory: list[str], exported: list[str]) -> subprocess.CompletedProcess[str]:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "symbols.txt").write_text("\n".join(inventory) + "\n", encoding="utf-8")
            (root / "stowage.h").write_text(HEADER, encoding="utf-8")
            nm = root / "nm"
            nm.write_text("#!/bin/sh\n" + "".join(f"echo '{name} T 10 20'\n" for name in exported), encoding="utf-8")
            nm.chmod(0o755)
            return subprocess.run(
                [sys.executable, str(SCRIPT), "--inventory", str(root / "symbols.txt"), "--header", str(root / "stowage.h"),
                 "--library", "libstowage.so", "--nm", str(nm)],
                capture_output=True, text=True, check=False,
            )  # fmt: skip

    def test_agreement(self) -> None:
        result = self.run_script(["stowage_a", "stowage_b"], ["stowage_b", "stowage_a@@STOWAGE_0"])
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_each_disagreement(self) -> None:
        for inventory, exported, message in (
            (["stowage_a"], ["stowage_a"], "stowage.h: stowage_b is not in"),
            (["stowage_a", "stowage_b", "stowage_c"], ["stowage_a", "stowage_b", "stowage_c"], "stowage.h: stowage_c is missing"),
            (["stowage_a", "stowage_b"], ["stowage_a"], "libstowage.so: stowage_b is missing"),
            (["stowage_a", "stowage_b"], ["_ZSt4move", "stowage_a", "stowage_b"], "libstowage.so: _ZSt4move is not in"),
            (["stowage_b", "stowage_a"], ["stowage_a", "stowage_b"], "not sorted"),
        ):
            with self.subTest(message):
                result = self.run_script(inventory, exported)
                self.assertEqual(result.returncode, 1)
                self.assertIn(message, result.stderr)


if __name__ == "__main__":
    unittest.main()
