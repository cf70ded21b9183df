#include "core/run/request.h"

#include <algorithm>
#include <cmath>

namespace stowage {

Options::Options(std::span<const OptionInfo> declared, const Request& request) : declared_(declared) {
  for (const OptionInfo& option : declared) {
    const auto given = std::find_if(request.options.begin(), request.options.end(),
                                    [&](const RequestOption& o) { return o.name == option.name; });
    values_.push_back(given == request.options.end() ? option.default_number : given->number);
  }
}

double Options::number(std::string_view name) const {
  for (std::size_t k = 0; k < declared_.size(); ++k) {
    if (declared_[k].name == name) return values_[k];
  }
  return std::nan("");
}

}  // namespace stowage
