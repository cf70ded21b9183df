// Do these parts fit on so many equal devices? Bin packing of few sizes, decided exactly.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace stowage {

/// Parts of one size.
struct EqualParts {
  std::int32_t size;
  std::uint32_t count;
};

/// How long the search may take for one question, and the steps that all questions have taken. Where a question has none, the
/// search may take DevicePacking::kMostSteps.
struct PackingEffort {
  std::uint32_t most;  ///< steps of one search; after these, parts count as not fitting. 0: no search
  std::uint64_t steps = 0;
};

/// The parts that share the devices of one node. First fit decreasing says yes, the bound L2 (Martello and Toth 1990) says no;
/// between the two, bin completion: the largest part that is left gets a device, which is filled in every way that leaves no
/// room for a further part. States that failed are remembered.
class DevicePacking {
 public:
  /// Steps of the search, after which parts count as not fitting. Random nodes of 8 devices take a few hundred at most.
  static constexpr std::uint32_t kMostSteps = 2'000;

  /// @param size of one device, at least 1
  explicit DevicePacking(std::int32_t size) : size_(size) {}

  /// @param size  at least 1
  void add(std::int32_t size, std::uint32_t count);
  /// Whether all parts fit on so many devices.
  [[nodiscard]] bool fit(std::uint64_t devices, PackingEffort* effort = nullptr) const;
  /// How many more parts of a size fit on so many devices, at most `wanted`. 0 where not even the present ones do.
  [[nodiscard]] std::uint32_t more(std::int32_t size, std::uint64_t devices, std::uint32_t wanted,
                                   PackingEffort* effort = nullptr) const;
  /// How many times `each` whole devices can be taken of so many, at most `wanted`. 0 where not even the parts fit.
  [[nodiscard]] std::uint32_t whole(std::uint32_t each, std::uint64_t devices, std::uint32_t wanted,
                                    PackingEffort* effort = nullptr) const;
  /// The number of parts that first fit decreasing leaves over on so many devices.
  [[nodiscard]] std::uint64_t left_over(std::uint64_t devices) const;
  /// No fewer devices hold the parts, each of which is to fit on a device: the bound L2.
  [[nodiscard]] std::uint64_t least_needed() const;
  /// Writes what first fit decreasing leaves free on each of so many devices.
  void free_units(std::uint64_t devices, std::vector<std::int32_t>& free) const;

 private:
  /// So many sizes take no memory of their own.
  static constexpr std::size_t kFew = 24;

  [[nodiscard]] std::span<const EqualParts> parts() const {
    return many_.empty() ? std::span<const EqualParts>(few_.data(), sizes_) : std::span<const EqualParts>(many_);
  }

  std::int32_t size_;
  std::int64_t sum_ = 0;
  std::size_t sizes_ = 0;
  std::array<EqualParts, kFew> few_;  // by falling size
  std::vector<EqualParts> many_;      // in place of few_, once that is full
};

}  // namespace stowage
