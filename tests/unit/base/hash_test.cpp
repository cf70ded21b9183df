#include "core/base/hash.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace stowage {
namespace {

std::uint64_t hash_of(const std::vector<std::uint8_t>& bytes) {
  Hash hash;
  hash.add_column(std::span(bytes));
  return hash.value();
}

// Columns are read in blocks of 32 bytes and a rest: every byte counts, wherever it stands.
TEST(HashTest, EveryByteOfAColumnCounts) {
  for (std::size_t size = 0; size < 100; ++size) {
    std::vector<std::uint8_t> bytes(size, 7);
    std::set<std::uint64_t> seen = {hash_of(bytes)};
    for (std::size_t k = 0; k < size; ++k) {
      bytes[k] = 8;
      EXPECT_TRUE(seen.insert(hash_of(bytes)).second) << "byte " << k << " of " << size;
      bytes[k] = 7;
    }
    bytes.push_back(0);
    EXPECT_TRUE(seen.insert(hash_of(bytes)).second) << "a zero more than " << size;
  }
}

TEST(HashTest, OrderAndLimitsOfColumnsCount) {
  const auto two = [](const std::string& a, const std::string& b) {
    Hash hash;
    hash.add_text(a);
    hash.add_text(b);
    return hash.value();
  };
  EXPECT_NE(two("ab", "c"), two("a", "bc"));
  EXPECT_NE(two("ab", "c"), two("c", "ab"));
  EXPECT_NE(two("", ""), two("", std::string(1, '\0')));
  EXPECT_EQ(two("ab", "c"), two("ab", "c"));
}

TEST(HashTest, WideEntriesAreTheirBytes) {
  const std::vector<double> a = {1, 2, 3, 4, 5};
  std::vector<double> b = a;
  const auto of = [](const std::vector<double>& values) {
    Hash hash;
    hash.add_column(std::span(values));
    return hash.value();
  };
  EXPECT_EQ(of(a), of(b));
  b[4] = 5.000000000000001;
  EXPECT_NE(of(a), of(b));
  std::swap(b[0], b[1]);
  EXPECT_NE(of(a), of(b));
}

}  // namespace
}  // namespace stowage
