// A node as stacked bars: one bar per resource, one segment per app.
import type { NodeView } from '../../desk/protocol.js';
import type { Outcome } from '../../state.js';
import { appColor, kindColor } from '../elements/colors.js';
import { h } from '../elements/dom.js';
import { amount, count, number, percent } from '../elements/format.js';

/** The chosen period, or the one in which most of the resource is used. */
export function periodOf(outcome: Outcome, view: NodeView, resource: number, time: number): number {
  if (time !== 0) return time - 1;
  const { periods } = outcome.scenario;
  let [most, at] = [-1, 0];
  for (let period = 0; period < periods; ++period) {
    const used = usedOf(outcome, view, resource, period);
    if (used > most) [most, at] = [used, period];
  }
  return at;
}

export function usedOf(outcome: Outcome, view: NodeView, resource: number, period: number): number {
  const d = resource * outcome.scenario.periods + period;
  return view.apps.reduce((sum, { demand }) => sum + demand[d]!, view.load[d]!);
}

/** What a node of uncertain demand keeps free beyond the mean, so that it holds at the confidence that is asked for. */
export interface Margin {
  mean: number;
  margin: number;
}

/** Undefined where the library gives no used capacity at confidence: without uncertain demand, and for other resources. */
export function marginOf(outcome: Outcome, view: NodeView, resource: number): Margin | undefined {
  const { plan, scenario } = outcome;
  const used = plan.nodeUcac?.[view.node];
  if (used === undefined || plan.ucacResource !== resource) return undefined;
  // With several periods, the library gives the one in which most is used; its mean is at most the highest one.
  const mean = Math.max(
    ...Array.from({ length: scenario.periods }, (_, period) => usedOf(outcome, view, resource, period)),
  );
  return { mean, margin: Math.max(0, used - mean) };
}

/** A bar with one segment per app, in the order and the colours of apps or of kinds. */
export function stack(
  outcome: Outcome,
  view: NodeView,
  resource: number,
  time: number,
  app: number | undefined,
  byKind = false,
): HTMLElement {
  const { scenario } = outcome;
  const period = periodOf(outcome, view, resource, time);
  const d = resource * scenario.periods + period;
  const capacity = view.capacity[resource]!;
  const margin = marginOf(outcome, view, resource)?.margin ?? 0;
  const scale = Math.max(capacity, usedOf(outcome, view, resource, period) + margin) || 1;
  const segment = (share: number, color: string, title: string, className: string): HTMLElement =>
    h('i', { className, title, style: `width:${100 * share}%;background:${color}` });
  const kindOf = (one: number): number => scenario.kinds[one] ?? 0;
  const ordered = byKind ? [...view.apps].sort((a, b) => kindOf(a.app) - kindOf(b.app)) : view.apps;
  const segments = ordered
    .filter(({ demand }) => demand[d]! > 0)
    .map(({ app: one, replicas, demand }) =>
      segment(
        demand[d]! / scale,
        byKind ? kindColor(kindOf(one)) : appColor(one),
        `${count(replicas, 'replica')} of ${scenario.appNames[one]!}${byKind ? ` (${scenario.kindNames[kindOf(one)]!})` : ''}: ` +
          amount(scenario, demand[d]!, resource),
        app === one ? 'sought' : '',
      ),
    );
  if (view.load[d]! > 0) segments.unshift(segment(view.load[d]! / scale, 'var(--load)', 'load that is there already', ''));
  if (margin > 0)
    segments.push(segment(margin / scale, '', `margin for uncertain demand: ${amount(scenario, margin, resource)}`, 'uncertain'));
  return h('span', { className: 'stack' }, ...segments);
}

export interface BarsOptions {
  time: number;
  app: number | undefined;
  chosen: boolean;
  byKind: boolean;
  open: () => void;
}

export function bars(outcome: Outcome, view: NodeView, { time, app, chosen, byKind, open }: BarsOptions): HTMLElement {
  const { scenario, picture } = outcome;
  const replicas = view.apps.reduce((sum, one) => sum + one.replicas, 0);
  const cost = outcome.plan.nodeMaxCost?.[view.node];
  const worst = byKind && cost !== undefined && cost === outcome.plan.maxCost;
  const rows = scenario.resources.map(({ name }, resource) => {
    const used = usedOf(outcome, view, resource, periodOf(outcome, view, resource, time));
    const capacity = view.capacity[resource]!;
    return h(
      'span',
      { className: 'row' },
      h('span', { className: 'name' }, name),
      stack(outcome, view, resource, time, app, byKind),
      h('span', { className: 'value' }, percent(capacity > 0 ? used / capacity : 0)),
    );
  });
  return h(
    'button',
    { type: 'button', className: `node${chosen ? ' chosen' : ''}${worst ? ' worst' : ''}`, onclick: open, set: { 'aria-pressed': String(chosen) } },
    h('strong', {}, picture.names[view.node]!),
    h('small', {}, `${count(view.apps.length, 'app')}, ${count(replicas, 'replica')}`),
    byKind && cost !== undefined && h('span', { className: 'suffers' }, `the worst-off suffers ${number(cost)}`),
    ...rows,
  );
}
