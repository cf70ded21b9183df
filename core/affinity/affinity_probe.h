// Headroom by the affinity constraint: beside at least one replica of app i, at most a_ij replicas of app j (P0, section 3.1),
// in both directions, and limits of an app on itself.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/affinity/admission.h"
#include "core/model/instance.h"
#include "core/model/node_contents.h"

namespace stowage {

/// How many more replicas of the app a node with these tenants takes: 0 where a limit is reached or already broken, kNone where
/// nothing limits it.
/// @param self_limit the app's limit on itself, or kNone
/// @param codes_with codes_with(other): codes of LimitRows for the pair (app, other), 0 where they are not neighbours
template <class CodesWith>
std::uint32_t affinity_headroom(const LimitRows& rows, AppId app, std::uint32_t self_limit, std::span<const Tenant> tenants,
                                CodesWith&& codes_with) {
  std::uint32_t limit = self_limit;
  std::uint32_t own = 0;
  for (const Tenant& tenant : tenants) {
    if (tenant.app == app) {
      own = tenant.replicas;
      continue;
    }
    const std::uint32_t codes = codes_with(tenant.app);
    if (codes == 0) continue;
    // Asked from the tenant's side, the two directions change places.
    limit = std::min(limit, most_beside(tenant.replicas, rows.obeys(codes), rows.imposes(codes)));
    if (limit == 0) return 0;
  }
  return room_within(limit, own);
}

/// The same by searching the rows: for questions about one node. O(tenants x log degree).
inline std::uint32_t affinity_headroom(const LimitRows& rows, AppId app, std::span<const Tenant> tenants) {
  if (rows.degree(app) == 0 && rows.self_limit(app) == kNone) return kNone;
  return affinity_headroom(rows, app, rows.self_limit(app), tenants, [&](AppId other) { return rows.find(app, other); });
}

/// Answers for one app at a time, on many nodes in sequence.
///
/// No conflict table per node is kept: a node is a short list of apps, each of which is searched in the app's sorted row of
/// neighbours. After as many searches as cost about the same, the row is expanded into an array indexed by app, and a search
/// becomes one load.
class AffinityProbe {
 public:
  explicit AffinityProbe(const Instance& instance)
      : rows_(&instance.limit_rows()),
        tag_step_(rows_->code_bits() <= kTaggedCodeBits ? std::uint32_t{1} << (2 * rows_->code_bits()) : 0),
        next_tag_(tag_step_) {}

  /// Turns to another app. The array entries of the last one become void because they carry an older tag; where codes leave no
  /// bits for tags, they are cleared by walking its row again.
  /// @param many whether to expand the row at once: for apps that are asked about on many nodes
  void start(AppId app, bool many = false);

  /// affinity_headroom() of the app on a node with these tenants.
  [[nodiscard]] std::uint32_t headroom(std::span<const Tenant> tenants) {
    if (degree_ == 0 && self_limit_ == kNone) return kNone;
    return affinity_headroom(*rows_, app_, self_limit_, tenants, [this](AppId other) { return codes_with(other); });
  }

  /// Most replicas of the app on an otherwise empty node; kNone where nothing limits it.
  [[nodiscard]] std::uint32_t headroom_on_empty() const { return self_limit_; }

 private:
  [[nodiscard]] std::uint32_t codes_with(AppId other) {
    if (degree_ == 0) return 0;
    if (is_expanded_) {
      const std::uint32_t codes = expanded_codes_[other] - tag_;
      return codes < tag_step_ || tag_step_ == 0 ? codes : 0;
    }
    if (--searches_left_ == 0) expand();
    return rows_->find(app_, other);
  }
  void expand();
  /// Writes value_of(codes) for every neighbour of the app into expanded_codes_.
  template <class ValueOf>
  void write_row(ValueOf&& value_of);

  /// Two codes of at most this many bits leave half a word for tags.
  static constexpr std::uint32_t kTaggedCodeBits = 8;

  const LimitRows* rows_;
  std::uint32_t tag_step_;  // tags are its multiples, above the bits of codes; 0: no tags
  std::uint32_t next_tag_;
  std::uint32_t tag_ = 0;
  AppId app_ = kNone;
  std::uint32_t self_limit_ = kNone;
  std::uint32_t degree_ = 0;
  std::uint32_t searches_left_ = 0;
  bool is_expanded_ = false;
  std::vector<std::uint32_t> expanded_codes_;
};

}  // namespace stowage
