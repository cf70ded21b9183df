#include "capi/cli/learn/demand.h"

#include <algorithm>
#include <cmath>

#include "capi/text/base/failure.h"

namespace stowage::cli::learn {
namespace {

/// Writes demand of `periods` periods into all cells, each constant so far or with a value per period.
void spread_over_periods(std::vector<double>& column, std::size_t cells, std::uint32_t periods) {
  if (column.empty() || column.size() == cells * periods) return;
  std::vector<double> spread(cells * periods);
  for (std::size_t cell = 0; cell < cells; ++cell)
    std::fill_n(spread.begin() + static_cast<std::ptrdiff_t>(cell * periods), periods, column[cell]);
  column = std::move(spread);
}

/// Sets the largest number of replicas of an app per node, its limit on itself.
void limit_per_node(AffinityLimitsData& limits, std::size_t apps, std::uint32_t app, std::uint32_t most) {
  if (limits.row_begin.empty()) limits.row_begin.assign(apps + 1, 0);
  const std::uint32_t begin = limits.row_begin[app];
  const std::uint32_t end = limits.row_begin[app + 1];
  for (std::uint32_t k = begin; k < end; ++k) {
    if (limits.app[k] != app) continue;
    limits.at_most[k] = most;
    return;
  }
  limits.app.insert(limits.app.begin() + begin, app);
  limits.at_most.insert(limits.at_most.begin() + begin, most);
  for (std::size_t row = app + 1; row <= apps; ++row) ++limits.row_begin[row];
}

class DemandWriter {
 public:
  DemandWriter(InstanceData& instance, const LearnedDemand& learned, const std::string& name)
      : instance_(instance), learned_(learned), name_(name) {}

  std::vector<std::string> write() {
    find_resources();
    prepare_periods();
    prepare_uncertainty();
    const NameIndex apps(instance_.apps.names);
    std::size_t found = 0;
    for (const LearnedApp& app : learned_.apps) {
      const std::uint32_t position = apps.find(app.name);
      if (position == kNone) {
        left_out_.push_back("has no app \"" + app.name + "\", which is left out");
        continue;
      }
      ++found;
      write_app(app, position);
    }
    if (found == 0) throw Failure(name_ + ": has none of the apps of which something was learned");
    return std::move(left_out_);
  }

 private:
  void find_resources() {
    std::vector<std::string> names;
    for (const ResourceData& resource : instance_.resources) names.push_back(resource.name);
    const NameIndex index(names);
    bool any = false;
    for (const std::string& resource : learned_.resources) {
      resource_.push_back(index.find(resource));
      any = any || resource_.back() != kNone;
      if (resource_.back() == kNone) left_out_.push_back("has no resource \"" + resource + "\", which is left out");
    }
    if (!any) throw Failure(name_ + ": has none of the resources of which something was learned");
  }

  void prepare_periods() {
    if (learned_.periods == 1) return;
    if (instance_.periods > 1 && instance_.periods != learned_.periods) {
      throw Failure(name_ + ": has " + std::to_string(instance_.periods) + " periods; use --periods " +
                    std::to_string(instance_.periods));
    }
    const std::size_t resources = instance_.resources.size();
    instance_.periods = learned_.periods;
    spread_over_periods(instance_.apps.demand, instance_.apps.replicas.size() * resources, learned_.periods);
  }

  void prepare_uncertainty() {
    const bool uncertain =
        std::any_of(learned_.apps.begin(), learned_.apps.end(), [](const LearnedApp& app) { return !app.variance.empty(); });
    if (!uncertain) return;
    if (instance_.uncertainty && instance_.uncertainty->model == wire::ChanceModel::BoundedSupport) {
      throw Failure(name_ + ": its uncertainty has the model bounded-support, which needs ranges and not variances");
    }
    if (!instance_.uncertainty) instance_.uncertainty.emplace();
    if (learned_.confidence) {
      instance_.uncertainty->model = wire::ChanceModel::Gaussian;
      instance_.uncertainty->confidence = *learned_.confidence;
    }
    instance_.apps.variance.resize(instance_.apps.replicas.size() * instance_.resources.size(), 0);
  }

  void write_app(const LearnedApp& app, std::uint32_t position) {
    const std::size_t resources = instance_.resources.size();
    const std::size_t width = instance_.apps.demand.size() / (instance_.apps.replicas.size() * resources);
    for (std::size_t r = 0; r < resource_.size(); ++r) {
      if (resource_[r] == kNone || app.demand.empty() || app.demand[r].empty()) continue;
      const std::size_t cell = std::size_t{position} * resources + resource_[r];
      for (std::size_t p = 0; p < width; ++p) {
        instance_.apps.demand[cell * width + p] = app.demand[r].size() == 1 ? app.demand[r][0] : app.demand[r][p];
      }
      if (!instance_.apps.variance.empty()) instance_.apps.variance[cell] = app.variance.empty() ? 0 : app.variance[r];
    }
    if (app.max_per_node) limit_per_node(instance_.limits, instance_.apps.replicas.size(), position, *app.max_per_node);
  }

  InstanceData& instance_;
  const LearnedDemand& learned_;
  const std::string& name_;
  std::vector<std::uint32_t> resource_;  ///< of each learned resource, the instance's
  std::vector<std::string> left_out_;
};

}  // namespace

LearnedDemand learned_demand(const wire::Sizes& sizes, std::optional<double> confidence) {
  LearnedDemand learned;
  learned.periods = sizes.periods();
  learned.confidence = confidence;
  for (const flatbuffers::String* name : *sizes.resources()) learned.resources.push_back(name->str());
  std::uint32_t cell = 0;
  for (const flatbuffers::String* name : *sizes.apps()) {
    LearnedApp& app = learned.apps.emplace_back();
    app.name = name->str();
    for (std::size_t r = 0; r < learned.resources.size(); ++r, ++cell) {
      const double* demand = sizes.demand()->data() + std::size_t{cell} * learned.periods;
      app.demand.emplace_back();
      if (!std::isnan(demand[0])) app.demand.back().assign(demand, demand + learned.periods);
      if (sizes.variance() != nullptr) app.variance.push_back(sizes.variance()->Get(cell));
    }
  }
  return learned;
}

std::vector<std::string> put_into(InstanceData& instance, const LearnedDemand& learned, const std::string& name) {
  return DemandWriter(instance, learned, name).write();
}

}  // namespace stowage::cli::learn
