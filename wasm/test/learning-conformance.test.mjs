import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadStowage } from 'stowage';
import { table } from './support.mjs';

const stowage = await loadStowage();
const resources = ['cpu', 'memory'];
/** "-" is not known. */
const amountOf = (cell) => (cell === '-' ? NaN : Number(cell));

/** The apps of a table, whose first column names them, in the order of their first rows; and the app of each row. */
function appsOf(rows) {
  const apps = [...new Set(rows.map(([app]) => app))];
  return { apps, of: rows.map(([app]) => apps.indexOf(app)) };
}

function samplesOf(file) {
  const rows = table(`learning/${file}`);
  const { apps, of } = appsOf(rows);
  const first = apps.map((app) => rows.find(([name]) => name === app));
  return {
    resources,
    apps,
    features: [
      { name: 'family', words: first.map(([, family]) => (family === '-' ? '' : family)) },
      { name: 'load', numbers: first.map(([, , load]) => amountOf(load)) },
    ],
    rowApp: of,
    rowAmounts: rows.flatMap(([, , , cpu, memory]) => [amountOf(cpu), amountOf(memory)]),
    rowCollocation: rows.map((cells) => Number(cells[5])),
    rowValue: rows.map((cells) => amountOf(cells[6])),
  };
}

/** Compares with an expected file, whose cells from `words` on are numbers and may differ by 1e-9 of themselves. */
function compare(file, words, found) {
  const expected = table(`learning/${file}`);
  assert.deepEqual(found.map((cells) => cells.slice(0, words)), expected.map((cells) => cells.slice(0, words)));
  expected.forEach((cells, row) => cells.slice(words).map(Number).forEach((wanted, k) => {
    const value = found[row][words + k];
    assert.ok(Math.abs(value - wanted) <= 1e-9 * Math.abs(wanted), `${file}, row ${row + 1}: ${value} is not ${wanted}`);
  }));
}

test('a model recommends as the conformance set expects', () => {
  const model = stowage.learn(samplesOf('profiles.tsv'));
  const answer = model.recommend({ samples: samplesOf('samples.tsv'), goal: { value: 0.75, confidence: 0.8 } });
  const configuration = (index) => {
    if (index === undefined) return '-';
    const { amounts, collocation } = answer.configurations[index];
    return [...amounts, collocation].join('/');
  };
  compare('recommended.tsv', 5, answer.apps.map((one) => [
    one.app, one.reason, configuration(one.choice), configuration(one.nextSample), String(one.samples), one.probability, one.cost,
  ]));
  model.dispose();
});

test('sizes by usage are those of the conformance set', () => {
  const rows = table('learning/usage.tsv');
  const { apps, of } = appsOf(rows);
  const sizes = stowage.size({
    apps,
    resources,
    app: of,
    replica: rows.map(([, replica]) => Number(replica)),
    time: rows.map(([, , time]) => amountOf(time)),
    amount: rows.flatMap(([, , , cpu, memory]) => [amountOf(cpu), amountOf(memory)]),
    outOfMemory: rows.map((cells) => Number(cells[5])),
    rules: [{ percentile: 0.9, halfLife: 43_200, margin: 0.1 }, { percentile: 1, window: 14_400, bump: 1.25, floor: 1 }],
    periods: 2,
    cycle: 86_400,
  });
  compare('sized.tsv', 4, [...sizes.size].map((size, k) => [
    sizes.apps[k >> 1], sizes.resources[k % 2], String(sizes.measured[k]), String(sizes.killed[k >> 1]), size, sizes.slack[k],
    sizes.exceeded[k], sizes.demand[2 * k], sizes.demand[2 * k + 1],
  ]));
});
