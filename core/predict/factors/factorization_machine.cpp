#include "core/predict/factors/factorization_machine.h"

#include <cmath>

#include "core/base/numbers/quantile.h"
#include "core/base/numbers/random.h"
#include "core/base/state_bytes.h"

namespace stowage {
namespace {

constexpr std::uint64_t kFactorMagic = 0x0000'3130'4D46'5453;  // "STFM01"

}  // namespace

void FactorizationMachine::append_features(std::size_t count) {
  const std::size_t h = options_.factors;
  for (std::size_t l = w_.size(); l < count; ++l) {
    w_.emplace_back();
    Random random(options_.seed * 0x9E3779B97F4A7C15u + l);
    for (std::size_t f = 0; f < h; ++f) {
      const double start = options_.deviation * normal_quantile(random.share() * (1 - 0x1p-40) + 0x1p-42);
      const double sign = start > 0 ? 1 : start < 0 ? -1 : 0;
      v_.push_back({start, -start * (options_.beta / options_.alpha + options_.lambda2) - sign * options_.lambda1, 0});
    }
  }
}

double FactorizationMachine::predict(std::span<const ActiveFeature> x) const {
  const std::size_t h = options_.factors;
  double y = bias_.theta;
  for (const ActiveFeature& feature : x) y += w_[feature.index].theta * feature.value;
  for (std::size_t f = 0; f < h; ++f) {
    double sum = 0;
    double squares = 0;
    for (const ActiveFeature& feature : x) {
      const double one = v_[feature.index * h + f].theta * feature.value;
      sum += one;
      squares += one * one;
    }
    y += (sum * sum - squares) / 2;
  }
  return y;
}

std::vector<double> FactorizationMachine::gradient(std::span<const ActiveFeature> x, double y) const {
  const std::size_t h = options_.factors;
  const double error = 2 * (predict(x) - y);
  std::vector<double> sum(h, 0);
  for (const ActiveFeature& feature : x)
    for (std::size_t f = 0; f < h; ++f) sum[f] += v_[feature.index * h + f].theta * feature.value;
  std::vector<double> result = {error};
  for (const ActiveFeature& feature : x) result.push_back(error * feature.value);
  for (const ActiveFeature& feature : x) {
    for (std::size_t f = 0; f < h; ++f)
      result.push_back(error * feature.value * (sum[f] - v_[feature.index * h + f].theta * feature.value));
  }
  return result;
}

std::vector<double*> FactorizationMachine::parameters(std::span<const ActiveFeature> x) {
  const std::size_t h = options_.factors;
  std::vector<double*> result = {&bias_.theta};
  for (const ActiveFeature& feature : x) result.push_back(&w_[feature.index].theta);
  for (const ActiveFeature& feature : x)
    for (std::size_t f = 0; f < h; ++f) result.push_back(&v_[feature.index * h + f].theta);
  return result;
}

void FactorizationMachine::update(Weight& weight, double gradient) const {
  const double grown = weight.n + gradient * gradient;
  const double sigma = (std::sqrt(grown) - std::sqrt(weight.n)) / options_.alpha;
  weight.z += gradient - sigma * weight.theta;
  weight.n = grown;
  const double size = std::fabs(weight.z);
  if (size <= options_.lambda1) {
    weight.theta = 0;
  } else {
    weight.theta = -(weight.z > 0 ? size - options_.lambda1 : options_.lambda1 - size) /
                   ((options_.beta + std::sqrt(grown)) / options_.alpha + options_.lambda2);
  }
}

double FactorizationMachine::learn(std::span<const ActiveFeature> x, double y) {
  const std::size_t h = options_.factors;
  const double before = predict(x);
  const std::vector<double> slope = gradient(x, y);
  std::size_t at = 0;
  update(bias_, slope[at++]);
  for (const ActiveFeature& feature : x) update(w_[feature.index], slope[at++]);
  for (const ActiveFeature& feature : x)
    for (std::size_t f = 0; f < h; ++f) update(v_[feature.index * h + f], slope[at++]);
  return before;
}

std::vector<std::uint8_t> FactorizationMachine::bytes() const {
  StateWriter writer(kFactorMagic);
  for (const double option : {options_.alpha, options_.beta, options_.lambda1, options_.lambda2, options_.deviation})
    writer.number(option);
  writer.word(options_.seed);
  writer.word(options_.factors);
  writer.word(w_.size());
  const auto write = [&](const Weight& weight) {
    for (const double value : {weight.theta, weight.z, weight.n}) writer.number(value);
  };
  write(bias_);
  for (const Weight& weight : w_) write(weight);
  for (const Weight& weight : v_) write(weight);
  return std::move(writer).finish();
}

Result<FactorizationMachine> FactorizationMachine::from_bytes(std::span<const std::uint8_t> bytes) {
  StateReader reader(bytes, kFactorMagic);
  FactorOptions options;
  bool sound = true;
  for (double* option : {&options.alpha, &options.beta, &options.lambda1, &options.lambda2, &options.deviation}) {
    *option = reader.number();
    sound = sound && *option >= 0 && *option <= 1e6;
  }
  options.seed = reader.word();
  const std::uint64_t factors = reader.word();
  const std::size_t features = reader.count(24);
  if (Error error{Code::kMalformed, "The machine's options are out of range.", ""};
      !reader.failed() && (!sound || !(options.alpha > 0) || factors > 1'000 || features * factors > bytes.size() / 24))
    return error;
  options.factors = static_cast<std::uint32_t>(factors);
  FactorizationMachine machine(options);
  const auto read = [&](Weight& weight) {
    for (double* value : {&weight.theta, &weight.z, &weight.n}) {
      *value = reader.number();
      sound = sound && std::isfinite(*value);
    }
    sound = sound && weight.n >= 0;
  };
  read(machine.bias_);
  machine.w_.resize(reader.failed() ? 0 : features);
  machine.v_.resize(machine.w_.size() * options.factors);
  for (Weight& weight : machine.w_) read(weight);
  for (Weight& weight : machine.v_) read(weight);
  if (Error error = reader.error("The machine"); stowage::failed(error)) return error;
  if (!sound) return Error{Code::kMalformed, "The machine holds what is no finite number.", ""};
  return machine;
}

}  // namespace stowage
