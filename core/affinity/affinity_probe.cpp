#include "core/affinity/affinity_probe.h"

namespace stowage {

void AffinityProbe::start(AppId app, bool many) {
  if (app == app_) return;
  if (is_expanded_ && next_tag_ == 0) write_row([](std::uint32_t) { return 0u; });
  is_expanded_ = false;
  app_ = app;
  self_limit_ = rows_->self_limit(app);
  degree_ = rows_->degree(app);
  // Entries are written independently of each other; the log2(degree) loads of a search wait for each other.
  constexpr std::uint32_t kEntriesPerSearch = 16;
  searches_left_ = degree_ / kEntriesPerSearch + 1;
  if (many && degree_ > 0) expand();
}

void AffinityProbe::expand() {
  const bool tags_restart = tag_step_ != 0 && next_tag_ == tag_step_;
  if (expanded_codes_.empty() || tags_restart) expanded_codes_.assign(rows_->apps(), 0);
  tag_ = next_tag_;
  write_row([tag = tag_](std::uint32_t codes) { return tag | codes; });
  next_tag_ += tag_step_;
  if (next_tag_ == 0) next_tag_ = tag_step_;
  is_expanded_ = true;
}

template <class ValueOf>
void AffinityProbe::write_row(ValueOf&& value_of) {
  const auto write = [&](auto word) {
    // Copies of what the loop needs, which its writes might otherwise change.
    const auto* row = rows_->row<decltype(word)>(app_);
    const std::uint32_t shift = 2 * rows_->code_bits();
    const auto mask = (decltype(word){1} << shift) - 1;
    std::uint32_t* codes = expanded_codes_.data();
    const std::uint32_t degree = degree_;
    for (std::uint32_t k = 0; k < degree; ++k) codes[row[k] >> shift] = value_of(static_cast<std::uint32_t>(row[k] & mask));
  };
  if (rows_->wide()) {
    write(std::uint64_t{});
  } else {
    write(std::uint32_t{});
  }
}

}  // namespace stowage
