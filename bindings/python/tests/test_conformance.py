"""The conformance set: the same results as every other language (tests/conformance/README.md)."""

import collections

import numpy as np
import numpy.typing as npt
import pytest
from support import ROOT, SMALL, failure_of, hash_of, instance_bytes, table

import stowage
from stowage import records

EXPECTED: dict[str, dict[str, str]] = collections.defaultdict(dict)
for row in table("expected.tsv"):
    EXPECTED[row[0]][row[1]] = row[2]


def goal_of(cell: str) -> records.PlanGoal:
    word, resource, beside, weight, tolerance = cell.split(":")
    return records.PlanGoal(
        what=records.GoalKind[word.upper().replace("-", "_")], resource=stowage.NONE if resource == "-" else int(resource),
        beside=beside == "1", weight=float(weight), tolerance=float(tolerance),
    )  # fmt: skip


def request_of(cells: list[str]) -> records.Request:
    name, _, value = cells[8].partition("=")
    keep = [tuple(int(part) for part in pair.split(":")) for pair in cells[15].split(",") if pair != "-"]
    return records.Request(
        planner=cells[1], seed=int(cells[2]), work_limit=int(cells[3]), threads=int(cells[4]), node_limit=int(cells[5]),
        ignore_running=cells[6] == "1", move_budget=int(cells[7]),
        options=[records.Option(name=name, number=float(value))] if value else [],
        all_or_nothing=cells[9] == "1", compact=cells[10] == "1", soft=records.SoftPolicy[cells[11].upper()],
        soft_price=float(cells[12]), fill=cells[13] == "1", objective=records.Objective[cells[14].upper()],
        keep=np.array(keep, records.KEPT) if keep else None, survive=None if cells[16] == "-" else cells[16],
        leave_free=None if cells[17] == "-" else cells[17], goals=[goal_of(one) for one in cells[18].split(",") if one != "-"],
    )  # fmt: skip


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_plans_are_the_same_bytes(name: str) -> None:
    instance = stowage.Instance(instance_bytes(name))
    found = {"fingerprint": f"{instance.fingerprint:016x}"}
    for cells in table("requests.tsv"):
        try:
            plan = instance.plan(request_of(cells))
            found[cells[0]] = hash_of(plan.data)
        except stowage.StowageError as error:
            found[cells[0]] = failure_of(error)
    assert found == EXPECTED[name]


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_columns_make_the_same_instance(name: str) -> None:
    instance = stowage.Instance(instance_bytes(name))
    again = stowage.Instance.from_columns(instance.copy())
    assert f"{again.fingerprint:016x}" == EXPECTED[name]["fingerprint"]


def test_json_makes_the_same_instance() -> None:
    shop = stowage.Instance.load(ROOT / "capi/cli/examples/shop.json")
    assert f"{shop.fingerprint:016x}" == EXPECTED["shop"]["fingerprint"]
    assert f"{stowage.Instance.from_dict(SMALL).fingerprint:016x}" == EXPECTED["small"]["fingerprint"]
    # As `stowage convert` makes it.
    everything = stowage.Instance.load(ROOT / "tests/cli/data/everything.json")
    assert f"{everything.fingerprint:016x}" == "4c0ed1f25ca4e032"


def test_requests_by_keywords_are_the_same() -> None:
    instance = stowage.Instance(instance_bytes("racks"))
    for cells in table("requests.tsv"):
        request = request_of(cells)
        if EXPECTED["racks"][cells[0]].startswith("STOWAGE"):
            continue
        plan = instance.plan(
            request.planner, options={one.name: one.number for one in request.options}, seed=request.seed,
            work_limit=request.work_limit, threads=request.threads, node_limit=request.node_limit,
            ignore_running=request.ignore_running, move_budget=request.move_budget, all_or_nothing=request.all_or_nothing,
            compact=request.compact, soft=cells[11], soft_price=request.soft_price, fill=request.fill, objective=cells[14],
            keep=None if request.keep is None else dict(request.keep.tolist()), survive=request.survive,
            leave_free=request.leave_free, goals=request.goals,
        )  # fmt: skip
        assert hash_of(plan.data) == EXPECTED["racks"][cells[0]], cells[0]


# ----------------------------------------------------------------------------------------------------------------- sessions


def parts(text: str, separator: str = ",") -> list[str]:
    return text.split(separator) if text else []


def rule_of(arguments: dict[str, str]) -> records.NamedRule:
    conjunctions = []
    for conjunction in parts(arguments.get("any-of", ""), "|"):
        conditions = []
        for condition in conjunction.split("&"):
            kind, subject, target, least, most, group, negated = condition.split("/")
            conditions.append(
                records.NamedCardinality(
                    kind=records.CardinalityKind[kind.upper().replace("-", "_")], subject=parts(subject, "+"),
                    target=parts(target, "+"), min=int(least), max=stowage.NONE if most == "-" else int(most), group=group,
                    negated=negated == "1",
                )  # fmt: skip
            )
        conjunctions.append(records.NamedConjunction(all_of=conditions))
    return records.NamedRule(
        name=arguments.get("name", ""), any_of=conjunctions, hard="soft" not in arguments, weight=float(arguments.get("soft", 1)),
        origin=int(arguments.get("operator", 0)),
    )  # fmt: skip


def operation_of(call: str, arguments: dict[str, str]) -> records.Operation:
    def floats(name: str) -> npt.NDArray[np.float64] | None:
        return np.array([float(one) for one in arguments[name].split(",")]) if arguments.get(name) else None

    kind = records.OperationKind[call.upper().replace("-", "_")]
    limits = [one.rpartition(":") for one in parts(arguments.get("limits", ""))]
    sets = [one.partition(":") for one in parts(arguments.get("sets", ""))]
    return records.Operation(
        kind=kind, app=arguments.get("app"), node=arguments.get("node"), replicas=int(arguments.get("replicas", 0)),
        demand=floats("demand"), priority=int(arguments.get("priority", 0)), variance=floats("variance"),
        support_min=floats("support-min"), support_max=floats("support-max"), app_kind=int(arguments.get("kind", stowage.NONE)),
        tags=parts(arguments.get("tags", "")) or None, limit_app=[app for app, _, _ in limits] or None,
        limit_at_most=np.array([int(most) for _, _, most in limits], np.uint32) if limits else None, node_class=arguments.get("class"), load=floats("load"),
        load_variance=floats("load-variance"), groups=[group for group, _, _ in sets] or None,
        sets=[one for _, _, one in sets] or None,
        peer=arguments.get("peer"), amount=float(arguments.get("amount", 0)),
        rule=rule_of(arguments) if kind in (records.OperationKind.ADD_RULE, records.OperationKind.REMOVE_RULE) else None,
    )  # fmt: skip


def commit_text(commit: records.Commit) -> str:
    text = "committed" if commit.committed else "nothing"
    text += f" planned={commit.planned_version} version={commit.version} placed={commit.placed} moved={commit.moved}"
    text += f" ended={commit.ended}" + "".join(f" opened={name}" for name in commit.opened or [])
    for one in commit.conflicts:
        kind = one.kind.name.lower().replace("_", "-")
        text += f" {kind}:{one.app or ''}:{one.node or ''}:{one.wanted}:{one.available}"
    return text


class Sessions:
    """Takes the steps of session.tsv."""

    session: stowage.Session
    plan: stowage.Plan

    def __init__(self) -> None:
        self.pending: list[records.Operation] = []
        self.snapshot = b""

    def version(self) -> str:
        return f"version {self.session.version}"

    def call(self, name: str, arguments: dict[str, str]) -> str:
        match name:
            case "open":
                self.session = stowage.Session(instance_bytes(arguments["instance"]) if "instance" in arguments else self.snapshot)
                return self.version()
            case "apply":
                operations, self.pending = self.pending, []
                self.session.apply(*operations)
                return self.version()
            case "instance":
                return f"{self.session.instance().fingerprint:016x}"
            case "plan":
                self.plan = self.session.plan(
                    arguments["planner"], work_limit=int(arguments.get("work", 0)), node_limit=int(arguments.get("nodes", 0)),
                    move_budget=int(arguments.get("moves", 0)), all_or_nothing=arguments.get("whole") == "1",
                )  # fmt: skip
                return hash_of(self.plan.data)
            case "commit":
                return commit_text(self.session.commit(self.plan, stowage.CommitMode[arguments["mode"].upper()]))
            case "reject":
                self.session.reject(self.plan)
                return self.version()
            case "snapshot":
                self.snapshot = self.session.snapshot()
                return hash_of(self.snapshot)
        self.pending.append(operation_of(name, arguments))
        return "-"


def test_sessions_go_the_same_way() -> None:
    sessions, found = Sessions(), []
    for cells in table("session.tsv"):
        arguments = dict(cell.split("=", 1) for cell in cells[1:] if cell)
        try:
            found.append([cells[0], sessions.call(cells[0], arguments)])
        except stowage.StowageError as error:
            found.append([cells[0], failure_of(error)])
    assert found == table("session-expected.tsv")
