#include "capi/cli/app.h"

#include <limits>
#include <utility>

#include "capi/cli/command_line.h"
#include "capi/cli/commands/commands.h"
#include "capi/cli/formats/plan_file.h"
#include "capi/cli/help.h"
#include "capi/cli/usage/values.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/printable.h"
#include "capi/text/base/quantities.h"
#include "capi/text/formats/words.h"

namespace stowage::cli {
namespace {

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
  std::vector<std::string> goals;

  void fill(RequestOptions& request) const {
    request.planner = planner;
    const auto found = find_word<wire::Objective>(objective);
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
    for (const std::string& level : goals) request.named_goals.push_back(goal_in_words(level));
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
      const auto found = find_word<wire::SoftPolicy>(soft);
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
    add_sizes();
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
    add_k8s();
    add_example();
    add_schema();
    add_words();
    add_moved(app(), "import");
  }

 private:
  /// Its options are those of the program stowage-k8s, which the library reads.
  void add_k8s() {
    CLI::App* sub =
        command(app(), "k8s", "Answer questions about a Kubernetes cluster: what fits, what nodes are needed, which can go",
                help::kK8s, [this] { return run_k8s_command(k8s_->remaining(), console()); });
    sub->prefix_command();
    sub->set_help_flag();
    k8s_ = sub;
  }

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
    option(sub, "--nodes", request.node_limit, "Use at most N nodes", "N", kNoLimit, whole_number(1, kMostOf32Bits));
    add_duration(sub, "--deadline", texts.deadline, "End a run after this time with the best plan so far")
        ->default_str("the planner's own; stowage planners NAME shows it");
    add_duration(sub, "--patience", texts.patience, "End a run that has found nothing better for this time")
        ->default_str(kNoLimit);
    option(sub, "--seed", request.seed, "Seed of the planner's random choices", "N", "0");
    option(sub, "--threads", request.threads, "Use N threads; auto then searches from N seeds, as with --option portfolio=N",
           "N", "1", whole_number(1, kMostOf32Bits));
    option(sub, "--work", request.work_limit, "End after N work units; the work that a run recorded repeats that run", "N",
           kNoLimit, whole_number(1, std::numeric_limits<std::uint64_t>::max()));
    option(sub, "--option", texts.options, "Set an option of the planner; may be given several times", "NAME=NUMBER",
           "the planner's own; stowage planners NAME shows them")
        ->allow_extra_args(false);
  }

  static void add_request(CLI::App* sub, RequestOptions& request, RequestTexts& texts) {
    option(sub, "--planner", texts.planner, "Planner to use; stowage planners lists them", "NAME", kOwn);
    add_limits(sub, request, texts);
    sub->add_flag("--ignore-running", request.ignore_running, "Plan running replicas as if they ran nowhere");
    option(sub, "--moves", request.move_budget, "Move at most N running replicas", "N", "0", whole_number(0, kMostOf32Bits));
    option(sub, "--max-cost", texts.max_cost, "Let side effects cost no replica more than C (see interference tables)", "C",
           "none");
    option(sub, "--survive", texts.survive,
           "Keep spare nodes so that the replicas of any lost node (node), or of all nodes with the same value of a "
           "label (its key, such as zone), find places on the others",
           "node|KEY", "none");
    option(sub, "--leave-free", texts.leave_free,
           "Leave as many values of a label as possible without a replica, such as whole racks (its key: rack)", "KEY", "none");
    option(sub, "--keep", texts.keep, "Keep room for N more replicas of an app; may be given several times", "APP=N", "none")
        ->allow_extra_args(false);
    sub->add_flag("--all-or-nothing", request.all_or_nothing,
                  "Place an application (the apps that share a tag appID:...) as a whole or not at all");
    sub->add_flag("--fill", request.fill, "Where not all replicas fit: use most capacity, instead of placing most replicas");
    sub->add_flag("--compact", request.compact, "List new nodes with equal contents once, with their number");
  }

  /// What plans are judged by.
  static void add_judgement(CLI::App* sub, RequestTexts& texts) {
    option(sub, "--objective", texts.objective,
           "Objective to minimize: nodes (or their cost); ucac, used capacity at confidence, where demand is uncertain; "
           "worst or total: what side effects cost the replica that suffers most, or all together; "
           "admitted: the applications left out, each placed as a whole or not at all; "
           "traffic: what apps on different nodes exchange with each other",
           "nodes|ucac|worst|total|admitted|traffic", kOwn);
    option(sub, "--soft", texts.soft,
           "Soft rules count before nodes or cost (first), or only among plans that are equal otherwise (last)", "first|last",
           "first");
    option(sub, "--soft-price", texts.soft_price,
           "Or what a unit of violation costs, in nodes or, where prices are given, in their currency", "X", "none");
    option(sub, "--goal", texts.goals,
           "Instead of these: what to minimize, may be given several times, the most important goal first; later ones worsen "
           "it by at most its tolerance. NAME is one of " +
               all_words<wire::GoalKind>() + "; goals with a comma between them count together",
           "NAME[:RESOURCE][*WEIGHT][,...][~TOLERANCE]", "none")
        ->allow_extra_args(false);
  }

  [[nodiscard]] std::size_t parse_shown() const {
    if (shown_.empty()) return kShownNodes;
    if (shown_ == "all") return std::numeric_limits<std::size_t>::max();
    const auto lines = parse_whole(shown_);
    if (!lines) throw Failure("--show: \"" + printable(shown_) + "\" is neither a whole number nor \"all\"");
    return *lines;
  }

  void add_plan() {
    CLI::App* sub = command(app(), "plan", "Plan where the replicas of an instance run", help::kPlan, [this] {
      texts_.fill(plan_.request);
      plan_.shown = parse_shown();
      return run_plan_command(plan_, console());
    });
    add_file(sub, plan_.file);
    add_request(sub, plan_.request, texts_);
    add_judgement(sub, texts_);
    add_node(sub, plan_.node);
    add_scale(sub, plan_.scales);
    option(sub, "-o,--output", plan_.outputs,
           "File to write the plan to; may be given several times. - is standard output; the answer then goes to standard "
           "error",
           "PLAN.{stow,json,csv,html,svg}")
        ->allow_extra_args(false);
    add_format(sub, plan_.format, plan_formats());
    add_csv_safe(sub, plan_.cells);
    option(sub, "--show", shown_, "Lines of the table of nodes; 0: no table", "N|all", std::to_string(kShownNodes));
    sub->add_flag("-v,--verbose", plan_.verbose,
                  "Tell how the plan was found: planner, seed, work, bounds by name, and all notes");
    sub->add_flag("--trace", plan_.request.trace, "Tell what the parts of the search did: calls, gains and units of work");
    add_summary(sub, plan_.summary);
  }

  void add_tradeoff() {
    CLI::App* sub = command(app(), "tradeoff", "Plan with several prices of soft violations, and list what each price buys",
                            help::kTradeoff, [this] {
                              texts_.fill(tradeoff_.request);
                              return run_tradeoff_command(tradeoff_, console());
                            });
    add_file(sub, tradeoff_.file);
    CLI::Option* prices = list_option(sub, "--prices", tradeoff_.prices, "Prices of a unit of violation", "X,Y,Z",
                                      "around what a unit costs between the ends of the curve", number_above(0));
    option(sub, "--steps", tradeoff_.steps, "Number of prices, each twice the one before", "N", kOwn, whole_number(0, 100))
        ->excludes(prices);
    add_request(sub, tradeoff_.request, texts_);
    add_node(sub, tradeoff_.node);
    option(sub, "-o,--output", tradeoff_.outputs, "File to write the curve to; may be given several times", "CURVE.{json,csv}")
        ->allow_extra_args(false);
    add_format(sub, tradeoff_.format, table_formats());
    add_summary(sub, tradeoff_.summary);
  }

  void add_sizes() {
    CLI::App* sub = command(app(), "sizes", "Plan on each node class alone, and compare nodes and cost", help::kSizes, [this] {
      texts_.fill(sizes_.request);
      return run_sizes_command(sizes_, console());
    });
    add_file(sub, sizes_.file);
    add_request(sub, sizes_.request, texts_);
    sub->get_option("--deadline")->default_str("10s for all plans together");
    add_node(sub, sizes_.node);
    add_scale(sub, sizes_.scales);
    option(sub, "-o,--output", sizes_.outputs, "File to write the table to; may be given several times", "SIZES.{json,csv}")
        ->allow_extra_args(false);
    add_format(sub, sizes_.format, table_formats());
    add_summary(sub, sizes_.summary);
  }

  void add_verify() {
    CLI::App* sub = command(app(), "verify", "Check a plan against an instance, independently of the planners", help::kVerify,
                            [this] { return run_verify_command(verify_, console()); });
    add_file(sub, verify_.file);
    option(sub, "PLAN", verify_.plan, "The plan: .stow, .json or .csv", " ")->required();
    sub->add_flag("--complete", verify_.complete, "Exit with 2 where replicas have no place, too");
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
    option(sub, "PLAN", moves_.plan, "The plan: .stow, .json or .csv", " ")->required();
    option(sub, "--per-node", moves_.per_node, "At most N moves of a wave from or to the same node", "N", kNoLimit,
           whole_number(1, kMostOf32Bits));
    option(sub, "--app-share", app_share_, "At most this share of an app's replicas in a wave, but at least one", "SHARE",
           kOwn);
    add_node(sub, moves_.node);
    add_summary(sub, moves_.summary);
  }

  void add_headroom() {
    CLI::App* sub = command(app(), "headroom", "Count how many more replicas of each app fit", help::kHeadroom,
                            [this] { return run_headroom_command(headroom_, console()); });
    add_file(sub, headroom_.file);
    option(sub, "PLAN", headroom_.plan, "The plan: .stow, .json or .csv", " ", "what runs");
    option(sub, "--app", headroom_.app, "Only this app", "NAME", "all apps");
    option(sub, "--most", headroom_.most, "Count at most N on one node", "N", kNoLimit, whole_number(1, 1'000'000'000));
    add_node(sub, headroom_.node);
    add_summary(sub, headroom_.summary);
  }

  void add_losses() {
    CLI::App* sub = command(app(), "losses", "Find out which replicas have no other place if nodes are lost", help::kLosses,
                            [this] { return run_losses_command(losses_, console()); });
    add_file(sub, losses_.file);
    option(sub, "PLAN", losses_.plan, "The plan: .stow, .json or .csv", " ", "what runs");
    auto* label = option(sub, "--label", losses_.label, "Nodes with the same value of this label are lost together", "KEY",
                         "each node by itself");
    option(sub, "--lost", losses_.lost, "Nodes that are lost together", "NODE...")->excludes(label);
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
    CLI::App* sub = command(app(), "explain", "Explain the cost or the nodes of a plan, and why replicas are unplaced",
                            help::kExplain, [this] {
                              texts_.fill(explain_.request);
                              return run_explain_command(explain_, console());
                            });
    add_file(sub, explain_.file);
    option(sub, "PLAN", explain_.plan, "The plan: .stow, .json or .csv", " ", "a plan made with the options below");
    option(sub, "--app", explain_.app, "App to explain, placed or not", "NAME", "all apps with unplaced replicas");
    add_request(sub, explain_.request, texts_);
    add_judgement(sub, texts_);
    add_node(sub, explain_.node);
    add_scale(sub, explain_.scales);
    add_summary(sub, explain_.summary);
  }

  void add_session() {
    CLI::App* sub = command(app(), "session", "Run a cluster over time: operations, plans and commits", help::kSession,
                            [this] { return run_session_command(session_, console()); });
    option(sub, "FILE", session_.file, "The cluster: an instance, or a snapshot of a session", " ")->required();
    option(sub, "SCRIPT", session_.script, "The commands, one JSON object per line; - is standard input", " ", kOwn);
    option(sub, "-o,--output", session_.output, "File to write a snapshot to at the end", "FILE.stow");
    add_csv_safe(sub, session_.cells);
    sub->add_flag("--stop", session_.stop, "End at the first command that is refused");
    sub->add_option_function<std::string>(
           "--summary",
           [this](const std::string& word) { session_.summary = word == "json" ? Summary::kJson : Summary::kText; },
           "Say at the end what came of it: as text on standard error, or as one more object")
        ->transform(one_of({"text", "json"}))
        ->option_text("text|json")
        ->default_str("none");
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
    option(sub, "FILE", replay_.file, "The cluster: an instance, whose applications run or wait from the start", " ")
        ->required();
    option(sub, "TRACE", replay_.trace, "The trace: a CSV; - is standard input", " ")->required();
    option(sub, "--interval", interval_, "Time between two plans; a bare number is in seconds", "TIME", kOwn);
    add_request(sub, replay_.request, texts_);
    add_judgement(sub, texts_);
    add_node(sub, replay_.node);
    option(sub, "--csv", replay_.csv, "File to write a line per plan to", "FILE");
    option(sub, "--picture", replay_.picture, "File to draw charts over time to", "FILE.svg");
    add_csv_safe(sub, replay_.cells);
    add_summary(sub, replay_.summary);
  }

  void add_planners() {
    CLI::App* sub = command(app(), "planners", "List the planners, or describe one", help::kPlanners,
                            [this] { return run_planners_command(planners_, console()); });
    option(sub, "NAME", planners_.name, "The planner to describe", " ", "a list of all");
    add_summary(sub, planners_.summary);
  }

  void add_convert() {
    CLI::App* sub = command(app(), "convert", "Convert instances and plans between formats", help::kConvert,
                            [this] { return run_convert_command(convert_, console()); });
    option(sub, "FROM", convert_.from, "An instance (.stow, .json, .tsv) or a plan (.stow, .json, .csv)", " ")->required();
    option(sub, "TO", convert_.to,
           "The file to write, whose extension names the format; a folder, for tables of an instance; - is standard output",
           " ")
        ->required();
    add_node(sub, convert_.node);
    add_scale(sub, convert_.scales);
    add_csv_safe(sub, convert_.cells);
    add_format(sub, convert_.format, {"files", {"stow", "json", "yaml", "tsv", "csv", "html", "svg"}, "json"});
    option(sub, "--instance", convert_.instance, "Instance of the plan; required where FROM is a plan", "FILE");
    add_summary(sub, convert_.summary);
  }

  /// A kind of generated instances; make() returns one of the command's.
  template <class Make>
  CLI::App* generator(CLI::App* parent, const char* name, const char* summary, const char* footer, Make make) {
    return command(*parent, name, summary, footer, [this, name, make] {
      const InterruptGuard guard;
      check_outputs({output_}, format_, instance_formats());
      write_checked(InstanceBytes(encode_instance(make())), std::string("generate ") + name, output_, console(), format_);
      return kExitOk;
    });
  }
  void add_generated(CLI::App* sub) {
    option(sub, "-o,--output", output_, "File to write: .stow, .json or .yaml; or a folder, for tables", "FILE")->required();
    add_format(sub, format_, instance_formats());
  }

  void add_generate() {
    CLI::App* sub = command(app(), "generate", "Generate a workload like the published ones", help::kGenerate,
                            [this] { return run_generate(); });
    add_generate_stochastic(sub);
    add_generate_medea(sub);
    add_generate_cluster(sub);
    add_generate_packing(sub);
    add_generate_colocation(sub);
    add_generate_lras(sub);
    GenerateOptions& options = generate_.options;
    option(sub, "--lras", options.apps, "Number of apps", "N", "the number of apps in --apps-from FILE",
           whole_number(1, 10'000'000));
    option(sub, "--density", density_, "Affinity limits per app, divided by the number of apps", "1%|0.01", kRequired);
    option(sub, "--graph", graph_, "Kind of affinity graph", "arbitrary|normal|threshold", kOwn);
    sub->add_flag("--profile", options.profile, "Demand over 98 periods instead of its rounded maximum");
    CLI::Option* independent = sub->add_flag("--independent-replicas", options.independent_replicas,
                                             "Draw replicas independently of sizes, as P0 did for 10,000 apps and more; "
                                             "otherwise large apps have more replicas; not with "
                                             "--apps-from");
    independent->option_text(" ");
    option(sub, "--apps-from", generate_.apps_file,
           "Instance to take the apps from, as P0 did; where --lras differs from its number of apps, each app has the "
           "demand of a random one and the replicas of another",
           "FILE")
        ->excludes(independent);
    option(sub, "--seed", options.seed, "Seed; the same seed gives the same workload on every platform", "N", kOwn);
    option(sub, "--node", options.node, "Capacity of the nodes", "cores=64,memory=128", kOwn);
    option(sub, "-o,--output", output_, "File to write: .stow, .json, .yaml or .tsv; or a folder, for tables", "FILE",
           kRequired);
    add_format(sub, format_, instance_formats());
  }

  void add_generate_stochastic(CLI::App* parent) {
    CLI::App* sub = generator(parent, "stochastic", "Services whose usage varies, on empty or busy machines",
                              help::kGenerateStochastic, [this] {
                                generate_stochastic_.confidence = parse_confidence("--alpha", alpha_);
                                generate_stochastic_.of = stochastic::parse_case(case_);
                                return stochastic::generate_cluster(generate_stochastic_, console());
                              });
    stochastic::ClusterOptions& options = generate_stochastic_;
    option(sub, "--services", options.services, "Number of services", "K", Standard::kAbsent, whole_number(1, 1'000'000))
        ->required();
    option(sub, "--alpha", alpha_, "Probability that a machine's capacity holds", "99.9%|0.999")->required();
    option(sub, "--case", case_, "Empty machines, or busy ones before a batch grows or shrinks the services",
           "empty|scale-up|scale-down", kOwn);
    option(sub, "--nodes", options.machines, "Number of machines, of 31.58 cores each", "N", kOwn, whole_number(1, 10'000'000));
    option(sub, "--layout", options.layout, "Planner of the initial layout of busy machines", "PLANNER", kOwn);
    option(sub, "--seed", options.seed, "Seed; the same seed gives the same workload", "N", kOwn);
    add_generated(sub);
  }

  void add_generate_medea(CLI::App* parent) {
    CLI::App* sub =
        generator(parent, "medea", "Applications with placement rules, for a cluster in racks", help::kGenerateMedea, [this] {
          const double utilization = up_to_one("--utilization", utilization_);
          if (!tasks_.empty()) generate_medea_.task_load = up_to_one("--tasks", tasks_);
          return medea::generate_waiting(generate_medea_, utilization);
        });
    medea::ClusterOptions& options = generate_medea_;
    option(sub, "--nodes", options.nodes, "Number of nodes, of 8 cores and 16 GiB each", "N", kOwn, whole_number(1, 1'000'000));
    option(sub, "--racks", options.racks, "Number of racks", "N", kOwn, whole_number(1, 1'000'000));
    option(sub, "--utilization", utilization_, "Share of the cores that the applications request", "30%|0.3")->required();
    option(sub, "--tasks", tasks_, "Share of the cores that running tasks use", "20%|0.2", "0");
    option(sub, "--complexity", options.complexity, "Number of HBase instances that share a rule", "N", kOwn,
           whole_number(1, 1'000));
    sub->add_flag("--tensorflow", options.tensorflow, "Every second application is TensorFlow instead of HBase");
    option(sub, "--seed", options.seed, "Seed; the same seed gives the same tasks", "N", kOwn);
    add_generated(sub);
  }

  /// A share that a feature has where the option stands without one. Without the option the feature is off.
  static void add_feature(CLI::App* sub, const char* name, std::string& text, const char* summary, double usual) {
    option(sub, name, text, summary, "[SHARE]", for_people(usual * 100) + "%")->expected(0, 1);
  }

  void add_generate_cluster(CLI::App* parent) {
    CLI::App* sub = generator(parent, "cluster", "Apps for priced node types in zones, with any of many features",
                              help::kGenerateCluster, [this] {
                                cluster_texts_.fill(generate_cluster_);
                                return cluster::generate(generate_cluster_);
                              });
    cluster::Options& options = generate_cluster_;
    ClusterTexts& texts = cluster_texts_;
    option(sub, "--apps", options.apps, "Number of apps", "N", kOwn, whole_number(1, 10'000'000));
    option(sub, "--zones", options.zones, "Number of zones, each with all node types", "N", kOwn,
           whole_number(1, cluster::kMostZones));
    option(sub, "--classes", texts.classes, "Node types: six with prices, or one without", "one|six", kOwn);
    option(sub, "--features", texts.features, "Features with their usual strength; options below override it", "A+B", "none");
    add_feature(sub, "--limits", texts.limits, "Share of the apps with at most one replica per node", cluster::kLimits);
    add_feature(sub, "--selectors", texts.selectors, "Share of the apps that need the architecture x86", cluster::kSelectors);
    option(sub, "--spread", texts.spread, "Half of the apps with several replicas spread over zones, with a skew of 1 at most",
           "hard|soft", "none");
    add_feature(sub, "--soft-apart", texts.soft_apart, "Share of the apps that prefer one replica per node",
                cluster::kSoftApart);
    sub->add_flag("--continuous", options.continuous, "Demands that are no round numbers");
    option(sub, "--periods", texts.periods, "Periods of a day over which CPU varies", "N", "1",
           whole_number(1, cluster::kMostPeriods));
    add_feature(sub, "--uncertain", texts.uncertain, "Standard deviation of CPU as a share of its mean, at 99 % confidence",
                cluster::kDeviation);
    option(sub, "--exclusions", texts.exclusions, "Other apps with which an app shares no node, on average", "N", "0");
    add_feature(sub, "--near", texts.near, "Share of the apps that need another app on each of their nodes", cluster::kNear);
    add_feature(sub, "--gather", texts.gather, "Share of the apps in groups that stay in one zone", cluster::kGather);
    option(sub, "--priorities", options.priorities, "Number of different priorities", "N", kOwn, whole_number(1, 1'000'000));
    option(sub, "--running", options.running, "All replicas run already, on nodes of this cost relative to the capacity bound",
           "1.5", "nothing runs", number_between(1.0, 100.0));
    option(sub, "--seed", options.seed, "Seed; the same seed gives the same cluster on every platform", "N", kOwn);
    add_generated(sub);
  }

  void add_generate_packing(CLI::App* parent) {
    CLI::App* sub = generator(parent, "packing", "Items of published packing classes", help::kGeneratePacking, [this] {
      packing::check_class(generate_packing_.of, "--class");
      return packing::generate(generate_packing_);
    });
    packing::Options& options = generate_packing_;
    option(sub, "--class", options.of, "Class of instances", "u|t|ct1..ct10")->required();
    option(sub, "--items", options.items, "Number of items", "N", Standard::kAbsent, whole_number(1, 10'000'000))->required();
    option(sub, "--dims", options.dims, "Number of dimensions", "D", "as published", whole_number(1, packing::kMostDims));
    sub->add_flag("--merge", options.merge, "Equal items are replicas of one app");
    option(sub, "--seed", options.seed, "Seed; the same seed gives the same items on every platform", "N", kOwn);
    add_generated(sub);
  }

  void add_generate_colocation(CLI::App* parent) {
    CLI::App* sub = generator(parent, "colocation", "Apps of kinds that suffer from each other on shared nodes",
                              help::kGenerateColocation, [this] {
                                if (!fill_.empty()) {
                                  const auto fill = parse_share(fill_);
                                  if (!fill || *fill <= 0 || *fill > 1) {
                                    throw Failure("--fill: \"" + fill_ + "\" is not a share above 0 (try \"95%\" or \"0.95\")");
                                  }
                                  generate_colocation_.fill = *fill;
                                }
                                colocation::check_class(generate_colocation_.of, "--class");
                                return colocation::generate(generate_colocation_);
                              });
    colocation::Options& options = generate_colocation_;
    option(sub, "--class", options.of, "Class of coefficients", "compatible|incompatible|clashing|mixed", kOwn);
    option(sub, "--apps", options.apps, "Number of apps", "N", Standard::kAbsent, whole_number(1, 10'000'000))->required();
    option(sub, "--nodes", options.nodes, "Number of nodes", "M", Standard::kAbsent, whole_number(1, 10'000'000))->required();
    option(sub, "--kinds", options.kinds, "Number of kinds", "K", kOwn, whole_number(1, 1'000));
    option(sub, "--fill", fill_, "Share of the nodes' capacity that the load takes", "95%|0.95", "no capacity binds");
    option(sub, "--seed", options.seed, "Seed; the same seed gives the same apps on every platform", "N", kOwn);
    add_generated(sub);
  }

  void add_generate_lras(CLI::App* parent) {
    CLI::App* sub = generator(parent, "lras", "Apps and nodes of P3's simulation", help::kGenerateLras, [this] {
      const double scale = generate_lras_.scale;
      if (!(scale > 0 && scale <= 1)) throw Failure("--scale: must be above 0 and at most 1");
      return lras::generate(generate_lras_);
    });
    lras::Options& options = generate_lras_;
    option(sub, "--apps", options.apps, "Number of apps", "N", Standard::kAbsent, whole_number(1, 10'000'000))->required();
    option(sub, "--nodes", options.nodes, "Number of nodes", "M", Standard::kAbsent, whole_number(1, 1'000'000))->required();
    option(sub, "--dims", options.dims, "Number of resources", "D", kOwn, whole_number(1, lras::kMostDims));
    option(sub, "--containers", options.containers, "Most containers of an app", "C", kOwn, whole_number(1, 1'000));
    option(sub, "--scale", options.scale, "Factor of the sizes of containers", "S", kOwn);
    sub->add_flag("--add", options.add, "Nodes of size 1 may be added, at a price of 1; the others cost nothing");
    option(sub, "--seed", options.seed, "Seed; the same seed gives the same apps on every platform", "N", kOwn);
    add_generated(sub);
  }

  int run_generate() {
    // Required here and not by the parser, which would ask for them beside a subcommand as well.
    for (const auto& [option, given] : {std::pair{"--lras", generate_.options.apps > 0 || generate_.apps_file},
                                        {"--density", !density_.empty()},
                                        {"--output", !output_.empty()}}) {
      if (!given) throw Failure(std::string(option) + " is required; see stowage generate --help");
    }
    const auto density = parse_share(density_);
    if (!density) throw Failure("--density: \"" + density_ + "\" is not a share (try \"1%\" or \"0.01\")");
    generate_.options.density = *density;
    generate_.options.graph = parse_graph(graph_);
    generate_.output = output_;
    generate_.format = format_;
    return run_generate_command(generate_, console());
  }

  static double up_to_one(const std::string& option, const std::string& text) {
    const auto value = parse_share(text);
    if (!value || *value > 1) throw Failure(option + ": \"" + text + "\" is not a share (try \"30%\" or \"0.3\")");
    return *value;
  }

  void add_simulate() {
    CLI::App* sub = command(app(), "simulate", "Draw the usage of replicas, and count how often nodes are exceeded",
                            help::kSimulate, [this] {
                              simulate_.options.model = stochastic::parse_usage_model(usage_);
                              return run_simulate_command(simulate_, console());
                            });
    add_file(sub, simulate_.file);
    option(sub, "PLAN", simulate_.plan, "The plan: .stow, .json or .csv", " ")->required();
    stochastic::SimulationOptions& options = simulate_.options;
    option(sub, "--samples", options.samples, "Number of samples; each draws the usage of all replicas", "N", kOwn,
           whole_number(1, 100'000'000));
    option(sub, "--usage", usage_,
           "Gaussian usage outside of its range: drawn again (truncated), moved to the range's end (clamped), or kept",
           "truncated|clamped|gaussian", kOwn);
    option(sub, "--measured", simulate_.measured, "CSV with measured usage: app,usage or app,resource,usage", "FILE");
    option(sub, "--seed", options.seed, "Seed of the draws", "N", kOwn);
    option(sub, "--threads", options.threads, "Use N threads; the numbers do not depend on it", "N", "one per processor",
           whole_number(1, 1'000));
    option(sub, "--csv", simulate_.csv, "File to write a line per node to", "FILE");
    add_csv_safe(sub, simulate_.cells);
    add_node(sub, simulate_.node);
    add_summary(sub, simulate_.summary);
  }

  void add_learn() {
    CLI::App* learn = command(app(), "learn", "Learn from measurements what plans need to know", help::kLearn,
                              [this] { return run_learn_profiles_command(learn_profiles_, console()); });
    learn->require_subcommand(0, 1);
    option(learn, "PROFILES", learn_profiles_.file, "Profiles of apps to learn sizes from: a CSV; - is standard input", " ",
           kRequired);
    option(learn, "-o,--output", learn_profiles_.output, "File to write the model to", "FILE", kRequired);
    CLI::App* sub = command(*learn, "interference", "Learn how much kinds of apps slow each other down",
                            help::kLearnInterference, [this] { return run_learn_interference(); });
    learn::FitOptions& options = learn_interference_.options;
    option(sub, "FILE", learn_interference_.file, "The observations: a CSV; - is standard input", " ")->required();
    add_into(sub, learn_interference_, "Instance to write the coefficients into, whose apps have kinds");
    option(sub, "--errors", errors_, "Errors of observations grow with their costs, or do not", "relative|absolute", kOwn);
    sub->add_flag("--baseline", options.model.baseline, "Part of each kind's cost is there without any load");
    option(sub, "--max-condition", options.max_condition, "Refuse loads that are more alike than this condition number says",
           "X", kOwn, number_between(1.0, 1e6));
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
    option(sub, "MODEL", recommend.model, "The model that stowage learn wrote", " ")->required();
    option(sub, "SAMPLES", recommend.file, "Samples of the apps: a CSV; - is standard input", " ")->required();
    CLI::Option* goal = option(sub, "--goal", recommend.goal, "Performance to reach, of 1", "0.9", "none");
    option(sub, "--latency-goal", recommend.latency_goal, "Latency in ms not to exceed", "MS", "none")->excludes(goal);
    option(sub, "--confidence", recommend.confidence, "Probability with which the goal is to be met", "80%", "80%");
    option(sub, "--cost", recommend.cost, "What one unit of each resource costs", "cpu=1,memory=.5",
           "each resource 1 for its largest amount");
    sub->add_flag("--keep-size", recommend.keep_size, "Keep what apps ask for (columns asked_...); choose collocation alone");
    add_into(sub, recommend, "Instance to write the recommendations into: sizes as demand, collocation as max_per_node");
    add_summary(sub, recommend.summary);
  }

  static void add_into(CLI::App* sub, LearnCommand& command, const char* what) {
    option(sub, "--into", command.into, what, "INSTANCE");
    option(sub, "-o,--output", command.output, "File to write that instance to: .stow, .json or .yaml; - is standard output",
           "FILE", "INSTANCE itself");
    add_format(sub, command.format, instance_formats());
  }

  void add_size() {
    CLI::App* sub = command(app(), "size", "Size replicas by what they used", help::kSize,
                            [this] { return run_size_command(size_, console()); });
    option(sub, "USAGE", size_.file, "The usage of replicas over time: a CSV; - is standard input", " ")->required();
    const auto add = [sub](learn::PerResource& one, const char* text, const char* what) {
      option(sub, one.option, one.given, what, text, one.otherwise);
    };
    learn::SizeTexts& texts = size_.texts;
    add(texts.percentile, "95%,NAME=98%", "Cover this share of the usage, by weight; NAME is a resource, here and below");
    add(texts.half_life, "12h", "Time in which the weight of usage halves; none = all counts the same");
    add(texts.peaks, "24h", "Count the largest usage of each replica in each such time, in place of every sample");
    add(texts.margin, "15%", "Add this share to usage");
    add(texts.bump, "NAME=1.2", "Count usage at which a replica was killed (oom) so many times");
    add(texts.floor, "X", "Recommend at least this");
    add(texts.ceiling, "X", "Recommend at most this");
    option(sub, "--periods", size_.periods, "Find demand for N periods of the cycle", "N", kOwn, whole_number(1, 10'000));
    option(sub, "--cycle", size_.cycle, "Time after which the periods repeat; all = the whole history", "24h|all", kOwn);
    sub->add_flag("--uncertain{all}", texts.uncertain,
                  "Find mean and variance, for plans with a confidence, of all resources; =cpu,NAME of some");
    option(sub, "--confidence", size_.confidence, "With --uncertain --into: how surely capacities hold", "99%",
           "as INSTANCE says, or 99%");
    add_into(sub, size_, "Instance to write the sizes into, as demand of the apps of these names");
    add_summary(sub, size_.summary);
  }

  void add_bench() {
    CLI::App* sub = command(app(), "bench", "Compare planners: nodes, gap, time and memory", help::kBench, [this] {
      texts_.fill(bench_.request);
      return run_bench_command(bench_, console());
    });
    for (const char* name : {"paper", "stochastic", "medea"}) add_moved(*sub, name);
    option(sub, "FILES", bench_.files, "Instances", " ");
    option(sub, "--generate", bench_.generate, "Instance to generate; may be given several times",
           "lras=N,density=D,graph=G,seed=S[,profile][,independent-replicas]", "none; of its parts: graph=arbitrary,seed=0")
        ->allow_extra_args(false);
    list_option(sub, "--planners", bench_.planners, "Planners to compare", "A,B,C", kRequired);
    option(sub, "--repeat", bench_.repeat, "Runs per planner and instance", "N", kOwn, whole_number(1, 1'000'000));
    add_limits(sub, bench_.request, texts_);
    add_node(sub, bench_.node);
    option(sub, "--csv", bench_.csv, "File to write the table to", "FILE");
    add_csv_safe(sub, bench_.cells);
    add_summary(sub, bench_.summary);
  }

  void add_example() {
    CLI::App* sub = command(app(), "example", "Print a small workload to start from", help::kExample,
                            [this] { return run_example_command(example_, console()); });
    option(sub, "NAME", example_.name, "The example", " ", kOwn);
    sub->add_flag("--list", example_.list, "List the examples, each with a command that shows what it is about");
    option(sub, "-o,--output", example_.output, "File to write it to, or a folder, for tables; - is standard output", "FILE",
           kOwn);
    add_format(sub, example_.format, {"examples", {"stow", "json", "yaml"}, "json"});
  }

  void add_schema() {
    CLI::App* sub = command(app(), "schema", "Print a JSON Schema of what stowage reads or writes", help::kSchema,
                            [this] { return run_schema_command(schema_, console()); });
    option(sub, "NAME", schema_, "The schema", " ", "a list of all");
  }

  void add_words() {
    static const std::string kWords = glossary();
    CLI::App* sub = command(app(), "words", "Say what the words of answers and messages mean", kWords.c_str(),
                            [this] { return run_words_command(word_, console()); });
    option(sub, "WORD", word_, "The word", " ", "all");
  }

  [[nodiscard]] std::vector<std::string> known_values(const std::string& command, const std::string& option) const override {
    if (command == "example" && option == "NAME") return example_names();
    if (command == "schema" && option == "NAME") return schema_names();
    std::vector<std::string> names;
    if (option != "--planner" && option != "NAME" && option != "--layout") return CommandLine::known_values(command, option);
    const Catalogue catalogue = planner_catalogue();
    for (const wire::PlannerInfo* planner : *catalogue.root().planners()) names.push_back(planner->name()->str());
    return names;
  }

  CLI::App* k8s_ = nullptr;
  RequestTexts texts_;
  PlanCommand plan_;
  std::string shown_;
  TradeoffCommand tradeoff_;
  SizesCommand sizes_;
  VerifyCommand verify_;
  std::string word_;
  std::string schema_;
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
  std::string output_;  ///< of generate, and the next one
  std::string format_;
  std::string density_;
  std::string graph_ = "arbitrary";
  stochastic::ClusterOptions generate_stochastic_;
  std::string alpha_;
  std::string case_ = "empty";
  medea::ClusterOptions generate_medea_;
  std::string utilization_;
  std::string tasks_;
  cluster::Options generate_cluster_;
  ClusterTexts cluster_texts_;
  packing::Options generate_packing_;
  lras::Options generate_lras_;
  colocation::Options generate_colocation_;
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
