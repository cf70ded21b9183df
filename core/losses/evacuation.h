// Where replicas of lost nodes find a place on what remains, while all others stay where they are.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/watch.h"
#include "core/losses/loss.h"
#include "core/model/instance.h"
#include "core/placement/node_ranking.h"
#include "core/placement/placement.h"
#include "core/plan/plan.h"

namespace stowage {

/// A cluster from which domains are lost, one after the other; after each question it is as before.
template <class Unit>
class Evacuation {
 public:
  /// Puts further nodes into service while a domain is lost.
  class Supplier {
   public:
    Supplier() = default;
    Supplier(const Supplier&) = delete;
    Supplier& operator=(const Supplier&) = delete;
    Supplier(Supplier&&) = delete;
    Supplier& operator=(Supplier&&) = delete;
    virtual ~Supplier() = default;
    /// A node that takes at least one replica of the app, and that put_in_service() was called for; kNone: there is none.
    /// @param rest demand of everything that is still without a place, dims() entries
    virtual NodeId supply(AppId app, std::uint32_t replicas, std::span<const double> rest) = 0;
  };

  /// @param only_planned true: listed nodes that the plan does not use are out of service
  /// @param watch        ends it: the cluster may lack nodes and replicas, and answers mean nothing
  Evacuation(const Instance& instance, const Plan& plan, bool only_planned, WatchRef watch = {});

  [[nodiscard]] Placement<Unit>& placement() { return placement_; }
  [[nodiscard]] std::uint32_t nodes() const { return placement_.nodes(); }
  [[nodiscard]] bool in_service(NodeId node) const { return node < gone_.size() && (gone_[node] & kOut) == 0; }
  [[nodiscard]] bool closed(NodeId node) const {
    const auto& closed = instance_.data().closed;
    return node < closed.size() && closed[node] != 0;
  }
  /// The nodes in service with each value of the label's key, by value; where the key is empty, each node by itself.
  [[nodiscard]] std::vector<Domain> domains(std::string_view key) const;
  /// Asks what becomes of the replicas of a domain.
  /// Where the watch has ended, the answer is empty, and replicas may be missing from then on: nobody uses the placement.
  /// @param supplier null, or what provides nodes for those that have no place; these nodes stay in service
  Loss lose(Domain domain, Supplier* supplier = nullptr);

  /// An empty node that was just opened, or that was or is out of service, becomes a place.
  void put_in_service(NodeId node);
  /// An empty node is no place any more.
  void take_out(NodeId node) { gone_[node] |= kOut; }

 private:
  static constexpr std::uint8_t kLost = 1;
  static constexpr std::uint8_t kOut = 2;
  /// Replicas that are to be placed anew.
  struct Lost {
    AppId app;
    std::uint32_t replicas;
    std::uint32_t pinned;  ///< among them, without another place
    double size;           ///< largest share of the largest node
  };
  using Seats = std::vector<Loss::Entry>;

  /// Adds a node in service to the places.
  void rank(NodeId node);
  std::vector<Lost> take_away(const Domain& domain, Seats& before);
  void find_shortage(const Domain& domain, const std::vector<Lost>& lost, Loss& loss) const;
  /// Places what can be placed. Returns what is left per entry of `lost`.
  std::vector<std::uint32_t> place(const std::vector<Lost>& lost, const std::vector<std::size_t>& order, Seats& seats);
  void place_app(AppId app, std::uint32_t& left, Seats& seats);
  void place_on_supplies(AppId app, std::uint32_t& left, Seats& seats);
  void find_rest(const std::vector<Lost>& lost, const std::vector<std::uint32_t>& left);
  /// Takes back seats whose hard rules miss their minimum.
  void withdraw(const std::vector<Lost>& lost, std::vector<std::uint32_t>& left, Seats& seats);
  void take_back(const Seats& seats);
  /// The watch counts what placing or removing replicas takes. Returns whether it has ended.
  [[nodiscard]] bool ends_at_seat() const;
  [[nodiscard]] double fullness(NodeId node) const;

  const Instance& instance_;
  Placement<Unit> placement_;
  typename Placement<Unit>::Candidate candidate_;
  std::uint32_t columns_;
  NodeRanking<Unit> ranking_;
  NodeRanking<Unit> now_;             // the ranking while a domain is lost
  std::vector<std::uint8_t> gone_;    // per node
  std::vector<std::uint8_t> ranked_;  // per node: whether the ranking has it
  std::vector<double> free_;          // per node and dim, as far as it is above 0; 0 where nothing may come
  std::vector<double> total_free_;
  WatchRef watch_;
  Supplier* supplier_ = nullptr;
  std::vector<double> rest_;  // per dim: what is to be placed by the supplier's nodes
};

extern template class Evacuation<std::int16_t>;
extern template class Evacuation<std::int32_t>;

}  // namespace stowage
