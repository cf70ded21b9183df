// A run of a planner, with or without callbacks.
import type { Module, Watch } from './module.js';
import { decodeCatalogue } from './reports.js';
import { FAR_FUTURE, encodeRequest, type AnyPlanner, type PlanRequest } from './request.js';

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

/** Runs a planner and returns the bytes of its plan. `plan` makes the call on an instance or on a session. */
export function runPlanner(
  module: Module, plan: (request: Uint8Array, watch?: Watch) => Uint8Array, request: PlanRequest | AnyPlanner, watch?: Watch,
): Uint8Array {
  if (watch?.onProgress === undefined && watch?.isCancelled === undefined) {
    return plan(encodeRequest(request, () => 0n));
  }
  // Only a run with a deadline reads the clock, and reading the clock triggers the callbacks. A run without a deadline gets one
  // that is never reached.
  const bytes = encodeRequest(request, (planner, workLimit) =>
    workLimit === 0n && defaultDeadline(module, planner) > 0 ? 0n : FAR_FUTURE,
  );
  return plan(bytes, watch);
}
