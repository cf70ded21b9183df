#include "core/traffic/traffic_graph.h"

namespace stowage {

TrafficGraph::TrafficGraph(const Instance& instance) : row_(instance.apps(), kNone) {
  const std::vector<Traffic>& traffic = instance.data().traffic;
  const auto counts = [&](const Traffic& one) {
    return one.amount > 0 && instance.replicas(one.app) > 0 && instance.replicas(one.peer) > 0;
  };
  double all = 0;
  for (const Traffic& one : traffic) {
    if (!counts(one)) continue;
    all += one.amount;
    row_[one.app] = row_[one.peer] = 0;
  }
  for (AppId app = 0; app < instance.apps(); ++app) {
    if (row_[app] == kNone) continue;
    row_[app] = rows();
    apps_.push_back(app);
    replicas_.push_back(instance.replicas(app));
    total_replicas_ += instance.replicas(app);
  }
  begin_.assign(std::size_t{rows()} + 1, 0);
  for (const Traffic& one : traffic) {
    if (!counts(one)) continue;
    pairs_.push_back({row_[one.app], row_[one.peer], one.amount / all});
    ++begin_[row_[one.app] + 1];
    ++begin_[row_[one.peer] + 1];
  }
  for (std::uint32_t row = 0; row < rows(); ++row) begin_[row + 1] += begin_[row];
  arcs_.resize(2 * pairs_.size());
  std::vector<std::size_t> end(begin_.begin(), begin_.end() - 1);
  for (const Pair& pair : pairs_) {
    const double per_unit = pair.share / (static_cast<double>(replicas_[pair.row]) * static_cast<double>(replicas_[pair.peer]));
    arcs_[end[pair.row]++] = {pair.peer, per_unit};
    arcs_[end[pair.peer]++] = {pair.row, per_unit};
  }
}

}  // namespace stowage
