import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { encodeOperations, loadStowage } from 'stowage';
import { sourceFile, workload } from './support.mjs';

const stowage = await loadStowage();
const cluster = { stowage: 1, resources: { cpu: 'cores' }, classes: [{ name: 'standard', capacity: { cpu: 8 } }], apps: [] };
const web = { op: 'submit', app: 'web', replicas: 3, demand: [4], limits: { web: 1 } };

/** A session with a node and three replicas that wait. */
function started() {
  const session = stowage.session(cluster);
  session.apply([{ op: 'add-node', node: 'a', tags: 'ssd' }, web]);
  return session;
}

test('an interval with a conflict', () => {
  const session = started();
  const early = session.plan('ff');
  session.apply([{ op: 'load', node: 'a', load: [6] }]);
  const exact = session.commit(early);
  assert.deepEqual([exact.committed, exact.conflicts[0].kind, exact.plannedVersion, exact.version], [false, 'version', 2n, 3n]);
  const fitting = session.commit(early, 'fitting');
  assert.deepEqual(fitting.conflicts.map(({ kind, node }) => [kind, node]), [['no-room', 'a']]);
  session.reject(early);
  assert.throws(() => session.reject(early), { code: 'INVALID' });
  assert.throws(() => session.commit(early, 'perhaps'), { code: 'INVALID', path: 'mode' });

  const plan = session.plan('ff');
  const instance = session.instance();
  assert.equal(plan.instance, instance.fingerprint);
  assert.equal(instance.verify(plan).ok, true);
  const commit = session.commit(plan, 'exact');
  assert.deepEqual(commit, {
    committed: true, plannedVersion: 3n, version: 4n, placed: 3, moved: 0, ended: 0,
    opened: ['standard-1', 'standard-2', 'standard-3'], conflicts: [],
  });
  session.dispose();
  assert.equal(instance.plan('ff').complete, true);
  instance.dispose();
});

test('a snapshot goes on as the session would have', () => {
  const session = started();
  session.commit(session.plan('ff'));
  const snapshot = session.snapshot();
  const again = stowage.session(snapshot);
  assert.deepEqual(again.snapshot(), snapshot);
  assert.equal(again.version, session.version);
  for (const one of [session, again]) one.apply([{ op: 'drain', node: 'standard-1' }, { op: 'scale', app: 'web', replicas: 5 }]);
  assert.deepEqual(again.snapshot(), session.snapshot());
  for (const one of [session, again]) one.dispose();
});

test('failures leave the session as it was', () => {
  const session = started();
  const before = session.snapshot();
  const shop = stowage.session(readFileSync(sourceFile('tests/conformance/instances/shop.stow')));
  const remove = { op: 'remove', app: 'nobody' };
  for (const [call, code, path] of [
    // The first operation would do; the second does not.
    [() => session.apply([{ op: 'scale', app: 'web', replicas: 9 }, remove]), 'NOT_FOUND', 'operations[1].app'],
    [() => session.apply([web]), 'INVALID', 'operations[0].app'],
    [() => session.apply([web, { op: 'grow', app: 'web' }]), 'INVALID', 'operations[1].op'],
    [() => session.apply([{ ...web, app: 'x', replicas: -1 }]), 'INVALID', 'operations[0].replicas'],
    [() => session.apply([{ ...web, app: 'x', demand: 'much' }]), 'INVALID', 'operations[0].demand'],
    [() => session.apply([{ op: 'add-rule', rule: { name: 'none' } }]), 'INVALID', 'operations[0].rule'],
    [() => session.apply(new Uint8Array(20)), 'MALFORMED', ''],
    [() => session.plan('best'), 'NOT_FOUND', 'planner'],
    [() => session.commit(new Uint8Array(20)), 'MALFORMED', ''],
    [() => session.commit(shop.plan('ff'), 'whole'), 'INVALID', undefined],
  ]) {
    assert.throws(call, path === undefined ? { code } : { code, path });
  }
  assert.deepEqual(session.snapshot(), before);
  assert.equal(session.version, 2n);
  session.apply(encodeOperations([{ op: 'scale', app: 'web', replicas: 4 }]));
  assert.equal(session.version, 3n);
  for (const one of [session, shop]) one.dispose();
  const limited = stowage.session(cluster, { maxApps: 1 });
  limited.apply([web]);
  assert.throws(() => limited.apply([{ op: 'submit', app: 'db', demand: [1] }]), { code: 'LIMIT_EXCEEDED' });
  limited.dispose();
});

test('disposal is final', () => {
  const session = started();
  const plan = session.plan('ff');
  session.dispose();
  session.dispose();
  for (const call of [
    () => session.version, () => session.apply([web]), () => session.instance(), () => session.plan('ff'),
    () => session.commit(plan), () => session.reject(plan), () => session.snapshot(),
  ]) {
    assert.throws(call, { code: 'DISPOSED' });
  }
});

test('a run that is cancelled gives a plan that can be committed, within 60 ms, and leaves the session as it was', () => {
  const session = stowage.session(workload(400));
  const before = session.snapshot();
  let best = false;
  let cancelledAt;
  const plan = session.plan(
    { planner: 'auto', deadlineMs: 60_000 },
    {
      progressInterval: 1,
      onProgress: (progress) => {
        best ||= progress.best !== undefined;
      },
      isCancelled: () => {
        if (best) cancelledAt ??= performance.now();
        return best;
      },
    },
  );
  const latency = performance.now() - cancelledAt;
  assert.equal(plan.status, 'cancelled');
  assert.ok(latency <= 60, `${latency} ms`);
  assert.deepEqual(session.snapshot(), before);
  assert.equal(session.commit(plan).committed, true);
  session.dispose();
});

test('300 intervals do not grow the heap', () => {
  const interval = () => {
    const session = started();
    session.commit(session.plan('ff'));
    session.instance().dispose();
    session.snapshot();
    assert.throws(() => session.apply([{ op: 'remove', app: 'nobody' }]));
    session.dispose();
  };
  interval();
  const before = stowage.memoryBytes;
  for (let k = 0; k < 300; ++k) interval();
  assert.ok(stowage.memoryBytes - before <= 256 * 1024, `${before} bytes became ${stowage.memoryBytes}`);
});
