#include "core/base/status.h"

namespace stowage {

std::string indexed(const char* vector, std::size_t index) { return std::string(vector) + "[" + std::to_string(index) + "]"; }

}  // namespace stowage
