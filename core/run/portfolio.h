// Runs one request with several seeds, some of them at the same time: the best of several searches is likely to be better than
// one.
//
// The result is the plan of one run. It carries that run's seed, work and pace, so that this run alone repeats it. The winner
// is the plan that is proven optimal after the least work, else the best plan; of equal plans, that of the lowest seed. It
// depends on the number of runs, but not on the number of threads. A run stops once another has proven its plan optimal after
// less work.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/status.h"
#include "core/model/instance.h"
#include "core/plan/objective.h"
#include "core/plan/plan.h"
#include "core/run/request.h"
#include "core/run/run.h"

namespace stowage {

/// A planner that declares this option is run as a portfolio if its value is above 1.
inline constexpr OptionInfo kPortfolioOption = {
    "portfolio",
    "number of searches, with consecutive seeds from the request's; the best plan counts; up to `threads` run at once", 1, 1,
    256};

/// Calls work(k) for all k below `count`, up to `threads` calls at a time. If the system gives fewer threads, those that run
/// make all calls. After a call has thrown, no further one begins; the first exception is rethrown once all have ended.
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
    // The system has no more threads, or no memory for one.
  }
#endif
  take_all();
  for (std::thread& other : others) other.join();
  if (thrown != nullptr) std::rethrow_exception(thrown);
}

/// @param run_one  run_one(seed, k) makes the k-th run, which takes part in the race, and returns a Result<Plan>
/// @param too_late whether a further run would begin after the end of the call; the first one is always made
template <class RunOne, class TooLate>
Result<Plan> run_portfolio(const Instance& instance, const Request& request, std::uint32_t runs, Race& race, RunOne&& run_one,
                           TooLate&& too_late) {
  std::mutex mutex;
  std::optional<Result<Plan>> best;
  PlanKey best_key;  // of a plan that is not optimal
  std::uint32_t best_run = 0;
  const auto goes_before = [&](std::uint32_t k, const Result<Plan>& result, const PlanKey& key) {
    // Errors come from the request, so that all runs have them.
    if (!result.ok() || !best->ok()) return best->ok() || (!result.ok() && k < best_run);
    const Plan& plan = result.value();
    const Plan& known = best->value();
    const bool optimal = plan.status == PlanStatus::kOptimal;
    if (optimal != (known.status == PlanStatus::kOptimal)) return optimal;
    if (optimal && plan.work != known.work) return plan.work < known.work;
    if (!optimal && key < best_key) return true;
    if (!optimal && best_key < key) return false;
    return k < best_run;
  };
  side_by_side(runs, std::max(1u, request.threads), [&](std::uint32_t k) {
    if (k > 0 && too_late()) return;
    Result<Plan> result = run_one(request.seed + k, k);
    const bool optimal = result.ok() && result.value().status == PlanStatus::kOptimal;
    if (optimal) race.finished(result.value().work);
    PlanKey key;
    if (result.ok() && !optimal) key = key_of(instance, result.value(), request.judgement());
    const std::lock_guard<std::mutex> lock(mutex);
    if (best && !goes_before(k, result, key)) return;
    best = std::move(result);
    best_key = std::move(key);
    best_run = k;
  });
  return std::move(*best);
}

}  // namespace stowage
