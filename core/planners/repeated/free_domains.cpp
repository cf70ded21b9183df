#include "core/planners/repeated/free_domains.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/domains/domains.h"
#include "core/model/labels.h"
#include "core/planners/judging.h"
#include "core/verify/checker.h"

namespace stowage {
namespace {

/// Of the time that is left, each attempt but the last takes one part in so many.
constexpr std::uint64_t kShareOfAttempt = 4;

using Choice = std::vector<std::uint8_t>;  // per domain: whether nodes of it may be used

Error check_asked(const Instance& instance, const Request& request) {
  if (request.objective != Objective::kNodes) {
    return {Code::kUnsupported, "domains are left free only where nodes or their cost count", "leave_free"};
  }
  if (!request.keep.empty() || !request.survive.empty()) {
    return {Code::kUnsupported, "domains are not left free by plans that keep room or survive losses", "leave_free"};
  }
  if (has_label(instance, request.leave_free)) return {};
  return {Code::kInvalid, "no node has a label with the key " + request.leave_free, "leave_free"};
}

class FreeDomainsRun {
 public:
  FreeDomainsRun(const Instance& instance, const Request& request, LazyBounds& bounds, const Control* control,
                 const PlainRun& run)
      : instance_(instance),
        request_(request),
        bounds_(bounds),
        run_(run),
        time_(request, control),
        domains_(instance, request.leave_free),
        rooms_(instance, Supply(instance), domains_),
        moves_(request.ignore_running ? std::numeric_limits<std::uint64_t>::max() : request.move_budget) {}

  Result<Plan> best() {
    const std::uint32_t bound = domain_bound(rooms_, moves_);
    // Where every domain is needed, there is nothing to look for.
    const bool is_last = bound == domains_.count();
    Result<Plan> first = run_(instance_, plain(moves_, is_last), bounds_);
    if (!first) return first;
    best_ = std::move(first.value());
    kept_ = used_domains(instance_, domains_, best_);
    best_.domains_in_use = static_cast<std::uint32_t>(std::count(kept_.begin(), kept_.end(), 1));
    search(bound);
    if (time_.has_deadline() && !is_last && !time_.is_over()) attempt(kept_, true);
    best_.domain_bound = bound;
    return std::move(best_);
  }
  [[nodiscard]] Watch watch() const { return time_.watch(); }

 private:
  [[nodiscard]] std::uint64_t running_outside(const Choice& kept) const;
  [[nodiscard]] Request plain(std::uint64_t moves, bool is_last) const;
  [[nodiscard]] std::vector<Choice> choices(std::uint32_t count) const;
  [[nodiscard]] Choice fullest(std::uint32_t count) const;
  [[nodiscard]] Choice largest(std::uint32_t count) const;
  [[nodiscard]] Choice mandatory() const {
    Choice kept;
    for (const DomainRoom& room : rooms_.of) kept.push_back(room.mandatory ? 1 : 0);
    return kept;
  }
  bool attempt(const Choice& kept, bool is_last);
  bool attempt(std::uint32_t count);
  void search(std::uint32_t bound);

  const Instance& instance_;
  const Request& request_;
  LazyBounds& bounds_;
  const PlainRun& run_;
  TotalTime time_;
  Domains domains_;
  DomainRooms rooms_;
  std::uint64_t moves_;
  Plan best_;
  Choice kept_;  // those of best_
};

Request FreeDomainsRun::plain(std::uint64_t moves, bool is_last) const {
  Request plain = request_;
  plain.leave_free.clear();
  plain.compact = request_.compact && instance_.total_replicas() >= kReplicasByCopies;
  if (!request_.ignore_running) plain.move_budget = static_cast<std::uint32_t>(moves);
  const std::uint64_t left = time_.left();
  time_.limit(plain, is_last ? left : left / kShareOfAttempt);
  return plain;
}

std::uint64_t FreeDomainsRun::running_outside(const Choice& kept) const {
  std::uint64_t running = 0;
  for (const Residence& r : instance_.data().running) {
    const auto in = domains_.of(r.node, instance_.data().node_class[r.node]);
    if (std::any_of(in.begin(), in.end(), [&](std::uint32_t domain) { return kept[domain] == 0; })) running += r.replicas;
  }
  return running;
}

/// The mandatory domains, and those in which most runs.
Choice FreeDomainsRun::fullest(std::uint32_t count) const {
  Choice kept = mandatory();
  std::vector<std::uint32_t> order(domains_.count());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(rooms_.of[a].mandatory, rooms_.of[a].running) > std::pair(rooms_.of[b].mandatory, rooms_.of[b].running);
  });
  for (std::uint32_t k = 0; k < count; ++k) kept[order[k]] = 1;
  return kept;
}

/// The mandatory domains, and one after the other that carries most of what demand is still missing.
Choice FreeDomainsRun::largest(std::uint32_t count) const {
  Choice kept = mandatory();
  std::vector<double> missing(rooms_.demand.size());
  for (std::size_t h = 0; h < missing.size(); ++h) missing[h] = static_cast<double>(rooms_.demand[h] - rooms_.elsewhere[h]);
  const auto take = [&](std::uint32_t d) {
    kept[d] = 1;
    for (std::size_t h = 0; h < missing.size(); ++h) missing[h] -= static_cast<double>(rooms_.of[d].carries[h]);
  };
  for (std::uint32_t d = 0; d < domains_.count(); ++d) {
    if (kept[d] != 0) take(d);
  }
  const auto worth = [&](std::uint32_t d) {
    double sum = 0;
    for (std::size_t h = 0; h < missing.size(); ++h) {
      const auto carries = static_cast<double>(rooms_.of[d].carries[h]);
      if (rooms_.demand[h] > 0) sum += std::min(std::max(0.0, missing[h]), carries) / static_cast<double>(rooms_.demand[h]);
    }
    return sum;
  };
  for (auto taken = static_cast<std::uint32_t>(std::count(kept.begin(), kept.end(), 1)); taken < count; ++taken) {
    std::uint32_t best = kNone;
    for (std::uint32_t d = 0; d < domains_.count(); ++d) {
      if (kept[d] == 0 && (best == kNone || worth(d) > worth(best))) best = d;
    }
    if (best == kNone) break;
    take(best);
  }
  return kept;
}

/// Sets of so many domains that carry the demand in sum, and whose complement can be left with the moves.
std::vector<Choice> FreeDomainsRun::choices(std::uint32_t count) const {
  std::vector<Choice> choices;
  for (Choice kept : {fullest(count), largest(count)}) {
    const bool fits = rooms_.suffice(kept) && running_outside(kept) <= moves_;
    const bool is_new = choices.empty() || std::mismatch(kept.begin(), kept.end(), choices[0].begin()).first != kept.end();
    if (fits && is_new) choices.push_back(std::move(kept));
  }
  return choices;
}

/// Whether the plan that keeps to these domains is the best so far.
bool FreeDomainsRun::attempt(const Choice& kept, bool is_last) {
  if (!time_.has_time_to_build(instance_)) return false;
  const std::optional<WithoutDomains> without = without_domains(instance_, domains_, kept);
  if (!without) return false;
  const Request request = plain(moves_ - running_outside(kept), is_last);
  LazyBounds of_less(without->instance, request);
  Result<Plan> made = run_(without->instance, request, of_less);
  if (!made) return false;
  Plan plan = std::move(made.value());
  for (PlannedNode& node : plan.nodes) node.node_class = without->class_of[node.node_class];
  plan.bounds = {};
  plan.instance = instance_.fingerprint();
  plan.domains_in_use = domains_in_use(instance_, domains_, plan);
  // Some rules count nodes, which are more in the instance.
  Watch watch = time_.watch();
  const Verification seen = check_plan(instance_, plan, CheckScope::kViolations, watch);
  if (seen.given_up) return false;
  const bool is_broken = std::any_of(seen.violations.begin(), seen.violations.end(), [](const Violation& violation) {
    return !violation.inherited && violation.kind != ViolationKind::kFigures;
  });
  if (is_broken) return false;
  plan.inherited_violations = static_cast<std::uint32_t>(seen.inherited_count);
  plan.rule_costs = seen.rule_costs;
  const PlanKey a = key_of(instance_, plan, request_.judgement());
  const PlanKey b = key_of(instance_, best_, request_.judgement());
  if (b.left_over < a.left_over || (b.left_over == a.left_over && b.inherited < a.inherited)) return false;
  const bool is_equal = a.left_over == b.left_over && a.inherited == b.inherited;
  const bool is_better =
      !is_equal || plan.domains_in_use < best_.domains_in_use || (plan.domains_in_use == best_.domains_in_use && a < b);
  if (!is_better) return false;
  best_ = std::move(plan);
  kept_ = kept;
  return true;
}

bool FreeDomainsRun::attempt(std::uint32_t count) {
  for (const Choice& kept : choices(count)) {
    if (time_.is_over()) return false;
    if (attempt(kept, false)) return true;
  }
  return false;
}

/// From the bound upwards in steps that double, then between the last two.
void FreeDomainsRun::search(std::uint32_t bound) {
  std::uint32_t failed = bound;  // all below were tried in vain, or cannot be
  for (std::uint32_t step = 1; failed < best_.domains_in_use && !time_.is_over(); step *= 2) {
    const std::uint32_t count = std::min(failed + step - 1, best_.domains_in_use - 1);
    if (attempt(count)) break;
    failed = count + 1;
  }
  while (failed < best_.domains_in_use && !time_.is_over()) {
    const std::uint32_t count = failed + (best_.domains_in_use - failed) / 2;
    if (!attempt(count)) failed = count + 1;
  }
}

}  // namespace

Result<Plan> run_leaving_free(const Instance& instance, const Request& request, LazyBounds& bounds, const Control* control,
                              const PlainRun& run) {
  if (Error e = check_asked(instance, request); failed(e)) return e;
  FreeDomainsRun all(instance, request, bounds, control, run);
  Result<Plan> best = all.best();
  if (!best) return best;
  Watch watch = all.watch();
  return judge_again(instance, request, bounds, {}, watch, std::move(best.value()));
}

}  // namespace stowage
