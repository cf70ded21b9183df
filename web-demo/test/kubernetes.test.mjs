// The reader of clusters against the reference: bindings/go/stowage-k8s writes testdata/*.instance.json.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { columnsOf, describeInstance, encodeInstance, loadText } from 'stowage';
import { createServer } from 'vite';
import { root } from './support.mjs';

await loadText();
const folder = process.env.KUBERNETES_TESTDATA ?? join(root, '../bindings/go/stowage-k8s/testdata');
const clusters = readdirSync(folder).filter((name) => name.endsWith('.json') && !name.endsWith('.instance.json'));

describe('the reader of clusters', () => {
  let server;
  let readCluster;
  before(async () => {
    server = await createServer({ root, logLevel: 'error', server: { middlewareMode: true, hmr: false, ws: false }, appType: 'custom' });
    ({ readCluster } = await server.ssrLoadModule('/src/kubernetes/index.ts'));
  });
  after(() => server?.close());

  test('there are clusters to compare', () => assert.ok(clusters.length >= 4, clusters.join()));

  for (const name of clusters) {
    test(`${name} is read as by the command stowage-k8s`, () => {
      const expected = JSON.parse(readFileSync(join(folder, name.replace(/\.json$/, '.instance.json')), 'utf8'));
      const { instance, leftOut, notes } = readCluster(readFileSync(join(folder, name), 'utf8'));
      // Undefined members and their absence are the same.
      const plain = JSON.parse(JSON.stringify(instance));
      assert.deepEqual(Object.keys(plain.resources), Object.keys(expected.instance.resources));
      assert.deepEqual(plain, expected.instance);
      assert.deepEqual(leftOut, expected.left_out);
      assert.deepEqual(notes, expected.notes);
      assert.deepEqual(describeInstance(columnsOf(instance)), describeInstance(columnsOf(expected.instance)));
      assert.ok(encodeInstance(columnsOf(instance)).length > 0);
    });
  }

  const node = (extra = {}) => ({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' }, ...extra });
  const refused = (text, path, message) =>
    assert.throws(
      () => readCluster(text),
      (error) => {
        assert.equal(error.path, path);
        assert.match(error.message, message);
        return true;
      },
    );

  test('mistakes are refused with the line of the text', () => {
    refused('{"kind": "List", "items": []}', 'items', /no nodes/);
    refused('{\n "kind": "List",\n "items": [\n  {}\n ]\n}', 'line 4: items[0]', /no kind/);
    refused('{"kind": "Node",\n "metadata": "no"}', 'line 2: metadata', /must be an object/);
    const odd = { kind: 'List', items: [node(), node({ status: { allocatable: { cpu: 'four' } } })] };
    const written = JSON.stringify(odd, null, 1);
    const line = written.split('\n').findIndex((one) => one.includes('four')) + 1;
    refused(written, `line ${line}: items[1].status.allocatable.cpu`, /must be a quantity/);
    refused('{"kind": "List",\n "items": [\n  {"kind": "Node",}\n]}', 'line 3', /name in quotes/);
    refused('{"kind": "List",\n "items": [', 'line 2', /the text ends/);
    refused(`${JSON.stringify(node())}\n${JSON.stringify(node())}\n{"kind": 7}`, 'line 3', /no kind/);
    refused('['.repeat(100000), 'line 1', /too deeply/);
  });

  test('one document may follow another', () => {
    const pod = (name) => ({ kind: 'Pod', metadata: { name }, spec: { containers: [{ resources: { requests: { cpu: '1' } } }] } });
    const { instance } = readCluster([node(), pod('a'), pod('b')].map((one) => JSON.stringify(one, null, 1)).join('\n'));
    assert.deepEqual(
      instance.apps.map(({ name }) => name),
      ['pod /a', 'pod /b'],
    );
  });
});
