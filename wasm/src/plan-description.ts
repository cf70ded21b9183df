// The plan as people write it (docs/reference/json-format.md), and words that explain it. The library stowage_text reads and writes them.
import { OWN } from './check.js';
import { writeInstance, type InstanceColumns } from './columns.js';
import { invalid } from './errors.js';
import type { PlainPlanFields } from './plan-content.js';
import type { LeftOver, NoteCode, PlanStatus } from './plan-records.js';
import { Plan } from './plan.js';
import { bytesOfReport } from './report-parts.js';
import type { Explanation } from './reports.js';
import type { GoalKind, Objective, SoftPolicy } from './request.js';
import { fingerprintText } from './shown.js';
import { bytesOfSource, type InstanceSource } from './source.js';
import { jsonBytes, ofText, textIn } from './text.js';
import { Steps, type CallOptions } from './watch.js';

export type { BoundDescription } from './plan-content.js';

/** A plan with names instead of indices: the JSON format that the command line writes and reads (docs/reference/json-format.md). */
export interface PlanDescription extends PlainPlanFields {
  stowage_plan: 1;
  instance: string;
  planner: string;
  status: PlanStatus;
  ucac_resource?: string;
  /** Present where the plan is to survive losses; null = not known. */
  not_survived?: number | null;
  /** Present where the planner maximizes a score of its own. */
  score?: number;
  /** Absent = "nodes". */
  objective?: Objective;
  /** Absent = "first". */
  soft?: SoftPolicy;
  /** Present where the request had goals. What is absent is the default: all resources, false, 1, 0, no bound. */
  goals?: readonly {
    goal: GoalKind;
    resource?: string;
    beside?: boolean;
    weight?: number;
    tolerance?: number;
    value: number;
    bound?: number;
    proven?: boolean;
  }[];
  notes?: readonly { code: NoteCode; text?: string }[];
  /** Present where replicas are left over and a bound on them is known. */
  left_over_bound?: readonly LeftOver[];
  /** `copies` is present where the node has several copies; the name is that of the first copy. */
  nodes: {
    name: string;
    class: string;
    copies?: number;
    replicas: Record<string, number>;
    /** Present where room is kept for more replicas. */
    reserved?: Record<string, number>;
    max_cost?: number;
    ucac?: number;
  }[];
  unplaced: Record<string, number>;
  /** Present where there is no room for replicas that room was to be kept for. */
  unreserved?: Record<string, number>;
}

/** The bytes of an instance with the same names and nothing that rules where replicas may be: all that a plan's JSON depends on. */
function outlineOf({ resources, periods, apps, classes, nodes }: InstanceColumns, steps: Steps): Uint8Array {
  return writeInstance({
    resources,
    periods,
    classes: classes.map(({ name, capacity }) => ({ name, capacity })),
    apps: { names: apps.names, replicas: apps.replicas, demand: apps.demand },
    nodes: nodes && { names: nodes.names, nodeClass: nodes.nodeClass },
  }, steps);
}

const writePlanJson = (plan: Plan, columns: InstanceColumns, steps: Steps): string =>
  textIn(ofText('stowage_plan_to_json', [outlineOf(columns, steps), plan.bytes], steps));

/** The JSON of a plan, with the names of its instance, as the command line writes it. Needs `loadText`. */
export const planToJson = (plan: Plan, columns: InstanceColumns, options: CallOptions = {}): string =>
  writePlanJson(plan, columns, new Steps(options));

/** The plan with the names of its instance, as an object; `planToJson` gives it as text. Needs `loadText`. */
export function describePlan(plan: Plan, columns: InstanceColumns, options: CallOptions = {}): PlanDescription {
  for (const key of ['seed', 'work', 'pace'] as const) {
    if (plan[key] > BigInt(Number.MAX_SAFE_INTEGER)) throw invalid(key, 'is too large for a number of JavaScript');
  }
  return JSON.parse(writePlanJson(plan, columns, new Steps(options))) as PlanDescription;
}

/** The JSON of a plan with the fingerprint that it may leave out. A text stays as it is: JavaScript does not hold all of its numbers. */
function withInstance(description: PlanDescription | string, fingerprint: bigint, steps: Steps): Uint8Array {
  const instance = fingerprintText(fingerprint);
  if (typeof description !== 'string') {
    if (typeof description !== 'object' || description === null) throw invalid('', 'must be an object');
    return jsonBytes({ ...description, instance: description.instance ?? instance }, 'a plan', steps);
  }
  return jsonBytes(lacksInstance(description) ? description.replace('{', `{"instance": "${instance}", `) : description, 'a plan', steps);
}

/** Whether the text is an object that has keys, and not this one. What else it may be, the library refuses. */
function lacksInstance(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && Object.keys(value).length > 0 && !('instance' in value);
  } catch {
    return false;
  }
}

/**
 * Reads a plan that `describePlan`, `planToJson` or the command line has written as JSON. Whether it is a good one, `verify` tells.
 * Needs `loadText`.
 * @param fingerprint the instance of a plan that names none
 * @throws StowageError with the path of the first wrong value
 */
export function planOf(
  description: PlanDescription | string, columns: InstanceColumns, fingerprint: bigint, options: CallOptions = {},
): Plan {
  const steps = new Steps(options);
  const json = withInstance(description, fingerprint, steps);
  return new Plan(ofText('stowage_plan_from_json', [outlineOf(columns, steps), json], steps), OWN);
}

/**
 * A plan in words, as the command line prints it: which nodes to buy, use, keep and free, how sure that is, what decides, and a table
 * of at most `shown` nodes. Needs `loadText`.
 */
export function planToText(plan: Plan, source: InstanceSource, shown = 10, options: CallOptions = {}): string {
  if (!Number.isInteger(shown) || shown < 0 || shown >= 2 ** 32) throw invalid('shown', `must be a whole number below 2^32, not ${shown}`);
  const steps = new Steps(options);
  return textIn(ofText('stowage_plan_to_text', [bytesOfSource(source, steps), plan.bytes], steps, undefined, [shown]));
}

/**
 * A page of a plan: an HTML document with the answer of `planToText`, how sure it is, what decides, a picture of all nodes, and tables.
 * It needs no other file and runs no script. Needs `loadText`.
 */
export function planToHtml(plan: Plan, source: InstanceSource, options: CallOptions = {}): string {
  const steps = new Steps(options);
  return textIn(ofText('stowage_plan_to_html', [bytesOfSource(source, steps), plan.bytes], steps));
}

/** The picture of the page of `planToHtml`, as an SVG document. Needs `loadText`. */
export function planToSvg(plan: Plan, source: InstanceSource, options: CallOptions = {}): string {
  const steps = new Steps(options);
  return textIn(ofText('stowage_plan_to_svg', [bytesOfSource(source, steps), plan.bytes], steps));
}

/** The bytes of what `explain` returned, which another thread can put into words. */
export function explanationBytes(explanation: Explanation): Uint8Array {
  return bytesOfReport(explanation);
}

/** An explanation, or its bytes, in words, as the command line prints it. Needs `loadText`. */
export function explanationToText(
  explanation: Explanation | Uint8Array, plan: Plan, source: InstanceSource, options: CallOptions = {},
): string {
  const steps = new Steps(options);
  const report = explanation instanceof Uint8Array ? explanation : bytesOfReport(explanation);
  return textIn(ofText('stowage_explanation_to_text', [bytesOfSource(source, steps), plan.bytes, report], steps));
}
