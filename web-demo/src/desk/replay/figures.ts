// What a replay comes to: figures, and a table of its plans.
import type { ReplayPart, ReplayStep } from './protocol.js';

const SECONDS_PER_HOUR = 3600;

/** Means are over time: each entry counts as long as it lasts. Waits are in seconds, over the replicas that ran. */
export interface Figures {
  plans: number;
  /** From the first to the last entry. */
  seconds: number;
  nodes: { mean: number; most: number; hours: number };
  /** Per resource, over nodes in use. */
  use: number[];
  /** Prices being those of an hour; absent without prices. */
  cost: number | undefined;
  wait: { mean: number; of99: number; most: number };
  ran: number;
  neverRan: number;
  stillWaiting: number;
  moves: number;
  mostViolations: number;
  planning: { mean: number; most: number };
}

function waitsOf(steps: readonly ReplayStep[]): Pick<Figures, 'wait' | 'ran'> {
  const bySeconds = new Map<number, number>();
  for (const { waits } of steps) for (const [seconds, replicas] of waits) bySeconds.set(seconds, (bySeconds.get(seconds) ?? 0) + replicas);
  const waits = [...bySeconds].sort(([a], [b]) => a - b);
  const ran = waits.reduce((sum, [, replicas]) => sum + replicas, 0);
  const waited = waits.reduce((sum, [seconds, replicas]) => sum + seconds * replicas, 0);
  let counted = 0;
  const of99 = waits.find(([, replicas]) => (counted += replicas) * 100 >= ran * 99)?.[0] ?? 0;
  return { ran, wait: { mean: ran > 0 ? waited / ran : 0, of99, most: waits.at(-1)?.[0] ?? 0 } };
}

/** @param steps at least one */
export function figuresOf(steps: readonly ReplayStep[], end: ReplayPart['end']): Figures {
  const [only] = steps.length === 1 ? steps : [];
  const result: Figures = {
    plans: steps.length,
    seconds: steps.at(-1)!.time - steps[0]!.time,
    nodes: { mean: 0, most: 0, hours: 0 },
    use: steps[0]!.use.map(() => 0),
    cost: steps[0]!.cost === undefined ? undefined : 0,
    ...waitsOf(steps),
    neverRan: end?.neverRan ?? 0,
    stillWaiting: end?.stillWaiting ?? steps.at(-1)!.waiting,
    moves: 0,
    mostViolations: 0,
    planning: { mean: 0, most: 0 },
  };
  let inUse = 0; // node seconds
  steps.forEach((step, k) => {
    // A single entry is a state without a length.
    const seconds = only === undefined ? (steps[k + 1]?.time ?? step.time) - step.time : 1;
    inUse += step.nodes * seconds;
    step.use.forEach((use, r) => (result.use[r]! += use * step.nodes * seconds));
    if (step.cost !== undefined) result.cost = (result.cost ?? 0) + (step.cost * seconds) / SECONDS_PER_HOUR;
    result.nodes.most = Math.max(result.nodes.most, step.nodes);
    result.moves += step.moves;
    result.mostViolations = Math.max(result.mostViolations, step.violations);
    result.planning.mean += step.planningSeconds / steps.length;
    result.planning.most = Math.max(result.planning.most, step.planningSeconds);
  });
  result.nodes.hours = inUse / SECONDS_PER_HOUR;
  result.nodes.mean = inUse / (result.seconds > 0 ? result.seconds : 1);
  result.use = result.use.map((use) => (inUse > 0 ? use / inUse : 0));
  return result;
}

const cell = (text: string): string => (/[,"\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A line per plan, with the columns that `stowage replay --csv` writes. */
export function seriesCsv(steps: readonly ReplayStep[], resources: readonly string[]): string {
  const priced = steps[0]?.cost !== undefined;
  const header = ['time', 'apps', 'running', 'waiting', 'started', 'nodes', 'moves', 'violations', ...(priced ? ['cost'] : [])];
  const lines = steps.map(({ time, apps, running, waiting, started, nodes, moves, violations, cost, planningSeconds, use }) =>
    [time, apps, running, waiting, started, nodes, moves, violations, ...(priced ? [cost] : []), planningSeconds, ...use].join(','),
  );
  return `${[[...header, 'planning_seconds', ...resources.map((name) => cell(`use of ${name}`))].join(','), ...lines].join('\n')}\n`;
}
