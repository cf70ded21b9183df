// Instances that use many features, drawn from the input. Every planner of the catalogue must plan an accepted instance or
// refuse it with a status, and the reports on the plans must be consistent.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <map>
#include <set>

#include "tests/fuzz/support/support.h"

namespace {

using stowage::fuzz::Bytes;
using stowage::fuzz::RequestData;
using stowage::fuzz::Source;
namespace wire = stowage::wire;

/// What kind of numbers a resource is measured in.
enum class Numbers { kWhole, kDecimal, kThirds, kPrecise, kHuge, kTiny, kMixed, kEnd };

class Generator {
 public:
  /// Rules are drawn from `rules`, kinds from `kinds`, all other parts from `source`.
  Generator(Source& source, Source& rules, Source& kinds)
      : source_(source), rules_(rules), kinds_(kinds), has_rules_(rules.once_in(4)), has_kinds_(kinds.once_in(3)) {}

  Bytes instance() {
    shape();
    flatbuffers::FlatBufferBuilder builder;
    std::vector<flatbuffers::Offset<wire::Resource>> resources;
    for (std::uint32_t r = 0; r < resources_; ++r) {
      resources.push_back(wire::CreateResourceDirect(builder, std::to_string(r).c_str()));
    }
    const auto resource_list = builder.CreateVector(resources);
    const auto class_list = classes(builder);
    const auto app_table = apps(builder);
    const auto limit_table = limits(builder);
    flatbuffers::Offset<wire::Nodes> node_table;
    if (listed_ > 0) node_table = nodes(builder);
    const auto running = builder.CreateVectorOfStructs(residences());
    const auto pinned = builder.CreateVectorOfStructs(residences());
    flatbuffers::Offset<wire::Uncertainty> uncertainty;
    if (source_.once_in(4)) {
      uncertainty = wire::CreateUncertainty(
          builder, source_.pick({wire::ChanceModel::Gaussian, wire::ChanceModel::Factor, wire::ChanceModel::BoundedSupport}),
          source_.pick({0.5, 0.9, 0.999, 1e-9, 1 - 1e-15}), source_.pick({0.0, 0.5, 3.0, 1e6}));
    }

    flatbuffers::Offset<flatbuffers::Vector<flatbuffers::Offset<flatbuffers::String>>> tag_list;
    flatbuffers::Offset<flatbuffers::Vector<flatbuffers::Offset<wire::NodeGroup>>> group_list;
    flatbuffers::Offset<flatbuffers::Vector<flatbuffers::Offset<wire::PlacementRule>>> rule_list;
    if (has_rules_) {
      tag_list = builder.CreateVectorOfStrings(std::vector<std::string>(std::begin(kTagNames), std::end(kTagNames)));
      group_list = builder.CreateVector(groups(builder));
      std::vector<flatbuffers::Offset<wire::PlacementRule>> rules;
      for (std::uint32_t left = 1 + rules_.below(4); left > 0; --left) rules.push_back(rule(builder));
      rule_list = builder.CreateVector(rules);
    }

    const auto interference = has_kinds_ ? table_of_kinds(builder) : flatbuffers::Offset<wire::Interference>();

    wire::InstanceBuilder instance(builder);
    instance.add_interference(interference);
    if (has_rules_) {
      instance.add_tags(tag_list);
      instance.add_groups(group_list);
      instance.add_rules(rule_list);
    }
    instance.add_resources(resource_list);
    instance.add_periods(periods_);
    instance.add_apps(app_table);
    instance.add_classes(class_list);
    instance.add_nodes(node_table);
    if (!limit_table.IsNull()) instance.add_limits(limit_table);
    if (listed_ > 0) instance.add_running(running);
    if (listed_ > 0) instance.add_pinned(pinned);
    instance.add_uncertainty(uncertainty);
    wire::FinishInstanceBuffer(builder, instance.Finish());
    return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
  }

  /// An objective and a limit of side effects, where there are kinds.
  void ask_for_costs(RequestData& request) {
    if (!has_kinds_) return;
    if (kinds_.once_in(3)) request.objective = kinds_.once_in(2) ? wire::Objective::Total : wire::Objective::Worst;
    if (kinds_.once_in(3)) request.max_cost = kinds_.pick({10.0, 40.0, 100.0, 1.0 / 3, 1e80});
  }

  RequestData request() {
    RequestData request;
    request.seed = source_.byte();
    request.threads = source_.below(3);
    if (source_.once_in(4)) request.node_limit = source_.below(8);
    request.ignore_running = source_.once_in(4);
    if (source_.once_in(4)) request.move_budget = source_.below(4);
    request.work_limit = source_.pick<std::uint64_t>({20'000, 20'000, 20'000, 1, 7, 100});
    return request;
  }

 private:
  void shape() {
    resources_ = source_.once_in(8) ? 1 + source_.below(12) : 1 + source_.below(3);
    periods_ = source_.once_in(3) ? 1 + source_.below(10) : 1;
    apps_ = source_.once_in(10) ? source_.below(80) : source_.below(10);
    classes_ = 1 + source_.below(3);
    listed_ = source_.once_in(2) ? source_.below(6) : 0;
    for (std::uint32_t r = 0; r < resources_; ++r) {
      numbers_.push_back(source_.once_in(4) ? static_cast<Numbers>(source_.below(static_cast<std::uint32_t>(Numbers::kEnd)))
                                            : Numbers::kWhole);
    }
  }

  double amount(std::uint32_t resource, std::uint32_t up_to) {
    const double whole = source_.below(up_to);
    if (source_.once_in(256) && source_.once_in(8)) return source_.pick<double>({1e-300, 5e-324, 1e300, -1, NAN, INFINITY});
    Numbers numbers = numbers_[resource];
    if (numbers == Numbers::kMixed) numbers = static_cast<Numbers>(source_.below(static_cast<std::uint32_t>(Numbers::kMixed)));
    switch (numbers) {
      case Numbers::kDecimal:
        return whole / 10;
      case Numbers::kThirds:
        return whole / 3;
      case Numbers::kPrecise:
        return whole + 1e-9 * source_.below(1000);
      case Numbers::kHuge:
        return whole * source_.pick({1e6, 1e12, 0x1p53, 1e90});
      case Numbers::kTiny:
        return whole * source_.pick({1e-3, 1e-9, 1e-12, 1e-90});
      default:
        return whole;
    }
  }

  std::vector<double> column(std::uint32_t items, std::uint32_t up_to) {
    const std::uint32_t periods = source_.once_in(2) ? periods_ : 1;
    std::vector<double> values;
    for (std::uint32_t item = 0; item < items; ++item) {
      for (std::uint32_t r = 0; r < resources_; ++r) {
        const double base = amount(r, up_to);
        for (std::uint32_t t = 0; t < periods; ++t) values.push_back(source_.once_in(4) ? amount(r, up_to) : base);
      }
    }
    return values;
  }

  flatbuffers::Offset<flatbuffers::Vector<flatbuffers::Offset<wire::NodeClass>>> classes(
      flatbuffers::FlatBufferBuilder& builder) {
    const bool priced = source_.once_in(3);
    std::vector<flatbuffers::Offset<wire::NodeClass>> list;
    for (std::uint32_t c = 0; c < classes_; ++c) {
      std::vector<double> capacity;
      for (std::uint32_t r = 0; r < resources_; ++r) capacity.push_back(amount(r, source_.once_in(3) ? 1000 : 40));
      const std::uint32_t count = source_.once_in(2) ? listed_ + source_.below(6) : 0;
      const double price = priced ? source_.pick({0.0, 1.0, 1.0, 2.5, 2.5, 1.0 / 3, 1e-90, 1e90}) : -1;
      const auto class_labels = labels(builder);
      list.push_back(wire::CreateNodeClassDirect(builder, nullptr, &capacity, count, price, &class_labels));
    }
    return builder.CreateVector(list);
  }

  flatbuffers::Offset<wire::Apps> apps(flatbuffers::FlatBufferBuilder& builder) {
    for (std::uint32_t i = 0; i < apps_; ++i) {
      replicas_.push_back(source_.once_in(30) ? source_.pick({0u, 1000u, 33'000u, 70'000u}) : source_.below(12));
    }
    const std::vector<double> demand = column(apps_, source_.once_in(8) ? 100 : 20);
    std::vector<std::int32_t> priority;
    if (source_.once_in(4)) {
      for (std::uint32_t i = 0; i < apps_; ++i) {
        priority.push_back(
            source_.pick({0, 1, -1, std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int32_t>::min()}));
      }
    }
    std::vector<double> variance;
    if (source_.once_in(3)) {
      for (const double mean : column(apps_, 20)) variance.push_back(mean);
      variance.resize(std::size_t{apps_} * resources_, source_.pick({0.0, 1.0, 1e-50, 1e90}));
    }
    std::vector<std::uint32_t> tag_begin;
    std::vector<std::uint32_t> tag_index;
    if (has_rules_) draw_rows(apps_, kTags - 2, tag_begin, tag_index);
    std::vector<std::uint32_t> kind;
    if (has_kinds_) {
      number_of_kinds_ = 1 + kinds_.below(5);
      for (std::uint32_t i = 0; i < apps_; ++i) kind.push_back(kinds_.below(number_of_kinds_));
    }
    return wire::CreateAppsDirect(builder, nullptr, &replicas_, &demand, priority.empty() ? nullptr : &priority,
                                  variance.empty() ? nullptr : &variance, nullptr, nullptr, kind.empty() ? nullptr : &kind,
                                  &tag_begin, &tag_index);
  }

  /// After apps(). Limits may be too low for a replica, which the library refuses.
  flatbuffers::Offset<wire::Interference> table_of_kinds(flatbuffers::FlatBufferBuilder& builder) {
    std::vector<double> coefficient;
    for (std::uint32_t k = 0; k < number_of_kinds_ * number_of_kinds_; ++k) {
      coefficient.push_back(kinds_.once_in(64) ? kinds_.pick({1e-300, 1e90, -1.0, 1.0 / 3}) : kinds_.below(9) / 4.0);
    }
    std::vector<double> max_cost;
    if (!kinds_.once_in(3)) {
      for (std::uint32_t k = 0; k < number_of_kinds_; ++k) {
        max_cost.push_back(kinds_.once_in(4) ? kinds_.pick({double{INFINITY}, 0.0, 1e300, 1.0 / 3}) : 10.0 * kinds_.below(20));
      }
    }
    return wire::CreateInterferenceDirect(builder, nullptr, &coefficient, kinds_.below(resources_),
                                          max_cost.empty() ? nullptr : &max_cost);
  }

  flatbuffers::Offset<wire::AffinityLimits> limits(flatbuffers::FlatBufferBuilder& builder) {
    if (apps_ == 0 || source_.once_in(4)) return 0;
    std::vector<std::uint32_t> row_begin = {0};
    std::vector<std::uint32_t> app;
    std::vector<std::uint32_t> at_most;
    const bool sorted = source_.once_in(2);
    for (std::uint32_t i = 0; i < apps_; ++i) {
      const std::uint32_t length = source_.once_in(20) ? apps_ : source_.below(4);
      std::vector<std::uint32_t> row;
      for (std::uint32_t k = 0; k < length; ++k) {
        const std::uint32_t j = source_.below(apps_);
        const bool twice = std::find(row.begin(), row.end(), j) != row.end();
        if (!twice || source_.once_in(100)) row.push_back(j);
      }
      if (sorted) std::sort(row.begin(), row.end());
      for (const std::uint32_t j : row) {
        app.push_back(j);
        const std::uint32_t limit = source_.pick({0u, 1u, 2u, 3u, 5u, 300u, 70'000u, 4'294'967'295u});
        at_most.push_back(i == j ? std::max(1u, limit) : limit);
      }
      row_begin.push_back(static_cast<std::uint32_t>(app.size()));
    }
    return wire::CreateAffinityLimitsDirect(builder, &row_begin, &app, &at_most);
  }

  flatbuffers::Offset<wire::Nodes> nodes(flatbuffers::FlatBufferBuilder& builder) {
    std::vector<std::uint32_t> node_class;
    std::vector<std::uint8_t> closed;
    for (std::uint32_t n = 0; n < listed_; ++n) {
      node_class.push_back(source_.below(classes_));
      closed.push_back(source_.once_in(4) ? 1 : 0);
    }
    const std::vector<double> load = source_.once_in(2) ? column(listed_, 30) : std::vector<double>();
    std::vector<std::uint32_t> tag_begin;
    std::vector<std::uint32_t> tag_index;
    if (has_rules_) draw_rows(listed_, kTags, tag_begin, tag_index);
    return wire::CreateNodesDirect(builder, &node_class, nullptr, load.empty() ? nullptr : &load, nullptr, &closed, &tag_begin,
                                   &tag_index);
  }

  /// Mostly within the replicas of each app.
  std::vector<wire::Residence> residences() {
    std::vector<wire::Residence> list;
    if (listed_ == 0 || apps_ == 0) return list;
    std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
    for (std::uint32_t left = source_.below(6); left > 0; --left) {
      const std::uint32_t app = source_.below(apps_);
      const std::uint32_t node = source_.below(listed_);
      std::uint32_t& available = left_.try_emplace(app, replicas_[app]).first->second;
      if (available == 0 || !seen.emplace(app, node).second) continue;
      const std::uint32_t replicas = 1 + source_.below(available);
      available -= std::min(available, replicas);
      list.emplace_back(app, node, replicas);
    }
    return list;
  }

  /// Rows of indices below `end`, some of them empty.
  void draw_rows(std::uint32_t rows, std::uint32_t end, std::vector<std::uint32_t>& begin, std::vector<std::uint32_t>& index) {
    begin.push_back(0);
    for (std::uint32_t row = 0; row < rows; ++row) {
      for (std::uint32_t k = 0; k < end; ++k) {
        if (rules_.once_in(3)) index.push_back(k);
      }
      begin.push_back(static_cast<std::uint32_t>(index.size()));
    }
  }

  std::vector<flatbuffers::Offset<flatbuffers::String>> labels(flatbuffers::FlatBufferBuilder& builder) {
    if (!has_rules_ || rules_.once_in(3)) return {};
    return {builder.CreateString(rules_.once_in(2) ? "rack=1" : "rack=2")};
  }

  /// Groups that may overlap.
  std::vector<flatbuffers::Offset<wire::NodeGroup>> groups(flatbuffers::FlatBufferBuilder& builder) {
    std::vector<std::uint32_t> begin;
    std::vector<std::uint32_t> node;
    draw_rows(rules_.below(4), listed_, begin, node);
    return {wire::CreateNodeGroupDirect(builder, "domain", &begin, &node),
            wire::CreateNodeGroupDirect(builder, "rack", nullptr, nullptr, nullptr, "rack")};
  }

  /// Rules of every kind; they may contradict each other.
  flatbuffers::Offset<wire::PlacementRule> rule(flatbuffers::FlatBufferBuilder& builder) {
    const bool hard = !rules_.once_in(3);
    const double weight = rules_.pick({1.0, 0.0, 2.5, 1e6});
    const auto origin = rules_.once_in(4) ? wire::Origin::Operator : wire::Origin::Application;
    std::vector<flatbuffers::Offset<wire::Conjunction>> any_of;
    for (std::uint32_t ways = rules_.once_in(4) ? 2 : 1; ways > 0; --ways) {
      std::vector<flatbuffers::Offset<wire::Cardinality>> all_of;
      for (std::uint32_t parts = rules_.once_in(4) ? 2 : 1; parts > 0; --parts) {
        const auto kind = rules_.pick({wire::CardinalityKind::Replicas, wire::CardinalityKind::Replicas,
                                       wire::CardinalityKind::NodeSets, wire::CardinalityKind::Skew});
        std::vector<std::uint32_t> subject = {rules_.below(kTags)};
        if (rules_.once_in(4)) subject.push_back(rules_.below(kTags));
        const std::vector<std::uint32_t> target = rules_.once_in(3) ? subject : std::vector<std::uint32_t>{rules_.below(kTags)};
        const std::uint32_t min = rules_.pick({0u, 0u, 1u, 2u, 70'000u});
        const std::uint32_t max = rules_.once_in(2) ? min + rules_.below(4) : rules_.pick({4'294'967'295u, 4'294'967'294u, 0u});
        const std::uint32_t group = rules_.pick({4'294'967'295u, 0u, 1u});
        all_of.push_back(wire::CreateCardinalityDirect(builder, kind, &subject, &target, min, max, group, rules_.once_in(8)));
      }
      any_of.push_back(wire::CreateConjunctionDirect(builder, &all_of));
    }
    return wire::CreatePlacementRuleDirect(builder, nullptr, &any_of, hard, weight, origin);
  }

  static constexpr const char* kTagNames[] = {"a", "b", "c", "appID:1", "appID:2", "rack=1", "rack=2"};
  static constexpr std::uint32_t kTags = 7;

  Source& source_;
  Source& rules_;
  Source& kinds_;
  bool has_rules_;
  bool has_kinds_;
  std::uint32_t number_of_kinds_ = 0;
  std::uint32_t resources_ = 1;
  std::uint32_t periods_ = 1;
  std::uint32_t apps_ = 0;
  std::uint32_t classes_ = 1;
  std::uint32_t listed_ = 0;
  std::vector<Numbers> numbers_;
  std::vector<std::uint32_t> replicas_;
  std::map<std::uint32_t, std::uint32_t> left_;
};

bool same(const stowage::Buffer& a, const stowage::Buffer& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size()) == 0;
}

bool same_placed(const wire::Plan& a, const wire::Plan& b) {
  const auto equal = [](const auto* x, const auto* y) {
    return x->size() == y->size() && std::memcmp(x->Data(), y->Data(), x->size() * sizeof(**x->begin())) == 0;
  };
  return equal(a.placed(), b.placed()) && equal(a.unplaced(), b.unplaced()) &&
         stowage::fuzz::nodes_in_use(a) == stowage::fuzz::nodes_in_use(b);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace stowage::fuzz;  // NOLINT(google-build-using-namespace)
  Source source(data, size);
  // Drawn from the other end of the input, so that older inputs keep their meaning.
  const Bytes reversed(std::make_reverse_iterator(data + size), std::make_reverse_iterator(data));
  Source rules(reversed.data(), reversed.size());
  Source kinds(reversed.data() + reversed.size() / 2, reversed.size() - reversed.size() / 2);
  Generator generator(source, rules, kinds);
  RequestData request = generator.request();
  const std::uint32_t favourite = source.below(static_cast<std::uint32_t>(planner_names().size()));
  // Besides the favourite, one planner in kShare plans. With all planners, an input would take a hundred times as long as one
  // plan.
  constexpr std::uint32_t kShare = 8;
  const Bytes bytes = generator.instance();
  request.all_or_nothing = rules.once_in(4);
  request.compact = rules.once_in(3);
  request.soft = static_cast<wire::SoftPolicy>(rules.below(3));
  if (request.soft == wire::SoftPolicy::Price) request.soft_price = rules.pick({0.0, 0.5, 1e50});
  request.fill = rules.once_in(3);
  generator.ask_for_costs(request);
  if (kinds.once_in(6)) request.survive = "*";
  if (kinds.once_in(6)) request.keep = {{0, 1 + kinds.below(3)}};
  if (kinds.once_in(6)) request.leave_free = "rack";
  if (kinds.once_in(6)) {
    // In the place of all else that plans are judged by.
    request.soft = wire::SoftPolicy::First;
    request.soft_price = 0;
    request.objective = wire::Objective::Nodes;
    for (std::uint32_t count = 1 + kinds.below(3); count > 0; --count) {
      request.goals.push_back(static_cast<wire::GoalKind>(kinds.below(static_cast<std::uint32_t>(wire::GoalKind::MAX) + 1)));
    }
  }
  // Such plans are made by several runs, of which the work says nothing.
  const bool is_one_run =
      request.survive.empty() && request.leave_free.empty() && request.keep.empty() && request.goals.empty();
  const auto instance = load(bytes.data(), bytes.size());
  if (!instance) return 0;
  const wire::Instance& content = *wire::GetInstance(bytes.data());
  require_bounds(*instance);

  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  double highest_bound = 0;
  bool infeasible = false;
  for (std::size_t k = 0; k < planner_names().size(); ++k) {
    if (k % kShare != favourite % kShare) continue;
    request.planner = planner_names()[k];
    const auto made = plan(*instance, content, request);
    if (!made) continue;
    const wire::Plan& result = *wire::GetPlan(made->data());
    const bool is_complete = result.unplaced()->size() == 0 && result.unreserved() == nullptr && result.not_survived() == 0;
    if (is_complete) fewest = std::min<std::size_t>(fewest, nodes_in_use(result));
    highest_bound = std::max(highest_bound, result.node_bound()->value());
    infeasible = infeasible || result.status() == wire::PlanStatus::InfeasibleProven;
    if (k != favourite) continue;
    require_explanation(*instance, *made,
                        source.once_in(2) && content.apps()->replicas()->size() > 0 ? 0u : STOWAGE_ALL_UNPLACED);
    if (content.apps()->replicas()->size() > 0) require_headroom(*instance, *made, 0);
    require_move_order(*instance, *made);
    RequestData again = request;
    again.threads = 3;
    const auto repeated = plan(*instance, content, again);
    FUZZ_REQUIRE(repeated && same(*made, *repeated), request.planner + " depends on the number of threads");
    if (!is_one_run) continue;
    again.work_limit = result.work();
    const auto replayed = plan(*instance, content, again);
    FUZZ_REQUIRE(replayed && same_placed(result, *wire::GetPlan(replayed->data())),
                 request.planner + " is not replayed by its work");
  }
  if (fewest != std::numeric_limits<std::size_t>::max()) {
    FUZZ_REQUIRE(!infeasible, "a plan is complete and another one proves that there is none");
    FUZZ_REQUIRE(highest_bound <= static_cast<double>(fewest), "a complete plan uses fewer nodes than a bound says");
  }
  return 0;
}
