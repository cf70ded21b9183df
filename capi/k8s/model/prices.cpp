#include "capi/k8s/model/prices.h"

#include <utility>

#include "capi/k8s/model/types.h"
#include "capi/k8s/read/ranges.h"
#include "capi/text/base/failure.h"

namespace stowage::k8s {
namespace {

constexpr View kStandardPrices =
#include "k8s_prices.inc"
    ;

[[noreturn]] void fail(const std::string& message) { throw cli::Failure("--price: " + message); }

std::map<std::string, double, std::less<>> parse_json(const std::string& text, const std::string& name) {
  Texts texts;
  Dom dom;
  scan_value(text, name, texts, dom);
  std::map<std::string, double, std::less<>> table;
  for (const At one : dom.root().members()) {
    double amount = 0;
    if (!read_price(one.written(), amount))
      fail(name + ": " + std::string(one.key()) + ": " + std::string(one.written()) + " is no price");
    table[std::string(one.key())] = amount;
  }
  return table;
}

/// A JSON object from types to prices, or lines "type,price"; a first line without a number is a heading.
std::map<std::string, double, std::less<>> parse_prices(const std::string& text, const std::string& name) {
  if (const std::size_t first = text.find_first_not_of(" \t\r\n"); first != std::string::npos && text[first] == '{') {
    return parse_json(text, name);
  }
  std::map<std::string, double, std::less<>> table;
  bool first = true;
  for_lines(text, [&](int number, View line) {
    const std::size_t comma = line.rfind(',');
    double amount = 0;
    const std::string where = name + ": line " + std::to_string(number) + ": ";
    if (comma == View::npos) fail(where + "\"" + std::string(line) + "\" is not TYPE,PRICE");
    const bool heading = std::exchange(first, false);
    if (!read_price(line.substr(comma + 1), amount)) {
      if (heading) return;
      fail(where + "\"" + std::string(trimmed(line.substr(comma + 1))) + "\" is no price");
    }
    const std::string type(trimmed(line.substr(0, comma)));
    if (!table.emplace(type, amount).second) fail(where + type + " is there twice");
  });
  if (table.empty()) fail(name + ": there is no price in it");
  return table;
}

}  // namespace

Prices Prices::standard() {
  Prices made;
  made.by_type = parse_prices(std::string(kStandardPrices), "the prices");
  return made;
}

void Prices::set(const std::string& option, const std::string* file) {
  decide = true;
  if (option == "default") return;
  if (file != nullptr) {
    by_type = parse_prices(*file, option);
    return;
  }
  const std::size_t equals = option.rfind('=');
  double amount = 0;
  if (equals == std::string::npos) fail("\"" + option + "\" must be CLASS=AMOUNT, default, or a file");
  if (!read_price(View(option).substr(equals + 1), amount)) fail("\"" + option.substr(equals + 1) + "\" is no price");
  by_class[option.substr(0, equals)] = amount;
}

double Prices::of(const NodeKind& kind) const {
  const std::string type(kind.labels.get(kInstanceType)), zone(kind.labels.get(kZone));
  for (const auto* table : {&by_class, &by_type}) {
    for (const std::string& name :
         {kind.name, type + "/" + zone + (kind.spot ? "/spot" : ""), type + (kind.spot ? "/spot" : ""), type}) {
      const auto found = table->find(name);
      if (found == table->end()) continue;
      const bool on_demand = kind.spot && name == type;
      return on_demand ? found->second * kSpotShare : found->second;
    }
  }
  return -1;
}

double Prices::cost(const std::vector<NodeKind>& kinds, const std::vector<std::int64_t>& counts) const {
  double sum = 0;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    if (counts[k] == 0) continue;
    const double each = of(kinds[k]);
    if (each < 0) return -1;
    sum += static_cast<double>(counts[k]) * each;
  }
  return sum;
}

Prices Prices::for_all(const std::vector<NodeKind>& kinds, const ResourceNames& names) const {
  constexpr double kPerCore = 0.03, kPerGiB = 0.0045, kPerAccelerator = 0.8;
  Prices made = *this;
  made.decide = true;
  if (ranges::all_of(kinds, [&](const NodeKind& one) { return one.fixed() || of(one) >= 0; })) return made;
  made.estimated = true;
  made.by_type.clear();
  made.by_class.clear();
  for (const NodeKind& one : kinds) {
    double sum = kPerCore * static_cast<double>(one.most.get(ResourceNames::kCpu)) / 1000 +
                 kPerGiB * static_cast<double>(one.most.get(ResourceNames::kMemory)) / (1 << 30);
    for (const auto& [resource, amount] : one.most) {
      if (names.name(resource).ends_with("/gpu")) sum += kPerAccelerator * static_cast<double>(amount);
    }
    made.by_class[one.name] = sum;
  }
  return made;
}

void Prices::check(Cluster& of_cluster) const {
  const auto& kinds = of_cluster.kinds;
  for (const auto& entry : by_class) {
    const std::string& name = entry.first;
    const View type = View(name).substr(0, name.find('/'));
    const bool known =
        ranges::any_of(kinds, [&](const NodeKind& one) { return one.name == name || one.labels.get(kInstanceType) == type; });
    std::string all;
    for (const NodeKind& one : kinds) all += (all.empty() ? "" : "; ") + one.name;
    if (!known) fail("there is no class \"" + name + "\"; there are: " + all);
  }
  for (const NodeKind& one : kinds) {
    if (decide && of(one) < 0 && !one.fixed()) fail("there is no price for the class \"" + one.name + "\"");
    const std::string type(one.labels.get(kInstanceType));
    const bool guessed = one.spot && decide && of(one) >= 0 && !by_type.contains(type + "/spot") &&
                         !by_class.contains(type + "/spot") && !by_class.contains(one.name);
    if (guessed) {
      of_cluster.note("spot nodes of " + type + " count " + decimal_text(kSpotShare * 100) +
                      " % of the price on demand; give the price as " + type + "/spot=AMOUNT");
    }
  }
}

}  // namespace stowage::k8s
