#!/usr/bin/env python3
"""Fits the distributions behind `stowage generate` to the published Alibaba Tianchi data and prints them as C++ tables.

Usage: scripts/fit_distributions.py [DATA] > capi/cli/generate/distributions.inc

DATA is the folder with the three scheduling_preliminary_b files; without it, data/tianchi-2018-b under $STOWAGE_SHARED, or
under ../shared beside this project. docs/reference/generate.md explains the model.
"""

import collections
import math
import os
import pathlib
import sys

PREFIX = "scheduling_preliminary_b_"
SUFFIX = "_20180726.csv"
PERIODS = 98
# A pair of sizes with fewer apps is merged into the nearest pair that is kept.
LEAST_APPS_PER_PAIR = 5
# Smallest number of apps in a cell of a conditional table; a smaller cell is merged with the cell of the next smaller CPU size.
LEAST_APPS_PER_CELL = 40
REPLICA_BUCKETS = [1, 2, 3, 4, 5, 6, 7, 9, 13, 21, 41, 81, 161]
QUANTILES = 17
KNOTS = 14
MEMORY_CLASSES = 4


def data_folder():
    if len(sys.argv) > 1:
        return pathlib.Path(sys.argv[1])
    root = pathlib.Path(__file__).resolve().parent.parent
    shared = pathlib.Path(os.environ.get("STOWAGE_SHARED", root.parent / "shared"))
    return shared / "data" / "tianchi-2018-b"


class App:
    def __init__(self, cpu, memory, replicas):
        self.profiles = (cpu, memory)
        self.replicas = replicas
        self.size = (math.ceil(max(cpu)), math.ceil(max(memory)))
        self.constant = (min(cpu) == max(cpu), min(memory) == max(memory))


def read_apps(folder):
    replicas = collections.Counter()
    with open(folder / f"{PREFIX}instance_deploy{SUFFIX}") as lines:
        for line in lines:
            replicas[line.split(",")[1]] += 1
    apps = []
    with open(folder / f"{PREFIX}app_resources{SUFFIX}") as lines:
        for line in lines:
            name, cpu, memory = line.split(",")[:3]
            apps.append(App([float(x) for x in cpu.split("|")], [float(x) for x in memory.split("|")], replicas[name]))
    return apps


def quantiles(values, weights):
    """QUANTILES values at equal steps of weight. The distribution is modelled as uniform between neighbouring values."""
    ordered = sorted(zip(values, weights))
    total = sum(weights)
    result = []
    at, passed = 0, 0
    for k in range(QUANTILES):
        while at + 1 < len(ordered) and passed + ordered[at][1] < k / (QUANTILES - 1) * total:
            passed += ordered[at][1]
            at += 1
        result.append(ordered[at][0])
    return result


def cpu_class(cpu):
    return 0 if cpu == 1 else 1 if cpu <= 3 else 2 if cpu <= 5 else 3


def memory_class(memory):
    return 0 if memory < 8 else 1 if memory == 8 else 2 if memory <= 16 else 3


def kept_pairs(apps):
    """The pairs of sizes that are kept, with their numbers of apps; and the pair that each app is merged into."""
    count = collections.Counter(app.size for app in apps)
    kept = sorted(pair for pair, n in count.items() if n >= LEAST_APPS_PER_PAIR)

    def nearest(pair):
        return min(kept, key=lambda other: sum(math.log(a / b) ** 2 for a, b in zip(pair, other)))

    weights = collections.Counter()
    for pair, n in count.items():
        weights[nearest(pair)] += n
    return [(cpu, memory, weights[(cpu, memory)]) for cpu, memory in kept]


def cells(apps):
    """Apps by (CPU class, memory class). A cell with too few apps shares the apps of the next smaller CPU class."""
    by_cell = collections.defaultdict(list)
    for app in apps:
        by_cell[cpu_class(app.size[0]), memory_class(app.size[1])].append(app)
    owner = {}
    for memory in range(MEMORY_CLASSES):
        groups = [[cpu] for cpu in range(4)]
        cpu = 3
        while cpu > 0:
            if sum(len(by_cell[c, memory]) for c in groups[cpu]) < LEAST_APPS_PER_CELL:
                groups[cpu - 1] += groups[cpu]
                groups[cpu] = []
            cpu -= 1
        for group in groups:
            for cpu in group:
                owner[cpu, memory] = [app for c in group for app in by_cell[c, memory]]
    return owner


def replica_table(apps):
    """(weight, smallest, largest) per bucket: a uniform distribution with the bucket's mean."""
    rows = []
    for index, low in enumerate(REPLICA_BUCKETS):
        high = REPLICA_BUCKETS[index + 1] - 1 if index + 1 < len(REPLICA_BUCKETS) else 10**9
        inside = [app.replicas for app in apps if low <= app.replicas <= high]
        if not inside:
            rows.append((0, low, low))
            continue
        smallest = min(inside)
        mean = sum(inside) / len(inside)
        rows.append((len(inside), smallest, max(smallest, round(2 * mean - smallest))))
    return rows


def shape_knots(apps, resource, weigh):
    """The common daily profile: the mean of the varying profiles, each scaled to [0, 1]."""
    total = [0.0] * PERIODS
    weight = 0
    for app in apps:
        if app.constant[resource]:
            continue
        profile = app.profiles[resource]
        low, high = min(profile), max(profile)
        weight += weigh(app)
        for t in range(PERIODS):
            total[t] += weigh(app) * (profile[t] - low) / (high - low)
    mean = [x / weight for x in total]
    knots = []
    for k in range(KNOTS):
        centre = k * (PERIODS - 1) / (KNOTS - 1)
        near = [mean[t] for t in range(PERIODS) if abs(t - centre) <= (PERIODS - 1) / (KNOTS - 1) / 2]
        knots.append(sum(near) / len(near))
    middle = sum(knots) / KNOTS
    spread = math.sqrt(sum((x - middle) ** 2 for x in knots) / KNOTS)
    return [(x - middle) / spread for x in knots]


def fill(profile):
    low, high = min(profile), max(profile)
    return (sum(profile) / len(profile) - low) / (high - low)


def table(apps, measure, weigh):
    return quantiles([measure(app) for app in apps], [weigh(app) for app in apps])


def thirds(apps, measure, weigh):
    """The apps in three parts of equal weight, ordered by a measure."""
    total = sum(weigh(app) for app in apps)
    parts = [[], [], []]
    passed = 0
    for app in sorted(apps, key=measure):
        parts[min(2, 3 * passed // total)].append(app)
        passed += weigh(app)
    return parts


def numbers(values, digits=4):
    return "{" + ", ".join(f"{value:.{digits}f}".rstrip("0").rstrip(".") for value in values) + "}"


def shapes(out, name, apps, weigh):
    out.append(f"constexpr Shape {name}[2] = {{")
    for resource in range(2):
        varying = [app for app in apps if not app.constant[resource]]
        top = lambda app: max(app.profiles[resource]) - (app.size[resource] - 1)
        low = lambda app: min(app.profiles[resource]) / max(app.profiles[resource])
        out.append("    {")
        # No app of size 1 has varying memory; such a pair takes the peaks of the larger sizes.
        units = [[a for a in varying if (a.size[resource] == 1) == unit] for unit in (True, False)]
        out.append(f"        {numbers(table(units[0] or units[1], top, weigh))},")
        out.append(f"        {numbers(table(units[1], top, weigh))},")
        out.append(f"        {numbers(table(varying, low, weigh))},")
        parts = thirds(varying, low, weigh)
        fills = [numbers(table(part, lambda a: fill(a.profiles[resource]), weigh), 3) for part in parts]
        out.append("        {" + ",\n         ".join(fills) + "},")
        out.append(f"        {numbers(shape_knots(apps, resource, weigh), 3)},")
        out.append("    },")
    out.append("};")


def main():
    apps = read_apps(data_folder())
    pairs = kept_pairs(apps)
    owner = cells(apps)
    out = []
    out.append("// Written by scripts/fit_distributions.py; docs/reference/generate.md explains the tables.\n")
    out.append("constexpr SizePair kSizePairs[] = {")
    line = "   "
    for cpu, memory, weight in pairs:
        entry = f" {{{cpu}, {memory}, {weight}}},"
        if len(line) + len(entry) > 126:
            out.append(line)
            line = "   "
        line += entry
    out.append(line)
    out.append("};\n")
    out.append("constexpr Cell kCells[4][4] = {")
    for cpu in range(4):
        out.append("    {")
        for memory in range(MEMORY_CLASSES):
            members = owner[cpu, memory]
            flags = [[a for a in members if a.constant[1] == constant] for constant in (False, True)]
            share = len(flags[1]) / len(members)
            cpu_share = [sum(a.constant[0] for a in group) / len(group) if group else 0 for group in flags]
            out.append(f"        {{{share:.3f}, {numbers(cpu_share, 3)},")
            tables = []
            for group in flags:
                rows = ["{%d, %d, %d}" % row for row in replica_table(group or members) if row[0] > 0]
                middle = (len(rows) + 1) // 2
                tables.append("{" + ", ".join(rows[:middle]) + ",\n           " + ", ".join(rows[middle:]) + "}")
            out.append("         {" + ",\n          ".join(tables) + "}},")
        out.append("    },")
    out.append("};\n")
    # Weighting by replicas reproduces total demand where replicas and profiles are correlated; weighting by apps, where they
    # are not.
    shapes(out, "kShapes", apps, lambda app: app.replicas)
    shapes(out, "kShapesOfApps", apps, lambda app: 1)
    print("\n".join(out))


if __name__ == "__main__":
    main()
