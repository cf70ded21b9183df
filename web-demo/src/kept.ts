// Scenarios and plans that this browser keeps over reloads, in IndexedDB.
import type { ClusterNotes } from './desk/protocol.js';
import type { Recipe } from './share.js';
import type { Store as PageStore } from './state.js';
import type { Outcome, Scenario } from './state.js';

export interface KeptPlan {
  planner: string;
  options: string;
  bytes: Uint8Array;
  broken: number;
  milliseconds: number | undefined;
}

export interface KeptScenario {
  /** Fingerprint of the instance and label, so that the same scenario is kept once. */
  key: string;
  label: string;
  /** Position among the scenarios of the page. */
  position: number;
  bytes: Uint8Array;
  cluster: ClusterNotes | undefined;
  recipe: Recipe | undefined;
  /** Key of the scenario that it was made from. */
  parent: string | undefined;
  baseline: boolean;
  present: boolean;
  plans: KeptPlan[];
}

const STORE = 'scenarios';
/** Larger scenarios and plans, in bytes, are not kept. */
const MOST_BYTES = 8_000_000;
/** Milliseconds after a change until it is kept. */
const CALM = 500;

const settled = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('IndexedDB failed'));
  });

export class Shelf {
  private readonly opening: Promise<IDBDatabase | undefined>;
  /** What is kept of each scenario, as a text that changes with it. */
  private readonly known = new Map<string, string>();
  private timer: number | undefined;
  private writing = Promise.resolve();

  /** @param bytesOf returns a scenario as `.stow`, keyOf what identifies it */
  constructor(
    private readonly store: PageStore,
    private readonly bytesOf: (scenario: Scenario) => Promise<Uint8Array>,
    private readonly keyOf: (scenario: Scenario) => Promise<string>,
  ) {
    // Some browsers forbid it, for example in private windows. Nothing is kept then.
    this.opening = Shelf.opened().catch(() => undefined);
  }

  private static async opened(): Promise<IDBDatabase> {
    const request = indexedDB.open('stowage-explorer', 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'key' });
    return settled(request);
  }

  /** What was kept before, in order. */
  async all(): Promise<KeptScenario[]> {
    const database = await this.opening;
    if (database === undefined) return [];
    const found = await settled<KeptScenario[]>(database.transaction(STORE).objectStore(STORE).getAll());
    return found.sort((a, b) => a.position - b.position);
  }

  /** Follows the page from now on. What it does not show any more is forgotten. */
  follow(): void {
    const soon = (): void => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => (this.writing = this.writing.then(() => this.write()).catch(() => undefined)), CALM);
    };
    this.store.on(['scenario', 'outcomes'], soon);
    soon();
  }

  private async write(): Promise<void> {
    const database = await this.opening;
    if (database === undefined) return;
    const { scenarios, outcomes, baseline, scenario: present } = this.store.state;
    // Names may change while this is written.
    const labels = new Map(scenarios.map((one) => [one, one.label]));
    const keys = new Map<Scenario, string>();
    for (const one of scenarios) keys.set(one, await this.keyOf(one));
    // What has another name now is kept under another key: both must not come back.
    const there = new Set(keys.values());
    const before = await settled(database.transaction(STORE).objectStore(STORE).getAllKeys());
    for (const key of before as string[]) {
      if (there.has(key)) continue;
      this.known.delete(key);
      await settled(database.transaction(STORE, 'readwrite').objectStore(STORE).delete(key));
    }
    for (const [position, one] of scenarios.entries()) {
      const key = keys.get(one)!;
      const own = outcomes.filter(({ scenario, plan }) => scenario === one && plan.bytes.length <= MOST_BYTES);
      const mark = [position, labels.get(one), one === baseline, one === present, ...own.map(({ id }) => id)].join();
      if (this.known.get(key) === mark) continue;
      const bytes = await this.bytesOf(one);
      if (bytes.length > MOST_BYTES) continue;
      const label = labels.get(one)!;
      const { cluster, recipe, parent } = one;
      const kept: KeptScenario = {
        key, label, position, bytes, cluster, recipe, parent: parent && keys.get(parent), baseline: one === baseline,
        present: one === present, plans: own.map(keptPlan),
      };
      await settled(database.transaction(STORE, 'readwrite').objectStore(STORE).put(kept));
      this.known.set(key, mark);
    }
  }
}

const keptPlan = ({ planner, options, plan, broken, milliseconds }: Outcome): KeptPlan => ({
  planner,
  options,
  bytes: plan.bytes.slice(),
  broken,
  milliseconds,
});
