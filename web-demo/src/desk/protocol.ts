// The messages between the page and its desk, a worker that holds instances and plans and answers lookups.
import type { CardinalityKind, ChanceModel, ClassColumns, Obstacle, Resource } from 'stowage';
import type { Preset } from '../presets.js';
import type { ReplayCalls } from './replay/protocol.js';
import type { LearnedSizes, SizingCalls } from './sizes/protocol.js';

/** A label of nodes and its values. */
export interface Zones {
  key: string;
  values: readonly string[];
}

/** How demand that is uncertain has to fit. */
export interface Uncertainty {
  model: ChanceModel;
  /** From 0 to 1. */
  confidence: number;
  factor: number;
}

/** The part of an instance that the page holds; the rest stays with the desk. */
export interface Outline {
  name: string;
  resources: readonly Resource[];
  periods: number;
  appNames: readonly string[];
  replicas: Uint32Array;
  /** Highest demand over all periods. Length: apps x resources. */
  peak: Float64Array;
  classes: readonly ClassColumns[];
  listedNodes: number;
  limits: number;
  ruleNames: readonly string[];
  /** Kinds of the side-effects model. */
  kindNames: readonly string[];
  /** Whether some demand is uncertain. */
  uncertain: boolean;
  uncertainty: Uncertainty | undefined;
  /** Whether replicas run already. */
  running: boolean;
  /** Kind of each app; empty without kinds. */
  kinds: Uint32Array;
  /** What a replica of a kind suffers from each unit of load of a kind beside it: kinds x kinds, row-major. */
  coefficients: Float64Array;
  /** Index of the resource that is the load. */
  loadResource: number;
  /** Zones of the nodes, where there are two or more. */
  zones: Zones | undefined;
  /** Priority of each app; empty where all are equal. */
  priority: Int32Array;
  /** Names of the listed nodes that take nothing new, the first ones. */
  closed: readonly string[];
}

/** What the reader of a cluster says beside the instance. */
export interface ClusterNotes {
  /** What plans do not take into account. */
  leftOut: readonly string[];
  /** What was assumed when the input was read. */
  notes: readonly string[];
  /** What runs and may not leave its node now. */
  held: readonly string[];
}

export interface Scenario extends Outline {
  id: number;
  /** Present where the scenario was read from a cluster, or made from such a one. */
  cluster?: ClusterNotes | undefined;
  /** The instance as `.stow`; empty once it is transferred to the planners' worker. */
  bytes: Uint8Array;
}

/** Names and utilization of a plan's nodes. */
export interface Picture {
  names: string[];
  /** Used share of the node's capacity, at index (resource x periods + period) x nodes + node. */
  share: Float32Array;
}

export interface AppOnNode {
  app: number;
  replicas: number;
  /** Demand of all its replicas on the node. Length: resources x periods. */
  demand: Float64Array;
  /** Limits that it imposes on the apps beside it. */
  limits: { app: number; atMost: number; present: number }[];
}

export interface NodeView {
  node: number;
  nodeClass: number;
  capacity: Float64Array;
  /** Load that no plan changes. Length: resources x periods. */
  load: Float64Array;
  apps: AppOnNode[];
}

/** Whether each node accepts one more replica of an app. */
export const JOIN = { takes: 0, capacity: 1, limits: 2, both: 3, closed: 4 } as const;

/** The library's answer on one app and every node of a plan. */
export interface Joining {
  code: Uint8Array;
  /** Further replicas of the app that each node accepts, up to the number that the app wants, at least 1. */
  headroom: Uint32Array;
  /** What keeps one more off the node that was asked for. */
  obstacles: Obstacle[];
}

/** Node groups and placement rules of a plan's instance. */
export interface Racks {
  /** The sets, each with its nodes of the plan. */
  groups: { name: string; sets: { name: string; nodes: number[] }[] }[];
  rules: RuleView[];
}

export interface RuleView {
  name: string;
  hard: boolean;
  weight: number;
  text: string;
  /** In the order of the rule's alternatives; without `max`: any number. */
  conditions: { text: string; kind: CardinalityKind; min: number; max: number | undefined }[];
}

export interface RuleEdit {
  /** Index of the rule. */
  rule: number;
  hard: boolean;
  weight: number;
  /** For each of its conditions. */
  bounds: { min: number; max: number | undefined }[];
}

/** The replicas that one condition of a rule counts. */
export interface CountedByRule {
  condition: string;
  where: string;
  apps: { name: string; replicas: number }[];
}

export interface AppDetail {
  app: number;
  name: string;
  replicas: number;
  /** Highest demand over all periods, per resource. */
  peak: number[];
  /** In the form "db:0, web:1". */
  limits: string;
}

export interface AppEdit {
  /** Absent for a new app. */
  app?: number | undefined;
  name: string;
  replicas: number;
  peak: number[];
  limits: string;
  /** Absent: as it was. */
  kind?: number | undefined;
}

export interface Edit {
  rule?: RuleEdit | undefined;
  uncertainty?: Uncertainty | undefined;
  classes?: ClassColumns[] | undefined;
  apps?: AppEdit[] | undefined;
  density?: { density: number; seed: number } | undefined;
  /** Coefficients of the side-effects model: kinds x kinds, row-major. */
  coefficients?: number[] | undefined;
  sizes?: LearnedSizes | undefined;
  /** Factor on all demand. */
  demand?: number | undefined;
  /** The nodes with this value of a label are gone. */
  gone?: { key: string; value: string } | undefined;
}

export interface Move {
  app: number;
  replicas: number;
  /** Nodes of the first and the second plan; absent where the replicas are only in the other plan. */
  from?: number | undefined;
  to?: number | undefined;
}

export interface Comparison {
  /** Replicas on the same node of a pair in both plans. */
  staying: number;
  moving: number;
  onlyFirst: number;
  onlySecond: number;
  pairs: number;
  /** The largest moves, a few hundred at most, in descending order of replicas. */
  moves: Move[];
  moveCount: number;
  appNames: string[];
}

/** What happens to a cluster in which a plan runs. Nodes are those of the plan. */
export type LiveEvent =
  | { what: 'drain' | 'fail'; node: number }
  | { what: 'uncordon'; name: string }
  | { what: 'scale'; app: number; replicas: number }
  | { what: 'remove'; app: number }
  /** A new app, with its demand per resource. */
  | { what: 'submit'; name: string; replicas: number; demand: number[] };

/** What becomes of the nodes of a plan that another one is changed into. */
export interface Changes {
  /** Replicas that come and that go, per node of the second plan. */
  come: Uint32Array;
  gone: Uint32Array;
  /** 1: no node of the first plan is like it. */
  fresh: Uint8Array;
}

/** Moves, wave after wave, one column per property. */
export interface MoveColumns {
  app: Uint32Array;
  replicas: Uint32Array;
  /** Indices of `OrderedMoves.names`; NONE: the replicas start. */
  from: Uint32Array;
  /** NONE: the replicas end. */
  to: Uint32Array;
  /** 1: to a node where the second plan does not have it. */
  detour: Uint8Array;
  /** Per wave: the end of its moves. */
  ends: Uint32Array;
}

/** A way from one plan to another in which every hard constraint holds at every step, as the library orders it. */
export interface OrderedMoves {
  /** Nodes of the first plan, then those that only the second one has. */
  names: string[];
  appNames: string[];
  moves: MoveColumns;
  /** Replicas that cannot move, for lack of a third place. */
  stuck: number;
  moved: number;
  detours: number;
  leastWaves: number;
  /** Used share of each node of its fullest resource, in the busiest period: at the beginning, then after each wave. */
  shares: Float32Array[];
}

/** Nodes by class, by label or by a group of the instance. */
export interface Grouping {
  name: string;
  sets: string[];
  /** Index into `sets` per node of the plan; `sets.length` for a node that is in none. */
  of: Uint32Array;
}

export type InstanceFormat = 'stow' | 'json' | 'csv';
export type PlanFormat = 'stow' | 'json' | 'csv';

export interface Present {
  scenario: number;
  /** Fingerprint of the instance. */
  fingerprint: bigint;
}

export interface GivenFile {
  name: string;
  bytes: ArrayBuffer;
  /** What the reader of a cluster said when it made the instance in the file. */
  cluster?: ClusterNotes | undefined;
}

export type ReadFile = { kind: 'instance'; scenario: Scenario } | { kind: 'plan'; bytes: Uint8Array };

type Promised<Calls> = {
  [Call in keyof Calls]: Calls[Call] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : never;
};

/** The calls of the desk. */
export interface DeskCalls extends Promised<SizingCalls>, ReplayCalls {
  generate(preset: Preset, classes?: ClassColumns[]): Promise<Scenario>;
  /**
   * Reads a file. Several files are read as one cluster if they are objects of Kubernetes; else the first one is read.
   * @param present the scenario that a plan in the file refers to, and whose node classes a table without its own gets
   */
  read(files: readonly GivenFile[], present?: Present): Promise<ReadFile>;
  edit(scenario: number, edit: Edit): Promise<Scenario>;
  appDetail(scenario: number, app: number): AppDetail;
  writeInstance(scenario: number, format: InstanceFormat): Promise<Uint8Array>;
  /** The plan with each copy of a node as a node of its own. Fails where it is too large to be drawn. */
  expand(plan: Uint8Array): Uint8Array;
  addPlan(scenario: number, plan: number, bytes: Uint8Array): Picture;
  writePlan(plan: number, format: PlanFormat): Promise<Uint8Array>;
  /** An explanation of a plan in words. */
  explanation(plan: number, explanation: Uint8Array): Promise<string>;
  nodes(plan: number, nodes: readonly number[]): NodeView[];
  /** @param node the node of the plan whose obstacles are returned */
  joining(plan: number, app: number, node?: number): Promise<Joining>;
  compare(first: number, second: number): Comparison;
  changes(first: number, second: number): Changes;
  /** The moves from one plan of a scenario to another one. Fails where the library refuses the first plan. */
  orderedMoves(first: number, second: number): Promise<OrderedMoves>;
  /** The cluster after something has happened to it while the plan ran; what waits then is for the next plan to place. */
  happens(plan: number, event: LiveEvent): Promise<Scenario>;
  /** Ways to group a plan's nodes. */
  groupings(plan: number): Grouping[];
  /** Kind of the largest load on each node of a plan. */
  largestKinds(plan: number): Uint8Array;
  racks(plan: number): Racks;
  /** @param node node of the plan; absent where the rule is about all subjects together */
  counted(plan: number, rule: number, node?: number): CountedByRule[];
  forget(scenario: number): void;
}
