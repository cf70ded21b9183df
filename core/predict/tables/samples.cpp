#include "core/predict/tables/samples.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

#include "core/base/numbers/amounts.h"
#include "core/base/watched.h"

namespace stowage {
namespace {

Error check_name(const std::string& name, const std::string& path, const SampleLimits& limits) {
  if (name.empty()) return invalid(path, "A name is empty.");
  if (name.size() > limits.name_bytes)
    return too_large(path, "A name is longer than " + std::to_string(limits.name_bytes) + " bytes.");
  return {};
}

/// Steps of a watch that it takes to look at a name, a row or a pair of rows.
constexpr std::uint64_t kStepsPerName = 64;
constexpr std::uint64_t kStepsPerRow = 64;

Error check_names(const std::vector<std::string>& names, const char* column, const SampleLimits& limits, WatchRef watch) {
  std::set<std::string_view> seen;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::string path = indexed(column, k);
    if (Error error = check_name(names[k], path, limits); failed(error)) return error;
    if (!seen.insert(names[k]).second) return invalid(path, "The name \"" + names[k] + "\" occurs twice.");
    if (watch.step(kStepsPerName)) return cancelled();
  }
  return {};
}

Error check_feature(const Samples& samples, std::size_t f, const SampleLimits& limits) {
  const SampleFeature& feature = samples.features[f];
  const std::string path = indexed("features", f);
  if (Error error = check_name(feature.name, path + ".name", limits); failed(error)) return error;
  for (std::size_t other = 0; other < f; ++other) {
    if (samples.features[other].name == feature.name)
      return invalid(path + ".name", "The feature \"" + feature.name + "\" occurs twice.");
  }
  const std::size_t apps = samples.apps.size();
  const bool numbers = feature.numbers.size() == apps && feature.words.empty();
  const bool words = feature.words.size() == apps && feature.numbers.empty();
  if (!numbers && !words) return invalid(path, "A feature has either a number or a word for each app.");
  for (std::size_t k = 0; k < feature.numbers.size(); ++k) {
    if (!std::isnan(feature.numbers[k]) && !(std::fabs(feature.numbers[k]) <= kLargestAmount))
      return invalid(indexed((path + ".numbers").c_str(), k), "A feature is a finite number.");
  }
  for (std::size_t k = 0; k < feature.words.size(); ++k) {
    if (feature.words[k].size() > limits.name_bytes) {
      return too_large(indexed((path + ".words").c_str(), k),
                       "A word is longer than " + std::to_string(limits.name_bytes) + " bytes.");
    }
  }
  return {};
}

/// Why an amount of a resource is none, or is not above 0.
Error wrong_amount(double amount, const std::string& path) {
  if (Error error = check_amount(amount, path); failed(error)) return error;
  return invalid(path, "The amount of a resource is above 0.");
}

bool is_positive(double amount) { return is_amount(amount) && amount > 0; }

Error check_asked(const Samples& samples, WatchRef watch) {
  const std::size_t resources = samples.resources.size();
  if (samples.asked.empty()) return {};
  if (samples.asked.size() != samples.apps.size() * resources)
    return invalid("asked", "What is asked for is an amount of each resource for each app.");
  for (std::size_t app = 0; app < samples.apps.size(); ++app) {
    if (watch.step(2 * resources)) return cancelled();
    const double* asked = &samples.asked[app * resources];
    const auto unknown = std::count_if(asked, asked + resources, [](double amount) { return std::isnan(amount); });
    if (unknown == static_cast<std::ptrdiff_t>(resources)) continue;
    const double* wrong = std::find_if_not(asked, asked + resources, is_positive);
    if (wrong != asked + resources)
      return wrong_amount(*wrong, indexed("asked", app * resources + static_cast<std::size_t>(wrong - asked)));
  }
  return {};
}

Error check_row(const Samples& samples, std::size_t row) {
  const auto path = [&](const char* field) { return indexed("rows", row) + field; };
  const std::size_t resources = samples.resources.size();
  if (samples.row_app[row] >= samples.apps.size()) return invalid(path(".app"), "The app of a row is one of the table's apps.");
  for (std::size_t r = 0; r < resources; ++r) {
    const double amount = samples.row_amounts[row * resources + r];
    if (!is_positive(amount)) return wrong_amount(amount, indexed(path(".amounts").c_str(), r));
  }
  if (samples.row_collocation[row] == 0 || samples.row_collocation[row] > 1'000'000)
    return invalid(path(".collocation"), "A degree of collocation is a whole number from 1 to 1000000.");
  const double value = samples.row_value[row];
  if (samples.measure == SampledMeasure::kPerformance && !(value >= 0 && value <= 1))
    return invalid(path(".value"), "Performance lies in [0, 1].");
  if (samples.measure == SampledMeasure::kLatency && !(value >= 1e-12 && value <= 1e12))
    return invalid(path(".value"), "Latency is above 0 and finite: from 1e-12 to 1e12 ms.");
  return {};
}

/// Two rows of one app and configuration have one value.
Error check_contradictions(const Samples& samples, WatchRef watch) {
  const std::size_t resources = samples.resources.size();
  const auto compared = [&](std::size_t a, std::size_t b) {
    if (samples.row_app[a] != samples.row_app[b]) return samples.row_app[a] < samples.row_app[b] ? -1 : 1;
    if (samples.row_collocation[a] != samples.row_collocation[b])
      return samples.row_collocation[a] < samples.row_collocation[b] ? -1 : 1;
    for (std::size_t r = 0; r < resources; ++r) {
      const double left = samples.row_amounts[a * resources + r];
      const double right = samples.row_amounts[b * resources + r];
      if (left != right) return left < right ? -1 : 1;
    }
    return 0;
  };
  std::vector<std::size_t> order;
  order.reserve(samples.rows());
  while (order.size() < samples.rows() && !watch.step()) order.push_back(order.size());
  watched_sort(order, watch, [&](std::size_t a, std::size_t b) {
    const int sign = compared(a, b);
    return sign != 0 ? sign < 0 : a < b;
  });
  if (watch.ended()) return cancelled();
  std::size_t first = order.size();
  std::size_t before = 0;
  for (std::size_t k = 1; k < order.size(); ++k) {
    if (watch.step(kStepsPerRow)) return cancelled();
    if (compared(order[k - 1], order[k]) == 0 && samples.row_value[order[k - 1]] != samples.row_value[order[k]] &&
        order[k] < first) {
      first = order[k];
      before = order[k - 1];
    }
  }
  if (first == order.size()) return {};
  return invalid(indexed("rows", first) + ".value", "App \"" + samples.apps[samples.row_app[first]] +
                                                        "\" has another value with the same configuration in row " +
                                                        std::to_string(before) + "; keep one of the two, or their mean.");
}

Error check_sizes(const Samples& samples, const SampleLimits& limits) {
  if (samples.measure != SampledMeasure::kPerformance && samples.measure != SampledMeasure::kLatency)
    return invalid("measure", "The measure is performance or latency.");
  if (samples.resources.empty()) return invalid("resources", "A configuration has at least one resource.");
  const auto above = [](std::size_t count, std::size_t most, const char* what) {
    return count > most ? too_large(what, "More than " + std::to_string(most) + " " + what + ".") : Error{};
  };
  for (const Error& error :
       {above(samples.resources.size(), limits.resources, "resources"), above(samples.apps.size(), limits.apps, "apps"),
        above(samples.rows(), limits.rows, "rows"), above(samples.features.size(), limits.features, "features")})
    if (failed(error)) return error;
  const std::size_t rows = samples.rows();
  if (samples.row_amounts.size() != rows * samples.resources.size() || samples.row_collocation.size() != rows ||
      samples.row_value.size() != rows)
    return invalid("rows", "The columns of rows have different lengths.");
  return {};
}

}  // namespace

Error check_samples(const Samples& samples, const SampleLimits& limits, WatchRef watch) {
  if (Error error = check_sizes(samples, limits); failed(error)) return error;
  if (Error error = check_names(samples.resources, "resources", limits, watch); failed(error)) return error;
  if (Error error = check_names(samples.apps, "apps", limits, watch); failed(error)) return error;
  for (std::size_t f = 0; f < samples.features.size(); ++f) {
    if (Error error = check_feature(samples, f, limits); failed(error)) return error;
    if (watch.step(4 * samples.apps.size())) return cancelled();
  }
  if (Error error = check_asked(samples, watch); failed(error)) return error;
  for (std::size_t row = 0; row < samples.rows(); ++row) {
    if (Error error = check_row(samples, row); failed(error)) return error;
    if (watch.step(kStepsPerRow)) return cancelled();
  }
  return check_contradictions(samples, watch);
}

}  // namespace stowage
