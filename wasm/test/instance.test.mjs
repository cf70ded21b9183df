import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  StowageError, columnsOf, decodeInstance, describeInstance, encodeInstance, instanceBytes, loadStowage, parseQuantity,
} from 'stowage';
import { collectGarbage, native, small, sourceText, temporaryFolder, withoutCli, workload } from './support.mjs';

const stowage = await loadStowage();
const fingerprint = (source) => {
  const instance = stowage.instance(source);
  instance.dispose();
  return instance.fingerprint;
};

const smallColumns = {
  name: 'small',
  resources: [{ name: 'cpu', unit: 'cores' }, { name: 'memory', unit: 'GiB' }],
  apps: { names: ['web', 'db'], replicas: [3, 1], demand: [2, 4, 4, 8] },
  classes: [{ name: 'standard', capacity: [8, 16] }],
  limits: { rowBegin: [0, 1, 2], app: [0, 0], atMost: [2, 1] },
};

test('objects, columns, typed arrays and bytes stand for the same instance', () => {
  const typed = {
    ...smallColumns,
    apps: { ...smallColumns.apps, replicas: new Uint32Array([3, 1]), demand: new Float64Array([2, 4, 4, 8]) },
    limits: { rowBegin: new Uint32Array([0, 1, 2]), app: new Uint32Array([0, 0]), atMost: new Uint32Array([2, 1]) },
  };
  const expected = fingerprint(small);
  assert.notEqual(expected, 0n);
  const bytes = encodeInstance(smallColumns);
  const copy = new Uint8Array(bytes.length + 3);
  copy.set(bytes, 3);
  for (const source of [smallColumns, typed, bytes, bytes.buffer, copy.subarray(3)]) {
    assert.equal(fingerprint(source), expected);
  }
  assert.notEqual(fingerprint({ ...small, name: 'other' }), expected);
});

test('an instance is read as the command line reads it', { skip: withoutCli }, () => {
  const folder = temporaryFolder();
  for (const path of ['capi/cli/examples/shop.json', 'tests/cli/data/everything.json']) {
    const [json, stow] = [join(folder, 'given.json'), join(folder, 'given.stow')];
    native('convert', join(process.env.STOWAGE_SOURCE, path), stow);
    const bytes = readFileSync(stow);
    const description = JSON.parse(sourceText(path));
    assert.deepEqual(JSON.parse(JSON.stringify(columnsOf(description))), JSON.parse(JSON.stringify(decodeInstance(bytes))), path);
    assert.equal(fingerprint(description), fingerprint(bytes), path);
    // In the other direction, the package writes the same text as the command line.
    native('convert', stow, json);
    const written = JSON.parse(readFileSync(json, 'utf8'));
    assert.deepEqual(JSON.parse(JSON.stringify(describeInstance(decodeInstance(bytes)))), written, path);
    assert.equal(fingerprint(describeInstance(decodeInstance(bytes))), fingerprint(bytes), path);
  }
});

test('columns survive the way to bytes and back', () => {
  const columns = workload(50);
  const back = decodeInstance(encodeInstance(columns));
  assert.deepEqual(back.apps.demand, columns.apps.demand);
  assert.deepEqual(back.apps.replicas, columns.apps.replicas);
  assert.deepEqual(back.limits, columns.limits);
  assert.deepEqual(back.resources, columns.resources);
  assert.deepEqual(columnsOf(describeInstance(back)).limits, columns.limits);
});

test('quantities', () => {
  const expected = [
    ['500m', 'cores', 0.5], ['2', 'cores', 2], [' 1.5 cores ', 'cores', 1.5], ['1e3', '', 1000], ['512Mi', 'GiB', 0.5],
    ['0.5GiB', 'GiB', 0.5], ['1500Mi', 'GiB', 1500 / 1024], ['1G', 'GiB', 1e9 / 2 ** 30], ['3k', 'MHz', 0.003],
    ['.5', 'x', 0.5], ['-1', 'x', -1],
    ['2Gx', 'GiB', undefined], ['', 'GiB', undefined], ['Gi', 'GiB', undefined], ['1 2', 'x', undefined],
    ['+1', 'x', undefined], ['1e999', 'x', undefined], ['0x10', 'x', undefined],
  ];
  for (const [text, unit, value] of expected) assert.equal(parseQuantity(text, unit), value, `${text} in ${unit}`);
});

test('a confidence may be text', () => {
  const expected = [['99.9%', 0.999], ['0.999', 0.999], [' 12.5 % ', 0.125], ['1e1%', 0.1], [0.95, 0.95]];
  for (const [confidence, value] of expected) {
    assert.equal(columnsOf({ ...small, uncertainty: { confidence } }).uncertainty.confidence, value, String(confidence));
  }
});

test('a standard deviation is kept as a variance', () => {
  const columns = columnsOf({
    stowage: 1, resources: { cpu: 'cores' }, classes: [{ capacity: { cpu: 8 } }],
    apps: [{ demand: { cpu: 2 }, deviation: { cpu: '500m' } }],
    nodes: [{ load: { cpu: 1 }, load_deviation: { cpu: 2 } }],
    uncertainty: { confidence: '99.9%' },
  });
  assert.deepEqual([...columns.apps.variance], [0.25]);
  assert.deepEqual([...columns.nodes.loadVariance], [4]);
  assert.equal(columns.uncertainty.confidence, 0.999);
});

const app = (change) => ({ ...small, apps: [{ ...small.apps[0], ...change }, small.apps[1]] });
const wrongDescriptions = [
  [{ ...small, stowage: 2 }, 'stowage'],
  [{ ...small, resources: undefined }, ''],
  [{ ...small, extra: 1 }, 'extra'],
  [{ ...small, periods: 0 }, 'periods'],
  [{ ...small, classes: [{ capacity: { cpu: 8 } }] }, 'classes[0].capacity'],
  [{ ...small, classes: [{ capacity: { cpu: 8, memory: 16 }, price: -1 }] }, 'classes[0].price'],
  [{ ...small, classes: [{ capacity: { cpu: 8, memory: 16 }, labels: { zone: 1 } }] }, 'classes[0].labels.zone'],
  [app({ replicas: -1 }), 'apps[0].replicas'],
  [app({ replicas: 1.5 }), 'apps[0].replicas'],
  [app({ replicas: 2 ** 32 }), 'apps[0].replicas'],
  [app({ replicas: '3' }), 'apps[0].replicas'],
  [app({ variance: { cpu: 1 }, deviation: { cpu: 1 } }), 'apps[0].deviation.cpu'],
  [app({ deviation: { cpu: -1 } }), 'apps[0].deviation.cpu'],
  [{ ...small, uncertainty: { confidence: 'often' } }, 'uncertainty.confidence'],
  [app({ name: '' }), 'apps[0].name'],
  [app({ name: 'db' }), 'apps[1].name'],
  [app({ name: undefined }), 'apps[0]'],
  [app({ demand: undefined }), 'apps[0]'],
  [app({ demand: { cpu: -1 } }), 'apps[0].demand.cpu'],
  [app({ demand: { cpu: NaN } }), 'apps[0].demand.cpu'],
  [app({ demand: { cpu: '2GB' } }), 'apps[0].demand.cpu'],
  [app({ demand: { disk: 1 } }), 'apps[0].demand.disk'],
  [app({ demand: { cpu: [1, 2] } }), 'apps[0].demand.cpu'],
  [app({ limits: { nobody: 1 } }), 'apps[0].limits.nobody'],
  [app({ limits: { web: 1 } }), 'apps[0].limits.web'],
  [app({ kind: 'batch' }), 'apps[0].kind'],
  [app({ support: { cpu: [1] } }), 'apps[0].support.cpu'],
  [app({ priority: 0.5 }), 'apps[0].priority'],
  [{ ...small, apps: [...small.apps, 7] }, 'apps[2]'],
  [{ ...small, nodes: [{ class: 'large' }] }, 'nodes[0].class'],
  [{ ...small, nodes: [{ running: { web: 'all' } }] }, 'nodes[0].running.web'],
  [{ ...small, groups: [{ name: 'node' }] }, 'groups[0].name'],
  [{ ...small, groups: [{ name: 'rack', sets: [['n1']] }] }, 'groups[0].sets[0][0]'],
  [{ ...small, rules: [{}] }, 'rules[0]'],
  [{ ...small, rules: [{ all_of: [{ subject: 'a', group: 'hall' }] }] }, 'rules[0].all_of[0].group'],
  [{ ...small, rules: [{ all_of: [{ subject: 'a', kind: 'most' }] }] }, 'rules[0].all_of[0].kind'],
  [{ ...small, uncertainty: { model: 'cauchy' } }, 'uncertainty.model'],
  [{ ...small, interference: { coefficient: [[1, 2]] } }, 'interference.coefficient[0]'],
  [{ ...small, interference: { coefficient: [[1]], resource: 'disk' } }, 'interference.resource'],
  [{ ...small, interference: { coefficient: [[1]], max_cost: { 1: 5 } } }, 'interference.max_cost.1'],
  [{ ...small, interference: { kinds: ['a'], coefficient: [[1]], max_cost: { b: 5 } } }, 'interference.max_cost.b'],
  [{ ...small, interference: { coefficient: [[1]], max_cost: { 0: -5 } } }, 'interference.max_cost.0'],
];
for (const [description, path] of wrongDescriptions) {
  test(`a wrong description names ${path}: ${JSON.stringify(description).slice(-60)}`, () => {
    assert.throws(() => stowage.instance(description), { name: 'StowageError', code: 'INVALID', path });
  });
}

const change = (part, values) => ({ ...smallColumns, [part]: { ...smallColumns[part], ...values } });
const wrongColumns = [
  [change('apps', { demand: [2, 4, 4, -8] }), 'INVALID', 'apps.demand[3]'],
  [change('apps', { demand: [2, 4, 4, '8'] }), 'INVALID', 'apps.demand[3]'],
  [change('apps', { demand: [2, 4, 4, NaN] }), 'INVALID', 'apps.demand[3]'],
  [change('apps', { demand: [2, 4, 4] }), 'INVALID', 'apps.demand'],
  [change('apps', { replicas: [3, -1] }), 'INVALID', 'apps.replicas[1]'],
  [change('apps', { replicas: 'many' }), 'INVALID', 'apps.replicas'],
  [change('apps', { priority: [0, 2 ** 31] }), 'INVALID', 'apps.priority[1]'],
  [change('apps', { names: ['web', 'web'] }), 'INVALID', 'apps.names[1]'],
  [change('apps', { names: ['web', 3] }), 'INVALID', 'apps.names[1]'],
  [change('limits', { app: [0, 9] }), 'INVALID', 'limits.app[1]'],
  [change('limits', { rowBegin: [0, 1] }), 'INVALID', 'limits.row_begin'],
  [{ ...smallColumns, classes: [] }, 'INVALID', 'classes'],
  [{ ...smallColumns, resources: undefined }, 'INVALID', 'resources'],
  [{ ...smallColumns, running: { app: [0], node: [0, 1], replicas: [1] } }, 'INVALID', 'running'],
  [{ ...smallColumns, periods: 0 }, 'INVALID', 'periods'],
  [null, 'INVALID', ''],
  ['small', 'MALFORMED', ''],
  [new Uint8Array(), 'MALFORMED', ''],
  [new TextEncoder().encode('certainly not a buffer'), 'MALFORMED', ''],
];
for (const [columns, code, path] of wrongColumns) {
  test(`wrong columns are ${code} at "${path}": ${JSON.stringify(columns)?.slice(0, 40)}`, () => {
    assert.throws(() => stowage.instance(columns), { name: 'StowageError', code, path });
  });
}

test('cut and changed bytes are refused or read, never a crash', () => {
  const bytes = instanceBytes(small);
  const outcomes = new Set();
  // What ends a buffer may be padding.
  const padding = 7;
  for (let size = 0; size < bytes.length - padding; ++size) {
    assert.throws(() => stowage.instance(bytes.slice(0, size)), { code: 'MALFORMED' }, `cut at ${size}`);
  }
  for (let at = 0; at < bytes.length; ++at) {
    const changed = bytes.slice();
    changed[at] ^= 0x81;
    try {
      stowage.instance(changed).dispose();
      outcomes.add('OK');
    } catch (error) {
      assert.ok(error instanceof StowageError, `changed at ${at}: ${error}`);
      assert.notEqual(error.code, 'INTERNAL', `changed at ${at}: ${error}`);
      outcomes.add(error.code);
    }
  }
  assert.ok(outcomes.has('OK') && outcomes.has('MALFORMED') && outcomes.has('INVALID'), [...outcomes].join());
});

test("the caller's limits hold", () => {
  assert.throws(() => stowage.instance(small, { maxApps: 1 }), { code: 'LIMIT_EXCEEDED', path: 'apps.replicas' });
  assert.throws(() => stowage.instance(small, { maxBytes: 10 }), { code: 'LIMIT_EXCEEDED' });
  assert.throws(() => stowage.instance(small, { maxCells: -1 }), { code: 'INVALID_ARGUMENT', path: 'limits.maxCells' });
  stowage.instance(small, { maxApps: 2 }).dispose();
});

test('a disposed instance refuses, and disposing again does nothing', () => {
  const instance = stowage.instance(small);
  instance.dispose();
  instance.dispose();
  for (const call of [() => instance.plan('ff'), () => instance.bound(), () => instance.verify(new Uint8Array())]) {
    assert.throws(call, { code: 'DISPOSED' });
  }
});

test('what nobody disposed of is freed once nobody can reach it', async () => {
  const own = await loadStowage();
  const bytes = encodeInstance(workload(2000));
  const loadSome = () => {
    for (let k = 0; k < 25; ++k) own.instance(bytes);
  };
  loadSome();
  await collectGarbage();
  const before = own.memoryBytes;
  for (let round = 0; round < 4; ++round) {
    loadSome();
    await collectGarbage();
  }
  // A leak would keep all 100 instances in memory.
  assert.ok(own.memoryBytes - before < 25 * bytes.length, `${before} bytes became ${own.memoryBytes}`);
});
