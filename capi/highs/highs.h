/*
 * highs.h - HiGHS as the solver of planners that need one.
 *
 *   stowage_solver solver = STOWAGE_SOLVER_INIT;
 *   stowage_highs(&solver);
 *   stowage_control_set_solver(control, &solver, &error);
 *
 * A program that links the target stowage_highs, which exists where HiGHS was found, links HiGHS as well. HiGHS is run on one
 * thread: with the same program and seed and without a limit on time its answers are the same.
 *
 * Copyright the Stowage authors. Licensed under the Apache License, Version 2.0.
 */
#ifndef STOWAGE_HIGHS_H
#define STOWAGE_HIGHS_H

#include <stowage.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Fill a solver that is started from STOWAGE_SOLVER_INIT. It holds no memory, and any number of threads may use it. */
void stowage_highs(stowage_solver* solver);

#ifdef __cplusplus
}
#endif

#endif /* STOWAGE_HIGHS_H */
