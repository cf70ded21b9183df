// Reads what `kubectl get -o json` prints: lists or single objects, one JSON document after the other.
import { StowageError } from 'stowage';
import { SHAPES, misshapen } from './shape.js';
import { withLine } from './lines.js';
import { JsonMistake, Walk, lineOf } from './text.js';
import type { Objects, PodSpec } from './types.js';

const wrong = (path: string, message: string): StowageError => new StowageError('MALFORMED', message, path);

/** The documents of a text, and where each begins. Fails with the line of the first mistake. */
function documents(text: string): { value: unknown; from: number }[] {
  try {
    // The usual case; the search for the ends of documents would take longer.
    return [{ value: JSON.parse(text), from: 0 }];
  } catch {
    const found: { value: unknown; from: number }[] = [];
    const walk = new Walk(text);
    try {
      for (walk.space(); !walk.ended; walk.space()) {
        const from = walk.at;
        walk.value();
        found.push({ value: JSON.parse(text.slice(from, walk.at)), from });
      }
    } catch (error) {
      if (!(error instanceof JsonMistake)) throw error;
      throw wrong(`line ${lineOf(text, error.at)}`, error.message);
    }
    return found;
  }
}

/** Whether a text looks like objects of Kubernetes: its first document has a kind. */
export function looksLikeKubernetes(text: string): boolean {
  return /^\s*\{/.test(text) && /"kind"\s*:\s*"/.test(text) && /"(?:apiVersion|items|metadata)"\s*:/.test(text);
}

export function readObjects(text: string): Objects {
  const found = { others: new Map<string, number>() } as Objects;
  for (const kind of Object.keys(SHAPES)) (found as unknown as Record<string, unknown[]>)[kind] = [];
  for (const { value, from } of documents(text)) withLine(text, () => add(found, value, ''), from);
  if (found.Node.length === 0)
    throw wrong(
      'items',
      'there are no nodes; the page reads what this prints: kubectl get nodes,deployments,statefulsets,pods -A -o json',
    );
  return found;
}

function add(to: Objects, value: unknown, path: string): void {
  const { kind, items } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  if (typeof kind !== 'string' || kind === '') throw wrong(path, 'is no object of Kubernetes: it has no kind');
  if (kind === 'List' || (kind.endsWith('List') && items !== undefined)) {
    if (items !== undefined && items !== null && !Array.isArray(items)) throw wrong('items', 'must be a list');
    ((items ?? []) as unknown[]).forEach((item, k) => add(to, item, `${path === '' ? '' : `${path}.`}items[${k}]`));
    return;
  }
  const shape = SHAPES[kind];
  if (shape === undefined) {
    to.others.set(kind, (to.others.get(kind) ?? 0) + 1);
    return;
  }
  const bad = misshapen(value, shape, path);
  if (bad !== undefined) throw wrong(bad.path, `must be ${bad.wanted}`);
  (to as unknown as Record<string, unknown[]>)[kind]!.push(value);
}

/** The specifications of all pods that run, wait, or may be made. */
export function podSpecs(from: Objects): PodSpec[] {
  const kinds = [
    from.Deployment, from.StatefulSet, from.DaemonSet, from.ReplicaSet, from.ReplicationController, from.Job, from.Rollout,
  ];
  const made = kinds.flatMap((all) => all.flatMap(({ spec }) => (spec?.template ? [spec.template.spec ?? {}] : [])));
  return [...made, ...from.Pod.map(({ spec }) => spec ?? {})];
}

const CLAIMED = new Set(['ResourceClaim', 'ResourceClaimTemplate', 'ResourceSlice', 'DeviceClass']);

/** The kinds that are not read, in words. */
export const otherKinds = (from: Objects): string[] =>
  [...from.others].sort(([a], [b]) => (a < b ? -1 : 1)).map(
    ([kind, number]) => `objects of kind ${kind} (${number})${CLAIMED.has(kind) ? ': devices that are allocated by claims' : ''}`,
  );
