// What the page and its desk (a worker that holds instances and plans, and looks things up in them) say to each other.
import type { ClassColumns, Obstacle, Resource } from 'stowage';
import type { Preset } from './generate.js';

/** What the page itself knows of an instance; the rest is asked for. */
export interface Outline {
  name: string;
  resources: readonly Resource[];
  periods: number;
  appNames: readonly string[];
  replicas: Uint32Array;
  /** Apps x resources: the highest of all periods. */
  peak: Float64Array;
  classes: readonly ClassColumns[];
  listedNodes: number;
  limits: number;
  ruleNames: readonly string[];
}

export interface Scenario extends Outline {
  id: number;
  /** The instance as `.stow`, until it is handed over to the planners' worker; then empty. */
  bytes: Uint8Array;
}

/** How full the nodes of a plan are. */
export interface Picture {
  names: string[];
  /** (Resource x periods + period) x nodes + node: what is used, as a share of the node's capacity. */
  share: Float32Array;
}

export interface AppOnNode {
  app: number;
  replicas: number;
  /** Resources x periods, of all its replicas here. */
  demand: Float64Array;
  /** What it imposes on the apps beside it. */
  limits: { app: number; atMost: number; present: number }[];
}

export interface NodeView {
  node: number;
  nodeClass: number;
  capacity: Float64Array;
  /** Resources x periods: what is there whatever is planned. */
  load: Float64Array;
  apps: AppOnNode[];
}

/** Whether nodes could take one more replica of an app. */
export const JOIN = { takes: 0, capacity: 1, limits: 2, both: 3, closed: 4 } as const;

export interface Joining {
  code: Uint8Array;
  /** Replicas of the app that a node could take. */
  headroom: Uint32Array;
}

/** Node groups and placement rules of a plan's instance. */
export interface Racks {
  /** Sets with their nodes of the plan. */
  groups: { name: string; sets: { name: string; nodes: number[] }[] }[];
  rules: { name: string; hard: boolean; weight: number; text: string }[];
}

/** What one condition of a rule counts. */
export interface CountedByRule {
  condition: string;
  where: string;
  apps: { name: string; replicas: number }[];
}

export interface AppDetail {
  app: number;
  name: string;
  replicas: number;
  /** Per resource, the highest of all periods. */
  peak: number[];
  /** As "db:0, web:1". */
  limits: string;
}

export interface AppEdit {
  /** Absent: a new app. */
  app?: number | undefined;
  name: string;
  replicas: number;
  peak: number[];
  limits: string;
}

export interface Edit {
  classes?: ClassColumns[] | undefined;
  apps?: AppEdit[] | undefined;
  density?: { density: number; seed: number } | undefined;
}

export interface Move {
  app: number;
  replicas: number;
  /** Nodes of the first and the second plan; absent: only in the other one. */
  from?: number | undefined;
  to?: number | undefined;
}

export interface Comparison {
  /** Replicas that stay when nodes of both plans are paired to keep as many as possible. */
  staying: number;
  moving: number;
  onlyFirst: number;
  onlySecond: number;
  pairs: number;
  /** The first few hundred, largest first. */
  moves: Move[];
  moveCount: number;
  appNames: string[];
}

export type InstanceFormat = 'stow' | 'json' | 'csv';
export type PlanFormat = 'stow' | 'json' | 'csv';

export interface Present {
  scenario: number;
  /** As the library has it. */
  fingerprint: bigint;
}

export type ReadFile = { kind: 'instance'; scenario: Scenario } | { kind: 'plan'; bytes: Uint8Array };

/** The desk's calls. */
export interface DeskCalls {
  generate(preset: Preset, classes?: ClassColumns[]): Scenario;
  /** @param present the scenario whose plans, and whose nodes, tables without their own are read for */
  read(file: { name: string; bytes: ArrayBuffer }, present?: Present): ReadFile;
  edit(scenario: number, edit: Edit): Scenario;
  appDetail(scenario: number, app: number): AppDetail;
  writeInstance(scenario: number, format: InstanceFormat): Uint8Array;
  /** The plan with each copy of a node listed by itself. Refuses what is too large to be drawn. */
  expand(plan: Uint8Array): Uint8Array;
  addPlan(scenario: number, plan: number, bytes: Uint8Array): Picture;
  writePlan(plan: number, format: PlanFormat): Uint8Array;
  nodes(plan: number, nodes: readonly number[]): NodeView[];
  joining(plan: number, app: number): Joining;
  obstacles(plan: number, app: number, node: number): Obstacle[];
  compare(first: number, second: number): Comparison;
  racks(plan: number): Racks;
  /** @param node of the plan; absent: the rule is about all subjects together */
  counted(plan: number, rule: number, node?: number): CountedByRule[];
  forget(scenario: number): void;
}
