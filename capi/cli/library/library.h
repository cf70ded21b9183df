// Calls of the library on behalf of commands: times, progress, Ctrl-C, and failures that name apps, resources and options.
#pragma once

#include <stowage.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "capi/cli/base/console.h"
#include "capi/cli/formats/instance_file.h"
#include "capi/cli/formats/plan_file.h"
#include "capi/cli/library/goals.h"
#include "capi/text/base/output.h"
#include "capi/text/records/request_records.h"
#include "catalogue_generated.h"
#include "instance_generated.h"
#include "plan_generated.h"
#include "report_generated.h"
#include "request_generated.h"

namespace stowage::cli {

/// Whether planners that need a solver of linear programs have one in this build.
#ifdef STOWAGE_WITH_HIGHS
inline constexpr bool kHasSolver = true;
#else
inline constexpr bool kHasSolver = false;
#endif
/// A control for runs of the library, with the build's solver, if any.
Control new_control();

class Stopwatch {
 public:
  [[nodiscard]] double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

/// While one lives, the first Ctrl-C ends the library's runs with the best plan so far, and a second one ends the program. For
/// the main thread only.
class InterruptGuard {
 public:
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard(InterruptGuard&&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  InterruptGuard& operator=(InterruptGuard&&) = delete;
  InterruptGuard();
  ~InterruptGuard();

  [[nodiscard]] static bool interrupted();
};

/// An instance from a file, in wire form and as the library holds it.
struct Workload {
  std::string source;  ///< for messages
  InstanceBytes bytes;
  Instance instance;
  double load_seconds = 0;  ///< reading and loading

  [[nodiscard]] const wire::Instance& root() const { return bytes.root(); }
};

/// Reads and loads an instance. read_instance() explains `given`.
/// @param scales factors, see encode_derivation(): the workload is the instance derived by them
Workload load_workload(const std::string& path, const GivenNodes& given, const Console& console,
                       const std::vector<std::string>& scales = {});
/// The same, of a file that is open.
Workload load_workload(std::unique_ptr<InputFile> file, const GivenNodes& given, const Console& console,
                       const std::vector<std::string>& scales);

/// The instance as the arguments of a command line that a person may paste: the file and what was given beside it.
std::string arguments_of(const std::string& file, const GivenNodes& given, const std::vector<std::string>& scales);

/// The plan of the workload in a file.
PlanBytes plan_in(std::unique_ptr<InputFile> file, const Workload& workload);
PlanBytes plan_in(const std::string& path, const Workload& workload);

/// Loads bytes that came from `source`, which messages name.
Instance load_bytes(const InstanceBytes& bytes, const std::string& source);

/// Writes an instance that came from `source` to `output`, and says on the console what it holds. Fails, and writes nothing,
/// where the library refuses the instance.
/// @param asked the value of --format, for write_instance()
void write_checked(const InstanceBytes& bytes, const std::string& source, const std::string& output, const Console& console,
                   const std::string& asked = {});
/// The same for an instance that the library has accepted.
void write_loaded(const InstanceBytes& bytes, const std::string& output, const Console& console, const std::string& asked,
                  CsvCells cells);

/// The word of --survive for each node by itself.
inline constexpr std::string_view kAnyNode = "node";

/// A request, with what it names: the planner's options, replicas to keep room for by the name of their app, and goals by that
/// of their resource (of an instance in a file only).
struct RequestOptions : RequestData {
  std::vector<std::pair<std::string, double>> settings;
  std::vector<std::pair<std::string, std::uint32_t>> kept;
  std::vector<NamedGoal> named_goals;
};

/// The most that an explanation may take.
inline constexpr std::chrono::milliseconds kMostForReasons{15'000};
/// What an explanation of a plan may take, beside what the plan took: as long as the plan's deadline where that is below two
/// seconds, else a quarter of it, but at least two seconds; at most kMostForReasons.
std::chrono::milliseconds time_for_reasons(const RequestOptions& request);

struct PlanRun {
  Buffer plan;
  std::vector<std::pair<std::string, double>> options;  ///< options that the planner got: the request's, and portfolio
  double seconds = 0;                                   ///< the whole call
  double planning_seconds = 0;                          ///< without bounds and the final check

  [[nodiscard]] const wire::Plan& root() const { return *wire::GetPlan(plan.data()); }
};

/// Plans, with a progress line where the console shows one. InterruptGuard explains Ctrl-C.
PlanRun run_plan(const Workload& workload, const RequestOptions& request, const Console& console);
/// The same for the batch of a session; the batch is the workload.
PlanRun run_plan(Session& session, const Workload& workload, const RequestOptions& request, const Console& console);

/// A report's body, and the buffer that holds it.
template <class Body>
struct ReportOf {
  Buffer buffer;
  [[nodiscard]] const Body& body() const { return *wire::GetReport(buffer.data())->template body_as<Body>(); }
};

ReportOf<wire::Verification> verify_plan(const Instance& instance, std::span<const std::uint8_t> plan);
/// Writes a plan of the workload in the format that format_of() finds; `asked` is the value of --format.
void write_plan(const Workload& workload, std::span<const std::uint8_t> plan, const std::string& path, CsvCells cells,
                const std::string& asked = {});
/// Orders the moves of the plan. At Ctrl-C, returns what is ordered so far.
ReportOf<wire::MoveOrder> order_moves(const Instance& instance, std::span<const std::uint8_t> plan, std::uint32_t per_node,
                                      double app_share, const Console& console);
/// @param plan empty: what runs or is pinned
ReportOf<wire::HeadroomOfApps> headroom_of_apps(const Instance& instance, std::span<const std::uint8_t> plan,
                                                std::uint32_t most);
/// @param nodes lost together; empty: by `label`, a key, or each by itself where that is empty. At Ctrl-C, returns what was
///              looked at so far.
ReportOf<wire::Losses> losses(const Instance& instance, std::span<const std::uint8_t> plan,
                              const std::vector<std::uint32_t>& nodes, const std::string& label, const Console& console);
ReportOf<wire::Bounds> bounds(const Instance& instance);
/// The largest of these on the cost, or on the nodes; 0: none is known.
double best_bound(const Instance& instance, bool of_cost);
/// Explains the plan; `app` may be STOWAGE_ALL_UNPLACED. After `budget` or at Ctrl-C, returns what is explained so far.
ReportOf<wire::Explanation> explain_plan(const Instance& instance, std::span<const std::uint8_t> plan, std::uint32_t app,
                                         std::chrono::milliseconds budget, const Console& console);

struct Catalogue {
  Buffer buffer;
  [[nodiscard]] const wire::Catalogue& root() const { return *wire::GetCatalogue(buffer.data()); }
};
Catalogue planner_catalogue();

/// The text of a library's error for people: "apps.demand[7] (app web, memory): must be finite".
std::string describe_error(const Error& error, const wire::Instance* instance, bool from_json = false);

/// Encodes a derivation (derivation.fbs) from factors such as "demand=1.3", "demand.cpu=1.3" or "replicas.web=2". Fails for
/// what is no factor, for what the instance does not have and for what is given twice.
flatbuffers::DetachedBuffer encode_derivation(const std::vector<std::string>& scales, const wire::Instance& instance);

}  // namespace stowage::cli
