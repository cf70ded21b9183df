// What happens next: the plan that is shown runs, an app comes or grows, a node is drained or fails, and the plan changes with few
// moves.
import type { Comparison, LiveEvent } from '../../desk/protocol.js';
import { unplacedOf } from '../../ranking.js';
import type { Outcome, Store } from '../../state.js';
import { button, byId, field, h, numberField } from '../elements/dom.js';
import { count } from '../elements/format.js';

export interface LiveCalls {
  /** @param moves the most replicas that may move although they run */
  happens(event: LiveEvent, label: string, moves: number): void;
  undo(): void;
}

export class LiveView {
  private readonly moves = numberField('At most moves', 0, { min: 0, max: 1e6, step: 1 });
  private readonly told = h('p', { id: 'live-told', set: { 'aria-live': 'polite' } });
  private readonly closed = h('p', { className: 'chips', id: 'live-closed' });
  private readonly undo = button('Undo', () => this.calls.undo());
  private readonly submit = button('A new app comes', () => this.askApp());
  /** What the last text is about. */
  private toldOf: Outcome['scenario'] | undefined;

  constructor(
    private readonly store: Store,
    private readonly calls: LiveCalls,
  ) {}

  build(): void {
    const { store } = this;
    this.undo.id = 'live-undo';
    this.submit.id = 'live-submit';
    this.moves.input.id = 'live-moves';
    byId('live').append(
      h('h2', { id: 'live-title' }, 'What happens next'),
      h(
        'p',
        { className: 'hint' },
        'The plan that is shown runs. Choose a node to drain it or let it fail, choose an app to scale it: what waits gets a ' +
          'place, and what runs stays, but for the moves that you allow.',
      ),
      h('div', { className: 'events' }, this.moves.label, this.submit, this.undo),
      this.closed,
      this.told,
    );
    store.on(['shown', 'scenario', 'running'], () => this.draw());
    this.draw();
  }

  private draw(): void {
    const { shown, scenario, running } = this.store.state;
    const ready = shown !== undefined && shown.scenario === scenario && running === undefined;
    this.submit.disabled = !ready;
    this.undo.disabled = scenario?.parent === undefined;
    if (scenario !== this.toldOf) this.told.textContent = '';
    const nodes = ready ? scenario.closed : [];
    this.closed.replaceChildren(
      ...nodes.map((name) => {
        const open = button(name, () => this.happens({ what: 'uncordon', name }, `${name} opens`), 'chip');
        open.setAttribute('aria-label', `${name} opens`);
        return open;
      }),
    );
    if (nodes.length > 0) this.closed.prepend(h('span', {}, 'Closed; opens again:'));
  }

  private happens(event: LiveEvent, label: string): void {
    if (this.moves.input.reportValidity()) this.calls.happens(event, label, Number(this.moves.input.value));
  }

  /** Controls for what may happen to a node of the plan. */
  nodeEvents(node: number): HTMLElement {
    const name = this.store.state.shown!.picture.names[node]!;
    const drain = button('Drain', () => this.happens({ what: 'drain', node }, `${name} is drained`));
    const fail = button('It fails', () => this.happens({ what: 'fail', node }, `${name} fails`));
    drain.id = 'drain-node';
    fail.id = 'fail-node';
    return h('div', { className: 'events' }, drain, fail);
  }

  /** Controls for what may happen to an app. */
  appEvents(app: number, replicas: number): HTMLElement {
    const name = this.store.state.shown!.scenario.appNames[app]!;
    const number = numberField('Replicas', replicas, { min: 0, max: 1e6, step: 1 });
    number.input.id = 'scale-to';
    const scale = button('Scale', () => {
      if (!number.input.reportValidity()) return;
      const wanted = Number(number.input.value);
      this.happens({ what: 'scale', app, replicas: wanted }, `${name} in ${count(wanted, 'replica')}`);
    });
    const remove = button('It ends', () => this.happens({ what: 'remove', app }, `${name} ends`));
    scale.id = 'scale-app';
    remove.id = 'end-app';
    return h('div', { className: 'events' }, number.label, scale, remove);
  }

  /** Says what a plan has changed. */
  tell(before: Outcome, after: Outcome, { staying, moving, onlyFirst, onlySecond }: Comparison): void {
    const left = unplacedOf(after.plan);
    const parts = [
      `${count(staying, 'replica')} stay`,
      ...(moving > 0 ? [`${count(moving, 'replica')} ${moving === 1 ? 'gets' : 'get'} another node`] : []),
      ...(onlySecond > 0 ? [`${count(onlySecond, 'replica')} ${onlySecond === 1 ? 'starts' : 'start'}`] : []),
      ...(onlyFirst > 0 ? [`${count(onlyFirst, 'replica')} ${onlyFirst === 1 ? 'ends' : 'end'}`] : []),
      ...(left > 0 ? [`${count(left, 'replica')} ${left === 1 ? 'waits' : 'wait'}`] : []),
    ];
    const nodes = `${before.plan.nodes} → ${count(after.plan.nodes, 'node')}`;
    this.toldOf = after.scenario;
    this.told.textContent = `${after.scenario.label}: ${parts.join(', ')}; ${nodes}.`;
  }

  private askApp(): void {
    const { scenario } = this.store.state;
    if (scenario === undefined) return;
    const name = h('input', { required: true, maxLength: 200 });
    const replicas = numberField('Replicas', 1, { min: 1, max: 1e6, step: 1 });
    const demand = scenario.resources.map(({ name: one, unit }) => numberField(unit ? `${one} (${unit})` : one, 1, { min: 0 }));
    const form = h(
      'form',
      { method: 'dialog' },
      h('h2', { id: 'submit-title' }, 'A new app comes'),
      field('Name', name),
      h('div', { className: 'fields' }, replicas.label, ...demand.map(({ label }) => label)),
      h(
        'p',
        { className: 'buttons' },
        h('button', { className: 'main', value: 'apply' }, 'It comes'),
        h('button', { value: 'cancel', formNoValidate: true }, 'Cancel'),
      ),
    );
    const dialog = h('dialog', { id: 'submit-dialog', set: { 'aria-labelledby': 'submit-title' } }, form);
    form.addEventListener('submit', (event) => {
      if ((event.submitter as HTMLButtonElement).value !== 'apply') return;
      const amounts = demand.map(({ input }) => Number(input.value));
      const app = name.value.trim();
      this.happens({ what: 'submit', name: app, replicas: Number(replicas.input.value), demand: amounts }, `${app} comes`);
    });
    dialog.addEventListener('close', () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }
}
