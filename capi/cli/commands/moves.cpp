#include <map>
#include <tuple>

#include "capi/cli/commands/commands.h"
#include "capi/cli/formats/plan_file.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/json_text.h"
#include "capi/text/formats/instance_data.h"
#include "capi/text/words/render.h"

namespace stowage::cli {
namespace {

/// Equal moves with their number, in the order in which they come first.
struct Bundle {
  const wire::Move* move;
  std::uint32_t replicas;
};

template <class Moves>
std::vector<Bundle> bundled(const Moves& moves, std::uint32_t begin, std::uint32_t end) {
  std::vector<Bundle> bundles;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, bool>, std::size_t> at;
  for (std::uint32_t k = begin; k < end; ++k) {
    const wire::Move* move = moves.Get(k);
    const auto [known, is_new] = at.try_emplace({move->app(), move->from(), move->to(), move->detour()}, bundles.size());
    if (is_new) bundles.push_back({move, 0});
    ++bundles[known->second].replicas;
  }
  return bundles;
}

void write_moves(JsonWriter& json, const std::vector<Bundle>& bundles, const Names& names,
                 const std::vector<std::string>& places) {
  json.begin_array();
  for (const auto& [move, replicas] : bundles) {
    json.begin_object().key("app").text(names.app(move->app()));
    json.key("replicas").whole(replicas);
    if (move->from() != kNone) json.key("from").text(places[move->from()]);
    if (move->to() != kNone) json.key("to").text(places[move->to()]);
    if (move->detour()) json.key("detour").flag(true);
    json.end_object();
  }
  json.end_array();
}

void print_json(const wire::MoveOrder& order, const Names& names, const std::vector<std::string>& places,
                const Console& console) {
  JsonObject json(console.out);
  json.key("moved").whole(order.moved());
  json.key("detours").whole(order.detours());
  json.key("least_waves").whole(order.least_waves());
  json.key("waves").begin_array();
  std::uint32_t begin = 0;
  for (const std::uint32_t end : *order.wave_ends()) {
    write_moves(json, bundled(*order.moves(), begin, end), names, places);
    begin = end;
  }
  json.end_array();
  json.key("stuck");
  write_moves(json, bundled(*order.stuck(), 0, order.stuck()->size()), names, places);
  json.print();
}

void print_moves(const std::vector<Bundle>& bundles, const Names& names, const std::vector<std::string>& places,
                 const Console& console) {
  for (const auto& [move, replicas] : bundles) {
    console.out << "  " << names.app(move->app()) << ": ";
    if (move->from() == kNone) {
      console.out << counted(replicas, "replica") << (replicas == 1 ? " starts on " : " start on ") << places[move->to()];
    } else if (move->to() == kNone) {
      console.out << counted(replicas, "replica") << (replicas == 1 ? " ends on " : " end on ") << places[move->from()];
    } else {
      console.out << counted(replicas, "replica") << " from " << places[move->from()] << " to " << places[move->to()];
    }
    if (move->detour()) console.out << ", and further in a later wave";
    console.out << '\n';
  }
}

void print_text(const wire::MoveOrder& order, const Names& names, const std::vector<std::string>& places,
                const Console& console) {
  console.out << counted(order.moved(), "replica") << (order.moved() == 1 ? " changes its node" : " change their node")
              << ", in " << counted(order.wave_ends()->size(), "wave");
  if (order.detours() > 0) console.out << ", with " << counted(order.detours(), "detour") << " over third places";
  console.out << '\n';
  std::uint32_t begin = 0;
  std::uint32_t wave = 0;
  for (const std::uint32_t end : *order.wave_ends()) {
    console.out << "\nWave " << ++wave << '\n';
    print_moves(bundled(*order.moves(), begin, end), names, places, console);
    begin = end;
  }
  if (order.stuck()->size() == 0) return;
  console.out << '\n' << toned(console, Tone::kBad, "Not to be ordered, for want of a third place") << '\n';
  print_moves(bundled(*order.stuck(), 0, order.stuck()->size()), names, places, console);
}

}  // namespace

int run_moves_command(const MovesCommand& command, const Console& console) {
  const Workload workload = load_workload(command.file, command.node, console);
  const PlanBytes plan = plan_in(command.plan, workload);
  const auto report = order_moves(workload.instance, plan.bytes(), command.per_node, command.app_share, console);
  const Names names(workload.root(), command.summary);
  const std::vector<std::string> places = places_of(&plan.root(), names);
  command.summary == Summary::kJson ? print_json(report.body(), names, places, console)
                                    : print_text(report.body(), names, places, console);
  return report.body().stuck()->size() > 0 ? kExitUnmet : kExitOk;
}

}  // namespace stowage::cli
