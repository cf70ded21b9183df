// What `stowage COMMAND --help` says below the options, in lines of at most 100 columns.
#pragma once

namespace stowage::cli::help {

inline constexpr const char* kStowage = R"(Examples:
  stowage example -o cluster.json          write a small workload to read and to change
  stowage plan cluster.json                plan it; see how good the plan is, and why
  stowage plan TClab.csv --node cores=64,memory=128 --planner medea-tp --summary json
  stowage plan apps.csv --classes nodes.csv
                                           plan what two sheets of a spreadsheet say
  stowage planners                         list all planners

FILE is .stow (FlatBuffers), .json (for people), .csv (a table of apps, with --classes NODES.csv)
or .tsv (the layout of published workloads); "-" is standard input. Repeated experiments and
importers of published data are in stowage-lab.
Exit codes: 0 done, 1 wrong usage or input, 2 replicas unplaced, cancelled or constraints broken,
3 a defect of Stowage.)";

inline constexpr const char* kPlan = R"(Examples:
  stowage plan cluster.json --output plan.csv --output plan.stow
  stowage plan workload.tsv --node cores=64,memory=128Gi --planner bfd-avg
  stowage plan cluster.json --nodes 10 --deadline 5s --summary json
  stowage plan cluster.json --scale demand=1.3 --scale replicas.web=2
  stowage plan cluster.json --planner ffd-avg --option alpha=0.5
  stowage plan cluster.json --deadline 60s --patience 5s
  stowage plan cluster.json --soft last          soft rules never cost a node; stowage tradeoff
                                                 shows what they would cost
  stowage plan cluster.json --goal cost~1% --goal moves --goal balance:memory
                                                 the least cost, up to 1 % above it for the fewest
                                                 moves, then the least use of memory on any node
  stowage plan cluster.json --goal cost,moves*0.01    a move counts as a hundredth of a unit of cost
  stowage example | stowage plan -
  stowage plan cluster.json -o - --format csv | sort    the plan alone; the answer goes to stderr

--summary json prints one object with planner, status, nodes, lower_bound, gap, placed, unplaced,
violations, seed and seconds {load, plan, verify}; with cost where prices are given; with ucac,
nodes_used and bound_ucac where demand is uncertain. docs/reference/cli.md lists all keys.
The first Ctrl-C ends the run with the best plan so far; a second one ends the program at once.
Exit codes: 0 everything is placed, 1 wrong usage or input, 2 something is unplaced or the run was
cancelled, 3 a defect of Stowage.)";

inline constexpr const char* kTradeoff = R"(Examples:
  stowage tradeoff cluster.json --deadline 5s
  stowage tradeoff cluster.json --prices 0.5,1,2 --output curve.csv

Plans the instance with soft rules last, with rising prices of their violations, and with soft rules
first. Each line shows the best of all these plans for its price. --deadline is that of one run.
Exit codes: 0 every plan is complete, 1 wrong usage or input, 2 something is unplaced or a run was
cancelled, 3 a defect of Stowage.)";

inline constexpr const char* kSizes = R"(Examples:
  stowage sizes cluster.json                    each node class alone, and all of them together
  stowage sizes cluster.json --deadline 1m -o sizes.csv

Plans the instance on the nodes of each class alone. --deadline is that of all plans together, 10s
unless given; each has an equal part of it.
Exit codes: 0 some line is complete, 1 wrong usage or input, 2 nothing holds everything or the run
was cancelled, 3 a defect of Stowage.)";

inline constexpr const char* kVerify = R"(Examples:
  stowage verify cluster.json plan.csv
  stowage verify cluster.json plan.csv --complete     2 where not everything is placed, as plan
  stowage verify workload.tsv plan.stow --node cores=64,memory=128 --summary json
  stowage verify cluster.json grown.stow --scale demand=1.3    a plan made with the same --scale

PLAN is a file that stowage plan --output wrote, or a CSV of your own whose header begins with
node,app,replicas. A node is the name of a listed node, or a class and a number such as large-1.
Columns may have another order, and semicolons or tabs between them.
Exit codes: 0 the plan holds, 1 wrong usage or input, 2 constraints are broken or, with --complete,
replicas have no place, 3 a defect of Stowage.)";

inline constexpr const char* kMoves = R"(Examples:
  stowage plan cluster.json --moves 200 -o plan.stow
  stowage moves cluster.json plan.stow
  stowage moves cluster.json plan.stow --per-node 4 --app-share 10% --summary json

The replicas of a wave move at the same time, each as fast as it will. While it moves, a replica
takes its place on both nodes. At every step every hard constraint holds.
Exit codes: 0 all moves are in order, 1 wrong usage or input, 2 some moves cannot be ordered,
3 a defect of Stowage.)";

inline constexpr const char* kHeadroom = R"(Examples:
  stowage headroom cluster.json
  stowage headroom cluster.json plan.stow --app web
  stowage headroom cluster.json --summary json

How many more replicas of each app fit, one app growing at a time: on the nodes of the plan, and on
nodes that exist and that it does not use. Without a plan, what runs counts.)";

inline constexpr const char* kLosses = R"(Examples:
  stowage losses cluster.json
  stowage losses cluster.json plan.stow --label zone
  stowage losses cluster.json --lost node-1 node-2 --summary json

The replicas of the lost nodes look for a place on what remains; all others stay. Without options,
each node is lost by itself; with --label, all nodes with the same value, one value after the other.
Exit codes: 0 everything finds a place, 1 wrong usage or input, 2 some replicas do not, 3 a defect
of Stowage.)";

inline constexpr const char* kBound = R"(Examples:
  stowage bound cluster.json
  stowage bound workload.tsv --node cores=64,memory=128 --summary json)";

inline constexpr const char* kExplain = R"(Examples:
  stowage explain cluster.json plan.stow            what drives the number of nodes, and why
                                                    something is unplaced
  stowage explain cluster.json --nodes 3            plan onto three nodes first, then explain
  stowage explain cluster.json plan.csv --app web   where one more replica of web could go)";

inline constexpr const char* kSession = R"(Examples:
  stowage session cluster.json script.jsonl -o evening.stow   run commands, keep the cluster
  stowage session evening.stow                                continue with standard input

Commands and answers are JSON objects, one per line:
  {"op": "submit", "app": "web", "replicas": 3, "demand": {"cpu": 2, "memory": "4Gi"},
   "max_per_node": 1, "limits": {"db": 0}}              (on one line)
  {"op": "scale", "app": "web", "replicas": 5}          remove, pin: app, node, replicas
  {"op": "add-node", "node": "n7", "class": "large"}    remove-node, cordon, uncordon, drain, fail,
                                                        load
  {"op": "add-rule", "rule": {...}}                     remove-rule
  {"op": "traffic", "app": "web", "peer": "db", "amount": 3}
  {"op": "batch", "operations": [...]}                  all of them or none
  {"op": "plan", "planner": "auto", "deadline": "1s"}   reject drops the plan
  {"op": "commit", "mode": "fitting"}                   exact (the default), whole, fitting
  {"op": "snapshot", "file": "noon.stow"}               status, show: app or node
docs/understand/sessions.md describes them all. With -o -, the snapshot goes to standard output, and
the answers go to standard error.
Exit codes: 0 every command was carried out, 1 a command was refused or wrong usage,
2 interrupted, 3 a defect of Stowage.)";

inline constexpr const char* kPlanners = R"(Examples:
  stowage planners
  stowage planners bfd-avg)";

inline constexpr const char* kConvert = R"(Examples:
  stowage convert cluster.json cluster.stow
  stowage convert cluster.stow -                    print it as JSON
  stowage convert cluster.json - --format yaml      print it as YAML
  stowage convert cluster.json tables/              tables of apps, classes and what runs, for a
                                                    spreadsheet; stowage plan tables/ reads them
  stowage convert workload.csv workload.stow --node cores=64,memory=128
  stowage convert cluster.json grown.stow --scale demand=1.3 --scale replicas=2
  stowage convert plan.stow plan.csv --instance cluster.json

--summary json prints from, to, format, instance (its fingerprint), and what is in it.)";

inline constexpr const char* kGenerate = R"(Examples:
  stowage generate --lras 9338 --density 1% --graph arbitrary --seed 1 -o workload.stow
  stowage generate --lras 100000 --density 0.005 --graph threshold --profile --seed 7 -o large.stow
  stowage generate --apps-from profiles.stow --lras 10000 --density 0.5% --profile -o sampled.stow
  stowage generate stochastic --services 20 --alpha 99.9% --case scale-up --seed 1 -o busy.stow
  stowage generate medea --utilization 30% --seed 1 -o tagged.stow
  stowage generate cluster --apps 300 --features all --seed 1 -o cluster.json
  stowage generate packing --class ct6 --items 120 --seed 1 -o items.json
  stowage generate colocation --class mixed --apps 200 --nodes 20 -o kinds.json)";

inline constexpr const char* kGenerateCluster = R"(Examples:
  stowage generate cluster -o plain.json
  stowage generate cluster --apps 1000 --features all --seed 3 -o cluster.stow
  stowage generate cluster --limits --spread soft --selectors 10% -o cluster.json
  stowage generate cluster --features periods+uncertain --exclusions 6 -o day.stow
  stowage generate cluster --features all --running 1.5 -o busy.stow

A cluster as it is bought: six open-ended node types with prices in each zone, and apps with 1 to
20 replicas. A feature is off without its option; [SHARE] may be left out.
--features turns on several, joined by "+": limits, selectors, spread-hard, spread-soft,
soft-apart, continuous, periods (24), uncertain, exclusions (6), near, gather, one-class; all is
limits + selectors + spread-hard + soft-apart.
docs/reference/generate.md describes what is drawn.)";

inline constexpr const char* kGeneratePacking = R"(Examples:
  stowage generate packing --class t --items 120 -o triplets.json
  stowage generate packing --class ct9 --items 249 --dims 10 --seed 3 -o vectors.stow

Published classes of packing instances: u (uniform) and t (triplets) by Falkenauer, with one
dimension; ct1 to ct10 by Caprara and Toth, with two dimensions or more. Each item is an app with
one replica. docs/reference/generate.md defines the classes.)";

inline constexpr const char* kGenerateColocation = R"(Examples:
  stowage generate colocation --class mixed --apps 200 --nodes 20 -o mixed.json
  stowage generate colocation --class clashing --kinds 8 --apps 100000 --nodes 5000 -o large.stow
  stowage generate colocation --class incompatible --apps 1000 --nodes 20 --fill 95% -o full.stow

Apps of one replica, each with a load and a kind, and what each kind suffers per load of another:
compatible (below 1), incompatible (1 to 2), clashing (2 to 4), or mixed (two halves of kinds,
compatible within, incompatible between). Plan with --objective worst. docs/reference/generate.md
describes what is drawn.)";

inline constexpr const char* kGenerateLras = R"(Examples:
  stowage generate lras --apps 500 --nodes 100 --dims 6 -o overload.json
  stowage generate lras --apps 500 --nodes 100 --scale 0.41 -o near.json
  stowage generate lras --apps 500 --nodes 100 --scale 0.41 --add -o phase2.json

Nodes of different sizes and apps with limits on how many of their containers share a node, as
P3 simulates them. As printed, the apps ask for twice what the nodes have; --scale makes containers
smaller. Plan with --objective admitted. docs/reference/generate.md describes what is drawn.)";

inline constexpr const char* kGenerateMedea = R"(Examples:
  stowage generate medea --utilization 30% -o tagged.stow
  stowage generate medea --nodes 5000 --utilization 2% --tensorflow --tasks 20% -o large.json

The workload consists of HBase and TensorFlow applications with soft placement rules that wait for
an empty cluster, or for one with tasks, as in P2, sections 7.1 and 7.4. docs/reference/generate.md
lists the rules.)";

inline constexpr const char* kGenerateStochastic = R"(Examples:
  stowage generate stochastic --services 17 --alpha 99.9% -o empty.stow
  stowage generate stochastic --services 5 --alpha 99% --case scale-down --seed 3 -o busy.json

The CPU usage of the services varies. They are drawn from P1's table 5, as in P1, section 6.1.
In the busy cases an initial layout is planned; then each service loses a part of its containers,
and wants 1.2 times (scale-up) or 0.9 times (scale-down) its initial number.
docs/reference/generate.md describes what is drawn.)";

inline constexpr const char* kReplay = R"(Examples:
  stowage replay cluster.json trace.csv --interval 5m --picture week.svg
  stowage replay cluster.json trace.csv --moves 20 --csv week.csv --summary json
  stowage replay cluster.json trace.csv --planner bf --node cores=64,memory=128

TRACE has a line per application, with the header app,arrives,departs,replicas,priority,limits and
the cluster's resources. Times are seconds or such as 2026-01-31T12:00:00Z; without a departure, an
application stays. limits reads "db:1;cache:0": beside it, at most one replica of db and none of
cache. All columns but app, arrives and the resources may be missing.
At the end of each interval, the planner places what waits; with --moves it may also move what runs.
Figures are means over time. Prices are those of an hour.
Without --work and --deadline, each plan gets a fixed amount of work, so that a replay gives the
same on every machine.
Exit codes: 0 everything ran, 1 wrong usage or input, 2 something never ran or the replay was
interrupted, 3 a defect of Stowage.)";

inline constexpr const char* kSimulate = R"(Examples:
  stowage simulate busy.stow plan.stow
  stowage simulate cluster.json plan.csv --samples 100000 --summary json
  stowage simulate cluster.json plan.csv --measured usage.csv --csv nodes.csv

Each sample draws the usage of every replica and counts the nodes whose capacity it exceeds. Rates
are given with their 95 % intervals (Wilson). Replicas whose demand has a variance are drawn from a
Gaussian within the demand's range. --measured FILE gives usages to draw from instead: a CSV with
the header app,usage (or app,resource,usage) and one measurement per line.
The same seed gives the same numbers with any number of threads.
Exit codes: 0 done, 1 wrong usage or input, 2 interrupted, 3 a defect of Stowage.)";

inline constexpr const char* kLearn = R"(Examples:
  stowage learn profiles.csv -o model.stowm
  stowage learn interference observations.csv --into cluster.json

PROFILES is a CSV with the columns app, x_NAME for each feature that is known beforehand (a number
or a word; may be empty), one column per resource of the configuration, perhaps collocation
(containers of the app on a node; 1 where absent), and performance (of 1, higher is better) or
latency_ms. A row says how an app performed with a configuration.
docs/cookbook/size.md leads from profiles to a plan.)";

inline constexpr const char* kRecommend = R"(Examples:
  stowage recommend model.stowm samples.csv --goal 0.9
  stowage recommend model.stowm samples.csv --latency-goal 20 --confidence 95% --summary json
  stowage recommend model.stowm samples.csv --goal 0.9 --into cluster.json --output sized.json

SAMPLES has the columns of the profiles, a few rows for each app, and perhaps asked_NAME: what the
app asks for today. A row without amounts and measurement only introduces an app.
Recommended is the cheapest configuration that meets the goal with the confidence; where evidence
does not suffice, the sample to take next is named.)";

inline constexpr const char* kLearnInterference = R"(Examples:
  stowage learn interference observations.csv
  stowage learn interference observations.csv --into cluster.json --output learned.json
  stowage learn interference latencies.csv --baseline --summary json

FILE is a CSV with the columns kind, cost, load_KIND for each kind, and perhaps weight. A row says
what a replica of a kind costs (larger is worse: latency, lost performance) while its node carries
these loads of all kinds, its own included.
Costs are taken for sums of loads, each times a coefficient of the two kinds, as in P4. Coefficients
come with their 95 % intervals. Kinds whose loads always go together are refused by name.
docs/cookbook/learn-interference.md leads from measurements to a plan.)";

inline constexpr const char* kSize = R"(Examples:
  stowage size usage.csv
  stowage size usage.csv --percentile 99% --half-life none --margin 0 --floor cpu=0.1
  stowage size usage.csv --periods 24 --into cluster.json --output sized.json
  stowage size usage.csv --uncertain=cpu --confidence 99.9% --into cluster.json

USAGE is a CSV with the columns app, time (seconds, or 2026-01-31T12:00:00Z), perhaps replica and
oom (1 where the replica was killed for lack of memory), and one per resource. A row is one replica
at one time; an empty field was not measured.
Slack is the share of the size that was not used, on average; exceeded is the share of the samples
above the size. Both are of the same usage that the size was learned from.
docs/cookbook/size.md leads from monitoring to a plan.)";

inline constexpr const char* kBench = R"(Examples:
  stowage bench workload.stow --planners ff,bfd-avg,wfd-avgexp --repeat 5
  stowage bench --generate lras=9338,density=1%,graph=arbitrary,seed=1 --planners ff --csv times.csv
  stowage bench TClab.csv --node cores=64,memory=128 --planners ff,medea-tp --summary json

stowage-lab bench paper, stochastic and medea repeat published experiments.)";

inline constexpr const char* kK8s = R"(Examples:
  kubectl get nodes,deployments,statefulsets,pods -A -o json | stowage k8s
  stowage k8s fit -f cluster.json             what does not fit and why, and nodes to add
  stowage k8s consolidate -f cluster.json -price default -json

stowage k8s --help lists its questions and options, which are those of the program stowage-k8s.)";

inline constexpr const char* kSchema = R"(Examples:
  stowage schema                              what there is
  stowage schema plan >plan.schema.json
  stowage schema summary                      of stowage plan --summary json; the other answers have
                                              the names of their commands

The schemas are of draft 7, and allow no other keys. An instance may name its own in the key
$schema, for editors.)";

inline constexpr const char* kExample = R"(Examples:
  stowage example --list                 what there is
  stowage example                        print the example "shop"
  stowage example moves -o cluster.json  write one to a file, and say what to try
  stowage example moves -o tables/       the same as tables, to edit in a spreadsheet
  stowage example learn -o learn/        measurements for size, learn and recommend)";

}  // namespace stowage::cli::help
