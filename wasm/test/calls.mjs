// Shared by the tests of callbacks and of cancelling: every function of the C ABI as this package calls it, on this thread or in a
// worker.
import { encodeOperations } from 'stowage';
import { cluster, small, sourceText, web } from './support.mjs';

export const resources = ['cpu'];
/** Four apps, measured with two configurations. */
export const profiles = {
  resources,
  apps: ['a', 'b', 'c', 'd'],
  rowApp: [0, 0, 1, 1, 2, 2, 3, 3],
  rowAmounts: [1, 2, 1, 2, 1, 2, 1, 2],
  rowValue: [0.4, 0.9, 0.5, 0.9, 0.45, 0.95, 0.5, 0.92],
};
export const samples = { resources, apps: ['new'], rowApp: [0], rowAmounts: [1], rowValue: [0.45] };
const question = { samples, goal: { value: 0.8 } };
const usage = { apps: ['web'], resources, app: [0, 0], time: [0, 60], amount: [1, 2], rules: [{ percentile: 0.75 }] };

/** What the calls are made with, where a test gives nothing else. */
export async function thingsOf(library) {
  const session = await library.session(cluster);
  await session.apply([web]);
  const instance = await library.instance(small);
  const model = await library.learn(profiles);
  const plan = await instance.plan('ff');
  const pending = await session.plan('ff');
  const others = [await library.instance(small), await library.session(cluster), await library.learn(profiles)];
  return {
    source: small, instance, session, model, plan, pending, others, profiles, question, usage, request: 'ff', derivation: { demand: 1.5 },
    operations: encodeOperations([{ op: 'add-node', node: 'b' }], cluster), modelBytes: await model.bytes(),
  };
}

/** By function of the C ABI: the call of the package with the options of this thread (`inWorker`: of a worker). */
export function callsOf(library, things, inWorker) {
  const { source, instance, session, model, plan, pending, others } = things;
  const within = (options) => (inWorker ? [options] : [undefined, options]);
  return {
    stowage_version: () => library.version ?? library.toJSON(),
    stowage_planners: () => library.planners(),
    stowage_instance_load: (options) => library.instance(source, ...within(options)),
    stowage_instance_fingerprint: () => instance.fingerprint,
    stowage_instance_derive: (options) => instance.derive(things.derivation, ...within(options)),
    stowage_instance_save: (options) => (things.derived ?? instance).bytes(options),
    stowage_instance_free: () => others[0].dispose(),
    stowage_plan: (options) => instance.plan(things.request, options),
    stowage_verify: (options) => instance.verify(plan, options),
    stowage_explain: (options) => instance.explain(plan, options),
    stowage_headroom: (options) => instance.headroom(plan, 0, 0, options),
    stowage_headroom_of_apps: (options) => instance.headroomOfApps(plan, 0, options),
    stowage_losses: (options) => instance.losses(plan, options),
    stowage_order_moves: (options) => instance.orderMoves(plan, options),
    stowage_bound: (options) => instance.bound(options),
    stowage_session_open: (options) => library.session(source, ...within(options)),
    stowage_session_version: () => session.version,
    stowage_session_apply: (options) => session.apply(things.operations, options),
    stowage_session_instance: (options) => session.instance(options),
    stowage_session_plan: (options) => session.plan(things.request, options),
    stowage_session_commit: (options) => session.commit(pending, 'exact', options),
    stowage_session_reject: (options) => session.reject(pending, options),
    stowage_session_snapshot: (options) => session.snapshot(options),
    stowage_session_free: () => others[1].dispose(),
    stowage_model_learn: (options) => library.learn(things.profiles, ...within(options)),
    stowage_model_load: (options) => library.loadModel(things.modelBytes, ...within(options)),
    stowage_model_save: (options) => model.bytes(options),
    stowage_model_recommend: (options) => model.recommend(things.question, options),
    stowage_model_free: () => others[2].dispose(),
    stowage_size: (options) => library.size(things.usage, options),
  };
}

/** Functions that the package calls within its own calls, and those that only programs in C call. */
const WITHIN = new Set([
  'stowage_buffer_free', 'stowage_check', 'stowage_control_cancel', 'stowage_control_free', 'stowage_control_new',
  'stowage_control_progress', 'stowage_control_reset', 'stowage_control_set_deadline', 'stowage_control_set_solver',
  'stowage_status_text',
]);

/** The functions of the C ABI that a program calls, from the inventory; a function with a control stands for the one without. */
export function functionsOfTheAbi() {
  const names = Object.keys(JSON.parse(sourceText('capi/abi/abi.json')).functions);
  return [...new Set(names.map((name) => name.replace(/_watched$/, '')))].filter((name) => !WITHIN.has(name)).sort();
}

/** Functions that have a control, and can be ended. */
export function endingFunctions() {
  const { functions } = JSON.parse(sourceText('capi/abi/abi.json'));
  const named = Object.entries(functions).filter(([, { parameters }]) => parameters.some(({ name }) => name === 'control'));
  return [...new Set(named.map(([name]) => name.replace(/_watched$/, '')))].filter((name) => !WITHIN.has(name)).sort();
}
