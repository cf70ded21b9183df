import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  Plan, columnsOf, decodeInstance, describeInstance, describePlan, encodeInstance, expandPlan, isPlanCsv, loadStowage, nodeNames,
  planFromCsv, planOf, planToJson, planToCsv,
} from 'stowage';
import { native, small, sourceText, temporaryFolder, withoutCli, workload } from './support.mjs';

const stowage = await loadStowage();
const example = JSON.parse(sourceText('capi/cli/examples/shop.json'));
const anonymous = {
  ...small,
  classes: [{ capacity: { cpu: 8, memory: 16 } }],
  apps: small.apps.map(({ name, limits, ...one }) => one),
};
const quoted = structuredClone(small);
const ruled = structuredClone(small);
ruled.apps[0].tags = ['web'];
ruled.apps[1].tags = ['db'];
// Three replicas of web, at most two per node, which want to be near the one db.
ruled.rules = [
  { name: 'near', hard: false, weight: 2, all_of: [{ kind: 'replicas', subject: ['web'], target: ['db'], min: 1, group: 'node' }] },
];
quoted.apps[0].name = 'web, "main"';
quoted.apps[1].limits = { 'web, "main"': 1 };

for (const [name, description] of Object.entries({ small, example, anonymous, quoted, ruled, workload: workload(60) })) {
  test(`a plan comes back from JSON and CSV: ${name}`, () => {
    const columns = description.apps.replicas ? description : columnsOf(description);
    const instance = stowage.instance(encodeInstance(columns));
    for (const request of ['auto', { planner: 'ff', nodeLimit: 2 }, { planner: 'bfd', seed: 7 }, { planner: 'ff', compact: true }]) {
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

// Three web and one db on three nodes, the first two of which have the same content.
const alike = {
  stowage_plan: 1,
  planner: 'mine',
  status: 'complete',
  nodes: [{ class: 'standard', copies: 2, replicas: { web: 1 } }, { class: 'standard', replicas: { web: 1, db: 1 } }],
  unplaced: {},
};

test('a node with copies stands for each of them', () => {
  const columns = columnsOf(small);
  const instance = stowage.instance(small);
  const plan = planOf(alike, columns, instance.fingerprint);
  assert.deepEqual([plan.nodes, [...plan.nodeClass], [...plan.copies]], [3, [0, 0], [2, 1]]);
  const described = describePlan(plan, columns);
  assert.deepEqual(described.nodes, [
    { name: 'standard-1', class: 'standard', copies: 2, replicas: { web: 1 } },
    { name: 'standard-3', class: 'standard', replicas: { web: 1, db: 1 } },
  ]);
  assert.deepEqual(Object.keys(described.nodes[0]), ['name', 'class', 'copies', 'replicas']);
  assert.deepEqual(planOf(described, columns, instance.fingerprint).bytes, plan.bytes);

  const each = expandPlan(plan);
  assert.deepEqual([each.nodes, [...each.nodeClass], each.copies, each.planner], [3, [0, 0, 0], undefined, 'mine']);
  assert.deepEqual([...each.placements], [
    { app: 0, node: 0, replicas: 1 }, { app: 0, node: 1, replicas: 1 }, { app: 0, node: 2, replicas: 1 },
    { app: 1, node: 2, replicas: 1 },
  ]);
  assert.equal(expandPlan(each), each);
  assert.deepEqual(nodeNames(each, columns), ['standard-1', 'standard-2', 'standard-3']);
  const csv = `node,app,replicas,class,state,cpu,memory\n${['1,web', '2,web', '3,web'].map((one) => `standard-${one},1,standard,new,2,4\n`).join('')}standard-3,db,1,standard,new,4,8\n`;
  assert.equal(planToCsv(plan, columns), csv);
  assert.equal(planToCsv(each, columns), csv);
  assert.equal(instance.verify(each).ok, true);
  const report = instance.verify(plan);
  assert.deepEqual([report.ok, report.nodes, report.placed], [true, 3, 4]);
});

test('copies take numbers that no listed node has', () => {
  const apps = [{ ...small.apps[0], replicas: 6 }, small.apps[1]];
  const description = { ...small, apps, nodes: ['standard-2', 'standard-5', 'standard-06', 'standard-7'].map((name) => ({ name })) };
  const columns = columnsOf(description);
  const nodes = [{ name: 'standard-5' }, ...[3, 1, 2].map((copies) => ({ class: 'standard', copies, replicas: { web: 1 } }))];
  const plan = planOf({ ...alike, nodes }, columns, 0n);
  const [own, ...all] = ['standard-5', 'standard-1', 'standard-3', 'standard-4', 'standard-6', 'standard-8', 'standard-9'];
  assert.deepEqual(nodeNames(plan, columns), [own, all[0], all[3], all[4]]);
  assert.deepEqual(nodeNames(expandPlan(plan), columns), [own, ...all]);
  assert.equal(planToCsv(plan, columns), `node,app,replicas,class,state,cpu,memory\n${own},,0,standard,used,0,0\n${all.map((name) => `${name},web,1,standard,new,2,4\n`).join('')}`);
});

test('what copies make too large is not listed', () => {
  const columns = columnsOf(small);
  const { bytes, copies } = planOf(alike, columns, 0n);
  const own = bytes.slice();
  new Uint32Array(own.buffer, copies.byteOffset - bytes.byteOffset, 2).fill(2 ** 32 - 1);
  const plan = new Plan(own);
  assert.equal(plan.nodes, 2 * (2 ** 32 - 1));
  assert.deepEqual(nodeNames(plan, columns), ['standard-1', 'standard-4294967296']);
  for (const list of [() => expandPlan(plan), () => planToCsv(plan, columns)]) {
    assert.throws(list, { code: 'LIMIT_EXCEEDED', path: 'copies', message: /8589934590 nodes with 12884901885 placements/ });
  }
  const few = planOf(alike, columns, 0n);
  assert.throws(() => expandPlan(few, 6), { code: 'LIMIT_EXCEEDED' });
  assert.throws(() => planToCsv(few, columns, 6), { code: 'LIMIT_EXCEEDED' });
  assert.equal(expandPlan(few, 7).nodes, 3);
});

test('columns of nodes that differ in length are no plan', () => {
  const plan = planOf(alike, columnsOf(small), 0n);
  for (const column of [plan.listed, plan.copies]) {
    for (const length of [0, 1]) {
      const bytes = plan.bytes.slice();
      new DataView(bytes.buffer).setUint32(column.byteOffset - plan.bytes.byteOffset - 4, length, true);
      assert.throws(() => new Plan(bytes), { code: 'MALFORMED' });
    }
  }
});

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
  // Two web and db fill node 0; the third web has no db near. The operator's rule overrides "crowd".
  const ruleViolations = { count: 1, replicas: 1, extent: 1, weight: 2, cost: 2 };
  assert.deepEqual(plan.ruleViolations, ruleViolations);
  const report = own.verify(plan);
  assert.deepEqual(report.ruleViolations, [
    { rule: 0, hard: false, inherited: false, node: 1, app: 0, replicas: 1, extent: 1, amount: 0, limit: 1, weight: 2 },
  ]);
  // 8 and 2 of 8 are used: mean 5/8, standard deviation 3/8.
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
  [{ ...good, stowage_plan: 2 }, 'stowage_plan', /is a version of the format/],
  [{ ...good, instance: 'xyz' }, 'instance', /hexadecimal/],
  [{ ...good, planner: undefined }, '', /has no "planner"/],
  [{ ...good, status: 'fine' }, 'status', /"fine" is not the status of a plan/],
  [{ ...good, seed: 0.5 }, 'seed', /whole number/],
  [{ ...good, moves: -1 }, 'moves', /whole number/],
  [{ ...good, colour: 1 }, 'colour', /unknown key/],
  [{ ...good, nodes: {} }, 'nodes', /must be an array/],
  [{ ...good, nodes: [{ name: 'here' }] }, 'nodes[0]', /neither a "class"/],
  [{ ...good, nodes: [{ class: 'huge' }] }, 'nodes[0].class', /no class "huge"/],
  [{ ...good, nodes: [{ class: 'standard', replicas: { nobody: 1 } }] }, 'nodes[0].replicas.nobody', /no app "nobody"/],
  ...[-1, 1.5].map((copies) => [{ ...good, nodes: [{ class: 'standard', copies }] }, 'nodes[0].copies', /whole number/]),
  [{ ...good, nodes: [{ class: 'standard', copies: 2 ** 32 }] }, 'nodes[0].copies', /at most 4294967295/],
  [{ ...good, nodes: [{ class: 'standard', copies: 0 }] }, 'nodes[0].copies', /1 or more/],
  [{ ...good, unplaced: { web: 1.5 } }, 'unplaced.web', /whole number/],
  [{ ...good, node_bound: { name: 'capacity', value: 1, resource: 'disk' } }, 'node_bound.resource', /no resource "disk"/],
  [7, '', /must be an object/],
  [null, '', /must be an object/],
];
for (const [description, path, message] of wrong) {
  test(`a plan that is wrong at "${path}" is refused: ${message.source}`, () => {
    assert.throws(() => planOf(description, columns, 0n), { name: 'StowageError', code: 'INVALID', path, message });
  });
}

test('a plan is read from JSON as text, with all digits of its numbers', () => {
  const plan = instance.plan({ planner: 'ff', seed: 2n ** 63n + 1n });
  const text = planToJson(plan, columns);
  assert.equal(planOf(text, columns, 0n).seed, plan.seed);
  assert.equal(planOf(text.replace(/"instance": "[0-9a-f]+",/, ''), columns, 7n).instance, 7n);
  for (const wrong of ['text', '7', '[]', '{']) assert.throws(() => planOf(wrong, columns, 0n), { name: 'StowageError', code: 'MALFORMED' });
  assert.throws(() => planOf('{}', columns, 0n), { code: 'INVALID', message: /has no "planner"/ });
});

test('a listed node has no copies', () => {
  const own = columnsOf({ ...small, nodes: [{ name: 'n1' }] });
  const node = (copies) => ({ ...good, nodes: [{ name: 'n1', copies }] });
  assert.equal(planOf(node(1), own, 0n).copies, undefined);
  const refused = { code: 'INVALID', path: 'nodes[0].copies', message: 'a listed node stands for itself' };
  assert.throws(() => planOf(node(2), own, 0n), refused);
});

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
    // An instance that the package writes has the same meaning for the command, and vice versa.
    const inner = columnsOf(description);
    writeFileSync(at('ours.json'), JSON.stringify(describeInstance(inner)));
    native('convert', at('ours.json'), at('theirs.stow'));
    const bytes = readFileSync(at('theirs.stow'));
    assert.equal(stowage.instance(bytes).fingerprint, stowage.instance(description).fingerprint, name);
    native('convert', at('theirs.stow'), at('theirs.json'));
    const theirs = JSON.parse(readFileSync(at('theirs.json'), 'utf8'));
    assert.equal(stowage.instance(theirs).fingerprint, stowage.instance(description).fingerprint, name);
    assert.deepEqual(decodeInstance(encodeInstance(columnsOf(theirs))), decodeInstance(bytes), name);

    // The same for plans of every planner that accepts the instance.
    const loaded = stowage.instance(description);
    for (const request of ['ff', { planner: 'ff', compact: true }]) {
      let plan;
      try {
        plan = loaded.plan(request);
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
        // A table of placements does not say which constraints were broken before. The command counts them; the package does not.
        const holds = format === 'json' || plan.inheritedViolations === 0;
        assert.equal(JSON.parse(native('verify', at('theirs.stow'), at(`ours-plan.${format}`), '--summary', 'json')).ok, true);
        native('convert', at(`ours-plan.${format}`), at('read.stow'), '--instance', at('theirs.stow'));
        native('convert', at('plan.stow'), at(`theirs-plan.${format}`), '--instance', at('theirs.stow'));
        const written = readFileSync(at(`theirs-plan.${format}`), 'utf8');
        const read =
          format === 'json'
            ? planOf(JSON.parse(written), inner, loaded.fingerprint)
            : planFromCsv(written, inner, loaded.fingerprint);
        assert.equal(loaded.verify(read).ok, holds, `${name}: ${format}`);
        if (format === 'json') assert.deepEqual(JSON.parse(written), JSON.parse(text), name);
        else assert.equal(written, text, name);
        const converted = new Plan(readFileSync(at('read.stow')));
        const counted = { ...describePlan(read, inner), inherited_violations: plan.inheritedViolations };
        assert.deepEqual(describePlan(converted, inner), counted, `${name}: ${format}`);
      }
    }
  }
});
