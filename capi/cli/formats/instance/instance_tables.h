// Instances as tables: apps, node classes and what runs, as spreadsheets and frames have them (docs/reference/cli.md,
// "Tables").
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capi/text/formats/instance_data.h"

namespace stowage::cli {

// What the tables of a folder are called.
inline constexpr const char* kAppsFile = "apps.csv";
inline constexpr const char* kClassesFile = "classes.csv";
inline constexpr const char* kRunningFile = "running.csv";

/// Nodes that are given beside a file that says nothing of them.
struct GivenNodes {
  std::optional<std::string> node;  ///< one class, such as "cores=64,memory=128"
  std::string classes;              ///< the file of a table of node classes; empty: none
  std::string running;              ///< the file of a table of what runs where; empty: none
  std::string prices;               ///< the file of a table of prices of the node classes of any file; empty: none
};

/// Whether a text looks like a table of apps: its first line has several fields, of which one names apps or their replicas.
bool is_apps_table(std::string_view text);

struct TableText {
  std::string_view text;
  std::string file;  ///< for messages
};

/// Reads a table of apps, and those of node classes and of what runs; without one of classes, the resources are those that
/// `node` names. Columns are found by their names in any case, also with a unit, as in "Memory (GiB)". Fields are separated by
/// commas, semicolons or tabs; with semicolons, "0,5" is a half. Failures name file, line and column.
/// @param unused receives a sentence for each table of which columns have no meaning, and where no column says replicas
/// @param has_prices whether prices come from elsewhere
InstanceData read_tables(const TableText& apps_text, const std::optional<TableText>& classes_text,
                         const std::optional<TableText>& running_text, const std::optional<std::string>& node,
                         std::vector<std::string>& unused, bool has_prices = false);

/// The same, with the files of `given`.
InstanceData read_instance_tables(std::string_view apps_text, const std::string& file, const GivenNodes& given,
                                  std::vector<std::string>& unused);

/// Gives each node class the price that a table with the columns name and price has for it; other rows may be there. Fails,
/// naming the class, where there is none, and with file and line where a price is no number of at least 0 or a name stands
/// twice.
void set_prices(InstanceData& data, const TableText& prices_text);

}  // namespace stowage::cli
