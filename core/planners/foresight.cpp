#include "core/planners/foresight.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

namespace stowage {
namespace {

/// Weight of a rule of what may come, as a share of the rule's that it is made like.
constexpr double kWeightOfSuccessors = 1e-6;

constexpr std::size_t kLargestCopy = 4'000'000;  // numbers
constexpr std::size_t kMostRules = 100'000;      // the instance's and the copies'

/// Appends copies of an app's entries, `width` per app; columns that an instance does not have stay empty.
template <class Value>
void copy_entries(std::vector<Value>& column, std::size_t width, AppId app) {
  if (column.empty()) return;
  for (std::size_t k = 0; k < width; ++k) column.push_back(Value(column[app * width + k]));
}

std::span<const std::uint32_t> row_of(const IndexRows& rows, AppId app) {
  return {rows.index.data() + rows.begin[app], rows.begin[app + 1] - rows.begin[app]};
}

class Successors {
 public:
  explicit Successors(const Instance& instance) : instance_(instance), data_(instance.data()), apps_(instance.apps()) {
    // Names would have to be found for the copies. Tags that refer to an app by its name are written out with the others.
    data_.app_names.clear();
    data_.app_tags = instance.app_tags();
    for (std::uint32_t tag = 0; tag < data_.tags.size(); ++tag) data_.tags[tag] = tag_name(names_application(tag), tag);
  }

  void settle(const NodeContents& now, std::span<const AppId> batch) {
    data_.running.clear();
    for (AppId app = 0; app < apps_; ++app) {
      if (!std::binary_search(batch.begin(), batch.end(), app)) data_.replicas[app] = 0;
    }
    for (NodeId node = 0; node < instance_.listed_nodes(); ++node) {
      for (const Tenant& tenant : now.at(node)) {
        if (std::binary_search(batch.begin(), batch.end(), tenant.app)) continue;
        data_.running.push_back({tenant.app, node, tenant.replicas});
        data_.replicas[tenant.app] += tenant.replicas;
      }
    }
  }

  void add(std::span<const AppId> application) {
    tag_copies_.clear();
    const auto first = static_cast<AppId>(data_.replicas.size());
    for (const AppId app : application) copy_app(app);
    rules_.clear();
    for (const AppId app : application) {
      for (const TagModel::Role& role : instance_.tag_model().subject_of(app)) {
        rules_.push_back(instance_.tag_model().part(role.part).rule);
      }
    }
    std::sort(rules_.begin(), rules_.end());
    rules_.erase(std::unique(rules_.begin(), rules_.end()), rules_.end());
    for (const std::uint32_t rule : rules_) copy_rule(rule);
    copy_limits(application, first);
  }

  [[nodiscard]] bool are_too_many() const { return data_.demand.size() > kLargestCopy || data_.rules.size() > kMostRules; }
  Result<Instance> build() {
    std::vector<std::uint32_t> begin;
    std::vector<std::uint32_t> other;
    std::vector<std::uint32_t> at_most;
    const LimitRows& rows = instance_.limit_rows();
    if (rows.arc_count() + rows.self_limit_count() > 0) {
      begin.push_back(0);
      for (AppId app = 0; app < apps_; ++app) {
        for_each_limit(app, [&](AppId neighbour, std::uint32_t limit) {
          other.push_back(neighbour);
          at_most.push_back(limit);
        });
        begin.push_back(static_cast<std::uint32_t>(other.size()));
      }
      for (const std::vector<Limit>& limits : limits_) {
        for (const Limit& limit : limits) {
          other.push_back(limit.app);
          at_most.push_back(limit.at_most);
        }
        begin.push_back(static_cast<std::uint32_t>(other.size()));
      }
    }
    data_.limits = {begin, other, at_most};
    return Instance::build(std::move(data_), instance_.limits());
  }

 private:
  struct Limit {
    AppId app;
    std::uint32_t at_most;
  };

  [[nodiscard]] bool names_application(std::uint32_t tag) const {
    return instance_.data().tags[tag].starts_with(kAppTagPrefix);
  }
  // Texts do not matter, but for the prefix; after it, an index alone would refer to an app.
  static std::string tag_name(bool names_application, std::uint32_t tag) {
    return (names_application ? std::string(kAppTagPrefix) : "") + "tag-" + std::to_string(tag);
  }
  void copy_app(AppId app) {
    const std::size_t width = data_.resources.size();
    const std::size_t cells = data_.demand.size() / data_.replicas.size();
    copy_entries(data_.demand, cells, app);
    copy_entries(data_.variance, width, app);
    copy_entries(data_.support_min, width, app);
    copy_entries(data_.support_max, width, app);
    copy_entries(data_.priority, 1, app);
    copy_entries(data_.kind, 1, app);
    data_.replicas.push_back(instance_.replicas(app));
    for (const std::uint32_t tag : row_of(instance_.app_tags(), app)) data_.app_tags.index.push_back(copied_tag(tag));
    data_.app_tags.begin.push_back(static_cast<std::uint32_t>(data_.app_tags.index.size()));
  }
  std::uint32_t copied_tag(std::uint32_t tag) {
    const auto [at, fresh] = tag_copies_.emplace(tag, static_cast<std::uint32_t>(data_.tags.size()));
    if (fresh) data_.tags.push_back(tag_name(names_application(tag), at->second));
    return at->second;
  }
  void copy_rule(std::uint32_t number) {
    PlacementRule rule = instance_.data().rules[number];
    const auto rename = [&](std::vector<std::uint32_t>& tags) {
      for (std::uint32_t& tag : tags) {
        const auto at = tag_copies_.find(tag);
        if (at != tag_copies_.end()) tag = at->second;
      }
    };
    for (auto& conjunction : rule.any_of) {
      for (Cardinality& part : conjunction) {
        rename(part.subject);
        rename(part.target);
      }
    }
    rule.weight *= kWeightOfSuccessors;
    data_.rules.push_back(std::move(rule));
  }
  template <class Visit>
  void for_each_limit(AppId app, Visit&& visit) const {
    const LimitRows& rows = instance_.limit_rows();
    bool passed = rows.self_limit(app) == kNone;
    const auto self = [&] {
      visit(app, rows.self_limit(app));
      passed = true;
    };
    for (std::uint32_t k = 0; k < rows.degree(app); ++k) {
      const Neighbour neighbour = rows.neighbour(app, k);
      if (!passed && neighbour.app > app) self();
      if (neighbour.imposes != kNone) visit(neighbour.app, neighbour.imposes);
    }
    if (!passed) self();
  }
  void copy_limits(std::span<const AppId> application, AppId first) {
    for (const AppId app : application) {
      std::vector<Limit>& limits = limits_.emplace_back();
      for_each_limit(app, [&](AppId neighbour, std::uint32_t limit) {
        const auto at = std::find(application.begin(), application.end(), neighbour);
        if (at == application.end()) return;
        limits.push_back({first + static_cast<AppId>(at - application.begin()), limit});
      });
    }
  }

  const Instance& instance_;
  InstanceData data_;
  AppId apps_;
  std::vector<std::uint32_t> rules_;                             // of the application in hand: those that it is subject to
  std::unordered_map<std::uint32_t, std::uint32_t> tag_copies_;  // of the copy in hand
  std::vector<std::vector<Limit>> limits_;                       // per copied app, by app
};

}  // namespace

bool is_worth_copying(const Instance& instance) {
  const InstanceData& data = instance.data();
  if (data.demand.size() + data.load.size() + instance.limit_rows().arc_count() > kLargestCopy) return false;
  for (ClassId c = 0; c < instance.classes(); ++c) {
    const auto listed = std::count(data.node_class.begin(), data.node_class.end(), c);
    const std::uint32_t count = data.classes[c].count;
    if (count == 0 || count != static_cast<std::uint64_t>(listed)) return false;
  }
  return true;
}

std::vector<std::vector<AppId>> successors_that_fit(const Instance& instance, std::span<const std::vector<AppId>> applications,
                                                    std::vector<std::int64_t> left, std::size_t most) {
  std::vector<std::vector<AppId>> successors;
  while (successors.size() < most) {
    const std::vector<AppId>& next = applications[successors.size() % applications.size()];
    for (const AppId app : next) {
      instance.visit_unit([&](auto unit) {
        const auto demand = instance.scaled_demand<decltype(unit)>(app);
        for (std::uint32_t h = 0; h < instance.dims(); ++h) left[h] -= std::int64_t{demand[h]} * instance.replicas(app);
      });
    }
    if (std::any_of(left.begin(), left.end(), [](std::int64_t units) { return units < 0; })) break;
    successors.push_back(next);
  }
  return successors;
}

Result<Instance> with_successors(const Instance& instance, const NodeContents& now, std::span<const AppId> batch,
                                 std::span<const std::vector<AppId>> successors) {
  Successors copies(instance);
  copies.settle(now, batch);
  for (const std::vector<AppId>& application : successors) {
    copies.add(application);
    if (copies.are_too_many()) return Error{Code::kLimitExceeded, "more than is worth copying", ""};
  }
  return copies.build();
}

}  // namespace stowage
