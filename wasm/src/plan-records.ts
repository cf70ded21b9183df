// Made by scripts/generate-bindings.py from the schemas. Do not edit.
// Parts of plans as plain objects. Members that do not apply are absent.
import { index, known, record } from './report-parts.js';
import { GOAL_KINDS, type GoalKind } from './request.js';
import * as wire from './wire/plan_generated.js';

/**
 * How good a plan is. It claims no more than is proven.
 *
 * - `'complete'`: Every replica is placed, and all that `PlanRequest.keep` and `PlanRequest.survive` ask for is kept.
 * - `'optimal'`: Complete, and it is proven that no plan has a better value of `Plan.objective`. With soft policy `'first'`, the
 *   plan violates no soft rule either; with soft policy `'price'`, the cost of its violations is part of the value.
 * - `'partial'`: Some replicas are unplaced, or not all is kept; the plan makes no statement on whether another plan does better.
 * - `'infeasible-proven'`: Some replicas are unplaced, and it is proven that no plan places all of them.
 * - `'cancelled'`: The run was cancelled; this is its best plan.
 * - `'deadline'`: The deadline or the work limit ended the run; this is its best plan.
 */
export type PlanStatus =
  | 'complete'
  | 'optimal'
  | 'partial'
  | 'infeasible-proven'
  | 'cancelled'
  | 'deadline';
export const STATUSES: readonly PlanStatus[] = [
  'complete',
  'optimal',
  'partial',
  'infeasible-proven',
  'cancelled',
  'deadline',
];

/**
 * What a note is about.
 *
 * - `'search-off'`: As NotImproved, in plans of earlier versions.
 * - `'not-improved'`: A part of the search did not run, because of a feature that the text names. Not in plans that are proven
 *   optimal.
 * - `'ended-early'`: The run ended before its limit.
 * - `'left-out'`: Replicas that fit on no node were left out; the others were planned without them.
 * - `'idle-rule'`: A placement rule names a tag that nothing carries, or sets no bound.
 * - `'promise'`: There is not all the room that was to be kept, or some loss is not survived.
 * - `'start-plan'`: The planner failed: the checker refused what it made. The plan is that of the start: what runs and is pinned
 *   stays where it is, everything else is unplaced. A defect; please report it.
 */
export type NoteCode =
  | 'search-off'
  | 'not-improved'
  | 'ended-early'
  | 'left-out'
  | 'idle-rule'
  | 'promise'
  | 'start-plan';
export const NOTE_CODES: readonly NoteCode[] = [
  'search-off',
  'not-improved',
  'ended-early',
  'left-out',
  'idle-rule',
  'promise',
  'start-plan',
];

/** A lower bound on what any plan needs. */
export interface Bound {
  /** Name of the bound, such as "capacity" or "dual-feasible". */
  name: string;
  value: number;
  /** Resource and period from which the bound follows; absent = from none. */
  resource?: number;
  period?: number;
}

/** @internal */
export const boundOf = (from: wire.Bound): Bound => record<Bound>({
  name: from.name() ?? '',
  value: from.value(),
  resource: index(from.resource()),
  period: index(from.period()),
});

/** A number of replicas of an app on a node of the plan, and as many on each of the node's copies. */
export interface Placed {
  app: number;
  node: number;
  replicas: number;
}

/** The number of unplaced replicas of an app. */
export interface Unplaced {
  app: number;
  replicas: number;
}

/** @internal */
export const unplacedOf = (from: wire.Unplaced): Unplaced => ({
  app: from.app(),
  replicas: from.replicas(),
});

/** A number of replicas of one priority. */
export interface LeftOver {
  priority: number;
  replicas: number;
}

/** @internal */
export const leftOverOf = (from: wire.LeftOver): LeftOver => ({
  priority: from.priority(),
  replicas: Number(from.replicas()),
});

/** Something that the reader of the plan should know of the run. */
export interface Note {
  code: NoteCode;
  /** The particulars, as a sentence. */
  text: string;
}

/** @internal */
export const noteOf = (from: wire.Note): Note => ({
  code: NOTE_CODES[from.code()] ?? 'not-improved',
  text: from.text() ?? '',
});

/** A goal of `PlanRequest.goals`, and what a plan reaches of it. */
export interface ReachedGoal {
  /** As `PlanGoal.what`. */
  what: GoalKind;
  /** As `PlanGoal.resource`; absent = all. */
  resource?: number;
  /** As `PlanGoal.beside`. */
  beside: boolean;
  /** As `PlanGoal.weight`. */
  weight: number;
  /** As `PlanGoal.tolerance`. */
  tolerance: number;
  /** What the plan makes of it, without the weight. */
  value: number;
  /** Lower bound on the value of any complete plan that is as good by the goals before; absent = none is known. */
  bound?: number;
  /** Whether no plan that is as good by the goals before has a smaller value. Of goals that count together, of their sum. */
  proven: boolean;
}

/** @internal */
export const reachedGoalOf = (from: wire.ReachedGoal): ReachedGoal => record<ReachedGoal>({
  what: GOAL_KINDS[from.what()] ?? 'cost',
  resource: index(from.resource()),
  beside: from.beside(),
  weight: from.weight(),
  tolerance: from.tolerance(),
  value: from.value(),
  bound: known(from.bound()),
  proven: from.proven(),
});

/**
 * A planner, a search or a neighbourhood that a run asked, and what came of it. Planners have their names in the catalogue;
 * docs/research/search.md names the others.
 */
export interface TracedPart {
  name: string;
  /** How often it was asked. */
  calls: number;
  /** Calls that found a better plan than their search had before. */
  gains: number;
  /** Units of work, with those of the parts that it asked in turn. */
  work: number;
}

/** @internal */
export const tracedPartOf = (from: wire.TracedPart): TracedPart => ({
  name: from.name() ?? '',
  calls: Number(from.calls()),
  gains: Number(from.gains()),
  work: Number(from.work()),
});
