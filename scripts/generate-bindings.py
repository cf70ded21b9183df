#!/usr/bin/env python3
"""Generates the parts of the bindings that follow from stowage.h and the schemas, or checks that they are up to date.

  capi/abi/abi.json                  the inventory: every function, struct, enumerator and constant of stowage.h, and the functions of stowage_text.h
  docs/reference/functions.md         how each function is called in each language
  capi/src/check/schema_rows.h       what stowage_check() knows of the schemas
  capi/include/stowage_wire.h        enumerations, requests and plans in C, between other parts
  capi/src/from_header.cpp           the C functions without a control, and the texts of statuses
  capi/src/wire                      between tables and the types of core
  core/model/data/app_numbers.h      numbers of apps in core; in JSON: in capi/cli/schemas/instance.schema.json and docs/reference/json-format.md
  capi/cli/schemas                   the other schemas of JSON, also of outlines.json there
  docs/understand/words.md           the glossary, which the command prints
  capi/text/records                  instances and plans as plain types
  bindings/go                        copies of stowage.h and stowage_text.h, records and code of the schemas
  bindings/rust                      declarations of stowage-sys, records and code of the schemas
  bindings/java                      calls of the C ABI through the foreign function API, records and code of the schemas
  bindings/python                    calls of the C ABI through ctypes, records of the schemas
  wasm/src                           columns, requests, derivations, reports and parts of plans of the npm package, and what its sizes follow from

The folder generate has a folder per language. Usage: scripts/generate-bindings.py [--check]
"""

import argparse
import filecmp
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from generate import calls, check_rows, glossary, header, json_format, schema  # noqa: E402
from generate.cpp import c_header as cpp_c_header  # noqa: E402
from generate.cpp import core as cpp_core  # noqa: E402
from generate.cpp import from_header as cpp_from_header  # noqa: E402
from generate.cpp import text as cpp_text  # noqa: E402
from generate.go import names as go_names  # noqa: E402
from generate.go import records as go_records  # noqa: E402
from generate.java import abi as java_abi  # noqa: E402
from generate.java import items as java_items  # noqa: E402
from generate.java import records as java_records  # noqa: E402
from generate.java import request as java_request  # noqa: E402
from generate.java import writers as java_writers  # noqa: E402
from generate.python import abi as python_abi  # noqa: E402
from generate.python import records as python_records  # noqa: E402
from generate.rust import abi as rust_abi  # noqa: E402
from generate.rust import records as rust_records  # noqa: E402
from generate.typescript import columns as typescript_columns  # noqa: E402
from generate.typescript import given as typescript_given  # noqa: E402
from generate.typescript import plan as typescript_plan  # noqa: E402
from generate.typescript import records as typescript_records  # noqa: E402
from generate.typescript import request as typescript_request  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADER = ROOT / "capi/include/stowage.h"
TEXT_HEADER = ROOT / "capi/include/stowage_text.h"
WIRE_HEADER = ROOT / "capi/include/stowage_wire.h"
# Of the version of the crate flatbuffers, whose code has to fit it; other languages have the code of the flatc of the system.
RUST_FLATC = ROOT / "build/flatc/flatc/bin/flatc"


def flatc(language: str, out: pathlib.Path, schemas: pathlib.Path, program: pathlib.Path | str = "flatc") -> None:
    out.mkdir(parents=True, exist_ok=True)
    files = [str(schemas / f"{name}.fbs") for name in schema.NAMES]
    subprocess.run([str(program), f"--{language}", "-o", str(out), *files], check=True)


def generate(root: pathlib.Path, work: pathlib.Path) -> list[pathlib.Path]:
    """Writes the generated files below `root`. Returns, relative to it, the files and the folders that hold generated files only."""
    text = header.read_header(TEXT_HEADER.read_text(encoding="utf-8"))
    abi = {"text_functions": text["functions"], **header.read_header(HEADER.read_text(encoding="utf-8"))}
    called = json.loads((ROOT / "capi/abi/calls.json").read_text(encoding="utf-8"))
    declared = schema.read()
    made = {
        "capi/abi/abi.json": json.dumps(abi, indent=1) + "\n",
        "docs/reference/functions.md": calls.functions_page(abi, called),
        "capi/src/check/schema_rows.h": check_rows.schema_rows(declared),
        "capi/include/stowage_wire.h": cpp_c_header.filled(WIRE_HEADER.read_text(encoding="utf-8"), declared),
        "capi/src/from_header.cpp": cpp_from_header.from_header(abi),
        **cpp_core.core_fields(declared),
        **cpp_text.text_records(declared),
        **glossary.glossary(),
        **json_format.json_format(declared),
        "bindings/go/internal/capi/stowage.h": HEADER.read_text(encoding="utf-8"),
        "bindings/go/internal/text/stowage_text.h": TEXT_HEADER.read_text(encoding="utf-8"),
        "bindings/go/records.go": go_records.go_records(declared),
        "bindings/go/records_codec.go": go_records.go_codec(declared),
        "bindings/rust/stowage-sys/src/bindings.rs": rust_abi.rust_bindings(abi),
        "bindings/rust/stowage-sys/src/text.rs": rust_abi.rust_text(abi),
        "bindings/rust/stowage/src/records.rs": rust_records.rust_records(declared),
        "bindings/java/stowage/src/main/java/stowage/internal/StowageH.java": java_abi.java_bindings(abi),
        "bindings/java/stowage/src/main/java/stowage/internal/StowageTextH.java": java_abi.java_text(abi),
        **java_records.java_records(declared),
        **java_request.java_request(declared),
        **java_items.java_items(declared),
        **java_writers.java_writers(declared),
        "bindings/python/src/stowage/_abi.py": python_abi.python_calls(abi),
        "bindings/python/src/stowage/records.py": python_records.python_records(declared),
        "wasm/src/app-columns.ts": typescript_columns.typescript_columns(declared),
        "wasm/src/class-columns.ts": typescript_given.typescript_parts(declared),
        "wasm/src/given.ts": typescript_given.typescript_given(declared),
        "wasm/src/plan-content.ts": typescript_plan.typescript_plan(declared),
        "wasm/src/plan-fields.ts": typescript_plan.typescript_plan_fields(declared),
        "wasm/src/plan-records.ts": typescript_records.typescript_plans(declared),
        "wasm/src/reports.ts": typescript_records.typescript_reports(declared),
        "wasm/src/request.ts": typescript_request.typescript_request(declared),
    }
    for name, content in made.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")

    # The table Option is renamed, because Rust's prelude has an Option. Names of tables are not on the wire.
    schemas = work / "schema"
    schemas.mkdir()
    for name in schema.NAMES:
        text = (ROOT / f"capi/schema/{name}.fbs").read_text(encoding="utf-8")
        (schemas / f"{name}.fbs").write_text(re.sub(r"\bOption\b(?=[\]\s{]*[;{])", "RequestOption", text), encoding="utf-8")
    folder = root / "bindings/go/wire"
    flatc("go", work / "go", schemas)
    shutil.rmtree(folder, ignore_errors=True)
    shutil.move(work / "go/stowage/wire", folder)
    (folder / "doc.go").write_text(go_names.WIRE, encoding="utf-8")
    made_folders = [folder]
    if RUST_FLATC.exists():
        folder = root / "bindings/rust/stowage/src/wire"
        shutil.rmtree(folder, ignore_errors=True)
        flatc("rust", folder, schemas, RUST_FLATC)
        made_folders.append(folder)
    folder = root / "bindings/java/stowage/src/main/java/stowage/wire"
    flatc("java", work / "java", schemas)
    shutil.rmtree(folder, ignore_errors=True)
    shutil.move(work / "java/stowage/wire", folder)
    return [pathlib.Path(name) for name in made] + [path.relative_to(root) for path in (*made_folders, folder)]


def differences(made: pathlib.Path, committed: pathlib.Path) -> list[str]:
    if not committed.exists():
        return [f"{committed.relative_to(ROOT)}: is missing"]
    if made.is_file():
        same = filecmp.cmp(made, committed, shallow=False)
        return [] if same else [f"{committed.relative_to(ROOT)}: is not what the header and the schemas make"]
    names = sorted({path.name for path in made.iterdir()} | {path.name for path in committed.iterdir()})
    problems = []
    for name in names:
        if not (made / name).exists():
            problems.append(f"{(committed / name).relative_to(ROOT)}: nothing makes it")
        else:
            problems += differences(made / name, committed / name)
    return problems


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with what is committed, change nothing")
    check = parser.parse_args().check
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        if not RUST_FLATC.exists():
            print(f"generate-bindings: {'SKIPPED, ' if check else ''}the Rust code of the schemas is left as it is: it needs the flatc of "
                  "scripts/setup.sh bindings", file=sys.stderr)  # fmt: skip
        if not check:
            generate(ROOT, work)
            return 0 if RUST_FLATC.exists() else 1
        made = work / "made"
        problems = [problem for path in generate(made, work) for problem in differences(made / path, ROOT / path)]
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems:
        print("run scripts/generate-bindings.py", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
