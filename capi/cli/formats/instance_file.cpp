#include "capi/cli/formats/instance_file.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "capi/cli/formats/instance/instance_tsv.h"
#include "capi/cli/formats/instance/tables_of_instance.h"
#include "capi/cli/formats/instance/yaml_text.h"
#include "capi/cli/formats/plan_file.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/json_text.h"
#include "capi/text/base/quantities.h"
#include "capi/text/formats/instance_json.h"

namespace stowage::cli {
namespace {

constexpr std::string_view kNodeExample = "--node cores=64,memory=128";

std::string resource_list(const InstanceData& data) {
  std::string list;
  for (const ResourceData& resource : data.resources) list += (list.empty() ? "" : ", ") + resource.name;
  return list;
}

std::string_view first_word(std::string_view text, std::size_t length) { return text.substr(0, std::min(length, text.size())); }

std::size_t first_content(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text.find_first_not_of(" \t\r\n");
}

/// The JSON object of a plan has "stowage_plan" among its first keys, that of an instance "stowage".
bool looks_like_plan(std::string_view text) {
  constexpr std::size_t kHead = 4096;
  const std::string_view head = first_word(text, kHead);
  const std::size_t plan = head.find("\"stowage_plan\"");
  return plan != std::string_view::npos && plan < head.find("\"stowage\"");
}

/// What a text is that is no instance.
std::string what_else(std::string_view text) {
  const std::size_t start = first_content(text);
  if (start == std::string_view::npos) return "is empty";
  if (text.starts_with("PAR1")) return "is Parquet; the Python package reads frames";
  if (text.starts_with("PK\x03\x04"))
    return "is a spreadsheet or an archive; save its sheets as CSV, or use the Python package";
  const std::string_view line = text.substr(start, std::min(text.find('\n', start), text.size()) - start);
  if (line.starts_with("//") || line.starts_with("/*")) return "begins with a comment, which JSON does not know";
  if (text[start] == '[') return "is a list; an instance is one JSON object (stowage example prints one)";
  if (line.find_first_of(",;\t") != std::string_view::npos) {
    return "looks like a table; its first line must name columns, among them name or replicas and the resources";
  }
  return "is not an instance: neither a JSON object, nor YAML, nor .stow bytes, nor a table (stowage example prints one)";
}

InstanceData read_data(const InputFile& file, Content content, const GivenNodes& given, std::vector<std::string>& unused) {
  switch (content) {
    case Content::kInstanceBytes: {
      const wire::Instance* instance = checked_instance(file.bytes(), file.name());
      return decode_instance(*instance);
    }
    case Content::kInstanceJson:
      return read_instance_json(file.text(), file.name(), default_column_bytes(file.text().size()));
    case Content::kInstanceYaml:
      return read_instance_json(json_of_yaml(file.text(), file.name()), file.name(), default_column_bytes(file.text().size()));
    case Content::kInstanceTsv:
      return read_instance_tsv(file.text(), file.name());
    case Content::kInstanceTables:
      return read_instance_tables(file.text(), file.name(), given, unused);
    case Content::kPlanBytes:
    case Content::kPlanJson:
    case Content::kPlanCsv:
      throw Failure(file.name() + ": is a plan; an instance is needed here");
    case Content::kUnknown:
      break;
  }
  throw Failure(file.name() + ": " + what_else(file.text()));
}

}  // namespace

Content content_of(const InputFile& file) {
  const std::string_view text = file.text();
  if (text.size() >= 8) {
    const std::string_view identifier = text.substr(4, 4);
    if (identifier == wire::InstanceIdentifier()) return Content::kInstanceBytes;
    if (identifier == kPlanIdentifier) return Content::kPlanBytes;
  }
  if (is_instance_tsv(text)) return Content::kInstanceTsv;
  if (is_plan_csv(text)) return Content::kPlanCsv;
  const std::size_t start = first_content(text);
  if (start != std::string_view::npos && text.find('{', start) != std::string_view::npos &&
      text[text.starts_with("\xEF\xBB\xBF") ? start + 3 : start] == '{') {
    return looks_like_plan(text) ? Content::kPlanJson : Content::kInstanceJson;
  }
  if (is_apps_table(text)) return Content::kInstanceTables;
  return looks_like_yaml(text) ? Content::kInstanceYaml : Content::kUnknown;
}

void set_single_class(InstanceData& data, const std::string& node) {
  if (!data.nodes.node_class.empty()) {
    throw Failure("--node replaces the node classes, but the instance lists " + std::to_string(data.nodes.node_class.size()) +
                  " nodes; change the file instead");
  }
  NodeClassData node_class;
  node_class.name = "node";
  node_class.capacity.assign(data.resources.size(), -1);
  std::string_view rest = node;
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view part = rest.substr(0, comma);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) {
      throw Failure("--node: \"" + std::string(part) + "\" is not resource=capacity (such as " + std::string(kNodeExample) +
                    ")");
    }
    const std::string_view name = part.substr(0, equals);
    const std::string_view value = part.substr(equals + 1);
    auto found = std::find_if(data.resources.begin(), data.resources.end(), [&](const auto& one) { return one.name == name; });
    if (found == data.resources.end()) {
      found = std::find_if(data.resources.begin(), data.resources.end(),
                           [&](const auto& one) { return one.name == our_word(name); });
    }
    if (found == data.resources.end()) {
      throw Failure("--node: there is no resource \"" + std::string(name) + "\"; the instance has " + resource_list(data));
    }
    double& capacity = node_class.capacity[static_cast<std::size_t>(found - data.resources.begin())];
    if (capacity >= 0) throw Failure("--node: gives " + found->name + " twice");
    const auto quantity = parse_quantity(value, found->unit);
    if (!quantity || *quantity < 0) {
      const std::string suggestion = suggest_quantity(value, found->unit);
      throw Failure("--node: \"" + std::string(value) + "\" is not a quantity" +
                    (suggestion.empty() ? "" : " (try \"" + suggestion + "\")"));
    }
    capacity = *quantity;
  }
  for (std::size_t r = 0; r < data.resources.size(); ++r) {
    if (node_class.capacity[r] < 0) {
      throw Failure("--node: has no " + data.resources[r].name + "; give a capacity for each of " + resource_list(data));
    }
  }
  data.classes = {std::move(node_class)};
}

InstanceBytes read_instance(std::unique_ptr<InputFile> file, const GivenNodes& given) {
  const Content content = content_of(*file);
  if (content != Content::kInstanceTables && !(given.classes.empty() && given.running.empty())) {
    throw Failure(file->name() + ": says itself what the nodes are; --classes and --running belong to a table of apps");
  }
  if (content == Content::kInstanceBytes && !given.node && given.prices.empty()) {
    checked_instance(file->bytes(), file->name());
    return InstanceBytes(std::move(file));
  }
  std::vector<std::string> unused;
  InstanceData data = read_data(*file, content, given, unused);
  if (given.node) {
    set_single_class(data, *given.node);
  } else if (content == Content::kInstanceTsv) {
    throw Failure(file->name() + ": a .tsv does not say what the nodes are; give their capacity, such as " +
                  std::string(kNodeExample));
  }
  if (!given.prices.empty()) {
    const InputFile prices(given.prices);
    set_prices(data, {prices.text(), prices.name()});
  }
  const bool from_json = content == Content::kInstanceJson || content == Content::kInstanceYaml;
  return InstanceBytes(encode_instance(std::move(data)), from_json, std::move(unused));
}

std::unique_ptr<InputFile> open_instance(const std::string& path, GivenNodes& given) {
  std::error_code unknown;
  if (!std::filesystem::is_directory(path, unknown)) return std::make_unique<InputFile>(path);
  const auto file = [&](const char* name) { return file_in(path, name); };
  if (!std::filesystem::exists(file(kAppsFile), unknown)) {
    throw Failure(path + ": is a folder without " + kAppsFile + ", the table of apps");
  }
  if (given.classes.empty() && !given.node) given.classes = file(kClassesFile);
  if (given.running.empty() && std::filesystem::exists(file(kRunningFile), unknown)) given.running = file(kRunningFile);
  return std::make_unique<InputFile>(file(kAppsFile));
}

const Formats& instance_formats() {
  static const Formats kFormats = {"instances", {"stow", "json", "yaml", "tsv"}, "json", {{"yml", "yaml"}}, true};
  return kFormats;
}

void write_instance(const InstanceBytes& instance, const std::string& path, const std::string& asked, CsvCells cells) {
  const std::string format = format_of(path, asked, instance_formats());
  if (format == kAsTables) return write_tables(instance.root(), path, cells);
  OutputFile out(path);
  if (format == "json") {
    write_instance_json(instance.root(), out);
  } else if (format == "yaml") {
    TextOutput json;
    write_instance_json(instance.root(), json);
    out.write(yaml_of_json(json.text()));
  } else if (format == "tsv") {
    write_instance_tsv(instance.root(), out);
  } else {
    out.write(instance.bytes());
  }
  out.commit();
}

}  // namespace stowage::cli
