#include "tests/fuzz/support/support.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <utility>

#include "catalogue_generated.h"
#include "report_generated.h"
#include "request_generated.h"

namespace stowage::fuzz {
namespace {

constexpr std::uint32_t kNone = 4294967295;

template <class Report>
const Report* report_body(const stowage_buffer& buffer) {
  flatbuffers::Verifier verifier(buffer.data, buffer.size);
  FUZZ_REQUIRE(wire::VerifyReportBuffer(verifier), "the library wrote a malformed report");
  const auto* body = wire::GetReport(buffer.data)->template body_as<Report>();
  FUZZ_REQUIRE(body != nullptr, "the library wrote another report");
  return body;
}

/// Everything the oracle looks up, as dense tables.
class Oracle {
 public:
  Oracle(const wire::Instance& instance, const wire::Plan& plan) : instance_(instance), plan_(plan) {}

  std::string look() {
    read_limits();
    read_start();
    for (const auto check : {&Oracle::check_nodes, &Oracle::check_counts, &Oracle::check_contents, &Oracle::check_fixed}) {
      std::string finding = (this->*check)();
      if (!finding.empty()) return finding;
    }
    return {};
  }

 private:
  using Contents = std::map<std::uint32_t, std::uint64_t>;  // app -> replicas

  [[nodiscard]] std::uint32_t apps() const { return instance_.apps()->replicas()->size(); }
  [[nodiscard]] std::uint32_t resources() const { return instance_.resources()->size(); }
  [[nodiscard]] std::uint32_t listed_count() const {
    return instance_.nodes() == nullptr ? 0 : instance_.nodes()->node_class()->size();
  }

  [[nodiscard]] long double cell(const flatbuffers::Vector<double>* column, std::uint32_t items, std::uint32_t item,
                                 std::uint32_t resource, std::uint32_t period) const {
    if (column == nullptr || column->size() == 0) return 0;
    const bool varies = column->size() != items * resources();
    const std::uint32_t at = item * resources() + resource;
    return static_cast<long double>(column->Get(varies ? at * instance_.periods() + period : at));
  }
  [[nodiscard]] long double load(std::uint32_t listed, std::uint32_t resource, std::uint32_t period) const {
    return cell(instance_.nodes()->load(), listed_count(), listed, resource, period);
  }
  [[nodiscard]] long double use(std::uint32_t listed, const Contents& contents, std::uint32_t resource,
                                std::uint32_t period) const {
    long double sum = listed == kNone ? 0 : load(listed, resource, period);
    for (const auto& [app, replicas] : contents) {
      sum += static_cast<long double>(replicas) * cell(instance_.apps()->demand(), apps(), app, resource, period);
    }
    return sum;
  }

  void read_limits() {
    const wire::AffinityLimits* limits = instance_.limits();
    if (limits == nullptr) return;
    for (std::uint32_t i = 0; i < apps(); ++i) {
      for (std::uint32_t k = limits->row_begin()->Get(i); k < limits->row_begin()->Get(i + 1); ++k) {
        limits_[{i, limits->app()->Get(k)}] = limits->at_most()->Get(k);
      }
    }
  }

  // A pin and a running replica on the same node are one.
  void read_start() {
    start_.resize(listed_count());
    if (instance_.running() != nullptr) {
      for (const wire::Residence* r : *instance_.running()) start_[r->node()][r->app()] = r->replicas();
    }
    if (instance_.pinned() == nullptr) return;
    for (const wire::Residence* p : *instance_.pinned()) {
      std::uint64_t& there = start_[p->node()][p->app()];
      there = std::max<std::uint64_t>(there, p->replicas());
    }
  }

  std::string check_nodes() {
    contents_.resize(plan_.node_class()->size());
    plan_node_.assign(listed_count(), kNone);
    std::vector<std::uint64_t> used(instance_.classes()->size(), 0);
    if (plan_.listed()->size() != plan_.node_class()->size()) return "node columns of different length";
    if (plan_.copies() != nullptr && plan_.copies()->size() != contents_.size()) return "node columns of different length";
    for (std::uint32_t n = 0; n < contents_.size(); ++n) {
      const std::uint32_t c = plan_.node_class()->Get(n);
      const std::uint32_t listed = plan_.listed()->Get(n);
      if (c >= used.size()) return "a class that does not exist";
      if (copies_of(plan_, n) == 0) return "a node that stands for none";
      if (listed == kNone) {
        used[c] += copies_of(plan_, n);
        continue;
      }
      if (copies_of(plan_, n) != 1) return "a listed node with copies";
      if (listed >= listed_count() || plan_node_[listed] != kNone) return "a listed node that does not exist, or twice";
      if (instance_.nodes()->node_class()->Get(listed) != c) return "a listed node of another class";
      plan_node_[listed] = n;
    }
    for (std::uint32_t listed = 0; listed < listed_count(); ++listed) ++used[instance_.nodes()->node_class()->Get(listed)];
    for (std::uint32_t c = 0; c < used.size(); ++c) {
      const std::uint32_t count = instance_.classes()->Get(c)->count();
      if (count != 0 && used[c] > count) return "more nodes of a class than there are";
    }
    return {};
  }

  std::string check_counts() {
    std::vector<std::uint64_t> counted(apps(), 0);
    for (const wire::Placed* p : *plan_.placed()) {
      if (p->app() >= apps() || p->node() >= contents_.size() || p->replicas() == 0) return "a placed entry out of range";
      if (!contents_[p->node()].emplace(p->app(), p->replicas()).second) return "a placed entry twice";
      counted[p->app()] += std::uint64_t{p->replicas()} * copies_of(plan_, p->node());
    }
    std::vector<std::uint8_t> seen(apps(), 0);
    for (const wire::Unplaced* u : *plan_.unplaced()) {
      if (u->app() >= apps() || u->replicas() == 0 || seen[u->app()]++ != 0) return "an unplaced entry out of range or twice";
      counted[u->app()] += u->replicas();
    }
    for (std::uint32_t i = 0; i < apps(); ++i) {
      if (counted[i] != instance_.apps()->replicas()->Get(i)) return "replicas missing or too many";
    }
    return {};
  }

  std::string check_contents() {
    constexpr long double kSlack = 2e-9L;
    for (std::uint32_t n = 0; n < contents_.size(); ++n) {
      const std::uint32_t listed = plan_.listed()->Get(n);
      const Contents nothing;
      const Contents& before = listed == kNone ? nothing : start_[listed];
      const Contents& now = contents_[n];
      const auto before_count = [&](std::uint32_t app) {
        const auto found = before.find(app);
        return found == before.end() ? std::uint64_t{0} : found->second;
      };
      const auto* capacity = instance_.classes()->Get(plan_.node_class()->Get(n))->capacity();
      for (std::uint32_t r = 0; r < resources(); ++r) {
        for (std::uint32_t t = 0; t < std::max(1u, instance_.periods()); ++t) {
          const long double amount = use(listed, now, r, t);
          if (amount <= static_cast<long double>(capacity->Get(r)) * (1 + kSlack)) continue;
          if (listed != kNone && amount <= use(listed, before, r, t) * (1 + kSlack)) continue;
          return "capacity";
        }
      }
      for (const auto& [i, replicas_i] : now) {
        for (const auto& [j, replicas_j] : now) {
          const auto limit = limits_.find({i, j});
          if (limit == limits_.end() || replicas_j <= limit->second) continue;
          if (before_count(i) > 0 && before_count(j) >= replicas_j) continue;
          return i == j ? "an app's own limit" : "an affinity limit";
        }
      }
      if (std::string finding = check_costs(now, before); !finding.empty()) return finding;
      if (listed == kNone || instance_.nodes()->closed() == nullptr || instance_.nodes()->closed()->size() == 0) continue;
      if (instance_.nodes()->closed()->Get(listed) == 0) continue;
      for (const auto& [app, replicas] : now) {
        if (replicas > before_count(app)) return "new replicas on a closed node";
      }
    }
    return {};
  }

  // What side effects cost a replica of the kind beside these; 0 if there is none.
  [[nodiscard]] long double cost(std::uint32_t kind, const Contents& contents) const {
    const wire::Interference& table = *instance_.interference();
    long double sum = 0;
    bool present = false;
    for (const auto& [app, replicas] : contents) {
      const std::uint32_t other = instance_.apps()->kind()->Get(app);
      long double load = 0;
      for (std::uint32_t t = 0; t < std::max(1u, instance_.periods()); ++t) {
        load = std::max(load, cell(instance_.apps()->demand(), apps(), app, table.resource(), t));
      }
      present = present || other == kind;
      sum += static_cast<long double>(table.coefficient()->Get(kind * kinds() + other)) * static_cast<long double>(replicas) *
             load;
    }
    return present ? sum : 0;
  }
  [[nodiscard]] std::uint32_t kinds() const {
    return static_cast<std::uint32_t>(std::lround(std::sqrt(instance_.interference()->coefficient()->size())));
  }

  std::string check_costs(const Contents& now, const Contents& before) const {
    if (instance_.interference() == nullptr) return {};
    constexpr long double kSlack = 2e-9L;
    const auto* limits = instance_.interference()->max_cost();
    for (std::uint32_t kind = 0; kind < kinds(); ++kind) {
      const long double amount = cost(kind, now);
      const bool own =
          limits == nullptr || limits->size() == 0 || amount <= static_cast<long double>(limits->Get(kind)) * (1 + kSlack);
      const bool asked =
          !(plan_.max_cost_limit() > 0) || amount <= static_cast<long double>(plan_.max_cost_limit()) * (1 + kSlack);
      if ((!own || !asked) && amount > cost(kind, before) * (1 + kSlack)) return "a limit on the cost of side effects";
    }
    return {};
  }

  std::string check_fixed() {
    if (instance_.pinned() != nullptr) {
      for (const wire::Residence* p : *instance_.pinned()) {
        const std::uint32_t n = plan_node_[p->node()];
        if (n == kNone || contents_[n].find(p->app()) == contents_[n].end() || contents_[n][p->app()] < p->replicas())
          return "a pin";
      }
    }
    for (std::uint32_t listed = 0; listed < listed_count(); ++listed) {
      for (std::uint32_t r = 0; r < resources(); ++r) {
        for (std::uint32_t t = 0; t < std::max(1u, instance_.periods()); ++t) {
          if (plan_node_[listed] == kNone && load(listed, r, t) > 0) return "a loaded node that is not in use";
        }
      }
    }
    return {};
  }

  const wire::Instance& instance_;
  const wire::Plan& plan_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> limits_;
  std::vector<Contents> start_;
  std::vector<Contents> contents_;
  std::vector<std::uint32_t> plan_node_;
};

}  // namespace

void defect(const char* file, int line, const std::string& message) {
  std::fprintf(stderr, "%s:%d: %s\n", file, line, message.c_str());
  std::abort();
}

void require_status(stowage_status status, const stowage_error& error, std::initializer_list<stowage_status> allowed) {
  const bool known = std::find(allowed.begin(), allowed.end(), status) != allowed.end();
  FUZZ_REQUIRE(known, std::string(stowage_status_text(status)) + ": " + error.message);
  if (status == STOWAGE_OK) return;
  FUZZ_REQUIRE(error.status == status, "status and error.status differ");
  FUZZ_REQUIRE(error.message[0] != '\0', "a failure without a message");
}

std::optional<Loaded> load(const std::uint8_t* data, std::size_t size) {
  stowage_limits limits = STOWAGE_LIMITS_INIT;
  limits.max_replicas = 100'000;
  limits.max_nodes = 300;
  limits.max_cells = 100'000;
  limits.max_threads = 4;
  stowage_instance* instance = nullptr;
  stowage_error error{};
  const stowage_status status = stowage_instance_load(data, size, &limits, &instance, &error);
  require_status(status, error, {STOWAGE_OK, STOWAGE_MALFORMED, STOWAGE_INVALID, STOWAGE_LIMIT_EXCEEDED});
  FUZZ_REQUIRE((instance != nullptr) == (status == STOWAGE_OK), "handle and status disagree");
  if (instance == nullptr) return std::nullopt;
  return Loaded(instance);
}

Bytes encode(const RequestData& request) {
  flatbuffers::FlatBufferBuilder builder;
  std::vector<flatbuffers::Offset<wire::Option>> options;
  for (const auto& [name, number] : request.options) {
    options.push_back(wire::CreateOption(builder, builder.CreateString(name), number));
  }
  const auto planner = builder.CreateString(request.planner);
  const auto option_list = builder.CreateVector(options);
  const auto text = [&](const std::string& key) { return key.empty() ? 0 : builder.CreateString(key); };
  const auto survive = text(request.survive);
  const auto leave_free = text(request.leave_free);
  const auto keep = request.keep.empty() ? 0 : builder.CreateVectorOfStructs(request.keep);
  std::vector<flatbuffers::Offset<wire::PlanGoal>> goals;
  for (const wire::GoalKind what : request.goals) goals.push_back(wire::CreatePlanGoal(builder, what));
  if (!request.goal_words.empty()) {
    const auto words = builder.CreateString(request.goal_words);
    wire::PlanGoalBuilder goal(builder);
    goal.add_words(words);
    goals.push_back(goal.Finish());
  }
  const auto goal_list = goals.empty() ? 0 : builder.CreateVector(goals);
  wire::RequestBuilder fields(builder);
  fields.add_planner(planner);
  fields.add_options(option_list);
  fields.add_seed(request.seed);
  fields.add_work_limit(request.work_limit);
  fields.add_threads(request.threads);
  fields.add_node_limit(request.node_limit);
  fields.add_ignore_running(request.ignore_running);
  fields.add_move_budget(request.move_budget);
  fields.add_all_or_nothing(request.all_or_nothing);
  fields.add_compact(request.compact);
  fields.add_soft(request.soft);
  fields.add_soft_price(request.soft_price);
  fields.add_fill(request.fill);
  fields.add_objective(request.objective);
  fields.add_max_cost(request.max_cost);
  fields.add_keep(keep);
  fields.add_survive(survive);
  fields.add_leave_free(leave_free);
  fields.add_goals(goal_list);
  wire::FinishRequestBuffer(builder, fields.Finish());
  return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
}

std::optional<Buffer> plan(const Loaded& instance, const wire::Instance& wire, const RequestData& request) {
  const Bytes bytes = encode(request);
  stowage_buffer buffer{nullptr, 0};
  stowage_error error{};
  const stowage_status status = stowage_plan(instance.get(), bytes.data(), bytes.size(), nullptr, &buffer, &error);
  require_status(status, error, {STOWAGE_OK, STOWAGE_INVALID, STOWAGE_UNSUPPORTED, STOWAGE_LIMIT_EXCEEDED, STOWAGE_NOT_FOUND});
  if (status != STOWAGE_OK) {
    FUZZ_REQUIRE(buffer.data == nullptr && buffer.size == 0, "a failed call left a plan");
    return std::nullopt;
  }
  Buffer result(buffer);
  flatbuffers::Verifier verifier(result.data(), result.size());
  FUZZ_REQUIRE(wire::VerifyPlanBuffer(verifier), "the library wrote a malformed plan");
  const wire::Plan& plan = *wire::GetPlan(result.data());
  FUZZ_REQUIRE(verified(instance, result.data(), result.size()) == true, request.planner + " made a plan that verify refuses");
  const std::string violation = first_violation(wire, plan);
  FUZZ_REQUIRE(violation.empty(), request.planner + " made a plan that breaks " + violation);
  FUZZ_REQUIRE(request.node_limit == 0 || plan.unplaced()->size() == 0 || nodes_in_use(plan) <= request.node_limit ||
                   wire.nodes() != nullptr,
               request.planner + " uses more nodes than the request allows");
  return result;
}

void require_bounds(const Loaded& instance) {
  stowage_buffer buffer{nullptr, 0};
  stowage_error error{};
  require_status(stowage_bound(instance.get(), &buffer, &error), error, {STOWAGE_OK});
  const Buffer owner(buffer);
  const auto* bounds = report_body<wire::Bounds>(buffer);
  FUZZ_REQUIRE(bounds->entries() != nullptr && bounds->entries()->size() > 0, "no bounds");
  for (const wire::BoundEntry* entry : *bounds->entries()) {
    FUZZ_REQUIRE(entry->value() >= 0 && std::isfinite(entry->value()), entry->name()->str() + " is no number");
  }
}

void require_explanation(const Loaded& instance, const Buffer& plan, std::uint32_t app) {
  stowage_buffer buffer{nullptr, 0};
  stowage_error error{};
  require_status(stowage_explain(instance.get(), plan.data(), plan.size(), app, nullptr, &buffer, &error), error, {STOWAGE_OK});
  const Buffer owner(buffer);
  report_body<wire::Explanation>(buffer);
}

void require_headroom(const Loaded& instance, const Buffer& plan, std::uint32_t app) {
  stowage_buffer buffer{nullptr, 0};
  stowage_error error{};
  require_status(stowage_headroom(instance.get(), plan.data(), plan.size(), app, STOWAGE_NO_NODE, &buffer, &error), error,
                 {STOWAGE_OK});
  const Buffer owner(buffer);
  const auto* headroom = report_body<wire::Headroom>(buffer);
  for (flatbuffers::uoffset_t n = 0; n < headroom->room()->size(); ++n) {
    const bool refused = headroom->lacks_capacity()->Get(n) != 0 || headroom->forbidden()->Get(n) != 0;
    FUZZ_REQUIRE((headroom->room()->Get(n) == 0) == refused, "a node without room says nothing against it");
  }
}

void require_move_order(const Loaded& instance, const Buffer& plan) {
  stowage_buffer buffer{nullptr, 0};
  stowage_error error{};
  require_status(stowage_order_moves(instance.get(), plan.data(), plan.size(), 2, 0.5, nullptr, &buffer, &error), error,
                 {STOWAGE_OK, STOWAGE_LIMIT_EXCEEDED});
  if (buffer.data == nullptr) return;
  const Buffer owner(buffer);
  const auto* order = report_body<wire::MoveOrder>(buffer);
  std::uint32_t begin = 0;
  for (const std::uint32_t end : *order->wave_ends()) {
    FUZZ_REQUIRE(end > begin, "a wave without moves");
    begin = end;
  }
  FUZZ_REQUIRE(begin == order->moves()->size(), "moves outside of waves");
  const auto ends = [](const auto& moves) {
    return std::count_if(moves.begin(), moves.end(), [](const wire::Move* move) { return move->to() == 0xFFFFFFFF; });
  };
  const std::uint64_t leaving = order->moved() + static_cast<std::uint64_t>(ends(*order->moves()) + ends(*order->stuck()));
  FUZZ_REQUIRE(leaving >= wire::GetPlan(plan.data())->moves(), "fewer moves than the plan states");
}

std::optional<bool> verified(const Loaded& instance, const std::uint8_t* plan, std::size_t size) {
  stowage_buffer buffer{nullptr, 0};
  stowage_error error{};
  const stowage_status status = stowage_verify(instance.get(), plan, size, &buffer, &error);
  require_status(status, error, {STOWAGE_OK, STOWAGE_MALFORMED, STOWAGE_LIMIT_EXCEEDED});
  if (status != STOWAGE_OK) {
    FUZZ_REQUIRE(buffer.data == nullptr && buffer.size == 0, "a failed call left a report");
    return std::nullopt;
  }
  const Buffer owner(buffer);
  const auto* verification = report_body<wire::Verification>(buffer);
  FUZZ_REQUIRE(verification->ok() == (verification->violation_count() == 0), "ok and the number of violations disagree");
  std::uint64_t listed = 0;
  for (const wire::Violation* violation : *verification->violations()) listed += violation->inherited() ? 0 : 1;
  // A violation on every copy of a node is listed once.
  const std::uint64_t most = std::min<std::uint64_t>(verification->violation_count(), 1000);
  const bool any_copies = wire::GetPlan(plan)->copies() != nullptr;
  FUZZ_REQUIRE(any_copies ? listed <= most && (listed > 0) == (most > 0) : listed == most, "violations counted but not listed");
  return verification->ok();
}

std::uint32_t copies_of(const wire::Plan& plan, std::uint32_t node) {
  return plan.copies() == nullptr ? 1 : plan.copies()->Get(node);
}
std::uint64_t nodes_in_use(const wire::Plan& plan) {
  std::uint64_t sum = 0;
  for (std::uint32_t n = 0; n < plan.node_class()->size(); ++n) sum += copies_of(plan, n);
  return sum;
}

std::string first_violation(const wire::Instance& instance, const wire::Plan& plan) { return Oracle(instance, plan).look(); }

const std::vector<std::string>& planner_names() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    const Buffer catalogue = planners();
    for (const wire::PlannerInfo* info : *wire::GetCatalogue(catalogue.data())->planners())
      names.push_back(info->name()->str());
    return names;
  }();
  return kNames;
}

Bytes busy_instance() {
  flatbuffers::FlatBufferBuilder builder;
  const auto resources = builder.CreateVector(
      std::vector{wire::CreateResourceDirect(builder, "cpu", "cores"), wire::CreateResourceDirect(builder, "memory", "GiB")});
  const std::vector<std::uint32_t> replicas = {5, 3, 8, 1, 0};
  // 5 apps x 2 resources x 3 periods
  const std::vector<double> demand = {1, 2, 1.5, 2, 2, 2, 4, 1, 1, 8, 8, 8, 0.5, 0.5, 0.25,
                                      1, 1, 1,   3, 3, 3, 4, 6, 4, 1, 1, 1, 1,   1,   1};
  const std::vector<std::int32_t> priority = {0, 2, 0, -1, 0};
  const auto apps = wire::CreateAppsDirect(builder, nullptr, &replicas, &demand, &priority);
  const std::vector<double> small = {8, 16};
  const std::vector<double> large = {32, 32};
  const std::vector<flatbuffers::Offset<flatbuffers::String>> first = {builder.CreateString("zone=a")};
  const std::vector<flatbuffers::Offset<flatbuffers::String>> second = {builder.CreateString("zone=b")};
  const auto classes =
      builder.CreateVector(std::vector{wire::CreateNodeClassDirect(builder, "small", &small, 0, 1, &first),
                                       wire::CreateNodeClassDirect(builder, "large", &large, 4, 2.5, &second)});
  const std::vector<std::uint32_t> node_class = {0, 1, 0};
  const std::vector<double> load = {1, 2, 0, 0, 6, 1};
  const std::vector<std::uint8_t> closed = {0, 1, 0};
  const auto nodes = wire::CreateNodesDirect(builder, &node_class, nullptr, &load, nullptr, &closed);
  const std::vector<std::uint32_t> row_begin = {0, 1, 3, 4, 4, 4};
  const std::vector<std::uint32_t> app = {1, 0, 1, 3};
  const std::vector<std::uint32_t> at_most = {0, 2, 1, 0};
  const auto limits = wire::CreateAffinityLimitsDirect(builder, &row_begin, &app, &at_most);
  const std::vector<wire::Residence> running = {{0, 0, 1}, {0, 2, 2}, {1, 2, 1}};
  const std::vector<wire::Residence> pinned = {{2, 1, 2}, {0, 0, 1}};
  const auto running_list = builder.CreateVectorOfStructs(running);
  const auto pinned_list = builder.CreateVectorOfStructs(pinned);
  wire::InstanceBuilder instance(builder);
  instance.add_resources(resources);
  instance.add_periods(3);
  instance.add_apps(apps);
  instance.add_classes(classes);
  instance.add_nodes(nodes);
  instance.add_limits(limits);
  instance.add_running(running_list);
  instance.add_pinned(pinned_list);
  wire::FinishInstanceBuffer(builder, instance.Finish());
  return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
}

}  // namespace stowage::fuzz
