// LraSched's factorization machine, trained online by FTRL-Proximal (LraSched, section 3.2.1, Eq. 1-10, algorithms 1 and 2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/status.h"

namespace stowage {

/// A feature that is not 0.
struct ActiveFeature {
  std::uint32_t index;
  double value;
};

struct FactorOptions {
  std::uint32_t factors = 8;  ///< h
  double alpha = 0.3;         ///< learning rates: alpha / (beta + sqrt(sum of squared gradients))
  double beta = 1;
  double lambda1 = 0;
  double lambda2 = 1e-3;
  double deviation = 0.1;  ///< of the initial factors
  std::uint64_t seed = 0;
};

/// Two corrections to the paper: v is not recomputed from z = 0, which would erase its random start, but from
/// z = -v0 (beta / alpha + lambda2) - sgn(v0) lambda1; and Eq. 7 tests z of v.
class FactorizationMachine {
 public:
  explicit FactorizationMachine(const FactorOptions& options) : options_(options) {}

  /// Parameters for features up to `count`: 0 in w, random in V. The values depend on seed and index alone.
  void append_features(std::size_t count);
  /// Eq. 2. Features lie below the number appended.
  [[nodiscard]] double predict(std::span<const ActiveFeature> x) const;
  /// One step of algorithms 1 and 2 on (x, y); returns the prediction before it.
  double learn(std::span<const ActiveFeature> x, double y);

  /// Derivatives of the squared loss: of w0, then of w, then of V for each feature of x, features x factors (Eq. 8-10).
  [[nodiscard]] std::vector<double> gradient(std::span<const ActiveFeature> x, double y) const;
  /// The parameters in the order of the gradient, for checks.
  [[nodiscard]] std::vector<double*> parameters(std::span<const ActiveFeature> x);

  [[nodiscard]] std::size_t features() const { return w_.size(); }
  [[nodiscard]] std::vector<std::uint8_t> bytes() const;
  /// Code::kMalformed where the bytes are truncated or edited or hold what is no finite number.
  static Result<FactorizationMachine> from_bytes(std::span<const std::uint8_t> bytes);

 private:
  /// A parameter with its state: theta, z, n.
  struct Weight {
    double theta = 0;
    double z = 0;
    double n = 0;
  };
  void update(Weight& weight, double gradient) const;

  FactorOptions options_;
  Weight bias_;
  std::vector<Weight> w_;
  std::vector<Weight> v_;  ///< features x factors
};

}  // namespace stowage
