// The table of policies: what each replay came to.
import { button, h, table } from '../elements/dom.js';
import { count, duration, number, percent } from '../elements/format.js';
import type { Replayed } from './run.js';

/** "90 s", "15 min", "2.5 h", "3 d" */
export function timeText(seconds: number): string {
  const [unit, name] = seconds < 120 ? [1, 's'] : seconds < 7200 ? [60, 'min'] : seconds < 172_800 ? [3600, 'h'] : [86_400, 'd'];
  return `${(seconds / unit).toLocaleString('en', { maximumFractionDigits: 1 })} ${name}`;
}

/** A policy for people: "auto every 15 min, up to 4 moves". */
export function policyText({ question: { request, interval } }: Replayed): string {
  const moves = request.moveBudget === undefined ? '' : `, up to ${count(request.moveBudget, 'move')}`;
  return `${request.planner} every ${timeText(interval)}${moves}`;
}

/** What the shown replay comes to, in a sentence. */
export function summaryText({ outline, figures, end, failure }: Replayed): string {
  const ended = end !== undefined ? '' : failure === undefined ? ' Cancelled: the trace goes on.' : ` It ended early: ${failure}.`;
  const { neverRan, stillWaiting } = figures;
  const left =
    neverRan + stillWaiting === 0
      ? ''
      : ` ${count(neverRan, 'replica')} departed before running; ${number(stillWaiting)} wait at the end.`;
  return `${count(outline.apps, 'application')} in ${timeText(figures.seconds)}, planned ${count(figures.plans, 'time')}.${left}${ended}`;
}

/** @param all at least one, of clusters with the same resources or with others */
export function policyTable(all: readonly Replayed[], shown: Replayed, show: (one: Replayed) => void): HTMLElement {
  const priced = all.some(({ figures }) => figures.cost !== undefined);
  const ruled = all.some(({ figures }) => figures.mostViolations > 0);
  const rows = all.map((one) => {
    const { figures, cluster, outline } = one;
    return [
      button(policyText(one), () => show(one), one === shown ? 'link chosen' : 'link'),
      cluster,
      h('span', {}, number(figures.nodes.mean), h('small', {}, ` most ${figures.nodes.most}`)),
      outline.resources.map((name, r) => `${name} ${percent(figures.use[r]!)}`).join(', '),
      ...(priced ? [figures.cost === undefined ? '–' : number(figures.cost)] : []),
      h('span', {}, timeText(figures.wait.mean), h('small', {}, ` 99 % up to ${timeText(figures.wait.of99)}`)),
      figures.neverRan + figures.stillWaiting,
      figures.moves,
      ...(ruled ? [figures.mostViolations] : []),
      duration(1000 * figures.planning.mean),
    ];
  });
  return table(
    [
      'Policy',
      'Cluster',
      'Nodes on average',
      'Their use',
      ...(priced ? ['Cost'] : []),
      'Waiting on average',
      'Did not run',
      'Moves',
      ...(ruled ? ['Broken rules, at most'] : []),
      'A plan took',
    ],
    rows,
    'Policies that were replayed',
  );
}
