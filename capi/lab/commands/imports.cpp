#include "capi/lab/imports/imports.h"
#include "capi/cli/base/files.h"
#include "capi/cli/library/library.h"
#include "capi/lab/commands/commands.h"
#include "capi/lab/learning/simulator.h"
#include "capi/lab/tianchi/tianchi.h"

namespace stowage::cli::lab {
namespace {

/// A command that imports an instance from published data.
class Import {
 protected:
  void add_output(CLI::App* sub, const char* about) { option(sub, "-o,--output", output_, about, "FILE")->required(); }
  int write(InstanceData data, const char* source, const Console& console) const {
    write_checked(InstanceBytes(encode_instance(std::move(data))), source, output_, console);
    return kExitOk;
  }

 private:
  std::string output_;
};

class ImportTianchi : public Import {
 public:
  void add_options(CLI::App* sub) {
    option(sub, "--apps", options_.apps, "app_resources: CPU and memory samples, disk, P, M, PM", "FILE")->required();
    option(sub, "--interference", options_.interference, "app_interference: app, app, limit", "FILE")->required();
    option(sub, "--deploy", options_.deploy, "instance_deploy: instance, app, machine", "FILE")->required();
    option(sub, "--machines", options_.machines,
           "machine_resources: machine and its capacities; required without --node and --p0", "FILE");
    CLI::Option* fixed = sub->add_flag("--static", options_.fixed, "One period with the largest demand over time");
    fixed->option_text(" ");
    sub->add_flag("--profile", profile_, "One period per sample (the default)")->excludes(fixed)->option_text(" ");
    sub->add_flag("--ceil", options_.round_up, "Round demand up to whole numbers");
    list_option(sub, "--resources", options_.resources, "Resources to keep, of cpu, memory, disk, P, M, PM", "LIST", "all");
    option(sub, "--node", options_.node, "Capacity of the nodes, of which there are as many as needed and nothing runs",
           "cores=64,memory=128", "the machines");
    sub->add_flag("--p0", options_.p0,
                  "P0's setting: cpu and memory on nodes of 64 cores and 128 GiB, no limits of apps on themselves, static "
                  "demand rounded up");
    add_output(sub, "File to write: .stow, .json or .tsv");
  }
  int run(const Console& console) const { return write(import_tianchi(options_), "tianchi", console); }

 private:
  TianchiOptions options_;
  bool profile_ = false;  ///< the default, so that only its conflict with --static counts
};

class ImportGavel : public Import {
 public:
  void add_options(CLI::App* sub) {
    option(sub, "--throughputs", options_.file, "physical_cluster_throughputs.json", "FILE")->required();
    option(sub, "--gpu", options_.gpu, "Kind of GPU", "v100|p100|k80", kOwn);
    option(sub, "--jobs", options_.jobs, "Number of jobs, of types drawn with equal probability", "N", Standard::kAbsent,
           whole_number(1, 10'000'000))
        ->required();
    option(sub, "--gpus", options_.gpus, "Number of GPUs", "M", Standard::kAbsent, whole_number(1, 10'000'000))->required();
    option(sub, "--seed", options_.seed, "Seed; the same seed gives the same jobs on every platform", "N", kOwn);
    add_output(sub, "File to write: .stow or .json");
  }
  int run(const Console& console) const { return write(import_gavel(options_), "gavel", console); }

 private:
  GavelOptions options_;
};

class ImportRasa : public Import {
 public:
  void add_options(CLI::App* sub) {
    option(sub, "--cluster", cluster_, "Such as M3.json", "FILE")->required();
    add_output(sub, "File to write: .stow or .json");
  }
  int run(const Console& console) const { return write(import_rasa(cluster_), "rasa", console); }

 private:
  std::string cluster_;
};

class GenerateProfiles {
 public:
  void add_options(CLI::App* sub) {
    option(sub, "--apps", options_.apps, "Number of apps", "N", kOwn, whole_number(1, 1'000'000));
    option(sub, "--seed", options_.seed, "Seed", "N", kOwn);
    option(sub, "--measure", measure_, "What is measured", "performance|latency", kOwn)
        ->transform(one_of({"performance", "latency"}));
    option(sub, "--samples", options_.samples, "Random configurations per app; 0: all", "N", kOwn, whole_number(0, 150));
    sub->add_flag("--no-features", no_features_, "No columns x_family, x_load and x_data");
    sub->add_flag("--degrees", options_.degrees, "Degrees of collocation 1, 2, 4, 8 and 16");
    option(sub, "-o,--output", output_, "File to write; - is standard output", "FILE")->required();
  }
  int run(const Console&) const {
    profiles::Options options = options_;
    options.latency = measure_ == "latency";
    options.features = !no_features_;
    OutputFile file(output_);
    file.write(profiles::csv(options));
    file.commit();
    return kExitOk;
  }

 private:
  profiles::Options options_;
  std::string measure_ = "performance";
  bool no_features_ = false;
  std::string output_;
};

}  // namespace

void add_imports(LabLine& line, CLI::App* parent) {
  line.add<ImportTianchi>(parent, "tianchi", "Import the raw files of the Alibaba Tianchi 2018 scheduling data",
                          R"(Examples:
  stowage-lab import tianchi --apps app_resources.csv --interference app_interference.csv \
      --deploy instance_deploy.csv --machines machine_resources.csv -o cluster.stow
  stowage-lab import tianchi --p0 --static --apps ... --interference ... --deploy ... -o static.tsv)");
  line.add<ImportGavel>(parent, "gavel", "Import Gavel's throughputs of training jobs that share a GPU", R"(Examples:
  gunzip -k physical_cluster_throughputs.json.gz
  stowage-lab import gavel --throughputs physical_cluster_throughputs.json --jobs 150 --gpus 100 -o jobs.json
  stowage plan jobs.json --objective worst

A job alone on a GPU costs 1; beside another one it costs its measured slowdown. A GPU holds two jobs
at most, and pairs with a throughput of 0 do not share one.)");
  line.add<ImportRasa>(parent, "rasa", "Import a cluster of services that exchange traffic, from RASA's data set",
                       R"(Examples:
  stowage-lab import rasa --cluster M3.json -o m3.stow
  stowage plan m3.stow --objective traffic --moves 3485
  stowage plan m3.stow --objective traffic --moves 50 --deadline 10s

Containers run where they are deployed at first. Without --moves, they all stay there.)");
}

void add_generate_profiles(LabLine& line, CLI::App* parent) {
  line.add<GenerateProfiles>(parent, "profiles", "Simulate how apps perform with sizes and degrees of collocation",
                             R"(Examples:
  stowage-lab generate profiles -o profiles.csv
  stowage-lab generate profiles --apps 20 --seed 7 --samples 2 -o samples.csv
  stowage-lab generate profiles --measure latency --no-features -o latency.csv

docs/understand/learning.md lists the formulas.)");
}

}  // namespace stowage::cli::lab
