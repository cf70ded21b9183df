"""scripts/check-architecture.py refuses forbidden includes, files without an area and crowded folders, and accepts all others."""

import importlib.util
import itertools
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).parents[2] / "scripts" / "check-architecture.py"


def run(files: dict[str, str]) -> subprocess.CompletedProcess[str]:
    with tempfile.TemporaryDirectory() as root:
        for name, text in files.items():
            path = pathlib.Path(root, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return subprocess.run([sys.executable, str(SCRIPT), root], capture_output=True, text=True, check=False)


class CheckArchitecture(unittest.TestCase):
    def accepts(self, name: str, include: str) -> None:
        result = run({name: f"#include {include}\n"})
        self.assertEqual(result.returncode, 0, result.stderr)

    def refuses(self, name: str, include: str) -> None:
        result = run({name: f"// a line\n  #  include {include}\n"})
        self.assertEqual(result.returncode, 1, f"{name} may include {include}")
        self.assertTrue(result.stderr.startswith(f"{name}:2: may not include "), result.stderr)

    def test_core(self) -> None:
        self.accepts("core/planners/lists/fit.cpp", '"core/model/instance.h"')
        self.accepts("core/planners/lists/fit.cpp", "<vector>")
        self.accepts("core/simd/kernels.cpp", "<immintrin.h>")
        for include in (
            "<iostream>", "<fstream>", "<cstdio>", "<stdio.h>", "<unistd.h>", "<filesystem>", "<flatbuffers/flatbuffers.h>",
            '"plan_generated.h"', "<stowage.h>", '"stowage.h"', '"capi/src/decode.h"', '"tests/unit/builder.h"', '"instance.h"',
            '"../capi/src/decode.h"', "<immintrin.h>", "<CLI/CLI.hpp>",
        ):  # fmt: skip
            self.refuses("core/planners/lists/fit.cpp", include)

    def test_layers_within_core(self) -> None:
        self.refuses("core/model/instance.cpp", '"core/planners/families.h"')
        self.refuses("core/placement/placement.h", '"core/search/search_state.h"')
        self.accepts("core/search/search_state.h", '"core/placement/placement.h"')
        self.refuses("core/verify/checker.cpp", '"core/placement/residuals.h"')
        self.refuses("core/verify/checker.cpp", '"core/planners/families.h"')
        self.accepts("core/verify/checker.cpp", '"core/model/instance.h"')

    def test_neighbourhoods_name_no_goal(self) -> None:
        text = "void try_it() {\n  if (goal.what == GoalKind::kMoves) return;\n}\n"
        for folder in ("goals/neighbourhoods", "goals/search", "rebuild/neighbourhoods"):
            result = run({f"core/{folder}/one.cpp": text})
            self.assertEqual(result.returncode, 1)
            self.assertIn(f"core/{folder}/one.cpp:2: names GoalKind::kMoves", result.stderr)
        self.assertEqual(run({"core/terms/one.cpp": text}).returncode, 0)

    def test_no_circles_between_folders_of_core(self) -> None:
        spec = importlib.util.spec_from_file_location("check_architecture", SCRIPT)
        script = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = script
        spec.loader.exec_module(script)
        folders = [folder.removeprefix("core/").rstrip("/") for folder in script.CORE_ORDER]

        def may_include(one: str, other: str) -> bool:
            return script.refusal(script.area_of(f"core/{one}/a.h"), f"core/{other}/b.h", True) is None

        for one, other in itertools.combinations(folders, 2):
            self.assertFalse(may_include(one, other) and may_include(other, one), f"core/{one} and core/{other}")
        self.refuses("core/run/run.h", '"core/planners/planner.h"')

    def test_library_and_command(self) -> None:
        for include in ('"core/base/status.h"', '"stowage.h"', '"plan_generated.h"', "<flatbuffers/flatbuffers.h>"):
            self.accepts("capi/src/stowage.cpp", include)
        for include in ("<iostream>", '"capi/cli/base/files.h"', '"tests/capi/test_data.h"', "<CLI/CLI.hpp>"):
            self.refuses("capi/src/stowage.cpp", include)
        for include in ("<stowage.h>", '"plan_generated.h"', '"capi/cli/base/files.h"', "<CLI/CLI.hpp>", "<fstream>"):
            self.accepts("capi/cli/main.cpp", include)
        for include in ('"core/base/status.h"', '"capi/src/decode.h"', '"tests/capi/test_data.h"', '"capi/lab/app.h"'):
            self.refuses("capi/cli/main.cpp", include)
        for include in ("<stowage.h>", '"capi/cli/command_line.h"', '"capi/lab/app.h"'):
            self.accepts("capi/lab/main.cpp", include)
        for include in ('"core/base/status.h"', '"capi/src/decode.h"', '"tests/capi/test_data.h"'):
            self.refuses("capi/lab/main.cpp", include)
        self.accepts("capi/cli/formats/csv.cpp", '"capi/cli/base/files.h"')
        self.refuses("capi/cli/base/files.cpp", '"capi/cli/formats/instance_file.h"')

    def test_public_headers(self) -> None:
        self.accepts("capi/include/stowage.hpp", "<stowage.h>")
        for include in ("<flatbuffers/flatbuffers.h>", '"core/base/status.h"', "<iostream>"):
            self.refuses("capi/include/stowage.hpp", include)

    def test_every_folder_has_a_place(self) -> None:
        result = run({"elsewhere/a.cpp": ""})
        self.assertEqual(result.returncode, 1)
        self.assertIn("elsewhere/a.cpp: in no area", result.stderr)
        self.assertIn("core/elsewhere/a.cpp: in no area", run({"core/elsewhere/a.cpp": ""}).stderr)
        self.assertEqual(run({"build/release/a.cpp": "#include <x>", "core/base/status.cpp": ""}).returncode, 0)
        self.assertEqual(run({"README.md": ""}).returncode, 1, "a tree without sources is a mistake")

    def test_no_folder_has_more_than_a_dozen_files(self) -> None:
        dozen = {f"core/base/{k}.cpp": "" for k in range(12)}
        self.assertEqual(run({**dozen, "core/base/numbers/a.h": "", "core/base/CMakeLists.txt": ""}).returncode, 0)
        result = run({**dozen, "core/base/a.h": ""})
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr, "core/base: 13 source files, more than 12\n")
        pages = {f"web-demo/src/{k}.ts": "" for k in range(13)}
        self.assertIn("web-demo/src: 13 source files", run({**dozen, **pages}).stderr)

    def test_exceptions_are_needed(self) -> None:
        tests = {f"wasm/test/{k}.mjs": "" for k in range(13)}
        self.assertEqual(run({**tests, "core/base/a.h": ""}).returncode, 0)
        result = run({"wasm/test/a.mjs": "", "core/base/a.h": ""})
        self.assertEqual(result.returncode, 1)
        self.assertIn("wasm/test: 1 source files, so that CROWDED need not list it", result.stderr)


if __name__ == "__main__":
    unittest.main()
