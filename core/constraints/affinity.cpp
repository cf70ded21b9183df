#include "core/constraints/affinity.h"

#include <algorithm>

namespace stowage {

void AffinityProbe::start(AppId app) {
  if (app == app_) return;
  if (spread_) {
    for (std::uint32_t k = 0; k < degree_; ++k) spread_codes_[rows_->neighbour(app_, k).app] = 0;
    spread_ = false;
  }
  app_ = app;
  self_limit_ = rows_->self_limit(app);
  degree_ = rows_->degree(app);
  // Spreading costs about two passes over the row; a search costs about log2(degree) loads, most of them cache misses.
  searches_left_ = std::max(1u, degree_ / 4 + 1);
}

void AffinityProbe::spread() {
  if (spread_codes_.empty()) spread_codes_.assign(rows_->apps(), 0);
  const auto fill = [this](auto word) {
    const auto* row = rows_->row<decltype(word)>(app_);
    for (std::uint32_t k = 0; k < degree_; ++k) spread_codes_[rows_->id_of(row[k])] = rows_->codes_of(row[k]);
  };
  if (rows_->wide()) {
    fill(std::uint64_t{});
  } else {
    fill(std::uint32_t{});
  }
  spread_ = true;
}

}  // namespace stowage
