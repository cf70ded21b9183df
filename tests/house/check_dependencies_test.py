"""scripts/check-dependencies.py finds a package without a licence, one that nothing uses, and a version with an advisory."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SETUP = "build=(g++ libflatbuffers-dev)\n"
GO = "module stowage.dev/go\n\nrequire (\n\tgoogle.golang.org/grpc v1.78.0\n\tgolang.org/x/net v0.47.0 // indirect\n)\n"
PAGE = """# Licences
## C++
| package | licence | for |
|---|---|---|
| libflatbuffers-dev | Apache-2.0 | the library |
## Go
| package | licence | for |
|---|---|---|
| google.golang.org/grpc | Apache-2.0 | tests |
| golang.org/x/* | BSD-3-Clause | tests |
"""


class CheckDependencies(unittest.TestCase):
    def problems(self, page: str = PAGE, advisories: str = "", go: str = GO) -> list[str]:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name in ("scripts", "docs/reference", "bindings/go"):
                (root / name).mkdir(parents=True)
            shutil.copy(ROOT / "scripts/check-dependencies.py", root / "scripts")
            (root / "scripts/setup.sh").write_text(SETUP, encoding="utf-8")
            (root / "scripts/advisories.tsv").write_text("ecosystem\tpackage\tmended\tadvisory\n" + advisories, encoding="utf-8")
            (root / "docs/reference/licences.md").write_text(page, encoding="utf-8")
            (root / "bindings/go/go.mod").write_text(go, encoding="utf-8")
            command = [sys.executable, "-B", root / "scripts/check-dependencies.py"]
            done = subprocess.run(command, check=False, capture_output=True, text=True)
            self.assertEqual(done.returncode, 1 if done.stderr else 0)
            return done.stderr.splitlines()

    def test_nothing_is_missing(self) -> None:
        self.assertEqual(self.problems(), [])

    def test_a_licence_is_missing(self) -> None:
        found = self.problems(page=PAGE.replace("| google.golang.org/grpc | Apache-2.0 | tests |\n", ""))
        self.assertEqual(found, ["bindings/go/go.mod: google.golang.org/grpc has no licence in docs/reference/licences.md, section Go"])

    def test_a_row_is_left_behind(self) -> None:
        found = self.problems(page=PAGE + "| k8s.io/* | Apache-2.0 | tests |\n")
        self.assertEqual(found, ["docs/reference/licences.md: nothing of Go is named k8s.io/*"])

    def test_an_advisory_names_a_version(self) -> None:
        advisory = "Go\tgolang.org/x/net\t0.48.0\tGO-1\n"
        found = self.problems(advisories=advisory)
        self.assertEqual(found, ["bindings/go/go.mod: golang.org/x/net 0.47.0 is subject to GO-1, which 0.48.0 mends"])
        self.assertEqual(self.problems(advisories=advisory, go=GO.replace("0.47.0", "0.48.0")), [])


if __name__ == "__main__":
    unittest.main()
