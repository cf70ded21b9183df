// How much of the nodes in use a plan uses.
import { NONE, type InstanceColumns, type Plan } from 'stowage';

/**
 * Per resource: share of the capacity of nodes in use, in the period where it is highest. Sums are formed class by class, as the
 * command `stowage replay` forms them, so that both round alike.
 */
export function utilization(plan: Plan, { resources, periods = 1, apps, classes, nodes }: InstanceColumns): number[] {
  const width = resources.length * periods;
  const counts = new Float64Array(classes.length);
  const demand = classes.map(() => new Float64Array(width));
  const add = (to: Float64Array, column: ArrayLike<number>, items: number, item: number, times: number): void => {
    const constant = column.length === items * resources.length;
    for (let d = 0; d < width; ++d) {
      to[d]! += column[constant ? item * resources.length + Math.floor(d / periods) : item * width + d]! * times;
    }
  };
  const copies = (node: number): number => plan.copies?.[node] ?? 1;
  plan.nodeClass.forEach((one, node) => {
    counts[one]! += copies(node);
    const listed = plan.listed[node]!;
    if (listed !== NONE && nodes?.load?.length) add(demand[nodes.nodeClass[listed]!]!, nodes.load, nodes.nodeClass.length, listed, 1);
  });
  for (const { app, node, replicas } of plan.placements) {
    add(demand[plan.nodeClass[node]!]!, apps.demand, apps.replicas.length, app, replicas * copies(node));
  }
  return resources.map((_, r) => {
    const capacity = classes.reduce((sum, one, c) => sum + one.capacity[r]! * counts[c]!, 0);
    let most = 0;
    for (let p = 0; p < periods; ++p) most = Math.max(most, demand.reduce((sum, one) => sum + one[r * periods + p]!, 0));
    return capacity > 0 ? most / capacity : 0;
  });
}
