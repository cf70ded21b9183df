// The input of planning: workload, node classes, apps, files and planners.
import type { ClassColumns, Objective, PlanRequest, PlannerInfo, SoftPolicy } from 'stowage';
import { MOST_APPS } from '../desk/generate.js';
import { PRESETS, PRESET_NAMES, drawnOf, type Preset, type PresetName } from '../presets.js';
import type { AppDetail, AppEdit, Edit, InstanceFormat, PlanFormat } from '../desk/protocol.js';
import { OBJECTIVE_WORDS } from '../requests.js';
import type { Store } from '../state.js';
import { button, byId, field, h, numberField, options, table } from './elements/dom.js';
import { whole } from './elements/format.js';

const isFixed = (preset: string): boolean => drawnOf(preset as PresetName) === undefined;
const DENSITIES = [0, 0.5, 1, 5, 10];
const OBJECTIVES: readonly Objective[] = ['nodes', 'ucac', 'worst', 'total'];

export interface SetupCalls {
  generate(preset: Preset): void;
  edit(edit: Edit, label: string): void;
  appDetail(app: number): Promise<AppDetail>;
  open(files: FileList | readonly File[]): void;
  saveInstance(format: InstanceFormat): void;
  savePlan(format: PlanFormat): void;
  switchTo(scenario: number): void;
  run(requests: PlanRequest[]): void;
  cancel(): void;
}

export class SetupView {
  /** Functions that build parts of the page, each short enough for one task. */
  readonly parts: readonly (() => void)[] = [
    () => this.workload(),
    () => this.planners(),
    () => this.classes(),
    () => (this.editApp = this.apps()),
    () => this.files(),
  ];
  /** Opens the editor for an app or for a new app. */
  editApp: (app: number | undefined) => void = () => undefined;

  constructor(
    private readonly store: Store,
    private readonly calls: SetupCalls,
  ) {}

  private workload(): void {
    const { store, calls } = this;
    const preset = h('select', { id: 'preset' });
    options(
      preset,
      PRESET_NAMES.map((name): [PresetName, string] => [name, PRESETS[name].title]),
    );
    const apps = numberField('Apps', PRESETS.dense.drawn.apps, { min: 1, max: MOST_APPS, step: 1 });
    const density = numberField('Density, %', 100 * PRESETS.dense.drawn.density, { max: 100 });
    density.input.setAttribute('list', 'densities');
    const seed = numberField('Seed', 1, { min: 0, max: 1e9, step: 1 });
    const numbers = h(
      'div',
      { className: 'fields' },
      apps.label,
      density.label,
      seed.label,
      h('datalist', { id: 'densities' }, ...DENSITIES.map((value) => h('option', { value: String(value) }))),
    );
    numbers.hidden = isFixed(preset.value);
    // What the visitor has typed stays when the instance before comes late.
    let typed = false;
    numbers.addEventListener('input', () => (typed = true));
    const generate = (): void => {
      typed = false;
      const fixed = isFixed(preset.value);
      if (!fixed && ![apps, density, seed].every(({ input }) => input.reportValidity())) return;
      calls.generate({
        preset: preset.value as PresetName,
        apps: Number(apps.input.value),
        density: Number(density.input.value) / 100,
        seed: Number(seed.input.value),
      });
    };
    preset.addEventListener('change', () => {
      const drawn = drawnOf(preset.value as PresetName);
      if (drawn !== undefined) {
        apps.input.value = String(drawn.apps);
        density.input.value = String(100 * drawn.density);
      }
      numbers.hidden = isFixed(preset.value);
      generate();
    });
    const make = button('Generate and plan', generate, 'main');
    make.id = 'generate';
    const scenarios = h('select', { id: 'scenarios' });
    scenarios.addEventListener('change', () => {
      typed = false;
      calls.switchTo(Number(scenarios.value));
    });
    const scenarioField = field('Scenario', scenarios);
    byId('workload').append(
      h('h2', { id: 'workload-title' }, 'Workload'),
      field('Start from', preset),
      numbers,
      h('p', { className: 'buttons' }, make),
      scenarioField,
    );
    store.on(['scenario'], () => {
      const { scenario, scenarios: all } = store.state;
      scenarioField.hidden = all.length < 2;
      options(
        scenarios,
        all.map(({ id, label }) => [String(id), label]),
        String(scenario?.id),
      );
      const recipe = scenario?.recipe?.preset;
      if (recipe === undefined || typed) return;
      preset.value = recipe.preset;
      numbers.hidden = isFixed(recipe.preset);
      if (isFixed(recipe.preset)) return;
      apps.input.value = String(recipe.apps);
      density.input.value = String(Number((100 * recipe.density).toFixed(4)));
      seed.input.value = String(recipe.seed);
    });
  }

  private planners(): void {
    const { store, calls } = this;
    const chosen = new Set(['auto', 'ff', 'wfd-avg', 'medea-tp', 'ncd-dotproduct', 'spread-wfd-avg-binsearch']);
    const filter = h('input', { type: 'search', placeholder: 'Find a planner', set: { 'aria-label': 'Find a planner' } });
    const list = h('div', {
      className: 'planners',
      id: 'planner-list',
      tabIndex: 0,
      set: { role: 'group', 'aria-label': 'Planners to run' },
    });
    const limit = numberField('Seconds each', '', { min: 0.05, max: 3600 });
    limit.input.placeholder = 'its own';
    const nodes = numberField('At most nodes', '', { min: 1, max: 1e6, step: 1 });
    nodes.input.placeholder = 'any';
    const seed = numberField('Seed', 0, { min: 0, max: 1e9, step: 1 });
    const patience = numberField('Patience, seconds', '', { min: 0.05, max: 3600 });
    patience.input.placeholder = 'endless';
    const soft = h('select', { id: 'soft' });
    options(soft, [
      ['first', 'before nodes or cost'],
      ['last', 'never cost a node'],
      ['price', 'have a price'],
    ]);
    const price = numberField('Price of a violation', 1, { max: 1e9 });
    price.label.hidden = true;
    soft.addEventListener('change', () => (price.label.hidden = soft.value !== 'price'));
    const softFields = h('div', { className: 'fields' }, field('Soft rules', soft), price.label);
    const moves = numberField('At most moves', '', { min: 0, max: 1e9, step: 1 });
    moves.input.placeholder = 'none';
    const most = numberField('Side effects up to', '', { min: 0 });
    most.input.placeholder = 'any';
    const objective = h('select', { id: 'objective' });
    objective.addEventListener('change', () =>
      store.change({ objective: objective.value as Objective }, 'objective', 'outcomes'),
    );
    const objectiveField = field('Plan for', objective);
    const move = button('Let running replicas move', () => {
      const { scenario } = store.state;
      if (scenario === undefined) return;
      calls.run([{ planner: 'auto', moveBudget: scenario.replicas.reduce((sum, one) => sum + one, 0) }]);
    });
    move.id = 'let-move';
    move.hidden = true;
    store.on(['scenario', 'objective'], () => {
      const { scenario, objective: chosen } = store.state;
      if (scenario === undefined) return;
      const offered = OBJECTIVES.filter(
        (one) => one === 'nodes' || (one === 'ucac' ? scenario.uncertain : scenario.kindNames.length > 0),
      );
      objectiveField.hidden = offered.length < 2;
      most.label.hidden = scenario.kindNames.length === 0;
      moves.label.hidden = !scenario.running;
      move.hidden = !scenario.running;
      softFields.hidden = scenario.ruleNames.length === 0;
      options(
        objective,
        offered.map((one): [Objective, string] => [one, OBJECTIVE_WORDS[one]]),
        chosen,
      );
    });
    const run = button(
      'Run',
      () => {
        if (![limit, nodes, seed, patience, price, moves, most].every(({ input }) => input.reportValidity())) return;
        calls.run(
          store.state.catalogue
            .filter(({ name }) => chosen.has(name))
            .map(({ name }) => ({
              planner: name,
              seed: Number(seed.input.value),
              ...(limit.input.value === '' ? {} : { deadlineMs: 1000 * Number(limit.input.value) }),
              ...(nodes.input.value === '' ? {} : { nodeLimit: Number(nodes.input.value) }),
              ...(patience.input.value === '' ? {} : { patienceMs: 1000 * Number(patience.input.value) }),
              ...(moves.label.hidden || moves.input.value === '' ? {} : { moveBudget: Number(moves.input.value) }),
              ...(most.label.hidden || most.input.value === '' ? {} : { maxCost: Number(most.input.value) }),
              soft: soft.value as SoftPolicy,
              ...(soft.value === 'price' ? { softPrice: Number(price.input.value) } : {}),
            })),
        );
      },
      'main',
    );
    run.id = 'run';
    const cancel = button('Cancel', () => calls.cancel());
    cancel.id = 'cancel';
    const bar = h('progress', { id: 'bar', max: 1, set: { 'aria-label': 'Progress' } });
    const progress = h('p', { id: 'progress', className: 'reading' });
    const count = (): void => {
      run.textContent = chosen.size === 1 ? 'Run 1 planner' : `Run ${chosen.size} planners`;
      run.disabled = chosen.size === 0 || store.state.running !== undefined;
    };
    const row = (planner: PlannerInfo): HTMLElement => {
      const box = h('input', { type: 'checkbox', checked: chosen.has(planner.name), value: planner.name });
      box.addEventListener('change', () => {
        if (box.checked) chosen.add(planner.name);
        else chosen.delete(planner.name);
        count();
      });
      return h(
        'label',
        { title: `${planner.source}; ${planner.complexity}` },
        box,
        h('span', {}, h('strong', {}, planner.name), ` ${planner.summary}`),
      );
    };
    const fill = (): void => {
      const wanted = filter.value.trim().toLowerCase();
      list.replaceChildren(
        ...store.state.catalogue
          .filter(({ name, summary }) => name.includes(wanted) || summary.toLowerCase().includes(wanted))
          .sort((a, b) => Number(chosen.has(b.name)) - Number(chosen.has(a.name)))
          .map(row),
      );
      count();
    };
    filter.addEventListener('input', fill);
    const only = (label: string, match: (name: string) => boolean): HTMLButtonElement =>
      button(
        label,
        () => {
          chosen.clear();
          for (const { name } of store.state.catalogue) if (match(name)) chosen.add(name);
          filter.value = '';
          fill();
        },
        'chip',
      );
    const few = ['auto', 'ff', 'wfd-avg', 'medea-tp', 'ncd-dotproduct', 'spread-wfd-avg-binsearch'];
    byId('planners').append(
      h('h2', { id: 'planners-title' }, 'Planners'),
      h(
        'p',
        { className: 'chips' },
        only('auto alone', (name) => name === 'auto'),
        only('one of each', (name) => few.includes(name)),
        only('fit', (name) => /^(auto|[fbw]f)/.test(name)),
        only('spread', (name) => /^(auto|ff$|spread)/.test(name)),
        only('none', () => false),
      ),
      filter,
      list,
      objectiveField,
      h('div', { className: 'fields' }, limit.label, nodes.label, seed.label, patience.label, moves.label, most.label),
      softFields,
      h('p', { className: 'buttons' }, run, cancel, move),
      bar,
      progress,
    );
    store.on(['catalogue'], fill);
    store.on(['running'], () => {
      const { running } = store.state;
      count();
      cancel.disabled = running === undefined;
      bar.style.visibility = running === undefined ? 'hidden' : 'visible';
      if (running === undefined) {
        progress.textContent = '';
        return;
      }
      if (running.share === undefined) bar.removeAttribute('value');
      else bar.value = running.share;
      progress.textContent = `${running.planner} (${running.position} of ${running.total}): ${running.text}`;
    });
    cancel.disabled = true;
    bar.style.visibility = 'hidden';
  }

  private classes(): void {
    const { store, calls } = this;
    const body = h('div', { id: 'class-list' });
    let rows: {
      name: HTMLInputElement;
      capacity: HTMLInputElement[];
      count: HTMLInputElement;
      price: HTMLInputElement;
      kept: ClassColumns;
    }[] = [];
    const fill = (classes: readonly ClassColumns[]): void => {
      const { scenario } = store.state;
      if (scenario === undefined) return;
      const cell = (what: string, value: number | string, k: number): HTMLInputElement =>
        h('input', {
          type: 'number',
          min: '0',
          step: 'any',
          value: String(value),
          set: { 'aria-label': `${what} of class ${k + 1}` },
        });
      rows = classes.map((one, k) => ({
        name: h('input', { value: one.name ?? '', set: { 'aria-label': `Name of class ${k + 1}` } }),
        capacity: scenario.resources.map(({ name }, resource) => cell(name, one.capacity[resource]!, k)),
        count: cell('Count', one.count || '', k),
        price: cell('Price', one.price !== undefined && one.price >= 0 ? one.price : '', k),
        kept: one,
      }));
      for (const { count } of rows) {
        count.step = '1';
        count.placeholder = 'any';
      }
      for (const { price } of rows) price.placeholder = '–';
      // Listed nodes refer to classes, so that these cannot be removed.
      const removable = rows.length > 1 && scenario.listedNodes === 0;
      const removal = (k: number): HTMLButtonElement => {
        const remove = button(
          '×',
          () => {
            const classes = read();
            if (classes !== undefined) fill(classes.filter((_, other) => other !== k));
          },
          'quiet',
        );
        remove.setAttribute('aria-label', `Remove class ${k + 1}`);
        remove.title = 'Remove the class';
        return remove;
      };
      body.replaceChildren(
        table(
          [
            'Class',
            ...scenario.resources.map(({ name, unit }) => (unit ? `${name} (${unit})` : name)),
            'Count',
            'Price',
            ...(removable ? [h('span', { className: 'unseen' }, 'Remove')] : []),
          ],
          rows.map(({ name, capacity, count, price }, k) => [
            name,
            ...capacity,
            count,
            price,
            ...(removable ? [removal(k)] : []),
          ]),
          'Node classes',
        ),
      );
    };
    const read = (): ClassColumns[] | undefined => {
      const inputs = rows.flatMap(({ capacity, count, price }) => [...capacity, count, price]);
      if (!inputs.every((input) => input.reportValidity())) return undefined;
      return rows.map(({ name, capacity, count, price, kept }) => ({
        ...kept,
        name: name.value,
        capacity: Float64Array.from(capacity, ({ value }) => Number(value)),
        count: count.value === '' ? 0 : Number(count.value),
        price: price.value === '' ? undefined : Number(price.value),
      }));
    };
    const apply = button('Apply and plan', () => {
      const classes = read();
      if (classes !== undefined) calls.edit({ classes }, 'other nodes');
    });
    apply.id = 'apply-classes';
    const density = numberField('Density of new limits, %', 1, { max: 100 });
    const draw = button('Draw limits', () => {
      if (density.input.reportValidity())
        calls.edit({ density: { density: Number(density.input.value) / 100, seed: 1 } }, `density ${density.input.value} %`);
    });
    draw.id = 'draw-limits';
    byId('classes').append(
      h('h2', { id: 'classes-title' }, 'Nodes and limits'),
      body,
      h(
        'p',
        { className: 'buttons' },
        apply,
        button('Add a class', () => {
          const classes = read();
          const last = classes?.at(-1);
          if (classes !== undefined && last !== undefined) fill([...classes, { ...last, name: `class-${classes.length + 1}` }]);
        }),
      ),
      h('div', { className: 'inline' }, density.label, draw),
    );
    store.on(['scenario'], () => fill(store.state.scenario?.classes ?? []));
  }

  private apps(): (app: number | undefined) => void {
    const { store, calls } = this;
    const dialog = h('dialog', { set: { 'aria-labelledby': 'app-editor-title' } });
    document.body.append(dialog);
    const edit = async (app: number | undefined): Promise<void> => {
      const { scenario } = store.state;
      if (scenario === undefined) return;
      const before: AppDetail =
        app === undefined
          ? { app: scenario.replicas.length, name: '', replicas: 1, peak: scenario.resources.map(() => 1), limits: '' }
          : await calls.appDetail(app);
      const name = h('input', { value: before.name, required: true });
      const replicas = numberField('Replicas', before.replicas, { min: 0, max: 1e6, step: 1 });
      const peaks = scenario.resources.map((resource, k) =>
        numberField(
          `${resource.name}${resource.unit ? ` (${resource.unit})` : ''}${scenario.periods > 1 ? ', highest' : ''}`,
          before.peak[k]!,
          {},
        ),
      );
      const kind = h('select', { id: 'app-kind' });
      options(kind, scenario.kindNames.map((one, k): [string, string] => [String(k), one]), String(scenario.kinds[before.app] ?? 0));
      const hasKind = scenario.kindNames.length > 0 && app !== undefined;
      const limits = h('textarea', { value: before.limits, rows: 3, spellcheck: false });
      const form = h(
        'form',
        { method: 'dialog' },
        h('h2', { id: 'app-editor-title' }, app === undefined ? 'A new app' : `Edit ${before.name}`),
        field('Name', name),
        h('div', { className: 'fields' }, replicas.label, ...peaks.map(({ label }) => label)),
        hasKind && field('Kind', kind),
        field(
          'Limits',
          limits,
          'Most replicas of other apps beside a replica of this app, such as "db:0, web:1". Its own name: most per node.',
        ),
        h(
          'p',
          { className: 'buttons' },
          h('button', { className: 'main', value: 'apply' }, 'Apply and plan'),
          h('button', { value: 'cancel', formNoValidate: true }, 'Cancel'),
        ),
      );
      form.addEventListener('submit', (event) => {
        if ((event.submitter as HTMLButtonElement).value !== 'apply') return;
        const changed: AppEdit = {
          app,
          name: name.value,
          replicas: Number(replicas.input.value),
          peak: peaks.map(({ input }) => Number(input.value)),
          limits: limits.value,
          ...(hasKind ? { kind: Number(kind.value) } : {}),
        };
        calls.edit({ apps: [changed] }, app === undefined ? `with ${name.value}` : `${name.value} edited`);
      });
      dialog.replaceChildren(form);
      dialog.showModal();
    };
    const body = h('div', { id: 'app-list' });
    const add = button('Add an app', () => void edit(undefined));
    add.id = 'add-app';
    byId('apps').append(h('h2', { id: 'apps-title' }, 'Apps'), body, h('p', { className: 'buttons' }, add));
    const MOST = 12;
    store.on(['scenario'], () => {
      const { scenario } = store.state;
      if (scenario === undefined) return;
      const { appNames, replicas, peak, resources } = scenario;
      const shown = appNames.slice(0, MOST);
      body.replaceChildren(
        table(
          ['App', 'Replicas', ...resources.map(({ name }) => name)],
          shown.map((name, app) => [
            button(name, () => void edit(app), 'link'),
            replicas[app]!,
            ...resources.map((_, k) => peak[app * resources.length + k]!),
          ]),
          'Apps of the workload',
        ),
        h(
          'p',
          { className: 'hint' },
          appNames.length > MOST ? `${whole(appNames.length - MOST)} more: find one beside the plan to edit it.` : '',
        ),
      );
    });
    return (app) => void edit(app);
  }

  private files(): void {
    const { store, calls } = this;
    const input = h('input', { type: 'file', id: 'file', multiple: true, accept: '.stow,.json,.tsv,.csv,.txt', className: 'unseen' });
    input.addEventListener('change', () => {
      if (input.files !== null && input.files.length > 0) calls.open(input.files);
      input.value = '';
    });
    const plan = (['stow', 'json', 'csv'] as const).map((format) => button(`.${format}`, () => calls.savePlan(format)));
    plan.forEach((one, k) => {
      one.id = `save-plan-${['stow', 'json', 'csv'][k]!}`;
      one.disabled = true;
      one.setAttribute('aria-label', `Save the plan as .${['stow', 'json', 'csv'][k]!}`);
    });
    const instance = (['stow', 'json', 'csv'] as const).map((format) => {
      const one = button(format === 'csv' ? 'apps .csv' : `.${format}`, () => calls.saveInstance(format));
      one.id = `save-instance-${format}`;
      one.setAttribute('aria-label', format === 'csv' ? 'Save the apps .csv' : `Save the instance as .${format}`);
      return one;
    });
    byId('files').append(
      h('h2', { id: 'files-title' }, 'Files'),
      h(
        'label',
        { className: 'drop', id: 'drop' },
        input,
        h('span', {}, 'Drop a file anywhere, or ', h('u', {}, 'choose one')),
        h(
          'small',
          {},
          'Clusters: .json as kubectl prints it, in one file or several. ' +
            'Instances: .stow, .json, .tsv as published, .csv with a line per app (app,replicas,cpu,memory,…). ' +
            'Plans: .stow, .json, .csv',
        ),
      ),
      h('p', { className: 'buttons' }, h('span', {}, 'Plan'), ...plan),
      h('p', { className: 'buttons' }, h('span', {}, 'Instance'), ...instance),
    );
    const over =
      (on: boolean) =>
      (event: DragEvent): void => {
        if (!event.dataTransfer?.types.includes('Files')) return;
        event.preventDefault();
        document.body.classList.toggle('dropping', on);
        if (event.type === 'drop') calls.open(event.dataTransfer.files);
      };
    addEventListener('dragover', over(true));
    addEventListener('dragleave', over(false));
    addEventListener('drop', over(false));
    store.on(['shown'], () => plan.forEach((one) => (one.disabled = store.state.shown === undefined)));
  }
}
