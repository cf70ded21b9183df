// The options of a run: as the planner gets them, and in words.
import type { Objective, PlanRequest } from 'stowage';
import type { Outline } from './desk/protocol.js';
import type { State } from './state.js';
import { count, number } from './view/elements/format.js';

export const OBJECTIVE_WORDS: Record<Objective, string> = {
  nodes: 'fewest nodes, least cost',
  ucac: 'least capacity used at confidence',
  worst: 'least side effects for the worst-off',
  total: 'least side effects in all',
  admitted: 'most whole applications',
  traffic: 'least traffic between nodes',
};

/** A request of the page; it always names its planner. */
export type NamedRequest = PlanRequest & { planner: string };

/** The request with the page's objective. A planner that does not pursue it plans for the fewest nodes. */
export function requestFor(request: NamedRequest, { catalogue, objective }: State): NamedRequest {
  const pursued = catalogue.find(({ name }) => name === request.planner)?.objectives ?? [];
  return objective !== 'nodes' && pursued.includes(objective) ? { ...request, objective } : request;
}

/** What distinguishes a request from one with default options, in words. */
export function optionsText(request: PlanRequest, { kindNames }: Outline): string {
  const { deadlineMs, nodeLimit, seed, patienceMs, moveBudget, maxCost, soft, softPrice, objective } = request;
  const parts = [
    ...(kindNames.length > 0 ? [`for ${objective ?? 'nodes'}`] : objective === undefined ? [] : [`for ${objective}`]),
    ...(deadlineMs === undefined ? [] : [`${number(deadlineMs / 1000)} s`]),
    ...(nodeLimit === undefined ? [] : [`at most ${count(nodeLimit, 'node')}`]),
    ...(moveBudget === undefined ? [] : [`at most ${count(moveBudget, 'move')}`]),
    ...(maxCost === undefined ? [] : [`side effects up to ${number(maxCost)}`]),
    ...(patienceMs === undefined ? [] : [`patience ${number(patienceMs / 1000)} s`]),
    ...(seed === undefined || Number(seed) === 0 ? [] : [`seed ${seed}`]),
    ...(soft === undefined || soft === 'first' ? [] : [soft === 'last' ? 'rules last' : `rules at ${number(softPrice ?? 1)}`]),
  ];
  return parts.join(', ');
}
