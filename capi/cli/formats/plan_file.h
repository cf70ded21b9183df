// Plans in files: FlatBuffer bytes, JSON with names, and CSV whose header begins with node,app,replicas; pages and pictures.
#pragma once

#include <flatbuffers/flatbuffers.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "capi/cli/base/files.h"
#include "capi/cli/base/text/csv.h"
#include "capi/cli/formats/output_format.h"
#include "capi/text/formats/plan_json.h"
#include "instance_generated.h"
#include "plan_generated.h"

namespace stowage::cli {

/// Whether a text starts with the header of a plan's CSV.
bool is_plan_csv(std::string_view text);
/// Whether a plan can be read from a table, whose columns may stand in another order and between semicolons or tabs. Where it
/// is not known that a plan is meant, such a text may be an instance, too.
bool is_plan_table(std::string_view text);

/// The bytes of a plan in wire form: a mapped file, or the encoded content of another format.
class PlanBytes {
 public:
  explicit PlanBytes(std::unique_ptr<InputFile> file) : file_(std::move(file)) {}
  explicit PlanBytes(flatbuffers::DetachedBuffer buffer) : buffer_(std::move(buffer)) {}

  [[nodiscard]] std::span<const std::uint8_t> bytes() const {
    return file_ ? file_->bytes() : std::span<const std::uint8_t>(buffer_.data(), buffer_.size());
  }
  [[nodiscard]] const wire::Plan& root() const { return *wire::GetPlan(bytes().data()); }

 private:
  std::unique_ptr<InputFile> file_;
  flatbuffers::DetachedBuffer buffer_;
};

/// Turns a file of any format into a plan. JSON and CSV name apps and nodes of `instance`. A CSV holds placements only: the
/// other figures of the plan follow from them; its planner is "csv", and it has no bound. `fingerprint` returns that of the
/// instance; it is called where a file does not name its instance. `inherited`, where it is given, counts the constraints that
/// a plan leaves broken, which a CSV does not say.
PlanBytes read_plan(std::unique_ptr<InputFile> file, const wire::Instance& instance,
                    const std::function<std::uint64_t()>& fingerprint,
                    const std::function<std::uint32_t(std::span<const std::uint8_t>)>& inherited = {});

/// What plans are written as. Pages (html) and pictures (svg) cannot be read again.
const Formats& plan_formats();

/// Makes the page of a plan, which needs the checker's report on it.
using MakePage = std::function<std::string()>;

/// Writes a plan for `instance` in the format that format_of() finds. Calls `page` where that is a page.
void write_plan(std::span<const std::uint8_t> plan, const wire::Instance& instance, const MakePage& page,
                const std::string& path, CsvCells cells = CsvCells::kExact, const std::string& asked = {});

}  // namespace stowage::cli
