// How many more replicas of an app each node of a plan takes, as the library answers. The desk has the library to itself: the
// planners' worker answers nothing while a planner runs.
import { NONE, type Instance, type InstanceColumns, type Plan, type Stowage } from 'stowage';
import { JOIN, type Joining } from './protocol.js';

export class HeadroomDesk {
  /** The scenario that was asked about last, and its instance in the module. */
  private loaded: { scenario: number; instance: Instance } | undefined;

  constructor(private readonly library: () => Promise<Stowage>) {}

  async joining(scenario: number, columns: InstanceColumns, plan: Plan, app: number, node?: number): Promise<Joining> {
    const library = await this.library();
    if (this.loaded?.scenario !== scenario) {
      this.loaded?.instance.dispose();
      this.loaded = undefined;
      this.loaded = { scenario, instance: library.instance(columns) };
    }
    const { room, lacksCapacity, forbidden, obstacles } = this.loaded.instance.headroom(plan, app, node);
    const closed = columns.nodes?.closed;
    const code = Uint8Array.from(room, (_, one) => {
      const listed = plan.listed[one]!;
      if (listed !== NONE && closed?.[listed] === 1) return JOIN.closed;
      if (lacksCapacity[one] === 1) return forbidden[one] === 1 ? JOIN.both : JOIN.capacity;
      return forbidden[one] === 1 ? JOIN.limits : JOIN.takes;
    });
    return { code, headroom: room, obstacles };
  }

  forget(scenario: number): void {
    if (this.loaded?.scenario !== scenario) return;
    this.loaded.instance.dispose();
    this.loaded = undefined;
  }
}
