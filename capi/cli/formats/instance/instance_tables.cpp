#include "capi/cli/formats/instance/instance_tables.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "capi/cli/base/files.h"
#include "capi/cli/base/text/csv.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/json_text.h"
#include "capi/text/base/quantities.h"
#include "capi/text/formats/instance_json.h"

namespace stowage::cli {
namespace {

/// "Max per node", "max-per-node" and "max_per_node" are the same.
std::string plain(std::string_view header) {
  std::string word;
  for (const char letter : header) {
    if (letter >= 'A' && letter <= 'Z') {
      word += static_cast<char>(letter - 'A' + 'a');
    } else {
      word += letter == ' ' || letter == '-' ? '_' : letter;
    }
  }
  while (word.ends_with('_')) word.pop_back();
  while (word.starts_with('_')) word.erase(0, 1);
  return word;
}

/// Our word for a column.
std::string meaning_of(const std::string& word) {
  // A table is about apps or about classes of nodes, so that either is its name.
  constexpr std::array<std::string_view, 9> kNames = {"app",  "app_name",      "application", "service",   "workload",
                                                      "type", "instance_type", "node_class",  "class_name"};
  if (std::find(kNames.begin(), kNames.end(), word) != kNames.end()) return "name";
  const std::string_view ours = our_word(word);
  return ours.empty() ? word : std::string(ours);
}

struct Column {
  std::string header;
  std::string meaning;
  std::string unit;  // in brackets behind the name; empty: none
};

Column column_of(const std::string& header) {
  const std::size_t open = header.find_first_of("([");
  Column column{header, meaning_of(plain(header.substr(0, open))), {}};
  if (open == std::string::npos) return column;
  const std::size_t close = header.find_first_of(")]", open);
  if (close != std::string::npos) column.unit = header.substr(open + 1, close - open - 1);
  return column;
}

char separator_of(std::string_view text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  const auto times = [&](char one) { return std::count(line.begin(), line.end(), one); };
  return times('\t') > 0 ? '\t' : times(';') > times(',') ? ';' : ',';
}

struct Table {
  std::string file;
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;
  std::vector<std::size_t> lines;  // of the rows, counted from 1

  [[nodiscard]] bool has(std::string_view meaning) const {
    return std::any_of(columns.begin(), columns.end(), [&](const Column& one) { return one.meaning == meaning; });
  }
};

Table read_table(std::string_view text, const std::string& file) {
  const char separator = separator_of(text);
  CsvTable csv(text, file, "name, replicas and the resources", separator);
  Table table{file, {}, {}, {}};
  for (const std::string& header : csv.header()) {
    table.columns.push_back(column_of(header));
    for (std::size_t k = 0; k + 1 < table.columns.size(); ++k) {
      if (table.columns[k].meaning == table.columns.back().meaning) {
        csv.fail("\"" + table.columns[k].header + "\" and \"" + header + "\" mean the same");
      }
    }
  }
  while (csv.next()) {
    table.rows.push_back(csv.fields());
    table.lines.push_back(csv.line());
    if (separator != ';') continue;
    // Spreadsheets that separate fields by semicolons write decimals behind a comma.
    for (std::string& cell : table.rows.back()) {
      if (std::count(cell.begin(), cell.end(), ',') != 1 || cell.find('.') != std::string::npos) continue;
      std::string number = cell;
      std::replace(number.begin(), number.end(), ',', '.');
      if (parse_number(number)) cell = number;
    }
  }
  return table;
}

/// The words of a cell, which spaces, commas, semicolons or bars separate.
std::vector<std::string> words_of(const std::string& cell) {
  std::vector<std::string> words(1);
  for (const char letter : cell) {
    if (std::string_view(" ,;|").find(letter) == std::string_view::npos) {
      words.back() += letter;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

/// Writes tables as the JSON of an instance, whose reader knows what values may be.
class TableWriter {
 public:
  TableWriter(const Table& apps, const Table* classes, const GivenNodes& given) : apps_(apps), classes_(classes) {
    if (classes == nullptr) {
      for (const std::string& part : split_fields(*given.node, ',')) {
        resources_[meaning_of(plain(part.substr(0, part.find('='))))];
      }
    } else {
      for (const Column& one : classes->columns) {
        if (!is_of_class(one.meaning) && apps.has(one.meaning)) resources_[one.meaning] = one.unit;
      }
    }
    for (auto& [name, unit] : resources_) {
      if (unit.empty()) unit = unit_of(name);
    }
    if (resources_.empty()) {
      throw Failure(apps.file + ": has no column of a resource that " + (classes == nullptr ? "--node" : classes->file) +
                    " has, too (such as cpu or memory)");
    }
  }

  std::string write(const Table* running) {
    json_.begin_object().key("stowage").whole(1).key("resources").begin_object();
    for (const auto& [name, unit] : resources_) json_.key(name).text(unit);
    json_.end_object().key("classes").begin_array();
    for (std::size_t row = 0; classes_ != nullptr && row < classes_->rows.size(); ++row) write_row(*classes_, row, "capacity");
    json_.end_array().key("apps").begin_array();
    for (std::size_t row = 0; row < apps_.rows.size(); ++row) write_row(apps_, row, "demand");
    json_.end_array();
    if (running != nullptr) write_nodes(*running);
    json_.end_object();
    return std::move(text_);
  }

  /// The columns of a table that have no meaning.
  [[nodiscard]] std::string unused(const Table& table, bool of_classes) const {
    std::string list;
    for (const Column& one : table.columns) {
      const bool known = of_classes ? is_of_class(one.meaning) : is_of_app(one.meaning);
      if (!known && !resource_of(one.meaning)) list += (list.empty() ? "" : ", ") + one.header;
    }
    return list;
  }

 private:
  static bool is_of_class(std::string_view meaning) {
    constexpr std::array<std::string_view, 4> kKeys = {"name", "count", "price", "labels"};
    return std::find(kKeys.begin(), kKeys.end(), meaning) != kKeys.end();
  }
  static bool is_of_app(std::string_view meaning) {
    constexpr std::array<std::string_view, 9> kKeys = {"name", "replicas", "priority", "weight", "max_per_node",
                                                       "tags", "only",     "not",      "limits"};
    return std::find(kKeys.begin(), kKeys.end(), meaning) != kKeys.end();
  }
  // The resource of a column such as "cpu" or "cpu_deviation", with what is behind its name.
  [[nodiscard]] std::optional<std::pair<std::string, std::string>> resource_of(const std::string& meaning) const {
    for (const char* behind : {"", "_deviation", "_variance"}) {
      if (!meaning.ends_with(behind)) continue;
      std::string name = meaning_of(meaning.substr(0, meaning.size() - std::string_view(behind).size()));
      if (resources_.contains(name)) return std::pair(std::move(name), std::string(behind));
    }
    return std::nullopt;
  }
  // Where the header has no unit. "4Gi" has a meaning in bytes; plain numbers of memory are in GiB as often as not, but the
  // same in both tables.
  [[nodiscard]] std::string unit_of(const std::string& name) const {
    if (name == "cpu") return "cores";
    for (const Table* table : {&apps_, classes_}) {
      for (std::size_t k = 0; table != nullptr && k < table->columns.size(); ++k) {
        if (table->columns[k].meaning != name) continue;
        const auto in_bytes = [&](const auto& row) { return !parse_number(row[k]) && parse_quantity(row[k], "GiB"); };
        if (std::any_of(table->rows.begin(), table->rows.end(), in_bytes)) return "GiB";
      }
    }
    return name == "memory" ? "GiB" : "";
  }

  void write_row(const Table& table, std::size_t row, const char* amounts) {
    json_.begin_object();
    for (std::size_t k = 0; k < table.columns.size(); ++k) {
      const Column& column = table.columns[k];
      const std::string& cell = table.rows[row][k];
      const bool known = &table == &apps_ ? is_of_app(column.meaning) : is_of_class(column.meaning);
      if (!cell.empty() && known) write_cell(column.meaning, cell);
    }
    for (const auto& [key, behind] : std::array<std::pair<const char*, const char*>, 3>{
             {{amounts, ""}, {"deviation", "_deviation"}, {"variance", "_variance"}}}) {
      if (key != amounts && &table != &apps_) continue;
      bool any = false;
      for (std::size_t k = 0; k < table.columns.size(); ++k) {
        const auto of = resource_of(table.columns[k].meaning);
        if (!of || of->second != behind || table.rows[row][k].empty()) continue;
        if (!std::exchange(any, true)) json_.key(key).begin_object();
        write_value(of->first, table.rows[row][k]);
      }
      if (key == amounts && !any) json_.key(key).begin_object();
      if (any || key == amounts) json_.end_object();
    }
    json_.end_object();
  }
  void write_cell(const std::string& key, const std::string& cell) {
    if (key == "name") {
      json_.key(key).text(cell);
    } else if (key == "limits") {
      json_.key(key).begin_object();
      for (const std::string& word : words_of(cell)) {
        const std::size_t equals = std::min(word.find('='), word.size());
        write_value(word.substr(0, equals), word.substr(std::min(equals + 1, word.size())));
      }
      json_.end_object();
    } else if (key == "tags" || key == "only" || key == "not" || key == "labels") {
      json_.key(key).begin_array();
      for (const std::string& word : words_of(cell)) json_.text(word);
      json_.end_array();
    } else {
      write_value(key, cell);
    }
  }
  void write_value(const std::string& key, const std::string& cell) {
    json_.key(key);
    if (const auto whole = parse_whole(cell)) {
      json_.whole(*whole);
    } else if (const auto number = parse_number(cell)) {
      json_.number(*number);
    } else {
      json_.text(cell);
    }
  }

  /// Nodes in the order in which they are named first.
  void write_nodes(const Table& running) {
    const auto index = [&](const char* meaning) {
      const auto at = std::find_if(running.columns.begin(), running.columns.end(),
                                   [&](const Column& one) { return one.meaning == meaning; });
      return at == running.columns.end() ? CsvTable::kAbsent : static_cast<std::size_t>(at - running.columns.begin());
    };
    // "app" is called "name" by meaning_of().
    const std::size_t app = index("name");
    const std::size_t node = index("node");
    const std::size_t replicas = index("replicas");
    const std::size_t node_class = index("class");
    if (app == CsvTable::kAbsent || node == CsvTable::kAbsent) throw Failure(running.file + ": needs the columns node and app");
    std::vector<std::string> order;
    std::map<std::string, std::vector<const std::vector<std::string>*>> rows;
    for (const std::vector<std::string>& row : running.rows) {
      auto& of_node = rows[row[node]];
      if (of_node.empty()) order.push_back(row[node]);
      of_node.push_back(&row);
    }
    json_.key("nodes").begin_array();
    for (const std::string& name : order) {
      json_.begin_object().key("name").text(name);
      const std::vector<std::string>& first = *rows[name].front();
      if (node_class != CsvTable::kAbsent && !first[node_class].empty()) json_.key("class").text(first[node_class]);
      json_.key("running").begin_object();
      for (const std::vector<std::string>* row : rows[name]) {
        if ((*row)[app].empty()) continue;
        write_value((*row)[app], replicas == CsvTable::kAbsent || (*row)[replicas].empty() ? "1" : (*row)[replicas]);
      }
      json_.end_object().end_object();
    }
    json_.end_array();
  }

  const Table& apps_;
  const Table* classes_;
  std::map<std::string, std::string> resources_;  // name: unit
  std::string text_;
  JsonWriter json_{text_};
};

/// "apps[3].demand.cpu" as "apps.csv:5: demand.cpu".
Failure at_its_line(const Failure& failure, const Table& apps, const Table* classes) {
  for (const auto& [list, table] :
       std::array<std::pair<std::string_view, const Table*>, 2>{{{"apps[", &apps}, {"classes[", classes}}}) {
    if (table == nullptr || !failure.path().starts_with(list)) continue;
    const std::size_t close = std::min(failure.path().find(']'), failure.path().size());
    const auto row = parse_whole(std::string_view(failure.path()).substr(list.size(), close - list.size()));
    if (!row || *row >= table->lines.size()) continue;
    std::string rest = failure.path().substr(std::min(close + 1, failure.path().size()));
    if (rest.starts_with('.')) rest.erase(0, 1);
    return Failure(table->file + ":" + std::to_string(table->lines[*row]) + ": " + (rest.empty() ? "" : rest + ": ") +
                   failure.message());
  }
  return failure;
}

}  // namespace

bool is_apps_table(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::vector<std::string> header =
      split_fields(text.substr(0, std::min(text.find_first_of("\r\n"), text.size())), separator_of(text));
  return header.size() > 1 && std::any_of(header.begin(), header.end(), [](const std::string& one) {
           const std::string meaning = column_of(one).meaning;
           return meaning == "name" || meaning == "replicas";
         });
}

InstanceData read_instance_tables(std::string_view apps_text, const std::string& file, const GivenNodes& given,
                                  std::vector<std::string>& unused) {
  const auto named = [&](const std::string& name, const std::string& columns) {
    if (!columns.empty()) unused.push_back(name + ": not used: " + columns);
  };
  const Table apps = read_table(apps_text, file);
  std::optional<Table> classes;
  std::optional<Table> running;
  if (!given.classes.empty()) classes = read_table(InputFile(given.classes).text(), given.classes);
  if (!given.running.empty()) running = read_table(InputFile(given.running).text(), given.running);
  if (!classes && !given.node) {
    throw Failure(file +
                  ": is a table of apps; say what the nodes are by --classes FILE or --node, such as --node cpu=16,memory=64");
  }
  TableWriter writer(apps, classes ? &*classes : nullptr, given);
  named(file, writer.unused(apps, false));
  if (classes) named(given.classes, writer.unused(*classes, true));
  const std::string json = writer.write(running ? &*running : nullptr);
  try {
    return read_instance_json(json, file, default_column_bytes(json.size()));
  } catch (const Failure& failure) {
    throw at_its_line(failure, apps, classes ? &*classes : nullptr);
  }
}

}  // namespace stowage::cli
