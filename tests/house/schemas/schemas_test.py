#!/usr/bin/env python3
"""What the command reads and writes as JSON keeps to its schemas (capi/cli/schemas).

A key that a schema does not have is refused, and so is one of an answer's schema that no answer here has.

Usage: schemas_test.py STOWAGE
Needs the package jsonschema: of this Python, or of build/python (scripts/setup.sh bindings). Skipped (77) without it.
"""

import functools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
VENV = ROOT / "build/python/bin/python"
try:
    import jsonschema
except ImportError:
    if VENV.exists() and pathlib.Path(sys.prefix).resolve() != VENV.parents[1].resolve():
        os.execv(VENV, [str(VENV), "-B", *sys.argv])
    print("SKIPPED, there is no Python package jsonschema: the schemas of JSON")
    sys.exit(77)

FOLDER = ROOT / "capi/cli/schemas"
EXAMPLES = ROOT / "capi/cli/examples"
STOWAGE = ""
# Enough for every key, and little time.
SHORT = ("--work", "20000")
# Keys of answers that no command here makes, and why.
UNSEEN = {"replay": {"/interrupted"}}  # by a signal
CLUSTER = {
    "stowage": 1, "resources": {"cpu": "cores", "memory": "GiB"}, "periods": 2,
    "classes": [{"name": "small", "capacity": {"cpu": 8, "memory": 16}, "count": 3}, {"name": "large", "capacity": {"cpu": 16, "memory": 32}}],
    "apps": [{"name": "old", "demand": {"cpu": 1}}], "groups": [{"name": "rack", "sets": {"r0": ["a"], "r1": ["b"]}}],
    "nodes": [{"name": "a", "class": "small", "running": {"old": 1}}, {"name": "b", "class": "small"}],
}  # fmt: skip


@functools.cache
def schema(name: str) -> dict:
    return json.loads((FOLDER / f"{name}.schema.json").read_text(encoding="utf-8"))


@functools.cache
def validator(name: str) -> jsonschema.Draft7Validator:
    return jsonschema.Draft7Validator(schema(name))


def resolved(name: str, rule: dict) -> dict:
    while "$ref" in rule:
        rule = schema(name)["definitions"][rule["$ref"].rsplit("/", 1)[1]]
    return rule


def keys_of(name: str, rule: dict, path: str = "", value: object = None, every: bool = False) -> set[str]:
    """The keys that a value has or, with `every`, that it may have: their paths from the schema or a definition."""
    path = rule.get("$ref", path)
    rule = resolved(name, rule)
    found: set[str] = set()
    for one in (*rule.get("anyOf", ()), *rule.get("oneOf", ())):
        if every or jsonschema.Draft7Validator({**one, "definitions": schema(name).get("definitions", {})}).is_valid(value):
            found |= keys_of(name, one, path, value, every)
    for key, inner in rule.get("properties", {}).items():
        if every or isinstance(value, dict) and key in value:
            found |= {f"{path}/{key}"} | keys_of(name, inner, f"{path}/{key}", None if every else value[key], every)
    inside = {"additionalProperties": f"{path}/*", "items": path}
    others = [one for key, one in value.items() if key not in rule.get("properties", {})] if isinstance(value, dict) else value
    for word, below in inside.items():
        if isinstance(rule.get(word), dict):
            for one in [None] if every else others if isinstance(others, list) else []:
                found |= keys_of(name, rule[word], below, one, every)
    return found


def objects(rule: object) -> list[dict]:
    """All parts of a schema that say what an object has."""
    if isinstance(rule, list):
        return [one for inner in rule for one in objects(inner)]
    if not isinstance(rule, dict):
        return []
    own = [rule] if isinstance(rule.get("properties"), dict) and "type" in rule else []
    return own + [one for inner in rule.values() for one in objects(inner)]


class Schemas(unittest.TestCase):
    def names(self) -> list[str]:
        return sorted(path.name.removesuffix(".schema.json") for path in FOLDER.glob("*.schema.json"))

    def test_are_schemas(self) -> None:
        for name in self.names():
            jsonschema.Draft7Validator.check_schema(schema(name))

    def test_are_strict_and_say_what_each_key_is(self) -> None:
        for name in self.names():
            for one in objects(schema(name)):
                self.assertIs(one.get("additionalProperties"), False, f"{name}: {list(one['properties'])}")
                for key, value in one["properties"].items():
                    said = value.get("description") or resolved(name, value).get("description")
                    self.assertTrue(said, f"{name}: nothing says what {key} is")

    def test_the_command_prints_them(self) -> None:
        listed = subprocess.run([STOWAGE, "schema"], capture_output=True, text=True, check=True).stdout
        self.assertEqual(sorted(line.split()[0] for line in listed.splitlines() if line.startswith("  ")), self.names())
        for name in self.names():
            text = subprocess.run([STOWAGE, "schema", name], capture_output=True, text=True, check=True).stdout
            self.assertEqual(text, (FOLDER / f"{name}.schema.json").read_text(encoding="utf-8"))


class Answers(unittest.TestCase):
    seen: dict[str, set[str]] = {}

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name: str, content: object) -> str:
        text = content if isinstance(content, str) else json.dumps(content)
        (self.folder / name).write_text(text, encoding="utf-8")
        return name

    def run_command(self, *arguments: str, code: tuple[int, ...] = (0, 2)) -> str:
        done = subprocess.run([STOWAGE, *arguments], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertIn(done.returncode, code, f"{arguments}: {done.stderr}")
        return done.stdout

    def keeps(self, name: str, value: object, what: object) -> None:
        problems = [f"{error.json_path}: {error.message}" for error in validator(name).iter_errors(value)]
        self.assertEqual(problems, [], f"{what}: not as {name}.schema.json says")
        self.seen.setdefault(name, set()).update(keys_of(name, schema(name), "", value))

    def answer(self, schema_name: str, *arguments: str) -> dict:
        value = json.loads(self.run_command(*arguments, "--summary", "json"))
        self.keeps(schema_name, value, arguments)
        return value

    def plan(self, file: str, *options: str) -> None:
        """Plans; the summary, the plan, and what other commands say of it."""
        self.answer("summary", "plan", file, *SHORT, *options, "-o", "plan.json")
        self.keeps("plan", json.loads((self.folder / "plan.json").read_text(encoding="utf-8")), (file, *options))
        for command in ("verify", "explain", "headroom", "losses", "moves"):
            self.answer(command, command, file, "plan.json")
        self.answer("convert", "convert", "plan.json", "plan.stow", "--instance", file)

    def test_examples(self) -> None:
        for path in sorted(EXAMPLES.glob("*.json")):
            with self.subTest(path.stem):
                self.run_command("example", path.stem, "-o", "example.json")
                self.keeps("instance", json.loads((self.folder / "example.json").read_text(encoding="utf-8")), path.stem)
                self.plan("example.json")
                self.answer("bound", "bound", "example.json")
                if path.stem not in ("shop", "moves"):  # these have nodes of their own
                    self.answer("sizes", "sizes", "example.json", "--deadline", "200ms", "-o", "sizes.json")
                    self.keeps("sizes", json.loads((self.folder / "sizes.json").read_text(encoding="utf-8")), path.stem)

    def test_options_of_plans(self) -> None:
        goals = ("--goal", "cost~1%", "--goal", "moves,nodes*0.1", "--goal", "balance:memory")
        for example, *options in (
            ("moves", "--moves", "8"), ("moves", *goals), ("moves", "--ignore-running", "--trace", "--threads", "2"), ("moves", "--nodes", "4"),
            ("n+1", "--survive", "node"), ("n+1", "--survive", "node", "--nodes", "3"), ("n+1", "--keep", "web=2", "--nodes", "4"),
            ("n+1", "--keep", "web=50", "--nodes", "6"), ("n+1", "--compact"), ("zones", "--survive", "zone", "--deadline", "1ms"), ("zones", "--leave-free", "zone"),
            ("effects", "--objective", "worst"), ("effects", "--objective", "total", "--max-cost", "3"), ("effects", "--max-cost", "3", "--nodes", "3"),
            ("uncertain", "--objective", "ucac"), ("uncertain", "--nodes", "3", "--fill"), ("groups", "--soft", "last"),
            ("groups", "--soft-price", "2"), ("groups", "--nodes", "3", "--planner", "ff"), ("shop", "--nodes", "2"),
            ("shop", "--nodes", "2", "--all-or-nothing"), ("groups", "--objective", "admitted", "--nodes", "2"), ("gpu", "--nodes", "2"),
            ("conflicts", "--nodes", "1"), ("day", "--planner", "ff", "--nodes", "2"), ("conflicts", "--option", "portfolio=2"),
        ):  # fmt: skip
            with self.subTest(f"{example} {options}"):
                self.run_command("example", example, "-o", "example.json")
                self.plan("example.json", *options)

    def test_scores(self) -> None:
        self.run_command("generate", "cluster", "--apps", "3", "--soft-apart", "-o", "apart.json")
        options = ("--planner", "medea-ilp", "--nodes", "20")
        done = subprocess.run([STOWAGE, "plan", "apart.json", *SHORT, *options], cwd=self.folder, capture_output=True, text=True, check=False)
        if "solver" in done.stderr:
            for name in ("plan", "summary"):
                UNSEEN.setdefault(name, set()).update(f"/{key}" for key in ("score", "score_bound", "score_gap"))
            self.skipTest("medea-ilp needs HiGHS, which this build lacks")
        self.plan("apart.json", *options)

    def test_moves_over_third_places(self) -> None:
        nodes = [{"name": "x", "running": {"a": 1}}, {"name": "y", "running": {"b": 1}}, {"name": "z"}]
        cluster = {
            "stowage": 1, "resources": {"cpu": "cores"}, "classes": [{"name": "n", "capacity": {"cpu": 4}, "count": 3}], "nodes": nodes,
            "apps": [{"name": "a", "demand": {"cpu": 4}}, {"name": "b", "demand": {"cpu": 4}}],
        }  # fmt: skip
        swapped = {"stowage_plan": 1, "planner": "me", "moves": 2, "nodes": [{"name": "x", "replicas": {"b": 1}}, {"name": "y", "replicas": {"a": 1}}]}
        self.keeps("plan", swapped, "swapped")
        for rest, detours in ((3, 1), (2, 0)):
            some = {**cluster, "classes": [{**cluster["classes"][0], "count": rest}], "nodes": nodes[:rest]}
            answer = self.answer("moves", "moves", self.write("cluster.json", some), self.write("swapped.json", swapped))
            self.assertEqual((answer["detours"], bool(answer["stuck"])), (detours, not detours))

    def test_who_suffers(self) -> None:
        self.run_command("example", "effects", "-o", "effects.json")
        content = {"host-1": {"service": 2, "batch": 4}, "host-2": {"service": 6}, "host-3": {"batch": 4}, "host-4": {"scan": 4}}
        nodes = [{"name": name, "class": "host", "replicas": replicas} for name, replicas in content.items()]
        plan = self.write("plan.json", {"stowage_plan": 1, "planner": "me", "nodes": nodes})
        self.assertIn("move", self.answer("explain", "explain", "effects.json", plan)["suffering"])

    def test_generated_instances(self) -> None:
        for number, options in enumerate((
            ("--features", "all", "--running", "1.5", "--priorities", "3"), ("--spread", "soft", "--soft-apart"),
            ("--features", "periods+uncertain", "--exclusions", "3"), ("--near", "--gather", "--selectors"),
        )):  # fmt: skip
            with self.subTest(options):
                self.run_command("generate", "cluster", "--apps", "12", "--seed", str(number), *options, "-o", "cluster.json")
                self.keeps("instance", json.loads((self.folder / "cluster.json").read_text(encoding="utf-8")), options)
                self.plan("cluster.json")
                self.plan("cluster.json", "--nodes", "3")
        self.run_command("generate", "cluster", "--apps", "12", "--spread", "soft", "--soft-apart", "-o", "soft.json")
        self.answer("tradeoff", "tradeoff", "soft.json", "--prices", "0.1,1", *SHORT, "-o", "curve.json")
        self.keeps("tradeoff", json.loads((self.folder / "curve.json").read_text(encoding="utf-8")), "curve.json")

    def test_everything_an_instance_may_have(self) -> None:
        everything = json.loads((ROOT / "tests/cli/data/everything.json").read_text(encoding="utf-8"))
        self.keeps("instance", everything, "everything.json")
        self.answer("convert", "convert", self.write("everything.json", everything), "again.json")
        self.keeps("instance", json.loads((self.folder / "again.json").read_text(encoding="utf-8")), "again.json")

    def test_what_is_broken(self) -> None:
        rules = [
            {"name": "apart", "all_of": [{"subject": "a", "target": "b", "max": 0, "group": "node"}], "origin": "operator"},
            {"name": "near", "all_of": [{"subject": "a", "target": "b", "min": 1, "group": "node"}]},
            {"name": "two", "all_of": [{"kind": "node-sets", "subject": "a", "min": 2}], "hard": False},
        ]
        broken = {
            "stowage": 1, "resources": {"cpu": "cores"}, "classes": [{"name": "n", "capacity": {"cpu": 4}, "count": 2, "labels": {"zone": "a"}}],
            "nodes": [{"name": "x", "running": {"web": 3, "db": 1}}], "rules": rules,
            "traffic": [{"app": "web", "peer": "db", "amount": 3}],
            "apps": [{"name": "web", "replicas": 4, "demand": {"cpu": 1}, "tags": "a", "max_per_node": 2, "limits": {"db": 0}},
                     {"name": "db", "replicas": 2, "demand": {"cpu": 3}, "tags": "b"}, {"name": "far", "demand": {"cpu": 1}, "only": "zone=b"},
                     {"name": "big", "replicas": 2, "demand": {"cpu": 9}, "priority": 2}],
        }  # fmt: skip
        self.keeps("instance", broken, "broken")
        self.plan(self.write("broken.json", broken))
        self.plan("broken.json", "--objective", "traffic", "--moves", "3")
        for app in ("web", "far", "big"):
            self.answer("explain", "explain", "broken.json", "plan.json", "--app", app)
        self.answer("losses", "losses", "broken.json", "--label", "zone")
        wrong = {"stowage_plan": 1, "planner": "me", "nodes": [{"name": "n-1", "class": "n", "replicas": {"web": 3, "db": 1}}]}
        self.keeps("plan", wrong, "a plan of one's own")
        self.answer("verify", "verify", "broken.json", self.write("wrong.json", wrong))

    def test_catalogue_and_comparison(self) -> None:
        self.answer("planners", "planners")
        self.answer("planners", "planners", "auto")
        self.run_command("example", "shop", "-o", "shop.json")
        self.run_command("example", "gpu", "-o", "gpu.json")
        value = json.loads(self.run_command("bench", "shop.json", "gpu.json", "--planners", "ff", "--repeat", "1", "--nodes", "2", "--summary", "json"))
        self.keeps("bench", value, "bench")
        value = json.loads(self.run_command("bench", "gpu.json", "--planners", "auto", "--repeat", "1", *SHORT, "--summary", "json"))
        self.keeps("bench", value, "bench")

    def test_replay_and_simulation(self) -> None:
        cluster = self.write("cluster.json", {
            "stowage": 1, "resources": {"cpu": "cores"}, "apps": [], "classes": [{"name": "n", "capacity": {"cpu": 4}, "price": 0.8, "count": 1}],
        })  # fmt: skip
        trace = self.write("trace.csv", "app,arrives,departs,replicas,cpu\nweb,0,7200,3,1\nbatch,600,,8,2\n")
        self.answer("replay", "replay", cluster, trace, "--interval", "15m")
        for example in ("uncertain", "shop"):
            self.run_command("example", example, "-o", f"{example}.json")
            self.run_command("plan", f"{example}.json", *SHORT, "-o", f"{example}.stow")
        self.answer("simulate", "simulate", "uncertain.json", "uncertain.stow", "--samples", "50")
        measured = self.write("measured.csv", "app,resource,usage\nstorefront,cpu,1\nstorefront,cpu,2\n")
        self.answer("simulate", "simulate", "shop.json", "shop.stow", "--samples", "50", "--measured", measured)

    def test_learning(self) -> None:
        usage = self.write("usage.csv", "app,time,oom,cpu,memory\nweb,0,0,1,\nweb,300,1,2,\ndb,0,0,1,4\ndb,300,0,2,5\n")
        for options in ((), ("--periods", "2"), ("--uncertain",)):
            self.answer("size", "size", usage, *options)
        rows = "kind,cost,load_web,load_db,colour\n" + "".join(
            f"{kind},{cost},{web},{db},1\n" for kind, cost, web, db in (
                ("web", 2.9, 1.5, 2), ("web", 1.1, 1, 0), ("web", 3.4, 0.5, 3), ("db", 2.75, 1.5, 2), ("db", 1.3, 0, 1), ("db", 3.6, 1, 3)))  # fmt: skip
        observations = self.write("observations.csv", rows)
        self.answer("learn-interference", "learn", "interference", observations)
        self.answer("learn-interference", "learn", "interference", observations, "--baseline", "--errors", "absolute")
        profiles = "".join(f"{app},{kind},{cpu},{cpu * 2},{degree},{min(1, cpu * speed / degree):.3f}\n" for app, kind, speed in
                           (("a", "x", 0.2), ("b", "x", 0.25), ("c", "y", 0.6)) for cpu in (1, 2, 4) for degree in (1, 2))  # fmt: skip
        self.write("profiles.csv", "app,x_family,cpu,memory,collocation,performance\n" + profiles)
        self.run_command("learn", "profiles.csv", "-o", "model.stowm")
        samples = self.write("samples.csv", "app,x_family,cpu,memory,collocation,performance,asked_cpu,asked_memory\nd,x,1,2,1,0.2,4,8\ne,y,4,8,1,1,,\n")
        for goal in ("0.3", "0.99"):
            self.answer("recommend", "recommend", "model.stowm", samples, "--goal", goal)
        latency = "".join(f"{app},{cpu},{cpu * 2},{8 / cpu}\n" for app in ("a", "b", "c") for cpu in (1, 2, 4))
        self.write("latency.csv", "app,cpu,memory,latency_ms\n" + latency)
        self.run_command("learn", "latency.csv", "-o", "latency.stowm")
        self.answer("recommend", "recommend", "latency.stowm", self.write("few.csv", "app,cpu,memory,latency_ms\nd,1,2,8\n"), "--latency-goal", "4")

    def test_sessions(self) -> None:
        app = {"demand": {"cpu": [1, "2"], "memory": "1Gi"}, "variance": {"cpu": 0.1}, "support": {"cpu": [0, 4]}, "tags": ["a"], "only": "x", "not": "y",
               "priority": 1, "weight": 2, "max_per_node": 2, "limits": {"old": 0}}  # fmt: skip
        rule = {"name": "spread", "all_of": [{"kind": "skew", "subject": "a", "max": 1, "group": "rack"}]}
        goals = ["cost~1%", {"goal": "balance", "resource": "cpu", "weight": 2, "tolerance": 0.1}, {"goal": "moves", "beside": True}]
        commands = [
            {"op": "submit", "app": "web", "replicas": 2, "demand": {"cpu": 2}}, {"op": "submit", "app": "full", **app},
            {"op": "scale", "app": "web", "replicas": 3}, {"op": "pin", "app": "web", "node": "a", "replicas": 1},
            {"op": "add-node", "node": "c", "class": "small", "load": {"cpu": 1}, "load_deviation": {"cpu": 0.5}, "daemon": {"cpu": 1},
             "tags": "x", "sets": {"rack": ["r0", "r7"]}},
            {"op": "cordon", "node": "b"}, {"op": "uncordon", "node": "b"}, {"op": "load", "node": "b", "load": {"cpu": 1}},
            {"op": "add-rule", "rule": rule}, {"op": "remove-rule", "rule": "spread"}, {"op": "traffic", "app": "web", "peer": "old", "amount": 2},
            {"op": "batch", "operations": [{"op": "drain", "node": "b"}, {"op": "fail", "node": "c"}, {"op": "remove-node", "node": "c"}]},
            {"op": "plan", "planner": "auto", "options": {"portfolio": 1}, "seed": 1, "work": 20000, "threads": 1, "nodes": 5, "moves": 2,
             "ignore_running": False, "objective": "nodes", "soft": "first", "fill": False, "compact": True, "keep": {"web": 1},
             "all_or_nothing": False, "trace": True, "deadline": "5s", "patience": "1s", "output": "plan.json"},
            {"op": "plan", "work": 20000, "goals": goals}, {"op": "commit"}, {"op": "plan", "soft_price": 1, "soft": "price", "work": 20000},
            {"op": "plan", "work": 20000, "survive": "node"}, {"op": "plan", "work": 20000, "leave_free": "rack", "max_cost": 0},
            {"op": "scale", "app": "web", "replicas": 6}, {"op": "plan", "work": 20000}, {"op": "load", "node": "a", "load": {"cpu": 6}},
            {"op": "commit", "mode": "exact"}, {"op": "commit", "mode": "fitting"}, {"op": "commit", "mode": "whole"}, {"op": "plan", "planner": "ff"},
            {"op": "reject"}, {"op": "show", "app": "web"}, {"op": "show", "node": "a"}, {"op": "status"}, {"op": "remove", "app": "full"},
            {"op": "snapshot", "file": "now.stow"}, {"op": "scale", "app": "nobody", "replicas": 1}, {"op": "show", "app": "nobody"},
        ]  # fmt: skip
        for command in commands:
            self.keeps("session", command, command)
        self.write("script.jsonl", "".join(json.dumps(command) + "\n" for command in commands))
        answers = [json.loads(line) for line in self.run_command("session", self.write("cluster.json", CLUSTER), "script.jsonl", "--summary", "json", code=(0, 1)).splitlines()]
        summary = answers.pop()
        self.keeps("answer", summary, "the end of a session")
        self.assertEqual(summary["commands"], len(commands))
        self.assertEqual(len(answers), len(commands))
        refused = [(command, answer) for command, answer in zip(commands, answers, strict=True) if not answer["ok"]]
        for command, answer in zip(commands, answers, strict=True):
            self.keeps("answer", answer, command)
        self.assertEqual([command.get("app") for command, _ in refused][-2:], ["nobody", "nobody"], refused)
        self.assertLessEqual(len(refused), 5, refused)
        self.keeps("plan", json.loads((self.folder / "plan.json").read_text(encoding="utf-8")), "plan of a session")

    def test_conflicts(self) -> None:
        script = "".join(json.dumps(one) + "\n" for one in (
            {"op": "submit", "app": "web", "demand": {"cpu": 4}}, {"op": "plan", "planner": "ff"}, {"op": "load", "node": "a", "load": {"cpu": 6}},
            {"op": "commit", "mode": "fitting"}))  # fmt: skip
        answers = self.run_command("session", self.write("cluster.json", CLUSTER), self.write("script.jsonl", script)).splitlines()
        for answer in answers:
            self.keeps("answer", json.loads(answer), answer)
        self.assertIn("node", json.loads(answers[-1])["conflicts"][0])

    def test_other_keys_are_refused(self) -> None:
        for name, value in (("plan", {"stowage_plan": 1, "planner": "me", "nodes": []}), ("session", {"op": "reject"}),
                            ("answer", {"line": 1, "ok": True, "version": 1}), ("headroom", {"apps": []})):  # fmt: skip
            self.keeps(name, value, name)
            self.assertFalse(validator(name).is_valid({**value, "other": 1}), name)


class Unseen(unittest.TestCase):
    """Runs last: what the schemas of answers have, and no answer."""

    def test_no_key_is_only_in_the_schema(self) -> None:
        for name, seen in Answers.seen.items():
            if name in ("instance", "session"):
                continue
            with self.subTest(name):
                self.assertEqual(keys_of(name, schema(name), every=True) - seen, UNSEEN.get(name, set()), f"{name}: keys that no answer has")


if __name__ == "__main__":
    STOWAGE = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
