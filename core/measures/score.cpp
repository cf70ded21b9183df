#include "core/measures/score.h"

#include "core/measures/size.h"

namespace stowage {

ScoreMeasure::ScoreMeasure(const Instance& instance, Score score)
    : instance_(&instance), kernels_(&best_kernels<std::int32_t>()), score_(score), node_(instance.dims(), 0.0) {
  share_ = unit_shares(instance);
  per_demand_.assign(instance.dims(), 1.0);
  if (score == Score::kFitness) {
    const NormalizedDemand demand(instance);
    for (std::uint32_t h = 0; h < instance.dims(); ++h) per_demand_[h] = demand.total()[h] > 0 ? 1 / demand.total()[h] : 0;
  }
}

void ScoreMeasure::app_row(AppId app, double* row) const {
  instance_->visit_unit([&](auto unit) {
    const auto demand = instance_->scaled_demand<decltype(unit)>(app);
    for (std::size_t h = 0; h < share_.size(); ++h) row[h] = demand[h] * share_[h] * per_demand_[h];
  });
}

}  // namespace stowage
