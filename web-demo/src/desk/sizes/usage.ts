// Usage over time as text: docs/cookbook/size.md describes the columns.
import type { Usage } from 'stowage';
import type { Problem, UsageSeries } from './protocol.js';
import { Table, parseNumber } from './table.js';

/** What a text says, without the rules of how sizes follow from it. */
export type History = Omit<Usage, 'rules' | 'outOfMemory'> & {
  apps: string[];
  resources: string[];
  app: number[];
  time: number[];
  amount: number[];
  outOfMemory: number[] | undefined;
};

export interface UsageText {
  history: History;
  /** Tells where the library found a fault; undefined where it is not in the text. */
  problem(path: string, message: string): Problem | undefined;
}

const DATE = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d:\d\d:\d\d(?:\.\d+)?)(Z|z|[+-]\d\d:\d\d)$/;

/** Seconds since any origin, or of a date and time as in RFC 3339; NaN where the text is neither. */
export function parseTime(text: string): number {
  const seconds = parseNumber(text);
  if (seconds !== undefined) return seconds;
  const [, year, month, day, time, zone] = DATE.exec(text) ?? [];
  if (zone === undefined) return NaN;
  // A day that its month does not have becomes one of the next month.
  if (new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() !== Number(day)) return NaN;
  return Date.parse(`${year!}-${month!}-${day!}T${time!}${zone.toUpperCase()}`) / 1000;
}

/** Numbers names by first use. */
class Numbers {
  readonly names = new Map<string, number>();
  of(name: string): number {
    const found = this.names.get(name) ?? this.names.size;
    this.names.set(name, found);
    return found;
  }
}

/** Reads usage. Fails with a `TableError`. */
export function readUsage(text: string): UsageText {
  const table: Table = new Table(text, 'app, time and the resources');
  const { header } = table;
  const [app, time, replica, oom] = ['app', 'time', 'replica', 'oom'].map((name) => header.indexOf(name)) as [
    number,
    number,
    number,
    number,
  ];
  if (app < 0) table.failAtHeader('there is no column "app"');
  if (time < 0) table.failAtHeader('there is no column "time"');
  const resources = header.flatMap((_, column) => ([app, time, replica, oom].includes(column) ? [] : [column]));
  if (resources.length === 0) table.failAtHeader('there is no column with a resource, such as "cpu"');
  const apps = new Numbers();
  const replicas: Numbers[] = [];
  const places: { begin: number; line: number }[] = [];
  const columns = {
    app: [] as number[],
    time: [] as number[],
    amount: [] as number[],
    replica: replica < 0 ? undefined : ([] as number[]),
    outOfMemory: oom < 0 ? undefined : ([] as number[]),
  };
  for (const { fields, begin, line } of table.rows()) {
    if (fields[app] === '') table.fail(app, 'the app has no name');
    const at = parseTime(fields[time]!);
    if (Number.isNaN(at)) {
      table.fail(time, `"${fields[time]!.slice(0, 40)}" is neither seconds nor such as 2026-01-31T12:00:00Z`);
    }
    const number = apps.of(fields[app]!);
    columns.app.push(number);
    columns.time.push(at);
    columns.replica?.push((replicas[number] ??= new Numbers()).of(fields[replica]!));
    if (oom >= 0 && !/^[01]?$/.test(fields[oom]!)) table.fail(oom, `"${fields[oom]!.slice(0, 40)}" is neither 0 nor 1`);
    columns.outOfMemory?.push(fields[oom] === '1' ? 1 : 0);
    for (const column of resources) {
      const value = fields[column] === '' ? NaN : parseNumber(fields[column]!);
      if (value === undefined) table.fail(column, `"${fields[column]!.slice(0, 40)}" is not a number`);
      if (value < 0) table.fail(column, 'must not be negative');
      columns.amount.push(value);
    }
    places.push({ begin, line });
  }
  if (columns.app.length === 0) table.failAtHeader('no sample follows the header');
  const history: History = { ...columns, apps: [...apps.names.keys()], resources: resources.map((column) => header[column]!) };
  return {
    history,
    problem: (path, message) => {
      const [, list, index] = /^(?:usage\.)?(app|time|amount|replica|out_of_memory)\[(\d+)\]/.exec(path) ?? [];
      if (list === undefined) return undefined;
      const of = { app, time, replica, out_of_memory: oom }[list];
      const [row, column] =
        of === undefined
          ? [Math.floor(Number(index) / resources.length), resources[Number(index) % resources.length]]
          : [Number(index), of];
      return table.problemAt(places[row], column, message);
    },
  };
}

/** Usage of an app in steps of equal length, with the least, the mean and the largest of all replicas in each. */
export function seriesOf({ app: of, time, amount, resources, outOfMemory }: History, app: number, steps: number): UsageSeries {
  const own: number[] = [];
  let [first, last] = [Infinity, -Infinity];
  of.forEach((one, k) => {
    if (one !== app) return;
    own.push(k);
    first = Math.min(first, time[k]!);
    last = Math.max(last, time[k]!);
  });
  // No more steps than there are times, so that a step without samples is a gap in the history.
  const count = Math.max(1, Math.min(steps, new Set(own.map((k) => time[k])).size));
  const list = (value: number): Float64Array[] => resources.map(() => new Float64Array(count).fill(value));
  const [low, mean, high, samples] = [list(NaN), list(0), list(NaN), list(0)];
  const killed: number[] = [];
  for (const k of own) {
    const step = last > first ? Math.round(((time[k]! - first) / (last - first)) * (count - 1)) : 0;
    if (outOfMemory?.[k] === 1) killed.push(time[k]!);
    for (let r = 0; r < resources.length; ++r) {
      const value = amount[k * resources.length + r]!;
      if (Number.isNaN(value)) continue;
      low[r]![step] = samples[r]![step] === 0 ? value : Math.min(low[r]![step]!, value);
      high[r]![step] = samples[r]![step] === 0 ? value : Math.max(high[r]![step]!, value);
      mean[r]![step]! += value;
      ++samples[r]![step]!;
    }
  }
  mean.forEach((values, r) => values.forEach((sum, step) => (values[step] = sum / samples[r]![step]!)));
  return { first, last, low, mean, high, killed };
}
