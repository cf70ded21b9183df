// Amounts of resources, exactly as the scheduler counts them: whole milli-cores, bytes and pieces.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "capi/k8s/read/json_dom.h"

namespace stowage::k8s {

/// Numbers of resources by name. Those of every cluster come first.
class ResourceNames {
 public:
  static constexpr int kCpu = 0, kMemory = 1, kPods = 2;
  ResourceNames() : names_{"cpu", "memory", "pods"} {}
  int number(std::string_view name);
  /// -1 where nothing has the name.
  [[nodiscard]] int find(std::string_view name) const;
  [[nodiscard]] const std::string& name(int number) const { return names_[static_cast<std::size_t>(number)]; }
  [[nodiscard]] int count() const { return static_cast<int>(names_.size()); }
  [[nodiscard]] bool in_bytes(int number) const;
  /// The unit of an instance's resource.
  [[nodiscard]] std::string unit(int number) const;
  /// An amount as people read it: "1.5 cores", "2 GiB of memory", "1 of nvidia.com/gpu".
  [[nodiscard]] std::string text(int number, std::int64_t amount) const;
  /// In cores, MiB and pieces, as answers in JSON have it.
  [[nodiscard]] double shown(int number, std::int64_t amount) const;

 private:
  std::vector<std::string> names_;
};

/// An amount per resource; resources that are not there have none. Few, so that a list is quick.
class Amounts {
 public:
  [[nodiscard]] std::int64_t get(int resource) const;
  [[nodiscard]] bool has(int resource) const;
  void set(int resource, std::int64_t amount);
  void add(int resource, std::int64_t amount);
  void add(const Amounts& other, std::int64_t times = 1);
  /// At least as much of each as the other has.
  void raise(const Amounts& other);
  void erase(int resource);
  [[nodiscard]] auto begin() const { return list_.begin(); }
  [[nodiscard]] auto end() const { return list_.end(); }
  [[nodiscard]] bool empty() const { return list_.empty(); }
  friend bool operator==(const Amounts&, const Amounts&) = default;

 private:
  std::vector<std::pair<int, std::int64_t>> list_;  ///< by resource
};

/// A quantity such as "1.5Gi", "700m" or "1e3", in thousandths where `milli` says so, else whole, rounded up; none where the
/// text is none.
std::optional<std::int64_t> read_quantity(std::string_view text, bool milli);
/// The same of a value. Fails where it is none.
std::int64_t quantity(At value, bool milli);
/// An object of quantities by resource.
Amounts amounts_of(At list, ResourceNames& names);

/// "1.5" for 1.500, "3" for 3.0: so many digits that count, with a point whatever the locale.
std::string decimal_text(double value, int digits = 6);
/// "16 GiB", "1.5 MiB", "100 bytes".
std::string bytes_text(std::int64_t bytes);

}  // namespace stowage::k8s
