#include "core/affinity/cost_headroom.h"

#include <array>
#include <cmath>
#include <vector>

namespace stowage {
namespace {

/// Loads of one node by kind. Few kinds take no memory of their own.
class KindLoads {
 public:
  explicit KindLoads(const Instance& instance) : instance_(&instance) {
    if (instance.kinds() > kFew) many_.assign(instance.kinds(), 0);
  }
  void add(AppId app, std::uint32_t replicas) {
    const std::uint32_t kind = instance_->kind(app);
    double* const load = many_.empty() ? few_.data() : many_.data();
    load[kind] += replicas * instance_->interfering_load(app);
    for (std::uint32_t k = 0; k < present_; ++k) {
      if (at(k) == kind) return;
    }
    if (present_ < kFew) {
      few_present_[present_] = kind;
    } else {
      many_present_.push_back(kind);
    }
    ++present_;
  }
  [[nodiscard]] std::uint32_t present() const { return present_; }
  /// The kind that came k-th.
  [[nodiscard]] std::uint32_t at(std::uint32_t k) const { return k < kFew ? few_present_[k] : many_present_[k - kFew]; }
  [[nodiscard]] double cost(std::uint32_t kind) const {
    const double* const load = many_.empty() ? few_.data() : many_.data();
    double sum = 0;
    for (std::uint32_t k = 0; k < present_; ++k) sum += instance_->coefficient(kind, at(k)) * load[at(k)];
    return sum;
  }

 private:
  static constexpr std::uint32_t kFew = 16;
  const Instance* instance_;
  std::array<double, kFew> few_{};
  std::vector<double> many_;
  std::array<std::uint32_t, kFew> few_present_;
  std::vector<std::uint32_t> many_present_;
  std::uint32_t present_ = 0;
};

/// What a sum may reach that has to stay within the limit.
double reach(double limit) {
  constexpr double kRounding = 1e-12;
  return limit * (1 + kRounding);
}

// Replicas of the app that keep within the limits beside the loads, at most `wanted`.
std::uint32_t room(const Instance& instance, AppId app, const KindLoads& loads, std::uint32_t wanted) {
  const std::uint32_t own = instance.kind(app);
  const double load = instance.interfering_load(app);
  double most = wanted;
  const auto limit_by = [&](std::uint32_t kind) {
    const double step = instance.coefficient(kind, own) * load;
    const double left = reach(instance.max_cost(kind)) - loads.cost(kind);
    if (left >= step * most) return;
    // A replica that costs nobody anything may join where its own kind keeps within its limit.
    most = step > 0 ? std::floor(left / step) : kind == own && left < 0 ? 0 : most;
  };
  bool present = false;
  for (std::uint32_t k = 0; k < loads.present(); ++k) {
    limit_by(loads.at(k));
    present = present || loads.at(k) == own;
  }
  if (!present) limit_by(own);
  return most > 0 ? static_cast<std::uint32_t>(most) : 0;
}

}  // namespace

std::uint32_t cost_headroom(const Instance& instance, AppId app, std::span<const Tenant> tenants, std::uint32_t wanted) {
  KindLoads loads(instance);
  for (const Tenant& tenant : tenants) loads.add(tenant.app, tenant.replicas);
  return room(instance, app, loads, wanted);
}

bool costs_admit(const Instance& instance, AppId arriving, AppId leaving, std::span<const Tenant> tenants) {
  KindLoads loads(instance);
  for (const Tenant& tenant : tenants) {
    const std::uint32_t stay = tenant.replicas - (tenant.app == leaving ? 1 : 0);
    if (stay > 0) loads.add(tenant.app, stay);
  }
  return room(instance, arriving, loads, 1) > 0;
}

std::uint32_t broken_cost_limits(const Instance& instance, std::span<const Tenant> tenants) {
  KindLoads loads(instance);
  for (const Tenant& tenant : tenants) loads.add(tenant.app, tenant.replicas);
  std::uint32_t broken = 0;
  for (std::uint32_t k = 0; k < loads.present(); ++k) {
    broken += loads.cost(loads.at(k)) > reach(instance.max_cost(loads.at(k))) ? 1 : 0;
  }
  return broken;
}

}  // namespace stowage
