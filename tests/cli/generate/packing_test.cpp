// `stowage generate packing`: published packing classes.
#include "capi/cli/generate/packing.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "capi/text/base/failure.h"
#include "tests/cli/test_support.h"

namespace stowage::cli::testing {
namespace {

InstanceData packing_of(const std::string& word, std::uint32_t items, std::uint32_t dims = 0, std::uint64_t seed = 1) {
  return packing::generate({word, items, dims, false, seed});
}

std::uint64_t hash_of_items(const std::string& word, std::uint32_t items, std::uint32_t dims) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  for (const std::uint8_t byte : bytes_of(encode_instance(packing_of(word, items, dims)))) {
    hash = (hash ^ byte) * 0x100000001B3ULL;
  }
  return hash;
}

/// The sizes of all items in one dimension.
std::vector<double> column(const InstanceData& data, std::size_t dim) {
  std::vector<double> sizes;
  for (std::size_t k = dim; k < data.apps.demand.size(); k += data.resources.size()) sizes.push_back(data.apps.demand[k]);
  return sizes;
}

/// Whether the sizes lie in the range and come near both ends.
void expect_range(const std::vector<double>& sizes, double low, double high, const std::string& what) {
  const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
  EXPECT_GE(*least, low) << what;
  EXPECT_LE(*most, high) << what;
  EXPECT_LE(*least, low + 0.05 * (high - low)) << what;
  EXPECT_GE(*most, high - 0.05 * (high - low)) << what;
}

TEST(GeneratePacking, TheSameOptionsGiveTheSameBytesEverywhere) {
  // Pinned. A deliberate change of the generator changes them, and says so in the changelog.
  EXPECT_EQ(hash_of_items("u", 120, 1), 17263888579666201642ULL);
  EXPECT_EQ(hash_of_items("t", 60, 1), 3208854595843015722ULL);
  EXPECT_EQ(hash_of_items("ct8", 120, 10), 9479824632146592643ULL);
  EXPECT_EQ(hash_of_items("ct9", 500, 2), 16355758738806605203ULL);
}

TEST(GeneratePacking, UniformClassesHaveTheirRanges) {
  struct Expected {
    const char* word;
    double low;
    double high;
    double capacity;
  };
  for (const Expected& one : {Expected{"u", 20, 100, 150}, Expected{"ct1", 100, 400, 1000}, Expected{"ct2", 1, 1000, 1000},
                              Expected{"ct3", 200, 800, 1000}, Expected{"ct4", 50, 200, 1000}, Expected{"ct5", 25, 100, 1000},
                              Expected{"ct6", 20, 100, 150}}) {
    const InstanceData data = packing_of(one.word, 500);
    EXPECT_EQ(data.apps.replicas, std::vector<std::uint32_t>(500, 1));
    for (std::size_t dim = 0; dim < data.resources.size(); ++dim) {
      EXPECT_EQ(data.classes[0].capacity[dim], one.capacity);
      expect_range(column(data, dim), one.low, one.high, one.word);
    }
    EXPECT_EQ(data.resources.size(), packing::usual_dims(one.word));
  }
}

TEST(GeneratePacking, CorrelatedClassesFollowTheFirstSize) {
  for (const char* word : {"ct7", "ct8"}) {
    const InstanceData data = packing_of(word, 300, 4);
    const std::vector<double> first = column(data, 0);
    expect_range(first, 20, 100, word);
    for (std::size_t dim = 1; dim < 4; ++dim) {
      const std::vector<double> sizes = column(data, dim);
      const bool against = word == std::string("ct8") && dim % 2 == 1;
      std::set<double> offs;
      for (std::size_t k = 0; k < sizes.size(); ++k) offs.insert(sizes[k] - (against ? 120 - first[k] : first[k]));
      EXPECT_EQ(*offs.begin(), -10) << word;
      EXPECT_EQ(*offs.rbegin(), 10) << word;
    }
  }
}

TEST(GeneratePacking, TripletsFillTheirNodes) {
  for (const char* word : {"t", "ct9", "ct10"}) {
    const InstanceData data = packing_of(word, 60);
    for (std::size_t dim = 0; dim < data.resources.size(); ++dim) {
      const std::vector<double> sizes = column(data, dim);
      EXPECT_EQ(std::accumulate(sizes.begin(), sizes.end(), 0.0), 20 * 1000) << word;
    }
  }
  const std::vector<double> sizes = column(packing_of("t", 249), 0);
  EXPECT_GE(*std::min_element(sizes.begin(), sizes.end()), 250);
  EXPECT_LE(*std::max_element(sizes.begin(), sizes.end()), 490);
  // Of class 10, some three items fill a node in both dimensions.
  const InstanceData data = packing_of("ct10", 12);
  const std::vector<double> a = column(data, 0);
  const std::vector<double> b = column(data, 1);
  int full = 0;
  for (std::size_t i = 0; i < 12; ++i) {
    for (std::size_t j = i + 1; j < 12; ++j) {
      for (std::size_t k = j + 1; k < 12; ++k) {
        if (a[i] + a[j] + a[k] == 1000 && b[i] + b[j] + b[k] == 1000) ++full;
      }
    }
  }
  EXPECT_GE(full, 4);
}

TEST(GeneratePacking, MergesEqualItemsOnRequest) {
  const TemporaryFolder folder;
  const Outcome outcome =
      run({"generate", "packing", "--class", "u", "--items", "500", "--merge", "-o", folder.file("u.json")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.err, " apps with 500 replicas")) << outcome.err;
  const InstanceData merged = packing::generate({"u", 500, 1, true, 1});
  const InstanceData data = packing_of("u", 500);
  EXPECT_LE(merged.apps.replicas.size(), 81U);
  double total = 0;
  for (std::size_t app = 0; app < merged.apps.replicas.size(); ++app) {
    total += merged.apps.replicas[app] * merged.apps.demand[app];
  }
  const std::vector<double> sizes = column(data, 0);
  EXPECT_EQ(total, std::accumulate(sizes.begin(), sizes.end(), 0.0));
}

TEST(GeneratePacking, RefusesWhatIsNotPublished) {
  EXPECT_THROW(packing_of("t", 500), Failure);
  EXPECT_THROW(packing_of("u", 120, 2), Failure);
  EXPECT_TRUE(has(run({"generate", "packing", "--class", "ct11", "--items", "60", "-o", "x.json"}).err,
                  "--class: \"ct11\" is not a class"));
}

}  // namespace
}  // namespace stowage::cli::testing
