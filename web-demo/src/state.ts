// The state of the page, and the listeners for its changes.
import type { Objective, Plan, PlannerInfo } from 'stowage';
import type { Picture, Scenario as ScenarioData } from './desk/protocol.js';
import type { Recipe } from './share.js';

export interface Scenario extends ScenarioData {
  /** A text that distinguishes the scenario from others on the page. */
  label: string;
  /** The recipe that generates it; undefined where it came from a file or its apps were edited. */
  recipe: Recipe | undefined;
  /** The scenario that it was made from, if it was edited. */
  parent: Scenario | undefined;
}

export interface Outcome {
  id: number;
  scenario: Scenario;
  planner: string;
  /** What distinguishes the run from others of its planner, in words; empty where all options have their defaults. */
  options: string;
  plan: Plan;
  /** Constraints that the plan breaks; 0 for plans that were made here. */
  broken: number;
  picture: Picture;
  /** Run time; absent where the plan came from a file. */
  milliseconds: number | undefined;
  /** Why it is as it is, in the words of the library. */
  explanation?: string;
}

export interface Running {
  planner: string;
  position: number;
  total: number;
  text: string;
  /** Progress from 0 to 1; undefined where it is not known. */
  share: number | undefined;
}

/** How the best plan of a run improved. */
export interface Course {
  scenario: Scenario;
  planner: string;
  /** Milliseconds from the beginning, what is minimized, nodes in use, and replicas left over; then the present time. */
  points: { at: number; value: number; nodes: number; left: number }[];
}

export interface State {
  catalogue: PlannerInfo[];
  scenario: Scenario | undefined;
  scenarios: Scenario[];
  /** What-ifs start from it; undefined where they start from the present scenario. */
  baseline: Scenario | undefined;
  outcomes: Outcome[];
  shown: Outcome | undefined;
  /** Index of a node of the plan. */
  node: number | undefined;
  app: number | undefined;
  /** What plans are compared by once everything is placed and all rules hold. */
  objective: Objective;
  /** 0 = the highest of all periods; k + 1 = period k. */
  time: number;
  running: Running | undefined;
  /** The latest run that improved its plan. */
  course: Course | undefined;
}

export type Topic = 'catalogue' | 'scenario' | 'outcomes' | 'shown' | 'node' | 'app' | 'time' | 'running' | 'objective' | 'course';

export class Store {
  readonly state: State = {
    catalogue: [],
    scenario: undefined,
    scenarios: [],
    baseline: undefined,
    outcomes: [],
    shown: undefined,
    node: undefined,
    app: undefined,
    objective: 'nodes',
    time: 0,
    running: undefined,
    course: undefined,
  };
  private readonly listeners: { topics: ReadonlySet<Topic>; listener: () => void }[] = [];
  private due = new Set<() => void>();
  private readonly channel = new MessageChannel();

  constructor() {
    this.channel.port1.onmessage = () => this.next();
  }

  on(topics: readonly Topic[], listener: () => void): void {
    this.listeners.push({ topics: new Set(topics), listener });
  }

  change(changes: Partial<State>, ...topics: Topic[]): void {
    Object.assign(this.state, changes);
    const idle = this.due.size === 0;
    const called = this.listeners.filter(({ topics: wanted }) => topics.some((topic) => wanted.has(topic)));
    const added = called.map(({ listener }) => listener);
    // That something runs is shown first, and that nothing runs any more last, so that no old result looks like the answer.
    if (topics.includes('running') && this.state.running !== undefined) this.due = new Set([...added, ...this.due]);
    else {
      if (topics.includes('running')) for (const listener of added) this.due.delete(listener);
      for (const listener of added) this.due.add(listener);
    }
    if (idle && this.due.size > 0) this.channel.port2.postMessage(undefined);
  }

  /** Calls one listener per task, so that the page stays responsive. A listener is called once for several changes. */
  private next(): void {
    const [listener] = this.due;
    if (listener === undefined) return;
    this.due.delete(listener);
    try {
      listener();
    } finally {
      if (this.due.size > 0) this.channel.port2.postMessage(undefined);
    }
  }
}
