// Amounts of resources: what pods request, in cores, MiB and counts.
import { parseAmount } from './shape.js';
import type { Container, PodSpec, Requests, Resources } from './types.js';

export type Amounts = Map<string, number>;

const BYTES_PER_MIB = 2 ** 20;
const UNITS: Readonly<Record<string, string>> = { cpu: 'cores', memory: 'MiB', 'ephemeral-storage': 'MiB' };

/** Memory and storage are planned in MiB, in which common values are exact. */
export const unitOf = (resource: string): string => UNITS[resource] ?? '';

export function amountsOf(list: Requests | null | undefined): Amounts {
  return new Map(
    Object.entries(list ?? {}).map(([name, quantity]) => {
      const amount = parseAmount(quantity)!;
      return [name, unitOf(name) === 'MiB' ? amount / BYTES_PER_MIB : amount];
    }),
  );
}

export function addAmounts(to: Amounts, amounts: Amounts): void {
  for (const [name, amount] of amounts) to.set(name, (to.get(name) ?? 0) + amount);
}

export function raise(to: Amounts, from: Amounts): void {
  for (const [name, amount] of from) to.set(name, Math.max(to.get(name) ?? 0, amount));
}

export const sameAmounts = (a: Amounts, b: Amounts): boolean =>
  a.size === b.size && [...a].every(([name, amount]) => b.get(name) === amount);

export const isSidecar = ({ restartPolicy }: Container): boolean => restartPolicy === 'Always';

/** The requests of a container: where a template has only a limit, the API server makes it the request of each pod. */
const requestedBy = (of: Resources | null | undefined): Amounts =>
  new Map([...amountsOf(of?.limits), ...amountsOf(of?.requests)]);

/**
 * What the scheduler reserves for a pod: the larger of the sum over its containers and sidecars and the need of each init
 * container at its time, plus the overhead of the runtime.
 */
export function requestsOf(spec: PodSpec): Amounts {
  const sum: Amounts = new Map([['pods', 1]]);
  for (const { resources } of spec.containers ?? []) addAmounts(sum, requestedBy(resources));
  // Sidecars start in order and run beside the init containers after them.
  const sidecars: Amounts = new Map();
  const most: Amounts = new Map();
  for (const container of spec.initContainers ?? []) {
    const own = requestedBy(container.resources);
    if (isSidecar(container)) {
      addAmounts(sum, own);
      addAmounts(sidecars, own);
      continue;
    }
    const now = new Map(sidecars);
    addAmounts(now, own);
    raise(most, now);
  }
  raise(sum, most);
  // Requests of the pod as a whole take precedence over those of its containers.
  for (const [name, amount] of amountsOf(spec.resources?.requests)) sum.set(name, amount);
  for (const [name, amount] of amountsOf(spec.resources?.limits)) if (!sum.has(name)) sum.set(name, amount);
  addAmounts(sum, amountsOf(spec.overhead));
  return sum;
}
