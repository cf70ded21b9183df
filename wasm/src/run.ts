// One run of a planner, watched or not.
import type { Module, Watch } from './module.js';
import { decodeCatalogue } from './reports.js';
import { FAR_FUTURE, encodeRequest, type PlanRequest } from './request.js';

const deadlines = new WeakMap<Module, ReadonlyMap<string, number>>();

function defaultDeadline(module: Module, planner: string): number {
  let known = deadlines.get(module);
  if (known === undefined) {
    const { planners } = decodeCatalogue(module.planners());
    known = new Map(planners.map(({ name, defaultDeadlineMs = 0 }) => [name, defaultDeadlineMs]));
    deadlines.set(module, known);
  }
  return known.get(planner) ?? 0;
}

/** The bytes of the plan. */
export function runPlanner(module: Module, instance: number, request: PlanRequest | string, watch?: Watch): Uint8Array {
  if (watch?.onProgress === undefined && watch?.isCancelled === undefined) {
    return module.plan(instance, encodeRequest(request, () => 0n));
  }
  // A run with a deadline reads the clock, and so looks at its watch. Where it would have none, it gets one that never comes.
  const bytes = encodeRequest(request, (planner, workLimit) =>
    workLimit === 0n && defaultDeadline(module, planner) > 0 ? 0n : FAR_FUTURE,
  );
  return module.plan(instance, bytes, watch);
}
