// Instances as the tables that instance_tables.h reads, for people who go on in a spreadsheet.
#pragma once

#include <string>

#include "capi/cli/base/text/csv.h"
#include "instance_generated.h"

namespace stowage::cli {

struct TextOfTables {
  std::string apps;
  std::string classes;
  std::string running;  ///< empty: no node is listed
};

/// The tables of an instance that the library has accepted. Reading them gives the same instance: fails, naming the field,
/// where tables lack one.
TextOfTables tables_of(const wire::Instance& instance, CsvCells cells);

/// Writes the tables into a folder, which is made where there is none.
void write_tables(const wire::Instance& instance, const std::string& folder, CsvCells cells);

}  // namespace stowage::cli
