#include "capi/k8s/answer/planning.h"

#include <algorithm>
#include <cmath>

#include "capi/k8s/read/ranges.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/table.h"
#include "capi/text/formats/instance_data.h"
#include "capi/text/records/request_codec.h"
#include "catalogue_generated.h"

namespace stowage::k8s {
namespace {

/// A plan that has not become better for this time is good enough: an answer takes several.
constexpr std::uint64_t kPatienceMs = 200;

flatbuffers::DetachedBuffer encode_request(cli::RequestData data) {
  cli::codec::Builder builder;
  wire::FinishRequestBuffer(builder, cli::codec::write_request(builder, data));
  return builder.Release();
}

}  // namespace

bool honours_rules(const std::string& planner) {
  const Buffer catalogue = [] {
    stowage_buffer buffer{nullptr, 0};
    stowage_error error{};
    if (stowage_planners(&buffer, &error) != STOWAGE_OK) throw cli::Failure(error.message);
    return Buffer(buffer);
  }();
  for (const wire::PlannerInfo* one : *wire::GetCatalogue(catalogue.data())->planners()) {
    if (one->name()->string_view() != planner) continue;
    if (one->honours() == nullptr) return false;
    return ranges::any_of(*one->honours(), [](const auto* its) { return its->string_view() == "placement-rules"; });
  }
  throw cli::Failure("there is no planner \"" + planner + "\"");
}

std::vector<std::uint32_t> Planned::unplaced() const {
  std::vector<std::uint32_t> all = left;
  for (const wire::Unplaced* one : *root().unplaced()) {
    if (one->app() < all.size()) all[one->app()] += one->replicas();
  }
  return all;
}

std::uint64_t Planned::total() const {
  std::uint64_t sum = 0;
  for (const std::uint32_t one : unplaced()) sum += one;
  return sum;
}

Loaded::Loaded(const flatbuffers::DetachedBuffer& bytes, stowage_control* control) : control_(control) {
  stowage_instance* handle = nullptr;
  detail::check(stowage_instance_load_watched, bytes.data(), bytes.size(), nullptr, control, &handle);
  handle_.reset(handle);
}

Buffer Loaded::plan(const cli::RequestData& request) const {
  const flatbuffers::DetachedBuffer asked = encode_request(request);
  return detail::receive(stowage_plan, handle_.get(), asked.data(), asked.size(), control_);
}

Buffer Loaded::verify(const Buffer& plan) const {
  return detail::receive(stowage_verify_watched, handle_.get(), plan.data(), plan.size(), control_);
}

Buffer Loaded::explain(const Buffer& plan, std::uint32_t app) const {
  return detail::receive(stowage_explain, handle_.get(), plan.data(), plan.size(), app, control_);
}

Buffer Loaded::order_moves(const Buffer& plan) const {
  return detail::receive(stowage_order_moves, handle_.get(), plan.data(), plan.size(), 0U, 1.0, control_);
}

Buffer Loaded::losses(const std::vector<std::uint32_t>& nodes) const {
  return detail::receive(stowage_losses, handle_.get(), nullptr, std::size_t{0}, nodes.data(), nodes.size(), nullptr,
                         std::size_t{0}, control_);
}

Planning::Planning(Cluster&& cluster, const Options& options, stowage_control* control)
    : model(std::move(cluster), options.prices), options_(options), control_(control) {
  if (!options.leave_free.empty()) {
    model.leave_free = options_.leave_free;
    const bool has =
        ranges::any_of(model.cluster.nodes, [&](const PresentNode& one) { return one.labels.has(options_.leave_free); });
    if (!has) throw cli::Failure("-leave-free: no node has the label " + options.leave_free);
  }
  if (!honours_rules(options.planner)) {
    for (const Rule& one : model.rules) model.cluster.leave_out(one.text);
    model.rules.clear();
    model.groups.clear();
  }
  request_.planner = options.planner;
  if (options.work > 0) {
    request_.work_limit = options.work;
  } else {
    request_.deadline_ms = options.deadline_ms;
    request_.patience_ms = kPatienceMs;
  }
}

/// Where amounts are too fine for the planners' grid, the plan is made with what is rounded in its favour, and checked with
/// what pods and nodes have; if that fails, it is made with what is rounded against it.
Planned Planning::plan(Scope scope, const std::vector<std::uint32_t>& left, const cli::RequestData& request) {
  Planned made;
  made.left = left.empty() ? std::vector<std::uint32_t>(model.cluster.apps.size(), 0) : left;
  for (const bool up : {false, true}) {
    made.instance = std::make_shared<Loaded>(cli::encode_instance(model.instance(scope, left, up)), control_);
    made.plan = std::make_shared<Buffer>(made.instance->plan(request));
    if (up || !model.rounds() || fits_exactly(made)) break;
  }
  return made;
}

bool Planning::fits_exactly(const Planned& of) const {
  const wire::Plan& plan = of.root();
  const Cluster& cluster = model.cluster;
  std::vector<Amounts> free;
  for (std::uint32_t k = 0; k < plan.node_class()->size(); ++k) {
    const std::uint32_t listed = plan.listed()->Get(k);
    const NodeKind& kind = cluster.kinds[plan.node_class()->Get(k)];
    free.push_back(listed == cli::kNone ? kind.least : cluster.nodes[listed].capacity);
    free.back().add(listed == cli::kNone ? kind.daemon : cluster.nodes[listed].daemon, -1);
  }
  std::vector<char> changed(free.size(), 0);
  for (const wire::Placed* one : *plan.placed()) {
    if (one->app() >= cluster.apps.size()) continue;
    const App& app = cluster.apps[one->app()];
    free[one->node()].add(app.requests, -static_cast<std::int64_t>(one->replicas()));
    const auto runs = app.running.find(static_cast<int>(plan.listed()->Get(one->node())));
    if (runs == app.running.end() || runs->second < one->replicas()) changed[one->node()] = 1;
  }
  for (std::size_t k = 0; k < free.size(); ++k) {
    for (const int resource : model.resources) {
      if (changed[k] != 0 && free[k].get(resource) < 0) return false;
    }
  }
  return true;
}

/// Pods of a gang that are too few to start want no place.
Planned Planning::plan_groups(Scope scope, const cli::RequestData& request) {
  std::vector<std::uint32_t> left(model.cluster.apps.size(), 0);
  const auto& apps = model.cluster.apps;
  Planned made = plan(scope, {}, request);
  for (std::size_t turn = 0; turn <= model.cluster.groups.size(); ++turn) {
    const std::vector<std::uint32_t> over = made.unplaced();
    std::map<std::string, std::int64_t> placed;
    for (std::size_t i = 0; i < apps.size(); ++i) {
      if (!apps[i].group.empty()) placed[apps[i].group] += apps[i].replicas - over[i];
    }
    bool changed = false;
    for (std::size_t i = 0; i < apps.size(); ++i) {
      const auto waits = static_cast<std::uint32_t>(apps[i].replicas - apps[i].run());
      if (apps[i].group.empty() || waits == 0 || left[i] == waits) continue;
      if (placed[apps[i].group] >= model.cluster.groups.at(apps[i].group)) continue;
      left[i] = waits;
      changed = true;
    }
    if (!changed) return made;
    made = plan(scope, left, request);
  }
  return made;
}

void Planning::begin(const std::map<std::string, std::int64_t>& less) {
  model.prices.check(model.cluster);
  for (App& app : model.cluster.apps) {
    if (const auto found = less.find(app.title); found != less.end()) {
      app.replicas = std::max(app.replicas - found->second, app.run());
    }
  }
  as_is = plan_groups(Scope::kHere, request_);
  if (as_is.total() > 0) preempt();
  note_rules();
  find_least();
}

/// What is free on each node under a plan.
std::vector<Amounts> free_of(const Model& model, const wire::Plan& plan) {
  std::vector<Amounts> free;
  for (const PresentNode& one : model.cluster.nodes) {
    free.push_back(one.capacity);
    free.back().add(one.daemon, -1);
  }
  for (const wire::Placed* one : *plan.placed()) {
    const std::uint32_t listed = plan.listed()->Get(one->node());
    if (listed == cli::kNone || one->app() >= model.cluster.apps.size()) continue;
    free[listed].add(model.cluster.apps[one->app()].requests, -static_cast<std::int64_t>(one->replicas()));
  }
  return free;
}

/// The scheduler evicts pods of lower priority where a pod fits nowhere else.
void Planning::preempt() {
  auto& apps = model.cluster.apps;
  const std::vector<std::uint32_t> over = as_is.unplaced();
  std::vector<Amounts> free = free_of(model, as_is.root());
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < apps.size(); ++i) {
    if (over[i] > 0 && !apps[i].never_preempts && apps[i].group.empty()) order.push_back(i);
  }
  ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return apps[a].priority > apps[b].priority; });
  const std::vector<App> before = apps;
  bool any = false;
  for (const std::size_t i : order) {
    for (std::uint32_t k = 0; k < over[i] && preempt_for(i, free); ++k) any = true;
  }
  if (!any) return;
  Planned other = plan_groups(Scope::kHere, request_);
  const std::vector<std::uint32_t> then = other.unplaced();
  // Rules that are not looked at above may forbid it.
  const bool better = ranges::any_of(order, [&](std::size_t i) { return then[i] < over[i]; }) &&
                      ranges::none_of(order, [&](std::size_t i) { return then[i] > over[i]; });
  if (!better) {
    apps = before;
    return;
  }
  as_is = std::move(other);
  for (std::size_t i = 0; i < apps.size(); ++i) {
    for (const auto& [node, count] : before[i].running) {
      const auto found = apps[i].running.find(node);
      const std::uint32_t gone = count - (found == apps[i].running.end() ? 0 : found->second);
      if (gone == 0) continue;
      model.cluster.note("the scheduler preempts " + cli::counted(gone, "replica") + " of " + apps[i].workload() +
                         " (priority " + std::to_string(apps[i].priority) + ") on node " +
                         std::string(model.cluster.nodes[static_cast<std::size_t>(node)].name) +
                         " for pods of higher priority");
    }
  }
}

/// Takes the fewest and least important pods off a node so that one more replica of the app fits there.
bool Planning::preempt_for(std::size_t i, std::vector<Amounts>& free) {
  auto& apps = model.cluster.apps;
  const App& app = apps[i];
  struct Way {
    std::size_t node = 0;
    std::vector<std::size_t> victims;
    std::int64_t highest = 0;
  };
  std::optional<Way> best;
  for (std::size_t n = 0; n < model.cluster.nodes.size(); ++n) {
    const int place = model.place_of[i];
    if (model.cluster.nodes[n].closed || (place >= 0 && model.places[static_cast<std::size_t>(place)].nodes[n] == 0)) continue;
    std::vector<std::size_t> lower;
    for (std::size_t j = 0; j < apps.size(); ++j) {
      const auto found = apps[j].running.find(static_cast<int>(n));
      if (apps[j].priority < app.priority && found != apps[j].running.end()) lower.insert(lower.end(), found->second, j);
    }
    ranges::stable_sort(lower, [&](std::size_t a, std::size_t b) { return apps[a].priority < apps[b].priority; });
    Amounts room = free[n];
    const auto fits = [&] {
      return ranges::all_of(app.requests,
                            [&](const auto& one) { return one.second == 0 || room.get(one.first) >= one.second; });
    };
    Way way{n, {}, -2147483648LL};
    for (const std::size_t j : lower) {
      if (fits()) break;
      room.add(apps[j].requests);
      way.victims.push_back(j);
      way.highest = std::max(way.highest, apps[j].priority);
    }
    if (way.victims.empty() || !fits()) continue;
    if (!best || std::pair(way.highest, way.victims.size()) < std::pair(best->highest, best->victims.size()))
      best = std::move(way);
  }
  if (!best) return false;
  for (const std::size_t j : best->victims) {
    auto& running = apps[j].running;
    const auto found = running.find(static_cast<int>(best->node));
    if (--found->second == 0) running.erase(found);
    free[best->node].add(apps[j].requests);
  }
  free[best->node].add(app.requests, -1);
  return true;
}

/// Notes which preferences hold as it is: these are kept when nodes are emptied.
void Planning::note_rules() {
  if (model.rules.empty()) return;
  const Buffer report = as_is.instance->verify(*as_is.plan);
  const std::vector<int> all = model.rules_of(Scope::kHere);
  for (const int k : all) model.rules[static_cast<std::size_t>(k)].holds = true;
  const auto* broken = body_of<wire::Verification>(report).rule_violations();
  if (broken == nullptr) return;
  for (const wire::RuleViolation* one : *broken) model.rules[static_cast<std::size_t>(all[one->rule()])].holds = false;
}

/// The least that spreads over nodes have on one of them.
void Planning::find_least() {
  for (Rule& rule : model.rules) {
    if (rule.skew_of_nodes == 0) continue;
    std::vector<std::uint32_t> counts(model.cluster.nodes.size(), 0), running = counts;
    for (const wire::Placed* one : *as_is.root().placed()) {
      const std::uint32_t listed = as_is.root().listed()->Get(one->node());
      const bool counted = ranges::find(rule.apps, static_cast<int>(one->app())) != rule.apps.end();
      if (counted && listed != cli::kNone) counts[listed] += one->replicas();
    }
    for (const int app : rule.apps) {
      for (const auto& [node, count] : model.cluster.apps[static_cast<std::size_t>(app)].running) {
        running[static_cast<std::size_t>(node)] += count;
      }
    }
    const auto least = [&](const std::vector<std::uint32_t>& of) {
      std::uint32_t found = cli::kNone;
      for (std::size_t n = 0; n < of.size(); ++n) {
        const bool domain = rule.group < 0 || model.groups[static_cast<std::size_t>(rule.group)].counts.nodes[n] != 0;
        if (domain) found = std::min(found, of[n]);
      }
      return found == cli::kNone ? 0 : found;
    };
    rule.least = least(counts);
    rule.least_running = least(running);
  }
}

void Planning::start(Answer& to) const {
  to.nodes = model.cluster.nodes.size();
  std::set<std::string> workloads;
  for (const App& one : model.cluster.apps) {
    workloads.insert(one.workload());
    to.replicas += one.replicas;
  }
  to.workloads = workloads.size();
  to.broken = as_is.root().inherited_violations();
  if (to.broken > 0) find_broken(to);
  keep_plan(to, "present", as_is);
}

void Planning::keep_plan(Answer& to, const char* name, const Planned& plan) const {
  if (options_.placements) to.plans.push_back({name, plan.plan});
}

/// Names the constraints that running pods break.
void Planning::find_broken(Answer& to) const {
  const Buffer report = as_is.instance->verify(*as_is.plan);
  const auto* all = body_of<wire::Verification>(report).violations();
  if (all == nullptr) return;
  const Cluster& cluster = model.cluster;
  const std::vector<int> rules = model.rules_of(Scope::kHere);
  std::set<std::string> said;
  for (const wire::Violation* one : *all) {
    if (!one->inherited()) continue;
    std::string text;
    if (one->node() < as_is.root().listed()->size()) {
      const std::uint32_t listed = as_is.root().listed()->Get(one->node());
      if (listed < cluster.nodes.size()) text = "node " + std::string(cluster.nodes[listed].name) + ": ";
    }
    const std::string app = one->app() < cluster.apps.size() ? cluster.apps[one->app()].workload() : "";
    switch (one->kind()) {
      case wire::ViolationKind::Capacity: {
        const int resource = model.resources[one->resource()];
        text += "holds " + cluster.from.resources.text(resource, std::llround(one->amount())) + ", and has " +
                cluster.from.resources.text(resource, std::llround(one->limit()));
        break;
      }
      case wire::ViolationKind::PlacementRule:
        text += "against " + model.rules[static_cast<std::size_t>(rules[one->other()])].text;
        break;
      case wire::ViolationKind::Eligibility:
        text += app + " runs where its selector, affinity, tolerations or volumes allow it no more";
        break;
      case wire::ViolationKind::AffinityLimit:
      case wire::ViolationKind::SelfLimit:
        text += app + " runs beside pods that it keeps away from";
        break;
      default:
        text += app.empty() ? "another constraint" : app;
    }
    if (said.insert(text).second) to.broken_list.push_back(text);
  }
}

std::vector<std::int64_t> Planning::counts(const Planned& of, bool added) const {
  std::vector<std::int64_t> all(model.cluster.kinds.size(), 0);
  const wire::Plan& plan = of.root();
  for (std::uint32_t k = 0; k < plan.node_class()->size(); ++k) {
    if (added && plan.listed()->Get(k) != cli::kNone) continue;
    all[plan.node_class()->Get(k)] += plan.copies() == nullptr ? 1 : plan.copies()->Get(k);
  }
  return all;
}

std::vector<Need> Planning::needs(const std::vector<std::int64_t>& all) const {
  std::vector<Need> made;
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (all[k] > 0) made.push_back({model.cluster.kinds[k].name, all[k]});
  }
  return made;
}

}  // namespace stowage::k8s
