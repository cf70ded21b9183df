// Which of two plans is better, and whether everything holds in a plan. Unplaced replicas count first, by priority; then
// placement rules; then the objective.
import type { Objective, Plan } from 'stowage';
import type { Outline } from './desk/protocol.js';

export interface Standing {
  plan: Plan;
  /** Constraints that the plan breaks, as the checker counts them; always 0 for plans that were made here. */
  broken: number;
}

export const unplacedOf = ({ unplaced }: Plan): number => unplaced.reduce((sum, { replicas }) => sum + replicas, 0);

/** The value of a plan by an objective; smaller is better. */
export function valueOf(plan: Plan, objective: Objective): number {
  const own = { nodes: plan.cost, ucac: plan.ucac, worst: plan.maxCost, total: plan.totalCost, admitted: plan.leftOut, traffic: plan.remoteTraffic }[objective];
  return own ?? plan.nodes;
}

/** Unplaced replicas per priority, highest priority first. */
function unplacedByPriority(outline: Outline, plan: Plan): Map<number, number> {
  const found = new Map<number, number>();
  for (const { app, replicas } of plan.unplaced) {
    const priority = outline.priority[app] ?? 0;
    found.set(priority, (found.get(priority) ?? 0) + replicas);
  }
  return found;
}

/** Relative difference below which two values of an objective are the same. */
const SAME = 1e-9;
const apart = (a: number, b: number): number => (Math.abs(a - b) <= SAME * Math.max(Math.abs(a), Math.abs(b)) ? 0 : a - b);

/** Negative where the first plan is better, 0 where none is. */
export function compareStanding(outline: Outline, a: Standing, b: Standing, objective: Objective): number {
  if (objective === 'admitted') {
    const difference = apart(valueOf(a.plan, objective), valueOf(b.plan, objective));
    if (difference !== 0) return difference;
  }
  const [left, right] = [unplacedByPriority(outline, a.plan), unplacedByPriority(outline, b.plan)];
  const priorities = [...new Set([...left.keys(), ...right.keys()])].sort((x, y) => y - x);
  for (const priority of priorities) {
    const difference = (left.get(priority) ?? 0) - (right.get(priority) ?? 0);
    if (difference !== 0) return difference;
  }
  return (
    a.broken - b.broken ||
    apart(a.plan.ruleViolations?.cost ?? 0, b.plan.ruleViolations?.cost ?? 0) ||
    apart(valueOf(a.plan, objective), valueOf(b.plan, objective)) ||
    a.plan.nodes - b.plan.nodes
  );
}

/** Whether everything is placed and every constraint and rule holds. */
export const holds = ({ plan, broken }: Standing): boolean =>
  unplacedOf(plan) === 0 && broken === 0 && (plan.ruleViolations?.count ?? 0) === 0 && plan.inheritedViolations === 0;

/** What is missing in a plan, in words; empty where everything holds. */
export function missing(outline: Outline, { plan, broken }: Standing): string[] {
  const left = unplacedOf(plan);
  const rules = plan.ruleViolations?.count ?? 0;
  const named = plan.unplaced.slice(0, 3).map(({ app, replicas }) => `${replicas} of ${outline.appNames[app]!}`);
  const plural = (number: number, one: string): string => `${number.toLocaleString('en')} ${one}${number === 1 ? '' : 's'}`;
  return [
    ...(left > 0 ? [`${plural(left, 'replica')} unplaced (${named.join(', ')}${plan.unplaced.length > 3 ? ', …' : ''})`] : []),
    ...(broken > 0 ? [`${plural(broken, 'constraint')} broken`] : []),
    ...(plan.inheritedViolations > 0 ? [`${plural(plan.inheritedViolations, 'constraint')} broken from the start`] : []),
    ...(rules > 0 ? [`placement rules not held ${rules === 1 ? 'once' : `${rules.toLocaleString('en')} times`}`] : []),
  ];
}
