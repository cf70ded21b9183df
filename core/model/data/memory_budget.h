// How much memory an instance may take beyond what was given for it.
#pragma once

#include <cstdint>

#include "core/base/status.h"
#include "core/model/data/instance_data.h"

namespace stowage {

/// Bytes of the columns and texts of the data.
std::uint64_t bytes_of(const InstanceData& data);

/// Limits::max_memory where the caller gives none, for data of so many bytes.
constexpr std::uint64_t default_memory(std::uint64_t bytes) { return (std::uint64_t{1} << 29) + 16 * bytes; }

/// What the numbers of a node and of an app take, per resource and period: demand in units; load, load with daemons, and what
/// the node holds at the start.
inline constexpr std::uint64_t kAppCellBytes = 4;
inline constexpr std::uint64_t kNodeCellBytes = 16;

/// What is left of Limits::max_memory. A few bytes can stand for much: a number of periods, or one table that many others refer
/// to. So everything that may outgrow the data is taken off before it is allocated. Where making a table takes more time than
/// writing it, it counts for more than its bytes; so the budget keeps the time of loading in proportion, too.
class MemoryBudget {
 public:
  MemoryBudget(const InstanceData& data, const Limits& limits);

  /// Takes off `count` times `bytes`. Errors: kLimitExceeded with this path.
  Error take(std::uint64_t count, std::uint64_t bytes, const char* path) {
    if (bytes == 0 || count <= left_ / bytes) {
      left_ -= count * bytes;
      return {};
    }
    return too_large(path, "this takes more memory than max_memory allows");
  }

 private:
  std::uint64_t left_;
};

}  // namespace stowage
