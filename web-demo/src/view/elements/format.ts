import type { Bound, Obstacle, Plan, PlanStatus } from 'stowage';
import type { Outline } from '../../desk/protocol.js';

export const whole = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 0 });
export const number = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 2 });
export const percent = (share: number): string => `${(100 * share).toLocaleString('en', { maximumFractionDigits: 1 })} %`;
export const count = (value: number, one: string, many = `${one}s`): string => `${whole(value)} ${value === 1 ? one : many}`;

export function duration(milliseconds: number): string {
  return milliseconds < 1000 ? `${number(Math.round(10 * milliseconds) / 10)} ms` : `${number(milliseconds / 1000)} s`;
}

export const STATUS: Record<PlanStatus, string> = {
  optimal: 'proven optimal',
  complete: 'complete',
  partial: 'incomplete',
  'infeasible-proven': 'proven impossible',
  cancelled: 'cancelled: best so far',
  deadline: 'time was up: best so far',
};

export function amount(outline: Outline, value: number, resource: number): string {
  const unit = outline.resources[resource]?.unit;
  return unit ? `${number(value)} ${unit}` : number(value);
}

function place(outline: Outline, resource: number | undefined, period: number | undefined): string {
  const name = resource === undefined ? 'resources' : (outline.resources[resource]?.name ?? '');
  return period === undefined || outline.periods === 1 ? name : `${name} in period ${period + 1}`;
}

export function boundText(outline: Outline, bound: Bound): string {
  const from = bound.resource === undefined ? '' : ` for ${place(outline, bound.resource, bound.period)}`;
  return `${bound.name} bound${from}`;
}

// For replicas of one priority; with several, the bound of one holds under conditions on those above.
function leastLeftOver({ leftOverBound }: Plan): string {
  return leftOverBound.length === 1 ? ` Every plan leaves at least ${count(leftOverBound[0]!.replicas, 'replica')} over.` : '';
}

/** A sentence on what is proven about a plan. */
export function proven(outline: Outline, plan: Plan): string {
  const unplaced = plan.unplaced.reduce((sum, { replicas }) => sum + replicas, 0);
  if (plan.placesMost && plan.objective === 'admitted') return 'Proven: no plan admits more applications.';
  if (plan.placesMost) return `Proven: no plan leaves less over than these ${count(unplaced, 'replica')}.`;
  if (plan.status === 'infeasible-proven') return `Proven: no plan places everything.${leastLeftOver(plan)}`;
  if (unplaced > 0) return `${count(unplaced, 'replica')} unplaced; the reasons are below.`;
  if (plan.status !== 'optimal' && plan.objective === 'worst' && plan.maxCostBound !== undefined) {
    return (
      `In every plan, side effects cost some replica at least ${number(plan.maxCostBound.value)}; ` +
      `here, ${number(plan.maxCost ?? 0)}.`
    );
  }
  if (plan.status !== 'optimal' && plan.objective === 'total' && plan.totalCostBound !== undefined) {
    return (
      `In every plan, side effects cost all replicas together at least ${number(plan.totalCostBound.value)}; ` +
      `here, ${number(plan.totalCost ?? 0)}.`
    );
  }
  if (plan.nodeBound === undefined) return 'Every replica is placed; no bound is known.';
  const { value } = plan.nodeBound;
  const source = boundText(outline, plan.nodeBound);
  if (plan.status === 'optimal') {
    if (plan.objective === 'ucac') return 'Proven optimal: no plan uses less capacity at confidence.';
    if (plan.objective === 'worst') return 'Proven optimal: in every plan, side effects cost some replica as much.';
    if (plan.objective === 'total') return 'Proven optimal: no plan has less side effects in all.';
    if (plan.objective === 'admitted') return 'Proven optimal: every application is admitted.';
    return plan.cost === undefined
      ? `Proven optimal: no plan needs fewer nodes (${source}).`
      : 'Proven optimal: no plan costs less.';
  }
  const cost = plan.costBound === undefined ? '' : ` None costs less than ${number(plan.costBound.value)}.`;
  if (plan.nodes === value) return `No plan needs fewer nodes (${source}).${cost}`;
  const savings = `at most ${whole(plan.nodes - value)} could be saved`;
  return `Every plan needs at least ${count(value, 'node')} (${source}), so ${savings}.${cost}`;
}

export function obstacleText(outline: Outline, app: number, obstacle: Obstacle): string {
  const name = outline.appNames[app]!;
  const other = obstacle.other === undefined ? '' : (outline.appNames[obstacle.other] ?? '');
  switch (obstacle.kind) {
    case 'capacity': {
      const lack = amount(outline, obstacle.amount, obstacle.resource!);
      return `It lacks ${lack} of ${place(outline, obstacle.resource, obstacle.period)}.`;
    }
    case 'capacity-at-confidence': {
      const lack = amount(outline, obstacle.amount, obstacle.resource!);
      return `At the required confidence, it lacks ${lack} of ${place(outline, obstacle.resource, obstacle.period)}.`;
    }
    case 'affinity-limit':
      return `${other} there allows at most ${obstacle.limit} of ${name} beside it.`;
    case 'imposed-limit':
      return (
        `${name} allows at most ${obstacle.limit} of ${other} beside it, and ${obstacle.amount} ` +
        `${obstacle.amount === 1 ? 'is' : 'are'} there.`
      );
    case 'self-limit':
      return `${name} allows at most ${obstacle.limit} of itself per node.`;
    case 'closed-node':
      return 'The node is closed.';
    case 'placement-rule':
      return `The hard rule "${outline.ruleNames[obstacle.other!]!}" keeps ${name} away.`;
    case 'side-effects':
      return (
        `Side effects would cost a replica of kind ${outline.kindNames[obstacle.other!]!} ${number(obstacle.amount)}; ` +
        `at most ${number(obstacle.limit)} is allowed.`
      );
    case 'devices': {
      const free = amount(outline, obstacle.limit, obstacle.resource!);
      const wanted = amount(outline, obstacle.amount, obstacle.resource!);
      return `It has no room for ${wanted} of ${place(outline, obstacle.resource, undefined)} on one device or whole ones; ${free} are free in all.`;
    }
    case 'eligibility':
      return `${name} may not be on nodes with these labels.`;
  }
}
