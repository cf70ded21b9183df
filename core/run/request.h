// The request, as the core sees it, and the options that planners declare. request.fbs documents the fields.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/plan/objective.h"
#include "core/plan/plan.h"

namespace stowage {

struct RequestOption {
  std::string name;
  double number = 0;
  std::string text;
};

/// Room for so many more replicas of an app.
struct Kept {
  AppId app;
  std::uint32_t replicas;
};

/// As Request::survive: each node by itself.
inline constexpr std::string_view kEachNode = "*";
/// The key of the label whose values are lost; empty: each node by itself.
inline std::string survived_label(const std::string& survive) { return survive == kEachNode ? std::string() : survive; }

struct Request {
  std::string planner;
  std::vector<RequestOption> options;
  std::uint64_t seed = 0;
  std::uint64_t deadline_ms = 0;
  std::uint64_t work_limit = 0;
  std::uint32_t threads = 1;
  std::uint32_t node_limit = 0;
  bool ignore_running = false;
  std::uint32_t move_budget = 0;
  Objective objective = Objective::kNodes;
  bool all_or_nothing = false;
  bool compact = false;
  SoftPolicy soft = SoftPolicy::kFirst;
  double soft_price = 0;
  bool fill = false;
  double max_cost = 0;
  std::uint64_t patience_ms = 0;
  std::vector<Kept> keep;
  std::string survive;     ///< empty, kEachNode, or the key of a label
  std::string leave_free;  ///< empty, or the key of a label
  std::vector<PlanGoal> goals;
  bool trace = false;
  /// No caller outside sets it: a run that is cancelled or late ends with kCancelled instead of a plan, and so sooner.
  bool drop_late = false;

  [[nodiscard]] Judgement judgement() const { return {objective, soft, soft_price, fill}; }
};

/// The one declaration of an option. Request checks, the catalogue and the command line read it; a test compares the docs.
struct OptionInfo {
  std::string_view name;
  std::string_view summary;
  double default_number;
  double min;
  double max;
};

/// The options of a run: what the request gives, else the defaults.
class Options {
 public:
  Options(std::span<const OptionInfo> declared, const Request& request);
  [[nodiscard]] double number(std::string_view name) const;

 private:
  std::span<const OptionInfo> declared_;
  std::vector<double> values_;
};

}  // namespace stowage
