#include "capi/cli/formats/instance/instance_tables.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>
#include <set>
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
  std::string unit;   // in brackets behind the name; empty: none
  std::string group;  // the object of JSON that its values are in, such as "demand"; empty: the row itself
  std::string key;    // what its values are called there; empty: it has no meaning
};

Column column_of(const std::string& header) {
  const std::size_t open = header.find_first_of("([");
  Column column{header, meaning_of(plain(header.substr(0, open))), {}, {}, {}};
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

  [[nodiscard]] bool has(std::string_view meaning) const { return find(meaning) != CsvTable::kAbsent; }
  [[nodiscard]] std::size_t find(std::string_view meaning) const {
    const auto at = std::find_if(columns.begin(), columns.end(), [&](const Column& one) { return one.meaning == meaning; });
    return at == columns.end() ? CsvTable::kAbsent : static_cast<std::size_t>(at - columns.begin());
  }
  [[noreturn]] void fail(std::size_t row, const std::string& message) const {
    throw Failure(file + ":" + std::to_string(lines[row]) + ": " + message);
  }
  /// The columns without a meaning.
  [[nodiscard]] std::string unused() const {
    std::string list;
    for (const Column& one : columns) {
      if (one.key.empty()) list += (list.empty() ? "" : ", ") + one.header;
    }
    return list;
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
    if (!std::all_of(csv.fields().begin(), csv.fields().end(), [](const std::string& cell) { return is_utf8(cell); })) {
      csv.fail("is not UTF-8");
    }
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

bool is_among(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Writes tables as the JSON of an instance, whose reader knows what values may be.
class TableWriter {
 public:
  TableWriter(Table& apps, Table* classes, Table* running, const std::optional<std::string>& node)
      : apps_(apps), classes_(classes), running_(running) {
    find_resources(node);
    for (Column& one : apps.columns) {
      if (is_among(one.meaning, {"name", "replicas", "priority", "weight", "max_per_node", "tags", "only", "not", "limits"})) {
        one.key = one.meaning;
      } else {
        find_amount(one, "demand", "") || find_amount(one, "deviation", "_deviation") ||
            find_amount(one, "variance", "_variance");
      }
    }
    for (std::size_t k = 0; classes != nullptr && k < classes->columns.size(); ++k) {
      Column& one = classes->columns[k];
      if (is_of_class(one)) {
        one.key = one.meaning;
      } else {
        find_amount(one, "capacity", "");
      }
    }
    for (std::size_t k = 0; running != nullptr && k < running->columns.size(); ++k) {
      Column& one = running->columns[k];
      if (is_among(one.meaning, {"name", "node", "replicas", "class"})) one.key = one.meaning;
    }
  }

  std::string write() {
    json_.begin_object().key("stowage").whole(1).key("resources").begin_object();
    for (const auto& [name, unit] : resources_) json_.key(name).text(unit);
    json_.end_object().key("classes").begin_array();
    for (std::size_t row = 0; classes_ != nullptr && row < classes_->rows.size(); ++row)
      write_row(*classes_, row, {"capacity"});
    json_.end_array().key("apps").begin_array();
    for (std::size_t row = 0; row < apps_.rows.size(); ++row) write_row(apps_, row, {"demand", "deviation", "variance"});
    json_.end_array();
    if (running_ != nullptr) write_nodes();
    json_.end_object();
    return std::move(text_);
  }

  /// What is wrong with the JSON, with the place in the tables: "apps[3].demand.cpu" as "apps.csv:5: demand.cpu".
  [[nodiscard]] Failure at_its_line(const Failure& failure) const {
    const std::string& path = failure.path();
    for (const auto& [list, table] : std::array<std::pair<std::string_view, const Table*>, 3>{
             {{"apps[", &apps_}, {"classes[", classes_}, {"nodes[", running_}}}) {
      if (table == nullptr || !path.starts_with(list)) continue;
      const std::size_t close = std::min(path.find(']'), path.size());
      const auto element = parse_whole(std::string_view(path).substr(list.size(), close - list.size()));
      if (!element || *element >= (table == running_ ? rows_of_nodes_.size() : table->rows.size())) continue;
      std::string rest = path.substr(std::min(close + 1, path.size()));
      const std::size_t row = table == running_ ? row_of_node(*element, rest) : static_cast<std::size_t>(*element);
      if (rest.starts_with('.')) rest.erase(0, 1);
      return Failure(table->file + ":" + std::to_string(table->lines[row]) + ": " + (rest.empty() ? "" : rest + ": ") +
                     failure.message());
    }
    return failure;
  }

 private:
  static bool is_of_class(const Column& column) { return is_among(column.meaning, {"name", "count", "price", "labels"}); }

  void find_resources(const std::optional<std::string>& node) {
    if (classes_ == nullptr) {
      for (const std::string& part : split_fields(*node, ',')) resources_[meaning_of(plain(part.substr(0, part.find('='))))];
    } else {
      for (const Column& one : classes_->columns) {
        if (!is_of_class(one) && apps_.has(one.meaning)) resources_[one.meaning] = one.unit;
      }
    }
    for (auto& [name, unit] : resources_) {
      if (unit.empty()) unit = unit_of(name);
    }
    if (resources_.empty()) {
      throw Failure(apps_.file + ": has no column of a resource that " + (classes_ == nullptr ? "--node" : classes_->file) +
                    " has, too (such as cpu or memory)");
    }
  }
  // Whether a column is of a resource, with this behind its name.
  bool find_amount(Column& column, const char* group, std::string_view behind) const {
    if (!column.meaning.ends_with(behind)) return false;
    const std::string name = meaning_of(column.meaning.substr(0, column.meaning.size() - behind.size()));
    if (!resources_.contains(name)) return false;
    column.group = group;
    column.key = name;
    return true;
  }
  // Where the header has no unit. "4Gi" has a meaning in bytes; plain numbers of memory are in GiB as often as not, but the
  // same in both tables.
  [[nodiscard]] std::string unit_of(const std::string& name) const {
    if (name == "cpu") return "cores";
    for (const Table* table : std::array<const Table*, 2>{&apps_, classes_}) {
      const std::size_t at = table == nullptr ? CsvTable::kAbsent : table->find(name);
      if (at == CsvTable::kAbsent) continue;
      const auto in_bytes = [&](const auto& row) { return !parse_number(row[at]) && parse_quantity(row[at], "GiB"); };
      if (std::any_of(table->rows.begin(), table->rows.end(), in_bytes)) return "GiB";
    }
    return name == "memory" ? "GiB" : "";
  }

  /// @param groups objects of amounts; the first one is there even if it is empty
  void write_row(const Table& table, std::size_t row, std::initializer_list<const char*> groups) {
    json_.begin_object();
    for (std::size_t k = 0; k < table.columns.size(); ++k) {
      const Column& column = table.columns[k];
      if (!column.key.empty() && column.group.empty() && !table.rows[row][k].empty()) write_cell(table, row, k);
    }
    for (const char* group : groups) {
      bool begun = group == *groups.begin();
      if (begun) json_.key(group).begin_object();
      for (std::size_t k = 0; k < table.columns.size(); ++k) {
        if (table.columns[k].group != group || table.rows[row][k].empty()) continue;
        if (!std::exchange(begun, true)) json_.key(group).begin_object();
        write_value(table.columns[k].key, table.rows[row][k]);
      }
      if (begun) json_.end_object();
    }
    json_.end_object();
  }
  void write_cell(const Table& table, std::size_t row, std::size_t at) {
    const std::string& key = table.columns[at].key;
    const std::string& cell = table.rows[row][at];
    if (key == "name") {
      json_.key(key).text(cell);
    } else if (key == "limits") {
      json_.key(key).begin_object();
      std::set<std::string> named;
      for (const std::string& word : words_of(cell)) {
        const std::size_t equals = std::min(word.find('='), word.size());
        const std::string app = word.substr(0, equals);
        if (!named.insert(app).second) table.fail(row, "limits: \"" + app + "\" stands twice");
        write_value(app, word.substr(std::min(equals + 1, word.size())));
      }
      json_.end_object();
    } else if (is_among(key, {"tags", "only", "not", "labels"})) {
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

  /// The row of a node that a path is about, such as ".running.web"; the first one where it is about the node as such.
  [[nodiscard]] std::size_t row_of_node(std::size_t node, std::string_view path) const {
    const std::vector<std::size_t>& rows = rows_of_nodes_[node];
    const auto of_app = std::find_if(rows.begin(), rows.end(), [&](std::size_t row) {
      return path == ".running" + path_member(running_->rows[row][running_->find("name")], false);
    });
    return of_app == rows.end() ? rows.front() : *of_app;
  }

  /// Nodes in the order in which they are named first.
  void write_nodes() {
    const Table& table = *running_;
    // "app" is called "name" by meaning_of().
    const std::size_t app = table.find("name");
    const std::size_t node = table.find("node");
    const std::size_t replicas = table.find("replicas");
    const std::size_t node_class = table.find("class");
    if (app == CsvTable::kAbsent || node == CsvTable::kAbsent) throw Failure(table.file + ": needs the columns node and app");
    std::map<std::string, std::size_t> nodes;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      const std::size_t at = nodes.try_emplace(table.rows[row][node], nodes.size()).first->second;
      if (at == rows_of_nodes_.size()) rows_of_nodes_.emplace_back();
      rows_of_nodes_[at].push_back(row);
    }
    json_.key("nodes").begin_array();
    for (const std::vector<std::size_t>& rows : rows_of_nodes_) {
      const std::string& name = table.rows[rows.front()][node];
      json_.begin_object().key("name").text(name);
      const std::string quoted_node = "node \"" + name + "\"";
      std::string of_class;
      for (const std::size_t row : rows) {
        const std::string said = node_class == CsvTable::kAbsent ? "" : table.rows[row][node_class];
        if (of_class.empty()) of_class = said;
        if (!said.empty() && said != of_class)
          table.fail(row, std::string(quoted_node).append(" is also of class \"").append(of_class).append("\""));
      }
      if (!of_class.empty()) json_.key("class").text(of_class);
      json_.key("running").begin_object();
      std::set<std::string> there;
      for (const std::size_t row : rows) {
        const std::string& of = table.rows[row][app];
        if (of.empty()) continue;
        if (!there.insert(of).second)
          table.fail(row, std::string("\"").append(of).append("\" stands twice on ").append(quoted_node));
        const bool one = replicas == CsvTable::kAbsent || table.rows[row][replicas].empty();
        write_value(of, one ? "1" : table.rows[row][replicas]);
      }
      json_.end_object().end_object();
    }
    json_.end_array();
  }

  Table& apps_;
  Table* classes_;                                       // may be null
  Table* running_;                                       // may be null
  std::map<std::string, std::string> resources_;         // name: unit
  std::vector<std::vector<std::size_t>> rows_of_nodes_;  // in the order of the nodes
  std::string text_;
  JsonWriter json_{text_};
};

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

InstanceData read_tables(const TableText& apps_text, const std::optional<TableText>& classes_text,
                         const std::optional<TableText>& running_text, const std::optional<std::string>& node,
                         std::vector<std::string>& unused) {
  if (!classes_text && !node) {
    throw Failure(apps_text.file +
                  ": is a table of apps; say what the nodes are by --classes FILE or --node, such as --node cpu=16,memory=64");
  }
  std::optional<Table> apps = read_table(apps_text.text, apps_text.file);
  std::optional<Table> classes;
  std::optional<Table> running;
  if (classes_text) classes = read_table(classes_text->text, classes_text->file);
  if (running_text) running = read_table(running_text->text, running_text->file);
  TableWriter writer(*apps, classes ? &*classes : nullptr, running ? &*running : nullptr, node);
  for (const std::optional<Table>* table : {&apps, &classes, &running}) {
    const std::string columns = *table ? (*table)->unused() : std::string();
    if (!columns.empty()) unused.push_back((*table)->file + ": not used: " + columns);
  }
  const std::string json = writer.write();
  try {
    return read_instance_json(json, apps->file, default_column_bytes(json.size()));
  } catch (const Failure& failure) {
    throw writer.at_its_line(failure);
  }
}

InstanceData read_instance_tables(std::string_view apps_text, const std::string& file, const GivenNodes& given,
                                  std::vector<std::string>& unused) {
  std::optional<InputFile> classes;
  std::optional<InputFile> running;
  if (!given.classes.empty()) classes.emplace(given.classes);
  if (!given.running.empty()) running.emplace(given.running);
  const auto text_of = [](const std::optional<InputFile>& table) {
    return table ? std::optional(TableText{table->text(), table->name()}) : std::nullopt;
  };
  return read_tables({apps_text, file}, text_of(classes), text_of(running), given.node, unused);
}

}  // namespace stowage::cli
