// Shared by the fuzz targets: limits that keep a run small, calls that check every status, and an oracle for plans.
#pragma once

#include <stowage.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "instance_generated.h"
#include "plan_generated.h"
#include "request_generated.h"

namespace stowage::fuzz {

/// Ends the process with a message, so that the fuzzer keeps the input.
[[noreturn]] void defect(const char* file, int line, const std::string& message);

#define FUZZ_REQUIRE(condition, message) \
  ((condition) ? static_cast<void>(0) : ::stowage::fuzz::defect(__FILE__, __LINE__, std::string(#condition ": ") + (message)))

using Bytes = std::vector<std::uint8_t>;

/// Numbers and choices drawn from the input. Once the input is used up, all draws are 0.
class Source {
 public:
  Source(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  std::uint8_t byte() { return at_ < size_ ? data_[at_++] : std::uint8_t{0}; }
  /// From 0 to `end` - 1; `end` is at most 2^16.
  std::uint32_t below(std::uint32_t end) {
    const std::uint32_t value = end <= 256 ? byte() : byte() | static_cast<std::uint32_t>(byte()) << 8;
    return value % end;
  }
  /// True about once in `end` draws of random bytes; false once the input is used up.
  bool once_in(std::uint32_t end) { return below(end) == end - 1; }
  template <class Value>
  Value pick(std::initializer_list<Value> values) {
    return values.begin()[below(static_cast<std::uint32_t>(values.size()))];
  }
  [[nodiscard]] bool empty() const { return at_ == size_; }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
  std::size_t at_ = 0;
};

/// A loaded instance. Owns the handle.
class Loaded {
 public:
  explicit Loaded(stowage_instance* handle) : handle_(handle) {}
  Loaded(Loaded&& other) noexcept : handle_(other.handle_) { other.handle_ = nullptr; }
  Loaded& operator=(Loaded&&) = delete;
  Loaded(const Loaded&) = delete;
  Loaded& operator=(const Loaded&) = delete;
  ~Loaded() { stowage_instance_free(handle_); }
  [[nodiscard]] const stowage_instance* get() const { return handle_; }

 private:
  stowage_instance* handle_;
};

/// Requires that a failed call returns one of the `allowed` statuses and a message.
void require_status(stowage_status status, const stowage_error& error, std::initializer_list<stowage_status> allowed);

/// Loads with small limits; nothing where the library refuses, for which it must return a status for bad input.
std::optional<Loaded> load(const std::uint8_t* data, std::size_t size);

struct RequestData {
  std::string planner = "ff";
  std::uint64_t seed = 0;
  std::uint64_t work_limit = 0;
  std::uint32_t threads = 1;
  std::uint32_t node_limit = 0;
  bool ignore_running = false;
  std::uint32_t move_budget = 0;
  bool all_or_nothing = false;
  bool compact = false;
  wire::SoftPolicy soft = wire::SoftPolicy::First;
  double soft_price = 0;
  bool fill = false;
  wire::Objective objective = wire::Objective::Nodes;
  double max_cost = 0;
  std::vector<std::pair<std::string, double>> options{};
  std::vector<wire::Kept> keep{};
  std::string survive{};
  std::string leave_free{};
  std::vector<wire::GoalKind> goals{};  ///< one after the other, without more
  std::string goal_words{};             ///< a goal after these; "" = none
};
Bytes encode(const RequestData& request);

/// Plans, and requires that the plan passes verify and the oracle. Nothing where the library refuses the request, with a status
/// other than INTERNAL.
std::optional<Buffer> plan(const Loaded& instance, const wire::Instance& wire, const RequestData& request);

/// Requires that the call succeeds.
void require_bounds(const Loaded& instance);
void require_explanation(const Loaded& instance, const Buffer& plan, std::uint32_t app);
/// Asks for the order of a valid plan's moves and requires that it leads from what runs to the plan.
void require_move_order(const Loaded& instance, const Buffer& plan);
/// Asks for an app's headroom on the nodes of a valid plan and requires a report that does not contradict itself.
void require_headroom(const Loaded& instance, const Buffer& plan, std::uint32_t app);

/// Whether verify accepts the plan; nothing where it refuses the bytes. Requires that its report is consistent.
std::optional<bool> verified(const Loaded& instance, const std::uint8_t* plan, std::size_t size);

/// An independent oracle, written plainly and for small instances: the first constraint that the plan breaks, and that the
/// start does not already break; empty where there is none.
std::string first_violation(const wire::Instance& instance, const wire::Plan& plan);

/// The number of copies of a node of a plan, and the total over all nodes.
std::uint32_t copies_of(const wire::Plan& plan, std::uint32_t node);
std::uint64_t nodes_in_use(const wire::Plan& plan);

/// Names of all planners of the catalogue.
const std::vector<std::string>& planner_names();

/// A small instance that uses every feature the planners honour: two classes with prices, listed nodes with load, a closed
/// one, running and pinned replicas, periods, limits, priorities. Node 2 is overloaded and breaks a limit from the start.
Bytes busy_instance();

}  // namespace stowage::fuzz
