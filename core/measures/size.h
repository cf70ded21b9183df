// Size measures of apps: P0, section 4.2, table 1 and Eq. 3.
#pragma once

#include <vector>

#include "core/measures/measure.h"
#include "core/model/instance.h"

namespace stowage {

/// Demand of every app in shares of a node, that is of the largest capacity of any class per resource, and its sums.
class NormalizedDemand {
 public:
  explicit NormalizedDemand(const Instance& instance);
  [[nodiscard]] const Instance& instance() const { return *instance_; }
  /// Calls visit(h, s_ih) for every dimension h; s_ih is the demand of one replica.
  template <class Visit>
  void for_each_share(AppId app, Visit&& visit) const {
    const std::uint32_t periods = instance_->periods();
    for (ResourceId r = 0; r < instance_->resources(); ++r) {
      for (std::uint32_t t = 0; t < periods; ++t) {
        visit(r * periods + t, instance_->demand(app, r, t) * per_capacity_[r]);
      }
    }
  }
  /// W_h: total demand of all replicas, dims() entries.
  [[nodiscard]] const std::vector<double>& total() const { return total_; }

 private:
  const Instance* instance_;
  std::vector<double> per_capacity_;
  std::vector<double> total_;
};

/// Per dimension: one scaled unit in shares of the largest capacity of any class; 0 if all classes have capacity 0.
std::vector<double> unit_shares(const Instance& instance);

/// (1/d) sum of s_ih.
double size_average(const NormalizedDemand& demand, AppId app);
/// Largest s_ih.
double size_max(const NormalizedDemand& demand, AppId app);
/// Sum of weight_h x s_ih, for the three weighted measures.
double size_weighted(const NormalizedDemand& demand, AppId app, const std::vector<double>& weight);
/// e^(epsilon D_h), with D_h the average demand of a replica.
std::vector<double> weights_average_exponential(const NormalizedDemand& demand, double epsilon);
/// lambda_h = W_h / sum of W_k.
std::vector<double> weights_surrogate(const NormalizedDemand& demand);
/// 1 / W_h; the measure also multiplies by the number of replicas.
std::vector<double> weights_extended_sum(const NormalizedDemand& demand);

/// The measure of every app.
/// @param epsilon weight exponent, for kAverageExponential
std::vector<double> sizes(const Instance& instance, Measure measure, double epsilon);

/// Eq. 3: alpha x size / mean size + (1 - alpha) x degree / mean degree. A term whose mean is 0 is left out.
std::vector<double> hybrid_sizes(const Instance& instance, std::vector<double> size, double alpha);

}  // namespace stowage
