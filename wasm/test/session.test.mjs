import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { encodeOperations } from 'stowage';
import { cluster, places, sourceFile, started, web, workload } from './support.mjs';

const all = await places();
const [[, stowage]] = all;

for (const [place, library, optionsFor] of all) {
  describe(place, () => {
    test('an interval with a conflict', async () => {
      const session = await started(library);
      const early = await session.plan('ff');
      await session.apply([{ op: 'load', node: 'a', load: { cpu: 6 } }]);
      const exact = await session.commit(early);
      assert.deepEqual([exact.committed, exact.conflicts[0].kind, exact.plannedVersion, exact.version], [false, 'version', 2n, 3n]);
      const fitting = await session.commit(early, 'fitting');
      assert.deepEqual(fitting.conflicts.map(({ kind, node }) => [kind, node]), [['no-room', 'a']]);
      await session.reject(early);
      await assert.rejects(async () => session.reject(early), { code: 'INVALID' });
      await assert.rejects(async () => session.commit(early, 'perhaps'), { code: 'INVALID', path: 'mode' });

      const plan = await session.plan('ff');
      const instance = await session.instance();
      assert.equal(plan.instance, instance.fingerprint);
      assert.equal((await instance.verify(plan)).ok, true);
      const commit = await session.commit(plan, 'exact');
      assert.deepEqual(commit, {
        committed: true, plannedVersion: 3n, version: 4n, placed: 3, moved: 0, ended: 0,
        opened: ['standard-1', 'standard-2', 'standard-3'], conflicts: [],
      });
      assert.equal(session.version, 4n);
      session.dispose();
      assert.equal((await instance.plan('ff')).complete, true);
      instance.dispose();
    });

    test('a snapshot goes on as the session would have', async () => {
      const session = await started(library);
      await session.commit(await session.plan('ff'));
      const snapshot = await session.snapshot();
      const again = await library.session(snapshot);
      assert.deepEqual(await again.snapshot(), snapshot);
      assert.equal(again.version, session.version);
      for (const one of [session, again]) {
        await one.apply([{ op: 'drain', node: 'standard-1' }, { op: 'scale', app: 'web', replicas: 5 }]);
      }
      assert.deepEqual(await again.snapshot(), await session.snapshot());
      for (const one of [session, again]) one.dispose();
    });

    test('failures leave the session as it was', async () => {
      const session = await started(library);
      const before = await session.snapshot();
      const shop = await library.session(readFileSync(sourceFile('tests/conformance/instances/shop.stow')));
      const foreign = await shop.plan('ff');
      const remove = { op: 'remove', app: 'nobody' };
      for (const [call, code, path] of [
        // The first operation alone would be accepted; the second is refused.
        [() => session.apply([{ op: 'scale', app: 'web', replicas: 9 }, remove]), 'NOT_FOUND', 'operations[1].app'],
        [() => session.apply([web]), 'INVALID', 'operations[0].app'],
        [() => session.apply([web, { op: 'grow', app: 'web' }]), 'INVALID', '[1].op'],
        [() => session.apply([{ ...web, app: 'x', replicas: -1 }]), 'INVALID', '[0].replicas'],
        [() => session.apply([{ ...web, app: 'x', demand: 'much' }]), 'INVALID', '[0].demand'],
        [() => session.apply([{ op: 'scale', app: 'web', replica: 9 }]), 'INVALID', '[0].replica'],
        [() => session.apply([{ op: 'add-rule', rule: { name: 'one', all: [] } }]), 'INVALID', '[0].rule.all'],
        [() => session.plan({ planner: 'ff', deadline: 5 }), 'INVALID', 'deadline'],
        [() => session.apply([{ op: 'add-rule', rule: { name: 'none' } }]), 'INVALID', '[0].rule'],
        [() => session.apply(new Uint8Array(20)), 'MALFORMED', ''],
        [() => session.apply({ op: 'scale', app: 'web' }), 'INVALID', ''],
        [() => session.apply(7), 'MALFORMED', ''],
        [() => session.apply('[{'), 'MALFORMED', ''],
        [() => session.apply(undefined), 'INVALID', ''],
        [() => session.plan('best'), 'NOT_FOUND', 'planner'],
        [() => session.plan({ planner: 'ff', seed: -1 }), 'INVALID', 'seed'],
        [() => session.commit(new Uint8Array(20)), 'MALFORMED', ''],
        [() => session.commit(undefined), 'INVALID', 'plan'],
        [() => session.reject({ bytes: [] }), 'INVALID', 'plan'],
        [() => session.commit(foreign, 'whole'), 'INVALID', undefined],
        [() => library.session(null), 'INVALID', ''],
        [() => library.session(new Uint8Array(20)), 'MALFORMED', ''],
        [() => library.session({ ...cluster, apps: [{ demand: { cpu: -1 } }] }), 'INVALID', 'apps[0].demand.cpu'],
      ]) {
        await assert.rejects(async () => call(), path === undefined ? { code } : { name: 'StowageError', code, path });
      }
      assert.deepEqual(await session.snapshot(), before);
      assert.equal(session.version, 2n);
      await session.apply(encodeOperations([{ op: 'scale', app: 'web', replicas: 4 }], cluster));
      assert.equal(session.version, 3n);
      for (const one of [session, shop]) one.dispose();
      const limited = await library.session(cluster, optionsFor({ maxApps: 1 }));
      await limited.apply([web]);
      await assert.rejects(
        async () => limited.apply([{ op: 'submit', app: 'db', demand: { cpu: 1 } }]), { code: 'LIMIT_EXCEEDED' },
      );
      limited.dispose();
    });

    test('disposal is final', async () => {
      const session = await started(library);
      const plan = await session.plan('ff');
      session.dispose();
      session.dispose();
      for (const call of [
        () => session.version, () => session.apply([web]), () => session.instance(), () => session.plan('ff'),
        () => session.commit(plan), () => session.reject(plan), () => session.snapshot(),
      ]) {
        await assert.rejects(async () => call(), { code: 'DISPOSED' });
      }
    });
  });
}

test('a run that is cancelled gives a plan that can be committed, within 60 ms, and leaves the session as it was', () => {
  const session = stowage.session(workload(400));
  const before = session.snapshot();
  let best = false;
  let last;
  let cancelledAt;
  const plan = session.plan(
    { planner: 'auto', deadlineMs: 60_000 },
    {
      progressInterval: 1,
      onProgress: (progress) => {
        best ||= progress.best !== undefined;
        last = progress;
      },
      isCancelled: () => {
        if (best) cancelledAt ??= performance.now();
        return best;
      },
    },
  );
  const latency = performance.now() - cancelledAt;
  assert.deepEqual([last.value, last.leftOver], [last.best, 0]);
  assert.equal(plan.status, 'cancelled');
  assert.ok(latency <= 60, `${latency} ms`);
  assert.deepEqual(session.snapshot(), before);
  assert.equal(session.commit(plan).committed, true);
  session.dispose();
});

test('300 intervals do not grow the heap', async () => {
  const interval = async () => {
    const session = await started(stowage);
    session.commit(session.plan('ff'));
    session.instance().dispose();
    session.snapshot();
    assert.throws(() => session.apply([{ op: 'remove', app: 'nobody' }]));
    session.dispose();
  };
  await interval();
  const before = stowage.memoryBytes;
  for (let k = 0; k < 300; ++k) await interval();
  assert.ok(stowage.memoryBytes - before <= 256 * 1024, `${before} bytes became ${stowage.memoryBytes}`);
});
