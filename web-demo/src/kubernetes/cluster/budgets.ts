// Disruption budgets: which pods may not be evicted now.
import type { Budget, Objects } from '../read/types.js';
import type { Cluster } from './cluster.js';
import { NotUnderstood, selector } from './selectors.js';
import { type Workload, runningOf } from './workloads.js';

/** Marks the workloads whose budget allows no disruption. */
export function holdByBudgets(cluster: Cluster, workloads: readonly Workload[], from: Objects): void {
  for (const one of from.PodDisruptionBudget) {
    const namespace = one.metadata?.namespace ?? '';
    const name = `${namespace}/${one.metadata?.name ?? ''}`;
    try {
      const selects = selector(one.spec?.selector);
      const its = workloads.filter((workload) => workload.namespace === namespace && selects(workload.labels));
      if (its.length === 0) continue;
      const wanted = its.reduce((sum, { replicas }) => sum + replicas, 0);
      const healthy = its.reduce((sum, workload) => sum + runningOf(workload), 0);
      if (allowed(one, wanted, healthy) > 0) continue;
      for (const workload of its)
        if (workload.pinnedBy === undefined) workload.heldBy = `the budget ${name} allows no disruption`;
    } catch (error) {
      if (!(error instanceof NotUnderstood)) throw error;
      cluster.leaveOut(`budget ${name}: ${error.message}`);
    }
  }
}

/** What the status says, or else follows from the number of pods: shares round up, as the controller does it. */
function allowed({ spec, status }: Budget, wanted: number, healthy: number): number {
  if ((status?.observedGeneration ?? 0) > 0 || (status?.expectedPods ?? 0) > 0) return status?.disruptionsAllowed ?? 0;
  const { maxUnavailable, minAvailable } = spec ?? {};
  let needed = 0;
  if (maxUnavailable !== undefined && maxUnavailable !== null) needed = wanted - scaled(maxUnavailable, wanted);
  else if (minAvailable !== undefined && minAvailable !== null) needed = scaled(minAvailable, wanted);
  return Math.max(healthy - Math.max(needed, 0), 0);
}

function scaled(value: number | string, total: number): number {
  if (typeof value === 'number') return value;
  const [, share] = /^([+-]?[0-9]+)%$/.exec(value) ?? [];
  if (share === undefined) throw new NotUnderstood(`"${value}" is neither a whole number nor a percentage`);
  return Math.ceil((Number(share) * total) / 100);
}
