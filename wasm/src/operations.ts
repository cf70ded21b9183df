// Operations on a session as objects, and their encoding as bytes (session.fbs).
import { CARDINALITY_KINDS, ORIGINS } from './columns.js';
import { Encoder, converting, type Offset } from './encoder.js';
import { NONE, word, type Doubles } from './lists.js';
import { Steps, type CallOptions } from './watch.js';
import { CONDITION_KEYS, RULE_KEYS, keys, type RuleDescription, type Tags } from './description.js';
import { invalid, onlyKeys } from './errors.js';
import * as wire from './wire/session_generated.js';

/** A new app, whose replicas are pending. Amounts are per resource, in its unit. */
export interface SubmitOperation {
  op: 'submit';
  app: string;
  /** Default: 1. */
  replicas?: number;
  /** Demand of one replica. Length: resources, or resources x periods with the periods of a resource side by side. */
  demand: Doubles;
  priority?: number;
  /** What a replica counts within its priority where not all of them fit; default: 1. */
  weight?: number;
  /** In the square of the unit; `demand` is then the mean. */
  variance?: Doubles;
  supportMin?: Doubles;
  supportMax?: Doubles;
  /** Index of one of the cluster's kinds. */
  appKind?: number;
  tags?: Tags;
  /** Labels or tags that every node of the app carries. */
  only?: Tags;
  /** Labels or tags that no node of the app carries. */
  not?: Tags;
  /**
   * Affinity limits: beside a replica of this app, the maximum number of replicas of each named app on the same node. A named
   * app need not exist yet. The app's own name limits its replicas per node.
   */
  limits?: Readonly<Record<string, number>>;
}

/** A new node. */
export interface AddNodeOperation {
  op: 'add-node';
  node: string;
  /** May be absent where there is one class. */
  nodeClass?: string;
  load?: Doubles;
  loadVariance?: Doubles;
  /** Load that goes with the node. Default: that of its class. */
  daemon?: Doubles;
  tags?: Tags;
  /** Pairs `[group, set]` of the sets that the node joins. A set that does not exist is created. */
  sets?: readonly (readonly [group: string, set: string])[];
}

/**
 * A change of a cluster. Apps, nodes, classes, groups, sets and rules are given by name. docs/sessions.md describes each
 * operation.
 */
export type Operation =
  | SubmitOperation
  | { op: 'scale'; app: string; replicas: number }
  | { op: 'remove'; app: string }
  | { op: 'pin'; app: string; node: string; replicas: number }
  | AddNodeOperation
  | { op: 'remove-node' | 'cordon' | 'uncordon' | 'drain' | 'fail'; node: string }
  | { op: 'load'; node: string; load: Doubles; loadVariance?: Doubles }
  | { op: 'add-rule'; rule: RuleDescription & { name: string } }
  | { op: 'remove-rule'; name: string }
  | { op: 'traffic'; app: string; peer: string; amount: number };

const KINDS: Readonly<Record<Operation['op'], wire.OperationKind>> = {
  submit: wire.OperationKind.Submit,
  scale: wire.OperationKind.Scale,
  remove: wire.OperationKind.Remove,
  pin: wire.OperationKind.Pin,
  'add-node': wire.OperationKind.AddNode,
  'remove-node': wire.OperationKind.RemoveNode,
  cordon: wire.OperationKind.Cordon,
  uncordon: wire.OperationKind.Uncordon,
  drain: wire.OperationKind.Drain,
  fail: wire.OperationKind.Fail,
  load: wire.OperationKind.Load,
  'add-rule': wire.OperationKind.AddRule,
  'remove-rule': wire.OperationKind.RemoveRule,
  traffic: wire.OperationKind.Traffic,
};

const NODE_KEYS = keys('op', 'node');
const KNOWN: Readonly<Record<Operation['op'], ReadonlySet<string>>> = {
  submit: keys(
    'op', 'app', 'replicas', 'demand', 'priority', 'weight', 'variance', 'supportMin', 'supportMax', 'appKind', 'tags', 'only',
    'not', 'limits',
  ),
  scale: keys('op', 'app', 'replicas'),
  remove: keys('op', 'app'),
  pin: keys('op', 'app', 'node', 'replicas'),
  'add-node': keys('op', 'node', 'nodeClass', 'load', 'loadVariance', 'daemon', 'tags', 'sets'),
  'remove-node': NODE_KEYS,
  cordon: NODE_KEYS,
  uncordon: NODE_KEYS,
  drain: NODE_KEYS,
  fail: NODE_KEYS,
  load: keys('op', 'node', 'load', 'loadVariance'),
  'add-rule': keys('op', 'rule'),
  'remove-rule': keys('op', 'name'),
  traffic: keys('op', 'app', 'peer', 'amount'),
};

/** All members that an operation may have. */
interface Members {
  app?: string;
  node?: string;
  replicas?: number;
  demand?: Doubles;
  priority?: number;
  weight?: number;
  variance?: Doubles;
  supportMin?: Doubles;
  supportMax?: Doubles;
  appKind?: number;
  tags?: Tags;
  only?: Tags;
  not?: Tags;
  limits?: Readonly<Record<string, number>>;
  nodeClass?: string;
  load?: Doubles;
  loadVariance?: Doubles;
  daemon?: Doubles;
  sets?: readonly (readonly [string, string])[];
  rule?: RuleDescription;
  peer?: string;
  amount?: number;
}

class OperationEncoder extends Encoder {
  tags(values: Tags | undefined, path: string): Offset {
    if (values === undefined) return 0;
    return this.names(typeof values === 'string' ? [values] : values, path);
  }

  operation(from: Operation, path: string): number {
    const kind = KINDS[from?.op];
    if (kind === undefined) throw invalid(`${path}.op`, `must be one of ${Object.keys(KINDS).join(', ')}`);
    onlyKeys(from, KNOWN[from.op], path);
    const { builder } = this;
    const name = 'name' in from ? from.name : undefined;
    const one: Members = name === undefined ? (from as Members) : { rule: { name, all_of: [] } };
    const limits = Object.entries(one.limits ?? {});
    const sets = one.sets ?? [];
    const app = this.text(one.app, `${path}.app`);
    const node = this.text(one.node, `${path}.node`);
    const demand = this.doubles(one.demand, `${path}.demand`);
    const variance = this.doubles(one.variance, `${path}.variance`);
    const supportMin = this.doubles(one.supportMin, `${path}.support_min`);
    const supportMax = this.doubles(one.supportMax, `${path}.support_max`);
    const tags = this.tags(one.tags, `${path}.tags`);
    const only = this.tags(one.only, `${path}.only`);
    const not = this.tags(one.not, `${path}.not`);
    const limitApp = limits.length === 0 ? 0 : this.names(limits.map(([key]) => key), `${path}.limit_app`);
    const atMost = limits.map(([, value], k) => word(value, `${path}.limit_at_most[${k}]`));
    const limitAtMost = limits.length === 0 ? 0 : wire.Operation.createLimitAtMostVector(builder, atMost);
    const nodeClass = this.text(one.nodeClass, `${path}.node_class`);
    const load = this.doubles(one.load, `${path}.load`);
    const loadVariance = this.doubles(one.loadVariance, `${path}.load_variance`);
    const daemon = this.doubles(one.daemon, `${path}.daemon`);
    const groups = sets.length === 0 ? 0 : this.names(sets.map(([group]) => group), `${path}.groups`);
    const joined = sets.length === 0 ? 0 : this.names(sets.map(([, set]) => set), `${path}.sets`);
    const peer = this.text(one.peer, `${path}.peer`);
    const amount = one.amount ?? 0;
    if (typeof amount !== 'number') throw invalid(`${path}.amount`, 'must be a number');
    const rule = one.rule === undefined ? 0 : this.rule(one.rule, `${path}.rule`);
    const priority = one.priority ?? 0;
    if (priority !== (priority | 0)) throw invalid(`${path}.priority`, 'must be a whole number of 32 bits');
    wire.Operation.startOperation(builder);
    wire.Operation.addKind(builder, kind);
    wire.Operation.addApp(builder, app);
    wire.Operation.addNode(builder, node);
    wire.Operation.addReplicas(builder, word(one.replicas ?? (from.op === 'submit' ? 1 : 0), `${path}.replicas`));
    wire.Operation.addDemand(builder, demand);
    wire.Operation.addPriority(builder, priority);
    wire.Operation.addWeight(builder, one.weight ?? 1);
    wire.Operation.addVariance(builder, variance);
    wire.Operation.addSupportMin(builder, supportMin);
    wire.Operation.addSupportMax(builder, supportMax);
    wire.Operation.addAppKind(builder, word(one.appKind ?? NONE, `${path}.app_kind`));
    wire.Operation.addTags(builder, tags);
    wire.Operation.addLimitApp(builder, limitApp);
    wire.Operation.addLimitAtMost(builder, limitAtMost);
    wire.Operation.addNodeClass(builder, nodeClass);
    wire.Operation.addLoad(builder, load);
    wire.Operation.addLoadVariance(builder, loadVariance);
    wire.Operation.addGroups(builder, groups);
    wire.Operation.addSets(builder, joined);
    wire.Operation.addRule(builder, rule);
    wire.Operation.addOnly(builder, only);
    wire.Operation.addNot(builder, not);
    wire.Operation.addDaemon(builder, daemon);
    wire.Operation.addPeer(builder, peer);
    wire.Operation.addAmount(builder, amount);
    return wire.Operation.endOperation(builder);
  }

  private rule(from: RuleDescription, path: string): number {
    const { builder } = this;
    onlyKeys(from, RULE_KEYS, path);
    if ((from.all_of === undefined) === (from.any_of === undefined)) {
      throw invalid(path, 'needs either "all_of" (a list of conditions) or "any_of" (a list of such lists)');
    }
    const name = this.required(from.name!, `${path}.name`);
    const anyOf = (from.any_of ?? [from.all_of!]).map((conjunction, c) => {
      const allOf = conjunction.map((one, k) => {
        const at = `${path}.any_of[${c}].all_of[${k}]`;
        onlyKeys(one, CONDITION_KEYS, at);
        const kind = CARDINALITY_KINDS.indexOf(one.kind ?? 'replicas');
        if (kind < 0) throw invalid(`${at}.kind`, `must be one of ${CARDINALITY_KINDS.join(', ')}`);
        const subject = this.tags(one.subject, `${at}.subject`);
        const target = this.tags(one.target, `${at}.target`);
        const group = this.text(one.group, `${at}.group`);
        return wire.NamedCardinality.createNamedCardinality(
          builder, kind, subject, target, word(one.min ?? 0, `${at}.min`), word(one.max ?? NONE, `${at}.max`), group,
          one.negated ?? false,
        );
      });
      return wire.NamedConjunction.createNamedConjunction(builder, this.vector(allOf));
    });
    const origin = ORIGINS.indexOf(from.origin ?? 'application');
    if (origin < 0) throw invalid(`${path}.origin`, `must be one of ${ORIGINS.join(', ')}`);
    return wire.NamedRule.createNamedRule(builder, name, this.vector(anyOf), from.hard ?? true, from.weight ?? 1, origin);
  }
}

/** The bytes of operations. Their content is checked when they are applied. */
export function encodeOperations(operations: readonly Operation[], options: CallOptions = {}): Uint8Array {
  return writeOperations(operations, new Steps(options));
}

function writeOperations(operations: readonly Operation[], steps: Steps): Uint8Array {
  if (!Array.isArray(operations)) throw invalid('operations', 'must be a list of operations, or their bytes');
  return converting('operations', steps, () => {
    const encoder = new OperationEncoder(1024, steps);
    const { builder } = encoder;
    const all = operations.map((one, k) => encoder.operation(one, `operations[${k}]`));
    const list = wire.Operations.createOperationsVector(builder, all);
    wire.Operations.startOperations(builder);
    wire.Operations.addOperations(builder, list);
    wire.Operations.finishOperationsBuffer(builder, wire.Operations.endOperations(builder));
    return builder.asUint8Array();
  });
}

/** The bytes of operations, which are given as objects or as bytes. */
export function operationBytes(operations: readonly Operation[] | Uint8Array, steps: Steps): Uint8Array {
  return operations instanceof Uint8Array ? operations : writeOperations(operations, steps);
}
