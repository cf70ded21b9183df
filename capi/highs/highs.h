/*
 * highs.h - HiGHS as the solver for planners that need one.
 *
 *   stowage_solver solver = STOWAGE_SOLVER_INIT;
 *   stowage_highs(&solver);
 *   stowage_control_set_solver(control, &solver, &error);
 *
 * The CMake target stowage_highs exists where HiGHS was found; a program that links it links HiGHS too. HiGHS runs on one
 * thread: the same program and seed give the same answer, unless the time limit ends the search.
 *
 * Copyright the Stowage authors. Licensed under the Apache License, Version 2.0.
 */
#ifndef STOWAGE_HIGHS_H
#define STOWAGE_HIGHS_H

#include <stowage.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Fill a solver, which starts from STOWAGE_SOLVER_INIT. It owns no memory, and any number of threads may use it at once. */
void stowage_highs(stowage_solver* solver);

#ifdef __cplusplus
}
#endif

#endif /* STOWAGE_HIGHS_H */
