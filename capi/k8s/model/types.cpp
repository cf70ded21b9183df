#include "capi/k8s/model/types.h"

#include <algorithm>

#include "capi/k8s/read/ranges.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/quantities.h"

namespace stowage::k8s {
namespace {

/// What nodes take where a table does not say it: the default of the kubelet.
constexpr std::int64_t kPods = 110;

std::vector<View> split(View line, char mark) {
  std::vector<View> all;
  for (;;) {
    const std::size_t end = line.find(mark);
    all.push_back(trimmed(line.substr(0, end)));
    if (end == View::npos) return all;
    line.remove_prefix(end + 1);
  }
}

class TypeTable {
 public:
  TypeTable(const std::string& file, Objects& to, Prices& prices) : file_(file), to_(to), prices_(prices) {}

  void line(int number, View text) {
    number_ = number;
    const std::vector<View> cells = split(text, ',');
    if (columns_.empty()) return head(cells);
    if (cells.size() > columns_.size()) fail("there are more values than columns");
    NodeType made;
    made.amounts.set(ResourceNames::kPods, kPods);
    for (std::size_t k = 0; k < cells.size(); ++k) {
      if (!cells[k].empty()) cell(columns_[k], cells[k], made);
    }
    if (made.name.empty()) fail("a type has no name");
    if (ranges::any_of(to_.types, [&](const NodeType& one) { return one.name == made.name; }))
      fail(std::string(made.name) + " is there twice");
    if (price_ >= 0) prices_.by_type[std::string(made.name)] = price_;
    price_ = -1;
    to_.types.push_back(std::move(made));
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw cli::Failure("-types: " + file_ + ": line " + std::to_string(number_) + ": " + message);
  }

  void head(const std::vector<View>& cells) {
    columns_ = cells;
    for (const View needed : {View("type"), View("cpu"), View("memory")}) {
      if (ranges::find(columns_, needed) == columns_.end())
        fail("the first line names the columns, of which " + std::string(needed) + " is missing");
    }
  }

  void cell(View column, View value, NodeType& to) {
    if (column == "type") {
      to.name = value;
    } else if (column == "zones") {
      to.zones = split(value, ' ');
      std::erase(to.zones, View());
    } else if (column == "arch") {
      to.arch = value;
    } else if (column == "price") {
      if (!read_price(value, price_)) fail("\"" + std::string(value) + "\" is no price");
    } else {
      const int resource = column == "most" ? -1 : to_.resources.number(column);
      const auto amount = read_quantity(value, resource == ResourceNames::kCpu);
      if (!amount) fail("\"" + std::string(value) + "\" is no quantity, as of " + std::string(column));
      if (resource < 0) {
        to.most = *amount;
      } else {
        to.amounts.set(resource, *amount);
      }
    }
  }

  const std::string& file_;
  Objects& to_;
  Prices& prices_;
  std::vector<View> columns_;
  int number_ = 0;
  double price_ = -1;
};

/// The zones of nodes that pods may be on, each with its region.
std::map<View, View> zones_of(const Cluster& of) {
  std::map<View, View> all;
  for (const NodeKind& one : of.kinds) {
    if (!one.fixed()) all.emplace(one.labels.get(kZone), one.labels.get(kRegion));
  }
  if (all.size() > 1) all.erase(View());
  return all;
}

}  // namespace

View trimmed(View text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

void for_lines(View text, const std::function<void(int number, View line)>& visit) {
  int number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const View line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(text.size(), end + 1));
    ++number;
    if (!line.empty() && line.front() != '#') visit(number, line);
  }
}

bool read_price(View text, double& amount) {
  const auto number = cli::parse_number(trimmed(text));
  if (!number || *number < 0) return false;
  amount = *number;
  return true;
}

void read_types(View text, const std::string& file, Objects& to, Prices& prices) {
  TypeTable table(file, to, prices);
  for_lines(text, [&](int number, View line) { table.line(number, line); });
  if (to.types.empty()) throw cli::Failure("-types: " + file + ": there is no type in it");
}

void add_types(Cluster& to) {
  const std::map<View, View> present = zones_of(to);
  const auto like = ranges::find_if(to.kinds, [](const NodeKind& one) { return !one.fixed(); });
  const View arch = like == to.kinds.end() ? View() : like->labels.get("kubernetes.io/arch");
  const bool grow = ranges::any_of(to.kinds, &NodeKind::grows);
  for (const NodeType& type : to.from.types) {
    std::map<View, View> zones = present;
    if (!type.zones.empty()) {
      zones.clear();
      for (const View zone : type.zones) zones[zone] = present.contains(zone) ? present.at(zone) : View();
    }
    for (const auto& [zone, region] : zones) {
      const bool known = ranges::any_of(to.kinds, [&, zone = zone](const NodeKind& one) {
        return one.labels.get(kInstanceType) == type.name && one.labels.get(kZone) == zone && one.taints.empty() && !one.spot;
      });
      if (known) continue;
      NodeKind made{{}, {}, {}, type.amounts, type.amounts};
      made.labels.add(kInstanceType, type.name);
      if (!zone.empty()) made.labels.add(kZone, zone);
      if (!region.empty()) made.labels.add(kRegion, region);
      if (const View its = type.arch.empty() ? arch : type.arch; !its.empty()) made.labels.add("kubernetes.io/arch", its);
      made.labels.add("kubernetes.io/os", "linux");
      made.grows = grow;
      made.room = type.most;
      to.kinds.push_back(std::move(made));
    }
  }
}

}  // namespace stowage::k8s
