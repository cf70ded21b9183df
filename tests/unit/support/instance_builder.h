// Builds instances in a few lines, for tests.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/model/instance.h"

namespace stowage::test {

/// Collects an instance piece by piece. It checks nothing, so that tests can also build data that Instance::build refuses.
/// Fields without a function here are set in data().
class InstanceBuilder {
 public:
  explicit InstanceBuilder(const std::vector<std::string>& resources = {"cpu"}, std::uint32_t periods = 1) {
    for (const std::string& name : resources) data_.resources.push_back({name, ""});
    data_.periods = periods;
  }

  /// @param demand one entry per resource, or resources x periods; the apps of an instance may differ in this
  AppId add_app(std::string name, std::uint32_t replicas, std::vector<double> demand) {
    data_.app_names.push_back(std::move(name));
    data_.replicas.push_back(replicas);
    demand_.push_back(std::move(demand));
    return static_cast<AppId>(data_.replicas.size() - 1);
  }
  /// @param count 0 = as many as needed
  /// @param price negative = not given
  ClassId add_class(std::vector<double> capacity, std::uint32_t count = 0, double price = -1) {
    NodeClass node_class;
    node_class.name = "class-" + std::to_string(data_.classes.size());
    node_class.capacity = std::move(capacity);
    node_class.count = count;
    node_class.price = price;
    data_.classes.push_back(std::move(node_class));
    return static_cast<ClassId>(data_.classes.size() - 1);
  }
  /// Adds a listed node.
  /// @param load like `demand` of add_app(); empty: none
  NodeId add_node(ClassId node_class, std::vector<double> load = {}) {
    data_.node_class.push_back(node_class);
    load_.push_back(std::move(load));
    closed_.push_back(0);
    return static_cast<NodeId>(data_.node_class.size() - 1);
  }

  /// Beside a replica of `beside`, at most `at_most` replicas of `app`. The same app twice: a self limit.
  InstanceBuilder& limit(AppId beside, AppId app, std::uint32_t at_most) {
    limits_.push_back({beside, app, at_most});
    return *this;
  }
  /// Changes the value of an existing limit.
  InstanceBuilder& change_limit(AppId beside, AppId app, std::uint32_t at_most) {
    for (LimitEntry& entry : limits_) {
      if (entry.beside == beside && entry.app == app) entry.at_most = at_most;
    }
    return *this;
  }
  InstanceBuilder& running(AppId app, NodeId node, std::uint32_t replicas) {
    data_.running.push_back({app, node, replicas});
    return *this;
  }
  InstanceBuilder& pin(AppId app, NodeId node, std::uint32_t replicas) {
    data_.pinned.push_back({app, node, replicas});
    return *this;
  }
  InstanceBuilder& close(NodeId node, bool closed = true) {
    closed_.at(node) = closed ? 1 : 0;
    return *this;
  }
  InstanceBuilder& priority(AppId app, std::int32_t value) {
    data_.priority.resize(data_.replicas.size(), 0);
    data_.priority.at(app) = value;
    return *this;
  }
  /// All other fields. build() overwrites demand, load, closed nodes and limits.
  InstanceData& data() { return data_; }

  [[nodiscard]] Result<Instance> build(const Limits& limits = {}) const {
    InstanceData data = data_;
    if (!data.priority.empty()) data.priority.resize(data.replicas.size(), 0);
    data.demand = column(demand_);
    if (any_given(load_)) data.load = column(load_);
    for (const std::uint8_t closed : closed_) {
      if (closed != 0) data.closed = closed_;
    }
    std::vector<std::uint32_t> row_begin;
    std::vector<std::uint32_t> app;
    std::vector<std::uint32_t> at_most;
    if (!limits_.empty()) {
      row_begin.push_back(0);
      for (AppId row = 0; row < data.replicas.size(); ++row) {
        for (const LimitEntry& entry : limits_) {
          if (entry.beside != row) continue;
          app.push_back(entry.app);
          at_most.push_back(entry.at_most);
        }
        row_begin.push_back(static_cast<std::uint32_t>(app.size()));
      }
      data.limits = {row_begin, app, at_most};
    }
    return Instance::build(std::move(data), limits);
  }

  /// Builds a valid instance. If Instance::build refuses it, throws its message, which fails the test.
  [[nodiscard]] Instance must_build(const Limits& limits = {}) const {
    auto result = build(limits);
    if (!result) throw std::invalid_argument(result.error().path + ": " + result.error().message);
    return std::move(result.value());
  }

 private:
  struct LimitEntry {
    AppId beside;
    AppId app;
    std::uint32_t at_most;
  };

  [[nodiscard]] static bool any_given(const std::vector<std::vector<double>>& rows) {
    for (const auto& row : rows) {
      if (!row.empty()) return true;
    }
    return false;
  }
  // If a row has an entry per period, rows with one entry per resource are repeated over the periods.
  [[nodiscard]] std::vector<double> column(const std::vector<std::vector<double>>& rows) const {
    const std::size_t width = data_.resources.size();
    std::size_t repeat = 1;
    for (const auto& row : rows) {
      if (row.size() == width * data_.periods) repeat = data_.periods;
    }
    std::vector<double> result;
    for (std::vector<double> row : rows) {
      if (row.empty()) row.assign(width, 0);
      for (const double value : row) result.insert(result.end(), row.size() == width ? repeat : 1, value);
    }
    return result;
  }

  InstanceData data_;
  std::vector<std::vector<double>> demand_;
  std::vector<std::vector<double>> load_;
  std::vector<std::uint8_t> closed_;
  std::vector<LimitEntry> limits_;
};

}  // namespace stowage::test
