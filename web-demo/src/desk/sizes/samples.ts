// Profiles and samples as text: docs/cookbook/size.md describes the columns.
import type { Feature, Measure, Samples } from 'stowage';
import type { Problem } from './protocol.js';
import { Table, parseNumber } from './table.js';

const MOST_PER_NODE = 1_000_000;

export interface SamplesText {
  samples: Samples;
  /** Undefined where there is no column with measurements. */
  measure: Measure | undefined;
  /** Tells where the library found a fault; undefined where it is not in the text. */
  problem(path: string, message: string): Problem | undefined;
  /** A fault in the header. */
  headerProblem(message: string): Problem;
}

interface Place {
  begin: number;
  line: number;
}

class SamplesReader {
  private readonly table: Table;
  private readonly column = { app: -1, collocation: -1, value: -1 };
  private measure: Measure | undefined;
  private readonly resources: number[] = [];
  private readonly features: { column: number; words: string[] }[] = [];
  private readonly asked: { column: number; resource: number }[] = [];
  private readonly apps = new Map<string, number>();
  private readonly appPlace: Place[] = [];
  private readonly rowPlace: Place[] = [];
  private readonly rowApp: number[] = [];
  private readonly rowAmounts: number[] = [];
  private readonly rowCollocation: number[] = [];
  private readonly rowValue: number[] = [];
  private readonly askedAmounts: number[] = [];

  constructor(text: string) {
    this.table = new Table(text, 'app, the resources, and performance or latency_ms');
    this.readHeader();
  }

  read(): SamplesText {
    for (const { fields, begin, line } of this.table.rows()) this.readRow(fields, { begin, line });
    if (this.apps.size === 0) this.table.failAtHeader('no app follows the header');
    const { rowApp, rowAmounts, rowCollocation, rowValue } = this;
    const samples: Samples = {
      measure: this.measure,
      resources: this.resources.map((column) => this.table.header[column]!),
      apps: [...this.apps.keys()],
      features: this.finishedFeatures(),
      ...(this.asked.length > 0 ? { asked: this.askedAmounts } : {}),
      rowApp,
      rowAmounts,
      rowCollocation,
      rowValue,
    };
    return {
      samples,
      measure: this.measure,
      problem: (path, message) => this.problem(path, message),
      headerProblem: (message) => this.table.problemAt(undefined, undefined, message),
    };
  }

  private readHeader(): void {
    const { header } = this.table;
    const asked: number[] = [];
    header.forEach((name, k) => {
      if (name === 'app') this.column.app = k;
      else if (name === 'collocation') this.column.collocation = k;
      else if (name === 'performance' || name === 'latency_ms') {
        if (this.measure !== undefined) this.table.fail(k, 'there are both performance and latency_ms');
        this.measure = name === 'performance' ? 'performance' : 'latency';
        this.column.value = k;
      } else if (/^x_./s.test(name)) this.features.push({ column: k, words: [] });
      else if (/^asked_./s.test(name)) asked.push(k);
      else this.resources.push(k);
    });
    if (this.column.app < 0) this.table.failAtHeader('there is no column "app"');
    if (this.resources.length === 0) this.table.failAtHeader('there is no column with a resource, such as "cpu"');
    for (const column of asked) {
      const name = header[column]!.slice('asked_'.length);
      const resource = this.resources.findIndex((one) => header[one] === name);
      if (resource < 0) this.table.fail(column, `there is no column "${name}"`);
      this.asked.push({ column, resource });
    }
    if (asked.length > 0 && asked.length !== this.resources.length) {
      this.table.failAtHeader('asked_ is given for some resources only');
    }
  }

  private positive(fields: readonly string[], column: number): number {
    const text = fields[column]!;
    const value = parseNumber(text);
    if (value === undefined) this.table.fail(column, `"${text.slice(0, 40)}" is not a number`);
    if (!(value > 0)) this.table.fail(column, 'must be above 0');
    return value;
  }

  private readRow(fields: readonly string[], place: Place): void {
    const name = fields[this.column.app]!;
    if (name === '') this.table.fail(this.column.app, 'the app has no name');
    let app = this.apps.get(name);
    if (app === undefined) {
      app = this.apps.size;
      this.apps.set(name, app);
      this.appPlace.push(place);
      for (const { words } of this.features) words.push('');
      if (this.asked.length > 0) for (const _ of this.resources) this.askedAmounts.push(NaN);
    }
    for (const { column, words } of this.features) {
      const text = fields[column]!;
      if (text === '') continue;
      if (words[app] !== '' && words[app] !== text) {
        this.table.fail(column, `is "${text}", but "${words[app]!}" in another row of the app`);
      }
      words[app] = text;
    }
    for (const { column, resource } of this.asked) {
      if (fields[column] === '') continue;
      const [value, cell] = [this.positive(fields, column), app * this.resources.length + resource];
      const known = this.askedAmounts[cell]!;
      if (!Number.isNaN(known) && known !== value) this.table.fail(column, 'differs from another row of the app');
      this.askedAmounts[cell] = value;
    }
    this.readMeasurement(fields, app, place);
  }

  private readMeasurement(fields: readonly string[], app: number, place: Place): void {
    const { value, collocation } = this.column;
    // Such a row only says what is known of an app.
    if (this.resources.every((column) => fields[column] === '') && (value < 0 || fields[value] === '')) return;
    if (this.measure === undefined) this.table.failAtHeader('there is no column "performance" or "latency_ms"');
    for (const column of this.resources) this.rowAmounts.push(this.positive(fields, column));
    const degree = collocation < 0 || fields[collocation] === '' ? '1' : fields[collocation]!;
    if (!/^[0-9]+$/.test(degree) || Number(degree) < 1 || Number(degree) > MOST_PER_NODE) {
      this.table.fail(collocation, `"${degree.slice(0, 40)}" is not a whole number from 1 to 1,000,000`);
    }
    const measured = parseNumber(fields[value]!);
    if (measured === undefined) this.table.fail(value, `"${fields[value]!.slice(0, 40)}" is not a number`);
    if (this.measure === 'latency' ? !(measured > 0) : !(measured >= 0 && measured <= 1)) {
      this.table.fail(value, this.measure === 'latency' ? 'must be above 0' : 'must be from 0 to 1');
    }
    this.rowApp.push(app);
    this.rowCollocation.push(Number(degree));
    this.rowValue.push(measured);
    this.rowPlace.push(place);
  }

  /** A feature is of numbers where each of its fields is one. One of which nothing is known is left out. */
  private finishedFeatures(): Feature[] {
    return this.features
      .filter(({ words }) => words.some((word) => word !== ''))
      .map(({ column, words }) => {
        const name = this.table.header[column]!.slice('x_'.length);
        return words.every((word) => word === '' || parseNumber(word) !== undefined)
          ? { name, numbers: words.map((word) => parseNumber(word) ?? NaN) }
          : { name, words };
      });
  }

  private problem(path: string, message: string): Problem | undefined {
    const [, list, index] = /\b(rows|apps|asked|numbers|words)\[(\d+)\]/.exec(path) ?? [];
    if (list === undefined) return /\bresources\b/.test(path) ? this.table.problemAt(undefined, undefined, message) : undefined;
    const place = (list === 'rows' ? this.rowPlace : this.appPlace)[Number(index)];
    const amount = /amounts\[(\d+)\]/.exec(path);
    const column = amount !== null ? this.resources[Number(amount[1])] : path.endsWith('.value') ? this.column.value : undefined;
    return this.table.problemAt(place, column, message);
  }
}

/** Reads profiles or samples. Fails with a `TableError`. */
export const readSamples = (text: string): SamplesText => new SamplesReader(text).read();
