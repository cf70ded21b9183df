// Writes sizes that were learned into an instance, as `stowage recommend --into` and `stowage size --into` do.
import type { InstanceColumns, LimitColumns } from 'stowage';
import type { LearnedSizes } from './protocol.js';

/** Sets the largest number of replicas of an app per node, its limit on itself. */
function limitedPerNode(limits: LimitColumns | undefined, apps: number, most: ReadonlyMap<number, number>): LimitColumns {
  const old = limits ?? { rowBegin: new Uint32Array(apps + 1), app: [], atMost: [] };
  const rowBegin = new Uint32Array(apps + 1);
  const [app, atMost]: [number[], number[]] = [[], []];
  for (let row = 0; row < apps; ++row) {
    const own = most.get(row);
    if (own !== undefined) {
      app.push(row);
      atMost.push(own);
    }
    for (let k = old.rowBegin[row]!; k < old.rowBegin[row + 1]!; ++k) {
      if (own !== undefined && old.app[k] === row) continue;
      app.push(old.app[k]!);
      atMost.push(old.atMost[k]!);
    }
    rowBegin[row + 1] = app.length;
  }
  return { rowBegin, app: Uint32Array.from(app), atMost: Uint32Array.from(atMost) };
}

/**
 * The instance with the sizes as demand, the same in all periods, and with the degrees as limits per node. Apps and resources that
 * it does not have are left out.
 * @param full the same instance with a demand for every period and with the names of all apps
 */
export function withSizes(
  columns: InstanceColumns,
  full: { names: readonly string[]; demand: Float64Array },
  { resources, apps: sized }: LearnedSizes,
): InstanceColumns {
  const { apps, resources: own, periods = 1 } = columns;
  const demand = full.demand.slice();
  const variance = apps.variance === undefined ? undefined : Float64Array.from(apps.variance);
  const position = new Map(full.names.map((name, app) => [name, app]));
  const resource = resources.map((name) => own.findIndex((one) => one.name === name));
  const most = new Map<number, number>();
  for (const { name, size, mostPerNode } of sized) {
    const app = position.get(name);
    if (app === undefined) continue;
    if (mostPerNode !== undefined) most.set(app, mostPerNode);
    size.forEach((amount, k) => {
      const cell = app * own.length + resource[k]!;
      if (resource[k]! < 0 || Number.isNaN(amount)) return;
      demand.fill(amount, cell * periods, (cell + 1) * periods);
      // What was learned is a size, which does not vary.
      if (variance !== undefined) variance[cell] = 0;
    });
  }
  return {
    ...columns,
    apps: { ...apps, demand, ...(variance === undefined ? {} : { variance }) },
    ...(most.size === 0 ? {} : { limits: limitedPerNode(columns.limits, full.names.length, most) }),
  };
}
