// Containers of names that come from outside. Their hash has a secret key, drawn when the program starts, so that nobody can
// choose names that collide.
#pragma once

#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace stowage::cli {

/// SipHash-1-3 (Aumasson and Bernstein 2012) of a text.
struct NameHash {
  std::size_t operator()(std::string_view text) const;
};

/// Name is std::string, or std::string_view where the names live elsewhere.
template <class Name, class Value>
using NameMap = std::unordered_map<Name, Value, NameHash>;
template <class Name>
using NameSet = std::unordered_set<Name, NameHash>;

}  // namespace stowage::cli
