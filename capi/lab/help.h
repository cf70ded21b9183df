// What `stowage-lab COMMAND --help` says below the options, in lines of at most 100 columns.
#pragma once

namespace stowage::cli::lab::help {

inline constexpr const char* kLab = R"(Examples:
  stowage-lab bench paper --figures 4              repeat the experiments of P0
  stowage-lab bench stochastic --tables 2          repeat those of P1, with uncertain demand
  stowage-lab bench medea --figures 9              repeat those of P2, with placement rules
  stowage-lab bench clusters --sizes 300           plan generated clusters, feature by feature
  stowage-lab bench packing --classes t,u          plan published classes of packing instances
  stowage-lab bench colocation --sizes small       repeat those of P4, with side effects
  stowage-lab bench lrasched --dims 3              repeat those of P3, with whole applications
  stowage-lab bench usage --apps 200               compare ways from usage to demand
  stowage-lab draw curve model.stowm samples.csv --goal 0.9 -o curve.svg
  stowage-lab generate usage --days 7 -o usage.csv
  stowage-lab import tianchi --p0 --static --apps ... --interference ... --deploy ... -o static.tsv
  stowage-lab import gavel --throughputs ... --jobs 150 --gpus 100 -o jobs.json
  stowage-lab import rasa --cluster M3.json -o m3.stow

The command stowage plans, verifies and explains.
Exit codes: 0 done, 1 wrong usage or input, 2 interrupted, or a planner failed or broke constraints,
3 a defect of Stowage.)";

inline constexpr const char* kImportTianchi = R"(Examples:
  stowage-lab import tianchi --apps app_resources.csv --interference app_interference.csv \
      --deploy instance_deploy.csv --machines machine_resources.csv -o cluster.stow
  stowage-lab import tianchi --p0 --static --apps ... --interference ... --deploy ... -o static.tsv)";

inline constexpr const char* kImportGavel = R"(Examples:
  gunzip -k physical_cluster_throughputs.json.gz
  stowage-lab import gavel --throughputs physical_cluster_throughputs.json --jobs 150 --gpus 100 -o jobs.json
  stowage plan jobs.json --objective worst

A job alone on a GPU costs 1; beside another one it costs its measured slowdown. A GPU holds two jobs
at most, and pairs with a throughput of 0 do not share one.)";

inline constexpr const char* kImportRasa = R"(Examples:
  stowage-lab import rasa --cluster M3.json -o m3.stow
  stowage plan m3.stow --objective traffic --moves 3485
  stowage plan m3.stow --objective traffic --moves 50 --deadline 10s

Containers run where they are deployed at first. Without --moves, they all stay there.)";

inline constexpr const char* kBenchPaper = R"(Examples:
  stowage-lab bench paper --figures 4 --apps 1000 --densities 1%,10% --graphs arbitrary
  stowage-lab bench paper --figures 3,4,5 --seeds 10 --published published-results --output results
  stowage-lab bench paper --figures 6 --planners ff,auto@10s,auto@60s --apps-from profiles.stow

The defaults are P0's classes of instances at full size, with one instance each.
The first Ctrl-C ends the command: it shows what is done, and keeps it with --output.
--published names a folder with P0's four result tables (density2D_64_128.csv, large2D_...,
densityTS_..., largeTS_...).
Exit codes: 0 done, 1 wrong usage or input, 2 interrupted, or a planner failed or broke constraints,
3 a defect of Stowage.)";

inline constexpr const char* kBenchStochastic = R"(Examples:
  stowage-lab bench stochastic --tables 2 --services 20 --alphas 99.9% --seeds 1
  stowage-lab bench stochastic --output results --markdown page.md
  stowage-lab bench stochastic --tables 3 --planners csp-ucac@300ms,csp-ucac@3s,csp-mac

Tables of P1: 1 scale-down, 2 scale-up, 3 empty machines, 4 seven working days. The figures that P1
prints stand beside. Usage is drawn --samples times for each plan, as stowage simulate does.
The first Ctrl-C ends the command: it shows what is done, and keeps it with --output.
Exit codes: 0 done, 1 wrong usage or input, 2 interrupted, or a planner failed or broke constraints,
3 a defect of Stowage.)";

inline constexpr const char* kBenchMedea = R"(Examples:
  stowage-lab bench medea --figures 9 --utilizations 10%,50%,90%
  stowage-lab bench medea --figures 11 --node-counts 500,5000 --planners medea-ilp@2s,tag-search
  stowage-lab bench medea --output results --markdown page.md

Figures of P2: 8 resilience; 9 violated rules by utilization, load of tasks, applications per
interval and applications per rule; 10 fragmentation and balance; 11 latency. Applications are
submitted interval by interval and planned all or nothing; what is placed stays.
docs/reference/generate.md describes them.
The first Ctrl-C ends the command: it shows what is done, and keeps it with --output.
Exit codes: 0 done, 1 wrong usage or input, 2 interrupted, or a planner failed or broke constraints,
3 a defect of Stowage.)";

inline constexpr const char* kBenchClusters = R"(Examples:
  stowage-lab bench clusters --sizes 300 --features none,all --deadlines 100ms,1s --seeds 1
  stowage-lab bench clusters --output results --markdown page.md
  stowage-lab bench clusters --features limits+near,gather --planners auto,ff@1s

Plans clusters that stowage generate cluster makes: every list of features (its help names them;
"+" joins several) with every number of apps and every deadline. Gaps are to the plans' own bounds.
The first Ctrl-C ends the command: it shows what is done, and keeps it with --output.
Exit codes: 0 done, 1 wrong usage or input, 2 interrupted, or a planner failed or broke constraints,
3 a defect of Stowage.)";

inline constexpr const char* kBenchPacking = R"(Examples:
  stowage-lab bench packing --classes t,u --seeds 1
  stowage-lab bench packing --classes ct6,ct9 --items 60,120 --dims 2 --deadline 1s
  stowage-lab bench packing --output results --markdown page.md

Classes: u and t by Falkenauer (120, 250, 500 and 60, 120, 249 items), ct1 to ct10 by Caprara and
Toth (60, 120, 249, 500 items). docs/reference/generate.md defines them. auto and csp-mac are
compared with the best plan of many list planners.
The first Ctrl-C ends the command: it shows what is done, and keeps it with --output.
Exit codes: 0 done, 1 wrong usage or input, 2 interrupted, or a planner failed or broke constraints,
3 a defect of Stowage.)";

inline constexpr const char* kGenerateUsage = R"(Examples:
  stowage-lab generate usage --apps 20 --days 7 -o usage.csv
  stowage size usage.csv

docs/reference/generate.md states the formulas.)";

inline constexpr const char* kBenchUsage = R"(Examples:
  stowage-lab bench usage --apps 200
  stowage-lab bench usage --apps 1000 --tianchi tianchi-2018-b --csv usage.csv

Demand is learned from all days but the last one, which judges it; of Tianchi's profiles, from every
second sample. Slack and exceeded are per replica. "Over" is the share of the samples in which a node
of the plan is asked for more than it has.)";

inline constexpr const char* kBenchColocation = R"(Examples:
  stowage-lab bench colocation --sizes small --classes mixed --seeds 3
  stowage-lab bench colocation --output results --markdown page.md
  stowage-lab bench colocation --planners kind-lpt,auto@100ms,auto@1s --seeds 5

P4's design: 213 combinations of a class of coefficients, kinds, apps and nodes, 30 instances each.
docs/reference/generate.md defines the classes. Costs are those of who suffers most, over P4's bound
and over the best bound that any run proved. The medians that P4 prints stand beside.
The first Ctrl-C ends the command: it shows what is done, and keeps it with --output.
Exit codes: 0 done, 1 wrong usage or input, 2 interrupted, or a planner failed or broke constraints,
3 a defect of Stowage.)";

inline constexpr const char* kBenchLrasched = R"(Examples:
  stowage-lab bench lrasched --sizes 500/100 --dims 3,6 --seeds 1
  stowage-lab bench lrasched --planners lrasched,lrasched-ilp@60s,auto@1s --loads literal
  stowage-lab bench lrasched --figures 5,6 --output results --markdown page.md

P3's experiments: learning (table 2, figure 5), its testbed (figure 6), and its simulation (section
4.2.2, figures 8 to 12). As printed (literal), apps ask for more than the nodes have: a bound
shows that no plan reaches the percentages of the paper. With smaller containers (scaled) they come
out. With added, nodes may be added until everything is placed.
The first Ctrl-C ends the command: it shows what is done, and keeps it with --output.
Exit codes: 0 done, 1 wrong usage or input, 2 interrupted, or a planner failed or broke constraints,
3 a defect of Stowage.)";

inline constexpr const char* kBenchDevices = R"(Examples:
  stowage-lab bench devices --nodes 100 --seeds 1 --deadline 2000
  stowage-lab bench devices --markdown docs/research/benchmarks-devices.md

Nodes have 1, 2, 4 or 8 GPUs; tasks ask for parts of a GPU or whole ones, with the shares that are
published of shared GPUs (Weng et al., USENIX ATC '23). Best fit and fragmentation gradient descent
place task after task. Sums per node, and parts rounded up to an eighth, a quarter, a half or a
whole, are ways around devices. A node is invalid where its parts fit on its GPUs in no way.
Exit codes: 0 done, 1 wrong usage or input, 2 interrupted, 3 a defect of Stowage.)";

inline constexpr const char* kBenchSizes = R"(Examples:
  stowage-lab bench sizes
  stowage-lab bench sizes --apps 100 --seeds 2

"met": the true value reaches the goal; "near": within one step of the oracle per resource, for
degrees equal to it; "extra": cost beyond the oracle's, for degrees the sum over the oracle's;
"least met": of recommendations, on the worst seed. docs/understand/learning.md explains.)";

inline constexpr const char* kDrawCurve = R"(Examples:
  stowage-lab draw curve model.stowm samples.csv --goal 0.9 -o curve.svg
  stowage-lab draw curve model.stowm samples.csv --goal 0.9 --app shop --degrees -o degrees.svg

For each size: the expected performance or latency, with a band that leaves out one in twenty below and
above; the samples, the goal and the size chosen. Over the last resource, a panel for each amount of the
others. Needs gnuplot.)";

inline constexpr const char* kGenerateProfiles = R"(Examples:
  stowage-lab generate profiles -o profiles.csv
  stowage-lab generate profiles --apps 20 --seed 7 --samples 2 -o samples.csv
  stowage-lab generate profiles --measure latency --no-features -o latency.csv

docs/understand/learning.md lists the formulas.)";

}  // namespace stowage::cli::lab::help
