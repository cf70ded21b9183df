#include "capi/cli/formats/instance/instance_tables.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>
#include <set>
#include <utility>

#include "capi/cli/base/files.h"
#include "capi/cli/base/text/csv.h"
#include "capi/cli/formats/instance/table_columns.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/json_text.h"
#include "capi/text/base/quantities.h"
#include "capi/text/formats/instance_json.h"

namespace stowage::cli {
namespace {

using Column = TableColumn;

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
  char separator = ',';
  bool has_decimal_commas = false;
  std::set<std::pair<std::size_t, std::size_t>> points;  // rows and columns of what may be thousands: "1.360"

  [[nodiscard]] bool has(std::string_view meaning) const { return find(meaning) != CsvTable::kAbsent; }
  [[nodiscard]] std::size_t find(std::string_view meaning) const {
    const auto at = std::find_if(columns.begin(), columns.end(), [&](const Column& one) { return one.meaning == meaning; });
    return at == columns.end() ? CsvTable::kAbsent : static_cast<std::size_t>(at - columns.begin());
  }
  [[noreturn]] void fail(std::size_t row, const std::string& message) const {
    throw Failure(file + ":" + std::to_string(lines[row]) + ": " + message);
  }
  /// Whether all cells of a column that are not empty are meant as numbers, and there are some.
  [[nodiscard]] bool is_numeric(std::size_t column) const {
    const auto is_empty = [&](const auto& row) { return row[column].empty(); };
    return !std::all_of(rows.begin(), rows.end(), is_empty) && std::all_of(rows.begin(), rows.end(), [&](const auto& row) {
      return row[column].empty() || looks_numeric(row[column]);
    });
  }
  /// Whether numbers stand in a column without a meaning.
  [[nodiscard]] bool has_numbers_left() const {
    for (std::size_t k = 0; k < columns.size(); ++k) {
      if (columns[k].key.empty() && is_numeric(k)) return true;
    }
    return false;
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

/// Whether the point of a number may separate thousands: "1.360".
bool may_be_thousands(const std::string& cell) {
  const std::size_t point = cell.find('.');
  return point != std::string::npos && point > 0 && point <= 3 && cell.front() != '0' && cell.size() == point + 4 &&
         std::count(cell.begin(), cell.end(), '.') == 1 && cell.find_first_not_of("0123456789.") == std::string::npos;
}

/// Spreadsheets that separate fields by semicolons write decimals behind a comma.
void read_decimal_commas(Table& table) {
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
      std::string& cell = table.rows[row][column];
      if (may_be_thousands(cell)) table.points.emplace(row, column);
      if (std::count(cell.begin(), cell.end(), ',') != 1 || cell.find('.') != std::string::npos) continue;
      std::string number = cell;
      std::replace(number.begin(), number.end(), ',', '.');
      if (!parse_number(number)) continue;
      cell = number;
      table.has_decimal_commas = true;
    }
  }
}

bool is_among(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Where no column is called a name, the first one that has another text in each row is.
void find_name(Table& table) {
  if (table.has("name") || table.rows.empty()) return;
  for (std::size_t k = 0; k < table.columns.size(); ++k) {
    std::set<std::string_view> names;
    for (const auto& row : table.rows) {
      if (!row[k].empty() && !looks_numeric(row[k])) names.insert(row[k]);
    }
    if (names.size() != table.rows.size()) continue;
    // Words with a meaning of their own are texts, too.
    if (is_among(table.columns[k].meaning, {"replicas", "priority", "weight", "max_per_node", "tags", "only", "not", "limits",
                                            "title", "count", "price", "labels"}) ||
        is_surely_resource(table.columns[k])) {
      continue;
    }
    table.columns[k].meaning = "name";
    return;
  }
}

void refuse_two_of_one_meaning(const Table& table, const CsvTable& csv, TableOf about) {
  for (std::size_t k = 0; k < table.columns.size(); ++k) {
    for (std::size_t other = 0; other < k; ++other) {
      const auto& [first, second] = std::pair(table.columns[other], table.columns[k]);
      if (first.meaning != second.meaning) continue;
      if (about == TableOf::kRunning && first.meaning == "name" && may_be_class(first.header) != may_be_class(second.header)) {
        csv.fail("\"" + (may_be_class(first.header) ? first : second).header + "\" may be the app or the class; write class");
      }
      csv.fail("\"" + first.header + "\" and \"" + second.header + "\" mean the same");
    }
  }
}

Table read_table(std::string_view text, const std::string& file, TableOf about) {
  const char separator = separator_of(text);
  CsvTable csv(text, file, "name, replicas and the resources", separator);
  const auto check_letters = [&](const std::vector<std::string>& cells) {
    if (!std::all_of(cells.begin(), cells.end(), [](const std::string& cell) { return is_utf8(cell); })) {
      csv.fail("is not UTF-8 (in Excel, save as CSV UTF-8)");
    }
  };
  check_letters(csv.header());
  Table table{
      .file = file, .columns = columns_of(csv.header(), about), .rows = {}, .lines = {}, .separator = separator, .points = {}};
  refuse_two_of_one_meaning(table, csv, about);
  while (csv.next()) {
    table.rows.push_back(csv.fields());
    table.lines.push_back(csv.line());
    check_letters(csv.fields());
  }
  if (separator == ';') read_decimal_commas(table);
  if (about == TableOf::kApps || about == TableOf::kClasses) find_name(table);
  return table;
}

/// Fails where a point may separate thousands or decimals, and where a price is written for people.
void check_number(const Table& table, std::size_t row, std::size_t column, const std::string& name) {
  const std::string& cell = table.rows[row][column];
  if (table.has_decimal_commas && table.points.contains({row, column})) {
    std::string whole = cell;
    whole.erase(whole.find('.'), 1);
    table.fail(
        row, name + " \"" + cell + "\" may be " + whole + " or " + shortest(*parse_number(cell)) + "; write " + whole + ",00");
  }
  if (name == "price" && !cell.empty() && !parse_number(cell)) {
    table.fail(row, "price \"" + cell + "\" is not a number; write " + (table.separator == ';' ? "1360,00" : "1360.00") +
                        " without thousands separators or currency");
  }
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
    find_title();
    for (Column& one : apps.columns) find_conversion(one);
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
    refuse_single_resources();
    check_numbers(apps_);
    if (classes != nullptr) check_numbers(*classes);
  }

  std::string write() {
    json_.begin_object().key("stowage").whole(1);
    if (!title_.empty()) json_.key("name").text(title_);
    json_.key("resources").begin_object();
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
  /// A resource that only one table has would bind nobody. That no app says its demand is harmless, unless it is what numbers
  /// without a meaning say.
  void refuse_single_resources() const {
    refuse_single_resources(apps_, classes_ == nullptr ? "no amount in --node" : "no column in " + classes_->file);
    if (classes_ != nullptr && apps_.has_numbers_left()) refuse_single_resources(*classes_, "no column in " + apps_.file);
  }
  static void refuse_single_resources(const Table& table, const std::string& lacks) {
    for (std::size_t k = 0; k < table.columns.size(); ++k) {
      const Column& one = table.columns[k];
      if (!one.key.empty() || !is_surely_resource(one) || !table.is_numeric(k)) continue;
      std::string message = table.file + ": " + one.meaning;
      if (one.header != one.meaning) message.append(" (").append(one.header).append(")");
      throw Failure(message.append(" has ").append(lacks).append("; name it there too, or drop it"));
    }
  }
  static void check_numbers(const Table& table) {
    for (std::size_t k = 0; k < table.columns.size(); ++k) {
      const Column& one = table.columns[k];
      if (one.key.empty() || is_among(one.key, {"name", "tags", "only", "not", "limits", "labels"})) continue;
      for (std::size_t row = 0; row < table.rows.size(); ++row) check_number(table, row, k, one.key);
    }
  }
  static bool is_of_class(const Column& column) { return is_among(column.meaning, {"name", "count", "price", "labels"}); }

  [[nodiscard]] bool is_resource(const std::string& name) const {
    return std::any_of(resources_.begin(), resources_.end(), [&](const auto& one) { return one.first == name; });
  }
  void find_resources(const std::optional<std::string>& node) {
    if (classes_ == nullptr) {
      for (const std::string& part : split_fields(*node, ',')) {
        std::string name = column_of(part.substr(0, part.find('='))).meaning;
        if (!is_resource(name)) resources_.emplace_back(std::move(name), "");
      }
    } else {
      for (const Column& one : classes_->columns) {
        if (!is_of_class(one) && apps_.has(one.meaning)) resources_.emplace_back(one.meaning, one.unit);
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
    const std::string name = meaning_of_column(column.meaning.substr(0, column.meaning.size() - behind.size()));
    if (!is_resource(name)) return false;
    column.group = group;
    column.key = name;
    return true;
  }
  /// Apps may be in another unit than classes: MiB and GiB. Fails where one cannot be converted to the other.
  void find_conversion(Column& column) const {
    if (column.unit.empty() || (column.group != "demand" && column.group != "deviation")) return;
    const auto resource =
        std::find_if(resources_.begin(), resources_.end(), [&](const auto& one) { return one.first == column.key; });
    if (resource == resources_.end()) return;
    const std::string& unit = resource->second;
    const auto counts_cpus = [](const std::string& word) { return column_of(word).meaning == "cpu"; };
    const bool is_same = column.unit == unit || (counts_cpus(column.unit) && counts_cpus(unit));  // vCPU and cores
    if (unit.empty() || is_same) return;
    if (!parse_quantity("1 " + column.unit, unit)) {
      throw Failure(apps_.file + ": \"" + column.header + "\": cannot be converted to " + unit + ", the unit of " + column.key);
    }
    column.is_converted = true;
  }
  /// A title stands in one row. A column with several is of something else.
  void find_title() {
    const std::size_t at = apps_.find("title");
    if (at == CsvTable::kAbsent || !apps_.columns[at].key.empty()) return;
    for (const auto& row : apps_.rows) {
      if (row[at].empty()) continue;
      if (!std::exchange(title_, row[at]).empty()) {
        title_.clear();
        return;
      }
    }
    apps_.columns[at].group = "title";  // of no row
    apps_.columns[at].key = "name";
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
        write_amount(table.columns[k], table.rows[row][k]);
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
  void write_amount(const Column& column, const std::string& cell) {
    if (column.is_converted && parse_number(cell)) {
      json_.key(column.key).text(cell + " " + column.unit);
    } else {
      write_value(column.key, cell);
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

  void refuse_without_class() const {
    constexpr std::size_t kMostNamed = 3;
    if (classes_ == nullptr || classes_->rows.size() < 2) return;
    std::string names;
    const std::size_t name = classes_->find("name");
    for (std::size_t row = 0; name != CsvTable::kAbsent && row < std::min(classes_->rows.size(), kMostNamed); ++row) {
      names += (row == 0 ? "" : ", ") + classes_->rows[row][name];
    }
    if (!names.empty()) names = " (" + names + (classes_->rows.size() > kMostNamed ? ", ...)" : ")");
    throw Failure(running_->file + ": needs the column class" + names);
  }
  /// Nodes in the order in which they are named first.
  void write_nodes() {
    const Table& table = *running_;
    // "app" is called "name" by columns_of().
    const std::size_t app = table.find("name");
    const std::size_t node = table.find("node");
    const std::size_t replicas = table.find("replicas");
    const std::size_t node_class = table.find("class");
    if (app == CsvTable::kAbsent || node == CsvTable::kAbsent) throw Failure(table.file + ": needs the columns node and app");
    if (node_class == CsvTable::kAbsent) refuse_without_class();
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
  Table* classes_;  // may be null
  Table* running_;  // may be null
  std::string title_;
  std::vector<std::pair<std::string, std::string>> resources_;  // name and unit, in the order of the columns
  std::vector<std::vector<std::size_t>> rows_of_nodes_;         // in the order of the nodes
  std::string text_;
  JsonWriter json_{text_};
};

}  // namespace

bool is_apps_table(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::vector<std::string> header =
      split_fields(text.substr(0, std::min(text.find_first_of("\r\n"), text.size())), separator_of(text));
  if (header.size() < 2) return false;
  const std::vector<Column> columns = columns_of(header, TableOf::kApps);
  return std::any_of(columns.begin(), columns.end(), [](const Column& one) {
    return is_among(one.meaning, {"name", "replicas", "cpu", "memory"});
  });
}

InstanceData read_tables(const TableText& apps_text, const std::optional<TableText>& classes_text,
                         const std::optional<TableText>& running_text, const std::optional<std::string>& node,
                         std::vector<std::string>& unused, bool has_prices) {
  if (!classes_text && !node) {
    throw Failure(apps_text.file +
                  ": is a table of apps; say what the nodes are by --classes FILE or --node, such as --node cpu=16,memory=64");
  }
  std::optional<Table> apps = read_table(apps_text.text, apps_text.file, TableOf::kApps);
  std::optional<Table> classes;
  std::optional<Table> running;
  if (classes_text) classes = read_table(classes_text->text, classes_text->file, TableOf::kClasses);
  if (running_text) running = read_table(running_text->text, running_text->file, TableOf::kRunning);
  TableWriter writer(*apps, classes ? &*classes : nullptr, running ? &*running : nullptr, node);
  if (!apps->has("replicas"))
    unused.push_back(apps->file + ": no column says how many replicas there are: each app counts once");
  for (const std::optional<Table>* table : {&apps, &classes, &running}) {
    const std::string columns = *table ? (*table)->unused() : std::string();
    if (columns.empty()) continue;
    const bool lacks_prices = table == &classes && !has_prices && !classes->has("price") && classes->has_numbers_left();
    unused.push_back((*table)->file + ": not used: " + columns +
                     (lacks_prices ? "; no column says prices: nodes are counted, not cost" : ""));
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
  return read_tables({apps_text, file}, text_of(classes), text_of(running), given.node, unused, !given.prices.empty());
}

void set_prices(InstanceData& data, const TableText& prices_text) {
  const Table table = read_table(prices_text.text, prices_text.file, TableOf::kPrices);
  const std::size_t name = table.find("name");
  const std::size_t price = table.find("price");
  if (name == CsvTable::kAbsent || price == CsvTable::kAbsent) {
    throw Failure(prices_text.file + ": needs the columns name and price");
  }
  std::map<std::string, double> price_of;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const std::string& cell = table.rows[row][price];
    const std::optional<double> value = parse_number(cell);
    if (looks_numeric(cell)) check_number(table, row, price, "price");
    if (!value || *value < 0) table.fail(row, "price: \"" + cell + "\" is not a number of at least 0");
    if (!price_of.try_emplace(table.rows[row][name], *value).second) {
      table.fail(row, "name: \"" + table.rows[row][name] + "\" stands twice");
    }
  }
  for (NodeClassData& one : data.classes) {
    const auto found = price_of.find(one.name);
    if (found == price_of.end()) throw Failure(prices_text.file + ": has no price of the class \"" + one.name + "\"");
    one.price = found->second;
  }
}

}  // namespace stowage::cli
