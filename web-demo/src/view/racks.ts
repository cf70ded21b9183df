// Node groups with their nodes, and the violations of placement rules with the replicas that are counted there.
import type { RuleViolation, Verification } from 'stowage';
import type { DeskClient } from '../desk/client.js';
import type { Racks, RuleEdit } from '../desk/protocol.js';
import type { Outcome, Store } from '../state.js';
import { ruleForm } from './edits/rule.js';
import { byId, field, h, options } from './elements/dom.js';
import { count, number, percent } from './elements/format.js';
import { shareOf } from './picture/shares.js';

/** Maximum number of nodes that are drawn one by one. */
const MOST_NODES = 1000;
const MOST_LISTED = 50;

interface Looked {
  outcome: Outcome;
  racks: Racks;
  verification: Verification;
}

export class RacksView {
  private readonly group = h('select', { id: 'rack-group' });
  private readonly rule = h('select', { id: 'rack-rule' });
  private readonly head = h('p', { id: 'rack-head' });
  private readonly sets = h('div', { id: 'rack-sets', className: 'racks' });
  private readonly list = h('div', { id: 'rack-violations' });
  /** Where the chosen rule is edited. */
  private readonly editor = h('div', {});
  private looked: Looked | undefined;

  constructor(
    private readonly store: Store,
    private readonly desk: DeskClient,
    private readonly verify: (outcome: Outcome) => Promise<Verification>,
    private readonly edit: (edit: RuleEdit, label: string) => void,
  ) {
    byId('racks').append(
      h('h2', { id: 'racks-title' }, 'Placement rules'),
      this.head,
      h('div', { className: 'controls' }, field('Nodes by', this.group), field('Rule', this.rule)),
      this.editor,
      this.sets,
      h('p', { className: 'hint' }, 'Each cell is a node. Darker cells are fuller; a rule does not hold on outlined nodes.'),
      this.list,
    );
    for (const select of [this.group, this.rule]) select.addEventListener('change', () => this.draw());
    this.rule.addEventListener('change', () => this.drawEditor());
    store.on(['shown'], () => void this.look());
    store.on(['node'], () => this.draw());
  }

  private async look(): Promise<void> {
    const { shown } = this.store.state;
    const ruled = shown !== undefined && shown.scenario.ruleNames.length > 0;
    byId('racks').hidden = !ruled;
    if (!ruled || this.looked?.outcome === shown) return;
    const [racks, verification] = await Promise.all([this.desk.racks(shown.id), this.verify(shown)]);
    if (this.store.state.shown !== shown) return;
    this.looked = { outcome: shown, racks, verification };
    options(
      this.group,
      [...racks.groups.map(({ name }, k): [string, string] => [String(k), name]), ['', 'plan']],
      this.group.options.length > 0 ? this.group.value : '0',
    );
    const broken = new Set(verification.ruleViolations.map(({ rule }) => rule));
    options(
      this.rule,
      [
        ['', `all: ${count(racks.rules.length, 'rule')}, ${broken.size} not held`],
        ...racks.rules.map(({ name }, k): [string, string] => [String(k), `${broken.has(k) ? '✗' : '✓'} ${name}`]),
      ],
      this.rule.value,
    );
    this.drawEditor();
    this.draw();
  }

  private drawEditor(): void {
    const position = Number(this.rule.value);
    const rule = this.rule.value === '' ? undefined : this.looked?.racks.rules[position];
    this.editor.replaceChildren(...(rule === undefined ? [] : [ruleForm(position, rule, this.edit)]));
  }

  private draw(): void {
    const { looked } = this;
    if (looked === undefined || looked.outcome !== this.store.state.shown) return;
    const { outcome, racks, verification } = looked;
    const chosen = this.rule.value === '' ? undefined : Number(this.rule.value);
    const violations = verification.ruleViolations.filter(({ rule }) => chosen === undefined || rule === chosen);
    const { replicas, cost } = verification.metrics.ruleViolations;
    this.head.textContent =
      chosen === undefined
        ? `${count(replicas, 'replica')} for which a rule does not hold; weight × extent ${number(cost)}.`
        : `${racks.rules[chosen]!.hard ? 'Hard' : `Soft, weight ${number(racks.rules[chosen]!.weight)}`}: ` +
          `${racks.rules[chosen]!.text}.`;
    this.head.className = violations.length === 0 ? 'good' : '';
    const on = new Map<number, number>();
    for (const { node, replicas: here } of violations) {
      if (node !== undefined) on.set(node, (on.get(node) ?? 0) + here);
    }
    const group = racks.groups[Number(this.group.value)];
    const everywhere = Array.from(outcome.plan.nodeClass, (_, node) => node);
    const sets = this.group.value === '' || group === undefined ? [{ name: 'all nodes', nodes: everywhere }] : group.sets;
    const shares = shareOf(outcome, 'fullest', 0);
    const drawn = sets.reduce((sum, set) => sum + set.nodes.length, 0) <= MOST_NODES;
    this.sets.replaceChildren(
      ...sets.map((set) => {
        const broken = set.nodes.filter((node) => on.has(node)).length;
        return h(
          'div',
          { className: broken > 0 ? 'rack broken' : 'rack', set: { role: 'group', 'aria-label': set.name } },
          h('h3', {}, set.name),
          h('small', {}, `${count(set.nodes.length, 'node')}${broken > 0 ? `, ${broken} with violations` : ''}`),
          drawn && h('div', { className: 'cells' }, ...set.nodes.map((node) => this.cell(outcome, node, shares[node]!, on))),
        );
      }),
    );
    this.list.replaceChildren(
      ...violations.slice(0, MOST_LISTED).map((one) => this.violation(looked, one)),
      ...(violations.length > MOST_LISTED
        ? [h('p', { className: 'hint' }, `and ${violations.length - MOST_LISTED} more`)]
        : []),
    );
  }

  private cell(outcome: Outcome, node: number, share: number, on: ReadonlyMap<number, number>): HTMLElement {
    const violating = on.get(node) ?? 0;
    const label =
      `${outcome.picture.names[node]!}: ${percent(share)} used` +
      (violating > 0 ? `, ${count(violating, 'replica')} against a rule` : '');
    const level = Math.round(100 * Math.min(1, share));
    return h('button', {
      type: 'button',
      title: label,
      className: violating > 0 ? 'cell broken' : 'cell',
      style: `background:color-mix(in srgb, var(--accent) ${level}%, var(--back))`,
      onclick: () => this.store.change({ node }, 'node'),
      set: { 'aria-label': label, 'aria-pressed': String(this.store.state.node === node) },
    });
  }

  /** A violation. The replicas that it counts are looked up when it is opened. */
  private violation({ outcome, racks }: Looked, one: RuleViolation): HTMLElement {
    const { scenario, picture } = outcome;
    const rule = racks.rules[one.rule]!;
    const who =
      one.app === undefined || one.node === undefined
        ? 'all subjects together'
        : `${count(one.replicas, 'replica')} of ${scenario.appNames[one.app]!} on ${picture.names[one.node]!}`;
    const body = h('div', {});
    const details = h(
      'details',
      {},
      h(
        'summary',
        {},
        `${rule.name}: ${who}; ${number(one.amount)} counted, ${one.amount < one.limit ? 'at least' : 'at most'} ` +
          `${number(one.limit)} wanted${one.inherited ? ' (before planning)' : ''}`,
      ),
      body,
    );
    details.addEventListener('toggle', () => {
      if (!details.open || body.childElementCount > 0) return;
      void this.desk.counted(outcome.id, one.rule, one.node).then((counted) => {
        const each = counted.map(
          ({ condition, where, apps }) =>
            `${condition}. There ${where}: ` +
            (apps.length === 0 ? 'none' : apps.map(({ name, replicas }) => `${replicas} of ${name}`).join(', ')) +
            '.',
        );
        body.replaceChildren(
          h('ul', {}, ...each.map((line) => h('li', {}, line))),
          h(
            'p',
            { className: 'hint' },
            `${rule.hard ? 'Hard' : 'Soft'}, weight ${number(one.weight)}; extent ${number(one.extent)} for each replica. ` +
              'A replica does not count itself.',
          ),
        );
      });
    });
    return details;
  }
}
