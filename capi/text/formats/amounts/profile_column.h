// Amounts over periods, on their way from a text to an instance.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "capi/text/base/failure.h"

namespace stowage::cli {

/// What columns that a text asks for may take where the caller sets no limit: as for loading an instance of so many bytes.
constexpr std::uint64_t default_column_bytes(std::size_t text_size) {
  return (std::uint64_t{1} << 29) + 16 * std::uint64_t{text_size};
}

/// A column of items x resources. It has one entry for each until an amount that changes over the periods is set; from then on,
/// one for each period, too. So what is constant over the periods takes no memory for them.
class ProfileColumn {
 public:
  /// @param budget bytes that are left to all columns of a text; each column takes its bytes off
  /// @param path   of the error where they do not suffice
  ProfileColumn(std::size_t items, std::size_t resources, std::uint32_t periods, std::uint64_t& budget, const std::string& file,
                const char* path)
      : items_(items), resources_(resources), periods_(periods), budget_(budget), file_(file), path_(path) {
    take(1);
    values_.assign(items * resources, 0);
  }

  void set(std::size_t item, std::size_t resource, double value) { std::fill_n(row(item, resource), width_, value); }
  /// @param values one per period, at least one
  void set(std::size_t item, std::size_t resource, const std::vector<double>& values) {
    if (std::all_of(values.begin(), values.end(), [&](double value) { return value == values[0]; })) {
      return set(item, resource, values[0]);
    }
    widen();
    std::copy(values.begin(), values.end(), row(item, resource));
  }
  /// Sets an item's amounts to those of the only item of another column.
  void set(std::size_t item, const ProfileColumn& of_one) {
    if (of_one.width_ > width_) widen();
    for (std::size_t r = 0; r < resources_; ++r) {
      const double* from = of_one.values_.data() + r * of_one.width_;
      if (of_one.width_ == width_) {
        std::copy_n(from, width_, row(item, r));
      } else {
        set(item, r, *from);
      }
    }
  }
  /// The least and the largest amount of a resource over the periods.
  [[nodiscard]] std::pair<double, double> range(std::size_t item, std::size_t resource) const {
    const double* first = values_.data() + (item * resources_ + resource) * width_;
    const auto [least, most] = std::minmax_element(first, first + width_);
    return {*least, *most};
  }
  [[nodiscard]] std::vector<double> values() && { return std::move(values_); }

 private:
  double* row(std::size_t item, std::size_t resource) { return values_.data() + (item * resources_ + resource) * width_; }
  void take(std::uint64_t periods) {
    const std::uint64_t bytes = std::uint64_t{resources_} * periods * sizeof(double);
    if (bytes > 0 && items_ > budget_ / bytes) {
      throw Failure::in(file_, path_, "items x resources x periods take more memory than is allowed", Fault::kSize);
    }
    budget_ -= items_ * bytes;
  }
  void widen() {
    if (width_ == periods_) return;
    take(periods_);
    std::vector<double> wide(values_.size() * periods_);
    for (std::size_t cell = 0; cell < values_.size(); ++cell)
      std::fill_n(wide.data() + cell * periods_, periods_, values_[cell]);
    values_ = std::move(wide);
    width_ = periods_;
  }

  std::size_t items_;
  std::size_t resources_;
  std::uint32_t periods_;
  std::uint64_t& budget_;
  const std::string& file_;
  const char* path_;
  std::size_t width_ = 1;
  std::vector<double> values_;
};

}  // namespace stowage::cli
