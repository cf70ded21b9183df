// A trace of applications that come and go, as text: docs/reference/replay.md describes the columns.
import { parseQuantity, type Resource } from 'stowage';
import type { Problem } from '../sizes/protocol.js';
import { Table, TableError, parseNumber } from '../sizes/table.js';
import { parseTime } from '../sizes/usage.js';

const MOST_SECONDS = 1e12;
const MOST_REPLICAS = 2 ** 32 - 1;
const KNOWN = ['app', 'arrives', 'departs', 'replicas', 'priority', 'limits'] as const;
type Known = (typeof KNOWN)[number];

/** An application of the trace. */
export interface TraceApp {
  name: string;
  /** Seconds; `departs` is infinite where it stays. */
  arrives: number;
  departs: number;
  replicas: number;
  priority: number;
  /** Of one replica, by resource of the cluster. */
  demand: Record<string, number>;
  /** Beside it, at most this many replicas of an application. */
  limits: Record<string, number>;
  /** Place of its line in the text. */
  place: { begin: number; line: number };
}

export interface Trace {
  /** In the order of arrival; those of the same time in the order of the text. */
  apps: TraceApp[];
  /** What is wrong with the line of an application. */
  problemOf(app: TraceApp, message: string): Problem;
}

const shortened = (text: string): string => `"${text.slice(0, 40)}"`;

class TraceReader {
  private readonly table: Table;
  private readonly column: Record<Known, number>;
  /** Per resource: its column. */
  private readonly amounts: number[];

  constructor(
    text: string,
    private readonly resources: readonly Resource[],
  ) {
    this.table = new Table(text, 'app, arrives and the resources');
    const { header } = this.table;
    this.column = Object.fromEntries(KNOWN.map((name) => [name, header.indexOf(name)])) as Record<Known, number>;
    this.amounts = resources.map(({ name }) => header.indexOf(name));
    for (const name of ['app', 'arrives'] as const) {
      if (this.column[name] < 0) this.table.failAtHeader(`there is no column "${name}"`);
    }
    this.amounts.forEach((column, k) => {
      if (column < 0) this.table.failAtHeader(`there is no column "${resources[k]!.name}", a resource of the cluster`);
    });
    header.forEach((name, column) => {
      if ((KNOWN as readonly string[]).includes(name) || this.amounts.includes(column)) return;
      this.table.fail(column, 'is neither a known column nor a resource of the cluster');
    });
  }

  /** @param present names of the applications that are there before the trace */
  read(present: readonly string[]): Trace {
    const apps: TraceApp[] = [];
    for (const { fields, begin, line } of this.table.rows()) apps.push(this.app(fields, { begin, line }));
    if (apps.length === 0) this.table.failAtHeader('no application follows');
    apps.sort((a, b) => a.arrives - b.arrives);
    const trace = {
      apps,
      problemOf: (app: TraceApp, message: string) => this.table.problemAt(app.place, this.column.app, message),
    };
    const until = new Map<string, number>(present.map((name) => [name, Infinity]));
    for (const app of apps) {
      if ((until.get(app.name) ?? -Infinity) > app.arrives) {
        throw new TableError(trace.problemOf(app, `${shortened(app.name)} arrives while an application of this name is there`));
      }
      until.set(app.name, app.departs);
    }
    return trace;
  }

  private app(fields: readonly string[], place: TraceApp['place']): TraceApp {
    const { column, table } = this;
    const name = fields[column.app]!;
    if (name === '') table.fail(column.app, 'the application has no name');
    const arrives = this.time(fields, 'arrives');
    const departs = this.text(fields, 'departs') === '' ? Infinity : this.time(fields, 'departs');
    if (departs < arrives) table.fail(column.departs, 'is before it arrives');
    return {
      name,
      arrives,
      departs,
      replicas: this.replicas(fields),
      priority: this.priority(fields),
      demand: Object.fromEntries(
        this.resources.map((resource, k) => [resource.name, this.amount(this.amounts[k]!, resource, fields[this.amounts[k]!]!)]),
      ),
      limits: this.limits(fields),
      place,
    };
  }

  /** Empty where the column is missing. */
  private text(fields: readonly string[], name: Known): string {
    return this.column[name] < 0 ? '' : fields[this.column[name]]!;
  }

  private time(fields: readonly string[], name: 'arrives' | 'departs'): number {
    const text = this.text(fields, name);
    const seconds = parseTime(text);
    if (Number.isNaN(seconds)) {
      this.table.fail(this.column[name], `${shortened(text)} is neither seconds nor such as 2026-01-31T12:00:00Z`);
    }
    if (Math.abs(seconds) > MOST_SECONDS) this.table.fail(this.column[name], `${shortened(text)} is further away than 10^12 seconds`);
    return seconds;
  }

  private replicas(fields: readonly string[]): number {
    const text = this.text(fields, 'replicas');
    if (text === '') return 1;
    if (!/^[0-9]+$/.test(text) || Number(text) > MOST_REPLICAS) {
      this.table.fail(this.column.replicas, `${shortened(text)} is not a whole number up to 4,294,967,295`);
    }
    return Number(text);
  }

  private priority(fields: readonly string[]): number {
    const text = this.text(fields, 'priority');
    if (text === '') return 0;
    const value = parseNumber(text);
    if (value === undefined || !Number.isInteger(value) || Math.abs(value) > 2 ** 31 - 1) {
      this.table.fail(this.column.priority, `${shortened(text)} is not a whole number`);
    }
    return value;
  }

  private amount(column: number, { unit = '' }: Resource, text: string): number {
    const value = parseQuantity(text, unit);
    if (value === undefined || !Number.isFinite(value) || value < 0) this.table.fail(column, `${shortened(text)} is not an amount`);
    return value;
  }

  /** "db:1;cache:0" */
  private limits(fields: readonly string[]): Record<string, number> {
    const text = this.text(fields, 'limits');
    const pairs = text === '' ? [] : text.split(';');
    return Object.fromEntries(
      pairs.map((one) => {
        const [, app, most] = /^(.+):([0-9]+)$/.exec(one) ?? [];
        if (app === undefined || Number(most) > MOST_REPLICAS) {
          this.table.fail(this.column.limits, `${shortened(one)} is not app:number (such as db:1)`);
        }
        return [app, Number(most)];
      }),
    );
  }
}

/**
 * Reads a trace for a cluster with these resources. Fails with a `TableError`.
 * @param present names of the applications that are there before the trace
 */
export const readTrace = (text: string, resources: readonly Resource[], present: readonly string[]): Trace =>
  new TraceReader(text, resources).read(present);
