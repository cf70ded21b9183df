// The families of planners. Each function below is defined in the file of its family; one line here registers it.
#pragma once

#include <span>

#include "core/planners/planner.h"

/// Calls family(name) for every family, in the order of the catalogue.
// clang-format off
#define STOWAGE_PLANNER_FAMILIES(family)                                                                                  \
  family(auto_planners)            /* the planner that runs if a request names none */                                    \
  family(fit_planners)             /* P0's application-centric family: first, best and worst fit; and Medea-TP */         \
  family(node_candidates_planners) /* Medea-NC: the app with the fewest candidate nodes first */                          \
  family(node_centric_planners)    /* P0's node-centric family: fills one node after another */                           \
  family(spread_planners)          /* P0's multi-node family: spreads replicas over a number of nodes */                  \
  family(match_planners)           /* P0's multi-node family: matches apps with nodes */                                  \
  family(confidence_fit_planners)  /* P1's heuristics for uncertain demand */                                             \
  family(column_planners)          /* P1's cutting stock */                                                               \
  family(tag_greedy_planners)      /* P2's greedy planners, replica after replica: Serial, J-Kube, J-Kube++, YARN */      \
  family(tag_search_planners)      /* search for few violations of soft rules */                                          \
  family(medea_ilp_planners)       /* P2's integer program */                                                             \
  family(colocate_planners)        /* P4's algorithms for side effects of colocation */                                   \
  family(admit_planners)           /* whole applications by size and cosine: as many as possible */                       \
  family(lrasched_planners)        /* P3's two-phase heuristic and its baseline */                                        \
  family(lrasched_ilp_planners)    /* P3's integer programs */                                                            \
  family(fragment_planners)        /* Fragmentation Gradient Descent for resources in devices */                          \
  family(shards_planners)          /* huge instances in shards, side by side */
// clang-format on

namespace stowage {

#define STOWAGE_DECLARE_FAMILY(name) std::span<const PlannerInfo> name();
STOWAGE_PLANNER_FAMILIES(STOWAGE_DECLARE_FAMILY)
#undef STOWAGE_DECLARE_FAMILY

}  // namespace stowage
