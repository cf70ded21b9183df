// Shares of GPUs: which of a cluster's resources come in devices, and what pods take of them.
import { type Amounts, requestsOf } from '../read/amounts.js';
import type { Meta, NodeObject, PodSpec } from '../read/types.js';

/** Annotations of a pod of Open-Simulator and of the openb traces; a GPU has 1000. */
const MILLI_SHARES = 'alibabacloud.com/gpu-milli';
const MILLI_COUNT = 'alibabacloud.com/gpu-count';
/** Of Aliyun's gpushare: a node lists the memory of all its GPUs, and their number; a pod's label has its own number. */
const MEMORY_SHARES = 'aliyun.com/gpu-mem';
const MEMORY_COUNT = 'aliyun.com/gpu-count';
/** Of HAMi, for each of the GPUs that a pod asks for. Only the annotation of a node has their memory. */
const HAMI_SLOTS = 'nvidia.com/gpu';
const HAMI_MEMORY = 'nvidia.com/gpumem';
const HAMI_SHARE = 'nvidia.com/gpumem-percentage';
const HAMI_CORES = 'nvidia.com/gpucores';
const HAMI_REGISTER = 'hami.io/node-nvidia-register';

const MILLI_PER_DEVICE = 1000;
const CORES_PER_DEVICE = 100;
const MOST_DEVICES = 1024;
const ROUNDING = 1e-9;

/** What a pod's shares of devices mean beyond an amount. */
export interface Sharing {
  /** A part that no device has. */
  tooLarge: boolean;
  /** Resources of which the parts of several devices count as whole ones. */
  rounded: string[];
  /** Shares of HAMi that cannot be counted. */
  dropped: string[];
}

/** A positive number, or else 0. */
const numberOf = (text: string | undefined): number =>
  text !== undefined && /^[0-9]+$/.test(text) && Number(text) < 2 ** 31 ? Number(text) : 0;

export class Devices {
  /** The amount of one device by resource; 0 = the nodes differ, or do not say it. */
  private readonly sizes = new Map<string, number>();
  private readonly listed = new Set<string>();
  /** A node has GPUs that are not shared. */
  private wholeGPUs = false;

  /** The amount of one device of a resource; 0 = it is divisible at will. */
  size(resource: string): number {
    return this.sizes.get(resource) ?? 0;
  }

  private see(resource: string, devices: number, size: number): void {
    const right = devices >= 1 && devices <= MOST_DEVICES && Number.isInteger(devices);
    const known = this.sizes.get(resource);
    this.sizes.set(resource, right && (known === undefined || known === size) ? size : 0);
  }

  /** Adds to the capacity of a node what its devices have. */
  addCapacity(from: NodeObject, capacity: Amounts, leaveOut: (text: string) => void): void {
    for (const name of capacity.keys()) this.listed.add(name);
    const counted = capacity.get(MILLI_COUNT) ?? 0;
    if (counted > 0) {
      capacity.set(MILLI_SHARES, counted * MILLI_PER_DEVICE);
      this.see(MILLI_SHARES, counted, MILLI_PER_DEVICE);
    }
    const memory = capacity.get(MEMORY_SHARES) ?? 0;
    const sharing = capacity.get(MEMORY_COUNT) ?? 0;
    if (memory > 0) this.see(MEMORY_SHARES, sharing, memory / Math.max(sharing, 1));
    const register = from.metadata?.annotations?.[HAMI_REGISTER];
    if (register === undefined) {
      this.wholeGPUs ||= (capacity.get(HAMI_SLOTS) ?? 0) > 0;
      return;
    }
    const all = registered(register);
    if (all === undefined) {
      leaveOut(`shared GPUs: the annotation ${HAMI_REGISTER} of node ${from.metadata?.name ?? ''}: it is no list of GPUs`);
      this.see(HAMI_MEMORY, 0, 0);
      return;
    }
    for (const { devmem, health } of all) {
      if (health === false) continue;
      capacity.set(HAMI_MEMORY, (capacity.get(HAMI_MEMORY) ?? 0) + devmem);
      capacity.set(HAMI_CORES, (capacity.get(HAMI_CORES) ?? 0) + CORES_PER_DEVICE);
      this.see(HAMI_MEMORY, 1, devmem);
    }
    const devices = (capacity.get(HAMI_CORES) ?? 0) / CORES_PER_DEVICE;
    if (devices > 0) this.see(HAMI_CORES, devices, CORES_PER_DEVICE);
  }

  /** Gives HAMi's shares up where nodes have other GPUs too: what a pod asks for means different things on them. */
  check(): void {
    if (!this.sizes.has(HAMI_MEMORY) || (!this.wholeGPUs && this.size(HAMI_MEMORY) > 0)) return;
    this.sizes.set(HAMI_MEMORY, 0);
    this.sizes.set(HAMI_CORES, 0);
  }

  /** The requests of a pod, with its shares of devices. */
  requestsOf(meta: Meta, spec: PodSpec): { requests: Amounts; sharing: Sharing } {
    const requests = requestsOf(spec);
    const sharing: Sharing = { tooLarge: false, rounded: [], dropped: [] };
    const milli = numberOf(meta.annotations?.[MILLI_SHARES]);
    if (milli > 0) this.take(requests, sharing, MILLI_SHARES, milli, Math.max(numberOf(meta.annotations?.[MILLI_COUNT]), 1));
    const memory = requests.get(MEMORY_SHARES) ?? 0;
    if (memory > 0) {
      const count = Math.max(numberOf(meta.labels?.[MEMORY_COUNT]), 1);
      this.take(requests, sharing, MEMORY_SHARES, memory / count, count);
    }
    this.takeOfHAMi(requests, sharing);
    return { requests, sharing };
  }

  /** Parts of several devices are no part of the model: they count as whole devices. */
  private take(requests: Amounts, sharing: Sharing, resource: string, each: number, devices: number): void {
    const size = this.size(resource);
    requests.set(resource, each * devices);
    if (size === 0) return; // added up
    if (each > size * (1 + ROUNDING)) {
      sharing.tooLarge = true;
      requests.set(resource, size * devices);
    } else if (devices > 1) {
      if (each < size * (1 - ROUNDING)) sharing.rounded.push(resource);
      requests.set(resource, size * devices);
    }
  }

  /** What a pod asks of each of its GPUs. One that does not say how much memory it takes gets all of it. */
  private takeOfHAMi(requests: Amounts, sharing: Sharing): void {
    const asked = new Map<string, number>();
    for (const name of [HAMI_MEMORY, HAMI_SHARE, HAMI_CORES]) {
      const amount = requests.get(name);
      if (amount === undefined || this.listed.has(name)) continue;
      asked.set(name, amount);
      requests.delete(name);
    }
    const of = (name: string): number => asked.get(name) ?? 0;
    const size = this.size(HAMI_MEMORY);
    if (size === 0) {
      sharing.dropped.push(...[...asked.keys()].filter((name) => of(name) > 0));
      return;
    }
    let devices = requests.get(HAMI_SLOTS) ?? 0;
    if (devices === 0 && asked.size > 0) requests.set(HAMI_SLOTS, (devices = 1)); // as its webhook sets it
    if (devices === 0) return;
    const memory = of(HAMI_MEMORY) || (of(HAMI_SHARE) > 0 ? (size * of(HAMI_SHARE)) / 100 : size);
    this.take(requests, sharing, HAMI_MEMORY, memory, devices);
    if (of(HAMI_CORES) > 0) this.take(requests, sharing, HAMI_CORES, of(HAMI_CORES), devices);
  }

  /** What of a workload's shares the plans do not take into account. */
  leftOut(requests: Amounts, { rounded, dropped }: Sharing): string[] {
    const both = this.size(HAMI_MEMORY) > 0 && (requests.get(HAMI_MEMORY) ?? 0) > 0 && (requests.get(HAMI_CORES) ?? 0) > 0;
    return [
      ...rounded.map((name) => `that it takes parts of several devices of ${name}, which count as whole ones`),
      ...dropped.map((name) => `its ${name}`),
      ...(both ? [`that its ${HAMI_MEMORY} and its ${HAMI_CORES} are on the same device`] : []),
    ];
  }
}

/** The GPUs that HAMi has registered; undefined where the text is no list of them. */
function registered(text: string): { devmem: number; health: boolean | undefined }[] | undefined {
  try {
    const list: unknown = JSON.parse(text);
    if (list === null) return [];
    if (!Array.isArray(list)) return undefined;
    return list.map((item: unknown) => {
      const { devmem, health } = (item ?? {}) as { devmem?: unknown; health?: unknown };
      if (typeof item !== 'object' || Array.isArray(item)) throw new TypeError();
      if (!['number', 'undefined'].includes(typeof (devmem ?? undefined))) throw new TypeError();
      if (!['boolean', 'undefined'].includes(typeof (health ?? undefined))) throw new TypeError();
      return { devmem: (devmem ?? 0) as number, health: (health ?? undefined) as boolean | undefined };
    });
  } catch {
    return undefined;
  }
}
