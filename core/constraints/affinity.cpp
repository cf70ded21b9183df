#include "core/constraints/affinity.h"

namespace stowage {

void AffinityProbe::start(AppId app) {
  if (app == app_) return;
  if (spread_) {
    write_row([](std::uint32_t) { return 0u; });
    spread_ = false;
  }
  app_ = app;
  self_limit_ = rows_->self_limit(app);
  degree_ = rows_->degree(app);
  // Spreading costs one pass over the row and another to clean up; a search costs log2(degree) loads that wait for each other.
  constexpr std::uint32_t kEntriesPerSearch = 16;
  searches_left_ = degree_ / kEntriesPerSearch + 1;
}

void AffinityProbe::spread() {
  if (spread_codes_.empty()) spread_codes_.assign(rows_->apps(), 0);
  write_row([](std::uint32_t codes) { return codes; });
  spread_ = true;
}

template <class ValueOf>
void AffinityProbe::write_row(ValueOf&& value_of) {
  const auto write = [&](auto word) {
    const auto* row = rows_->row<decltype(word)>(app_);
    for (std::uint32_t k = 0; k < degree_; ++k) spread_codes_[rows_->id_of(row[k])] = value_of(rows_->codes_of(row[k]));
  };
  if (rows_->wide()) {
    write(std::uint64_t{});
  } else {
    write(std::uint32_t{});
  }
}

}  // namespace stowage
