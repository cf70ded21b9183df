#include "capi/cli/app.h"

#include <array>
#include <limits>
#include <utility>

#include "capi/cli/command_line.h"
#include "capi/cli/commands/commands.h"
#include "capi/cli/formats/plan_file.h"
#include "capi/cli/help.h"
#include "capi/cli/usage/values.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/quantities.h"

namespace stowage::cli {
namespace {

/// The word of --survive for each node by itself.
constexpr std::string_view kAnyNode = "node";

/// Texts of options that several commands share, turned into values once parsed.
struct RequestTexts {
  std::string planner = kDefaultPlanner;
  std::string objective = "nodes";
  std::string deadline;
  std::string patience;
  std::string soft;
  std::optional<double> soft_price;
  std::optional<double> max_cost;
  std::vector<std::string> options;
  std::vector<std::string> keep;
  std::string survive;
  std::string leave_free;

  void fill(RequestOptions& request) const {
    request.planner = planner;
    const auto found = find_objective(objective);
    if (!found) {
      throw Failure("--objective: \"" + objective +
                    "\" is not an objective; use nodes, ucac, worst, total, admitted or traffic");
    }
    request.objective = *found;
    if (!deadline.empty()) request.deadline_ms = parse_milliseconds("--deadline", deadline);
    if (!patience.empty()) request.patience_ms = parse_milliseconds("--patience", patience);
    fill_soft(request);
    if (max_cost) {
      if (!(*max_cost > 0)) throw Failure("--max-cost: must be above 0");
      request.max_cost = *max_cost;
    }
    for (const std::string& one : keep) {
      const std::size_t equals = one.rfind('=');
      const auto replicas = equals == std::string::npos ? std::nullopt : parse_whole(std::string_view(one).substr(equals + 1));
      if (!replicas || *replicas == 0 || *replicas > kMostOf32Bits) {
        throw Failure("--keep: \"" + one + "\" is not APP=REPLICAS (such as web=5)");
      }
      request.kept.emplace_back(one.substr(0, equals), static_cast<std::uint32_t>(*replicas));
    }
    request.survive = survive == kAnyNode ? "*" : survive;
    request.leave_free = leave_free;
    for (const std::string& option : options) {
      const std::size_t equals = option.find('=');
      const auto number =
          equals == std::string::npos ? std::nullopt : parse_number(std::string_view(option).substr(equals + 1));
      if (!number) throw Failure("--option: \"" + option + "\" is not NAME=NUMBER (such as alpha=0.5)");
      request.settings.emplace_back(option.substr(0, equals), *number);
    }
  }

 private:
  void fill_soft(RequestOptions& request) const {
    if (soft_price) {
      if (!soft.empty() && soft != "price") throw Failure("--soft-price: does not go with --soft " + soft);
      request.soft = wire::SoftPolicy::Price;
      request.soft_price = *soft_price;
    } else if (!soft.empty()) {
      const auto found = find_soft(soft);
      if (!found || *found == wire::SoftPolicy::Price) {
        throw Failure("--soft: \"" + soft + "\" is not a policy; use first or last, or --soft-price");
      }
      request.soft = *found;
    }
  }
};

/// Options of `generate cluster` that are turned into values once parsed.
struct ClusterTexts {
  std::string classes = "six";
  std::string features;
  std::string limits;
  std::string selectors;
  std::string spread;
  std::string soft_apart;
  std::string periods;
  std::string uncertain;
  std::string exclusions;
  std::string near;
  std::string gather;

  void fill(cluster::Options& options) const {
    if (classes != "one" && classes != "six") throw Failure("--classes: \"" + classes + "\" is neither one nor six");
    options.one_class = classes == "one";
    if (!features.empty()) cluster::add_features(features, "--features", options);
    const auto share = [](const char* name, const std::string& text, double most, double& value) {
      if (text.empty()) return;
      const auto given = parse_share(text);
      if (!given || *given > most) {
        throw Failure(std::string(name) + ": \"" + text + "\" is not a share up to " + for_people(most * 100) +
                      " % (try \"20%\" or \"0.2\")");
      }
      value = *given;
    };
    share("--limits", limits, 1, options.limits);
    share("--selectors", selectors, 1, options.selectors);
    share("--soft-apart", soft_apart, 1, options.soft_apart);
    share("--uncertain", uncertain, cluster::kMostDeviation, options.deviation);
    share("--near", near, 1, options.near);
    share("--gather", gather, 1, options.gather);
    if (!spread.empty()) {
      if (spread != "hard" && spread != "soft") throw Failure("--spread: \"" + spread + "\" is neither hard nor soft");
      options.spread = spread == "hard" ? cluster::Spread::kHard : cluster::Spread::kSoft;
    }
    const auto number = [](const char* name, const std::string& text, std::uint64_t most, std::uint32_t& value) {
      if (text.empty()) return;
      const auto given = parse_whole(text);
      if (!given || *given > most) {
        throw Failure(std::string(name) + ": \"" + text + "\" is not a whole number up to " + std::to_string(most));
      }
      value = static_cast<std::uint32_t>(*given);
    };
    number("--periods", periods, cluster::kMostPeriods, options.periods);
    number("--exclusions", exclusions, options.apps, options.exclusions);
  }
};

class App final : public CommandLine {
 public:
  explicit App(const Console& console)
      : CommandLine(console, "Plan where long-running applications run, before they run.", help::kStowage) {
    add_plan();
    add_tradeoff();
    add_verify();
    add_moves();
    add_headroom();
    add_losses();
    add_bound();
    add_explain();
    add_planners();
    add_session();
    add_replay();
    add_convert();
    add_generate();
    add_simulate();
    add_learn();
    add_recommend();
    add_size();
    add_bench();
    add_example();
    add_moved(app(), "import");
  }

 private:
  /// A command that is in stowage-lab now. Help does not list it; using it fails and names the new spelling.
  void add_moved(CLI::App& parent, const char* name) {
    CLI::App* sub = parent.add_subcommand(name, "")->group("")->prefix_command();
    sub->set_help_flag();
    sub->set_help_all_flag();
    sub->callback([this, sub, &parent] {
      const std::string moved = (&parent == &app() ? "" : parent.get_name() + " ") + sub->get_name();
      std::string words = moved;
      for (const std::string& word : sub->remaining()) words += " " + word;
      throw Failure(moved + " moved to the command stowage-lab; run: stowage-lab " + words);
    });
  }

  /// Limits, seed and threads of planning, whatever is planned.
  static void add_limits(CLI::App* sub, RequestOptions& request, RequestTexts& texts) {
    sub->add_option("--nodes", request.node_limit, "Use at most N nodes")
        ->check(whole_number(1, kMostOf32Bits))
        ->option_text("N")
        ->default_str(kNoLimit);
    add_duration(sub, "--deadline", texts.deadline, "End a run after this time with the best plan so far")
        ->default_str("the planner's own; stowage planners NAME shows it");
    add_duration(sub, "--patience", texts.patience, "End a run that has found nothing better for this time")
        ->default_str(kNoLimit);
    sub->add_option("--seed", request.seed, "Seed of the planner's random choices")->option_text("N")->default_str("0");
    sub->add_option("--threads", request.threads,
                    "Use N threads; auto then searches from N seeds, as with --option portfolio=N")
        ->check(whole_number(1, kMostOf32Bits))
        ->option_text("N")
        ->default_str("1");
    sub->add_option("--work", request.work_limit, "End after N work units; the work that a run recorded repeats that run")
        ->check(whole_number(1, std::numeric_limits<std::uint64_t>::max()))
        ->option_text("N")
        ->default_str(kNoLimit);
    sub->add_option("--option", texts.options, "Set an option of the planner; may be given several times")
        ->option_text("NAME=NUMBER")
        ->allow_extra_args(false)
        ->default_str("the planner's own; stowage planners NAME shows them");
  }

  static void add_request(CLI::App* sub, RequestOptions& request, RequestTexts& texts) {
    sub->add_option("--planner", texts.planner, "Planner to use; stowage planners lists them")
        ->option_text("NAME")
        ->capture_default_str();
    add_limits(sub, request, texts);
    sub->add_flag("--ignore-running", request.ignore_running, "Plan running replicas as if they ran nowhere");
    sub->add_option("--moves", request.move_budget, "Move at most N running replicas")
        ->check(whole_number(0, kMostOf32Bits))
        ->option_text("N")
        ->default_str("0");
    sub->add_option("--max-cost", texts.max_cost, "Let side effects cost no replica more than C (see interference tables)")
        ->option_text("C")
        ->default_str("none");
    sub->add_option("--survive", texts.survive,
                    "Keep spare nodes so that the replicas of any lost node (node), or of all nodes with the same value of a "
                    "label (its key, such as zone), find places on the others")
        ->option_text("node|KEY")
        ->default_str("none");
    sub->add_option("--leave-free", texts.leave_free,
                    "Leave as many values of a label as possible without a replica, such as whole racks (its key: rack)")
        ->option_text("KEY")
        ->default_str("none");
    sub->add_option("--keep", texts.keep, "Keep room for N more replicas of an app; may be given several times")
        ->option_text("APP=N")
        ->allow_extra_args(false)
        ->default_str("none");
    sub->add_flag("--all-or-nothing", request.all_or_nothing,
                  "Place an application (the apps that share a tag appID:...) as a whole or not at all");
    sub->add_flag("--fill", request.fill, "Where not all replicas fit: use most capacity, instead of placing most replicas");
    sub->add_flag("--compact", request.compact, "List new nodes with equal contents once, with their number");
  }

  /// What plans are judged by.
  static void add_judgement(CLI::App* sub, RequestTexts& texts) {
    sub->add_option(
           "--objective", texts.objective,
           "Objective to minimize: nodes (or their cost); ucac, used capacity at confidence, where demand is uncertain; "
           "worst or total: what side effects cost the replica that suffers most, or all together; "
           "admitted: the applications left out, each placed as a whole or not at all; "
           "traffic: what apps on different nodes exchange with each other")
        ->option_text("nodes|ucac|worst|total|admitted|traffic")
        ->capture_default_str();
    sub->add_option("--soft", texts.soft,
                    "Soft rules count before nodes or cost (first), or only among plans that are equal otherwise (last)")
        ->option_text("first|last")
        ->default_str("first");
    sub->add_option("--soft-price", texts.soft_price,
                    "Or what a unit of violation costs, in nodes or, where prices are given, in their currency")
        ->option_text("X")
        ->default_str("none");
  }

  void add_plan() {
    CLI::App* sub = command(app(), "plan", "Plan where the replicas of an instance run", help::kPlan, [this] {
      texts_.fill(plan_.request);
      return run_plan_command(plan_, console());
    });
    add_file(sub, plan_.file);
    add_request(sub, plan_.request, texts_);
    add_judgement(sub, texts_);
    add_node(sub, plan_.node);
    add_scale(sub, plan_.scales);
    sub->add_option("-o,--output", plan_.outputs, "File to write the plan to; may be given several times")
        ->option_text("PLAN.{stow,json,csv}")
        ->allow_extra_args(false);
    add_csv_safe(sub, plan_.cells);
    add_summary(sub, plan_.summary);
  }

  void add_tradeoff() {
    CLI::App* sub = command(app(), "tradeoff", "Plan with several prices of soft violations, and list what each price buys",
                            help::kTradeoff, [this] {
                              texts_.fill(tradeoff_.request);
                              return run_tradeoff_command(tradeoff_, console());
                            });
    add_file(sub, tradeoff_.file);
    CLI::Option* prices = sub->add_option("--prices", tradeoff_.prices, "Prices of a unit of violation")
                              ->delimiter(',')
                              ->check(number_above(0))
                              ->option_text("X,Y,Z")
                              ->default_str("around what a unit costs between the ends of the curve");
    sub->add_option("--steps", tradeoff_.steps, "Number of prices, each twice the one before")
        ->check(whole_number(0, 100))
        ->excludes(prices)
        ->option_text("N")
        ->capture_default_str();
    add_request(sub, tradeoff_.request, texts_);
    add_node(sub, tradeoff_.node);
    sub->add_option("-o,--output", tradeoff_.outputs, "File to write the curve to; may be given several times")
        ->option_text("CURVE.{json,csv}")
        ->allow_extra_args(false);
    add_summary(sub, tradeoff_.summary);
  }

  void add_verify() {
    CLI::App* sub = command(app(), "verify", "Check a plan against an instance, independently of the planners", help::kVerify,
                            [this] { return run_verify_command(verify_, console()); });
    add_file(sub, verify_.file);
    sub->add_option("PLAN", verify_.plan, "The plan: .stow, .json or .csv")->required()->option_text(" ");
    add_node(sub, verify_.node);
    add_scale(sub, verify_.scales);
    add_summary(sub, verify_.summary);
  }

  void add_moves() {
    CLI::App* sub =
        command(app(), "moves", "Put the moves of a plan in an order that keeps every constraint", help::kMoves, [this] {
          const auto share = parse_share(app_share_);
          if (!share || !(*share > 0 && *share <= 1)) {
            throw Failure("--app-share: \"" + app_share_ + "\" is not a share above 0 (try \"10%\")");
          }
          moves_.app_share = *share;
          return run_moves_command(moves_, console());
        });
    add_file(sub, moves_.file);
    sub->add_option("PLAN", moves_.plan, "The plan: .stow, .json or .csv")->required()->option_text(" ");
    sub->add_option("--per-node", moves_.per_node, "At most N moves of a wave from or to the same node")
        ->check(whole_number(1, kMostOf32Bits))
        ->option_text("N")
        ->default_str(kNoLimit);
    sub->add_option("--app-share", app_share_, "At most this share of an app's replicas in a wave, but at least one")
        ->option_text("SHARE")
        ->capture_default_str();
    add_node(sub, moves_.node);
    add_summary(sub, moves_.summary);
  }

  void add_headroom() {
    CLI::App* sub = command(app(), "headroom", "Count how many more replicas of each app fit", help::kHeadroom,
                            [this] { return run_headroom_command(headroom_, console()); });
    add_file(sub, headroom_.file);
    sub->add_option("PLAN", headroom_.plan, "The plan: .stow, .json or .csv")->option_text(" ")->default_str("what runs");
    sub->add_option("--app", headroom_.app, "Only this app")->option_text("NAME")->default_str("all apps");
    sub->add_option("--most", headroom_.most, "Count at most N on one node")
        ->check(whole_number(1, 1'000'000'000))
        ->option_text("N")
        ->default_str(kNoLimit);
    add_node(sub, headroom_.node);
    add_summary(sub, headroom_.summary);
  }

  void add_losses() {
    CLI::App* sub = command(app(), "losses", "Find out which replicas have no other place if nodes are lost", help::kLosses,
                            [this] { return run_losses_command(losses_, console()); });
    add_file(sub, losses_.file);
    sub->add_option("PLAN", losses_.plan, "The plan: .stow, .json or .csv")->option_text(" ")->default_str("what runs");
    auto* label = sub->add_option("--label", losses_.label, "Nodes with the same value of this label are lost together")
                      ->option_text("KEY")
                      ->default_str("each node by itself");
    sub->add_option("--lost", losses_.lost, "Nodes that are lost together")->option_text("NODE...")->excludes(label);
    add_node(sub, losses_.node);
    add_summary(sub, losses_.summary);
  }

  void add_bound() {
    CLI::App* sub = command(app(), "bound", "Print lower bounds on the nodes and the cost of any plan", help::kBound,
                            [this] { return run_bound_command(bound_, console()); });
    add_file(sub, bound_.file);
    add_node(sub, bound_.node);
    add_scale(sub, bound_.scales);
    add_summary(sub, bound_.summary);
  }

  void add_explain() {
    CLI::App* sub = command(app(), "explain", "Explain the number of nodes of a plan, and why replicas are unplaced",
                            help::kExplain, [this] {
                              texts_.fill(explain_.request);
                              return run_explain_command(explain_, console());
                            });
    add_file(sub, explain_.file);
    sub->add_option("PLAN", explain_.plan, "The plan: .stow, .json or .csv")
        ->option_text(" ")
        ->default_str("a plan made with the options below");
    sub->add_option("--app", explain_.app, "App to explain, placed or not")
        ->option_text("NAME")
        ->default_str("all apps with unplaced replicas");
    add_request(sub, explain_.request, texts_);
    add_judgement(sub, texts_);
    add_node(sub, explain_.node);
    add_scale(sub, explain_.scales);
    add_summary(sub, explain_.summary);
  }

  void add_session() {
    CLI::App* sub = command(app(), "session", "Run a cluster over time: operations, plans and commits", help::kSession,
                            [this] { return run_session_command(session_, console()); });
    sub->add_option("FILE", session_.file, "The cluster: an instance, or a snapshot of a session")
        ->required()
        ->option_text(" ");
    sub->add_option("SCRIPT", session_.script, "The commands, one JSON object per line; - is standard input")
        ->option_text(" ")
        ->capture_default_str();
    sub->add_option("-o,--output", session_.output, "File to write a snapshot to at the end")->option_text("FILE.stow");
    add_csv_safe(sub, session_.cells);
    sub->add_flag("--stop", session_.stop, "End at the first command that is refused");
  }

  void add_replay() {
    CLI::App* sub = command(app(), "replay", "Replay a trace of applications that come and go", help::kReplay, [this] {
      texts_.fill(replay_.request);
      const auto interval = parse_duration(interval_);
      if (!interval || interval->count() <= 0)
        throw Failure("--interval: \"" + interval_ + "\" is not a duration above 0 (try \"5m\")");
      replay_.interval = static_cast<double>(interval->count()) / 1000;
      if (replay_.request.work_limit == 0 && replay_.request.deadline_ms == 0) replay_.request.work_limit = kReplayWork;
      return run_replay_command(replay_, console());
    });
    sub->add_option("FILE", replay_.file, "The cluster: an instance, whose applications run or wait from the start")
        ->required()
        ->option_text(" ");
    sub->add_option("TRACE", replay_.trace, "The trace: a CSV; - is standard input")->required()->option_text(" ");
    sub->add_option("--interval", interval_, "Time between two plans; a bare number is in seconds")
        ->option_text("TIME")
        ->capture_default_str();
    add_request(sub, replay_.request, texts_);
    add_judgement(sub, texts_);
    add_node(sub, replay_.node);
    sub->add_option("--csv", replay_.csv, "File to write a line per plan to")->option_text("FILE");
    sub->add_option("--picture", replay_.picture, "File to draw charts over time to")->option_text("FILE.svg");
    add_csv_safe(sub, replay_.cells);
    add_summary(sub, replay_.summary);
  }

  void add_planners() {
    CLI::App* sub = command(app(), "planners", "List the planners, or describe one", help::kPlanners,
                            [this] { return run_planners_command(planners_, console()); });
    sub->add_option("NAME", planners_.name, "The planner to describe")->option_text(" ")->default_str("a list of all");
    add_summary(sub, planners_.summary);
  }

  void add_convert() {
    CLI::App* sub = command(app(), "convert", "Convert instances and plans between formats", help::kConvert,
                            [this] { return run_convert_command(convert_, console()); });
    sub->add_option("FROM", convert_.from, "An instance (.stow, .json, .tsv) or a plan (.stow, .json, .csv)")
        ->required()
        ->option_text(" ");
    sub->add_option("TO", convert_.to, "The file to write; its extension names the format")->required()->option_text(" ");
    add_node(sub, convert_.node);
    add_scale(sub, convert_.scales);
    add_csv_safe(sub, convert_.cells);
    sub->add_option("--instance", convert_.instance, "Instance of the plan; required where FROM is a plan")
        ->option_text("FILE");
  }

  void add_generate() {
    CLI::App* sub = command(app(), "generate", "Generate a workload like the published ones", help::kGenerate, [this] {
      if (generate_stochastic_app_->parsed()) return run_generate_stochastic();
      if (generate_medea_app_->parsed()) return run_generate_medea();
      if (generate_cluster_app_->parsed()) return run_generate_cluster();
      if (generate_packing_app_->parsed()) return run_generate_packing_command(generate_packing_, console());
      if (generate_lras_app_->parsed()) return run_generate_lras_command(generate_lras_, console());
      if (generate_colocation_app_->parsed()) return run_generate_colocation();
      return run_generate();
    });
    generate_stochastic_app_ = sub->add_subcommand("stochastic", "Services whose usage varies, on empty or busy machines");
    add_generate_stochastic(generate_stochastic_app_);
    generate_medea_app_ = sub->add_subcommand("medea", "Applications with placement rules, for a cluster in racks");
    add_generate_medea(generate_medea_app_);
    generate_cluster_app_ = sub->add_subcommand("cluster", "Apps for priced node types in zones, with any of many features");
    add_generate_cluster(generate_cluster_app_);
    generate_packing_app_ = sub->add_subcommand("packing", "Items of published packing classes");
    add_generate_packing(generate_packing_app_);
    generate_colocation_app_ = sub->add_subcommand("colocation", "Apps of kinds that suffer from each other on shared nodes");
    add_generate_colocation(generate_colocation_app_);
    generate_lras_app_ = sub->add_subcommand("lras", "Apps and nodes of P3's simulation");
    add_generate_lras(generate_lras_app_);
    GenerateOptions& options = generate_.options;
    sub->add_option("--lras", options.apps, "Number of apps")
        ->check(whole_number(1, 10'000'000))
        ->option_text("N")
        ->default_str("the number of apps in --apps-from FILE");
    sub->add_option("--density", density_, "Affinity limits per app, divided by the number of apps")
        ->option_text("1%|0.01")
        ->default_str(kRequired);
    sub->add_option("--graph", graph_, "Kind of affinity graph")
        ->option_text("arbitrary|normal|threshold")
        ->capture_default_str();
    sub->add_flag("--profile", options.profile, "Demand over 98 periods instead of its rounded maximum");
    CLI::Option* independent = sub->add_flag("--independent-replicas", options.independent_replicas,
                                             "Draw replicas independently of sizes, as P0 did for 10,000 apps and more; "
                                             "otherwise large apps have more replicas; not with "
                                             "--apps-from");
    independent->option_text(" ");
    sub->add_option("--apps-from", generate_.apps_file,
                    "Instance to take the apps from, as P0 did; where --lras differs from its number of apps, each app has the "
                    "demand of a random one and the replicas of another")
        ->excludes(independent)
        ->option_text("FILE");
    sub->add_option("--seed", options.seed, "Seed; the same seed gives the same workload on every platform")
        ->option_text("N")
        ->capture_default_str();
    sub->add_option("--node", options.node, "Capacity of the nodes")->option_text("cores=64,memory=128")->capture_default_str();
    sub->add_option("-o,--output", generate_.output, "File to write: .stow, .json or .tsv")
        ->option_text("FILE")
        ->default_str(kRequired);
  }

  void add_generate_stochastic(CLI::App* sub) {
    sub->footer(help::kGenerateStochastic);
    stochastic::ClusterOptions& options = generate_stochastic_.options;
    sub->add_option("--services", options.services, "Number of services")
        ->required()
        ->check(whole_number(1, 1'000'000))
        ->option_text("K");
    sub->add_option("--alpha", alpha_, "Probability that a machine's capacity holds")->required()->option_text("99.9%|0.999");
    sub->add_option("--case", case_, "Empty machines, or busy ones before a batch grows or shrinks the services")
        ->option_text("empty|scale-up|scale-down")
        ->capture_default_str();
    sub->add_option("--nodes", options.machines, "Number of machines, of 31.58 cores each")
        ->check(whole_number(1, 10'000'000))
        ->option_text("N")
        ->capture_default_str();
    sub->add_option("--layout", options.layout, "Planner of the initial layout of busy machines")
        ->option_text("PLANNER")
        ->capture_default_str();
    sub->add_option("--seed", options.seed, "Seed; the same seed gives the same workload")
        ->option_text("N")
        ->capture_default_str();
    sub->add_option("-o,--output", generate_stochastic_.output, "File to write: .stow or .json")
        ->required()
        ->option_text("FILE");
  }

  void add_generate_medea(CLI::App* sub) {
    sub->footer(help::kGenerateMedea);
    medea::ClusterOptions& options = generate_medea_.options;
    sub->add_option("--nodes", options.nodes, "Number of nodes, of 8 cores and 16 GiB each")
        ->check(whole_number(1, 1'000'000))
        ->option_text("N")
        ->capture_default_str();
    sub->add_option("--racks", options.racks, "Number of racks")
        ->check(whole_number(1, 1'000'000))
        ->option_text("N")
        ->capture_default_str();
    sub->add_option("--utilization", utilization_, "Share of the cores that the applications request")
        ->required()
        ->option_text("30%|0.3");
    sub->add_option("--tasks", tasks_, "Share of the cores that running tasks use")->option_text("20%|0.2")->default_str("0");
    sub->add_option("--complexity", options.complexity, "Number of HBase instances that share a rule")
        ->check(whole_number(1, 1'000))
        ->option_text("N")
        ->capture_default_str();
    sub->add_flag("--tensorflow", options.tensorflow, "Every second application is TensorFlow instead of HBase");
    sub->add_option("--seed", options.seed, "Seed; the same seed gives the same tasks")
        ->option_text("N")
        ->capture_default_str();
    sub->add_option("-o,--output", generate_medea_.output, "File to write: .stow or .json")->required()->option_text("FILE");
  }

  /// A share that a feature has where the option stands without one. Without the option the feature is off.
  static void add_feature(CLI::App* sub, const char* name, std::string& text, const char* summary, double usual) {
    sub->add_option(name, text, summary)->expected(0, 1)->option_text("[SHARE]")->default_str(for_people(usual * 100) + "%");
  }

  void add_generate_cluster(CLI::App* sub) {
    sub->footer(help::kGenerateCluster);
    cluster::Options& options = generate_cluster_.options;
    ClusterTexts& texts = cluster_texts_;
    sub->add_option("--apps", options.apps, "Number of apps")
        ->check(whole_number(1, 10'000'000))
        ->option_text("N")
        ->capture_default_str();
    sub->add_option("--zones", options.zones, "Number of zones, each with all node types")
        ->check(whole_number(1, cluster::kMostZones))
        ->option_text("N")
        ->capture_default_str();
    sub->add_option("--classes", texts.classes, "Node types: six with prices, or one without")
        ->option_text("one|six")
        ->capture_default_str();
    sub->add_option("--features", texts.features, "Features with their usual strength; options below override it")
        ->option_text("A+B")
        ->default_str("none");
    add_feature(sub, "--limits", texts.limits, "Share of the apps with at most one replica per node", cluster::kLimits);
    add_feature(sub, "--selectors", texts.selectors, "Share of the apps that need the architecture x86", cluster::kSelectors);
    sub->add_option("--spread", texts.spread,
                    "Half of the apps with several replicas spread over zones, with a skew of 1 at most")
        ->option_text("hard|soft")
        ->default_str("none");
    add_feature(sub, "--soft-apart", texts.soft_apart, "Share of the apps that prefer one replica per node",
                cluster::kSoftApart);
    sub->add_flag("--continuous", options.continuous, "Demands that are no round numbers");
    sub->add_option("--periods", texts.periods, "Periods of a day over which CPU varies")
        ->check(whole_number(1, cluster::kMostPeriods))
        ->option_text("N")
        ->default_str("1");
    add_feature(sub, "--uncertain", texts.uncertain, "Standard deviation of CPU as a share of its mean, at 99 % confidence",
                cluster::kDeviation);
    sub->add_option("--exclusions", texts.exclusions, "Other apps with which an app shares no node, on average")
        ->option_text("N")
        ->default_str("0");
    add_feature(sub, "--near", texts.near, "Share of the apps that need another app on each of their nodes", cluster::kNear);
    add_feature(sub, "--gather", texts.gather, "Share of the apps in groups that stay in one zone", cluster::kGather);
    sub->add_option("--priorities", options.priorities, "Number of different priorities")
        ->check(whole_number(1, 1'000'000))
        ->option_text("N")
        ->capture_default_str();
    sub->add_option("--running", options.running,
                    "All replicas run already, on nodes of this cost relative to the capacity bound")
        ->check(number_between(1.0, 100.0))
        ->option_text("1.5")
        ->default_str("nothing runs");
    sub->add_option("--seed", options.seed, "Seed; the same seed gives the same cluster on every platform")
        ->option_text("N")
        ->capture_default_str();
    sub->add_option("-o,--output", generate_cluster_.output, "File to write: .stow or .json")->required()->option_text("FILE");
  }

  void add_generate_packing(CLI::App* sub) {
    sub->footer(help::kGeneratePacking);
    packing::Options& options = generate_packing_.options;
    sub->add_option("--class", options.of, "Class of instances")->required()->option_text("u|t|ct1..ct10");
    sub->add_option("--items", options.items, "Number of items")
        ->required()
        ->check(whole_number(1, 10'000'000))
        ->option_text("N");
    sub->add_option("--dims", options.dims, "Number of dimensions")
        ->check(whole_number(1, packing::kMostDims))
        ->option_text("D")
        ->default_str("as published");
    sub->add_flag("--merge", options.merge, "Equal items are replicas of one app");
    sub->add_option("--seed", options.seed, "Seed; the same seed gives the same items on every platform")
        ->option_text("N")
        ->capture_default_str();
    sub->add_option("-o,--output", generate_packing_.output, "File to write: .stow or .json")->required()->option_text("FILE");
  }

  void add_generate_colocation(CLI::App* sub) {
    sub->footer(help::kGenerateColocation);
    colocation::Options& options = generate_colocation_.options;
    sub->add_option("--class", options.of, "Class of coefficients")
        ->option_text("compatible|incompatible|clashing|mixed")
        ->capture_default_str();
    sub->add_option("--apps", options.apps, "Number of apps")->required()->check(whole_number(1, 10'000'000))->option_text("N");
    sub->add_option("--nodes", options.nodes, "Number of nodes")
        ->required()
        ->check(whole_number(1, 10'000'000))
        ->option_text("M");
    sub->add_option("--kinds", options.kinds, "Number of kinds")
        ->check(whole_number(1, 1'000))
        ->option_text("K")
        ->capture_default_str();
    sub->add_option("--fill", fill_, "Share of the nodes' capacity that the load takes")
        ->option_text("95%|0.95")
        ->default_str("no capacity binds");
    sub->add_option("--seed", options.seed, "Seed; the same seed gives the same apps on every platform")
        ->option_text("N")
        ->capture_default_str();
    sub->add_option("-o,--output", generate_colocation_.output, "File to write: .stow or .json")
        ->required()
        ->option_text("FILE");
  }

  void add_generate_lras(CLI::App* sub) {
    sub->footer(help::kGenerateLras);
    lras::Options& options = generate_lras_.options;
    sub->add_option("--apps", options.apps, "Number of apps")->required()->check(whole_number(1, 10'000'000))->option_text("N");
    sub->add_option("--nodes", options.nodes, "Number of nodes")
        ->required()
        ->check(whole_number(1, 1'000'000))
        ->option_text("M");
    sub->add_option("--dims", options.dims, "Number of resources")
        ->check(whole_number(1, lras::kMostDims))
        ->option_text("D")
        ->capture_default_str();
    sub->add_option("--containers", options.containers, "Most containers of an app")
        ->check(whole_number(1, 1'000))
        ->option_text("C")
        ->capture_default_str();
    sub->add_option("--scale", options.scale, "Factor of the sizes of containers")->option_text("S")->capture_default_str();
    sub->add_flag("--add", options.add, "Nodes of size 1 may be added, at a price of 1; the others cost nothing");
    sub->add_option("--seed", options.seed, "Seed; the same seed gives the same apps on every platform")
        ->option_text("N")
        ->capture_default_str();
    sub->add_option("-o,--output", generate_lras_.output, "File to write: .stow or .json")->required()->option_text("FILE");
  }

  int run_generate() {
    // Required here and not by the parser, which would ask for them beside a subcommand as well.
    for (const auto& [option, given] : {std::pair{"--lras", generate_.options.apps > 0 || generate_.apps_file},
                                        {"--density", !density_.empty()},
                                        {"--output", !generate_.output.empty()}}) {
      if (!given) throw Failure(std::string(option) + " is required; see stowage generate --help");
    }
    const auto density = parse_share(density_);
    if (!density) throw Failure("--density: \"" + density_ + "\" is not a share (try \"1%\" or \"0.01\")");
    generate_.options.density = *density;
    generate_.options.graph = parse_graph(graph_);
    return run_generate_command(generate_, console());
  }

  int run_generate_stochastic() {
    generate_stochastic_.options.confidence = parse_confidence("--alpha", alpha_);
    generate_stochastic_.options.of = stochastic::parse_case(case_);
    return run_generate_stochastic_command(generate_stochastic_, console());
  }

  int run_generate_medea() {
    const auto share = [](const std::string& option, const std::string& text) {
      const auto value = parse_share(text);
      if (!value || *value > 1) throw Failure(option + ": \"" + text + "\" is not a share (try \"30%\" or \"0.3\")");
      return *value;
    };
    generate_medea_.utilization = share("--utilization", utilization_);
    if (!tasks_.empty()) generate_medea_.options.task_load = share("--tasks", tasks_);
    return run_generate_medea_command(generate_medea_, console());
  }

  int run_generate_colocation() {
    if (!fill_.empty()) {
      const auto fill = parse_share(fill_);
      if (!fill || *fill <= 0 || *fill > 1) {
        throw Failure("--fill: \"" + fill_ + "\" is not a share above 0 (try \"95%\" or \"0.95\")");
      }
      generate_colocation_.options.fill = *fill;
    }
    return run_generate_colocation_command(generate_colocation_, console());
  }

  int run_generate_cluster() {
    cluster_texts_.fill(generate_cluster_.options);
    return run_generate_cluster_command(generate_cluster_, console());
  }

  void add_simulate() {
    CLI::App* sub = command(app(), "simulate", "Draw the usage of replicas, and count how often nodes are exceeded",
                            help::kSimulate, [this] {
                              simulate_.options.model = stochastic::parse_usage_model(usage_);
                              return run_simulate_command(simulate_, console());
                            });
    add_file(sub, simulate_.file);
    sub->add_option("PLAN", simulate_.plan, "The plan: .stow, .json or .csv")->required()->option_text(" ");
    stochastic::SimulationOptions& options = simulate_.options;
    sub->add_option("--samples", options.samples, "Number of samples; each draws the usage of all replicas")
        ->check(whole_number(1, 100'000'000))
        ->option_text("N")
        ->capture_default_str();
    sub->add_option("--usage", usage_,
                    "Gaussian usage outside of its range: drawn again (truncated), moved to the range's end (clamped), or kept")
        ->option_text("truncated|clamped|gaussian")
        ->capture_default_str();
    sub->add_option("--measured", simulate_.measured, "CSV with measured usage: app,usage or app,resource,usage")
        ->option_text("FILE");
    sub->add_option("--seed", options.seed, "Seed of the draws")->option_text("N")->capture_default_str();
    sub->add_option("--threads", options.threads, "Use N threads; the numbers do not depend on it")
        ->check(whole_number(1, 1'000))
        ->option_text("N")
        ->default_str("one per processor");
    sub->add_option("--csv", simulate_.csv, "File to write a line per node to")->option_text("FILE");
    add_csv_safe(sub, simulate_.cells);
    add_node(sub, simulate_.node);
    add_summary(sub, simulate_.summary);
  }

  void add_learn() {
    CLI::App* learn = command(app(), "learn", "Learn from measurements what plans need to know", help::kLearn, [this] {
      // The action of a command takes the place of that of its subcommand.
      const bool interference = app().get_subcommand("learn")->got_subcommand("interference");
      return interference ? run_learn_interference() : run_learn_profiles_command(learn_profiles_, console());
    });
    learn->require_subcommand(0, 1);
    learn->add_option("PROFILES", learn_profiles_.file, "Profiles of apps to learn sizes from: a CSV; - is standard input")
        ->option_text(" ")
        ->default_str(kRequired);
    learn->add_option("-o,--output", learn_profiles_.output, "File to write the model to")
        ->option_text("FILE")
        ->default_str(kRequired);
    CLI::App* sub = command(*learn, "interference", "Learn how much kinds of apps slow each other down",
                            help::kLearnInterference, [this] { return run_learn_interference(); });
    learn::FitOptions& options = learn_interference_.options;
    sub->add_option("FILE", learn_interference_.file, "The observations: a CSV; - is standard input")
        ->required()
        ->option_text(" ");
    add_into(sub, learn_interference_.into, learn_interference_.output,
             "Instance to write the coefficients into, whose apps have kinds");
    sub->add_option("--errors", errors_, "Errors of observations grow with their costs, or do not")
        ->option_text("relative|absolute")
        ->capture_default_str();
    sub->add_flag("--baseline", options.model.baseline, "Part of each kind's cost is there without any load");
    sub->add_option("--max-condition", options.max_condition,
                    "Refuse loads that are more alike than this condition number says")
        ->check(number_between(1.0, 1e6))
        ->option_text("X")
        ->capture_default_str();
    add_summary(sub, learn_interference_.summary);
  }

  int run_learn_interference() {
    if (errors_ != "relative" && errors_ != "absolute")
      throw Failure("--errors: \"" + errors_ + "\" is neither relative nor absolute");
    learn_interference_.options.model.relative = errors_ == "relative";
    return run_learn_interference_command(learn_interference_, console());
  }

  void add_recommend() {
    CLI::App* sub = command(app(), "recommend", "Recommend sizes from a model and a few samples", help::kRecommend,
                            [this] { return run_recommend_command(recommend_, console()); });
    RecommendCommand& recommend = recommend_;
    sub->add_option("MODEL", recommend.model, "The model that stowage learn wrote")->required()->option_text(" ");
    sub->add_option("SAMPLES", recommend.file, "Samples of the apps: a CSV; - is standard input")->required()->option_text(" ");
    CLI::Option* goal =
        sub->add_option("--goal", recommend.goal, "Performance to reach, of 1")->option_text("0.9")->default_str("none");
    sub->add_option("--latency-goal", recommend.latency_goal, "Latency in ms not to exceed")
        ->excludes(goal)
        ->option_text("MS")
        ->default_str("none");
    sub->add_option("--confidence", recommend.confidence, "Probability with which the goal is to be met")
        ->option_text("80%")
        ->default_str("80%");
    sub->add_option("--cost", recommend.cost, "What one unit of each resource costs")
        ->option_text("cpu=1,memory=.5")
        ->default_str("each resource 1 for its largest amount");
    sub->add_flag("--keep-size", recommend.keep_size, "Keep what apps ask for (columns asked_...); choose collocation alone");
    add_into(sub, recommend.into, recommend.output,
             "Instance to write the recommendations into: sizes as demand, collocation as max_per_node");
    add_summary(sub, recommend.summary);
  }

  static void add_into(CLI::App* sub, std::optional<std::string>& into, std::optional<std::string>& output, const char* what) {
    sub->add_option("--into", into, what)->option_text("INSTANCE");
    sub->add_option("-o,--output", output, "File to write that instance to: .stow or .json")
        ->option_text("FILE")
        ->default_str("INSTANCE itself");
  }

  void add_size() {
    CLI::App* sub = command(app(), "size", "Size replicas by what they used", help::kSize,
                            [this] { return run_size_command(size_, console()); });
    sub->add_option("USAGE", size_.file, "The usage of replicas over time: a CSV; - is standard input")
        ->required()
        ->option_text(" ");
    const auto add = [sub](learn::PerResource& option, const char* text, const char* what) {
      sub->add_option(option.option, option.given, what)->option_text(text)->default_str(option.otherwise);
    };
    learn::SizeTexts& texts = size_.texts;
    add(texts.percentile, "95%,NAME=98%", "Cover this share of the usage, by weight; NAME is a resource, here and below");
    add(texts.half_life, "12h", "Time in which the weight of usage halves; none = all counts the same");
    add(texts.peaks, "24h", "Count the largest usage of each replica in each such time, in place of every sample");
    add(texts.margin, "15%", "Add this share to usage");
    add(texts.bump, "NAME=1.2", "Count usage at which a replica was killed (oom) so many times");
    add(texts.floor, "X", "Recommend at least this");
    add(texts.ceiling, "X", "Recommend at most this");
    sub->add_option("--periods", size_.periods, "Find demand for N periods of the cycle")
        ->check(whole_number(1, 10'000))
        ->option_text("N")
        ->capture_default_str();
    sub->add_option("--cycle", size_.cycle, "Time after which the periods repeat; all = the whole history")
        ->option_text("24h|all")
        ->capture_default_str();
    sub->add_flag("--uncertain{all}", texts.uncertain,
                  "Find mean and variance, for plans with a confidence, of all resources; =cpu,NAME of some");
    sub->add_option("--confidence", size_.confidence, "With --uncertain --into: how surely capacities hold")
        ->option_text("99%")
        ->default_str("as INSTANCE says, or 99%");
    add_into(sub, size_.into, size_.output, "Instance to write the sizes into, as demand of the apps of these names");
    add_summary(sub, size_.summary);
  }

  void add_bench() {
    CLI::App* sub = command(app(), "bench", "Compare planners: nodes, gap, time and memory", help::kBench, [this] {
      texts_.fill(bench_.request);
      return run_bench_command(bench_, console());
    });
    for (const char* name : {"paper", "stochastic", "medea"}) add_moved(*sub, name);
    sub->add_option("FILES", bench_.files, "Instances")->option_text(" ");
    sub->add_option("--generate", bench_.generate, "Instance to generate; may be given several times")
        ->option_text("lras=N,density=D,graph=G,seed=S[,profile][,independent-replicas]")
        ->allow_extra_args(false)
        ->default_str("none; of its parts: graph=arbitrary,seed=0");
    sub->add_option("--planners", bench_.planners, "Planners to compare")
        ->delimiter(',')
        ->option_text("A,B,C")
        ->default_str(kRequired);
    sub->add_option("--repeat", bench_.repeat, "Runs per planner and instance")
        ->check(whole_number(1, 1'000'000))
        ->option_text("N")
        ->capture_default_str();
    add_limits(sub, bench_.request, texts_);
    add_node(sub, bench_.node);
    sub->add_option("--csv", bench_.csv, "File to write the table to")->option_text("FILE");
    add_csv_safe(sub, bench_.cells);
    add_summary(sub, bench_.summary);
  }

  void add_example() {
    CLI::App* sub = command(app(), "example", "Print a small workload to start from", help::kExample,
                            [this] { return run_example_command(example_, console()); });
    sub->add_option("-o,--output", example_.output, "File to write it to; - is standard output")
        ->option_text("FILE")
        ->capture_default_str();
  }

  [[nodiscard]] std::vector<std::string> known_values(const std::string& option) const override {
    std::vector<std::string> names;
    if (option != "--planner" && option != "NAME" && option != "--layout") return CommandLine::known_values(option);
    const Catalogue catalogue = planner_catalogue();
    for (const wire::PlannerInfo* planner : *catalogue.root().planners()) names.push_back(planner->name()->str());
    return names;
  }

  RequestTexts texts_;
  PlanCommand plan_;
  TradeoffCommand tradeoff_;
  VerifyCommand verify_;
  MovesCommand moves_;
  std::string app_share_ = "100%";
  HeadroomCommand headroom_;
  LossesCommand losses_;
  BoundCommand bound_;
  ExplainCommand explain_;
  PlannersCommand planners_;
  SessionCommandLine session_;
  ReplayCommand replay_;
  std::string interval_ = "60s";
  ConvertCommand convert_;
  GenerateCommand generate_;
  std::string density_;
  std::string graph_ = "arbitrary";
  CLI::App* generate_stochastic_app_ = nullptr;
  GenerateStochasticCommand generate_stochastic_;
  std::string alpha_;
  std::string case_ = "empty";
  CLI::App* generate_medea_app_ = nullptr;
  GenerateMedeaCommand generate_medea_;
  std::string utilization_;
  std::string tasks_;
  CLI::App* generate_cluster_app_ = nullptr;
  GenerateClusterCommand generate_cluster_;
  ClusterTexts cluster_texts_;
  CLI::App* generate_packing_app_ = nullptr;
  GeneratePackingCommand generate_packing_;
  CLI::App* generate_lras_app_ = nullptr;
  GenerateLrasCommand generate_lras_;
  CLI::App* generate_colocation_app_ = nullptr;
  GenerateColocationCommand generate_colocation_;
  std::string fill_;
  SimulateCommand simulate_;
  std::string usage_ = "truncated";
  LearnInterferenceCommand learn_interference_;
  LearnProfilesCommand learn_profiles_;
  RecommendCommand recommend_;
  SizeCommand size_;
  std::string errors_ = "relative";
  BenchCommand bench_;
  ExampleCommand example_;
};

}  // namespace

int run_app(const std::vector<std::string>& arguments, const Console& console) {
  return run_reporting(console, [&] { return App(console).run(arguments); });
}

}  // namespace stowage::cli
