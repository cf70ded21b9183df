// Ways from usage to demand, and how each does: learned on a part of the history, planned, and judged on the rest.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "capi/cli/base/console.h"
#include "capi/cli/library/library.h"
#include "capi/lab/usage/histories.h"

namespace stowage::cli::lab::usage {

struct Policy {
  std::string name;
  std::string percentile = "95%";
  std::string half_life = "none";
  std::string peaks = "none";
  std::string margin = "0";
  std::uint32_t periods = 1;
  double confidence = 0;  ///< above 0: plan mean and variance at this confidence
};

/// The policies that are compared: fixed percentiles, Autopilot's and the Vertical Pod Autoscaler's, periods, and confidences.
std::vector<Policy> policies(std::uint32_t periods);

/// Over the part of the history that was not learned from.
struct Verdict {
  std::array<double, kUsageResources> slack{};     ///< share of a replica's demand that it does not use, on average
  std::array<double, kUsageResources> exceeded{};  ///< share of the samples in which a replica uses more than its demand
  std::array<double, kUsageResources> over{};      ///< share of the samples in which a node is asked for more than it has
  std::uint64_t nodes = 0;
  std::uint64_t unplaced = 0;
};

/// Which times are learned from and which judge.
struct Split {
  std::function<bool(std::size_t time)> learn;
  std::function<bool(std::size_t time)> judge;
};

Verdict judge_policy(const Histories& histories, const Split& split, const Policy& policy, const RequestOptions& request,
                     const Console& console);

}  // namespace stowage::cli::lab::usage
