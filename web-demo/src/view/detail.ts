// The chosen node with its apps, the chosen app with its demand, and why the app cannot join the node, in a panel that stays in
// view.
import type { DeskClient } from '../desk/client.js';
import { JOIN, type AppDetail, type Joining, type NodeView } from '../desk/protocol.js';
import type { Outcome, Store } from '../state.js';
import { marginOf, periodOf, stack, usedOf } from './picture/bars.js';
import { appColor } from './elements/colors.js';
import { button, byId, h, table } from './elements/dom.js';
import { finder } from './elements/finder.js';
import { amount, count, number, obstacleText, percent, whole } from './elements/format.js';
import { Packing } from './picture/packing.js';
import { hostsOf } from './picture/shares.js';
import { worded } from './why.js';

export interface DetailCalls {
  explainApp: (outcome: Outcome, app: number) => Promise<string>;
  editApp: (app: number) => void;
  /** Controls for what may happen to a node, and to an app. */
  nodeEvents: (node: number) => HTMLElement;
  appEvents: (app: number, replicas: number) => HTMLElement;
}

const NODE_HINT = 'Choose a node in the picture, or find one by name, to see its apps, its free capacity and its limits.';
const APP_HINT = 'Find an app to see where it runs, which nodes could take one more replica, and what it needs.';

const close = (what: string, act: () => void): HTMLButtonElement => {
  const one = button('×', act, 'quiet');
  one.setAttribute('aria-label', `Close ${what}`);
  return one;
};

/** Nodes of an app that are named. */
const MOST_HOSTS = 12;

/** What is shown of an app, and of the node that is chosen beside it. */
interface AppShown {
  shown: Outcome;
  app: number;
  node: number | undefined;
  joining: Joining;
  detail: AppDetail;
}

/** How many nodes take one more replica, and what keeps it off the others. */
function joiningText({ code: codes }: Joining): string {
  const nodes = [0, 0, 0, 0, 0];
  for (const code of codes) ++nodes[code]!;
  return (
    `One more replica could join ${count(nodes[JOIN.takes]!, 'node')}; ` +
    `${whole(nodes[JOIN.capacity]!)} lack room, ${whole(nodes[JOIN.limits]!)} are barred by limits or rules, ` +
    `${whole(nodes[JOIN.both]!)} by both` +
    `${nodes[JOIN.closed] ? `, ${whole(nodes[JOIN.closed]!)} are closed` : ''}.`
  );
}

/** Whether the app can join the node, and why not. */
function joinOf({ shown, app, joining, detail }: AppShown, node: number): HTMLElement {
  const name = shown.picture.names[node]!;
  const room = joining.headroom[node]!;
  return h(
    'div',
    { id: 'join', className: room > 0 ? 'good' : 'bad' },
    h('strong', {}, room > 0 ? `${name} could take ${whole(room)} more.` : `Why ${detail.name} cannot join ${name}:`),
    h('ul', {}, ...joining.obstacles.map((one) => h('li', {}, obstacleText(shown.scenario, app, one)))),
  );
}

export class DetailView {
  private readonly side = byId('side');
  private readonly appPanel = h('div', { id: 'app-panel' });
  private readonly nodePanel = h('div', { id: 'node-panel' });
  private readonly packing = new Packing();
  private turn = 0;

  constructor(
    private readonly store: Store,
    private readonly desk: DeskClient,
    private readonly calls: DetailCalls,
  ) {
    const nodes = finder(
      'node-search',
      'a node',
      () => store.state.shown?.picture.names ?? [],
      (node) => store.change({ node }, 'node'),
    );
    const apps = finder(
      'app-search',
      'an app',
      () => store.state.shown?.scenario.appNames ?? [],
      (app) => store.change({ app }, 'app'),
    );
    byId('detail').append(
      h('div', { className: 'half' }, h('h2', {}, 'Node'), nodes.input, nodes.found, h('p', { className: 'hint' }, NODE_HINT)),
      h('div', { className: 'half' }, h('h2', {}, 'App'), apps.input, apps.found, h('p', { className: 'hint' }, APP_HINT)),
    );
    this.side.append(this.nodePanel, this.appPanel);
    addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && !event.defaultPrevented && document.querySelector('dialog[open], :popover-open') === null)
        store.change({ node: undefined, app: undefined }, 'node', 'app');
    });
    store.on(['shown', 'node', 'time', 'app'], () => void this.draw());
  }

  private async draw(): Promise<void> {
    const { shown, node, app, time } = this.store.state;
    if (shown === undefined) return;
    const turn = ++this.turn;
    const [[view], joining, detail] = await Promise.all([
      node === undefined ? [] : this.desk.nodes(shown.id, [node]),
      app === undefined ? undefined : this.desk.joining(shown.id, app, node),
      app === undefined ? undefined : this.desk.appDetail(shown.scenario.id, app),
    ]);
    if (turn !== this.turn) return;
    this.side.hidden = node === undefined && app === undefined;
    document.body.classList.toggle('beside', !this.side.hidden);
    this.drawNode(shown, view, time);

    if (app === undefined || joining === undefined || detail === undefined) {
      this.appPanel.replaceChildren();
      return;
    }
    this.appPanel.replaceChildren(...this.appContent({ shown, app, node, joining, detail }));
  }

  private appContent(of: AppShown): HTMLElement[] {
    const { shown, app, node, joining, detail } = of;
    const { scenario, plan } = shown;
    const hosts = hostsOf(plan, app);
    const placed = hosts.reduce((sum, one) => sum + one.replicas, 0);
    const demand = detail.peak.map((value, k) => `${amount(scenario, value, k)} ${scenario.resources[k]!.name}`).join(', ');
    const limits = `At most beside it: ${detail.limits.length > 240 ? `${detail.limits.slice(0, 240)}…` : detail.limits}`;
    const { explain, reasons } = this.explaining(shown, app);
    return [
      h(
        'h3',
        {},
        h('i', { className: 'dot', style: `background:${appColor(app)}` }),
        detail.name,
        ' ',
        close('the app', () => this.store.change({ app: undefined }, 'app')),
      ),
      h(
        'p',
        {},
        `${count(placed, 'replica')} of ${detail.replicas} placed on ${count(hosts.length, 'node')}. One needs ${demand}` +
          `${scenario.periods > 1 ? ' at most' : ''}.`,
      ),
      ...(detail.limits === '' ? [] : [h('p', { className: 'clip', title: detail.limits }, limits)]),
      h('p', {}, joiningText(joining)),
      node === undefined
        ? h('p', { className: 'hint' }, 'Choose a node to see why the app can or cannot join it.')
        : joinOf(of, node),
      h(
        'p',
        { className: 'buttons' },
        explain,
        button('Edit the app', () => this.calls.editApp(app)),
      ),
      reasons,
      this.calls.appEvents(app, detail.replicas),
      this.hostChips(shown, hosts),
    ];
  }

  /** A button that asks the library what would make room for the app, and where the answer appears. */
  private explaining(shown: Outcome, app: number): { explain: HTMLElement; reasons: HTMLElement } {
    const reasons = h('div', { id: 'explained' });
    const explain = button('What would make room for it?', () => {
      explain.disabled = true;
      reasons.replaceChildren('Looking…');
      this.calls
        .explainApp(shown, app)
        .then(
          (text) => reasons.replaceChildren(...worded(text)),
          (error: unknown) => reasons.replaceChildren(error instanceof Error ? error.message : String(error)),
        )
        .finally(() => (explain.disabled = false));
    });
    explain.id = 'explain-app';
    return { explain, reasons };
  }

  private hostChips(shown: Outcome, hosts: ReturnType<typeof hostsOf>): HTMLElement {
    return h(
      'p',
      { className: 'chips' },
      ...hosts
        .slice(0, MOST_HOSTS)
        .map((one) =>
          button(
            `${shown.picture.names[one.node]!}${one.replicas > 1 ? ` (${one.replicas})` : ''}`,
            () => this.store.change({ node: one.node }, 'node'),
            'chip',
          ),
        ),
      hosts.length > MOST_HOSTS && h('small', {}, ` and ${count(hosts.length - MOST_HOSTS, 'more node')}`),
    );
  }

  private drawNode(shown: Outcome, view: NodeView | undefined, time: number): void {
    this.packing.clear();
    if (view === undefined) {
      this.nodePanel.replaceChildren();
      return;
    }
    const { scenario } = shown;
    const { periods, resources } = scenario;
    const nodeClass = scenario.classes[view.nodeClass]!;
    const price = nodeClass.price !== undefined && nodeClass.price >= 0 ? `, price ${number(nodeClass.price)}` : '';
    const rows = resources.map(({ name }, resource) => {
      const capacity = view.capacity[resource]!;
      const period = periodOf(shown, view, resource, time);
      const used = usedOf(shown, view, resource, period);
      const sure = marginOf(shown, view, resource);
      return h(
        'div',
        { className: 'resource' },
        h(
          'span',
          {},
          h('strong', {}, name),
          ` ${number(used)} of ${amount(scenario, capacity, resource)} (${percent(capacity > 0 ? used / capacity : 0)}), ` +
            `${amount(scenario, capacity - used, resource)} left${periods > 1 ? ` in period ${period + 1}` : ''}`,
        ),
        sure !== undefined &&
          h(
            'span',
            { className: 'margin' },
            ` Mean ${number(sure.mean)} and margin ${number(sure.margin)}, together ` +
              `${amount(scenario, sure.mean + sure.margin, resource)} at the confidence that is asked for.`,
          ),
        stack(shown, view, resource, time, this.store.state.app),
      );
    });
    const apps = table(
      ['App', 'Replicas', ...resources.map(({ name, unit }) => (unit ? `${name} (${unit})` : name)), 'Its limits here'],
      view.apps.map(({ app, replicas, demand, limits }) => [
        h(
          'span',
          {},
          h('i', { className: 'dot', style: `background:${appColor(app)}` }),
          button(scenario.appNames[app]!, () => this.store.change({ app }, 'app'), 'link'),
        ),
        replicas,
        ...resources.map((_, resource) => {
          const from = resource * periods;
          return Number(
            (time === 0 ? Math.max(...demand.subarray(from, from + periods)) : demand[from + time - 1]!).toFixed(3),
          );
        }),
        limits
          .map((one) =>
            one.app === app
              ? `at most ${one.atMost} of itself`
              : `at most ${one.atMost} ${scenario.appNames[one.app]!} (${one.present} there)`,
          )
          .join('; ') || '–',
      ]),
      'Apps on the node',
    );
    this.nodePanel.replaceChildren(
      h(
        'h3',
        {},
        shown.picture.names[view.node]!,
        ' ',
        close('the node', () => this.store.change({ node: undefined }, 'node')),
      ),
      h('p', {}, `Class ${nodeClass.name || view.nodeClass}${price}`),
      ...rows,
      this.calls.nodeEvents(view.node),
      ...(periods > 1 ? [this.packing.element] : []),
      apps,
    );
    if (periods > 1) this.packing.draw(shown, view);
  }
}
