#include "core/predict/tables/profile_table.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/numbers/quantile.h"
#include "core/base/watched.h"
#include "core/predict/linear/elementary.h"

namespace stowage {
namespace {

constexpr double kEdge = 0.03;
/// Steps of a watch that it takes to put a value into the table.
constexpr std::uint64_t kStepsPerValue = 64;

bool before(const SampledConfiguration& a, std::span<const double> amounts, std::uint32_t collocation) {
  for (std::size_t r = 0; r < amounts.size(); ++r)
    if (a.amounts[r] != amounts[r]) return a.amounts[r] < amounts[r];
  return a.collocation < collocation;
}

std::span<const double> amounts_of(const Samples& samples, std::size_t row) {
  const std::size_t resources = samples.resources.size();
  return {&samples.row_amounts[row * resources], resources};
}

}  // namespace

double to_scale(SampledMeasure measure, double value) {
  if (measure == SampledMeasure::kLatency) return -natural_log(value);
  return natural_log((value + kEdge) / (1 - value + kEdge));
}

double from_scale(SampledMeasure measure, double place) {
  if (measure == SampledMeasure::kLatency) return natural_exp(-place);
  const double odds = natural_exp(place);
  return std::clamp((odds * (1 + kEdge) - kEdge) / (1 + odds), 0.0, 1.0);
}

double steepness(SampledMeasure measure, double value) {
  if (measure == SampledMeasure::kLatency) return 1;
  constexpr double kShare = 0.03;
  return (to_scale(measure, std::min(1.0, value * (1 + kShare))) - to_scale(measure, value * (1 - kShare))) / (2 * kShare);
}

std::size_t ProfileTable::find(std::span<const double> amounts, std::uint32_t collocation) const {
  const auto at = std::partition_point(configurations.begin(), configurations.end(),
                                       [&](const SampledConfiguration& c) { return before(c, amounts, collocation); });
  const bool found = at != configurations.end() && at->collocation == collocation &&
                     std::equal(amounts.begin(), amounts.end(), at->amounts.begin());
  return found ? static_cast<std::size_t>(at - configurations.begin()) : kNowhere;
}

Samples thinned(const Samples& profiles, WatchRef watch) {
  std::vector<char> measured(profiles.apps.size(), 0);
  for (const std::uint32_t app : profiles.row_app) {
    if (watch.step()) return {};
    measured[app] = 1;
  }
  std::vector<std::size_t> kept;
  for (std::size_t app = 0; app < measured.size(); ++app)
    if (measured[app] != 0) kept.push_back(app);
  if (kept.size() > kMostProfiledApps) {
    std::vector<std::size_t> fewer;
    for (std::size_t k = 0; k < kMostProfiledApps; ++k) fewer.push_back(kept[k * kept.size() / kMostProfiledApps]);
    kept = std::move(fewer);
  }
  Samples result;
  result.measure = profiles.measure;
  result.resources = profiles.resources;
  std::vector<std::size_t> place(profiles.apps.size(), kNowhere);
  for (const SampleFeature& feature : profiles.features) result.features.push_back({feature.name, {}, {}});
  for (const std::size_t app : kept) {
    place[app] = result.apps.size();
    result.apps.push_back(profiles.apps[app]);
    for (std::size_t f = 0; f < profiles.features.size(); ++f) {
      const SampleFeature& feature = profiles.features[f];
      if (!feature.numbers.empty()) result.features[f].numbers.push_back(feature.numbers[app]);
      if (!feature.words.empty()) result.features[f].words.push_back(feature.words[app]);
    }
  }
  std::size_t rows = 0;
  for (std::size_t row = 0; row < profiles.rows() && !watch.step(); ++row)
    rows += place[profiles.row_app[row]] == kNowhere ? 0 : 1;
  result.row_app.reserve(rows);
  result.row_amounts.reserve(rows * profiles.resources.size());
  result.row_collocation.reserve(rows);
  result.row_value.reserve(rows);
  for (std::size_t row = 0; row < profiles.rows(); ++row) {
    if (watch.step(2 * profiles.resources.size())) return result;
    if (place[profiles.row_app[row]] == kNowhere) continue;
    result.row_app.push_back(static_cast<std::uint32_t>(place[profiles.row_app[row]]));
    const std::span<const double> amounts = amounts_of(profiles, row);
    result.row_amounts.insert(result.row_amounts.end(), amounts.begin(), amounts.end());
    result.row_collocation.push_back(profiles.row_collocation[row]);
    result.row_value.push_back(profiles.row_value[row]);
  }
  return result;
}

std::vector<SampledConfiguration> configurations_of(const Samples& profiles, WatchRef watch) {
  const auto less = [&](std::size_t a, std::size_t b) {
    const std::span<const double> left = amounts_of(profiles, a);
    const std::span<const double> right = amounts_of(profiles, b);
    for (std::size_t r = 0; r < left.size(); ++r)
      if (left[r] != right[r]) return left[r] < right[r];
    return profiles.row_collocation[a] < profiles.row_collocation[b];
  };
  // Sorts rows, and leaves one of each configuration.
  const auto thin_out = [&](std::vector<std::size_t>& rows) {
    watched_sort(rows, watch, less);
    if (watch.ended()) return;
    rows.erase(std::unique(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) { return !less(a, b); }), rows.end());
  };
  // Many rows have the same few configurations: pieces leave few of them to sort.
  std::vector<std::size_t> distinct;
  std::vector<std::size_t> piece;
  for (std::size_t row = 0; row < profiles.rows();) {
    piece.clear();
    while (piece.size() < kWatchedPiece && row < profiles.rows()) piece.push_back(row++);
    if (watch.step(piece.size() * profiles.resources.size())) return {};
    thin_out(piece);
    distinct.insert(distinct.end(), piece.begin(), piece.end());
  }
  thin_out(distinct);
  std::vector<SampledConfiguration> configurations;
  configurations.reserve(distinct.size());
  for (const std::size_t row : distinct) {
    if (watch.step(kStepsPerValue)) return configurations;
    const std::span<const double> amounts = amounts_of(profiles, row);
    configurations.push_back({{amounts.begin(), amounts.end()}, profiles.row_collocation[row]});
  }
  return configurations;
}

ProfileTable tabulated(const Samples& profiles, std::vector<SampledConfiguration> configurations, WatchRef watch) {
  ProfileTable table;
  table.measure = profiles.measure;
  table.resources = profiles.resources;
  table.configurations = std::move(configurations);
  table.features = profiles.features;
  table.apps = profiles.apps.size();
  const std::size_t size = table.configurations.size();
  table.place.assign(table.apps * size, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t row = 0; row < profiles.rows(); ++row) {
    if (watch.step(kStepsPerValue)) return table;
    const std::size_t c = table.find(amounts_of(profiles, row), profiles.row_collocation[row]);
    table.place[profiles.row_app[row] * size + c] = to_scale(table.measure, profiles.row_value[row]);
  }
  return table;
}

}  // namespace stowage
