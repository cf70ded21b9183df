#include "capi/k8s/answer/output.h"
#include "capi/text/formats/instance_data.h"

namespace stowage::k8s {
namespace {

using cli::JsonWriter;

/// A member on a line of its own.
JsonWriter& member(JsonWriter& to, std::string_view name) { return to.line(2).key(name); }

void write_needs(JsonWriter& to, std::string_view name, const std::vector<Need>& needs) {
  to.line(2);
  to.list(name, needs,
          [&](const Need& one) { to.begin_object().key("class").text(one.kind).key("nodes").integer(one.nodes).end_object(); });
}

void write_amounts(JsonWriter& to, std::string_view name, const Amounts& amounts, const ResourceNames& names) {
  to.key(name).begin_object();
  for (const auto& [resource, amount] : amounts) to.key(names.name(resource)).number(names.shown(resource, amount));
  to.end_object();
}

void write_table(JsonWriter& to, const Answer& answer, const ResourceNames& names) {
  to.line(2);
  to.list("table", answer.table, [&](const NodeRow& one) {
    to.line(4).begin_object().key("node").text(one.node).key("class").text(one.kind).key("state").text(one.state);
    to.key("pods").integer(one.pods);
    write_amounts(to, "used", one.used, names);
    write_amounts(to, "capacity", one.capacity, names);
    to.end_object();
  });
}

void write_drains(JsonWriter& to, const Answer& answer) {
  if (!answer.curve.empty()) {
    to.line(2);
    to.list("curve", answer.curve, [&](const CurvePoint& one) {
      to.begin_object().key("limit").whole(one.limit).key("moves").whole(one.moves);
      to.key("emptied").whole(one.emptied).key("saves").number(one.saves).end_object();
    });
  }
  if (answer.drains.empty()) return;
  to.line(2);
  to.list("order", answer.drains, [&](const Drain& one) {
    to.line(4).begin_object().key("node").text(one.node).key("saves").number(one.saves);
    to.key("evictions").whole(one.evictions);
    if (one.priority) to.key("highestPriority").integer(*one.priority);
    to.key("rounds").integer(one.rounds).end_object();
  });
  if (const auto& knee = answer.knee) {
    member(to, "knee").begin_object().key("nodes").whole(knee->nodes).key("saving").number(knee->saving);
    to.key("evictions").number(knee->evictions).end_object();
  }
  if (const auto& waiting = answer.waiting) {
    member(to, "waiting").begin_object().key("leastAllocated").whole(waiting->least_allocated);
    to.key("mostAllocated").whole(waiting->most_allocated).key("safe").whole(waiting->safe).end_object();
  }
}

void write_plan(JsonWriter& to, const PlannedNodes& plan, const Cluster& of) {
  struct Line {
    std::string node, kind;
    std::uint32_t copies = 1;
    std::vector<std::pair<int, std::uint32_t>> holds;
  };
  std::vector<Line> lines;
  for (const PresentNode& one : of.nodes)
    lines.push_back({std::string(one.name), of.kinds[static_cast<std::size_t>(one.kind)].name, 1, {}});
  const wire::Plan& root = *wire::GetPlan(plan.plan->data());
  std::vector<std::size_t> at;
  for (std::uint32_t k = 0; k < root.node_class()->size(); ++k) {
    const std::uint32_t listed = root.listed()->Get(k);
    at.push_back(listed == cli::kNone ? lines.size() : listed);
    if (listed == cli::kNone) {
      lines.push_back({"", of.kinds[root.node_class()->Get(k)].name, root.copies() == nullptr ? 1 : root.copies()->Get(k), {}});
    }
  }
  for (const wire::Placed* one : *root.placed()) {
    if (one->app() < of.apps.size()) lines[at[one->node()]].holds.emplace_back(static_cast<int>(one->app()), one->replicas());
  }
  to.line(4);
  to.list(plan.name, lines, [&](const Line& one) {
    to.line(6).begin_object();
    if (!one.node.empty()) to.key("node").text(one.node);
    to.key("class").text(one.kind).key("copies").whole(one.copies);
    to.list("holds", one.holds, [&](const auto& held) {
      to.begin_object()
          .key("workload")
          .text(of.apps[static_cast<std::size_t>(held.first)].title)
          .key("replicas")
          .whole(held.second)
          .end_object();
    });
    to.end_object();
  });
}

void write_placements(JsonWriter& to, const Answer& answer, const Cluster& of) {
  member(to, "placements").begin_object().line(4);
  to.list("workloads", of.apps, [&](const App& one) {
    to.line(6).begin_object().key("workload").text(one.title);
    to.list("pods", one.members, [&](const std::string& pod) { to.text(pod); });
    to.end_object();
  });
  for (const PlannedNodes& plan : answer.plans) write_plan(to, plan, of);
  to.end_object();
}

}  // namespace

void write_texts(JsonWriter& to, std::string_view name, const std::vector<std::string>& list) {
  to.line(2);
  to.list(name, list, [&](const std::string& one) { to.text(one); });
}

void write_moves(JsonWriter& to, std::string_view name, const std::vector<Move>& moves) {
  to.line(2);
  to.list(name, moves, [&](const Move& one) {
    to.line(4).begin_object().key("workload").text(one.workload).key("replicas").whole(one.replicas);
    if (!one.from.empty()) to.key("from").text(one.from);
    to.key("to").text(one.to);
    if (one.wave > 0) to.key("wave").whole(one.wave);
    to.end_object();
  });
}

void write_unplaced(JsonWriter& to, std::string_view name, const std::vector<Unplaced>& list) {
  to.line(2);
  to.list(name, list, [&](const Unplaced& one) {
    to.line(4)
        .begin_object()
        .key("workload")
        .text(one.workload)
        .key("replicas")
        .integer(one.replicas)
        .key("of")
        .integer(one.of);
    to.list("why", one.why, [&](const std::string& line) { to.text(line); });
    to.list("help", one.help, [&](const std::string& line) { to.text(line); });
    to.end_object();
  });
}

void write_notes(JsonWriter& to, const Cluster& of) {
  std::vector<std::string> all = of.left_out;
  all.insert(all.end(), of.missing.begin(), of.missing.end());
  write_texts(to, "leftOut", all);
  write_texts(to, "missing", of.missing);
  write_texts(to, "notes", of.notes);
}

void write_answer(JsonWriter& to, const Answer& answer, const Planning& of, bool moves) {
  const Cluster& cluster = of.model.cluster;
  member(to, "nodes").whole(answer.nodes);
  member(to, "workloads").whole(answer.workloads);
  member(to, "replicas").integer(answer.replicas);
  write_unplaced(to, "unplaced", answer.unplaced);
  write_needs(to, "add", answer.add);
  write_unplaced(to, "stillUnplaced", answer.still_unplaced);
  if (answer.room) {
    member(to, "room").begin_object().key("moves").whole(answer.room->count);
    write_moves(to, "moveList", answer.room->moves);
    write_unplaced(to, "unplaced", answer.room->unplaced);
    to.end_object();
  }
  write_needs(to, "afresh", answer.afresh);
  member(to, "bound").number(answer.bound);
  if (answer.cost_now) member(to, "costNow").number(*answer.cost_now);
  if (answer.cost_afresh) member(to, "costAfresh").number(*answer.cost_afresh);
  write_texts(to, "emptied", answer.emptied);
  if (answer.free) {
    member(to, "free").begin_object().key("label").text(answer.free->label);
    to.list("values", answer.free->values, [&](const std::string& one) { to.text(one); });
    to.key("inUse").whole(answer.free->in_use).key("bound").whole(answer.free->bound).end_object();
  }
  if (moves) {
    member(to, "moves").whole(answer.moves);
    write_moves(to, "moveList", answer.move_list);
  }
  if (answer.saved) member(to, "saved").number(*answer.saved);
  if (!answer.replace.empty()) write_needs(to, "replace", answer.replace);
  if (!answer.rounds.empty()) write_texts(to, "rounds", answer.rounds);
  write_texts(to, "idle", answer.idle);
  if (!answer.held.empty()) write_texts(to, "held", answer.held);
  to.line(2);
  to.list("unmet", answer.unmet, [&](const Unmet& one) {
    to.line(4).begin_object().key("preference").text(one.preference).key("replicas").whole(one.replicas).end_object();
  });
  member(to, "broken").whole(answer.broken);
  if (!answer.broken_list.empty()) write_texts(to, "brokenList", answer.broken_list);
  if (!answer.table.empty()) write_table(to, answer, cluster.from.resources);
  write_notes(to, cluster);
  write_drains(to, answer);
  if (!answer.plans.empty()) write_placements(to, answer, cluster);
}

}  // namespace stowage::k8s
