#include "core/predict/usage/history.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <tuple>

#include "core/base/numbers/amounts.h"
#include "core/base/watched.h"

namespace stowage {
namespace {

/// Steps of a watch that it takes to look at a name, or at a pair of samples.
constexpr std::uint64_t kStepsPerUsageName = 64;
constexpr std::uint64_t kStepsPerTimePair = 32;

Error check_usage_names(const std::vector<std::string>& names, const char* list, WatchRef watch) {
  std::set<std::string_view> seen;
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (names[k].empty()) return invalid(indexed(list, k), "must not be empty");
    if (!seen.insert(names[k]).second) return invalid(indexed(list, k), "the name occurs twice");
    if (watch.step(kStepsPerUsageName)) return cancelled();
  }
  return {};
}

Error check_usage_lengths(const UsageHistory& history) {
  const std::size_t samples = history.samples();
  if (history.resources.empty()) return invalid("resources", "there is no resource");
  if (samples == 0) return invalid("app", "there is no sample");
  if (history.time.size() != samples) return invalid("time", "must be as long as there are samples");
  if (history.amount.size() / history.resources.size() != samples || history.amount.size() % history.resources.size() != 0) {
    return invalid("amount", "must be as long as samples x resources");
  }
  if (!history.replica.empty() && history.replica.size() != samples) {
    return invalid("replica", "must be as long as there are samples, or empty");
  }
  if (!history.out_of_memory.empty() && history.out_of_memory.size() != samples) {
    return invalid("out_of_memory", "must be as long as there are samples, or empty");
  }
  return {};
}

/// Refuses two samples of one replica at one time.
Error check_usage_times(const UsageHistory& history, WatchRef watch) {
  if (history.replica.empty()) return {};
  std::vector<std::size_t> order;
  order.reserve(history.samples());
  while (order.size() < history.samples() && !watch.step()) order.push_back(order.size());
  const auto key = [&](std::size_t k) { return std::tuple(history.app[k], history.replica[k], history.time[k]); };
  watched_sort(order, watch, [&](std::size_t a, std::size_t b) { return std::tuple(key(a), a) < std::tuple(key(b), b); });
  for (std::size_t k = 1; k < order.size(); ++k) {
    if (watch.step(kStepsPerTimePair)) return cancelled();
    if (key(order[k - 1]) == key(order[k])) {
      return invalid(indexed("time", order[k]),
                     "the replica has another sample at that time: sample " + std::to_string(order[k - 1]));
    }
  }
  return watch.ended() ? cancelled() : Error{};
}

}  // namespace

Error check_usage(const UsageHistory& history, WatchRef watch) {
  if (Error error = check_usage_names(history.apps, "apps", watch); failed(error)) return error;
  if (Error error = check_usage_names(history.resources, "resources", watch); failed(error)) return error;
  if (Error error = check_usage_lengths(history); failed(error)) return error;
  for (std::size_t k = 0; k < history.samples(); ++k) {
    if (watch.step()) return cancelled();
    if (history.app[k] >= history.apps.size()) return invalid(indexed("app", k), "there is no such app");
    if (!(std::abs(history.time[k]) <= kLargestTime)) return invalid(indexed("time", k), "is not a time within 1e12 seconds");
    if (!history.out_of_memory.empty() && history.out_of_memory[k] > 1) {
      return invalid(indexed("out_of_memory", k), "must be 0 or 1");
    }
  }
  for (std::size_t k = 0; k < history.amount.size(); ++k) {
    if (watch.step()) return cancelled();
    const double amount = history.amount[k];
    if (!std::isnan(amount) && !is_amount(amount)) return check_amount(amount, indexed("amount", k));
  }
  return check_usage_times(history, watch);
}

}  // namespace stowage
