"""scripts/check-bindings.py finds a function, a status, a field or a version that a binding lacks or has outdated."""

import importlib.util
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parents[2]
SCRIPT = ROOT / "scripts" / "check-bindings.py"


def load(script: str):
    spec = importlib.util.spec_from_file_location(script.replace("-", "_"), ROOT / "scripts" / f"{script}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


class CheckBindings(unittest.TestCase):
    def run_on_copy(self, changes: list[tuple[str, str, str]]) -> subprocess.CompletedProcess[str]:
        check = load("check-bindings")
        files = [ROOT / "capi/abi" / name for name in ("abi.json", "calls.json", "homes.json", "symbols.txt", "text_symbols.txt", "k8s_symbols.txt")] + [ROOT / check.VERSION[0]]
        files += [*ROOT.glob("capi/schema/*.fbs"), *(path for files, *_ in check.PUBLIC.values() for path in ROOT.glob(files))]
        files += [ROOT / file for file, _ in check.VERSIONS]
        files += [path for one in check.LANGUAGES.values() for files in one.files for path in ROOT.glob(files)]
        with tempfile.TemporaryDirectory() as folder:
            for file in files:
                copy = pathlib.Path(folder) / file.relative_to(ROOT)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(file, copy)
            for name, old, new in changes:
                path = pathlib.Path(folder) / name
                text = path.read_text(encoding="utf-8")
                self.assertIn(old, text, name)
                path.write_text(text.replace(old, new), encoding="utf-8")
            return subprocess.run([sys.executable, str(SCRIPT), folder], capture_output=True, text=True, check=False)

    def test_agreement(self) -> None:
        result = self.run_on_copy([])
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_each_disagreement(self) -> None:
        go, rust = "bindings/go/internal/capi/capi.go", "bindings/rust/stowage/src/instance.rs"
        calls = "capi/abi/calls.json"
        java, python = "bindings/java/stowage/src/main/java/stowage", "bindings/python/src/stowage"
        changes = [
            (go, "C.stowage_bound_watched(", "C.stowage_bind(", "Go: nothing calls stowage_bound"),
            (go, "C.stowage_bound_watched(", "C.stowage_bind(", "Go: calls stowage_bind, which is not in the inventory"),
            (go, "C.STOWAGE_NOT_FOUND", "6", "Go: does not know the status NOT_FOUND"),
            (rust, "sys::stowage_verify_watched(", "sys::verify(", "Rust: nothing calls stowage_verify"),
            (f"{java}/Instance.java", "StowageH.stowage_explain(", "StowageH.explain(", "Java: nothing calls stowage_explain"),
            (f"{python}/_instance.py", "lib.stowage_bound_watched,", "lib.bound,", "Python: nothing calls stowage_bound"),
            ("capi/include/stowage.hpp", "stowage_check,", "check,", "C++: nothing calls stowage_check"),
            ("capi/include/stowage.hpp", "Buffer losses(", "Buffer lost(", "C++: stowage_losses has no Instance::losses"),
            ("wasm/src/library.ts", "  recommend(", "  advise(", "npm: stowage_model_recommend has no Model.recommend"),
            (calls, '"stowage_plan":', '"stowage_plans":', "calls.json: does not say how stowage_plan is called"),
            (calls, '"stowage_plan":', '"stowage_plans":', "calls.json: stowage_plans is not in the inventory"),
            (calls, '"-callback", ', '"-whim", ', "Go: stowage_control_set_solver has no -whim"),
            (calls, '"Instance.Bounds"', '"-callback"', "Go: does not leave out stowage_bound"),
            (f"{python}/_library.py", "_abi.STOWAGE_NOT_FOUND", "6", "Python: does not know the status NOT_FOUND"),
            ("wasm/src/module.ts", "\n  stowage_bound_watched(", "\n  bound(", "npm: nothing calls stowage_bound"),
            ("capi/schema/plan.fbs", "  seed:uint64;", "  seed:uint64;\n  luck:double;", "Go: Plan.luck has no home in Plan"),
            ("capi/schema/request.fbs", "Traffic = 5,", "Traffic = 5,\n  Luck = 6,", "Rust: does not know Objective.Luck"),
            ("capi/schema/report.fbs", "Rules = 7,", "Rules = 7,\n  Luck = 8,", "JavaScript: does not know ConflictKind.Luck"),
            ("bindings/go/records.go", "\tAllOrNothing bool", "\tWhole bool", "Go: Request.all_or_nothing has no home in Request"),
            ("bindings/rust/stowage/src/records.rs", "pub imbalance:", "pub spread:", "Rust: ClusterMetrics.imbalance has no home"),
            (f"{java}/Verification.java", "ClusterMetrics metrics", "ClusterMetrics x", "Java: Verification.metrics has no home"),
            ("wasm/src/operations.ts", "peer: string", "other: string", "JavaScript: Operation.peer has no home"),
            ("capi/abi/homes.json", '"Plan.placed":', '"Plan.laid":', "homes.json: the schemas have no Plan.laid"),
            ("capi/abi/symbols.txt", "stowage_bound\n", "", "symbols.txt and abi.json differ"),
            ("capi/abi/text_symbols.txt", "stowage_plan_to_json\n", "", "text_symbols.txt and abi.json differ"),
            ("bindings/rust/Cargo.toml", 'version = "0.1.0"', 'version = "0.2.0"', "Cargo.toml: version 0.2.0, not 0.1.0"),
            ("CMakeLists.txt", "VERSION 0.1.0", "VERSION 0.1.1", "package.json: version 0.1.0, not 0.1.1"),
        ]
        # Disagreements that hide no other are looked for together.
        alone = [one for one in changes if one[0] in (calls, "CMakeLists.txt")]
        for together in ([one for one in changes if one not in alone], *([one] for one in alone)):
            result = self.run_on_copy(list(dict.fromkeys((file, old, new) for file, old, new, _ in together)))
            self.assertEqual(result.returncode, 1)
            for *_, message in together:
                with self.subTest(message):
                    self.assertIn(message, result.stderr)


if __name__ == "__main__":
    unittest.main()
