// What the columns of tables mean, by their headers (docs/reference/cli.md, "Tables").
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stowage::cli {

/// What a table is about. Some words mean one thing here and another there.
enum class TableOf : std::uint8_t { kApps, kClasses, kRunning, kPrices };

struct TableColumn {
  std::string header{};
  std::string meaning{};
  std::string unit{};         // in brackets or as the last word; empty: none
  std::string group{};        // the object of JSON that its values are in, such as "demand"; empty: the row itself
  std::string key{};          // what its values are called there; empty: it has no meaning
  bool is_converted = false;  // plain numbers are in its unit, which is not that of the resource
};

/// What a header says by itself.
TableColumn column_of(const std::string& header);

/// The columns with these headers. Words that are clear go before words that may mean something else: "count" means replicas
/// only where no column is called replicas.
std::vector<TableColumn> columns_of(const std::vector<std::string>& headers, TableOf about);

/// Our word for a column that is called `word`.
std::string meaning_of_column(std::string_view word);

/// Whether a column is a resource by its name or unit, so that no sheet may leave it out.
bool is_surely_resource(const TableColumn& column);

/// What `header` means in a table of what runs, where it may mean another thing than the app: whether it may be the class.
bool may_be_class(std::string_view header);

/// Whether a cell is meant as a number, also one that cannot be read, such as "1.360,00 EUR".
bool looks_numeric(std::string_view cell);

}  // namespace stowage::cli
