// Plans in files: FlatBuffer bytes, JSON with names, and CSV with the header node,app,replicas.
#pragma once

#include <flatbuffers/flatbuffers.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "capi/cli/base/files.h"
#include "capi/cli/base/text/csv.h"
#include "capi/cli/base/text/json_text.h"
#include "instance_generated.h"
#include "plan_generated.h"
#include "request_generated.h"

namespace stowage::cli {

inline constexpr std::string_view kPlanIdentifier = "STOP";

/// Whether a text starts with the header of a plan's CSV.
bool is_plan_csv(std::string_view text);

/// Fails where the bytes are not a well-formed plan.
const wire::Plan* checked_plan(std::span<const std::uint8_t> bytes, const std::string& name);

/// Fails where a well-formed plan refers to nodes, classes or apps that the instance does not have, or has entries out of
/// order.
void refuse_dangling(const wire::Plan& plan, const wire::Instance& instance);

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
/// instance; it is called where a file does not name its instance.
PlanBytes read_plan(std::unique_ptr<InputFile> file, const wire::Instance& instance,
                    const std::function<std::uint64_t()>& fingerprint);

/// Fails unless the path's extension names a format for plans: stow (or stowplan), json or csv.
void require_plan_format(const std::string& path);

/// Writes a plan for `instance` in the format that the path's extension names.
void write_plan(std::span<const std::uint8_t> plan, const wire::Instance& instance, const std::string& path,
                CsvCells cells = CsvCells::kExact);

/// "complete", "optimal", "partial", "infeasible-proven", "cancelled" or "deadline".
const char* status_word(wire::PlanStatus status);
std::optional<wire::PlanStatus> find_status(std::string_view word);

/// "nodes" or "ucac": the objective that a run minimized (Plan.objective).
const char* objective_word(std::uint8_t objective);
std::optional<wire::Objective> find_objective(std::string_view word);

/// "first", "last" or "price": how soft violations counted (Plan.soft).
const char* soft_word(std::uint8_t policy);
std::optional<wire::SoftPolicy> find_soft(std::string_view word);

/// "search-off", "neighbourhood-off", "ended-early", "left-out", "idle-rule" or "promise".
const char* note_word(wire::NoteCode code);

/// Writes the bound on what is left over as a list of priorities and replicas; empty where there is none.
void write_left_over(JsonWriter& json, const wire::Plan& plan);

}  // namespace stowage::cli
