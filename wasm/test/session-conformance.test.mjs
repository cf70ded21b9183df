import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { decodeInstance } from 'stowage';
import { hashOf, hex, places, sourceFile, table } from './support.mjs';

/** The parts of a text between separators; none for an empty text. */
const parts = (text, separator) => (text === undefined || text === '' ? [] : text.split(separator));
const numbers = (text) => (text === undefined ? undefined : parts(text, ',').map(Number));
const keyAndValue = (cell) => [cell.slice(0, cell.indexOf('=')), cell.slice(cell.indexOf('=') + 1)];
const pairs = (text) => parts(text, ',').map((entry) => entry.split(':'));

function ruleOf({ name, operator, soft, 'any-of': anyOf }) {
  const conditionOf = (text) => {
    const [kind, subject, target, min, max, group, negated] = text.split('/');
    return {
      kind, subject: parts(subject, '+'), target: parts(target, '+'), min: Number(min), group, negated: negated === '1',
      ...(max === '-' ? {} : { max: Number(max) }),
    };
  };
  return {
    name,
    any_of: parts(anyOf, '|').map((conjunction) => parts(conjunction, '&').map(conditionOf)),
    ...(soft === undefined ? {} : { hard: false, weight: Number(soft) }),
    ...(operator === '1' ? { origin: 'operator' } : {}),
  };
}

/** The members that are defined. */
const given = (members) => Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

/** Amounts by resource: of each, one or all periods side by side. */
function amounts(text, resources) {
  const all = numbers(text);
  const width = all?.length / resources.length;
  return all && Object.fromEntries(resources.map(({ name }, r) => [name, width === 1 ? all[r] : all.slice(r * width, (r + 1) * width)]));
}

function operationOf(op, one, resources) {
  const { app, node, name } = one;
  const replicas = one.replicas === undefined ? undefined : Number(one.replicas);
  const tags = one.tags === undefined ? undefined : parts(one.tags, ',');
  const load = { load: amounts(one.load, resources), load_variance: amounts(one['load-variance'], resources) };
  const [least, most] = [numbers(one['support-min']), numbers(one['support-max'])];
  switch (op) {
    case 'submit':
      return given({
        op, app, replicas, demand: amounts(one.demand, resources), priority: one.priority && Number(one.priority),
        variance: amounts(one.variance, resources),
        support: least && Object.fromEntries(resources.map((resource, r) => [resource.name, [least[r], most[r]]])),
        kind: one.kind && Number(one.kind), tags,
        limits: Object.fromEntries(pairs(one.limits).map(([other, most]) => [other, Number(most)])),
      });
    case 'add-node':
      return given({ op, node, class: one.class, ...load, tags, sets: Object.fromEntries(pairs(one.sets)) });
    case 'load':
      return given({ op, node, ...load });
    case 'add-rule':
      return { op, rule: ruleOf(one) };
    case 'remove-rule':
      return { op, rule: name };
    case 'traffic':
      return { op, app, peer: one.peer, amount: Number(one.amount) };
    case 'scale': case 'remove': case 'pin': case 'remove-node': case 'cordon': case 'uncordon': case 'drain': case 'fail':
      return given({ op, app, node, replicas });
    default:
      return undefined;
  }
}

const textOf = (commit) => [
  commit.committed ? 'committed' : 'nothing', `planned=${commit.plannedVersion}`, `version=${commit.version}`,
  `placed=${commit.placed}`, `moved=${commit.moved}`, `ended=${commit.ended}`,
  ...commit.opened.map((name) => `opened=${name}`),
  ...commit.conflicts.map(({ kind, app = '', node = '', wanted, available }) => `${kind}:${app}:${node}:${wanted}:${available}`),
].join(' ');

for (const [place, stowage] of await places()) {
  test(`the outcomes of the sessions ${place} are those of the conformance set`, async () => {
    let session;
    let resources = [];
    let pending = [];
    let plan;
    let snapshot;
    const version = () => `version ${session.version}`;
    const calls = {
      async open({ instance }) {
        session?.dispose();
        const source = instance === undefined ? snapshot : readFileSync(sourceFile(`tests/conformance/instances/${instance}.stow`));
        session = await stowage.session(source);
        ({ resources } = decodeInstance(source));
        return version();
      },
      async apply() {
        const operations = pending;
        pending = [];
        await session.apply(operations);
        return version();
      },
      async instance() {
        const instance = await session.instance();
        const { fingerprint } = instance;
        instance.dispose();
        return hex(fingerprint);
      },
      async plan({ planner, work = '0', nodes = '0', moves = '0', whole }) {
        plan = await session.plan({
          planner, workLimit: BigInt(work), nodeLimit: Number(nodes), moveBudget: Number(moves), allOrNothing: whole === '1',
        });
        return hashOf(plan.bytes);
      },
      commit: async ({ mode }) => textOf(await session.commit(plan, mode)),
      async reject() {
        await session.reject(plan);
        return version();
      },
      async snapshot() {
        snapshot = await session.snapshot();
        return hashOf(snapshot);
      },
    };
    const found = [];
    for (const [call, ...cells] of table('session.tsv')) {
      const step = Object.fromEntries(cells.map(keyAndValue));
      const operation = operationOf(call, step, resources);
      if (operation !== undefined) {
        pending.push(operation);
        found.push([call, '-']);
        continue;
      }
      try {
        found.push([call, await calls[call](step)]);
      } catch (error) {
        if (error.name !== 'StowageError') throw error;
        found.push([call, `STOWAGE_${error.code} ${error.path}`]);
      }
    }
    assert.deepEqual(found, table('session-expected.tsv'));
  });
}
