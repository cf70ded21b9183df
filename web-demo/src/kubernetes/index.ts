// Reads a cluster of Kubernetes as an instance. The command stowage-k8s (bindings/go/stowage-k8s) is the reference; both make the
// same of its testdata.
import type { InstanceDescription } from 'stowage';
import { holdByBudgets } from './cluster/budgets.js';
import { Cluster } from './cluster/cluster.js';
import { Collector, runningOf, textOf } from './cluster/workloads.js';
import { affinity, antiAffinity, hostPorts } from './model/affinity.js';
import { instanceOf } from './model/instance.js';
import { Model } from './model/model.js';
import { spread } from './model/spread.js';
import { otherKinds, readObjects } from './read/objects.js';

export { looksLikeKubernetes } from './read/objects.js';
export { parsed, withLine } from './read/lines.js';

export interface ReadCluster {
  instance: InstanceDescription;
  /** What plans do not take into account, in order. */
  leftOut: string[];
  /** What was assumed when the input was read. */
  notes: string[];
  /** What runs and may not leave its node now, although plans may move it. */
  held: string[];
}

/** Reads what `kubectl get -o json` prints. Fails with the line of what is wrong. */
export function readCluster(text: string): ReadCluster {
  const from = readObjects(text);
  const cluster = new Cluster(from);
  const collected = new Collector(cluster, from);
  const { workloads, daemons } = collected;
  holdByBudgets(cluster, workloads, from);
  for (const kind of otherKinds(from)) cluster.leaveOut(kind);
  const model = new Model(cluster, workloads, daemons);
  workloads.forEach((one, i) => {
    model.placeOf.push(model.placeIndex(one));
    antiAffinity(model, i, one);
    affinity(model, i, one);
    spread(model, i, one);
    hostPorts(model, i, one);
    model.others(one);
  });
  return {
    instance: instanceOf(model),
    leftOut: cluster.leftOut,
    notes: cluster.notes,
    held: workloads.flatMap((one) =>
      one.heldBy === undefined || runningOf(one) === 0 ? [] : [`${textOf(one)}: ${one.heldBy}`],
    ),
  };
}
