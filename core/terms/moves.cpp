// The term that counts moves: running replicas that have left their node.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/terms/goal_terms.h"
#include "core/terms/term.h"

namespace stowage {
namespace {

class MoveTerm : public Term {
 public:
  explicit MoveTerm(const Instance& instance) : running_(instance.listed_nodes()) {
    for (const Residence& one : instance.data().running) {
      std::vector<Tenant>& here = running_[one.node];
      const auto known = std::find_if(here.begin(), here.end(), [&](const Tenant& tenant) { return tenant.app == one.app; });
      if (known == here.end()) {
        here.push_back({one.app, one.replicas});
      } else {
        known->replicas += one.replicas;
      }
    }
  }
  [[nodiscard]] double at(const NodeView& node) const override {
    if (node.listed == kNone) return 0;
    std::uint64_t away = 0;
    for (const Tenant& at_start : running_[node.listed]) {
      std::uint32_t there = 0;
      for (const Tenant& tenant : node.tenants) there += tenant.app == at_start.app ? tenant.replicas : 0;
      away += at_start.replicas - std::min(at_start.replicas, there);
    }
    return static_cast<double>(away);
  }

 private:
  std::vector<std::vector<Tenant>> running_;  // per listed node
};

}  // namespace

const GoalTerm kMovesGoal = {
    .make = [](const Instance& instance, ResourceId) -> std::unique_ptr<Term> { return std::make_unique<MoveTerm>(instance); },
    .refusal = [](const Instance&, const Request& request) -> std::string {
      return request.ignore_running ? "moves cannot be counted where the request ignores what runs" : "";
    },
    .ask =
        [](Request& request) {
          if (request.move_budget == 0) request.move_budget = kNone;
        },
};

}  // namespace stowage
