#include "capi/cli/generate/packing.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "capi/cli/base/console.h"
#include "capi/cli/base/random.h"
#include "capi/text/base/failure.h"

namespace stowage::cli::packing {
namespace {

/// Purpose of the random numbers: this, plus the position of the class.
constexpr std::uint64_t kDrawItems = 401;

using Item = std::vector<std::uint32_t>;

/// Sizes that are uniform and independent in all dimensions.
struct Uniform {
  std::uint32_t low;
  std::uint32_t high;
  std::uint32_t capacity;
};
constexpr std::array<Uniform, 6> kIndependent = {
    {{100, 400, 1000}, {1, 1000, 1000}, {200, 800, 1000}, {50, 200, 1000}, {25, 100, 1000}, {20, 100, 150}}};
constexpr Uniform kFalkenauer = {20, 100, 150};

/// Sizes of triplets: the first, and the least second. They sum up to the capacity.
constexpr std::uint32_t kTripletCapacity = 1000;
constexpr Uniform kNarrowTriplet = {380, 490, kTripletCapacity};
constexpr std::uint32_t kNarrowSecond = 250;
constexpr Uniform kWideTriplet = {250, 490, kTripletCapacity};
constexpr std::uint32_t kWideSecond = 200;

std::size_t position_of(std::string_view word) {
  const std::vector<std::string>& words = class_words();
  return static_cast<std::size_t>(std::find(words.begin(), words.end(), word) - words.begin());
}

std::uint32_t between(std::uint32_t low, std::uint32_t high, Random& random) { return low + random.below(high - low + 1); }

template <class Value>
void shuffle(std::vector<Value>& values, Random& random) {
  for (std::size_t i = values.size(); i > 1; --i) {
    std::swap(values[i - 1], values[random.below(static_cast<std::uint32_t>(i))]);
  }
}

std::vector<std::uint32_t> draw_triplet(const Uniform& first, std::uint32_t least_second, Random& random) {
  const std::uint32_t a = between(first.low, first.high, random);
  const std::uint32_t b = between(least_second, (first.capacity - a) / 2, random);
  return {a, b, first.capacity - a - b};
}

std::vector<Item> draw_uniform(const Options& options, const Uniform& range, Random& random) {
  std::vector<Item> items(options.items, Item(options.dims));
  for (Item& item : items) {
    for (std::uint32_t& size : item) size = between(range.low, range.high, random);
  }
  return items;
}

/// Classes 7 and 8: all sizes of an item are near its first one, or every second size is near 120 less that.
std::vector<Item> draw_correlated(const Options& options, bool against, Random& random) {
  std::vector<Item> items(options.items, Item(options.dims));
  for (Item& item : items) {
    item[0] = between(kFalkenauer.low, kFalkenauer.high, random);
    for (std::size_t h = 1; h < item.size(); ++h) {
      const std::uint32_t centre = against && h % 2 == 1 ? 120 - item[0] : item[0];
      item[h] = between(centre - 10, centre + 10, random);
    }
  }
  return items;
}

/// Classes 9 and 10: in each dimension by itself the items can fill nodes three by three. In class 10 the same three items do
/// so in all dimensions.
std::vector<Item> draw_triplets(const Options& options, const Uniform& first, std::uint32_t least_second, bool together,
                                Random& random) {
  const std::uint32_t triplets = (options.items + 2) / 3;
  std::vector<Item> items(std::size_t{3} * triplets, Item(options.dims));
  for (std::uint32_t h = 0; h < options.dims; ++h) {
    std::vector<std::uint32_t> sizes;
    for (std::uint32_t k = 0; k < triplets; ++k) {
      std::vector<std::uint32_t> triplet = draw_triplet(first, least_second, random);
      shuffle(triplet, random);
      sizes.insert(sizes.end(), triplet.begin(), triplet.end());
    }
    if (!together) shuffle(sizes, random);
    for (std::size_t k = 0; k < items.size(); ++k) items[k][h] = sizes[k];
  }
  shuffle(items, random);
  items.resize(options.items);
  return items;
}

struct Drawn {
  std::vector<Item> items;
  std::uint32_t capacity = 0;
};

Drawn draw_class(const Options& options) {
  const std::size_t position = position_of(options.of);
  Random random(options.seed, kDrawItems + position, (std::uint64_t{options.dims} << 32) | options.items);
  if (options.of == "u") return {draw_uniform(options, kFalkenauer, random), kFalkenauer.capacity};
  if (options.of == "t") return {draw_triplets(options, kNarrowTriplet, kNarrowSecond, true, random), kTripletCapacity};
  const std::size_t number = position - position_of("ct1");
  if (number < kIndependent.size()) {
    return {draw_uniform(options, kIndependent[number], random), kIndependent[number].capacity};
  }
  if (options.of == "ct7" || options.of == "ct8") {
    return {draw_correlated(options, options.of == "ct8", random), kFalkenauer.capacity};
  }
  return {draw_triplets(options, kWideTriplet, kWideSecond, options.of == "ct10", random), kTripletCapacity};
}

void write_item(const Item& item, std::uint32_t replicas, InstanceData& data) {
  data.apps.names.push_back("item-" + std::to_string(data.apps.names.size() + 1));
  data.apps.replicas.push_back(replicas);
  data.apps.demand.insert(data.apps.demand.end(), item.begin(), item.end());
}

}  // namespace

const std::vector<std::string>& class_words() {
  static const std::vector<std::string> kWords = {"u",   "t",   "ct1", "ct2", "ct3", "ct4",
                                                  "ct5", "ct6", "ct7", "ct8", "ct9", "ct10"};
  return kWords;
}

void check_class(std::string_view word, const std::string& option) {
  if (position_of(word) == class_words().size()) {
    throw Failure(option + ": \"" + std::string(word) + "\" is not a class; use u, t, or ct1 to ct10");
  }
}

std::uint32_t usual_dims(std::string_view word) { return word.starts_with("ct") ? 2 : 1; }

InstanceData generate(Options options) {
  if (options.dims == 0) options.dims = usual_dims(options.of);
  if (!options.of.starts_with("ct") && options.dims > 1) throw Failure("--dims: class " + options.of + " has one dimension");
  if (options.of == "t" && options.items % 3 > 0) throw Failure("--items: class t has a multiple of 3");
  const Drawn drawn = draw_class(options);
  InstanceData data;
  data.name = "class " + options.of + ", " + counted(options.items, "item") + ", " + counted(options.dims, "dimension") +
              ", seed " + std::to_string(options.seed);
  NodeClassData node;
  node.name = "node";
  for (std::uint32_t h = 0; h < options.dims; ++h) {
    data.resources.push_back({options.dims == 1 ? "size" : "size-" + std::to_string(h + 1), ""});
    node.capacity.push_back(drawn.capacity);
  }
  data.classes.push_back(std::move(node));
  if (!options.merge) {
    for (const Item& item : drawn.items) write_item(item, 1, data);
    return data;
  }
  std::map<Item, std::uint32_t> counts;
  for (const Item& item : drawn.items) ++counts[item];
  for (const auto& [item, replicas] : counts) write_item(item, replicas, data);
  return data;
}

}  // namespace stowage::cli::packing
