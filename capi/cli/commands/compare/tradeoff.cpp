// What soft rules cost: plans an instance with several prices of their violations, and lists what each price buys.

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "capi/cli/base/files.h"
#include "capi/cli/base/text/csv.h"
#include "capi/cli/commands/commands.h"
#include "capi/cli/formats/plan_file.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/json_text.h"
#include "capi/text/base/printable.h"
#include "capi/text/base/quantities.h"
#include "capi/text/formats/names.h"
#include "capi/text/formats/words.h"
#include "capi/text/words/judged.h"

namespace stowage::cli {
namespace {

/// The relative difference below which two values count as equal: sums of the same numbers in another order.
constexpr double kRounding = 1e-9;

/// How soft violations counted.
struct Policy {
  wire::SoftPolicy soft = wire::SoftPolicy::First;
  double price = 0;

  [[nodiscard]] std::string text() const {
    return soft == wire::SoftPolicy::Price ? for_people(price, 4) : word_of<wire::SoftPolicy>(soft);
  }
};

/// A plan that a run found: what it comes to.
struct Found {
  Policy by;
  std::uint64_t nodes = 0;
  double cost = 0;  ///< the prices of the nodes, or their number
  double violation_cost = 0;
  std::uint64_t violations = 0;
  std::uint32_t inherited = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> unplaced;  ///< app and replicas
  double bound = 0;                                               ///< on the cost of any complete plan; 0: none
  std::string bound_name;
  std::uint64_t seed = 0;
  std::uint64_t work = 0;
  double seconds = 0;

  [[nodiscard]] double value(const Policy& policy) const {
    return policy.soft == wire::SoftPolicy::Price ? cost + policy.price * violation_cost : cost;
  }
  [[nodiscard]] std::uint64_t left_over() const {
    std::uint64_t replicas = 0;
    for (const auto& [app, left] : unplaced) replicas += left;
    return replicas;
  }
};

Found found_by(const PlanRun& run, const Policy& policy) {
  const wire::Plan& plan = run.root();
  Found found;
  found.by = policy;
  found.nodes = nodes_in_use(plan);
  found.cost = plan.cost() >= 0 ? plan.cost() : static_cast<double>(found.nodes);
  found.violation_cost = std::max(0.0, plan.violation_cost());
  found.violations = plan.rule_violations();
  found.inherited = plan.inherited_violations();
  for (const wire::Unplaced* one : *plan.unplaced()) found.unplaced.emplace_back(one->app(), one->replicas());
  if (const wire::Bound* bound = bound_of(plan); bound != nullptr) {
    found.bound = bound->value();
    found.bound_name = bound->name()->str();
  }
  found.seed = plan.seed();
  found.work = plan.work();
  found.seconds = run.seconds;
  return found;
}

bool is_less(double a, double b) { return a < b - kRounding * std::abs(b); }

/// Whether plan `a` is better than plan `b` for this policy. Of plans that leave different replicas over, only a complete one
/// is better: which replicas count how much is the library's to say.
bool beats(const Found& a, const Found& b, const Policy& policy) {
  if (a.unplaced != b.unplaced) return a.unplaced.empty();
  if (a.inherited != b.inherited) return a.inherited < b.inherited;
  const std::pair<double, double> by_value(a.value(policy), b.value(policy));
  const std::pair<double, double> by_rules(a.violation_cost, b.violation_cost);
  const bool rules_first = policy.soft == wire::SoftPolicy::First;
  for (const auto& [mine, other] : {rules_first ? by_rules : by_value, rules_first ? by_value : by_rules}) {
    if (is_less(mine, other)) return true;
    if (is_less(other, mine)) return false;
  }
  return a.nodes < b.nodes;
}

/// A point of the curve: a policy, and the best of all plans for it.
struct Point {
  Policy policy;
  const Found* plan;
};

/// The prices between "last" and "first": those of the command, or a ladder around what a unit of violation costs on the way
/// from one end of the curve to the other, each twice the one before.
std::vector<double> prices_between(const TradeoffCommand& command, const Found& last, const Found& first) {
  if (!command.prices.empty()) {
    std::vector<double> prices = command.prices;
    std::sort(prices.begin(), prices.end());
    prices.erase(std::unique(prices.begin(), prices.end()), prices.end());
    return prices;
  }
  const double saved = last.violation_cost - first.violation_cost;
  const double spent = first.cost - last.cost;
  if (!(saved > 0 && spent > 0)) return {};
  std::vector<double> prices;
  const int steps = static_cast<int>(command.steps);
  prices.reserve(command.steps);
  for (int step = 0; step < steps; ++step) prices.push_back(std::ldexp(spent / saved, step - (steps - 1) / 2));
  return prices;
}

double gap_of(const Point& point, double bound) {
  if (!point.plan->unplaced.empty() || !(bound > 0)) return -1;
  return std::max(0.0, point.plan->value(point.policy) / bound - 1);
}

struct Curve {
  bool priced = false;
  double bound = 0;
  std::string bound_name;
  std::vector<Point> points;
};

std::string csv_text(const Curve& curve) {
  std::string text = csv_line({"policy", "price", "nodes", "cost", "bound", "gap", "violation_cost", "violations", "unplaced",
                               "found_by", "seed", "work"});
  for (const Point& point : curve.points) {
    const Found& plan = *point.plan;
    const bool has_price = point.policy.soft == wire::SoftPolicy::Price;
    const double gap = gap_of(point, curve.bound);
    text += csv_line({word_of<wire::SoftPolicy>(point.policy.soft), has_price ? shortest(point.policy.price) : "",
                      std::to_string(plan.nodes), shortest(plan.cost), shortest(curve.bound), gap < 0 ? "" : shortest(gap),
                      shortest(plan.violation_cost), std::to_string(plan.violations), std::to_string(plan.left_over()),
                      plan.by.soft == wire::SoftPolicy::Price ? shortest(plan.by.price) : plan.by.text(),
                      std::to_string(plan.seed), std::to_string(plan.work)});
  }
  return text;
}

std::string json_text(const Curve& curve) {
  std::string text;
  JsonWriter json(text);
  const auto policy = [&](const Policy& one) {
    json.key("policy").text(word_of<wire::SoftPolicy>(one.soft));
    if (one.soft == wire::SoftPolicy::Price) json.key("price").number(one.price);
  };
  json.begin_object().key("objective").text(curve.priced ? "cost" : "nodes");
  json.number_or_null("bound", curve.bound > 0 ? std::optional(curve.bound) : std::nullopt);
  if (curve.bound > 0) json.key("bound_name").text(curve.bound_name);
  json.key("points").begin_array();
  for (const Point& point : curve.points) {
    const Found& plan = *point.plan;
    json.line(2).begin_object();
    policy(point.policy);
    const double gap = gap_of(point, curve.bound);
    json.key("nodes").whole(plan.nodes).key("cost").number(plan.cost);
    json.number_or_null("gap", gap < 0 ? std::nullopt : std::optional(gap));
    json.key("violation_cost").number(plan.violation_cost).key("violations").whole(plan.violations);
    json.key("unplaced").whole(plan.left_over());
    json.key("found_by").begin_object();
    policy(plan.by);
    json.key("seed").whole(plan.seed).key("work").whole(plan.work).key("seconds").number(plan.seconds).end_object();
    json.end_object();
  }
  json.line(0).end_array().end_object();
  return text + "\n";
}

void print_curve(const Curve& curve, const Console& console) {
  const char* what = curve.priced ? "cost" : "nodes";
  TextTable table({"soft rules", what, "violations cost", "violations", "unplaced", "above the bound", "plan found by"});
  table.right_from(1);
  for (const Point& point : curve.points) {
    const double gap = gap_of(point, curve.bound);
    const std::string policy = (point.policy.soft == wire::SoftPolicy::Price ? "price " : "") + point.policy.text();
    table.add({policy, for_people(point.plan->cost, 4), for_people(point.plan->violation_cost, 4),
               std::to_string(point.plan->violations), std::to_string(point.plan->left_over()),
               gap < 0 ? "-" : percent_text(gap), point.plan->by.text()});
  }
  table.print(console, 0);
  if (curve.bound > 0) {
    console.out << capitalized(least_text({.priced = curve.priced, .bound = curve.bound})) << ".\n";
  }
}

void write_curve(const Curve& curve, const std::string& path, const std::string& asked) {
  OutputFile out(path);
  out.write(format_of(path, asked, table_formats()) == "csv" ? csv_text(curve) : json_text(curve));
  out.commit();
}

}  // namespace

int run_tradeoff_command(const TradeoffCommand& command, const Console& console) {
  check_outputs(command.outputs, command.format, table_formats());
  const InterruptGuard guard;
  const Workload workload = load_workload(command.file, command.node, console);
  if (!has_soft_rules(workload.root())) throw Failure(command.file + ": has no soft rules, so that there is nothing to trade");
  std::vector<Found> pool;
  const auto plan_with = [&](const Policy& policy) {
    if (InterruptGuard::interrupted()) return;
    RequestOptions request = command.request;
    request.soft = policy.soft;
    request.soft_price = policy.price;
    pool.push_back(found_by(run_plan(workload, request, console), policy));
  };
  const Policy last{wire::SoftPolicy::Last, 0};
  const Policy first{wire::SoftPolicy::First, 0};
  plan_with(last);
  plan_with(first);
  std::vector<Policy> policies = {last};
  if (pool.size() == 2) {
    for (const double price : prices_between(command, pool[0], pool[1])) {
      policies.push_back({wire::SoftPolicy::Price, price});
      plan_with(policies.back());
    }
  }
  policies.push_back(first);
  if (pool.empty()) return kExitUnmet;

  Curve curve;
  curve.priced = workload.root().classes()->size() > 0 && workload.root().classes()->Get(0)->price() >= 0;
  for (const Found& one : pool) {
    if (one.bound <= curve.bound) continue;
    curve.bound = one.bound;
    curve.bound_name = one.bound_name;
  }
  for (const Policy& policy : policies) {
    // Where no plan of the pool is better, the policy's own run stands.
    const auto own = std::find_if(pool.begin(), pool.end(),
                                  [&](const Found& one) { return one.by.soft == policy.soft && one.by.price == policy.price; });
    const Found* best = own == pool.end() ? &pool.front() : &*own;
    for (const Found& one : pool) {
      if (beats(one, *best, policy)) best = &one;
    }
    curve.points.push_back({policy, best});
  }
  for (const std::string& output : command.outputs) write_curve(curve, output, command.format);
  const Console answer = answer_console(console, command.outputs);
  if (command.summary == Summary::kJson) {
    answer.out << json_text(curve);
  } else {
    print_curve(curve, answer);
    for (const std::string& output : command.outputs) {
      if (output != "-") answer.out << "Written to " << printable(output) << '\n';
    }
  }
  const bool unmet =
      std::any_of(curve.points.begin(), curve.points.end(), [](const Point& point) { return !point.plan->unplaced.empty(); });
  return unmet || InterruptGuard::interrupted() ? kExitUnmet : kExitOk;
}

}  // namespace stowage::cli
