// Importers of published data in JSON: Gavel's throughputs, and RASA's clusters.
#pragma once

#include <cstdint>
#include <string>

#include "capi/text/formats/instance_data.h"

namespace stowage::cli {

struct GavelOptions {
  std::string file;  ///< physical_cluster_throughputs.json
  std::string gpu = "v100";
  std::uint32_t jobs = 0;  ///< each of a type that is drawn with equal probability
  std::uint32_t gpus = 0;
  std::uint64_t seed = 0;
};

/// Gavel's measured throughputs of training jobs, alone and in pairs on one GPU (D. Narayanan et al., Heterogeneity-Aware
/// Cluster Scheduling Policies for Deep Learning Workloads, OSDI 2020; the repository stanford-futuredata/gavel).
///
/// Jobs with a slowdown each: 1 alone on a GPU, and 1 / r beside another job, r being the measured throughput as a share of
/// that alone. Throughputs above those alone count as equal to them. A GPU holds two jobs at most.
///
/// A job of kind t has a load of 1 and costs 1, and what kind t suffers from kind u is 1 / r - 1. Side effects are linear in
/// loads, so that two jobs of one kind would cost 2 whatever was measured. Therefore the jobs of a type are two kinds and two
/// apps, each with a limit of one replica per node: a pair of the type is one of each half. Every number of pairs remains
/// possible, since each half has half of the jobs. A pair with a throughput of 0 is not possible, or was not measured: a limit
/// keeps it apart. Types that run nowhere alone are left out.
InstanceData import_gavel(const GavelOptions& options);

/// The clusters M1 to M4 that RASA was measured on (S. Wang et al., Resource Allocation with Service Affinity in Large-Scale
/// Cloud Environments, ICDE 2024). An app per service, a listed node per machine, a class per capacity of machines. Containers
/// run where they are deployed at first; traffic is that of pairs of services. Services that only some machines take are
/// refused.
InstanceData import_rasa(const std::string& file);

}  // namespace stowage::cli
