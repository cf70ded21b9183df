#!/usr/bin/env python3
"""Checks that dependencies point one way (docs/contribute/architecture.md), by reading the #include lines of every C and C++ file, that
no folder has more than a dozen source files, that no two headers of core define the same type, and that neighbourhoods name no goal.

The area of a file of core is that of its folder; the area of any other file is the longest path in AREAS that its own path
starts with. The file may include project files under the paths that the area allows, and headers in angle brackets of the kinds
that the area allows. A file in no area is refused, so that every new folder has to be given an area.

Usage: scripts/check-architecture.py [ROOT]
"""

import collections
import dataclasses
import pathlib
import re
import sys

# The C++ standard library without input and output: core/ computes only.
STANDARD = frozenset(
    """algorithm any array atomic barrier bit bitset cassert cctype cerrno cfenv cfloat charconv chrono cinttypes climits cmath
    compare complex concepts condition_variable coroutine cstdarg cstddef cstdint cstdlib cstring ctime cwchar deque exception
    execution forward_list functional future initializer_list iterator latch limits list map memory memory_resource mutex new
    numbers numeric optional queue random ranges ratio regex scoped_allocator semaphore set shared_mutex source_location span
    sstream stack stdexcept stop_token string string_view system_error thread tuple type_traits typeindex typeinfo
    unordered_map unordered_set utility valarray variant vector version""".split()
)
INPUT_OUTPUT = frozenset(
    "cstdio fcntl.h filesystem fstream iomanip iostream istream ostream stdio.h streambuf syncstream unistd.h".split()
)
C_STANDARD = frozenset(
    """assert.h ctype.h errno.h float.h inttypes.h limits.h math.h stdalign.h stdbool.h stddef.h stdint.h stdlib.h string.h
    time.h""".split()
)
# Headers of the compiler, included under a test for the target.
COMPILER = frozenset(("arm_neon.h", "immintrin.h", "wasm_simd128.h"))
C_API = frozenset(
    ("stowage.h", "stowage.hpp", "stowage_text.h", "capi/include/stowage.h", "capi/include/stowage.hpp", "capi/include/stowage_text.h",
     "stowage_wire.h", "capi/include/stowage_wire.h", "stowage_k8s.h", "capi/include/stowage_k8s.h")
)
# Text files that the build embeds into the command.
EMBEDDED = re.compile(r"(examples|k8s_prices|measurements|schemas|words)\.inc")
# Headers that flatc generates from capi/schema, and the FlatBuffers runtime that they need.
WIRE = re.compile(r"(instance|request|plan|report|catalogue|session|learning|derivation)_generated\.h|flatbuffers/.+")


@dataclasses.dataclass(frozen=True)
class Area:
    """What the files under one path may include."""

    project: tuple[str, ...] = ()  # allowed prefixes of project paths
    folders: tuple[str, ...] = ()  # allowed project folders, without their subfolders
    system: frozenset[str] = STANDARD
    c_api: bool = False
    wire: bool = False
    anything: bool = False


def client(*folders: str) -> Area:
    """A part of the commands' library that builds on these folders of it, and on the solver."""
    prefixes = tuple(f"capi/cli/{folder}/" for folder in folders)
    return Area((*prefixes, "capi/text/", "capi/highs/"), c_api=True, wire=True, anything=True)


def k8s(*folders: str) -> Area:
    """A part of the reader of Kubernetes clusters that builds on these folders of it."""
    return Area((*(f"capi/k8s/{folder}/" for folder in folders), "capi/text/"), c_api=True, wire=True, anything=True)


CHECKER = Area(
    project=(
        "core/base/numbers/amounts.h",
        "core/base/prefetch.h",
        "core/base/status.h",
        "core/base/watch.h",
        "core/base/watched.h",
        "core/model/data/",
        "core/model/instance.h",
        "core/model/labels.h",
        "core/plan/plan.h",
        "core/verify/",
    )
)
# The folders of core in the order of their dependencies. A file may include files of its own folder and of the folders before
# it, so that includes form no circle between folders.
CORE_ORDER = (
    "core/base/",  # status, hash, sorting, matching
    "core/base/numbers/",  # amounts, quantiles, random draws
    "core/simd/",
    "core/model/data/",  # what is known before planning, as it comes from outside
    "core/model/constraints/",  # affinity limits, placement rules and eligibility, laid out for planners
    "core/model/",  # the instance
    "core/derive/",  # instances that differ from another in some numbers
    "core/devices/",  # do these parts fit on the devices of a node?
    "core/plan/goals/",  # what goals may count
    "core/plan/",  # plan, and what makes one plan better than another
    "core/run/",  # request, work, progress, portfolio
    "core/terms/",  # what nodes contribute to goals
    "core/terms/asked/",  # goals of requests, and what plans reach of them
    "core/solver/",  # linear programs
    "core/colocation/",  # the side-effects model: its problem, and bounds that take no time
    "core/colocation/heuristics/",  # P4's heuristics
    "core/bounds/",
    "core/bounds/prices/",  # linear programs of capacity
    "core/bounds/exclusion/",  # what cannot share a node
    "core/bounds/neighbours/",  # what replicas on a node do to each other
    "core/colocation/heuristics/ptas/",
    "core/colocation/totals/",  # parts of the bound on the total cost
    "core/colocation/bounds/",  # bounds that take time, and the exact method
    "core/domains/",  # nodes with the same value of a label
    "core/affinity/",  # may these apps share a node?
    "core/placement/",  # a plan in the making, and its headroom
    "core/measures/",
    "core/columns/",  # what nodes may hold, and which content is worth most
    "core/columns/tree/",  # branch and price
    "core/bounds/admission/",  # what has to be left out
    "core/search/",
    "core/search/starts/",
    "core/traffic/",  # replicas that exchange traffic come together
    "core/bounds/traffic/",  # traffic that leaves nodes
    "core/rebuild/nodes/",  # nodes that could be used next
    "core/rebuild/",  # a plan that is taken apart and rebuilt
    "core/rebuild/neighbourhoods/",  # what comes out and back together
    "core/rebuild/search/",  # ruin and recreate
    "core/goals/",  # a plan under improvement, by goals
    "core/goals/neighbourhoods/",  # small changes of a plan
    "core/goals/search/",
    "core/annealing/profiles/",  # demand over periods in rows
    "core/annealing/",
    "core/colocation/assignment/",  # replicas on nodes under change, and first assignments
    "core/colocation/search/",  # from an assignment to better ones
    "core/verify/devices/",
    "core/verify/goals/",
    "core/verify/",
    "core/losses/",  # what becomes of replicas on lost nodes
    "core/moves/",  # the way from what runs to a plan, in an order
    "core/planners/",
    "core/planners/repeated/",  # several runs of a planner for one request
    "core/planners/rules/",
    "core/planners/lists/",
    "core/planners/chance/",
    "core/planners/colocate/",
    "core/planners/admit/",  # whole applications, as many as possible
    "core/planners/auto/attempt/",  # a plan in the making
    "core/planners/auto/few_nodes/",
    "core/planners/columns/",  # proofs, and plans that reach them
    "core/planners/auto/traffic/",  # the objective traffic
    "core/planners/auto/order/",  # goals one after the other
    "core/planners/auto/",
    "core/planners/shards/",  # instances that are too large for one search
    "core/explain/",
    "core/headroom/",  # what a cluster still takes, and what it loses with its nodes
    "core/session/",
    "core/predict/usage/",  # from usage to size
    "core/predict/linear/",  # matrices and elementary functions of the learners
    "core/predict/factors/",  # the factorization machine of LraSched, and its baseline
    "core/predict/tables/",  # what was measured
    "core/predict/",  # sizes that are learned; planners do not see it
)


def core_areas() -> dict[str, Area]:
    """The area of each folder of core, which may include its own files and the files of the folders before it."""
    areas = {}
    for k, folder in enumerate(CORE_ORDER):
        areas[folder] = Area((), CORE_ORDER[: k + 1], STANDARD | COMPILER if folder == "core/simd/" else STANDARD)
    return areas


AREAS = {
    **core_areas(),
    # The checker shares no feasibility code with the planners: it includes the instance and the plan, and no planner code.
    "core/verify/": CHECKER,
    "core/verify/devices/": Area(("core/base/watch.h", "core/verify/devices/")),
    "core/verify/goals/": Area(
        (
            "core/base/status.h",
            "core/base/watch.h",
            "core/base/watched.h",
            "core/model/instance.h",
            "core/plan/plan.h",
            "core/verify/goals/",
        )
    ),
    "capi/include/": Area(system=STANDARD | C_STANDARD, c_api=True),
    "capi/src/": Area(("capi/src/", "core/"), c_api=True, wire=True),
    # A solver that implements the solver interface of stowage.h from outside.
    "capi/highs/": Area(("capi/highs/",), c_api=True, anything=True),
    # What the library stowage_text and the commands share: text, and what it says of wire bytes.
    "capi/text/base/": Area(("capi/text/base/",), anything=True),
    "capi/text/records/": Area(("capi/text/records/",), wire=True, anything=True),
    "capi/text/formats/": Area(("capi/text/base/", "capi/text/records/", "capi/text/formats/"), wire=True, anything=True),
    "capi/text/words/": Area(("capi/text/base/", "capi/text/records/", "capi/text/formats/", "capi/text/words/"), wire=True, anything=True),
    "capi/text/": Area(("capi/text/", "capi/src/base/"), c_api=True, wire=True, anything=True),
    # Questions about Kubernetes: each folder builds on those before it.
    "capi/k8s/read/": k8s("read"),
    "capi/k8s/model/": k8s("read", "model"),
    "capi/k8s/pods/": k8s("read", "model", "pods"),
    "capi/k8s/instance/": k8s("read", "model", "pods", "instance"),
    "capi/k8s/answer/": k8s("read", "model", "pods", "instance", "answer"),
    "capi/k8s/": Area(("capi/k8s/", "capi/text/", "capi/src/base/"), c_api=True, wire=True, anything=True),
    # The commands are clients of stowage.h like any other. stowage-lab stands on the library of stowage, whose folders build on
    # each other in this order.
    "capi/cli/base/": client("base"),
    "capi/cli/formats/": client("base", "formats"),
    "capi/cli/library/": client("base", "formats", "library"),
    "capi/cli/generate/": client("base", "formats", "library", "generate"),
    "capi/cli/learn/": client("base", "formats", "learn"),
    "capi/cli/replay/": client("base", "formats", "library", "learn", "replay"),
    "capi/cli/simulate/": client("base", "formats", "library", "generate", "simulate"),
    "capi/cli/usage/": client("base", "usage"),
    "capi/cli/": Area(("capi/cli/", "capi/k8s/k8s.h", "capi/text/"), c_api=True, wire=True, anything=True),
    "capi/lab/": Area(("capi/lab/", "capi/cli/", "capi/text/"), c_api=True, wire=True, anything=True),
    # Learners are measured one by one, which stowage.h does not offer.
    "capi/lab/learning/": Area(("capi/lab/", "capi/cli/", "capi/text/", "core/predict/", "core/base/"), c_api=True, wire=True, anything=True),
    "bindings/": Area(system=STANDARD | C_STANDARD, c_api=True, anything=True),
    # Programs that try a package.
    "packaging/": Area(c_api=True, anything=True),
    "wasm/": Area(("wasm/", "capi/src/"), system=STANDARD | C_STANDARD, c_api=True, wire=True, anything=True),
    "tests/": Area(("tests/", "core/", "capi/"), c_api=True, wire=True, anything=True),
}
TOP_FOLDERS = frozenset(prefix.split("/")[0] for prefix in AREAS)
SOURCE_SUFFIXES = (".c", ".h", ".cpp", ".hpp", ".cc", ".inl", ".inc")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)
# A type at the top level of a file: its definition, not a declaration.
TYPE = re.compile(r"^(?:struct|class|enum class) (\w+)[^;{]*\{", re.MULTILINE)
SKIPPED = frozenset(("build", "dist", "install", "node_modules", "target"))
# Source files of all languages, of which a folder holds MOST_FILES at most, files in its subfolders not counted.
COUNTED_SUFFIXES = (*SOURCE_SUFFIXES, ".go", ".java", ".js", ".mjs", ".py", ".rs", ".sh", ".ts")
MOST_FILES = 12
# Folders with more, and why. An entry that is no longer needed is refused.
CROWDED = {
    "bindings/go": "a Go package is one folder",
    "bindings/go/stowage-k8s": "a Go package is one folder",
    "bindings/go/wire": "generated",
    "bindings/java/stowage/src/main/java/stowage": "a Java package is one folder",
    "bindings/java/stowage/src/test/java/stowage": "the tests of this package",
    "bindings/java/stowage/src/main/java/stowage/wire": "generated",
    "scripts": "people and continuous integration call them by their paths",
    "wasm/src": "to be divided",
    "wasm/test": "to be divided, as wasm/src",
}


# What works for every goal and every instance names none of them: how a change is valued, terms say.
GENERAL = ("core/goals/neighbourhoods/", "core/goals/search/", "core/rebuild/neighbourhoods/")
SPECIAL = re.compile(r"\b(?:GoalKind|Objective|Feature)::\w+")


def area_of(path: str) -> Area | None:
    if path.startswith("core/"):
        return AREAS.get(path.rsplit("/", 1)[0] + "/")
    matches = [prefix for prefix in AREAS if path.startswith(prefix)]
    return AREAS[max(matches, key=len)] if matches else None


def refusal(area: Area, header: str, quoted: bool) -> str | None:
    """The reason why a file of the area may not include the header; None if it may."""
    if header in C_API:
        return None if area.c_api else "the C API"
    if WIRE.fullmatch(header):
        return None if area.wire else "the wire format"
    if header.split("/")[0] in TOP_FOLDERS:
        folder = header.rsplit("/", 1)[0] + "/"
        if header.startswith(area.project) or folder in area.folders:
            return None
        return "a folder that comes later in CORE_ORDER" if area.folders and folder in CORE_ORDER else "another part of the project"
    if quoted and not (area.anything and EMBEDDED.fullmatch(header)):
        return "includes are rooted at the project"
    if area.anything or header in area.system:
        return None
    return "input and output" if header in INPUT_OUTPUT else "neither the project nor the standard library"


def defined_twice(types: dict[str, list[str]]) -> list[str]:
    """Types that two headers of core define, which would be one type to the linker: all of core is one namespace."""
    return [f"{' and '.join(headers)}: both define {name}" for name, headers in sorted(types.items()) if len(headers) > 1]


def crowded(counts: collections.Counter[str]) -> list[str]:
    """The folders that break MOST_FILES, and the entries of CROWDED whose folders do not."""
    problems = []
    for folder, count in sorted(counts.items()):
        if count > MOST_FILES and folder not in CROWDED:
            problems.append(f"{folder}: {count} source files, more than {MOST_FILES}")
        if count <= MOST_FILES and folder in CROWDED:
            problems.append(f"{folder}: {count} source files, so that CROWDED need not list it")
    return problems


def check(root: pathlib.Path) -> tuple[int, list[str]]:
    """The number of files whose includes were read, and the problems found."""
    problems = []
    files = 0
    counts = collections.Counter()
    types = collections.defaultdict(list)
    for path in sorted(root.rglob("*")):
        relative = path.relative_to(root)
        if path.suffix not in COUNTED_SUFFIXES or any(p in SKIPPED or p.startswith(".") for p in relative.parts):
            continue
        counts[relative.parent.as_posix()] += 1
        if path.suffix not in SOURCE_SUFFIXES:
            continue
        files += 1
        name = relative.as_posix()
        area = area_of(name)
        if area is None:
            problems.append(f"{name}: in no area of scripts/check-architecture.py")
            continue
        text = path.read_text(encoding="utf-8")
        if name.startswith("core/") and path.suffix == ".h":
            for match in TYPE.finditer(text):
                types[match.group(1)].append(name)
        for match in SPECIAL.finditer(text) if name.startswith(GENERAL) else ():
            line = text.count("\n", 0, match.start()) + 1
            problems.append(f"{name}:{line}: names {match.group()}")
        for match in INCLUDE.finditer(text):
            quoted, header = match.group(1) == '"', match.group(2)
            line = text.count("\n", 0, match.start()) + 1
            if why := refusal(area, header, quoted):
                problems.append(f"{name}:{line}: may not include {header} ({why})")
    return files, problems + crowded(counts) + defined_twice(types)


def main() -> int:
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent).resolve()
    files, problems = check(root)
    if files == 0:
        problems.append(f"{root}: no source files")
    for problem in problems:
        print(problem, file=sys.stderr)
    if not problems:
        print(f"{files} files keep to their places")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
