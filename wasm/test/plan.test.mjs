import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  EACH_NODE, NONE, Plan, columnsOf, decodeInstance, describeInstance, describePlan, encodeInstance, expandPlan, loadStowage, planOf,
  planToCsv,
} from 'stowage';
import { native, small, sourceFile, sourceText, temporaryFolder, withoutCli, workload } from './support.mjs';

const stowage = await loadStowage();
const instance = stowage.instance(small);

// ff: two web reach their own limit on node 0, the third opens node 1. db allows at most one web beside it, so it joins node 1.
test('plans the small instance as by hand', () => {
  const plan = instance.plan('ff');
  assert.equal(plan.status, 'optimal');
  assert.equal(plan.nodes, 2);
  assert.equal(plan.complete, true);
  assert.deepEqual([...plan.placements], [
    { app: 0, node: 0, replicas: 2 },
    { app: 0, node: 1, replicas: 1 },
    { app: 1, node: 1, replicas: 1 },
  ]);
  assert.deepEqual(plan.placements.on(1), [{ app: 0, node: 1, replicas: 1 }, { app: 1, node: 1, replicas: 1 }]);
  assert.deepEqual(plan.placements.range(1), [1, 3]);
  assert.deepEqual(plan.placements.on(2), []);
  assert.deepEqual([...plan.nodeClass], [0, 0]);
  assert.deepEqual([...plan.listed], [NONE, NONE]);
  assert.equal(plan.planner, 'ff');
  assert.equal(plan.instance, instance.fingerprint);
  assert.equal(plan.nodeBound.value, 2);
  assert.equal(plan.gap, 0);
  assert.equal(plan.cost, undefined);
  assert.equal(plan.costBound, undefined);
  assert.equal(plan.moves, 0);
  assert.deepEqual(describePlan(plan, columnsOf(small)).nodes, [
    { name: 'standard-1', class: 'standard', replicas: { web: 2 } },
    { name: 'standard-2', class: 'standard', replicas: { web: 1, db: 1 } },
  ]);
  assert.equal(planToCsv(plan, columnsOf(small)), 
    'node,app,replicas,class,state,cpu,memory\nstandard-1,web,2,standard,new,4,8\nstandard-2,web,1,standard,new,2,4\nstandard-2,db,1,standard,new,4,8\n');
});

// Four replicas fill a node: two nodes have the same content, and the ninth replica is alone.
test('a compact plan lists nodes that hold the same once, as by hand', () => {
  const alike = {
    stowage: 1,
    resources: { cpu: 'cores' },
    classes: [{ name: 'standard', capacity: { cpu: 8 }, price: 1.5 }],
    apps: [{ name: 'web', replicas: 9, demand: { cpu: 2 } }],
  };
  const nine = stowage.instance(alike);
  const plan = nine.plan({ planner: 'ff', compact: true });
  assert.deepEqual([[...plan.nodeClass], [...plan.listed], [...plan.copies]], [[0, 0], [NONE, NONE], [2, 1]]);
  assert.deepEqual([...plan.placements], [{ app: 0, node: 0, replicas: 4 }, { app: 0, node: 1, replicas: 1 }]);
  assert.deepEqual([plan.nodes, plan.cost, plan.gap, plan.complete], [3, 4.5, 0, true]);
  const report = nine.verify(plan);
  assert.deepEqual([report.ok, report.nodes, report.placed], [true, 3, 9]);
  const each = nine.plan('ff');
  assert.deepEqual([each.nodes, each.copies], [3, undefined]);
  assert.deepEqual(describePlan(expandPlan(plan), columnsOf(alike)), describePlan(each, columnsOf(alike)));
  assert.equal(planToCsv(plan, columnsOf(alike)), planToCsv(each, columnsOf(alike)));
});

test('what is left over is bounded, and what fits nowhere is noted, as by hand', () => {
  const few = {
    stowage: 1,
    resources: { cpu: 'cores' },
    classes: [{ name: 'standard', capacity: { cpu: 8 } }],
    apps: [
      { name: 'web', replicas: 9, demand: { cpu: 2 } },
      { name: 'whale', replicas: 2, priority: 1, demand: { cpu: 9 } },
    ],
  };
  // Four of nine fit on a node; no node has room for a whale.
  const own = stowage.instance(few);
  const plan = own.plan({ planner: 'ff', nodeLimit: 1 });
  const bound = [{ priority: 1, replicas: 2 }, { priority: 0, replicas: 5 }];
  assert.deepEqual([plan.leftOverBound, plan.placesMost], [bound, true]);
  assert.deepEqual(plan.notes.map(({ code }) => code), ['left-out']);
  assert.match(plan.notes[0].text, /whale/);
  const described = describePlan(plan, columnsOf(few));
  assert.deepEqual([described.left_over_bound, described.places_most], [bound, true]);
  assert.deepEqual(describePlan(planOf(described, columnsOf(few), own.fingerprint), columnsOf(few)), described);
});

test('a plan outlives its instance and its library', async () => {
  const own = await loadStowage();
  const temporary = own.instance(small);
  const plan = temporary.plan('ff');
  temporary.dispose();
  own.dispose();
  assert.deepEqual(new Plan(plan.bytes.slice()).placements.words, plan.placements.words);
  assert.equal(instance.verify(plan).ok, true);
});

test('the forms for people are those of the command line', { skip: withoutCli }, () => {
  const folder = temporaryFolder();
  const [json, csv] = [join(folder, 'plan.json'), join(folder, 'plan.csv')];
  native('plan', sourceFile('capi/cli/examples/shop.json'), '--planner', 'ff', '--nodes', '6', '-o', json, '-o', csv);
  const example = JSON.parse(sourceText('capi/cli/examples/shop.json'));
  const plan = stowage.instance(example).plan({ planner: 'ff', nodeLimit: 6 });
  const columns = decodeInstance(encodeInstance(columnsOf(example)));
  assert.deepEqual(JSON.parse(JSON.stringify(describePlan(plan, columns))), JSON.parse(readFileSync(json, 'utf8')));
  assert.equal(planToCsv(plan, columns), readFileSync(csv, 'utf8'));
});

test('what does not fit is unplaced, and explained', () => {
  const plan = instance.plan({ planner: 'ff', nodeLimit: 1 });
  assert.equal(plan.status, 'infeasible-proven');
  assert.deepEqual(plan.unplaced, [{ app: 0, replicas: 1 }, { app: 1, replicas: 1 }]);
  assert.equal(plan.complete, false);
  const explanation = instance.explain(plan);
  assert.equal(explanation.nodes, 1);
  assert.equal(explanation.nodeBound, 2);
  assert.deepEqual(explanation.apps.map((one) => [one.app, one.unplaced, one.blockedByLimits]), [[0, 1, 1], [1, 1, 1]]);
  const obstacles = explanation.apps[0].closest.find((one) => one.node === 0).obstacles;
  assert.deepEqual(obstacles, [{ kind: 'self-limit', amount: 3, limit: 2 }]);
  assert.ok(explanation.apps[0].relaxations.some((one) => one.kind === 'add-node'));
  assert.deepEqual(instance.explain(plan, { app: 1 }).apps.map((one) => one.app), [1]);
  assert.throws(() => instance.explain(plan, { app: 2 }), { code: 'INVALID', path: 'app' });
  const alone = instance.headroom(plan, 1).room.reduce((sum, one) => sum + one, 0);
  assert.equal(instance.headroomOfApps(plan).room[1], alone);
  assert.equal(instance.headroomOfApps().room.length, 2);
  assert.throws(() => instance.headroomOfApps(plan, 2e9), { code: 'INVALID', path: 'most' });
  const [worst] = instance.losses(plan);
  assert.deepEqual([worst.nodes.length, worst.left], [1, worst.replicas]);
  assert.ok(worst.moves.every((one) => one.to === undefined), 'no node remains');
  assert.deepEqual(instance.losses(plan, { nodes: worst.nodes }), [worst]);
  assert.throws(() => instance.losses(plan, { label: 'rack' }), { code: 'INVALID', path: 'label' });
  const order = instance.orderMoves(plan, { perNode: 2 });
  assert.deepEqual([order.stuck, order.moved, order.waves.length], [[], 0, 1]);
  assert.ok(order.waves[0].every((move) => move.from === undefined), 'nothing runs yet');
  assert.throws(() => instance.orderMoves(plan, { appShare: 2 }), { code: 'INVALID', path: 'app_share' });
});

test('verifies plans, and finds what is broken in them', () => {
  const plan = instance.plan('ff');
  const good = instance.verify(plan);
  assert.deepEqual(
    [good.ok, good.nodes, good.placed, good.unplaced, good.violationCount, good.violations], [true, 2, 4, 0, 0, []],
  );
  // Used: 3 x 2 + 4 of 2 x 8 cores, and 3 x 4 + 8 of 2 x 16 GiB.
  assert.deepEqual([...good.utilization], [10 / 16, 20 / 32]);
  const broken = plan.bytes.slice();
  new Plan(broken).placements.words[2] = 3;
  const report = instance.verify(broken);
  assert.equal(report.ok, false);
  assert.ok(report.violations.some((one) => one.kind === 'self-limit' && one.app === 0 && one.node === 0 && one.amount === 3));
  assert.ok(report.violations.some((one) => one.kind === 'replica-count'));
  const other = stowage.instance({ ...small, name: 'other' }).verify(plan);
  assert.deepEqual(other.violations.map((one) => one.kind), ['wrong-instance']);
  assert.throws(() => instance.verify(new Uint8Array(100)), { code: 'MALFORMED' });
  assert.throws(() => new Plan(new Uint8Array(100)), { code: 'MALFORMED' });
});

test('bounds come best first, with where they come from', () => {
  const bounds = instance.bound();
  assert.equal(bounds[0].objective, 'nodes');
  assert.equal(bounds[0].value, 2);
  assert.ok(bounds.every((one) => one.name !== '' && one.source !== ''));
});

test('the catalogue tells what planners honour and take', () => {
  const planners = stowage.planners();
  assert.equal(new Set(planners.map(({ name }) => name)).size, planners.length);
  assert.ok(planners.every((one) => one.summary !== '' && one.source !== '' && one.honours.length > 0));
  const option = planners.flatMap(({ options }) => options)[0];
  assert.deepEqual(Object.keys(option), ['name', 'summary', 'default', 'min', 'max']);
  assert.ok(planners.every(({ defaultDeadlineMs }) => defaultDeadlineMs === undefined || defaultDeadlineMs > 0));
});

const refusals = [
  ['no-such-planner', 'NOT_FOUND', 'planner'],
  [{ planner: 'ff', options: { alpha: 1 } }, 'NOT_FOUND', 'options[0].name'],
  [{ planner: 'ff', options: { alpha: true } }, 'INVALID', 'options.alpha'],
  [{ planner: 'ff', seed: -1 }, 'INVALID', 'seed'],
  [{ planner: 'ff', seed: 1.5 }, 'INVALID', 'seed'],
  [{ planner: 'ff', seed: 2n ** 64n }, 'INVALID', 'seed'],
  [{ planner: 'ff', nodeLimit: 2 ** 32 }, 'INVALID', 'node_limit'],
  [{ planner: 'ff', deadlineMs: 'soon' }, 'INVALID', 'deadline_ms'],
  [{ planner: 1 }, 'INVALID', 'planner'],
  [{ planner: null }, 'INVALID', 'planner'],
  [{ planner: '' }, 'NOT_FOUND', 'planner'],
  [null, 'INVALID', ''],
  [1, 'INVALID', ''],
];
for (const [request, code, path] of refusals) {
  test(`a wrong request is ${code} at ${path}: ${Object.keys(Object(request)).join() || request}`, () => {
    assert.throws(() => instance.plan(request), { name: 'StowageError', code, path });
  });
}

test('numbers of 64 bits pass whole', () => {
  assert.equal(instance.plan({ planner: 'ff', seed: 2n ** 64n - 1n }).seed, 2n ** 64n - 1n);
  assert.throws(() => describePlan(instance.plan({ planner: 'ff', seed: 2n ** 60n }), columnsOf(small)), { path: 'seed' });
});

// calm costs 1 per load of calm and 2 per load of noisy, noisy 0.5 and 1. Loads are memory: 4 and 2.
test('side effects are planned for, limited, explained and written', () => {
  const colocated = (maxCost) => ({
    stowage: 1,
    resources: { cpu: 'cores', memory: 'GiB' },
    classes: [{ capacity: { cpu: 16, memory: 100 }, count: 2 }],
    apps: [
      { name: 'web', replicas: 2, demand: { cpu: 1, memory: 4 }, kind: 'calm' },
      { name: 'batch', replicas: 2, demand: { cpu: 1, memory: 2 }, kind: 'noisy' },
    ],
    interference: { kinds: ['calm', 'noisy'], coefficient: [[1, 2], [0.5, 1]], resource: 'memory', ...maxCost },
  });
  const kinds = stowage.instance(colocated({}));
  // The search and its bounds, on instances whose nodes are alike.
  for (const objective of ['worst', 'total']) {
    const searched = kinds.plan({ planner: 'auto', objective, workLimit: 20000 });
    assert.deepEqual([searched.objective, kinds.verify(searched).ok], [objective, true]);
  }
  const plan = kinds.plan({ planner: 'kind-lpt', objective: 'worst' });
  // Kinds apart: 8 and 4. Mixed: 8 on both nodes.
  assert.deepEqual([plan.objective, plan.maxCost, plan.maxCostLimit], ['worst', 8, undefined]);
  assert.ok(plan.maxCostBound.value <= 8 && plan.totalCost >= 16);
  assert.equal(plan.nodeMaxCost.length, plan.nodeClass.length);
  const report = kinds.verify(plan);
  assert.deepEqual([report.ok, report.maxCost, report.totalCost], [true, plan.maxCost, plan.totalCost]);
  assert.deepEqual(report.nodeMaxCost, plan.nodeMaxCost);
  const crowded = kinds.plan('ff');
  assert.equal(crowded.maxCost, 16);
  // web costs 8 of its own kind and 8 of the other; the plan has no other node.
  const { suffering } = kinds.explain(crowded);
  assert.deepEqual([suffering.cost, [...suffering.fromKind], suffering.to], [16, [8, 8], undefined]);
  const limited = kinds.plan({ planner: 'ff', maxCost: 8 });
  assert.ok(limited.maxCostLimit === 8 && limited.maxCost <= 8);
  assert.throws(() => kinds.plan({ planner: 'ff', maxCost: 3 }), { code: 'INVALID', path: 'max_cost' });

  const columns = columnsOf(colocated({}));
  for (const one of [plan, limited]) {
    const written = describePlan(one, columns);
    assert.deepEqual(
      [written.max_cost, written.total_cost, written.nodes.map(({ max_cost: cost }) => cost)],
      [one.maxCost, one.totalCost, [...one.nodeMaxCost]],
    );
    const again = planOf(written, columns, 0n);
    assert.deepEqual(describePlan(again, columns), written);
    assert.equal(kinds.verify(again).ok, true);
  }
  assert.throws(() => {
    const written = describePlan(plan, columns);
    delete written.nodes[0].max_cost;
    planOf(written, columns, 0n);
  }, { path: 'nodes' });

  const own = { max_cost: { calm: 5 } };
  const strict = stowage.instance(colocated(own));
  assert.deepEqual(describeInstance(columnsOf(colocated(own))).interference, colocated(own).interference);
  const unplaced = strict.plan('ff');
  assert.ok(unplaced.maxCost <= 5 && unplaced.unplaced.length > 0);
  const [app] = strict.explain(unplaced).apps;
  assert.ok(app.closest[0].obstacles.some(({ kind, other }) => kind === 'side-effects' && other === 0));
  assert.equal(app.relaxations.find(({ kind }) => kind === 'raise-max-cost').sufferingKind, 0);
});

const large = stowage.instance(workload(600));

test('a work limit repeats the run that a work limit ended', () => {
  const full = large.plan('ff');
  const cut = large.plan({ planner: 'ff', workLimit: full.work / 2n });
  assert.equal(cut.status, 'deadline');
  assert.equal(large.verify(cut).ok, true);
  assert.deepEqual(large.plan({ planner: 'ff', workLimit: cut.work }).bytes, cut.bytes);
});

test('a watched run makes the same plan, is told of on the way, and can be ended', () => {
  const told = [];
  const watched = large.plan('ff', { onProgress: (progress) => told.push(progress), progressInterval: 0 });
  assert.deepEqual(watched.bytes, large.plan('ff').bytes);
  assert.ok(told.length > 2);
  const planning = told.filter(({ phase, total }) => phase === 'plan' && total !== undefined);
  assert.ok(planning.length > 0);
  assert.ok(planning.every(({ done, total }) => done <= total));
  for (let k = 1; k < told.length; ++k) assert.ok(told[k].work >= told[k - 1].work);

  let looks = 0;
  const cut = large.plan('ff', { isCancelled: () => ++looks > 3 });
  assert.equal(cut.status, 'cancelled');
  assert.ok(cut.unplaced.length > 0);
  assert.equal(large.verify(cut).ok, true);
  assert.equal(large.plan('ff').status, watched.status);
});

test('what a watch throws ends the run and comes out', () => {
  const reason = new Error('enough');
  const watch = { onProgress: () => { throw reason; }, progressInterval: 0 };
  assert.throws(() => large.plan('ff', watch), (error) => error === reason);
  assert.equal(large.plan('ff').complete, true);
});

test('what needs a solver is refused', () => {
  const solved = stowage.planners().filter(({ needsSolver }) => needsSolver);
  assert.deepEqual(solved.map(({ name }) => name), ['medea-ilp', 'lrasched-ilp']);
  for (const { name, objectives } of solved) {
    assert.throws(() => large.plan({ planner: name, objective: objectives[0], nodeLimit: 1 }), { code: 'UNSUPPORTED', path: 'planner' });
  }
});

for (const { name, defaultDeadlineMs, needsSolver, objectives } of stowage.planners()) {
  if (defaultDeadlineMs === undefined || needsSolver || !objectives.includes('nodes')) continue;
  test(`${name} ends by its own deadline, watched or not`, () => {
    for (const watch of [{}, { onProgress: () => undefined }]) {
      const begin = performance.now();
      const plan = large.plan(name, watch);
      assert.notEqual(plan.status, 'cancelled');
      assert.ok(performance.now() - begin < defaultDeadlineMs + 5000);
    }
    const limited = large.plan({ planner: name, workLimit: 5000 });
    assert.deepEqual(large.plan({ planner: name, workLimit: 5000 }, { onProgress: () => undefined }).bytes, limited.bytes);
  });
}

test('every planner looks at its watch while it plans', () => {
  const idle = [];
  for (const { name } of stowage.planners()) {
    let looks = 0;
    try {
      large.plan(name, { isCancelled: () => ++looks > 4 });
    } catch (error) {
      if (error.code !== 'UNSUPPORTED') throw error;
      continue;
    }
    if (looks <= 4) idle.push(name);
  }
  assert.deepEqual(idle, []);
});

// Three replicas, of which a node holds one.
const apart = {
  stowage: 1,
  resources: { cpu: 'cores' },
  classes: [{ name: 'standard', capacity: { cpu: 10 }, labels: ['rack=r1'] }],
  apps: [{ name: 'web', replicas: 3, demand: { cpu: 6 } }],
};

test('plans survive losses, as by hand', () => {
  const cluster = stowage.instance(apart);
  const plan = cluster.plan({ planner: 'ff', survive: EACH_NODE });
  assert.deepEqual([plan.survive, plan.notSurvived, plan.status], ['*', 0, 'optimal']);
  // One node more than hold replicas: the loss of any is borne.
  assert.deepEqual([plan.nodes, plan.placements.length, plan.nodeBound.name, plan.nodeBound.value], [4, 3, 'survival', 4]);
  assert.equal(cluster.verify(plan).ok, true);
  const written = describePlan(plan, columnsOf(apart));
  assert.deepEqual([written.survive, written.not_survived, written.nodes[3].replicas], ['*', 0, {}]);
  const tight = cluster.plan({ planner: 'ff', survive: EACH_NODE, nodeLimit: 3 });
  assert.deepEqual([tight.notSurvived, tight.status, tight.notes[0].code], [1, 'partial', 'promise']);
  const plain = cluster.plan('ff');
  assert.deepEqual([plain.survive, plain.notSurvived, plain.reserved.length, plain.unreserved], [undefined, 0, 0, []]);
});

test('plans leave racks free, as by hand', () => {
  const cluster = stowage.instance(apart);
  const plan = cluster.plan({ planner: 'ff', leaveFree: 'rack' });
  assert.deepEqual([plan.leaveFree, plan.domainsInUse, plan.domainBound, plan.status], ['rack', 1, 1, 'optimal']);
  const written = describePlan(plan, columnsOf(apart));
  assert.deepEqual([written.leave_free, written.domains_in_use, written.domain_bound], ['rack', 1, 1]);
  const again = planOf(JSON.parse(JSON.stringify(written)), columnsOf(apart), cluster.fingerprint);
  assert.deepEqual([again.leaveFree, again.domainsInUse, again.domainBound], ['rack', 1, 1]);
  assert.equal(cluster.verify(again).ok, true);
  const plain = cluster.plan('ff');
  assert.deepEqual([plain.leaveFree, plain.domainsInUse, plain.domainBound], [undefined, 0, 0]);
});

test('plans keep room, as by hand', () => {
  const cluster = stowage.instance(apart);
  const keep = [{ app: 0, replicas: 2 }];
  const plan = cluster.plan({ planner: 'ff', keep });
  const room = [{ app: 0, node: 3, replicas: 1 }, { app: 0, node: 4, replicas: 1 }];
  assert.deepEqual([[...plan.reserved], plan.unreserved, plan.nodes, plan.placements.length], [room, [], 5, 3]);
  assert.equal(cluster.verify(plan).ok, true);
  assert.deepEqual(describePlan(plan, columnsOf(apart)).nodes[4], {
    name: 'standard-5', class: 'standard', replicas: {}, reserved: { web: 1 },
  });
  const compact = cluster.plan({ planner: 'ff', keep, compact: true });
  assert.deepEqual([[...compact.copies], compact.reserved.length], [[3, 2], 1]);
  assert.deepEqual([...expandPlan(compact).reserved], room);
  const tight = cluster.plan({ planner: 'ff', keep, nodeLimit: 4 });
  assert.deepEqual([[...tight.reserved], tight.unreserved], [room.slice(0, 1), [{ app: 0, replicas: 1 }]]);
  assert.deepEqual(describePlan(tight, columnsOf(apart)).unreserved, { web: 1 });
});

test('what plans promise is read from JSON as it was written', () => {
  const cluster = stowage.instance(apart);
  const keep = [{ app: 0, replicas: 2 }];
  for (const request of [{ keep, survive: '*' }, { keep, nodeLimit: 4 }, { survive: '*', nodeLimit: 3 }, { keep, compact: true }]) {
    const plan = cluster.plan({ planner: 'ff', ...request });
    const again = planOf(JSON.parse(JSON.stringify(describePlan(plan, columnsOf(apart)))), columnsOf(apart), cluster.fingerprint);
    assert.deepEqual(
      [[...again.reserved], again.unreserved, again.survive, again.notSurvived],
      [[...plan.reserved], plan.unreserved, plan.survive, plan.notSurvived],
    );
    assert.equal(cluster.verify(again).ok, true);
  }
  const unknown = { ...describePlan(cluster.plan({ planner: 'ff', survive: '*' }), columnsOf(apart)), not_survived: null };
  const open = planOf(unknown, columnsOf(apart), cluster.fingerprint);
  assert.deepEqual([open.notSurvived, describePlan(open, columnsOf(apart)).not_survived], [undefined, null]);
  const wrong = { ...unknown, not_survived: 0, nodes: unknown.nodes.slice(0, 3), node_bound: undefined, status: 'complete', gap: undefined };
  const report = cluster.verify(planOf(wrong, columnsOf(apart), cluster.fingerprint));
  assert.deepEqual(report.violations.map(({ kind, what, amount }) => [kind, what, amount]), [['promise', 'not_survived', 1]]);
});

test('a trace tells what the search asked', () => {
  const [first] = instance.plan({ workLimit: 1000, trace: true }).trace;
  assert.deepEqual([first.name, first.calls, first.work > 0], ['exchanges', 1, true]);
  assert.deepEqual(instance.plan({ workLimit: 1000 }).trace, []);
  const traced = describePlan(instance.plan({ workLimit: 1000, trace: true }), columnsOf(small));
  assert.deepEqual(planOf(traced, columnsOf(small), instance.fingerprint).trace[0], first);
});

test('refused promises name the field', () => {
  const cluster = stowage.instance(apart);
  for (const [path, request] of [
    ['survive', { survive: 'zone' }],
    ['survive', { survive: 7 }],
    ['leave_free', { leaveFree: 'zone' }],
    ['leave_free', { leaveFree: 7 }],
    ['keep', { keep: { web: 1 } }],
    ['keep[0]', { keep: [3] }],
    ['keep[0].app', { keep: [{ app: 7, replicas: 1 }] }],
    ['keep[0].app', { keep: [{ replicas: 1 }] }],
    ['keep[1].app', { keep: [{ app: 0, replicas: 1 }, { app: 0, replicas: 2 }] }],
    ['keep[0].replicas', { keep: [{ app: 0, replicas: 0 }] }],
    ['keep[0].replicas', { keep: [{ app: 0, replicas: 2 ** 32 }] }],
    ['keep[0].node', { keep: [{ app: 0, replicas: 1, node: 1 }] }],
  ]) {
    assert.throws(() => cluster.plan({ planner: 'ff', ...request }), { code: 'INVALID', path });
  }
});

test('goals may be words', () => {
  const { goals } = instance.plan({ workLimit: 1000, goals: ['cost~1%', { what: 'moves', beside: true }, `balance*0.5`] });
  assert.deepEqual(goals.map(({ what, beside, tolerance, weight }) => [what, beside, tolerance, weight]), [
    ['cost', false, 0.01, 1], ['moves', true, 0, 1], ['balance', false, 0, 0.5],
  ]);
});

test('refused goals name the field', () => {
  for (const [path, goals] of [
    ['goals', 'cost'],
    ['goals[1].words', ['cost', 'luck']],
    ['goals[0].words', ['balance:gpu']],
    ['goals[0]', ['']],
    ['goals[0]', [{ resource: 0 }]],
    ['goals[0]', [7]],
    ['goals[0].kind', [{ what: 'cost', kind: 1 }]],
    ['goals[0].resource', [{ what: 'balance', resource: 'cpu' }]],
    ['goals[0].weight', [{ what: 'cost', weight: '1' }]],
  ]) {
    assert.throws(() => instance.plan({ goals }), { code: 'INVALID', path });
  }
});
