// Cuts an instance into shards: shares of its replicas and nodes that can be planned apart from each other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/model/instance.h"
#include "core/run/request.h"
#include "core/run/work_clock.h"

namespace stowage {

/// So many replicas of an app.
struct AppShare {
  AppId app;
  std::uint32_t replicas;
};

/// Sorts by app, and leaves one entry with the sum of the replicas of each.
template <class Entry>
void sum_by_app(std::vector<Entry>& entries) {
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.app < b.app; });
  std::size_t kept = 0;
  for (const Entry& one : entries) {
    if (kept > 0 && entries[kept - 1].app == one.app) {
      entries[kept - 1].replicas += one.replicas;
    } else {
      entries[kept++] = one;
    }
  }
  entries.resize(kept);
}

/// A share of an instance.
struct Share {
  /// As many nodes of a class as needed.
  static constexpr std::uint32_t kEndless = kNone;

  std::vector<AppShare> apps;          ///< by app, each with at least one replica
  std::vector<NodeId> listed;          ///< ascending
  std::vector<std::uint32_t> further;  ///< per class: anonymous nodes
  std::uint32_t node_limit = 0;        ///< 0: none
  bool is_all = false;                 ///< whether this is all of the instance
};

/// Shares whose plans together are a plan of the instance, whatever they are: rules that look at more than one node see all
/// that they look at within one share.
struct Cut {
  std::vector<Share> shares;
  /// Per app: whether a rule that looks at more than one node speaks of it. Empty: none does.
  std::vector<std::uint8_t> wide;
  /// Why there is one share although more were wanted; empty: there are more, or one was wanted.
  std::string whole_because;
};

/// Cuts an instance without running and pinned replicas into `wanted` shares, or into fewer where there is too little to share
/// or a group of apps that has to stay together is too large.
///
/// Apps are dealt whole to shards, the largest first, each to the shard that has least of what the app needs; apps with many
/// replicas are dealt in pieces. Apps stay together, and whole, where a rule asks for one near the other or looks at more than
/// one node, and the apps of an application where it is placed as a whole or not at all. Nodes are dealt class by class.
/// O((apps + shards) x shards x resources). Where the clock ends the run meanwhile, there are no shares.
Cut cut_instance(const Instance& instance, const Request& request, std::uint32_t wanted, WorkClock& clock);

}  // namespace stowage
