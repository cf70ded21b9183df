#include <algorithm>
#include <numeric>
#include <span>

#include "capi/cli/commands/commands.h"
#include "capi/cli/formats/plan_file.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/json_text.h"
#include "capi/text/formats/instance_data.h"
#include "capi/text/words/render.h"

namespace stowage::cli {
namespace {

/// Apps in a table for people; JSON has them all.
constexpr std::size_t kMostAppRows = 40;

using PlanView = std::span<const std::uint8_t>;

/// The plan of the file; empty where there is none.
std::optional<PlanBytes> plan_of(const std::optional<std::string>& file, const Workload& workload) {
  if (!file) return std::nullopt;
  return plan_in(*file, workload);
}

std::vector<std::uint32_t> apps_asked_for(const HeadroomCommand& command, const wire::Instance& instance) {
  if (command.app) return {Names(instance).find_app(*command.app, "--app")};
  std::vector<std::uint32_t> apps(instance.apps()->replicas()->size());
  std::iota(apps.begin(), apps.end(), 0);
  return apps;
}

void print_headroom_json(const wire::HeadroomOfApps& found, const std::vector<std::uint32_t>& apps, const Names& names,
                         const Console& console) {
  JsonObject json(console.out);
  json.list("apps", apps, [&](const std::uint32_t app) {
    json.begin_object().key("app").text(names.app(app));
    json.key("replicas").whole(names.instance().apps()->replicas()->Get(app));
    json.key("room").whole(found.room()->Get(app));
    json.key("nodes").whole(found.nodes()->Get(app));
    json.key("most").whole(found.most()->Get(app));
    json.key("spare_room").whole(found.spare_room()->Get(app));
    json.key("exact").flag(found.coupled()->Get(app) == 0);
    json.end_object();
  });
  json.print();
}

void print_headroom_text(const wire::HeadroomOfApps& found, std::vector<std::uint32_t> apps, const Names& names,
                         const Console& console) {
  const auto room = [&](std::uint32_t app) { return found.room()->Get(app) + found.spare_room()->Get(app); };
  std::stable_sort(apps.begin(), apps.end(), [&](std::uint32_t a, std::uint32_t b) { return room(a) < room(b); });
  const std::size_t all = apps.size();
  apps.resize(std::min(all, kMostAppRows));
  TextTable table({"app", "replicas", "more fit", "on nodes", "most on one", "on spare nodes"});
  bool bounded = false;
  for (const std::uint32_t app : apps) {
    const bool exact = found.coupled()->Get(app) == 0;
    bounded = bounded || !exact;
    const auto number = [&](std::uint64_t value) { return (exact || value == 0 ? "" : "<= ") + std::to_string(value); };
    table.add({names.app(app), std::to_string(names.instance().apps()->replicas()->Get(app)), number(found.room()->Get(app)),
               std::to_string(found.nodes()->Get(app)), std::to_string(found.most()->Get(app)),
               number(found.spare_room()->Get(app))});
  }
  table.print(console, 0);
  if (all > apps.size()) {
    console.out << "... " << counted(all - apps.size(), "app") << " with more room; --summary json lists them\n";
  }
  if (bounded) console.out << "<=: a placement rule counts over several nodes: no more than these fit, perhaps fewer\n";
}

std::uint32_t node_called(const std::string& name, const std::vector<std::string>& places) {
  const auto at = std::find(places.begin(), places.end(), name);
  if (at == places.end()) throw Failure("--lost: there is no node \"" + name + "\"");
  return static_cast<std::uint32_t>(at - places.begin());
}

/// What a domain is called: its label's value, or its nodes.
std::string domain_text(const wire::Loss& loss, const std::vector<std::string>& places) {
  if (loss.name()->size() > 0) return loss.name()->str();
  if (loss.nodes()->size() == 1) return places[loss.nodes()->Get(0)];
  return counted(loss.nodes()->size(), "node");
}

void print_losses_json(const wire::Losses& found, const Names& names, const std::vector<std::string>& places,
                       const Console& console) {
  JsonObject json(console.out);
  json.list("losses", found.losses(), [&](const wire::Loss* loss) {
    json.begin_object();
    if (loss->name()->size() > 0) json.key("name").text(loss->name()->str());
    json.list("nodes", loss->nodes(), [&](const std::uint32_t node) { json.text(places[node]); });
    json.key("replicas").whole(loss->replicas());
    json.key("left").whole(loss->left());
    if (loss->short_resource() != kNone) {
      json.key("short").begin_object().key("resource").text(names.resource(loss->short_resource()));
      json.key("period").whole(loss->short_period());
      json.key("amount").number(loss->short_amount()).end_object();
    }
    json.key("moves").begin_array();
    for (std::uint32_t k = 0; k < loss->app()->size(); ++k) {
      json.begin_object().key("app").text(names.app(loss->app()->Get(k))).key("replicas").whole(loss->count()->Get(k));
      if (loss->to()->Get(k) != kNone) json.key("to").text(places[loss->to()->Get(k)]);
      json.end_object();
    }
    json.end_array().end_object();
  });
  json.print();
}

/// Why replicas of a loss have no place.
std::string why_left(const wire::Loss& loss, const Names& names) {
  if (loss.short_resource() != kNone) {
    return "lacks " + names.amount(loss.short_amount(), loss.short_resource()) + " of " +
           place_text(names, loss.short_resource(), loss.short_period());
  }
  return loss.left() > 0 ? "no other node takes them" : "";
}

/// Prints the nodes whose loss takes nothing away, which are places for others.
void print_free_nodes(const wire::Losses& found, const wire::Instance& instance, const std::vector<std::string>& places,
                      const Console& console) {
  constexpr std::size_t kNamed = 5;
  const auto* closed = instance.nodes() == nullptr ? nullptr : instance.nodes()->closed();
  std::size_t count = 0;
  std::vector<std::string> named;
  for (const wire::Loss* loss : *found.losses()) {
    if (loss->replicas() > 0) continue;
    for (const std::uint32_t node : *loss->nodes()) {
      if (closed != nullptr && node < closed->size() && closed->Get(node) != 0) continue;
      ++count;
      if (named.size() < kNamed) named.push_back(places[node]);
    }
  }
  if (count == 0) return;
  console.out << counted(count, "free node") << " (" << enumerated(named, ", ") << (count > named.size() ? ", ..." : "")
              << (count == 1 ? ") is counted as a place\n" : ") are counted as places\n");
}

void print_losses_text(const wire::Losses& found, const Names& names, const std::vector<std::string>& places,
                       const Console& console) {
  TextTable table({"lost", "nodes", "replicas", "without a place", "why"});
  table.right_from(1);
  // Who asks for certain nodes reads what becomes of them, even if that is nothing.
  const bool only_one = found.losses()->size() == 1;
  std::size_t rows = 0;
  for (const wire::Loss* loss : *found.losses()) {
    if ((loss->replicas() == 0 && !only_one) || ++rows > kMostAppRows) continue;
    table.add({domain_text(*loss, places), std::to_string(loss->nodes()->size()), std::to_string(loss->replicas()),
               std::to_string(loss->left()), why_left(*loss, names)});
  }
  table.print(console, 0);
  if (rows > kMostAppRows) {
    console.out << "... " << counted(rows - kMostAppRows, "loss") << " no worse; --summary json lists them\n";
  }
  if (!only_one) print_free_nodes(found, names.instance(), places, console);
  if (found.losses()->size() == 0 || found.losses()->Get(0)->left() == 0) return;
  const wire::Loss& worst = *found.losses()->Get(0);
  console.out << "\nWithout a place if " << domain_text(worst, places)
              << (worst.name()->size() == 0 && worst.nodes()->size() > 1 ? " are lost\n" : " is lost\n");
  for (std::uint32_t k = 0; k < worst.app()->size(); ++k) {
    if (worst.to()->Get(k) != kNone) continue;
    console.out << "  " << names.app(worst.app()->Get(k)) << ": " << counted(worst.count()->Get(k), "replica") << '\n';
  }
}

}  // namespace

int run_headroom_command(const HeadroomCommand& command, const Console& console) {
  const Workload workload = load_workload(command.file, command.node, console);
  const std::vector<std::uint32_t> apps = apps_asked_for(command, workload.root());
  const std::optional<PlanBytes> plan = plan_of(command.plan, workload);
  const auto report = headroom_of_apps(workload.instance, plan ? PlanView(plan->bytes()) : PlanView{}, command.most);
  const Names names(workload.root(), command.summary);
  command.summary == Summary::kJson ? print_headroom_json(report.body(), apps, names, console)
                                    : print_headroom_text(report.body(), apps, names, console);
  return kExitOk;
}

int run_losses_command(const LossesCommand& command, const Console& console) {
  const Workload workload = load_workload(command.file, command.node, console);
  const std::optional<PlanBytes> plan = plan_of(command.plan, workload);
  const Names names(workload.root(), command.summary);
  const std::vector<std::string> places = places_of(plan ? &plan->root() : nullptr, names);
  std::vector<std::uint32_t> nodes;
  const std::vector<std::string> by_name = places_of(plan ? &plan->root() : nullptr, Names(workload.root()));
  for (const std::string& name : command.lost) nodes.push_back(node_called(name, by_name));
  const auto report = losses(workload.instance, plan ? PlanView(plan->bytes()) : PlanView{}, nodes, command.label, console);
  command.summary == Summary::kJson ? print_losses_json(report.body(), names, places, console)
                                    : print_losses_text(report.body(), names, places, console);
  const auto& all = *report.body().losses();
  return all.size() > 0 && all.Get(0)->left() > 0 ? kExitUnmet : kExitOk;
}

}  // namespace stowage::cli
