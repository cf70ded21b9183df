// Sets of nodes with the same value of a label, such as racks: which of them a plan uses, how few it can do with, and instances
// that keep out of some of them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/bounds/bounds.h"
#include "core/model/instance.h"
#include "core/plan/plan.h"

namespace stowage {

/// The values of a label's key in the order of the first nodes that have them, classes last. A node may have several of them or
/// none; a node without one belongs to no domain. Views the instance, which has to live as long.
class Domains {
 public:
  Domains(const Instance& instance, std::string_view key);

  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(names_.size()); }
  [[nodiscard]] std::string_view name(std::uint32_t domain) const { return names_[domain]; }
  /// The domains of a listed node or, where `listed` is kNone, of an anonymous node of the class.
  [[nodiscard]] std::span<const std::uint32_t> of(NodeId listed, ClassId node_class) const {
    return listed == kNone ? row(of_class_, node_class) : row(of_listed_, listed);
  }

 private:
  static std::span<const std::uint32_t> row(const IndexRows& rows, std::uint32_t k) {
    return std::span(rows.index).subspan(rows.begin[k], rows.begin[k + 1] - rows.begin[k]);
  }
  std::vector<std::string_view> names_;
  IndexRows of_listed_;
  IndexRows of_class_;
};

/// Per domain: whether a node of it is in use: holds a replica, or carries load.
std::vector<std::uint8_t> used_domains(const Instance& instance, const Domains& domains, const Plan& plan);
/// Their number.
std::uint32_t domains_in_use(const Instance& instance, const Domains& domains, const Plan& plan);

/// What a domain can hold, and what holds on to it.
struct DomainRoom {
  std::vector<std::int64_t> carries;  ///< per dimension: most that its nodes carry, at most the total demand
  /// Replicas that run there and have to move before it is free. Those of a node in several domains count in one of them.
  std::uint64_t running = 0;
  bool mandatory = false;  ///< in use in every complete plan
};

/// The rooms of all domains, and that of the nodes without one.
struct DomainRooms {
  std::vector<DomainRoom> of;
  std::vector<std::int64_t> elsewhere;  ///< per dimension
  std::vector<std::int64_t> demand;     ///< per dimension: least demand of all replicas

  DomainRooms(const Instance& instance, const Supply& supply, const Domains& domains);
  /// Whether these domains, and the nodes without one, carry the demand in sum.
  [[nodiscard]] bool suffice(std::span<const std::uint8_t> kept) const;
};

/// A lower bound on the domains that a complete plan has in use. Proof: it uses all mandatory ones; the largest others have to
/// carry the demand, resource by resource; and replicas leave at most as many domains as `moves` allows, the emptiest first.
std::uint32_t domain_bound(const DomainRooms& rooms, std::uint64_t moves);

/// The instance without nodes in domains that are not kept: these are closed, and what runs there does not run any more, so
/// that its replicas are placed like new ones. No mandatory domain may be given up.
struct WithoutDomains {
  Instance instance;
  std::vector<ClassId> class_of;  ///< per class of the instance: the class of the original; those without nodes are left out
};
/// Nothing: no node would be left.
std::optional<WithoutDomains> without_domains(const Instance& instance, const Domains& domains,
                                              std::span<const std::uint8_t> kept);

}  // namespace stowage
