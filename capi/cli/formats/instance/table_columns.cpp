#include "capi/cli/formats/instance/table_columns.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "capi/text/base/json_text.h"

namespace stowage::cli {
namespace {

// A table is about apps or about classes of nodes, so that either is its name.
constexpr std::array<std::string_view, 9> kNames = {"app",  "app_name",      "application", "service",   "workload",
                                                    "type", "instance_type", "node_class",  "class_name"};
// Where no column has one of these, the first one with one of these.
constexpr std::array<std::string_view, 5> kOtherNames = {"size", "machine", "server", "machine_type", "node_type"};
constexpr std::array<std::string_view, 17> kReplicaWords = {"replicas",  "replica_count",   "number_of_replicas",
                                                            "instances", "instance_count",  "number_of_instances",
                                                            "count",     "no_of_instances", "qty",
                                                            "quantity",  "number",          "copies",
                                                            "pods",      "pod_count",       "anzahl",
                                                            "instanzen", "anzahl_instanzen"};
constexpr std::array<std::string_view, 4> kPriceParts = {"price", "cost", "preis", "kosten"};
// What has such a part and is no price of a node.
constexpr std::array<std::string_view, 9> kNoPriceParts = {"centre",   "center",  "stelle",   "per_gb", "per_gib",
                                                           "per_core", "per_cpu", "per_vcpu", "pro_gb"};
constexpr std::array<std::string_view, 5> kCurrencyWords = {"eur", "euro", "usd", "dollar", "chf"};
constexpr std::array<std::string_view, 18> kAroundCurrencies = {"per",  "pro",  "month",  "monat",  "mo",     "monthly",
                                                                "hour", "hr",   "h",      "hourly", "stunde", "std",
                                                                "year", "jahr", "yearly", "a",      "in",     "monatlich"};
constexpr std::array<std::string_view, 14> kResourceWords = {
    "cpu",     "memory",    "gpu",  "gpus", "disk", "disks", "disk_size", "storage", "ephemeral_storage",
    "network", "bandwidth", "iops", "ssd",  "hdd"};
// Units of what no node has an amount of.
constexpr std::array<std::string_view, 12> kOtherUnits = {"",  "percent", "ms",   "s",     "sec",    "min",
                                                          "h", "hours",   "days", "years", "months", "minutes"};
// Units as the last word of a header, as quantities write them.
constexpr std::array<std::string_view, 18> kUnitWords = {"kB",  "MB", "GB", "TB", "PB", "KiB",  "MiB",  "GiB",    "TiB",
                                                         "PiB", "Ki", "Mi", "Gi", "Ti", "Gbps", "Mbps", "Gbit/s", "Mbit/s"};

template <class Words>
bool has_word(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

char small(char letter) { return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter; }

std::string lowered(std::string_view text) {
  std::string word(text);
  std::transform(word.begin(), word.end(), word.begin(), small);
  return word;
}

void trim_bars(std::string& word) {
  while (word.ends_with('_')) word.pop_back();
  while (word.starts_with('_')) word.erase(0, 1);
}

/// "Max per node", "max-per-node" and "max_per_node" are the same.
std::string plain(std::string_view header) {
  std::string word = lowered(header);
  std::replace_if(
      word.begin(), word.end(), [](char one) { return one == ' ' || one == '-'; }, '_');
  trim_bars(word);
  return word;
}

/// The same without any punctuation, so that "No. of instances" is "no_of_instances"; signs of currencies are words.
std::string compared(std::string_view header) {
  std::string word;
  for (std::size_t k = 0; k < header.size(); ++k) {
    const char letter = small(header[k]);
    const bool is_letter = (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || (letter & 0x80) != 0;
    if (letter == '$') {
      word += "_usd_";
    } else if (header.substr(k).starts_with("\xE2\x82\xAC")) {
      word += "_eur_";
      k += 2;
    } else {
      word += is_letter ? letter : '_';
    }
  }
  word.erase(std::unique(word.begin(), word.end(), [](char a, char b) { return a == '_' && b == '_'; }), word.end());
  trim_bars(word);
  return word;
}

/// Whether a header is an amount of money: "EUR", "USD per month", "Monthly (EUR)".
bool is_currency(std::string_view text) {
  std::string rest = compared(text);
  bool has_currency = false;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('_'), rest.size());
    const std::string word = rest.substr(0, end);
    rest.erase(0, std::min(end + 1, rest.size()));
    if (has_word(kCurrencyWords, word)) {
      has_currency = true;
    } else if (!has_word(kAroundCurrencies, word)) {
      return false;
    }
  }
  return has_currency;
}

bool is_price(const TableColumn& column) {
  const std::string word = compared(column.header);
  const auto is_part = [&](std::string_view part) { return word.find(part) != std::string::npos; };
  if (std::any_of(kNoPriceParts.begin(), kNoPriceParts.end(), is_part)) return false;
  return std::any_of(kPriceParts.begin(), kPriceParts.end(), is_part) || is_currency(column.header) || is_currency(column.unit);
}

/// The unit as quantities write it: "GB" for "gb".
std::string unit_of_word(const std::string& word) {
  const auto same = [&](std::string_view one) { return lowered(one) == lowered(word); };
  const auto found = std::find_if(kUnitWords.begin(), kUnitWords.end(), same);
  return found == kUnitWords.end() ? "" : std::string(*found);
}

/// A header without brackets as its name and its unit: "RAM in GB", "Memory GiB", "memory_gb", "CPU cores".
std::pair<std::string, std::string> parted(std::string_view header) {
  std::string name(header);
  while (name.ends_with(' ')) name.pop_back();
  const std::size_t end = name.find_last_of(" _");
  if (end == std::string::npos || end == 0) return {name, ""};
  const std::string last = name.substr(end + 1);
  const std::string before = name.substr(0, end);
  const std::string unit = unit_of_word(last);
  if (lowered(before).ends_with(" in")) return {before.substr(0, before.size() - 3), unit.empty() ? last : unit};
  const std::string resource = meaning_of_column(plain(before));
  if (resource == "cpu" && meaning_of_column(plain(last)) == "cpu") return {before, last};
  // "io_mb" may be a name of its own.
  const bool is_unit = !unit.empty() && (name[end] == ' ' || has_word(kResourceWords, resource));
  return is_unit ? std::pair(before, unit) : std::pair(name, std::string());
}

}  // namespace

TableColumn column_of(const std::string& header) {
  TableColumn column{.header = header};
  const std::size_t open = header.find_first_of("([");
  if (open == std::string::npos) {
    auto [name, unit] = parted(header);
    column.meaning = meaning_of_column(plain(name));
    column.unit = std::move(unit);
    return column;
  }
  column.meaning = meaning_of_column(plain(header.substr(0, open)));
  const std::size_t close = header.find_first_of(")]", open);
  if (close != std::string::npos) column.unit = header.substr(open + 1, close - open - 1);
  return column;
}

std::string meaning_of_column(std::string_view word) {
  if (has_word(kNames, word)) return "name";
  const std::string_view ours = our_word(word);
  return std::string(ours.empty() ? word : ours);
}

std::vector<TableColumn> columns_of(const std::vector<std::string>& headers, TableOf about) {
  std::vector<TableColumn> columns;
  columns.reserve(headers.size());
  for (const std::string& header : headers) columns.push_back(column_of(header));
  const auto lacks = [&](std::string_view meaning) {
    return std::none_of(columns.begin(), columns.end(), [&](const TableColumn& one) { return one.meaning == meaning; });
  };
  const auto word_of = [](const TableColumn& one) { return compared(one.header.substr(0, one.header.find_first_of("(["))); };
  if ((about == TableOf::kApps || about == TableOf::kRunning) && lacks("replicas")) {
    for (TableColumn& one : columns) {
      if (has_word(kReplicaWords, word_of(one))) one.meaning = "replicas";
    }
  }
  if (about != TableOf::kRunning && lacks("name")) {
    const auto found = std::find_if(columns.begin(), columns.end(),
                                    [&](const TableColumn& one) { return has_word(kOtherNames, word_of(one)); });
    if (found != columns.end()) found->meaning = "name";
  }
  if ((about == TableOf::kClasses || about == TableOf::kPrices) && lacks("price")) {
    for (TableColumn& one : columns) {
      if (is_price(one)) one.meaning = "price";
    }
  }
  return columns;
}

bool is_surely_resource(const TableColumn& column) {
  if (has_word(kResourceWords, column.meaning)) return true;
  return !has_word(kOtherUnits, compared(column.unit)) && !is_currency(column.unit);
}

bool may_be_class(std::string_view header) {
  constexpr std::array<std::string_view, 4> kWords = {"type", "instance_type", "node_class", "class_name"};
  return has_word(kWords, plain(header));
}

bool looks_numeric(std::string_view cell) {
  const std::size_t sign = cell.find_first_not_of(" +-.,$");
  if (sign == std::string_view::npos) return false;
  if (cell.substr(sign).starts_with("\xE2\x82\xAC")) return looks_numeric(cell.substr(sign + 3));
  return cell[sign] >= '0' && cell[sign] <= '9';
}

}  // namespace stowage::cli
