import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  Plan, columnsOf, decodeInstance, describeInstance, describePlan, encodeInstance, isPlanCsv, loadStowage, planFromCsv, planOf,
  planToCsv,
} from 'stowage';
import { native, small, sourceText, temporaryFolder, withoutCli, workload } from './support.mjs';

const stowage = await loadStowage();
const example = JSON.parse(sourceText('capi/cli/example.json'));
const anonymous = {
  ...small,
  classes: [{ capacity: { cpu: 8, memory: 16 } }],
  apps: small.apps.map(({ name, limits, ...one }) => one),
};
const quoted = structuredClone(small);
const ruled = structuredClone(small);
ruled.apps[0].tags = ['web'];
ruled.apps[1].tags = ['db'];
// Three of web, two of them on a node at most, and one db to be near.
ruled.rules = [
  { name: 'near', hard: false, weight: 2, all_of: [{ kind: 'replicas', subject: ['web'], target: ['db'], min: 1, group: 'node' }] },
];
quoted.apps[0].name = 'web, "main"';
quoted.apps[1].limits = { 'web, "main"': 1 };

for (const [name, description] of Object.entries({ small, example, anonymous, quoted, ruled, workload: workload(60) })) {
  test(`a plan comes back from JSON and CSV: ${name}`, () => {
    const columns = description.apps.replicas ? description : columnsOf(description);
    const instance = stowage.instance(encodeInstance(columns));
    for (const request of ['auto', { planner: 'ff', nodeLimit: 2 }, { planner: 'bfd', seed: 7 }]) {
      const plan = instance.plan(request);
      const described = JSON.parse(JSON.stringify(describePlan(plan, columns)));
      const read = planOf(described, columns, instance.fingerprint);
      assert.deepEqual(describePlan(read, columns), described);
      assert.equal(instance.verify(read).ok, true);
      const { instance: fingerprint, ...own } = described;
      assert.equal(planOf(own, columns, instance.fingerprint).instance, instance.fingerprint);

      const csv = planToCsv(plan, columns);
      assert.ok(isPlanCsv(csv));
      const fromCsv = planFromCsv(csv, columns, instance.fingerprint);
      assert.equal(planToCsv(fromCsv, columns), csv);
      assert.equal(instance.verify(fromCsv).ok, true);
      assert.deepEqual(fromCsv.unplaced, plan.unplaced);
      assert.equal(fromCsv.cost, plan.cost);
    }
  });
}

test('a plan says how far placement rules do not hold', () => {
  const plan = stowage.instance(ruled).plan('ff');
  assert.ok(plan.ruleViolations.count >= 1);
  assert.equal(plan.ruleViolations.cost, 2 * plan.ruleViolations.extent);
  assert.equal(describePlan(plan, columnsOf(ruled)).violation_cost, plan.ruleViolations.cost);
  assert.equal(stowage.instance(small).plan('ff').ruleViolations, undefined);
  const whole = stowage.instance(ruled).plan({ planner: 'medea-tp', nodeLimit: 1, allOrNothing: true });
  const replicas = [3, 1];
  assert.ok(whole.unplaced.length > 0);
  for (const { app, replicas: left } of whole.unplaced) assert.equal(left, replicas[app]);
});

test('a verification lists rules that do not hold, and measures the cluster', () => {
  const near = (subject, bounds) => [{ subject, target: 'db', group: 'node', ...bounds }];
  const own = stowage.instance({
    stowage: 1,
    resources: { cpu: 'cores' },
    classes: [{ name: 'standard', capacity: { cpu: 8 } }],
    apps: [
      { name: 'web', replicas: 3, demand: { cpu: 2 }, tags: 'web', max_per_node: 2 },
      { name: 'db', replicas: 1, demand: { cpu: 4 }, tags: 'db' },
    ],
    rules: [
      { name: 'near', hard: false, weight: 2, all_of: near('web', { min: 1 }) },
      { name: 'crowd', all_of: near('db', { min: 1 }) },
      { name: 'alone', origin: 'operator', all_of: near('db', { max: 0 }) },
    ],
  });
  const plan = own.plan('ff');
  // Two web and db fill node 0; the third web has no db near. The operator's rule takes the place of "crowd".
  const ruleViolations = { count: 1, replicas: 1, extent: 1, weight: 2, cost: 2 };
  assert.deepEqual(plan.ruleViolations, ruleViolations);
  const report = own.verify(plan);
  assert.deepEqual(report.ruleViolations, [
    { rule: 0, hard: false, inherited: false, node: 1, app: 0, replicas: 1, extent: 1, amount: 0, limit: 1, weight: 2 },
  ]);
  // Used to 8 and 2 of 8: mean 5/8, deviation 3/8.
  assert.deepEqual(report.metrics, {
    applications: 2, applicationsPlaced: 2, nodes: 2, nodesUsed: 2, fragmentedNodes: 0, imbalance: Float64Array.of(0.6),
    ruleViolations,
  });
  assert.deepEqual(own.explain(plan).overridden, [{ rule: 1, by: 2 }]);
});

const columns = columnsOf(small);
const instance = stowage.instance(small);
const good = describePlan(instance.plan('ff'), columns);
const wrong = [
  [{ ...good, stowage_plan: 2 }, 'stowage_plan', /must be a plan/],
  [{ ...good, instance: 'xyz' }, 'instance', /hexadecimal/],
  [{ ...good, planner: undefined }, '', /has no "planner"/],
  [{ ...good, status: 'fine' }, 'status', /must be one of "complete"/],
  [{ ...good, seed: 2 ** 60 }, 'seed', /below 2\^53/],
  [{ ...good, moves: -1 }, 'moves', /whole number/],
  [{ ...good, colour: 1 }, 'colour', /unknown key/],
  [{ ...good, nodes: {} }, 'nodes', /must be a list/],
  [{ ...good, nodes: [{ name: 'here' }] }, 'nodes[0]', /neither a "class"/],
  [{ ...good, nodes: [{ class: 'huge' }] }, 'nodes[0].class', /no class "huge"/],
  [{ ...good, nodes: [{ class: 'standard', replicas: { nobody: 1 } }] }, 'nodes[0].replicas.nobody', /no app "nobody"/],
  [{ ...good, unplaced: { web: 1.5 } }, 'unplaced.web', /whole number/],
  [{ ...good, node_bound: { name: 'capacity', value: 1, resource: 'disk' } }, 'node_bound.resource', /no resource "disk"/],
  ['text', '', /must be an object/],
  [null, '', /must be an object/],
];
for (const [description, path, message] of wrong) {
  test(`a plan that is wrong at "${path}" is refused: ${message.source}`, () => {
    assert.throws(() => planOf(description, columns, 0n), { name: 'StowageError', code: 'INVALID', path, message });
  });
}

const lines = [
  ['node,app\n', 'line 1', /must be node,app,replicas/],
  ['node,app,replicas\nstandard-1,web\n', 'line 2', /has 2 fields/],
  ['node,app,replicas\nstandard-1,nobody,1\n', 'line 2', /no app "nobody"/],
  ['node,app,replicas\n\nstandard-1,web,0\n', 'line 3', /not a number of replicas/],
  ['node,app,replicas\nlarge-1,web,1\n', 'line 2', /neither a listed node nor a class/],
  ['node,app,replicas\n"standard-1,web,1\n', 'line 2', /no end/],
];
for (const [csv, path, message] of lines) {
  test(`CSV that is wrong is refused: ${message.source}`, () => {
    assert.throws(() => planFromCsv(csv, columns, 0n), { code: 'MALFORMED', path, message });
  });
}

test('CSV of spreadsheets is read', () => {
  const csv = '\uFEFFnode,app,replicas\r\n"standard-2",db,1\r\nstandard-1,web,2\r\n';
  const plan = planFromCsv(csv, columns, instance.fingerprint);
  assert.deepEqual([plan.nodes, plan.status, plan.unplaced], [2, 'partial', [{ app: 0, replicas: 1 }]]);
});

test('JSON and CSV pass between the package and the native command, both ways', { skip: withoutCli }, () => {
  const folder = temporaryFolder();
  const at = (name) => join(folder, name);
  const sources = { example, everything: JSON.parse(sourceText('tests/cli/data/everything.json')), quoted };
  for (const [name, description] of Object.entries(sources)) {
    // An instance that the package wrote means the same to the command, and the other way round.
    const inner = columnsOf(description);
    writeFileSync(at('ours.json'), JSON.stringify(describeInstance(inner)));
    native('convert', at('ours.json'), at('theirs.stow'));
    const bytes = readFileSync(at('theirs.stow'));
    assert.equal(stowage.instance(bytes).fingerprint, stowage.instance(description).fingerprint, name);
    native('convert', at('theirs.stow'), at('theirs.json'));
    const theirs = JSON.parse(readFileSync(at('theirs.json'), 'utf8'));
    assert.equal(stowage.instance(theirs).fingerprint, stowage.instance(description).fingerprint, name);
    assert.deepEqual(decodeInstance(encodeInstance(columnsOf(theirs))), decodeInstance(bytes), name);

    // The same for plans, as far as a planner takes the instance.
    const loaded = stowage.instance(description);
    let plan;
    try {
      plan = loaded.plan('ff');
    } catch (error) {
      assert.equal(error.code, 'UNSUPPORTED');
      continue;
    }
    writeFileSync(at('plan.stow'), plan.bytes);
    for (const [format, text] of [
      ['json', JSON.stringify(describePlan(plan, inner))],
      ['csv', planToCsv(plan, inner)],
    ]) {
      writeFileSync(at(`ours-plan.${format}`), text);
      assert.equal(JSON.parse(native('verify', at('theirs.stow'), at(`ours-plan.${format}`), '--summary', 'json')).ok, true);
      native('convert', at(`ours-plan.${format}`), at('read.stow'), '--instance', at('theirs.stow'));
      native('convert', at('plan.stow'), at(`theirs-plan.${format}`), '--instance', at('theirs.stow'));
      const written = readFileSync(at(`theirs-plan.${format}`), 'utf8');
      const read =
        format === 'json'
          ? planOf(JSON.parse(written), inner, loaded.fingerprint)
          : planFromCsv(written, inner, loaded.fingerprint);
      assert.equal(loaded.verify(read).ok, true, `${name}: ${format}`);
      if (format === 'json') assert.deepEqual(JSON.parse(written), JSON.parse(text), name);
      else assert.equal(written, text, name);
      const converted = new Plan(readFileSync(at('read.stow')));
      assert.deepEqual(describePlan(converted, inner), describePlan(read, inner), `${name}: ${format}`);
    }
  }
});
