// Each function registers the benchmarks of one file.
#pragma once

namespace stowage {

void add_kernel_benchmarks();
void add_planner_benchmarks();
void add_cluster_benchmarks();

}  // namespace stowage
