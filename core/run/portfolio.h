// Runs of one request by different seeds, side by side: a search that is one of many is more likely to end well.
//
// The result is that of one of these runs, whose seed, work and pace the plan carries: that run alone repeats it. Which run
// that is depends on how many there are, but not on how many run at once: the plan that is proven optimal after least work,
// else the best one, of equals that of the lowest seed. A run stops where another has proven its plan optimal after less work.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "core/base/status.h"
#include "core/model/instance.h"
#include "core/plan/objective.h"
#include "core/plan/plan.h"
#include "core/plan/request.h"
#include "core/run/run.h"

namespace stowage {

/// Planners that declare it are run as a portfolio where it is above 1.
inline constexpr OptionInfo kPortfolioOption = {
    "portfolio",
    "searches by so many seeds, from the request's on, and the best plan counts; as many at once as there are threads", 1, 1,
    256};

/// Calls work(k) for all k below `count`, `threads` at a time. Where no (further) thread can be had, those that run do it all.
/// What a call throws comes out once all have ended; after that no further one begins.
template <class Work>
void side_by_side(std::uint32_t count, std::uint32_t threads, Work&& work) {
  std::atomic<std::uint32_t> next{0};
  std::mutex mutex;
  std::exception_ptr thrown;
  const auto take_all = [&] {
    for (std::uint32_t k = next++; k < count; k = next++) {
      try {
        work(k);
      } catch (...) {
        const std::lock_guard<std::mutex> lock(mutex);
        if (thrown == nullptr) thrown = std::current_exception();
        next = count;
      }
    }
  };
  std::vector<std::thread> others;
  others.reserve(std::min(count, threads));
#ifndef __EMSCRIPTEN__
  try {
    while (others.size() + 1 < std::min(count, threads)) others.emplace_back(take_all);
  } catch (const std::exception&) {
    // The system gives no more of them, or no memory for one.
  }
#endif
  take_all();
  for (std::thread& other : others) other.join();
  if (thrown != nullptr) std::rethrow_exception(thrown);
}

/// @param run_one run_one(seed, k): the k-th run, which takes part in the race, as a Result<Plan>
template <class RunOne>
Result<Plan> run_portfolio(const Instance& instance, const Request& request, std::uint32_t runs, Race& race, RunOne&& run_one) {
  std::mutex mutex;
  std::optional<Result<Plan>> best;
  std::uint32_t of = 0;
  const auto goes_before = [&](std::uint32_t k, const Result<Plan>& result) {
    // An error is one of the request: all runs have it.
    if (!result.ok() || !best->ok()) return best->ok() || (!result.ok() && k < of);
    const Plan& plan = result.value();
    const Plan& known = best->value();
    const bool optimal = plan.status == PlanStatus::kOptimal;
    if (optimal != (known.status == PlanStatus::kOptimal)) return optimal;
    if (optimal && plan.work != known.work) return plan.work < known.work;
    if (!optimal && better_plan(instance, plan, known)) return true;
    if (!optimal && better_plan(instance, known, plan)) return false;
    return k < of;
  };
  side_by_side(runs, std::max(1u, request.threads), [&](std::uint32_t k) {
    Result<Plan> result = run_one(request.seed + k, k);
    if (result.ok() && result.value().status == PlanStatus::kOptimal) race.finished(result.value().work);
    const std::lock_guard<std::mutex> lock(mutex);
    if (best && !goes_before(k, result)) return;
    best = std::move(result);
    of = k;
  });
  return std::move(*best);
}

}  // namespace stowage
