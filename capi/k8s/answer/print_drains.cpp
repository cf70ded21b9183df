#include <algorithm>
#include <cmath>

#include "capi/k8s/answer/output.h"
#include "capi/k8s/read/ranges.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/printable.h"
#include "capi/text/base/table.h"

namespace stowage::k8s {
namespace {

/// So many nodes are listed one by one.
constexpr std::size_t kShownDrains = 20;

std::string percent(double share) { return std::to_string(std::llround(100 * share)) + " %"; }

/// Of which names of nodes consist. Nothing else may get into a script.
bool is_name(const std::string& text) {
  return !text.empty() && text.front() != '-' && ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_';
  });
}

bool loses_data(const Answer& answer, const Cluster& of) {
  return ranges::any_of(answer.move_list, [&](const Move& one) {
    const auto& data = of.apps[static_cast<std::size_t>(one.app)].local_data;
    return ranges::any_of(data, [](const std::string& its) { return its.starts_with("emptyDir"); });
  });
}

}  // namespace

void print_curve(std::string& out, const std::vector<CurvePoint>& curve) {
  if (curve.empty()) return;
  out += "\nWhat more moves empty (-moves)\n";
  std::vector<std::vector<std::string>> rows = {{"LIMIT", "MOVES", "NODES EMPTIED", "SAVES"}};
  for (const CurvePoint& one : curve) {
    rows.push_back(
        {std::to_string(one.limit), std::to_string(one.moves), std::to_string(one.emptied), decimal_text(one.saves, 4)});
  }
  print_table(out, rows);
  if (curve.size() == 1) out += "  plans with more moves save no more\n";
}

void print_drains(std::string& out, const Answer& answer) {
  if (answer.drains.empty()) return;
  out += "\nIn which order: most saving for each eviction first\n";
  std::vector<std::vector<std::string>> rows = {
      {"NODE", answer.drains_priced ? "SAVES" : "NODES", "EVICTIONS", "HIGHEST PRIORITY", "ROUNDS", "SO FAR"}};
  double saves = 0;
  std::uint64_t evictions = 0;
  for (const Drain& one : answer.drains) {
    saves += one.saves;
    evictions += one.evictions;
    if (rows.size() > kShownDrains) continue;
    rows.push_back({one.node, decimal_text(one.saves, 4), std::to_string(one.evictions),
                    one.priority ? std::to_string(*one.priority) : "-", one.rounds > 0 ? std::to_string(one.rounds) : "-",
                    decimal_text(saves, 4) + " by " + cli::counted(evictions, "eviction")});
  }
  print_table(out, rows);
  if (answer.drains.size() > kShownDrains)
    out += "  and " + std::to_string(answer.drains.size() - kShownDrains) + " more (-json lists all)\n";
  if (const auto& knee = answer.knee) {
    out += "  the first " + cli::counted(knee->nodes, "node") + (knee->nodes == 1 ? " brings " : " bring ") +
           percent(knee->saving) + " of the saving by " + percent(knee->evictions) + " of the evictions\n";
  }
  if (!answer.waiting) return;
  const auto& [least, most, safe] = *answer.waiting;
  if (least + most == 0) {
    out += "  no pod waits where the scheduler chooses the nodes itself, the emptiest or the fullest first\n";
    return;
  }
  out += "  where the scheduler chooses the nodes itself, up to " + cli::counted(std::max(least, most), "pod") +
         " would wait; after the first " + cli::counted(safe, "node") + ", none\n";
}

/// Only so many nodes are drained as leave no pod waiting.
void print_script(const Answer& answer, const Cluster& of, std::string& out) {
  const std::size_t count = answer.waiting ? answer.waiting->safe : 0;
  std::string nodes, drains;
  for (std::size_t k = 0; k < count; ++k) {
    const std::string& name = answer.drains[k].node;
    if (!is_name(name)) throw cli::Failure("-script: \"" + cli::printable(name) + "\" is not a name of a node");
    nodes += " " + name;
    drains += "empty " + name + "\n";
  }
  out += "#!/bin/sh\n";
  if (count == 0) {
    out += "# No node can be emptied.\n";
    return;
  }
  const bool loses = loses_data(answer, of);
  out += "# Empties " + cli::counted(count, "node") + " one after the other, and stops where a pod waits.\n";
  if (loses) out += "# What pods keep in emptyDir volumes is lost.\n";
  out += "# To go back: kubectl uncordon" + nodes + R"sh(
set -eu
waiting() { kubectl get pods -A --field-selector=status.phase=Pending -o name | wc -l; }
before=$(waiting)
empty() {
  kubectl drain "$1" --ignore-daemonsets)sh" +
         (loses ? " --delete-emptydir-data" : "") + R"sh( --timeout=10m
  for turn in 1 2 3 4 5 6 7 8 9 10; do
    if [ "$(waiting)" -le "$before" ]; then return; fi
    sleep 10
  done
  echo "pods wait after $1 was emptied; the rest is left as it is" >&2
  exit 1
}
kubectl cordon)sh" +
         nodes + "\n" + drains;
}

}  // namespace stowage::k8s
