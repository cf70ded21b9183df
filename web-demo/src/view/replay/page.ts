// The page "Over time": a trace of applications that come and go, replayed against a planner.
import './replay.css';
import { messageOf } from '../../errors.js';
import trace from '../../../../docs/replay/week.csv?url';
import cluster from '../../../../docs/replay/cluster.json?url';
import type { InstanceDescription, PlanRequest } from 'stowage';
import type { DeskClient } from '../../desk/client.js';
import { seriesCsv } from '../../desk/replay/figures.js';
import type { ReplayOutline, ReplayStep } from '../../desk/replay/protocol.js';
import type { Store } from '../../state.js';
import { TextBox } from '../elements/box.js';
import { button, byId, download, field, h, numberField, options } from '../elements/dom.js';
import { count } from '../elements/format.js';
import { ReplayCharts } from './charts.js';
import { policyTable, summaryText, timeText } from './policies.js';
import { ReplayRun, type Replayed } from './run.js';

/** Work of a plan, as of the command `stowage replay`: the same figures on every machine. */
const WORK = 200_000;
const MOST_KEPT = 12;
const FIRST_INTERVAL_MIN = 15;
const FIRST_MOVES = 4;
const FEW_APPS = 60;

type From = 'example' | 'nodes' | 'scenario';

async function fetched(url: string): Promise<string> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`the example cannot be loaded: ${answer.status}`);
  return answer.text();
}

export class ReplayPage {
  private readonly trace = new TextBox(
    'trace',
    'Trace',
    'app, arrives, departs (seconds or 2026-01-31T12:00:00Z), replicas, cpu, memory; also priority, limits.',
    () => this.waits(),
  );
  private readonly from = h('select', { id: 'replay-cluster' });
  private readonly planner = h('select', { id: 'replay-planner' });
  private readonly interval = numberField('Minutes between plans', FIRST_INTERVAL_MIN, { min: 0.01, max: 1e6 });
  private readonly moves = numberField('Moves per plan, at most', FIRST_MOVES, { min: 0, max: 1e6, step: 1 });
  private readonly work = numberField('Work per plan', WORK, { min: 1, max: 1e12, step: 1 });
  private readonly start = button('Replay', () => void this.run(), 'main');
  private readonly cancel = button('Cancel', () => this.running?.cancel());
  private readonly save = button('Save the plans .csv', () => this.saved());
  private readonly bar = h('progress', { max: 1, value: 0, hidden: true, set: { 'aria-label': 'Progress of the replay' } });
  private readonly progress = h('p', { id: 'replay-progress', className: 'reading', set: { role: 'status' } });
  private readonly wrong = h('p', { id: 'replay-wrong', className: 'bad', hidden: true, set: { role: 'alert' } });
  private readonly said = h('p', { id: 'replay-said' });
  private readonly policies = h('div', { id: 'replay-policies' });
  private readonly result = h('div', { hidden: true });
  private readonly charts = new ReplayCharts();
  private running: ReplayRun | undefined;
  private all: Replayed[] = [];
  private shown: Replayed | undefined;

  constructor(
    private readonly store: Store,
    private readonly desk: DeskClient,
  ) {
    this.start.id = 'replay-run';
    this.cancel.id = 'replay-cancel';
    this.save.id = 'replay-save';
    this.cancel.disabled = true;
    for (const [{ input }, id] of [[this.interval, 'interval'], [this.moves, 'moves'], [this.work, 'work']] as const) input.id = `replay-${id}`;
    this.result.append(this.said, this.policies, this.charts.element, h('p', { className: 'buttons' }, this.save));
    byId('replay').append(
      h('h2', { id: 'replay-title' }, 'Over time'),
      h(
        'p',
        { className: 'hint' },
        'Applications come and go. At the end of each interval, a planner places what waits. This shows what such a policy needs: ' +
          'nodes, waiting, moves and cost. Replay the same trace by other policies to compare them.',
      ),
      h(
        'p',
        { className: 'chips' },
        h('span', { className: 'hint' }, 'Examples:'),
        this.example('a week of 300 applications', Infinity),
        this.example(`its first ${FEW_APPS} arrivals`, FEW_APPS),
      ),
      this.trace.element,
      h(
        'div',
        { className: 'fields' },
        field('Cluster', this.from),
        field('Planner', this.planner),
        this.interval.label,
        this.moves.label,
        this.work.label,
      ),
      h('p', { className: 'buttons' }, this.start, this.cancel),
      this.bar,
      this.progress,
      this.wrong,
      this.result,
    );
    const offer = (): void => this.offer();
    store.on(['scenario', 'catalogue'], offer);
    offer();
    void this.load(FEW_APPS);
  }

  private example(text: string, apps: number): HTMLButtonElement {
    const one = button(text, () => void this.load(apps), 'chip');
    one.id = apps === Infinity ? 'example-week' : 'example-few';
    return one;
  }

  /** Shows the example: its first arrivals. */
  private async load(apps: number): Promise<void> {
    try {
      const [header, ...lines] = (await fetched(trace)).trimEnd().split('\n');
      const arrives = (line: string): number => Number(line.split(',')[1]);
      const first = lines.sort((a, b) => arrives(a) - arrives(b)).slice(0, apps);
      this.trace.put(`${[header, ...first].join('\n')}\n`);
      this.from.value = 'example';
      this.waits();
    } catch (error) {
      this.fail(error);
    }
  }

  /** The clusters and planners to choose from. */
  private offer(): void {
    const { scenario, catalogue } = this.store.state;
    const chosen = (this.from.value || 'example') as From;
    const own: [From, string][] =
      scenario === undefined
        ? []
        : [
            ['nodes', `the nodes of “${scenario.label}”`],
            ['scenario', `“${scenario.label}” with its apps`],
          ];
    options<From>(this.from, [['example', 'the example’s: two classes of nodes'], ...own], chosen);
    const planners = catalogue.filter(({ needsSolver }) => needsSolver !== true);
    options(
      this.planner,
      planners.map(({ name, summary }): [string, string] => [name, `${name}: ${summary}`]),
      this.planner.value || 'auto',
    );
  }

  /** The trace changed: what was wrong with it is gone. */
  private waits(): void {
    this.wrong.hidden = true;
    this.trace.clear();
  }

  private async clusterOf(from: From): Promise<Uint8Array | InstanceDescription> {
    const { scenario } = this.store.state;
    if (from === 'example') return JSON.parse(await fetched(cluster)) as InstanceDescription;
    if (scenario === undefined) throw new Error('there is no scenario');
    return this.desk.writeInstance(scenario.id, 'stow');
  }

  private request(): PlanRequest {
    const moves = Number(this.moves.input.value);
    return { planner: this.planner.value, workLimit: Number(this.work.input.value), ...(moves > 0 ? { moveBudget: moves } : {}) };
  }

  private async run(): Promise<void> {
    if (this.running !== undefined) return;
    const fields = [this.interval, this.moves, this.work].map(({ input }) => input);
    if (!fields.every((input) => input.reportValidity())) return;
    this.wrong.hidden = true;
    if (this.trace.text.trim() === '') return this.fail(new Error('there is no trace; paste one, or take an example'));
    const from = this.from.value as From;
    this.busy(true);
    try {
      const question = {
        cluster: await this.clusterOf(from),
        bare: from === 'nodes',
        trace: this.trace.text,
        interval: 60 * Number(this.interval.input.value),
        request: this.request(),
      };
      const name = from === 'example' ? 'example' : `${this.store.state.scenario!.label}${from === 'nodes' ? ', nodes' : ''}`;
      const running = (this.running = new ReplayRun(question, name));
      const replayed = await this.trace.readStrictly(() => running.result((outline, steps) => this.told(outline, steps)));
      if (replayed !== undefined) this.keep(replayed);
    } catch (error) {
      this.fail(error);
    } finally {
      this.running = undefined;
      this.busy(false);
    }
  }

  private busy(on: boolean): void {
    this.start.disabled = on;
    this.cancel.disabled = !on;
    this.bar.hidden = !on;
    this.bar.value = 0;
    this.progress.textContent = on ? 'starting' : '';
  }

  private told({ first, last }: ReplayOutline, steps: readonly ReplayStep[]): void {
    const now = steps.at(-1)?.time ?? first;
    this.bar.value = last > first ? Math.min(1, (now - first) / (last - first)) : 1;
    this.progress.textContent = `${timeText(now - first)} of ${timeText(last - first)}, ${count(steps.length, 'plan')}`;
  }

  /** Of the same policy, the latest replay stays. */
  private keep(replayed: Replayed): void {
    const key = ({ question: { trace: text, interval, request }, cluster: name }: Replayed): string =>
      JSON.stringify([text, interval, request, name]);
    const others = this.all.filter((one) => key(one) !== key(replayed));
    this.all = [...others, replayed].slice(-MOST_KEPT);
    this.show(replayed);
  }

  private show(replayed: Replayed): void {
    this.shown = replayed;
    this.result.hidden = false;
    this.said.textContent = summaryText(replayed);
    this.policies.replaceChildren(policyTable(this.all, replayed, (one) => this.show(one)));
    void this.charts.show(replayed);
  }

  private saved(): void {
    if (this.shown === undefined) return;
    const { steps, outline } = this.shown;
    download(new TextEncoder().encode(seriesCsv(steps, outline.resources)), 'replay.csv', 'text/csv');
  }

  private fail(error: unknown): void {
    this.wrong.textContent = messageOf(error);
    this.wrong.hidden = false;
  }
}
