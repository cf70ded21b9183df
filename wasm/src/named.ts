// Placements with names instead of indices.
import type { InstanceColumns } from './columns.js';
import { appName } from './description.js';
import type { Placements } from './placements.js';
import { nodeNames, type Plan } from './plan.js';
import { beginning, shown } from './shown.js';
import type { CallOptions } from './watch.js';

/** As `Placed`, with the names of app and node. Of a node with copies, the name is that of the first copy. */
export interface NamedPlaced {
  app: string;
  node: string;
  replicas: number;
}

/** Placements by name, in the order of the plan. Entries are made on access. `namedPlacements` returns them. */
export class NamedPlacements implements Iterable<NamedPlaced> {
  private names: readonly string[] | undefined;
  private nodes: ReadonlyMap<string, number> | undefined;

  /** @internal */
  constructor(
    private readonly plan: Plan,
    private readonly columns: InstanceColumns,
    private readonly placements: Placements,
    private readonly options: CallOptions,
  ) {
    shown(this, `NamedPlacements(${this.length})`, (most) => beginning(this.length, most, (entry) => this.at(entry)));
  }

  /** Number of entries. */
  get length(): number {
    return this.placements.length;
  }
  /** An entry as an object. */
  at(entry: number): NamedPlaced {
    const { app, node, replicas } = this.placements.at(entry);
    return { app: appName(this.columns, app), node: this.nodeNames[node]!, replicas };
  }
  /** The entries in sequence, by node. */
  *[Symbol.iterator](): Iterator<NamedPlaced> {
    for (let entry = 0; entry < this.length; ++entry) yield this.at(entry);
  }
  /** The entries of a node. None where the plan does not use it, or lists it as a further copy of another node (`expandPlan`). */
  on(node: string): NamedPlaced[] {
    this.nodes ??= new Map(this.nodeNames.map((name, index) => [name, index]));
    const index = this.nodes.get(node);
    if (index === undefined) return [];
    const [begin, end] = this.placements.range(index);
    return Array.from({ length: end - begin }, (_, k) => this.at(begin + k));
  }
  /** All entries, for `JSON.stringify`. */
  toJSON(): NamedPlaced[] {
    return [...this];
  }

  private get nodeNames(): readonly string[] {
    return (this.names ??= nodeNames(this.plan, this.columns, this.options));
  }
}

/**
 * The placements of a plan by name. Names are those of `describePlan`. Nothing is copied; the names of nodes are made when the first
 * is asked for.
 * @param columns the instance of the plan
 * @param placements default: `plan.placements`; `plan.reserved` is the other list
 * @param options end the making of the names of nodes
 */
export function namedPlacements(
  plan: Plan, columns: InstanceColumns, placements: Placements = plan.placements, options: CallOptions = {},
): NamedPlacements {
  return new NamedPlacements(plan, columns, placements, options);
}
