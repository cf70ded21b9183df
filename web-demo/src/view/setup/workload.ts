// What is planned: a preset, and the scenarios that were made.
import { MOST_APPS } from '../../desk/generate.js';
import { PRESETS, PRESET_NAMES, drawnOf, type PresetName } from '../../presets.js';
import type { Store } from '../../state.js';
import { button, byId, field, h, numberField, options } from '../elements/dom.js';
import type { SetupCalls } from './calls.js';

const isFixed = (preset: string): boolean => drawnOf(preset as PresetName) === undefined;
const DENSITIES = [0, 0.5, 1, 5, 10];

export function buildWorkload(store: Store, calls: SetupCalls): void {
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
