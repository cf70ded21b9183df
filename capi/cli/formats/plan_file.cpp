#include "capi/cli/formats/plan_file.h"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "capi/cli/formats/instance_file.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/name_map.h"
#include "capi/text/base/printable.h"
#include "capi/text/base/quantities.h"
#include "capi/text/formats/instance_data.h"
#include "capi/text/formats/names.h"
#include "capi/text/words/picture.h"
#include "capi/text/words/use.h"

namespace stowage::cli {
namespace {

constexpr std::string_view kCsvHeader = "node,app,replicas";
constexpr std::size_t kCsvColumns = 3;

/// Whether each class has a price.
bool is_priced(const wire::Instance& instance) {
  const auto& classes = *instance.classes();
  return std::all_of(classes.begin(), classes.end(), [](const wire::NodeClass* one) { return one->price() >= 0; });
}

/// Columns of a plan's CSV after node, app and replicas: those of the node, whether it is new, and what the replicas of the row
/// need of each resource, in the period in which it is most.
class RowsOfNodes {
 public:
  RowsOfNodes(const wire::Plan& plan, const Names& names, CsvCells cells)
      : plan_(plan), instance_(names.instance()), names_(names), cells_(cells), is_priced_(is_priced(instance_)) {
    const wire::Apps& apps = *instance_.apps();
    const std::size_t count = apps.replicas()->size();
    const std::size_t resources = instance_.resources()->size();
    // A column holds a number per item and resource, or one for each period.
    const std::size_t each = count == 0 ? 1 : apps.demand()->size() / (count * resources);
    const double* demand = apps.demand()->data();
    for (std::size_t k = 0; k < count * resources; ++k)
      most_.push_back(*std::max_element(demand + k * each, demand + (k + 1) * each));
    if (instance_.nodes() != nullptr) runs_.assign(instance_.nodes()->node_class()->size(), false);
    if (instance_.running() != nullptr) {
      for (const wire::Residence* one : *instance_.running()) runs_[one->node()] = true;
    }
  }

  [[nodiscard]] std::string header() const {
    std::string line(kCsvHeader);
    line += is_priced_ ? ",class,state,price" : ",class,state";
    for (std::uint32_t r = 0; r < instance_.resources()->size(); ++r) {
      // No column twice.
      const std::string name = names_.resource(r);
      constexpr std::array<std::string_view, 6> kTaken = {"node", "app", "replicas", "class", "state", "price"};
      const bool is_taken = std::find(kTaken.begin(), kTaken.end(), name) != kTaken.end();
      line += ',' + csv_field(is_taken ? name + " needed" : name, cells_);
    }
    return line + '\n';
  }
  /// The rows of a node, whose placements begin at `first`. The price stands in the first one, so that prices add up to the
  /// cost of the plan. A node without replicas has a row without an app.
  void append(std::uint32_t node, const std::string& name, std::uint32_t first, std::string& to) const {
    std::uint32_t k = first;
    for (; k < plan_.placed()->size() && plan_.placed()->Get(k)->node() == node; ++k) {
      append_row(node, name, plan_.placed()->Get(k), k == first, to);
    }
    if (k == first) append_row(node, name, nullptr, true, to);
  }

 private:
  void append_row(std::uint32_t node, const std::string& name, const wire::Placed* placed, bool is_first,
                  std::string& to) const {
    const wire::NodeClass& of = *instance_.classes()->Get(plan_.node_class()->Get(node));
    to += csv_field(name, cells_) + ',' + (placed == nullptr ? "" : csv_field(names_.app(placed->app()), cells_)) + ',' +
          std::to_string(placed == nullptr ? 0 : placed->replicas()) + ',' +
          csv_field(names_.node_class(plan_.node_class()->Get(node)), cells_) + ',' + state_of(node);
    if (is_priced_) to += ',' + (is_first ? shortest(of.price()) : std::string());
    const std::size_t resources = instance_.resources()->size();
    for (std::size_t r = 0; r < resources; ++r) {
      to += ',' + shortest_of_sum(placed == nullptr ? 0 : placed->replicas() * most_[placed->app() * resources + r]);
    }
    to += '\n';
  }
  /// What becomes of a node, as the answer says it: whether it is new, runs something and is kept, or is there and gets used.
  [[nodiscard]] const char* state_of(std::uint32_t node) const {
    const std::uint32_t listed = plan_.listed()->Get(node);
    if (listed == kNone) return "new";
    return runs_[listed] ? "kept" : "used";
  }

  const wire::Plan& plan_;
  const wire::Instance& instance_;
  const Names& names_;
  CsvCells cells_;
  bool is_priced_;
  std::vector<double> most_;  // per app and resource
  std::vector<bool> runs_;    // per listed node: something runs there
};

void write_csv(const wire::Plan& plan, const Names& names, CsvCells cells, OutputFile& out) {
  const RowsOfNodes rows(plan, names, cells);
  std::string buffer = rows.header();
  std::uint32_t next = 0;
  names.visit_copies(plan, [&](std::uint32_t node, const std::string& name) {
    // All copies of a node hold the same replicas.
    while (next < plan.placed()->size() && plan.placed()->Get(next)->node() < node) ++next;
    rows.append(node, name, next, buffer);
    if (buffer.size() >= OutputFile::kFlushSize) {
      out.write(buffer);
      buffer.clear();
    }
  });
  out.write(buffer);
}

/// The text after a byte order mark.
std::string_view without_mark(std::string_view text) { return text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text; }

/// Where a table says its nodes, apps and replicas. Columns may have any order, and letters any case.
struct PlanColumns {
  char separator = ',';
  std::size_t node = CsvTable::kAbsent;
  std::size_t app = CsvTable::kAbsent;
  std::size_t replicas = CsvTable::kAbsent;

  [[nodiscard]] bool are_there() const {
    return node != CsvTable::kAbsent && app != CsvTable::kAbsent && replicas != CsvTable::kAbsent;
  }
};

std::string_view first_line(std::string_view text) { return text.substr(0, text.find_first_of("\r\n")); }

PlanColumns plan_columns(std::string_view text) {
  const std::string_view line = first_line(without_mark(text));
  PlanColumns columns;
  const auto times = [&](char one) { return std::count(line.begin(), line.end(), one); };
  if (times('\t') > 0) {
    columns.separator = '\t';
  } else if (times(';') > times(',')) {
    columns.separator = ';';
  }
  const std::vector<std::string> header = split_fields(line, columns.separator);
  for (std::size_t k = 0; k < header.size(); ++k) {
    std::string word = header[k];
    for (char& letter : word) letter = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    word.erase(0, std::min(word.find_first_not_of(' '), word.size()));
    word.erase(word.find_last_not_of(' ') + 1);
    // The first of two columns counts: after these three, a resource may have any name.
    if (word == "node") columns.node = std::min(columns.node, k);
    if (word == "app") columns.app = std::min(columns.app, k);
    if (word == "replicas") columns.replicas = std::min(columns.replicas, k);
  }
  return columns;
}

class PlanCsvReader {
 public:
  PlanCsvReader(const InputFile& file, const wire::Instance& instance)
      : file_(file),
        columns_(plan_columns(file.text())),
        csv_(without_mark(file.text()), file.name(), columns_.separator),
        lookup_(instance) {}

  PlanData read(std::uint64_t fingerprint) {
    std::vector<std::string> fields;
    csv_.next(fields);
    const std::size_t columns = fields.size();
    while (csv_.next(fields)) {
      if (fields.size() != columns) {
        fail("has " + std::to_string(fields.size()) + " fields; the header has " + std::to_string(columns));
      }
      // What a node without replicas needs is not said by where replicas are.
      if (columns > kCsvColumns && fields[columns_.app].empty() && fields[columns_.replicas] == "0") continue;
      read_record(fields);
    }
    finish(fingerprint);
    return std::move(data_);
  }

 private:
  struct Node {
    std::uint32_t node_class;
    std::uint32_t listed;
  };

  [[noreturn]] void fail(const std::string& message) const {
    throw Failure(file_.name() + ": line " + std::to_string(csv_.line()) + ": " + message);
  }

  void read_record(const std::vector<std::string>& fields) {
    const std::string& node_name = fields[columns_.node];
    const std::string& app_name = fields[columns_.app];
    const std::string& number = fields[columns_.replicas];
    const std::uint32_t app = lookup_.app(app_name);
    if (app == kNone) fail("app: the instance has no app \"" + app_name + "\"");
    const auto replicas = parse_whole(number);
    if (!replicas || *replicas == 0 || *replicas > UINT32_MAX) fail("replicas: \"" + number + "\" is not a number of replicas");
    const auto [found, inserted] = positions_.emplace(node_name, static_cast<std::uint32_t>(nodes_.size()));
    if (inserted) add_node(node_name);
    data_.placed.emplace_back(app, found->second, static_cast<std::uint32_t>(*replicas));
  }

  void add_node(const std::string& name) {
    const std::uint32_t listed = lookup_.listed(name);
    const std::uint32_t node_class = listed != kNone ? lookup_.class_of_listed(listed) : lookup_.class_of(name);
    if (node_class == kNone) {
      fail("node: \"" + name + "\" is neither a listed node nor a class and a number, such as large-1");
    }
    nodes_.push_back({node_class, listed});
  }

  /// Puts listed nodes first, in the instance's order, and computes the figures that follow from the placement.
  void finish(std::uint64_t fingerprint) {
    std::vector<std::uint32_t> order(nodes_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return nodes_[a].listed < nodes_[b].listed; });
    std::vector<std::uint32_t> position(order.size());
    const auto& classes = *lookup_.instance().classes();
    double cost = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      position[order[i]] = static_cast<std::uint32_t>(i);
      data_.node_class.push_back(nodes_[order[i]].node_class);
      data_.listed.push_back(nodes_[order[i]].listed);
      cost += classes.Get(nodes_[order[i]].node_class)->price();
    }
    if (classes.size() > 0 && is_priced(lookup_.instance())) data_.cost = cost;
    const auto& wanted = *lookup_.instance().apps()->replicas();
    std::vector<std::uint64_t> sitting(wanted.size(), 0);
    for (wire::Placed& one : data_.placed) {
      one = wire::Placed(one.app(), position[one.node()], one.replicas());
      sitting[one.app()] += one.replicas();
    }
    for (std::uint32_t app = 0; app < wanted.size(); ++app) {
      if (sitting[app] < wanted.Get(app)) {
        data_.unplaced.emplace_back(app, wanted.Get(app) - static_cast<std::uint32_t>(sitting[app]));
      }
    }
    data_.moves = moves();
    data_.status = data_.unplaced.empty() ? wire::PlanStatus::Complete : wire::PlanStatus::Partial;
    data_.planner = "csv";
    data_.instance = fingerprint;
  }

  /// Running replicas that are not where they run.
  [[nodiscard]] std::uint32_t moves() const {
    if (lookup_.instance().running() == nullptr) return 0;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> there;  // by listed node and app
    for (const wire::Placed& one : data_.placed) there[{data_.listed[one.node()], one.app()}] += one.replicas();
    std::uint64_t moves = 0;
    for (const wire::Residence* one : *lookup_.instance().running()) {
      const auto found = there.find({one->node(), one->app()});
      const std::uint64_t stay = found == there.end() ? 0 : found->second;
      moves += one->replicas() - std::min<std::uint64_t>(stay, one->replicas());
    }
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(moves, UINT32_MAX));
  }

  const InputFile& file_;
  PlanColumns columns_;
  CsvReader csv_;
  PlanLookup lookup_;
  std::vector<Node> nodes_;
  NameMap<std::string, std::uint32_t> positions_;
  PlanData data_;
};

}  // namespace

bool is_plan_csv(std::string_view text) {
  text = without_mark(text);
  if (!text.starts_with(kCsvHeader)) return false;
  text.remove_prefix(kCsvHeader.size());
  return text.empty() || text.front() == '\n' || text.front() == '\r' || text.front() == ',';
}

bool is_plan_table(std::string_view text) { return plan_columns(text).are_there(); }

PlanBytes read_plan(std::unique_ptr<InputFile> file, const wire::Instance& instance,
                    const std::function<std::uint64_t()>& fingerprint,
                    const std::function<std::uint32_t(std::span<const std::uint8_t>)>& inherited) {
  const auto of_table = [&] {
    PlanData data = PlanCsvReader(*file, instance).read(fingerprint());
    if (inherited && instance.nodes() != nullptr) data.inherited_violations = inherited(PlanBytes(encode_plan(data)).bytes());
    return PlanBytes(encode_plan(std::move(data)));
  };
  switch (content_of(*file)) {
    case Content::kPlanBytes:
      checked_plan(file->bytes(), file->name());
      return PlanBytes(std::move(file));
    case Content::kPlanJson:
      return PlanBytes(encode_plan(read_plan_json(file->text(), file->name(), instance, fingerprint)));
    case Content::kPlanCsv:
      return of_table();
    case Content::kInstanceBytes:
    case Content::kInstanceJson:
    case Content::kInstanceYaml:
    case Content::kInstanceTsv:
      throw Failure(file->name() + ": is an instance; a plan is needed here");
    case Content::kInstanceTables:
    case Content::kUnknown:
      break;
  }
  // Where a plan is needed, such a table is one, whatever it may say elsewhere.
  if (is_plan_table(file->text())) return of_table();
  if (const std::string_view header = first_line(without_mark(file->text())); header.find_first_of(",;\t") != header.npos) {
    constexpr std::size_t kShown = 100;
    throw Failure(file->name() + ": a plan's header has the columns " + std::string(kCsvHeader) + "; here it is " +
                  printable(header.substr(0, kShown)) + (header.size() > kShown ? "..." : ""));
  }
  throw Failure(file->name() + ": is not a plan: neither plan bytes, nor JSON with \"stowage_plan\", nor CSV with the header " +
                std::string(kCsvHeader));
}

const Formats& plan_formats() {
  static const Formats kFormats = {"plans", {"stow", "json", "csv", "html", "svg"}, "json", {{"stowplan", "stow"}}};
  return kFormats;
}

void write_plan(std::span<const std::uint8_t> plan, const wire::Instance& instance, const MakePage& page,
                const std::string& path, CsvCells cells, const std::string& asked) {
  const std::string format = format_of(path, asked, plan_formats());
  OutputFile out(path);
  if (format == "html" || format == "svg") {
    const wire::Plan& root = *checked_plan(plan, "the plan");
    refuse_dangling(root, instance);
    if (format == "html") {
      out.write(page());
    } else {
      out.write(picture_of(root, UseTable(root, instance), Names(instance, Summary::kText), picture_style()));
    }
  } else if (format == "json" || format == "csv") {
    const wire::Plan& root = *checked_plan(plan, "the plan");
    // Text formats name all nodes and apps, so those must exist.
    refuse_dangling(root, instance);
    const Names names(instance);
    format == "json" ? write_plan_json(root, names, out) : write_csv(root, names, cells, out);
  } else {
    out.write(plan);
  }
  out.commit();
}

}  // namespace stowage::cli
