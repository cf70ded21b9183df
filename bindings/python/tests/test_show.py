"""What notebooks show: tables and pictures."""

import html.parser
import pathlib
import warnings
from typing import Any

import matplotlib
import numpy as np
import pytest
from support import ROOT, SMALL, instance_bytes

import stowage
from stowage import records

matplotlib.use("agg")
NAMES = sorted(path.stem for path in (ROOT / "tests/conformance/instances").glob("*.stow"))


class Checker(html.parser.HTMLParser):
    """Checks that tags are closed in the order in which they were opened. Keeps the text of cells."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        assert tag in {"p", "table", "caption", "tr", "th", "td", "pre", "svg", "rect", "text", "title"}, tag
        self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        assert tag == "rect"

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def shown(value: Any) -> list[str]:
    """The texts that a notebook shows for a value."""
    checker = Checker()
    checker.feed(value._repr_html_())
    checker.close()
    assert not checker.open
    return checker.text


@pytest.mark.parametrize("name", NAMES)
def test_everything_is_shown(name: str) -> None:
    cluster = stowage.Instance(instance_bytes(name))
    assert shown(cluster)
    for node_limit in (0, 1):
        try:
            plan = cluster.plan("auto", work_limit=20_000, node_limit=node_limit)
        except stowage.StowageError as error:
            assert error.status in (stowage.Status.UNSUPPORTED, stowage.Status.INVALID)
            continue
        assert repr(plan) in shown(plan)
        answers = (cluster.verify(plan), cluster.explain(plan), cluster.explain(plan).report, cluster.bound(), cluster.losses(plan))
        for answer in (*answers, plan.placements(), plan.nodes(), plan.left_over()):
            assert shown(answer)
        if len(cluster.replicas) and len(plan.node_class):
            assert shown(cluster.headroom(plan, 0, 0)) and shown(cluster.headroom_of_apps(plan))


def test_tables_say_what_is_asked() -> None:
    cluster = stowage.Instance.from_dict(SMALL)
    plan = cluster.plan("ff", node_limit=1)
    assert shown(cluster)[:5] == ["small: 2 apps, 4 replicas", "class", "cpu (cores)", "memory (GiB)", "count"]
    assert shown(cluster)[5:] == ["standard", "8", "16", "any"]
    assert {"ok", "True", "nodes", "1"} <= set(shown(cluster.verify(plan)))
    assert shown(plan.left_over()) == ["app", "replicas", "web", "1", "db", "1"]
    room = shown(cluster.headroom_of_apps(plan))
    assert room[:2] == ["app", "room"] and {"web", "db"} <= set(room)
    assert "unplaced" in "".join(shown(cluster.explain(plan)))
    assert "name" in shown(stowage.planners()) and "ff" in shown(stowage.planners())
    session = stowage.Session(cluster)
    assert "committed" in shown(session.commit(session.plan("ff"))) and shown(session.instance())
    assert shown(session.plan("ff")) == [repr(session.plan("ff"))]
    assert shown(cluster.losses()) and stowage.Instance.from_dict(SMALL).losses()._repr_html_().startswith("<table>")


def test_long_tables_end_with_a_note() -> None:
    description = {**SMALL, "apps": [{"name": f"<{k}>", "demand": {"cpu": 1, "memory": 1}} for k in range(30)]}
    cluster = stowage.Instance.from_dict(description)
    room = shown(cluster.headroom_of_apps(cluster.plan("ff")))
    assert room[-1] == "and 10 more rows" and "<19>" in room and "<20>" not in room
    moves = records.MoveOrder(wave_ends=np.arange(100, dtype=np.uint32))
    assert "0, 1, 2, 3, 4, 5, 6, 7, … (100)" in shown(moves)


# ----------------------------------------------------------------------------------------------------------------------- plot


@pytest.mark.parametrize("name", NAMES)
def test_every_plan_is_plotted(name: str, tmp_path: pathlib.Path) -> None:
    from matplotlib import pyplot

    cluster = stowage.Instance(instance_bytes(name))
    try:
        plan = cluster.plan("auto", work_limit=5_000, compact=True)
    except stowage.StowageError as error:
        assert error.status is stowage.Status.UNSUPPORTED
        return
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        axes = plan.plot()
        figure = axes.get_figure(root=True)
        assert figure is not None
        figure.savefig(tmp_path / "plan.png")
    assert (tmp_path / "plan.png").read_bytes().startswith(b"\x89PNG") and (tmp_path / "plan.png").stat().st_size > 5_000
    legend = axes.get_legend()
    assert legend is not None
    labels = [text.get_text() for text in legend.get_texts()]
    assert [label.partition(" (")[0] for label in labels] == [one.name for one in cluster.columns.resources]
    assert axes.get_xlim() == (0, max(1, plan.nodes_in_use))
    pyplot.close("all")


def test_a_plot_shows_the_shares() -> None:
    from matplotlib import pyplot
    from matplotlib.patches import StepPatch

    plan = stowage.Instance.from_dict(SMALL).plan("ff")
    figure, (left, _) = pyplot.subplots(1, 2)
    assert plan.plot(left) is left
    steps = [one for one in left.patches if isinstance(one, StepPatch)]
    assert [one.get_data()[0].tolist() for one in steps] == [[75, 50], [75, 50]]
    pyplot.close(figure)
