#include "core/base/status.h"

namespace stowage {

std::string indexed(const char* vector, std::size_t index) { return std::string(vector) + "[" + std::to_string(index) + "]"; }

std::string listed(std::span<const std::string> names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace stowage
