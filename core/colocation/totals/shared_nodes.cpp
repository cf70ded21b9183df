// Proof sketch of the upper bounds. The sum does not change if all k grow by a factor, so the greatest k is 1: for each group
// in turn, the others are in [0, 1]. Within a box of k, (1) a share is largest where its own k is largest and the others are
// least; (2) by the mean value theorem, the sum exceeds that at the middle by at most half the width times the largest slope in
// each direction. A box is divided where that matters most. Own.

#include "core/colocation/totals/shared_nodes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace stowage {
namespace {

constexpr double kSteep = std::numeric_limits<double>::infinity();

struct ShareBox {
  double most = 0;
  std::uint64_t rank = 0;    // in the order of their making
  std::uint32_t widest = 0;  // the group whose range matters most
  GroupVector low{};
  GroupVector high{};
};

class ShareBoxes {
 public:
  ShareBoxes(const ScaledKinds& kinds, std::span<const double> worth) : kinds_(kinds), worth_(worth), best_{0, 0, {}} {
    best_.share.assign(kinds.groups, 0);
    for (std::uint32_t first = 0; first < kinds.groups; ++first) {
      ShareBox box;
      for (std::uint32_t g = 0; g < kinds.groups; ++g) {
        box.low[g] = g == first ? 1 : 0;
        box.high[g] = 1;
      }
      open(box);
    }
  }

  SharedNode run(double close, std::uint32_t boxes, WorkClock& clock) {
    for (std::uint32_t k = 0; k < boxes && !open_.empty(); ++k) {
      if (clock.stop() != Stop::kNo || open_.front().most <= best_.value * (1 + close) || clock.step(1)) break;
      std::pop_heap(open_.begin(), open_.end(), less);
      const ShareBox box = open_.back();
      open_.pop_back();
      const double low = box.low[box.widest];
      const double high = box.high[box.widest];
      const double middle = low > 0 ? std::sqrt(low * high) : high / 8;
      for (const bool below : {true, false}) {
        ShareBox part = box;
        (below ? part.high : part.low)[box.widest] = middle;
        open(part);
      }
    }
    best_.most = std::max(best_.value, open_.empty() ? 0 : open_.front().most) * (1 + 1e-13);
    return best_;
  }

 private:
  // By what they hold at most, then by rank, so that all standard libraries agree.
  static bool less(const ShareBox& a, const ShareBox& b) { return a.most != b.most ? a.most < b.most : a.rank > b.rank; }

  // What the others do to group u.
  [[nodiscard]] double harm(std::uint32_t u, const GroupVector& k) const {
    double sum = 0;
    for (std::uint32_t t = 0; t < kinds_.groups; ++t) sum += t == u ? 0 : kinds_.suffers(t, u) * k[t];
    return sum;
  }
  [[nodiscard]] static double share(double k, double harm) { return k > 0 ? k / (k + harm) : 0; }

  // Tries the middle of a box, bounds the box, and keeps it unless it holds nothing better.
  void open(ShareBox& box) {
    const std::uint32_t groups = kinds_.groups;
    GroupVector middle{};
    for (std::uint32_t g = 0; g < groups; ++g)
      middle[g] = box.low[g] > 0 ? std::sqrt(box.low[g] * box.high[g]) : box.high[g] > 1e-4 ? box.high[g] / 8 : 0;
    GroupVector harm_low{};
    GroupVector harm_high{};
    double value = 0;
    double most = 0;
    double loosest = -1;
    for (std::uint32_t u = 0; u < groups; ++u) {
      harm_low[u] = harm(u, box.low);
      harm_high[u] = harm(u, box.high);
      value += worth_[u] * share(middle[u], harm(u, middle));
      // Within a box with k = 0 and no harm, the share is anything up to 1.
      const double top = box.high[u] > 0 ? share(box.high[u], harm_low[u]) : 0;
      most += worth_[u] * top;
    }
    if (value > best_.value) {
      best_.value = value;
      for (std::uint32_t u = 0; u < groups; ++u) best_.share[u] = share(middle[u], harm(u, middle));
    }
    double by_slope = value;
    for (std::uint32_t v = 0; v < groups; ++v) {
      const double slope = steepest(box, v, harm_low, harm_high);
      const double gain = slope * std::max(box.high[v] - middle[v], middle[v] - box.low[v]);
      if (box.high[v] > box.low[v]) by_slope += gain;
      // Infinite slopes: the widest range, relative to its end.
      const double loose = box.high[v] <= box.low[v] ? -1 : gain < most ? gain : most * (2 - box.low[v] / box.high[v]);
      if (loose <= loosest) continue;
      loosest = loose;
      box.widest = v;
    }
    box.most = std::min(most, by_slope);
    if (loosest < 0 || box.most <= best_.value) return;
    box.rank = ++ranks_;
    open_.push_back(box);
    std::push_heap(open_.begin(), open_.end(), less);
  }

  // The largest absolute slope of the sum in direction v within a box.
  [[nodiscard]] double steepest(const ShareBox& box, std::uint32_t v, const GroupVector& harm_low,
                                const GroupVector& harm_high) const {
    const double own_low = box.low[v] + harm_low[v];
    const double own_high = box.high[v] + harm_high[v];
    double up_low = worth_[v] * harm_low[v] / (own_high * own_high);
    double up_high = own_low > 0 ? worth_[v] * harm_high[v] / (own_low * own_low) : harm_high[v] > 0 ? kSteep : 0;
    for (std::uint32_t u = 0; u < kinds_.groups; ++u) {
      if (u == v || kinds_.suffers(v, u) <= 0 || worth_[u] <= 0) continue;
      const double low = box.low[u] + harm_low[u];
      const double high = box.high[u] + harm_high[u];
      up_high -= worth_[u] * kinds_.suffers(v, u) * box.low[u] / (high * high);
      up_low -= low > 0 ? worth_[u] * kinds_.suffers(v, u) * box.high[u] / (low * low) : kSteep;
    }
    return std::max(std::abs(up_low), std::abs(up_high));
  }

  const ScaledKinds& kinds_;
  std::span<const double> worth_;
  SharedNode best_;
  std::vector<ShareBox> open_;  // a heap, largest bound first
  std::uint64_t ranks_ = 0;
};

}  // namespace

SharedNode best_shared_node(const ScaledKinds& kinds, std::span<const double> worth, double close, std::uint32_t boxes,
                            WorkClock& clock) {
  return ShareBoxes(kinds, worth).run(close, boxes, clock);
}

}  // namespace stowage
