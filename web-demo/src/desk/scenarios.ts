// Fixed scenarios, each with a tension that its plan shows. scripts/scenarios.ts makes columns of them when the page is built.
import type { InstanceDescription } from 'stowage';
import shop from '../../../capi/cli/examples/shop.json';
import type { PresetName } from '../presets.js';

/** HBase applications with the rules of P2, section 7.1, all soft, on a nearly full cluster. */
function hbaseInRacks(): InstanceDescription {
  const nodes = Array.from({ length: 20 }, (_, k) => ({ name: `n${k + 1}`, tags: [`rack=${Math.floor(k / 5) + 1}`] }));
  const instances = Array.from({ length: 6 }, (_, k) => `hb-${k + 1}`);
  const rule = (name: string, all: Record<string, unknown>): Record<string, unknown> => ({ name, hard: false, all_of: [all] });
  return {
    stowage: 1,
    name: 'six instances of HBase on 20 nodes in four racks',
    resources: { cpu: 'cores', memory: 'GiB' },
    classes: [{ name: 'node', capacity: { cpu: 4, memory: 16 }, count: nodes.length }],
    apps: instances.flatMap((id) => [
      { name: `${id}-worker`, replicas: 10, demand: { cpu: 1, memory: 2 }, tags: [id, 'worker'] },
      { name: `${id}-master`, replicas: 1, demand: { cpu: 1, memory: 1 }, tags: [id, 'master'] },
      { name: `${id}-thrift`, replicas: 1, demand: { cpu: 1, memory: 1 }, tags: [id, 'thrift'] },
      { name: `${id}-secondary`, replicas: 1, demand: { cpu: 1, memory: 1 }, tags: [id, 'secondary'] },
    ]),
    nodes,
    rules: instances.flatMap((id) => {
      const [worker, master] = [
        [id, 'worker'],
        [id, 'master'],
      ];
      return [
        rule(`${id}: workers in one rack`, { subject: worker, target: worker, min: 9, group: 'rack' }),
        rule(`${id}: two workers a node`, { subject: worker, target: worker, max: 1 }),
        rule(`${id}: master beside thrift`, { subject: master, target: [id, 'thrift'], min: 1 }),
        rule(`${id}: master apart from secondary`, { subject: master, target: [id, 'secondary'], max: 0 }),
      ];
    }),
  } as unknown as InstanceDescription;
}

/** The shop's apps on half of the nodes that they need: the least important replicas stay without a place. */
const tooSmall = (): InstanceDescription =>
  ({
    ...shop,
    name: 'the shop on half of the machines that it needs',
    classes: [
      { ...shop.classes[0], count: 2 },
      { ...shop.classes[1], count: 3 },
    ],
  }) as unknown as InstanceDescription;

/** Twelve nodes that run less than half of what they could. Replicas stay where they run unless moves are allowed. */
function halfEmpty(): InstanceDescription {
  const apps = [
    ['web', 12, 2, 4],
    ['api', 12, 1.5, 6],
    ['worker', 12, 2, 8],
    ['cache', 6, 1, 12],
    ['metrics', 6, 0.5, 2],
  ] as const;
  return {
    stowage: 1,
    name: 'twelve running nodes, half empty',
    resources: { cpu: 'cores', memory: 'GiB' },
    classes: [{ name: 'node', capacity: { cpu: 16, memory: 64 }, price: 0.8, count: 14 }],
    apps: [
      ...apps.map(([name, replicas, cpu, memory]) => ({ name, replicas, demand: { cpu, memory } })),
      { name: 'new-search', replicas: 2, demand: { cpu: 6, memory: 24 }, max_per_node: 1 },
    ],
    nodes: Array.from({ length: 12 }, (_, k) => ({
      name: `node-${k + 1}`,
      class: 'node',
      running: Object.fromEntries(
        apps.flatMap(([name, replicas]) => (replicas === 12 || k % 2 === 0 ? [[name, 1]] : [])),
      ),
    })),
  } as unknown as InstanceDescription;
}

/** Three zones of different prices. Without the rules, everything would be in the cheapest one. */
function zones(): InstanceDescription {
  const zone = (name: string, price: number): Record<string, unknown> => ({
    name: `zone-${name}`,
    capacity: { cpu: 16, memory: 64 },
    count: 8,
    price,
    labels: { zone: name },
  });
  const nodes = ['a', 'b', 'c'].flatMap((name) =>
    Array.from({ length: 8 }, (_, k) => ({ name: `${name}${k + 1}`, class: `zone-${name}` })),
  );
  const apps = [
    ['web', 12, 1.5, 4],
    ['api', 9, 2, 6],
    ['db', 3, 6, 24],
    ['queue', 3, 2, 8],
    ['batch', 8, 3, 8],
  ] as const;
  return {
    stowage: 1,
    name: 'three zones, the third one expensive',
    resources: { cpu: 'cores', memory: 'GiB' },
    classes: [zone('a', 0.7), zone('b', 0.9), zone('c', 1.6)],
    groups: [{ name: 'zone', by_label: 'zone' }],
    nodes,
    apps: apps.map(([name, replicas, cpu, memory]) => ({ name, replicas, demand: { cpu, memory }, tags: [name] })),
    rules: [
      { name: 'db in three zones', hard: true, all_of: [{ subject: ['db'], target: ['db'], max: 0, group: 'zone' }] },
      { name: 'queue in three zones', hard: true, all_of: [{ subject: ['queue'], target: ['queue'], max: 0, group: 'zone' }] },
      { name: 'web spread over zones', hard: true, all_of: [{ subject: ['web'], target: ['web'], max: 4, group: 'zone' }] },
    ],
  } as unknown as InstanceDescription;
}

/** Web servers beside batch jobs are slow. There is room for everything on three machines; the question is who is beside whom. */
const sideEffects = (): InstanceDescription =>
  ({
    stowage: 1,
    name: 'a small shop whose batch jobs disturb everybody',
    resources: { cpu: 'cores', memory: 'GiB' },
    classes: [{ name: 'machine', capacity: { cpu: 32, memory: 128 }, count: 6 }],
    interference: {
      kinds: ['web', 'db', 'batch', 'cache'],
      resource: 'cpu',
      coefficient: [
        [1, 1.4, 3.2, 0.4],
        [1.2, 1, 2.6, 0.3],
        [0.5, 0.8, 1, 0.2],
        [0.9, 0.6, 2.1, 1],
      ],
    },
    apps: [
      { name: 'storefront', replicas: 6, demand: { cpu: 2, memory: 4 }, kind: 'web' },
      { name: 'checkout', replicas: 4, demand: { cpu: 1.5, memory: 3 }, kind: 'web' },
      { name: 'search', replicas: 3, demand: { cpu: 3, memory: 12 }, kind: 'web' },
      { name: 'orders-db', replicas: 3, demand: { cpu: 4, memory: 24 }, kind: 'db', max_per_node: 1 },
      { name: 'catalogue-db', replicas: 2, demand: { cpu: 3, memory: 16 }, kind: 'db', max_per_node: 1 },
      { name: 'reports', replicas: 2, demand: { cpu: 6, memory: 16 }, kind: 'batch' },
      { name: 'training', replicas: 2, demand: { cpu: 8, memory: 24 }, kind: 'batch' },
      { name: 'ingest', replicas: 4, demand: { cpu: 2, memory: 4 }, kind: 'batch' },
      { name: 'session-cache', replicas: 4, demand: { cpu: 1, memory: 12 }, kind: 'cache' },
      { name: 'page-cache', replicas: 2, demand: { cpu: 1, memory: 16 }, kind: 'cache' },
    ],
  }) as unknown as InstanceDescription;

/** Mean demand would fit on fewer nodes than demand at confidence. */
const uncertain = (): InstanceDescription =>
  ({
    stowage: 1,
    name: 'demand that is only known roughly, planned to fit with 99.9 %',
    resources: { cpu: 'cores', memory: 'GiB' },
    classes: [{ name: 'machine', capacity: { cpu: 32, memory: '128Gi' }, count: 60 }],
    apps: [
      { name: 'web', replicas: 120, demand: { cpu: 2.4, memory: '4Gi' }, deviation: { cpu: '900m' } },
      { name: 'api', replicas: 60, demand: { cpu: 1.4, memory: '3Gi' }, deviation: { cpu: '600m' } },
      { name: 'search', replicas: 30, demand: { cpu: 3, memory: '8Gi' }, deviation: { cpu: '1500m' } },
      { name: 'db', replicas: 12, demand: { cpu: 4, memory: '16Gi' } },
    ],
    uncertainty: { model: 'gaussian', confidence: '99.9%' },
  }) as unknown as InstanceDescription;

export const SCENARIOS: Partial<Record<PresetName, () => InstanceDescription>> = {
  shop: () => shop as unknown as InstanceDescription,
  tight: tooSmall,
  half: halfEmpty,
  zones,
  effects: sideEffects,
  uncertain,
  racks: hbaseInRacks,
};
